/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Encoding and judging of export blobs; see blob.h. decode() reads nothing before find_fault() has
 * passed it.
 */
#include "bus/blob.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <doca_types.h>

#include "base/bytes.h"
#include "base/log.h"
#include "bus/blob_wire.h"

#define KNOWN_PERMS ((uint32_t)(DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING << 1) - 1)

/* FNV-1a: a single changed byte always changes it. It is no protection against intent; the key is.
 */
uint32_t sdpu_blob_sum(const uint8_t *bytes, size_t len)
{
	uint32_t sum = 2166136261u;

	for (size_t i = 0; i < len; i++) {
		bool in_sum = i >= BLOB_AT_SUM && i < BLOB_AT_SUM + sizeof(uint32_t);

		sum = (sum ^ (in_sum ? 0 : bytes[i])) * 16777619u;
	}
	return sum;
}

static void put_endpoint(uint8_t *at, const char *endpoint)
{
	memcpy(at, endpoint, strnlen(endpoint, SDPU_ENDPOINT_MAX - 1));
}

void sdpu_blob_encode(const struct sdpu_blob *blob, uint8_t out[SDPU_BLOB_MAX], size_t *len)
{
	memset(out, 0, BLOB_LEN);
	sdpu_put_u32(out + BLOB_AT_MAGIC, BLOB_MAGIC);
	sdpu_put_u16(out + BLOB_AT_VERSION, BLOB_VERSION);
	sdpu_put_u16(out + BLOB_AT_KIND, (uint16_t)blob->kind);
	sdpu_put_u32(out + BLOB_AT_LEN, BLOB_LEN);
	sdpu_put_u64(out + BLOB_AT_ADDR, blob->addr);
	sdpu_put_u64(out + BLOB_AT_SIZE, blob->len);
	sdpu_put_u32(out + BLOB_AT_PERMS, blob->perms);
	memcpy(out + BLOB_AT_KEY, blob->key, SDPU_KEY_SIZE);
	memcpy(out + BLOB_AT_BOOT_ID, blob->boot_id, SDPU_BOOT_ID_SIZE);
	put_endpoint(out + BLOB_AT_OWNER, blob->owner);
	put_endpoint(out + BLOB_AT_REEXPORTER, blob->reexporter);
	sdpu_put_u32(out + BLOB_AT_SUM, sdpu_blob_sum(out, BLOB_LEN));
	*len = BLOB_LEN;
}

const char *sdpu_blob_head_fault(const uint8_t *bytes, size_t len, uint32_t magic, uint16_t version,
				 uint32_t blob_len)
{
	if (len < blob_len)
		return "too short";
	if (sdpu_get_u32(bytes + BLOB_AT_MAGIC) != magic)
		return "not one of softdpu's";
	if (sdpu_get_u16(bytes + BLOB_AT_VERSION) != version)
		return "of another version of softdpu";
	if (sdpu_get_u32(bytes + BLOB_AT_LEN) != blob_len)
		return "a wrong length inside";
	if (sdpu_get_u32(bytes + BLOB_AT_SUM) != sdpu_blob_sum(bytes, blob_len))
		return "a wrong checksum";
	return NULL;
}

bool sdpu_blob_is_endpoint(const uint8_t *at)
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
	const char *fault = sdpu_blob_head_fault(bytes, len, BLOB_MAGIC, BLOB_VERSION, BLOB_LEN);
	uint64_t addr, size, end;
	uint16_t kind;

	if (fault != NULL)
		return fault;
	kind = sdpu_get_u16(bytes + BLOB_AT_KIND);
	if (kind != SDPU_BLOB_PCI && kind != SDPU_BLOB_RDMA)
		return "neither a PCI nor an RDMA export";
	if ((sdpu_get_u32(bytes + BLOB_AT_PERMS) & ~KNOWN_PERMS) != 0)
		return "unknown permissions";
	addr = sdpu_get_u64(bytes + BLOB_AT_ADDR);
	size = sdpu_get_u64(bytes + BLOB_AT_SIZE);
	if (size == 0 || __builtin_add_overflow(addr, size, &end))
		return "a range that is empty or wraps";
	if (!sdpu_blob_is_endpoint(bytes + BLOB_AT_OWNER) ||
	    (bytes[BLOB_AT_REEXPORTER] != '\0' &&
	     !sdpu_blob_is_endpoint(bytes + BLOB_AT_REEXPORTER)))
		return "no process named";
	return NULL;
}

doca_error_t sdpu_blob_decode(const void *bytes, size_t len, struct sdpu_blob *blob)
{
	const uint8_t *at = bytes;
	const char *fault = find_fault(at, len);

	if (fault != NULL) {
		sdpu_log_err("export descriptor of %zu bytes refused: %s; pass on all bytes that "
			     "doca_mmap_export_pci/rdma gave, unchanged",
			     len, fault);
		return DOCA_ERROR_INVALID_VALUE;
	}
	blob->kind = (enum sdpu_blob_kind)sdpu_get_u16(at + BLOB_AT_KIND);
	blob->perms = sdpu_get_u32(at + BLOB_AT_PERMS);
	blob->addr = sdpu_get_u64(at + BLOB_AT_ADDR);
	blob->len = sdpu_get_u64(at + BLOB_AT_SIZE);
	memcpy(blob->key, at + BLOB_AT_KEY, SDPU_KEY_SIZE);
	memcpy(blob->boot_id, at + BLOB_AT_BOOT_ID, SDPU_BOOT_ID_SIZE);
	memcpy(blob->owner, at + BLOB_AT_OWNER, SDPU_ENDPOINT_MAX);
	memcpy(blob->reexporter, at + BLOB_AT_REEXPORTER, SDPU_ENDPOINT_MAX);
	return DOCA_SUCCESS;
}

static int hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c == '\0' ? NULL : strchr(digits, tolower((unsigned char)c));

	return at == NULL ? -1 : (int)(at - digits);
}

/* 32 hex digits, with dashes anywhere between. */
static bool parse_uuid(const char *text, uint8_t id[SDPU_BOOT_ID_SIZE])
{
	size_t n = 0;

	for (; *text != '\0' && n < 2 * SDPU_BOOT_ID_SIZE; text++) {
		int digit = hex_digit(*text);

		if (*text == '-')
			continue;
		if (digit < 0)
			return false;
		id[n / 2] = (uint8_t)(n % 2 == 0 ? digit << 4 : id[n / 2] | digit);
		n++;
	}
	return n == 2 * SDPU_BOOT_ID_SIZE;
}

doca_error_t sdpu_boot_id(uint8_t id[SDPU_BOOT_ID_SIZE])
{
	uint8_t parsed[SDPU_BOOT_ID_SIZE];
	char text[64] = "";
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	if (got <= 0 || !parse_uuid(text, parsed)) {
		sdpu_log_err("no boot id: cannot read /proc/sys/kernel/random/boot_id (%s); /proc "
			     "must be mounted",
			     got < 0 ? strerror(errno) : "not a UUID");
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	memcpy(id, parsed, sizeof(parsed));
	return DOCA_SUCCESS;
}
