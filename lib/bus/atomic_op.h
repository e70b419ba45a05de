/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The processor's instruction behind an atomic on a window, for everybody who has the window's file
 * mapped: importers, and the owner beside its user's own mapping. `at` is aligned and stays mapped
 * while this runs; whoever calls has seen to both. No state.
 */
#ifndef SDPU_BUS_ATOMIC_OP_H
#define SDPU_BUS_ATOMIC_OP_H

#include "base/atomic.h"
#include "bus/window.h"

#define SDPU_ATOMIC_SIZE 8

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
