/* SPDX-License-Identifier: BSD-3-Clause */
/* A small program for the DPA, as somebody would begin with one. */
#include <doca_dpa_dev.h>

struct place {
	uint64_t base;
	uint32_t step;
};

static uint64_t value_of(struct place place, unsigned int rank)
{
	return place.base + (uint64_t)place.step * rank;
}

__dpa_global__ void fill(doca_dpa_dev_uintptr_t values, struct place place)
{
	const unsigned int rank = doca_dpa_dev_thread_rank();

	((uint64_t *)values)[rank] = value_of(place, rank);
}

__dpa_global__ void fault(doca_dpa_dev_uintptr_t values)
{
	*(volatile uint64_t *)values = 1;
}

__dpa_rpc__ uint64_t half(double number)
{
	return (uint64_t)(number / 2);
}
