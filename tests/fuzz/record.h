/* SPDX-License-Identifier: BSD-3-Clause
 *
 * First records of a connection out of the fuzzer's bytes: the first byte says how many descriptors
 * come with them, the others are the record's.
 */
#ifndef TESTS_FUZZ_RECORD_H
#define TESTS_FUZZ_RECORD_H

#include <string.h>

#include "bus/sock.h"

/* A record that has the right length, which random bytes hardly ever have. */
struct fuzz_shape {
	uint32_t len;
	uint32_t num_fds;
};

static inline void fuzz_records(const uint8_t *data, size_t size, const struct fuzz_shape shape[2],
				void (*judge)(const struct sdpu_record *record))
{
	struct sdpu_record record = {.len = 0};

	if (size == 0)
		return;
	record.num_fds = data[0] % (SDPU_RECORD_FDS + 1);
	record.len = (uint32_t)(size - 1 < SDPU_RECORD_MAX ? size - 1 : SDPU_RECORD_MAX);
	memcpy(record.bytes, data + 1, record.len);
	judge(&record);
	record.len = shape[data[0] & 1].len;
	record.num_fds = shape[data[0] & 1].num_fds;
	judge(&record);
}

#endif
