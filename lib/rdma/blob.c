/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Encoding and judging of connection details; see blob.h. Integers are little-endian, texts end in
 * a zero byte and are padded with zeros. A new meaning of any byte is a new version. decode() reads
 * nothing before find_fault() has passed it.
 */
#include "rdma/blob.h"

#include <ctype.h>
#include <string.h>

#include <doca_rdma_types.h>

#include "base/bytes.h"
#include "base/log.h"
#include "bus/blob_wire.h"

#define RDMA_BLOB_MAGIC 0x52504453u /* "SDPR" */
#define RDMA_BLOB_VERSION 1

enum rdma_blob_offset {
	AT_MAGIC = 0,	      /* u32 */
	AT_VERSION = 4,	      /* u16 */
	AT_TRANSPORT = 6,     /* u16 */
	AT_LEN = 8,	      /* u32, of the whole blob */
	AT_SUM = BLOB_AT_SUM, /* u32, where sdpu_blob_sum() expects it */
	AT_PERMISSIONS = 16,  /* u32 */
	AT_ID = 20,	      /* u32 */
	AT_COOKIE = 24,
	AT_BOOT_ID = AT_COOKIE + RDMA_COOKIE_SIZE,
	AT_ENDPOINT = AT_BOOT_ID + SDPU_BOOT_ID_SIZE,
	RDMA_BLOB_LEN = AT_ENDPOINT + SDPU_ENDPOINT_MAX,
};

_Static_assert(RDMA_BLOB_LEN <= RDMA_BLOB_MAX, "must fit a control message of the programs");
_Static_assert(AT_SUM == AT_LEN + 4, "the head is shared with mmap exports");

void rdma_blob_encode(const struct rdma_blob *blob, uint8_t out[RDMA_BLOB_MAX], size_t *len)
{
	memset(out, 0, RDMA_BLOB_LEN);
	sdpu_put_u32(out + AT_MAGIC, RDMA_BLOB_MAGIC);
	sdpu_put_u16(out + AT_VERSION, RDMA_BLOB_VERSION);
	sdpu_put_u16(out + AT_TRANSPORT, (uint16_t)blob->transport);
	sdpu_put_u32(out + AT_LEN, RDMA_BLOB_LEN);
	sdpu_put_u32(out + AT_PERMISSIONS, blob->permissions);
	sdpu_put_u32(out + AT_ID, blob->connection_id);
	memcpy(out + AT_COOKIE, blob->cookie, RDMA_COOKIE_SIZE);
	memcpy(out + AT_BOOT_ID, blob->boot_id, SDPU_BOOT_ID_SIZE);
	memcpy(out + AT_ENDPOINT, blob->endpoint, strnlen(blob->endpoint, SDPU_ENDPOINT_MAX - 1));
	sdpu_put_u32(out + AT_SUM, sdpu_blob_sum(out, RDMA_BLOB_LEN));
	*len = RDMA_BLOB_LEN;
}

static bool is_text(const uint8_t *at)
{
	for (size_t i = 0; i < SDPU_ENDPOINT_MAX; i++) {
		if (at[i] == '\0')
			return i != 0;
		if (!isgraph(at[i]))
			return false;
	}
	return false;
}

static const char *find_fault(const uint8_t *bytes, size_t len)
{
	if (len < RDMA_BLOB_LEN)
		return "they are too short";
	if (sdpu_get_u32(bytes + AT_MAGIC) != RDMA_BLOB_MAGIC)
		return "they do not begin as those of softdpu do";
	if (sdpu_get_u16(bytes + AT_VERSION) != RDMA_BLOB_VERSION)
		return "they come from another version of softdpu";
	if (sdpu_get_u32(bytes + AT_LEN) != RDMA_BLOB_LEN)
		return "they name a wrong length";
	if (sdpu_get_u32(bytes + AT_SUM) != sdpu_blob_sum(bytes, RDMA_BLOB_LEN))
		return "their checksum is wrong";
	if (sdpu_get_u16(bytes + AT_TRANSPORT) > DOCA_RDMA_TRANSPORT_TYPE_DC)
		return "they name an unknown transport";
	if (!is_text(bytes + AT_ENDPOINT))
		return "they name no process";
	return NULL;
}

doca_error_t rdma_blob_decode(const void *bytes, size_t len, struct rdma_blob *blob)
{
	const uint8_t *at = bytes;
	const char *fault = find_fault(at, len);

	if (fault != NULL) {
		sdpu_log_err("connection details of %zu bytes refused: %s; pass on all bytes that "
			     "doca_rdma_export gave, unchanged",
			     len, fault);
		return DOCA_ERROR_INVALID_VALUE;
	}
	blob->transport = sdpu_get_u16(at + AT_TRANSPORT);
	blob->permissions = sdpu_get_u32(at + AT_PERMISSIONS);
	blob->connection_id = sdpu_get_u32(at + AT_ID);
	memcpy(blob->cookie, at + AT_COOKIE, RDMA_COOKIE_SIZE);
	memcpy(blob->boot_id, at + AT_BOOT_ID, SDPU_BOOT_ID_SIZE);
	memcpy(blob->endpoint, at + AT_ENDPOINT, SDPU_ENDPOINT_MAX);
	return DOCA_SUCCESS;
}
