/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sync events for DPA code: locations, handles, and which devices can. The DPA runs in this process
 * and operates on the counter as the program does (sync_event_direct.c); nothing of it is kept.
 */
#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "core/dpa_base.h"
#include "core/sync_event_object.h"

static doca_error_t add(struct doca_sync_event *event, enum sdpu_event_role role,
			const struct doca_dpa *dpa, const char *call)
{
	if (sdpu_any_null(call, dpa))
		return DOCA_ERROR_INVALID_VALUE;
	return sdpu_event_add_location(event, role, SDPU_EVENT_AT_DPA, call);
}

doca_error_t doca_sync_event_add_publisher_location_dpa(struct doca_sync_event *event,
							struct doca_dpa *dpa)
{
	return add(event, SDPU_EVENT_PUBLISHER, dpa, __func__);
}

doca_error_t doca_sync_event_add_subscriber_location_dpa(struct doca_sync_event *event,
							 struct doca_dpa *dpa)
{
	return add(event, SDPU_EVENT_SUBSCRIBER, dpa, __func__);
}

static doca_error_t handle_check(const struct doca_sync_event *event, const struct doca_dpa *dpa)
{
	if (!sdpu_event_is_open(event) || !sdpu_dpa_running(dpa)) {
		sdpu_log_err("doca_sync_event_get_dpa_handle: the %s is not started; start both "
			     "first",
			     sdpu_event_is_open(event) ? "DPA context" : "event");
		return DOCA_ERROR_BAD_STATE;
	}
	if ((sdpu_event_locations(event) & SDPU_EVENT_AT_DPA) != 0 || sdpu_event_is_imported(event))
		return DOCA_SUCCESS;
	sdpu_log_err("doca_sync_event_get_dpa_handle: the event is for no DPA; call "
		     "doca_sync_event_add_publisher_location_dpa() or _subscriber_location_dpa() "
		     "before start");
	return DOCA_ERROR_NOT_PERMITTED;
}

doca_error_t doca_sync_event_get_dpa_handle(struct doca_sync_event *event, struct doca_dpa *dpa,
					    doca_dpa_dev_sync_event_t *handle)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, event, dpa, handle))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	result = handle_check(event, dpa);
	if (result != DOCA_SUCCESS)
		return result;
	event->is_on_dpa = true;
	*handle = sdpu_dpa_handle_give(&event->dpa_head, SDPU_DPA_KIND_SYNC_EVENT);
	return DOCA_SUCCESS;
}

struct doca_sync_event *sdpu_event_of_head(struct sdpu_dpa_head *head)
{
	return sdpu_container_of(head, struct doca_sync_event, dpa_head);
}

doca_error_t doca_sync_event_cap_is_export_to_dpa_supported(const struct doca_devinfo *devinfo)
{
	if (sdpu_any_null(__func__, devinfo))
		return DOCA_ERROR_INVALID_VALUE;
	return sdpu_devinfo_function(devinfo)->limits->dpa_cores > 0 ? DOCA_SUCCESS
								     : DOCA_ERROR_NOT_SUPPORTED;
}
