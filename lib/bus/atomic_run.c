/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One atomic on a window, importer's side. An atomic belongs to one thread at a time, its reach may
 * be shared. When the owner dies or revokes, it fails; whether it was done before is not known.
 */
#include "bus/atomic_op.h"
#include "bus/process.h"
#include "bus/reach_parts.h"
#include "bus/window_check.h"

static doca_error_t check(const struct sdpu_atomic *atomic)
{
	const struct sdpu_reach *reach = atomic->reach;

	if ((atomic->kind != SDPU_ATOMIC_LOAD && !reach->may_write) ||
	    (atomic->need != 0 && (atomic->need & reach->perms) == 0) ||
	    !sdpu_range_covers(reach->addr, reach->len, atomic->addr, SDPU_ATOMIC_SIZE))
		return DOCA_ERROR_NOT_PERMITTED;
	return atomic->addr % SDPU_ATOMIC_SIZE == 0 ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t run_mapped(struct sdpu_atomic *atomic)
{
	struct sdpu_reach *reach = atomic->reach;

	if (!sdpu_reach_begin(reach))
		return sdpu_reach_fault(reach);
	sdpu_atomic_op((uint64_t *)(reach->mapping.bytes + (atomic->addr - reach->addr)), atomic);
	sdpu_reach_end(reach);
	return DOCA_SUCCESS;
}

doca_error_t sdpu_atomic_run(struct sdpu_atomic *atomic)
{
	doca_error_t result;

	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	result = check(atomic);
	if (sdpu_unlikely(result != DOCA_SUCCESS))
		return result;
	if (sdpu_likely(atomic->reach->how == &sdpu_reach_mapped))
		return run_mapped(atomic);
	return DOCA_ERROR_NOT_SUPPORTED;
}

void sdpu_atomic_cancel(struct sdpu_atomic *atomic)
{
}

doca_error_t sdpu_window_atomic(struct sdpu_window *window, struct sdpu_atomic *atomic)
{
	return DOCA_ERROR_NOT_SUPPORTED;
}
