/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomics on a window: what both sides have in common. No state.
 *
 * All on one window are done by one method, which its owner chooses when it makes the window. Where
 * others can map the range for writing: the processor's instruction, on whatever mapping of the
 * file one has. Else: read, modify and write by the owner, in its agent's thread or the caller's,
 * under one lock.
 */
#ifndef SDPU_BUS_ATOMIC_OP_H
#define SDPU_BUS_ATOMIC_OP_H

#include "base/atomic.h"
#include "bus/window.h"
#include "bus/window_check.h"

#define ATOMIC_SIZE 8

/* kinds: mask of what is permitted. */
static inline doca_error_t sdpu_atomic_check(const struct sdpu_atomic *atomic, uint32_t kinds,
					     uint64_t addr, uint64_t len)
{
	if (sdpu_unlikely((kinds & (1u << atomic->kind)) == 0 ||
			  !sdpu_range_covers(addr, len, atomic->addr, ATOMIC_SIZE)))
		return DOCA_ERROR_NOT_PERMITTED;
	if (sdpu_unlikely(atomic->addr % ATOMIC_SIZE != 0))
		return DOCA_ERROR_INVALID_VALUE;
	return DOCA_SUCCESS;
}

/* The instruction. `at` is aligned, and mapped as long as this runs: the caller's care. */
static inline void sdpu_atomic_op(uint64_t *at, struct sdpu_atomic *atomic)
{
	uint64_t found = atomic->compare;

	switch (atomic->kind) {
	case SDPU_ATOMIC_LOAD:
		atomic->result = sdpu_load_acquire(at);
		break;
	case SDPU_ATOMIC_STORE:
		sdpu_store_release(at, atomic->operand);
		break;
	case SDPU_ATOMIC_FETCH_ADD:
		atomic->result = sdpu_fetch_add(at, atomic->operand);
		break;
	case SDPU_ATOMIC_CMP_SWP:
		(void)sdpu_cas(at, &found, atomic->operand);
		atomic->result = found;
		break;
	}
}

#endif
