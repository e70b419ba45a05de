/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sync events, synchronous and as contexts.
 */
#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_sync_event.h>

#include "core/event_kit.h"
#include "misuse/misuse.h"

static const union doca_data none;
static uint64_t words[16] __attribute__((aligned(64)));

static struct doca_dev *dev;
static struct doca_sync_event *event, *out;
static struct async async;

MISUSE_CASE(configuration)
{
	uint64_t value;

	dev = kit_open(KIT_DPU);
	T_OK(doca_sync_event_create(&event));
	MISUSE(BAD_CONFIG, doca_sync_event_start(event), "has no publisher",
	       "doca_sync_event_add_publisher_location_cpu()");
	T_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
	MISUSE(BAD_CONFIG, doca_sync_event_start(event), "has no subscriber",
	       "doca_sync_event_add_subscriber_location_cpu()");
	T_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
	MISUSE(INVALID_VALUE,
	       doca_sync_event_set_addr(event, (uint64_t *)(void *)((char *)words + 4)),
	       "would lie at", "needed: an address that is a multiple of 8");
	MISUSE(BAD_STATE, doca_sync_event_stop(event), "is not started", "doca_sync_event_start()");
	MISUSE(BAD_STATE, doca_sync_event_get(event, &value), "the event is not started",
	       "needed: one that doca_sync_event_start() started");
	MISUSE(BAD_STATE, doca_sync_event_update_set(event, 1), "the event is not started",
	       "needed: one that");
	MISUSE(BAD_STATE, doca_sync_event_update_add(event, 1, &value), "the event is not started",
	       "needed: one that");
	MISUSE(BAD_STATE, doca_sync_event_wait_gt(event, 0, ALL), "the event is not started",
	       "needed: one that");
	MISUSE(BAD_STATE, doca_sync_event_wait_eq(event, 0, ALL), "the event is not started",
	       "needed: one that");
	MISUSE(BAD_STATE, doca_sync_event_wait_neq(event, 0, ALL), "the event is not started",
	       "needed: one that");
	MISUSE(BAD_STATE, doca_sync_event_wait_gt_yield(event, 0, ALL), "the event is not started",
	       "needed: one that");
	MISUSE(BAD_STATE, doca_sync_event_wait_eq_yield(event, 0, ALL), "the event is not started",
	       "needed: one that");
	MISUSE(BAD_STATE, doca_sync_event_wait_neq_yield(event, 0, ALL), "the event is not started",
	       "needed: one that");
	T_OK(doca_sync_event_set_addr(event, words));
	MISUSE(NOT_SUPPORTED, doca_sync_event_set_addr(event, words),
	       "a place already, given by doca_sync_event_set_addr()", "needed: one place");
	T_OK(doca_sync_event_destroy(event));
	T_OK(doca_dev_close(dev));
}

