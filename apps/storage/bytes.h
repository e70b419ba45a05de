/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Big-endian integers in byte arrays. Every integer on every wire of the storage set goes through
 * these, so the code never depends on the alignment or on the byte order of the machine.
 */
#ifndef STORAGE_BYTES_H
#define STORAGE_BYTES_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

static inline void bytes_put16(uint8_t *at, uint16_t value)
{
	value = htobe16(value);
	memcpy(at, &value, sizeof(value));
}

static inline void bytes_put32(uint8_t *at, uint32_t value)
{
	value = htobe32(value);
	memcpy(at, &value, sizeof(value));
}

static inline void bytes_put64(uint8_t *at, uint64_t value)
{
	value = htobe64(value);
	memcpy(at, &value, sizeof(value));
}

static inline uint16_t bytes_get16(const uint8_t *at)
{
	uint16_t value;

	memcpy(&value, at, sizeof(value));
	return be16toh(value);
}

static inline uint32_t bytes_get32(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return be32toh(value);
}

static inline uint64_t bytes_get64(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return be64toh(value);
}

#endif
