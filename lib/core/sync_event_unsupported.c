/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sync events: objects, direct operations, exports, capabilities.
 */
#include <doca_sync_event.h>

#include "base/unsupported.h"

/* clang-format off */
SDPU_UNSUPPORTED(doca_sync_event_create, (struct doca_sync_event **event), event)
SDPU_UNSUPPORTED(doca_sync_event_create_from_export,
	(struct doca_dev *dev, const uint8_t *data, size_t sz, struct doca_sync_event **event),
	dev && data && event)
SDPU_UNSUPPORTED(doca_sync_event_destroy, (struct doca_sync_event *event), event)
SDPU_UNSUPPORTED(doca_sync_event_add_publisher_location_cpu,
	(struct doca_sync_event *event, struct doca_dev *dev), event && dev)
SDPU_UNSUPPORTED(doca_sync_event_add_publisher_location_dpa,
	(struct doca_sync_event *event, struct doca_dpa *dpa), event && dpa)
SDPU_UNSUPPORTED(doca_sync_event_add_publisher_location_gpu,
	(struct doca_sync_event *event, struct doca_gpu *gpu), event && gpu)
SDPU_UNSUPPORTED(doca_sync_event_add_publisher_location_remote_pci,
	(struct doca_sync_event *event), event)
SDPU_UNSUPPORTED(doca_sync_event_add_publisher_location_remote_net,
	(struct doca_sync_event *event), event)
SDPU_UNSUPPORTED(doca_sync_event_add_subscriber_location_cpu,
	(struct doca_sync_event *event, struct doca_dev *dev), event && dev)
SDPU_UNSUPPORTED(doca_sync_event_add_subscriber_location_dpa,
	(struct doca_sync_event *event, struct doca_dpa *dpa), event && dpa)
SDPU_UNSUPPORTED(doca_sync_event_add_subscriber_location_gpu,
	(struct doca_sync_event *event, struct doca_gpu *gpu), event && gpu)
SDPU_UNSUPPORTED(doca_sync_event_add_subscriber_location_remote_pci,
	(struct doca_sync_event *event), event)
SDPU_UNSUPPORTED(doca_sync_event_set_addr,
	(struct doca_sync_event *event, uint64_t *addr), event && addr)
SDPU_UNSUPPORTED(doca_sync_event_set_doca_buf,
	(struct doca_sync_event *event, struct doca_buf *buf), event && buf)
SDPU_UNSUPPORTED(doca_sync_event_start, (struct doca_sync_event *event), event)
SDPU_UNSUPPORTED(doca_sync_event_stop, (struct doca_sync_event *event), event)
SDPU_UNSUPPORTED_VALUE(struct doca_ctx *, doca_sync_event_as_ctx,
	(struct doca_sync_event *event), NULL)
SDPU_UNSUPPORTED(doca_sync_event_get,
	(struct doca_sync_event *event, uint64_t *value), event && value)
SDPU_UNSUPPORTED(doca_sync_event_update_add,
	(struct doca_sync_event *event, uint64_t value, uint64_t *fetched), event && fetched)
SDPU_UNSUPPORTED(doca_sync_event_update_set, (struct doca_sync_event *event, uint64_t value), event)
SDPU_UNSUPPORTED(doca_sync_event_wait_gt,
	(struct doca_sync_event *event, uint64_t value, uint64_t mask), event)
SDPU_UNSUPPORTED(doca_sync_event_wait_gt_yield,
	(struct doca_sync_event *event, uint64_t value, uint64_t mask), event)
SDPU_UNSUPPORTED(doca_sync_event_wait_eq,
	(struct doca_sync_event *event, uint64_t value, uint64_t mask), event)
SDPU_UNSUPPORTED(doca_sync_event_wait_eq_yield,
	(struct doca_sync_event *event, uint64_t value, uint64_t mask), event)
SDPU_UNSUPPORTED(doca_sync_event_wait_neq,
	(struct doca_sync_event *event, uint64_t value, uint64_t mask), event)
SDPU_UNSUPPORTED(doca_sync_event_wait_neq_yield,
	(struct doca_sync_event *event, uint64_t value, uint64_t mask), event)
SDPU_UNSUPPORTED(doca_sync_event_export_to_remote_pci,
	(struct doca_sync_event *event, struct doca_dev *dev, const uint8_t **data, size_t *sz),
	event && dev && data && sz)
SDPU_UNSUPPORTED(doca_sync_event_export_to_remote_net,
	(struct doca_sync_event *event, const uint8_t **data, size_t *sz), event && data && sz)
SDPU_UNSUPPORTED(doca_sync_event_remote_net_create_from_export,
	(struct doca_dev *dev, const uint8_t *data, size_t sz,
	 struct doca_sync_event_remote_net **event), dev && data && event)
SDPU_UNSUPPORTED(doca_sync_event_remote_net_destroy,
	(struct doca_sync_event_remote_net *event), event)
SDPU_UNSUPPORTED(doca_sync_event_get_dpa_handle,
	(struct doca_sync_event *event, struct doca_dpa *dpa, doca_dpa_dev_sync_event_t *handle),
	event && dpa && handle)
SDPU_UNSUPPORTED(doca_sync_event_remote_net_get_dpa_handle,
	(struct doca_sync_event_remote_net *event, struct doca_dpa *dpa,
	 doca_dpa_dev_sync_event_remote_net_t *handle), event && dpa && handle)
SDPU_UNSUPPORTED(doca_sync_event_get_gpu_handle,
	(struct doca_sync_event *event, struct doca_gpu *gpu, doca_gpu_dev_sync_event_t **handle),
	event && gpu && handle)
SDPU_UNSUPPORTED(doca_sync_event_remote_net_get_gpu_handle,
	(struct doca_sync_event_remote_net *event, struct doca_gpu *gpu,
	 doca_gpu_dev_sync_event_remote_net_t **handle), event && gpu && handle)
SDPU_UNSUPPORTED_CAP(doca_sync_event_cap_is_create_from_export_supported)
SDPU_UNSUPPORTED_CAP(doca_sync_event_cap_remote_net_is_create_from_export_supported)
SDPU_UNSUPPORTED_CAP(doca_sync_event_cap_is_export_to_remote_pci_supported)
SDPU_UNSUPPORTED_CAP(doca_sync_event_cap_is_export_to_dpa_supported)
SDPU_UNSUPPORTED_CAP(doca_sync_event_cap_is_export_to_gpu_supported)
SDPU_UNSUPPORTED_CAP(doca_sync_event_cap_is_export_to_remote_net_supported)
SDPU_UNSUPPORTED_CAP(doca_sync_event_cap_remote_net_is_export_to_dpa_supported)
SDPU_UNSUPPORTED_CAP(doca_sync_event_cap_remote_net_is_export_to_gpu_supported)
/* clang-format on */