MISUSE_CASE(started)
{
	const uint8_t *data;
	size_t len;

	dev = kit_open(KIT_DPU);
	event = event_make(dev);
	MISUSE(NOT_PERMITTED, doca_sync_event_export_to_remote_pci(event, dev, &data, &len),
	       "has no such location", "remote_pci()");
	MISUSE(NOT_PERMITTED, doca_sync_event_export_to_remote_net(event, &data, &len),
	       "has no such location", "remote_net()");
	T_OK(doca_sync_event_start(event));
	MISUSE(BAD_STATE, doca_sync_event_start(event), "the event is started",
	       "needed: one that is not");
	MISUSE(BAD_STATE, doca_sync_event_add_publisher_location_cpu(event, dev),
	       "the event is started", "needed: one that is not");
	MISUSE(BAD_STATE, doca_sync_event_add_publisher_location_remote_pci(event),
	       "the event is started", "needed: one that is not");
	MISUSE(BAD_STATE, doca_sync_event_add_publisher_location_remote_net(event),
	       "the event is started", "needed: one that is not");
	MISUSE(BAD_STATE, doca_sync_event_add_subscriber_location_cpu(event, dev),
	       "the event is started", "needed: one that is not");
	MISUSE(BAD_STATE, doca_sync_event_add_subscriber_location_remote_pci(event),
	       "the event is started", "needed: one that is not");
	MISUSE(BAD_STATE, doca_sync_event_set_addr(event, words), "the event is started",
	       "needed: one that is not");
	MISUSE(INVALID_VALUE, doca_sync_event_wait_gt(event, 1, 0xf0f), "mask 0xf0f",
	       "needed: a mask of 0, or of 1, 2, 4 or 8");
	MISUSE(INVALID_VALUE, doca_sync_event_wait_eq(event, 0x100, 0xff), "value 0x100",
	       "needed: a value without bits outside");
	MISUSE(INVALID_VALUE, doca_sync_event_wait_neq(event, 0, 0), "mask 0x0",
	       "needed: a condition that some counter can satisfy");
	MISUSE(INVALID_VALUE, doca_sync_event_wait_gt_yield(event, ALL, ALL),
	       "value 0xffffffffffffffff", "needed: a condition");
	MISUSE(INVALID_VALUE, doca_sync_event_wait_eq_yield(event, 1, 0xf), "mask 0xf",
	       "needed: a mask");
	MISUSE(INVALID_VALUE, doca_sync_event_wait_neq_yield(event, 1, 0xf), "mask 0xf",
	       "needed: a mask");
	T_OK(doca_sync_event_stop(event));
	T_OK(doca_sync_event_destroy(event));
	T_OK(doca_dev_close(dev));
}

MISUSE_CASE(counter_in_a_buf)
{
	struct doca_buf_inventory *inventory;
	struct doca_mmap *mmap;
	struct doca_buf *buf;

	dev = kit_open(KIT_DPU);
	event = event_make(dev);
	mmap = kit_mmap(dev, words, sizeof(words), 0);
	T_OK(doca_buf_inventory_create(1, &inventory));
	T_OK(doca_buf_inventory_start(inventory));
	T_OK(doca_buf_inventory_buf_get_by_data(inventory, mmap, words, 16, &buf));
	MISUSE(INVALID_VALUE, doca_sync_event_set_doca_buf(event, buf), "with 16 bytes of data",
	       "needed: one that is no list, with 8", "doca_buf_set_data_len()");
	T_OK(doca_buf_set_data_len(buf, 8));
	MISUSE(NOT_PERMITTED, doca_sync_event_set_doca_buf(event, buf), "has permissions 0x",
	       "DOCA_ACCESS_FLAG_RDMA_ATOMIC");
	T_OK(doca_buf_dec_refcount(buf, NULL));
	T_OK(doca_buf_inventory_destroy(inventory));
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_sync_event_destroy(event));
	T_OK(doca_dev_close(dev));
}

/* `out` is imported. */
static void configure_imported(void)
{
	MISUSE(NOT_PERMITTED, doca_sync_event_set_addr(out, words), "the event is imported",
	       "let its exporter configure it");
	MISUSE(NOT_PERMITTED, doca_sync_event_add_publisher_location_cpu(out, dev),
	       "the event is imported", "let its exporter configure it");
	MISUSE(NOT_PERMITTED, doca_sync_event_add_publisher_location_remote_pci(out),
	       "the event is imported", "let its exporter configure it");
	MISUSE(NOT_PERMITTED, doca_sync_event_add_publisher_location_remote_net(out),
	       "the event is imported", "let its exporter configure it");
	MISUSE(NOT_PERMITTED, doca_sync_event_add_subscriber_location_cpu(out, dev),
	       "the event is imported", "let its exporter configure it");
	MISUSE(NOT_PERMITTED, doca_sync_event_add_subscriber_location_remote_pci(out),
	       "the event is imported", "let its exporter configure it");
}

