/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels with parameters of every kind. What they get shows in what they return. */
#include <stdbool.h>
#include <stdint.h>

#include "arguments.h"

/* Names that the generated code uses, too. */
#define kind 7
#define frame_size(x) (x)
#define u64 uint64_t

/* A function that the host program has as well. */
uint64_t helper(uint64_t value);

uint64_t helper(uint64_t value)
{
	return value + 1;
}

/* A variable that the host program has as well: the RPC below reads what the kernel left. */
uint64_t state;

uint64_t (*no_kernel(void))(uint64_t)
{
	return helper;
}

__dpa_global__ void marked_before(uint64_t value);

__dpa_global__ void set_state(u64 value)
{
	state = helper(value);
}

void marked_before(uint64_t value)
{
	state = value + kind;
}

__dpa_rpc__ uint64_t get_state(void)
{
	return state;
}

__dpa_rpc__ uint64_t add_small(uint8_t a, int8_t b, uint16_t c, int16_t d, bool e, char f)
{
	return (uint64_t)(a + b + c + d + e + f);
}

__dpa_rpc__ uint64_t add_real(float a, __typeof__(1.0) b, float c)
{
	return (uint64_t)(a * 1000 + b * 100 + c * 10);
}

__dpa_rpc__ uint64_t add_structs(point_t a, const struct packed b, struct large c)
{
	return (uint64_t)(a.x + a.y) + b.tag + b.value + c.words[0] + c.words[119];
}

__dpa_rpc__ uint64_t mixed(const uint64_t one, enum colour two,
			   struct packed three __attribute__((__unused__)),
			   const uint32_t four[1 << 1], uint64_t (*five)(uint64_t),
			   register unsigned int six)
{
	return one + two + four[1] + five(1) + six;
}
