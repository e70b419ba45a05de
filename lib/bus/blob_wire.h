/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where things stand in an export blob. Integers are little-endian, texts end in a zero byte and
 * are padded with zeros. A new meaning of any byte is a new version.
 */
#ifndef SDPU_BUS_BLOB_WIRE_H
#define SDPU_BUS_BLOB_WIRE_H

#include "bus/blob.h"

#define BLOB_MAGIC 0x4d504453u /* "SDPM" */
#define BLOB_VERSION 1

enum blob_offset {
	BLOB_AT_MAGIC = 0,   /* u32 */
	BLOB_AT_VERSION = 4, /* u16 */
	BLOB_AT_KIND = 6,    /* u16 */
	BLOB_AT_LEN = 8,     /* u32, of the whole blob */
	BLOB_AT_SUM = 12,    /* u32, of the whole blob with zeros here */
	BLOB_AT_ADDR = 16,   /* u64 */
	BLOB_AT_SIZE = 24,   /* u64, of the range */
	BLOB_AT_PERMS = 32,  /* u32 */
	BLOB_AT_KEY = 36,
	BLOB_AT_BOOT_ID = BLOB_AT_KEY + SDPU_KEY_SIZE,
	BLOB_AT_OWNER = BLOB_AT_BOOT_ID + SDPU_BOOT_ID_SIZE,
	BLOB_AT_REEXPORTER = BLOB_AT_OWNER + SDPU_ENDPOINT_MAX,
	BLOB_LEN = BLOB_AT_REEXPORTER + SDPU_ENDPOINT_MAX,
};

_Static_assert(BLOB_LEN <= SDPU_BLOB_MAX, "programs keep 1024 bytes for a blob");

#endif
