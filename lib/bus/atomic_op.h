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

/* Executes the instruction. Returns the previous value (not of STORE). The caller makes sure that
 * `at` is aligned and stays mapped. */
static inline uint64_t sdpu_atomic_do(uint64_t *at, enum sdpu_atomic_kind kind, uint64_t operand,
				      uint64_t compare)
{
	uint64_t found = compare;

	if (sdpu_likely(kind == SDPU_ATOMIC_FETCH_ADD))
		return sdpu_fetch_add(at, operand);
	if (kind == SDPU_ATOMIC_LOAD)
		return sdpu_load_acquire(at);
	if (kind == SDPU_ATOMIC_STORE)
		sdpu_store_release(at, operand);
	else
		(void)sdpu_cas(at, &found, operand);
	return found;
}

static inline void sdpu_atomic_op(uint64_t *at, struct sdpu_atomic *atomic)
{
	uint64_t found = sdpu_atomic_do(at, atomic->kind, atomic->operand, atomic->compare);

	if (atomic->kind != SDPU_ATOMIC_STORE)
		atomic->result = found;
}

#endif
