/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exports of a sync event (bus/blob.h), and events made from them. An export names the window of
 * one start's counter: the next start has other ones. Which side of the PCIe bus exported is not
 * asked for, as both may.
 */
#include <string.h>

#include "base/log.h"
#include "base/refuse.h"
#include "bus/agent.h"
#include "bus/process.h"
#include "bus/rundir.h"
#include "core/export_table.h"
#include "core/import.h"
#include "core/mmap.h"
#include "core/sync_event_object.h"

struct export_way {
	const char *call;
	enum sdpu_blob_kind kind;
	uint32_t location;
	const char *needs;
	uint32_t perms;
};

static const struct export_way way_pci = {
	.call = "doca_sync_event_export_to_remote_pci",
	.kind = SDPU_BLOB_EVENT_PCI,
	.location = SDPU_EVENT_AT_PCI,
	.needs = "doca_sync_event_add_publisher_location_remote_pci() or _subscriber_",
	.perms = DOCA_ACCESS_FLAG_PCI_READ_WRITE,
};

static const struct export_way way_net = {
	.call = "doca_sync_event_export_to_remote_net",
	.kind = SDPU_BLOB_EVENT_NET,
	.location = SDPU_EVENT_AT_NET,
	.needs = "doca_sync_event_add_publisher_location_remote_net()",
	.perms = DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE |
		 DOCA_ACCESS_FLAG_RDMA_ATOMIC,
};

