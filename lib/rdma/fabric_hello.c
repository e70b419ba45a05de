/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records on control connections, written and checked; what they mean is in fabric_hello.h.
 */
#include "rdma/fabric_hello.h"

#include <string.h>

#include "base/bytes.h"

#define HELLO_MAGIC 0x4c504453u /* "SDPL" */

enum hello_offset {
	AT_MAGIC = 0,	     /* u32 */
	AT_VERSION = 4,	     /* u16 */
	AT_KIND = 6,	     /* u16 */
	AT_CODE = 8,	     /* u32 */
	AT_PERMISSIONS = 12, /* u32 */
	AT_TOKEN = 16,	     /* u64 */
	AT_PID = 24,	     /* u32 */
	AT_PORT = 28,	     /* u16 */
	AT_PRIVATE_LEN = 30, /* u8, and one of padding */
	AT_FROM = 32,
	AT_TO = AT_FROM + RDMA_COOKIE_SIZE,
	AT_PRIVATE = AT_TO + RDMA_COOKIE_SIZE,
	AT_END = AT_PRIVATE + FABRIC_PRIVATE_MAX,
};
_Static_assert(AT_END <= FABRIC_HELLO_SIZE, "all of it fits");

void fabric_hello_write(const struct fabric_hello *hello, uint8_t out[FABRIC_HELLO_SIZE])
{
	memset(out, 0, FABRIC_HELLO_SIZE);
	sdpu_put_u32(out + AT_MAGIC, HELLO_MAGIC);
	sdpu_put_u16(out + AT_VERSION, FABRIC_HELLO_VERSION);
	sdpu_put_u16(out + AT_KIND, (uint16_t)hello->kind);
	sdpu_put_u32(out + AT_CODE, hello->code);
	sdpu_put_u32(out + AT_PERMISSIONS, hello->permissions);
	sdpu_put_u64(out + AT_TOKEN, hello->token);
	sdpu_put_u32(out + AT_PID, hello->pid);
	sdpu_put_u16(out + AT_PORT, hello->port);
	out[AT_PRIVATE_LEN] = hello->private_len;
	memcpy(out + AT_FROM, hello->from, RDMA_COOKIE_SIZE);
	memcpy(out + AT_TO, hello->to, RDMA_COOKIE_SIZE);
	memcpy(out + AT_PRIVATE, hello->private_data, hello->private_len);
}

uint16_t fabric_hello_version(const uint8_t bytes[FABRIC_HELLO_SIZE])
{
	return sdpu_get_u32(bytes + AT_MAGIC) == HELLO_MAGIC ? sdpu_get_u16(bytes + AT_VERSION) : 0;
}

static const char *find_fault(const uint8_t *bytes)
{
	uint16_t kind = sdpu_get_u16(bytes + AT_KIND);

	if (sdpu_get_u32(bytes + AT_MAGIC) != HELLO_MAGIC)
		return "it is none of ours";
	if (sdpu_get_u16(bytes + AT_VERSION) != FABRIC_HELLO_VERSION)
		return "it is of another version of softdpu";
	if (kind == 0 || kind >= FABRIC_HELLO_KINDS)
		return "an unknown kind";
	if (kind == FABRIC_HELLO_REFUSE && (sdpu_get_u32(bytes + AT_CODE) == DOCA_SUCCESS ||
					    sdpu_get_u32(bytes + AT_CODE) > UINT16_MAX))
		return "a refusal without a reason";
	if (kind == FABRIC_HELLO_WELCOME && sdpu_get_u16(bytes + AT_PORT) == 0)
		return "no port to connect to";
	return NULL;
}

const char *fabric_hello_read(const uint8_t bytes[FABRIC_HELLO_SIZE], struct fabric_hello *hello)
{
	const char *fault = find_fault(bytes);

	if (fault != NULL)
		return fault;
	hello->kind = sdpu_get_u16(bytes + AT_KIND);
	hello->code = (doca_error_t)sdpu_get_u32(bytes + AT_CODE);
	hello->permissions = sdpu_get_u32(bytes + AT_PERMISSIONS);
	hello->token = sdpu_get_u64(bytes + AT_TOKEN);
	hello->pid = sdpu_get_u32(bytes + AT_PID);
	hello->port = sdpu_get_u16(bytes + AT_PORT);
	hello->private_len = bytes[AT_PRIVATE_LEN];
	memcpy(hello->from, bytes + AT_FROM, RDMA_COOKIE_SIZE);
	memcpy(hello->to, bytes + AT_TO, RDMA_COOKIE_SIZE);
	memcpy(hello->private_data, bytes + AT_PRIVATE, FABRIC_PRIVATE_MAX);
	return NULL;
}
