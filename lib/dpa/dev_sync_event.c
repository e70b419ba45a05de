/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Device functions of sync events. In a kernel, on its strand. A kill waits for the end of an
 * operation, as the event's stop waits for that, too. In a wait it may come between two looks.
 */
#include <doca_dpa_dev_sync_event.h>

#include "core/pe.h"
#include "core/sync_event.h"
#include "dpa/dpa.h"
#include "dpa/handle.h"
#include "dpa/strand.h"

static uint64_t operate(const char *call, doca_dpa_dev_sync_event_t handle,
			enum sdpu_atomic_kind kind, uint64_t operand)
{
	struct sdpu_dpa_strand *strand = sdpu_dpa_strand_enter(call);
	struct doca_sync_event *event =
		sdpu_event_of_head(sdpu_dpa_handle_open(call, handle, SDPU_DPA_KIND_SYNC_EVENT));
	uint64_t before = 0;
	doca_error_t result;

	sdpu_dpa_guard_enter(strand);
	result = sdpu_event_operate(event, kind, operand, &before);
	sdpu_dpa_guard_leave(strand);
	if (sdpu_unlikely(result != DOCA_SUCCESS))
		sdpu_dpa_fatal("%s: %s", call, sdpu_event_fault(result));
	return before;
}

void doca_dpa_dev_sync_event_get(doca_dpa_dev_sync_event_t dpa_dev_se_handle, uint64_t *value)
{
	*value = operate(__func__, dpa_dev_se_handle, SDPU_ATOMIC_LOAD, 0);
}

void doca_dpa_dev_sync_event_update_add(doca_dpa_dev_sync_event_t dpa_dev_se_handle, uint64_t value)
{
	(void)operate(__func__, dpa_dev_se_handle, SDPU_ATOMIC_FETCH_ADD, value);
}

void doca_dpa_dev_sync_event_update_set(doca_dpa_dev_sync_event_t dpa_dev_se_handle, uint64_t value)
{
	(void)operate(__func__, dpa_dev_se_handle, SDPU_ATOMIC_STORE, value);
}

void doca_dpa_dev_sync_event_wait_gt(doca_dpa_dev_sync_event_t dpa_dev_se_handle, uint64_t value,
				     uint64_t mask)
{
	while ((operate(__func__, dpa_dev_se_handle, SDPU_ATOMIC_LOAD, 0) & mask) <= value)
		sdpu_spin_idle();
	sdpu_spin_worked();
}