static doca_error_t export_check(const struct doca_sync_event *event, const struct export_way *way)
{
	if (sdpu_process_refuses(way->call))
		return DOCA_ERROR_BAD_STATE;
	if (sdpu_event_is_imported(event) || (sdpu_event_locations(event) & way->location) == 0) {
		sdpu_log_err("%s: the event %s; call %s before start", way->call,
			     sdpu_event_is_imported(event) ? "is imported, and its exporter's"
							   : "has no such location",
			     way->needs);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	if (!sdpu_event_is_started(event)) {
		sdpu_log_err("%s: the event is not started; start it first", way->call);
		return DOCA_ERROR_BAD_STATE;
	}
	return DOCA_SUCCESS;
}

static doca_error_t describe(const struct doca_sync_event *event, const struct export_way *way,
			     struct sdpu_blob *blob)
{
	*blob = (struct sdpu_blob){
		.kind = way->kind,
		.perms = way->perms,
		.addr = (uintptr_t)event->word.at,
		.len = SDPU_EVENT_WORD_SIZE,
	};
	memcpy(blob->key, sdpu_window_key(event->word.window), sizeof(blob->key));
	strcpy(blob->owner, sdpu_agent_endpoint());
	return sdpu_machine_id(blob->machine_id) == DOCA_SUCCESS ? DOCA_SUCCESS : DOCA_ERROR_DRIVER;
}

/* Entered in the table in which the server for other machines looks. */
static doca_error_t enter(const struct sdpu_blob *blob)
{
	struct sdpu_export entry = {.perms = blob->perms, .addr = blob->addr, .len = blob->len};

	memcpy(entry.key, blob->key, sizeof(entry.key));
	memcpy(entry.owner, blob->owner, sizeof(entry.owner));
	return sdpu_export_add(&entry);
}

static doca_error_t make_export(const struct doca_sync_event *event, const struct export_way *way,
				struct sdpu_event_export *made)
{
	struct sdpu_blob blob;
	doca_error_t result = describe(event, way, &blob);

	if (result == DOCA_SUCCESS && way->kind == SDPU_BLOB_EVENT_NET)
		result = enter(&blob);
	if (result == DOCA_SUCCESS)
		sdpu_blob_encode(&blob, made->bytes, &made->len);
	return result;
}

static doca_error_t export(const struct doca_sync_event *event, const struct export_way *way,
			   struct sdpu_event_export *made, const uint8_t **data, size_t *sz)
{
	doca_error_t result = export_check(event, way);

	if (result == DOCA_SUCCESS && made->len == 0)
		result = make_export(event, way, made);
	if (result != DOCA_SUCCESS)
		return result;
	*data = made->bytes;
	*sz = made->len;
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_export_to_remote_pci(struct doca_sync_event *event,
						  struct doca_dev *dev, const uint8_t **data,
						  size_t *sz)
{
	if (sdpu_any_null(__func__, event, dev, data, sz))
		return DOCA_ERROR_INVALID_VALUE;
	return export(event, &way_pci, &event->pci, data, sz);
}

doca_error_t doca_sync_event_export_to_remote_net(struct doca_sync_event *event,
						  const uint8_t **data, size_t *sz)
{
	if (sdpu_any_null(__func__, event, data, sz))
		return DOCA_ERROR_INVALID_VALUE;
	return export(event, &way_net, &event->net, data, sz);
}

void sdpu_event_drop_exports(struct doca_sync_event *event)
{
	event->pci.len = 0;
	if (event->net.len == 0)
		return;
	event->net.len = 0;
	sdpu_export_remove(sdpu_window_key(event->word.window));
	/* Those who have looked it up must look again, as after the stop of an mmap. */
	(void)sdpu_fetch_add(&sdpu_mmap_stops, 1);
}

static doca_error_t import_decode(const char *call, const uint8_t *data, size_t sz,
				  enum sdpu_blob_kind kind, struct sdpu_blob *blob)
{
	doca_error_t result = sdpu_blob_decode(call, data, sz, SDPU_BLOB_IS(kind), blob);

	if (result != DOCA_SUCCESS)
		return result;
	if (blob->len == SDPU_EVENT_WORD_SIZE && blob->addr % SDPU_EVENT_WORD_SIZE == 0)
		return DOCA_SUCCESS;
	sdpu_log_err("%s: the blob names %llu bytes at 0x%llx; needed: 8 at a multiple of 8; "
		     "pass on all bytes that the export gave, unchanged",
		     call, (unsigned long long)blob->len, (unsigned long long)blob->addr);
	return DOCA_ERROR_INVALID_VALUE;
}

/* An export for PCIe is for this machine only. */
static doca_error_t import_refuse(const char *call)
{
	sdpu_log_err("%s: the blob is of another machine, another runtime directory than %s, or "
		     "from before the last boot; needed: one of here; export it anew, or over the "
		     "network",
		     call, sdpu_rundir_path());
	return DOCA_ERROR_DRIVER;
}

doca_error_t sdpu_event_import(const char *call, const uint8_t *data, size_t sz,
			       enum sdpu_blob_kind kind, struct sdpu_blob *blob,
			       struct sdpu_reach **reach)
{
	bool foreign;
	doca_error_t result = import_decode(call, data, sz, kind, blob);

	if (result == DOCA_SUCCESS)
		result = sdpu_import_is_foreign(blob, &foreign);
	if (result != DOCA_SUCCESS)
		return result;
	*reach = NULL;
	if (!foreign)
		return sdpu_import_open(call, blob, reach);
	return kind == SDPU_BLOB_EVENT_NET ? DOCA_SUCCESS : import_refuse(call);
}

doca_error_t doca_sync_event_create_from_export(struct doca_dev *dev, const uint8_t *data,
						size_t sz, struct doca_sync_event **event)
{
	struct doca_sync_event *made;
	struct sdpu_reach *reach;
	struct sdpu_blob blob;
	doca_error_t result;

	if (sdpu_any_null(__func__, dev, data, event))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	result = sdpu_event_import(__func__, data, sz, SDPU_BLOB_EVENT_PCI, &blob, &reach);
	if (result != DOCA_SUCCESS)
		return result;
	made = sdpu_event_make(dev);
	if (made == NULL) {
		sdpu_reach_close(reach);
		return sdpu_no_memory(__func__);
	}
	made->word = (struct sdpu_event_word){
		.place = SDPU_EVENT_PLACE_REMOTE,
		.at = (uint64_t *)(uintptr_t)blob.addr,
		.reach = reach,
	};
	*event = made;
	return DOCA_SUCCESS;
}
