/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Encoding and validation of export blobs; see blob.h. decode() reads nothing before find_fault()
 * has passed it.
 */
#include "bus/blob.h"

#include <ctype.h>
#include <string.h>

#include <doca_types.h>
#include <doca_version.h>

#include "base/bytes.h"
#include "base/log.h"
#include "bus/blob_wire.h"

#define KNOWN_PERMS ((uint32_t)(DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING << 1) - 1)

/* FNV-1a: a single changed byte always changes it. It protects against damage, not against intent;
 * the key does.
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
	memcpy(out + BLOB_AT_MACHINE_ID, blob->machine_id, SDPU_MACHINE_ID_SIZE);
	put_endpoint(out + BLOB_AT_OWNER, blob->owner);
	put_endpoint(out + BLOB_AT_REEXPORTER, blob->reexporter);
	sdpu_put_u32(out + BLOB_AT_SUM, sdpu_blob_sum(out, BLOB_LEN));
	*len = BLOB_LEN;
}

bool sdpu_blob_refuse_version(const char *call, const char *what, const uint8_t *bytes, size_t len,
			      uint32_t magic, uint16_t version)
{
	uint32_t blob_len;

	if (len < BLOB_HEAD_LEN || sdpu_get_u32(bytes + BLOB_AT_MAGIC) != magic ||
	    sdpu_get_u16(bytes + BLOB_AT_VERSION) == version)
		return false;
	blob_len = sdpu_get_u32(bytes + BLOB_AT_LEN);
	if (blob_len < BLOB_HEAD_LEN || blob_len > len ||
	    sdpu_get_u32(bytes + BLOB_AT_SUM) != sdpu_blob_sum(bytes, blob_len))
		return false;
	sdpu_log_err("%s: %s of version %u, we read version %u (build %s); "
		     "needed: one build of softdpu on both sides",
		     call, what, sdpu_get_u16(bytes + BLOB_AT_VERSION), version, DOCA_VER_STRING);
	return true;
}

const char *sdpu_blob_head_fault(const uint8_t *bytes, size_t len, uint32_t magic, uint16_t version,
				 uint32_t blob_len)
{
	if (len < blob_len)
		return "too short";
	if (sdpu_get_u32(bytes + BLOB_AT_MAGIC) != magic)
		return "not one of softdpu's";
	if (sdpu_get_u16(bytes + BLOB_AT_VERSION) != version)
		return "a wrong version inside";
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
	if (kind < SDPU_BLOB_PCI || kind > SDPU_BLOB_EVENT_NET)
		return "of an unknown kind";
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

static const char *const made_by[] = {
	[SDPU_BLOB_PCI] = "doca_mmap_export_pci",
	[SDPU_BLOB_RDMA] = "doca_mmap_export_rdma",
	[SDPU_BLOB_EVENT_PCI] = "doca_sync_event_export_to_remote_pci",
	[SDPU_BLOB_EVENT_NET] = "doca_sync_event_export_to_remote_net",
};

static void refuse_kind(const char *call, uint16_t kind, uint32_t kinds)
{
	/* the first acceptable one, and the next if there are two */
	const char *first = made_by[__builtin_ctz(kinds)];
	uint32_t rest = kinds & (kinds - 1);

	sdpu_log_err("%s: the export descriptor is of %s(); needed: one of %s()%s%s%s", call,
		     made_by[kind], first, rest != 0 ? " or " : "",
		     rest != 0 ? made_by[__builtin_ctz(rest)] : "", rest != 0 ? "()" : "");
}

/* INVALID_VALUE, logged. */
static doca_error_t validate(const char *call, const uint8_t *bytes, size_t len, uint32_t kinds)
{
	const char *fault;
	uint16_t kind;

	if (sdpu_blob_refuse_version(call, "the export descriptor is", bytes, len, BLOB_MAGIC,
				     BLOB_VERSION))
		return DOCA_ERROR_INVALID_VALUE;
	fault = find_fault(bytes, len);
	if (fault != NULL) {
		sdpu_log_err(
			"%s: the export descriptor of %zu bytes is none: %s; needed: all bytes "
			"that the export gave, unchanged",
			call, len, fault);
		return DOCA_ERROR_INVALID_VALUE;
	}
	kind = sdpu_get_u16(bytes + BLOB_AT_KIND);
	if ((SDPU_BLOB_IS(kind) & kinds) != 0)
		return DOCA_SUCCESS;
	refuse_kind(call, kind, kinds);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t sdpu_blob_decode(const char *call, const void *bytes, size_t len, uint32_t kinds,
			      struct sdpu_blob *blob)
{
	const uint8_t *at = bytes;
	doca_error_t result = validate(call, at, len, kinds);

	if (result != DOCA_SUCCESS)
		return result;
	blob->kind = (enum sdpu_blob_kind)sdpu_get_u16(at + BLOB_AT_KIND);
	blob->perms = sdpu_get_u32(at + BLOB_AT_PERMS);
	blob->addr = sdpu_get_u64(at + BLOB_AT_ADDR);
	blob->len = sdpu_get_u64(at + BLOB_AT_SIZE);
	memcpy(blob->key, at + BLOB_AT_KEY, SDPU_KEY_SIZE);
	memcpy(blob->machine_id, at + BLOB_AT_MACHINE_ID, SDPU_MACHINE_ID_SIZE);
	memcpy(blob->owner, at + BLOB_AT_OWNER, SDPU_ENDPOINT_MAX);
	memcpy(blob->reexporter, at + BLOB_AT_REEXPORTER, SDPU_ENDPOINT_MAX);
	return DOCA_SUCCESS;
}
