/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copying out, with ordinary and with streaming stores: all bytes, and none beside them.
 */
#include "base/copy.h"

#include <stdlib.h>
#include <string.h>

#include "t.h"

#define MAX 1000
#define SIDE 100

static void check(size_t whole, size_t len, size_t to, size_t from)
{
	static uint8_t source[SIDE + MAX], target[SIDE + MAX + SIDE];

	for (size_t i = 0; i < sizeof(source); i++)
		source[i] = (uint8_t)(1 + i % 255);
	memset(target, 0, sizeof(target));
	sdpu_copy_out(target + to, source + from, len, whole);
	for (size_t i = 0; i < sizeof(target); i++)
		T_EQ(target[i], i < to || i >= to + len ? 0 : source[from + i - to]);
}

static void check_all(size_t whole)
{
	for (size_t len = 0; len <= MAX; len += len < 200 ? 1 : 37)
		for (size_t to = 0; to < 65; to += 13)
			for (size_t from = 0; from < 17; from += 8)
				check(whole, len, to, from);
}

T_CASE(parts_of_short_copies)
{
	check_all(MAX);
}

T_CASE(parts_of_long_copies)
{
	check_all((size_t)1 << 30);
}
