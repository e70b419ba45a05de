/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where things stand in an export blob, and what it has in common with other blobs (connection
 * details of lib/rdma): the head, and endpoints. Integers are little-endian, texts end in a zero
 * byte and are padded with zeros. A new meaning of any byte is a new version.
 */
#ifndef SDPU_BUS_BLOB_WIRE_H
#define SDPU_BUS_BLOB_WIRE_H

#include <stdbool.h>

#include "bus/blob.h"

#define BLOB_MAGIC 0x4d504453u /* "SDPM" */
#define BLOB_VERSION 2

enum blob_offset {
	BLOB_AT_MAGIC = 0,   /* u32 */
	BLOB_AT_VERSION = 4, /* u16 */
	BLOB_AT_KIND = 6,    /* u16 */
	BLOB_AT_LEN = 8,     /* u32, of the whole blob */
	BLOB_AT_SUM = 12,    /* u32, of the whole blob with zeros here */
	BLOB_HEAD_LEN = 16,  /* the same in all versions */
	BLOB_AT_ADDR = 16,   /* u64 */
	BLOB_AT_SIZE = 24,   /* u64, of the range */
	BLOB_AT_PERMS = 32,  /* u32 */
	BLOB_AT_KEY = 36,
	BLOB_AT_MACHINE_ID = BLOB_AT_KEY + SDPU_KEY_SIZE,
	BLOB_AT_OWNER = BLOB_AT_MACHINE_ID + SDPU_MACHINE_ID_SIZE,
	BLOB_AT_REEXPORTER = BLOB_AT_OWNER + SDPU_ENDPOINT_MAX,
	BLOB_LEN = BLOB_AT_REEXPORTER + SDPU_ENDPOINT_MAX,
};

_Static_assert(BLOB_LEN <= SDPU_BLOB_MAX, "programs keep 1024 bytes for a blob");

/* True, and logged: a whole, undamaged blob of this kind, but of another version. `what`: its name
 * for the user, and "is" or "are". */
SDPU_SHARED bool sdpu_blob_refuse_version(const char *call, const char *what, const uint8_t *bytes,
					  size_t len, uint32_t magic, uint16_t version);
/* NULL, or what is wrong in words: anything but a whole, undamaged blob of this kind. */
SDPU_SHARED const char *sdpu_blob_head_fault(const uint8_t *bytes, size_t len, uint32_t magic,
					     uint16_t version, uint32_t blob_len);
/* Does the name end inside its field, and is it printable? */
SDPU_SHARED bool sdpu_blob_is_endpoint(const uint8_t *at);

#endif
