/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One atomic on a window, importer's side. An atomic belongs to one thread at a time, its reach may
 * be shared. When the owner dies or revokes, it fails; whether it was done before is not known.
 *
 * An importer that has not mapped the window for writing asks the owner's agent. Its staging is
 * opened by the first atomic, as most windows never see one; that makes system calls, and does not
 * wait.
 */
#include "bus/atomic_op.h"
#include "bus/process.h"
#include "bus/reach_parts.h"

struct sdpu_atomic_found sdpu_atomic_now(struct sdpu_reach *reach, enum sdpu_atomic_kind kind,
					 uint32_t need, uint64_t addr, uint64_t operand,
					 uint64_t compare)
{
	const struct sdpu_atomic_found nothing = {.done = false};
	struct grant_page *page = reach->page;
	uint64_t offset = addr - reach->addr;
	uint64_t value;

	/* An address before the range wraps to an offset beyond it. */
	if (sdpu_unlikely((reach->instant & 1u << kind) == 0 || offset > reach->len - ATOMIC_SIZE ||
			  addr % ATOMIC_SIZE != 0 || (need != 0 && (need & reach->perms) == 0)))
		return nothing;
	if (sdpu_unlikely(!reach_begin_first(reach)))
		return nothing;
	value = sdpu_atomic_do((uint64_t *)(void *)(reach->map.bytes + offset), kind, operand,
			       compare);
	reach_end_first(page);
	return (struct sdpu_atomic_found){true, value};
}

static doca_error_t run_instant(struct sdpu_atomic *atomic)
{
	struct sdpu_reach *reach = atomic->reach;
	enum sdpu_access access = reach_begin(reach);

	if (sdpu_unlikely(access == SDPU_ACCESS_REFUSED))
		return sdpu_reach_fault(reach);
	sdpu_atomic_op((uint64_t *)(void *)(reach->map.bytes + (atomic->addr - reach->addr)),
		       atomic);
	reach_end(reach, access);
	return DOCA_SUCCESS;
}

static doca_error_t ask(struct sdpu_atomic *atomic)
{
	struct stage_ask asked = {
		.op = STAGE_ATOMIC + (uint32_t)atomic->kind,
		.addr = atomic->addr,
		.operand = atomic->operand,
		.compare = atomic->compare,
	};
	doca_error_t result = sdpu_staging_open(atomic->reach, false);

	if (result == DOCA_SUCCESS && sdpu_staging_take(atomic->reach, &atomic->served_seq))
		sdpu_staging_ask(atomic->reach, atomic->served_seq, &asked);
	return result == DOCA_SUCCESS ? DOCA_ERROR_IN_PROGRESS : result;
}

static doca_error_t collect(struct sdpu_atomic *atomic)
{
	struct reach_staging *staging = &atomic->reach->staging;
	doca_error_t result;

	if (!sdpu_staging_answered(atomic->reach, atomic->served_seq))
		return DOCA_ERROR_IN_PROGRESS;
	result = sdpu_staging_status(staging, atomic->served_seq);
	if (result == DOCA_SUCCESS && atomic->kind != SDPU_ATOMIC_STORE)
		atomic->result = sdpu_load(&staging->stage->slot[atomic->served_seq - 1].result);
	return result;
}

static doca_error_t run_served(struct sdpu_atomic *atomic)
{
	doca_error_t result = sdpu_reach_fault(atomic->reach);

	if (result == DOCA_SUCCESS)
		result = atomic->served_seq == 0 ? ask(atomic) : collect(atomic);
	if (result != DOCA_ERROR_IN_PROGRESS)
		sdpu_atomic_cancel(atomic);
	return result;
}

doca_error_t sdpu_atomic_run(struct sdpu_atomic *atomic)
{
	const struct sdpu_reach *reach = atomic->reach;
	doca_error_t result;

	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	result = sdpu_atomic_check(atomic, reach->atomics, reach->addr, reach->len);
	if (sdpu_unlikely(result != DOCA_SUCCESS))
		return result;
	if (sdpu_unlikely(atomic->need != 0 && (atomic->need & reach->perms) == 0))
		return DOCA_ERROR_NOT_PERMITTED;
	return reach->instant != 0 ? run_instant(atomic) : run_served(atomic);
}

void sdpu_atomic_cancel(struct sdpu_atomic *atomic)
{
	if (atomic->served_seq != 0 && !sdpu_process_inert())
		sdpu_staging_leave(&atomic->reach->staging, &atomic->served_seq);
}
