/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of rings and queues. No state, no dependencies.
 */
#ifndef SDPU_BASE_ROUND_H
#define SDPU_BASE_ROUND_H

#include <stdint.h>

/* The first of least, 2 * least, 4 * least... that is not below number (at most 2^31). */
static inline uint32_t sdpu_round_up(uint32_t number, uint32_t least)
{
	uint32_t rounded = least;

	while (rounded < number)
		rounded *= 2;
	return rounded;
}

#endif
