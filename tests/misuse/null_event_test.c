/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls without the pointers that they need, and calls that are not part of this release.
 */
#include <doca_sync_event.h>
#include <doca_sync_event_task.h>

#include "misuse/misuse.h"

static const union doca_data none;

MISUSE_CASE(sync_event_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_sync_event_create(NULL), "event is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_create_from_export(NULL, NULL, 1, NULL),
	       "dev and data and event are NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_destroy(NULL), "event is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_add_publisher_location_cpu(NULL, NULL),
	       "dev is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_add_publisher_location_dpa(NULL, NULL),
	       "dpa is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_add_publisher_location_gpu(NULL, NULL),
	       "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_add_publisher_location_remote_pci(NULL),
	       "event is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_add_publisher_location_remote_net(NULL),
	       "event is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_add_subscriber_location_cpu(NULL, NULL),
	       "dev is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_add_subscriber_location_dpa(NULL, NULL),
	       "dpa is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_add_subscriber_location_gpu(NULL, NULL),
	       "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_add_subscriber_location_remote_pci(NULL),
	       "event is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_set_addr(NULL, NULL), "event and addr are NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_set_doca_buf(NULL, NULL), "event and buf are NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_start(NULL), "event is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_stop(NULL), "event is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_get(NULL, NULL), "value is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_update_add(NULL, 1, NULL), "fetched is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_update_set(NULL, 1), "event is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_wait_gt(NULL, 1, 1), "event is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_wait_gt_yield(NULL, 1, 1), "event is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_wait_eq(NULL, 1, 1), "event is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_wait_eq_yield(NULL, 1, 1), "event is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_wait_neq(NULL, 1, 1), "event is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_wait_neq_yield(NULL, 1, 1), "event is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_export_to_remote_pci(NULL, NULL, NULL, NULL),
	       "event and dev and data and sz are NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_export_to_remote_net(NULL, NULL, NULL),
	       "event and data and sz are NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_remote_net_create_from_export(NULL, NULL, 1, NULL),
	       "dev and data and event are NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_remote_net_destroy(NULL), "event is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_get_dpa_handle(NULL, NULL, NULL),
	       "event and dpa and handle are NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_remote_net_get_dpa_handle(NULL, NULL, NULL),
	       "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_get_gpu_handle(NULL, NULL, NULL),
	       "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_remote_net_get_gpu_handle(NULL, NULL, NULL),
	       "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_cap_is_create_from_export_supported(NULL),
	       "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_cap_remote_net_is_create_from_export_supported(NULL),
	       "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_cap_is_export_to_remote_pci_supported(NULL),
	       "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_cap_is_export_to_dpa_supported(NULL),
	       "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_cap_is_export_to_gpu_supported(NULL),
	       "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_cap_is_export_to_remote_net_supported(NULL),
	       "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_cap_remote_net_is_export_to_dpa_supported(NULL),
	       "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_cap_remote_net_is_export_to_gpu_supported(NULL),
	       "devinfo is NULL");
}

/* Whatever is given in the place of an object is not looked at. */
MISUSE_CASE(sync_event_that_is_not_here)
{
	static unsigned char bytes[256];
	void *const object = bytes;

	MISUSE(NOT_SUPPORTED, doca_sync_event_add_publisher_location_gpu(object, object),
	       "not part of this release");
	MISUSE(NOT_SUPPORTED, doca_sync_event_add_subscriber_location_gpu(object, object),
	       "not part of this release");
	MISUSE(NOT_SUPPORTED, doca_sync_event_remote_net_get_dpa_handle(object, object, object),
	       "not part of this release");
	MISUSE(NOT_SUPPORTED, doca_sync_event_get_gpu_handle(object, object, object),
	       "not part of this release");
	MISUSE(NOT_SUPPORTED, doca_sync_event_remote_net_get_gpu_handle(object, object, object),
	       "not part of this release");
	QUIET(NOT_SUPPORTED, doca_sync_event_cap_is_export_to_gpu_supported(object));
	QUIET(NOT_SUPPORTED, doca_sync_event_cap_remote_net_is_export_to_dpa_supported(object));
	QUIET(NOT_SUPPORTED, doca_sync_event_cap_remote_net_is_export_to_gpu_supported(object));
}

MISUSE_CASE(sync_event_task_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_sync_event_cap_task_get_is_supported(NULL), "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_cap_task_notify_set_is_supported(NULL),
	       "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_cap_task_notify_add_is_supported(NULL),
	       "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_cap_task_wait_eq_is_supported(NULL),
	       "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_cap_task_wait_neq_is_supported(NULL),
	       "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_task_get_set_conf(NULL, NULL, NULL, 1),
	       "event is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_task_notify_set_set_conf(NULL, NULL, NULL, 1),
	       "event is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_task_notify_add_set_conf(NULL, NULL, NULL, 1),
	       "event is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_task_wait_eq_set_conf(NULL, NULL, NULL, 1),
	       "event is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_task_wait_neq_set_conf(NULL, NULL, NULL, 1),
	       "event is NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_task_get_alloc_init(NULL, NULL, none, NULL),
	       "event and ret_val_ptr and task are NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_task_notify_set_alloc_init(NULL, 1, none, NULL),
	       "event and task are NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_task_notify_add_alloc_init(NULL, 1, NULL, none, NULL),
	       "event and fetched_val_ptr and task are NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_task_wait_eq_alloc_init(NULL, 1, 1, none, NULL),
	       "event and task are NULL");
	MISUSE(INVALID_VALUE, doca_sync_event_task_wait_neq_alloc_init(NULL, 1, 1, none, NULL),
	       "event and task are NULL");
}
