/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Configuration of a sync event: locations, and where the counter lies. The user's, one thread at a
 * time, while the event is idle. Locations say who will come; nobody is turned away for doing what
 * the other side was declared for, as published programs do that.
 */
#include "base/log.h"
#include "base/refuse.h"
#include "core/buf.h"
#include "core/mmap.h"
#include "core/sync_event_object.h"

static doca_error_t configurable(const struct doca_sync_event *event, const char *call)
{
	if (sdpu_event_is_imported(event)) {
		sdpu_log_err("%s: the event is imported; needed: one of this process; let its "
			     "exporter configure it",
			     call);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	if (sdpu_event_is_started(event)) {
		sdpu_log_err(
			"%s: the event is started; needed: one that is not; configure it before "
			"its start, or stop it first",
			call);
		return DOCA_ERROR_BAD_STATE;
	}
	return DOCA_SUCCESS;
}

doca_error_t sdpu_event_add_location(struct doca_sync_event *event, enum sdpu_event_role role,
				     enum sdpu_event_location location, const char *call)
{
	doca_error_t result =
		sdpu_any_null(call, event) ? DOCA_ERROR_INVALID_VALUE : configurable(event, call);

	if (result == DOCA_SUCCESS)
		event->sides[role].locations |= location;
	return result;
}

/* Holds dev in the place of one that was added before. */
static doca_error_t add_cpu(struct doca_sync_event *event, enum sdpu_event_role role,
			    struct doca_dev *dev, const char *call)
{
	doca_error_t result =
		sdpu_any_null(call, dev)
			? DOCA_ERROR_INVALID_VALUE
			: sdpu_event_add_location(event, role, SDPU_EVENT_AT_CPU, call);
	struct sdpu_event_side *side;

	if (result != DOCA_SUCCESS)
		return result;
	side = &event->sides[role];
	sdpu_dev_hold(dev);
	if (side->dev != NULL)
		sdpu_dev_release(side->dev);
	side->dev = dev;
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_add_publisher_location_cpu(struct doca_sync_event *event,
							struct doca_dev *dev)
{
	return add_cpu(event, SDPU_EVENT_PUBLISHER, dev, __func__);
}

doca_error_t doca_sync_event_add_publisher_location_remote_pci(struct doca_sync_event *event)
{
	return sdpu_event_add_location(event, SDPU_EVENT_PUBLISHER, SDPU_EVENT_AT_PCI, __func__);
}

doca_error_t doca_sync_event_add_publisher_location_remote_net(struct doca_sync_event *event)
{
	return sdpu_event_add_location(event, SDPU_EVENT_PUBLISHER, SDPU_EVENT_AT_NET, __func__);
}

doca_error_t doca_sync_event_add_subscriber_location_cpu(struct doca_sync_event *event,
							 struct doca_dev *dev)
{
	return add_cpu(event, SDPU_EVENT_SUBSCRIBER, dev, __func__);
}

doca_error_t doca_sync_event_add_subscriber_location_remote_pci(struct doca_sync_event *event)
{
	return sdpu_event_add_location(event, SDPU_EVENT_SUBSCRIBER, SDPU_EVENT_AT_PCI, __func__);
}

/* `taken`: the error of a second choice; the callers differ in it. */
static doca_error_t place(struct doca_sync_event *event, enum sdpu_event_place where, void *at,
			  doca_error_t taken, const char *call)
{
	if (event->word.place != SDPU_EVENT_PLACE_LIBRARY) {
		sdpu_log_err(
			"%s: the counter has a place already, given by %s(); needed: one place; "
			"create another event for another counter",
			call,
			event->word.place == SDPU_EVENT_PLACE_ADDR
				? "doca_sync_event_set_addr"
				: "doca_sync_event_set_doca_buf");
		return taken;
	}
	if ((uintptr_t)at % SDPU_EVENT_WORD_SIZE != 0) {
		sdpu_log_err(
			"%s: the counter would lie at %p; needed: an address that is a multiple "
			"of 8",
			call, at);
		return DOCA_ERROR_INVALID_VALUE;
	}
	event->word.place = where;
	event->word.at = at;
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_set_addr(struct doca_sync_event *event, uint64_t *addr)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, event, addr))
		return DOCA_ERROR_INVALID_VALUE;
	result = configurable(event, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	return place(event, SDPU_EVENT_PLACE_ADDR, addr, DOCA_ERROR_NOT_SUPPORTED, __func__);
}

static doca_error_t check_buf(const struct doca_buf *buf, const char *call)
{
	const uint32_t read_write =
		DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE;
	uint32_t perms;

	if (buf->next != NULL || buf->member || buf->data_len != SDPU_EVENT_WORD_SIZE) {
		sdpu_log_err(
			"%s: the buf is %s with %zu bytes of data; needed: one that is no list, "
			"with 8; call doca_buf_set_data_len()",
			call, buf->next != NULL || buf->member ? "a list" : "one", buf->data_len);
		return DOCA_ERROR_INVALID_VALUE;
	}
	perms = sdpu_mmap_permissions(buf->mmap);
	if (sdpu_mmap_window(buf->mmap) == NULL || (perms & read_write) == 0 ||
	    (perms & DOCA_ACCESS_FLAG_RDMA_ATOMIC) == 0) {
		sdpu_log_err("%s: its mmap has permissions 0x%x and is %s; needed: those to "
			     "read and write (local or PCI), DOCA_ACCESS_FLAG_RDMA_ATOMIC, and "
			     "memory of this process",
			     call, perms,
			     sdpu_mmap_window(buf->mmap) == NULL ? "imported" : "not imported");
		return DOCA_ERROR_NOT_PERMITTED;
	}
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_set_doca_buf(struct doca_sync_event *event, struct doca_buf *buf)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, event, buf))
		return DOCA_ERROR_INVALID_VALUE;
	result = configurable(event, __func__);
	if (result == DOCA_SUCCESS)
		result = check_buf(buf, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	return place(event, SDPU_EVENT_PLACE_BUF, buf->data, DOCA_ERROR_NOT_PERMITTED, __func__);
}
