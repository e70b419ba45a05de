/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the operations of a run are laid over threads and buffers. Thread t owns the buffers from
 * t x buffer_count on; transaction i of a thread always works on the i-th of them. Numbers only,
 * checked before by initiator_options_check().
 */
#ifndef STORAGE_PLAN_H
#define STORAGE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct plan {
	uint32_t threads;
	uint32_t buffer_count; /* per thread */
	uint32_t buffer_size;
	uint32_t run_limit; /* operations of all threads */
};

/* Operations of one thread: an equal share, the first threads take the remainder. */
uint32_t plan_share(const struct plan *plan, uint32_t thread);

/* Transactions that each thread has. */
uint32_t plan_transactions(const struct plan *plan);

/* Bytes of all buffers of all threads. */
size_t plan_region_size(const struct plan *plan);

/* Where buffer index of a thread starts in the region. */
size_t plan_offset(const struct plan *plan, uint32_t thread, uint32_t index);

/*
 * Whether a file of length bytes, laid over the buffers from the first one on, fits into them and
 * has each of its blocks moved by at least one operation. If not, text says which counts would do.
 */
bool plan_fits(const struct plan *plan, uint64_t length, char *text, size_t size);

#endif
