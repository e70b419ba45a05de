/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What runs on the DPA: a kernel of which each thread fills its own place in device memory, and a
 * function that the host calls to read the whole.
 */
#include <doca_dpa_dev.h>

__dpa_global__ void square_ranks(doca_dpa_dev_uintptr_t squares, uint64_t first)
{
	const unsigned int rank = doca_dpa_dev_thread_rank();
	uint64_t *const place = (uint64_t *)squares + rank;

	*place = (first + rank) * (first + rank);
	DOCA_DPA_DEV_LOG_INFO("Thread %u of %u: %lu\n", rank, doca_dpa_dev_num_threads(),
			      (unsigned long)*place);
}

__dpa_rpc__ uint64_t sum_squares(doca_dpa_dev_uintptr_t squares, uint32_t num_squares)
{
	const uint64_t *const place = (const uint64_t *)squares;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < num_squares; i++)
		sum += place[i];
	return sum;
}
