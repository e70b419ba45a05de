/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sync events of other programs as targets of RDMA tasks; contract in sync_event.h.
 */
#include "base/refuse.h"
#include "core/sync_event.h"

#include <stdlib.h>

#include "bus/process.h"
#include "core/dev.h"
#include "core/import.h"
#include "core/sync_event_object.h"

struct doca_sync_event_remote_net {
	struct doca_dev *dev;	  /* held */
	struct sdpu_reach *reach; /* NULL: foreign */
	struct sdpu_blob source;
};

struct sdpu_reach *sdpu_remote_net_reach(const struct doca_sync_event_remote_net *event)
{
	return event->reach;
}

const struct sdpu_blob *sdpu_remote_net_source(const struct doca_sync_event_remote_net *event)
{
	return &event->source;
}

doca_error_t
doca_sync_event_remote_net_create_from_export(struct doca_dev *dev, const uint8_t *data, size_t sz,
					      struct doca_sync_event_remote_net **event)
{
	struct doca_sync_event_remote_net *made;
	struct sdpu_reach *reach;
	struct sdpu_blob blob;
	doca_error_t result;

	if (sdpu_any_null(__func__, dev, data, event))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	result = sdpu_event_import(__func__, data, sz, SDPU_BLOB_EVENT_NET, &blob, &reach);
	if (result != DOCA_SUCCESS)
		return result;
	made = calloc(1, sizeof(*made));
	if (made == NULL) {
		sdpu_reach_close(reach);
		return sdpu_no_memory(__func__);
	}
	sdpu_dev_hold(dev);
	made->dev = dev;
	made->reach = reach;
	made->source = blob;
	*event = made;
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_remote_net_destroy(struct doca_sync_event_remote_net *event)
{
	if (sdpu_any_null(__func__, event))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	sdpu_reach_close(event->reach);
	sdpu_dev_release(event->dev);
	free(event);
	return DOCA_SUCCESS;
}
