/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Integers in bytes that leave the process through the program's hands (blobs): little-endian, at
 * any address. The caller has checked that the bytes are there.
 */
#ifndef SDPU_BASE_BYTES_H
#define SDPU_BASE_BYTES_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

static inline void sdpu_put_u16(uint8_t *at, uint16_t value)
{
	value = htole16(value);
	memcpy(at, &value, sizeof(value));
}

static inline void sdpu_put_u32(uint8_t *at, uint32_t value)
{
	value = htole32(value);
	memcpy(at, &value, sizeof(value));
}

static inline void sdpu_put_u64(uint8_t *at, uint64_t value)
{
	value = htole64(value);
	memcpy(at, &value, sizeof(value));
}

static inline uint16_t sdpu_get_u16(const uint8_t *at)
{
	uint16_t value;

	memcpy(&value, at, sizeof(value));
	return le16toh(value);
}

static inline uint32_t sdpu_get_u32(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return le32toh(value);
}

static inline uint64_t sdpu_get_u64(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return le64toh(value);
}

#endif