/* And its exporter has stopped it. */
static void use_stopped(void)
{
	uint64_t value;

	MISUSE(NOT_PERMITTED, doca_sync_event_update_set(out, 1), "the counter cannot be reached",
	       "the exporter has stopped the event", "import a new export");
	MISUSE(NOT_PERMITTED, doca_sync_event_update_add(out, 1, &value),
	       "the counter cannot be reached", "the exporter has stopped the event",
	       "import a new export");
	MISUSE(NOT_PERMITTED, doca_sync_event_get(out, &value), "the counter cannot be reached",
	       "the exporter has stopped the event", "import a new export");
	MISUSE(NOT_PERMITTED, doca_sync_event_wait_eq(out, 1, ALL), "the counter cannot be reached",
	       "the exporter has stopped the event", "import a new export");
	MISUSE(NOT_PERMITTED, doca_sync_event_wait_neq(out, 1, ALL),
	       "the counter cannot be reached", "the exporter has stopped the event",
	       "import a new export");
	MISUSE(NOT_PERMITTED, doca_sync_event_wait_gt(out, 1, ALL), "the counter cannot be reached",
	       "the exporter has stopped the event", "import a new export");
	MISUSE(NOT_PERMITTED, doca_sync_event_wait_eq_yield(out, 1, ALL),
	       "the counter cannot be reached", "the exporter has stopped the event",
	       "import a new export");
	MISUSE(NOT_PERMITTED, doca_sync_event_wait_neq_yield(out, 1, ALL),
	       "the counter cannot be reached", "the exporter has stopped the event",
	       "import a new export");
	MISUSE(NOT_PERMITTED, doca_sync_event_wait_gt_yield(out, 1, ALL),
	       "the counter cannot be reached", "the exporter has stopped the event",
	       "import a new export");
}

MISUSE_CASE(exports)
{
	struct doca_sync_event_remote_net *net;
	struct event_blob blob;
	const uint8_t *data;
	size_t len;

	dev = kit_open(KIT_DPU);
	event = event_make_pci(dev);
	MISUSE(BAD_STATE, doca_sync_event_export_to_remote_pci(event, dev, &data, &len),
	       "the event is not started", "start it first");
	T_OK(doca_sync_event_start(event));
	event_export_pci(event, dev, &blob);
	MISUSE(INVALID_VALUE,
	       doca_sync_event_create_from_export(dev, blob.bytes, blob.len - 1, &out),
	       "the export descriptor of", "needed: all bytes that the export gave");
	MISUSE(INVALID_VALUE,
	       doca_sync_event_remote_net_create_from_export(dev, blob.bytes, blob.len, &net),
	       "is of doca_sync_event_export_to_remote_pci()",
	       "needed: one of doca_sync_event_export_to_remote_net()");
	T_OK(doca_sync_event_create_from_export(dev, blob.bytes, blob.len, &out));
	configure_imported();
	MISUSE(NOT_PERMITTED, doca_sync_event_export_to_remote_pci(out, dev, &data, &len),
	       "is imported", "remote_pci()");
	T_OK(doca_sync_event_start(out));
	T_OK(doca_sync_event_stop(event));
	use_stopped();
	T_OK(doca_sync_event_stop(out));
	T_OK(doca_sync_event_destroy(out));
	MISUSE(INVALID_VALUE, doca_sync_event_create_from_export(dev, blob.bytes, blob.len, &out),
	       "has stopped its memory", "needed: one that is alive");
	T_OK(doca_sync_event_destroy(event));
	T_OK(doca_dev_close(dev));
}

static void on_task(void)
{
}

/* The callback of each kind has a type of its own; none is called here. */
#define CALLBACK(kind) ((doca_sync_event_task_##kind##_completion_cb_t)on_task)

static void change_tasks(void)
{
	MISUSE(BAD_STATE, doca_sync_event_task_get_set_conf(event, CALLBACK(get), CALLBACK(get), 1),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE,
	       doca_sync_event_task_notify_set_set_conf(event, CALLBACK(notify_set),
							CALLBACK(notify_set), 1),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE,
	       doca_sync_event_task_notify_add_set_conf(event, CALLBACK(notify_add),
							CALLBACK(notify_add), 1),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE,
	       doca_sync_event_task_wait_eq_set_conf(event, CALLBACK(wait_eq), CALLBACK(wait_eq),
						     1),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE,
	       doca_sync_event_task_wait_neq_set_conf(event, CALLBACK(wait_neq), CALLBACK(wait_neq),
						      1),
	       "the context is RUNNING", "needed: IDLE");
}

MISUSE_CASE(as_a_context)
{
	struct doca_sync_event_task_notify_set *set;
	struct doca_sync_event_task_notify_add *add;
	struct doca_sync_event_task_wait_neq *neq;
	struct doca_sync_event_task_wait_eq *eq;
	struct doca_sync_event_task_get *get;
	struct doca_task *task;
	uint64_t value;

	dev = kit_open(KIT_DPU);
	event = event_make(dev);
	async_open(&async, event);
	MISUSE(BAD_STATE, doca_sync_event_task_get_alloc_init(event, &value, none, &get),
	       "the context is IDLE", "needed: RUNNING");
	MISUSE(BAD_STATE, doca_sync_event_task_notify_set_alloc_init(event, 1, none, &set),
	       "the context is IDLE", "needed: RUNNING");
	MISUSE(BAD_STATE, doca_sync_event_task_notify_add_alloc_init(event, 1, &value, none, &add),
	       "the context is IDLE", "needed: RUNNING");
	MISUSE(BAD_STATE, doca_sync_event_task_wait_eq_alloc_init(event, 1, ALL, none, &eq),
	       "the context is IDLE", "needed: RUNNING");
	MISUSE(BAD_STATE, doca_sync_event_task_wait_neq_alloc_init(event, 1, ALL, none, &neq),
	       "the context is IDLE", "needed: RUNNING");
	T_OK(doca_sync_event_start(event));
	MISUSE(BAD_STATE, doca_ctx_start(async.ctx), "started for synchronous work",
	       "doca_sync_event_stop()");
	T_OK(doca_sync_event_stop(event));
	T_OK(doca_ctx_start(async.ctx));
	change_tasks();
	MISUSE(BAD_STATE, doca_sync_event_get(event, &value), "is started as a context",
	       "needed: one that doca_sync_event_start() started");
	MISUSE(BAD_STATE, doca_sync_event_start(event), "as a context", "stop it first");
	MISUSE(IN_USE, doca_sync_event_destroy(event), "it is RUNNING", "doca_ctx_stop()");
	MISUSE(INVALID_VALUE, doca_sync_event_task_wait_eq_alloc_init(event, 1, 0xf, none, &eq),
	       "mask 0xf", "needed: a mask");
	MISUSE(INVALID_VALUE, doca_sync_event_task_wait_neq_alloc_init(event, 0, 0, none, &neq),
	       "mask 0x0", "needed: a condition");
	T_OK(doca_sync_event_task_get_alloc_init(event, &value, none, &get));
	doca_sync_event_task_get_set_ret_val_ptr(get, NULL);
	task = doca_sync_event_task_get_as_doca_task(get);
	MISUSE(INVALID_VALUE, doca_task_submit(task), "has no place for its result",
	       "needed: the address of a uint64_t");
	doca_task_free(task);
	T_OK(doca_sync_event_task_wait_eq_alloc_init(event, 1, ALL, none, &eq));
	doca_sync_event_task_wait_eq_set_mask(eq, 0xf);
	task = doca_sync_event_task_wait_eq_as_doca_task(eq);
	MISUSE(INVALID_VALUE, doca_task_submit(task), "mask 0xf", "needed: a mask");
	doca_task_free(task);
	async_close(&async);
	T_OK(doca_dev_close(dev));
}
