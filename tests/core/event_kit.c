/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/event_kit.h"

#include <string.h>
#include <sys/mman.h>

static struct doca_sync_event *event_new(void)
{
	struct doca_sync_event *event;

	T_OK(doca_sync_event_create(&event));
	return event;
}

struct doca_sync_event *event_make(struct doca_dev *dev)
{
	struct doca_sync_event *event = event_new();

	T_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
	T_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
	return event;
}

struct doca_sync_event *event_make_pci(struct doca_dev *dev)
{
	struct doca_sync_event *event = event_new();

	T_OK(doca_sync_event_add_publisher_location_remote_pci(event));
	T_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
	return event;
}

struct doca_sync_event *event_make_net(struct doca_dev *dev)
{
	struct doca_sync_event *event = event_new();

	T_OK(doca_sync_event_add_publisher_location_remote_net(event));
	T_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
	return event;
}

static void blob_take(struct event_blob *blob, const uint8_t *data, size_t sz)
{
	T_CHECK(sz > 0 && sz <= 1000);
	blob->len = sz;
	memcpy(blob->bytes, data, sz);
}

void event_export_pci(struct doca_sync_event *event, struct doca_dev *dev, struct event_blob *blob)
{
	const uint8_t *data;
	size_t sz;

	T_OK(doca_sync_event_export_to_remote_pci(event, dev, &data, &sz));
	blob_take(blob, data, sz);
}

void event_export_net(struct doca_sync_event *event, struct event_blob *blob)
{
	const uint8_t *data;
	size_t sz;

	T_OK(doca_sync_event_export_to_remote_net(event, &data, &sz));
	blob_take(blob, data, sz);
}

doca_error_t event_import(const struct event_blob *blob, struct doca_dev *dev,
			  struct doca_sync_event **event)
{
	return doca_sync_event_create_from_export(dev, blob->bytes, blob->len, event);
}

#define PAGE 4096

uint64_t *event_memory(void)
{
	void *at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	T_CHECK(at != MAP_FAILED);
	return at;
}

void event_memory_gone(uint64_t *word)
{
	T_EQ(mmap(word, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0), word);
}

uint64_t event_get(struct doca_sync_event *event)
{
	uint64_t value;

	T_OK(doca_sync_event_get(event, &value));
	return value;
}

uint64_t event_add(struct doca_sync_event *event, uint64_t value)
{
	uint64_t fetched;

	T_OK(doca_sync_event_update_add(event, value, &fetched));
	return fetched;
}

static void over(struct async *async, struct doca_task *task, union doca_data data)
{
	async->last = doca_task_get_status(task);
	async->last_data = data.u64;
	if (async->on_task != NULL)
		async->on_task(async, task);
	else if (!async->keep)
		doca_task_free(task);
}

#define CALLBACKS(name)                                                                            \
	static void name##_ok(struct doca_sync_event_task_##name *task, union doca_data data,      \
			      union doca_data ctx_data)                                            \
	{                                                                                          \
		struct async *async = ctx_data.ptr;                                                \
                                                                                                   \
		async->ok++;                                                                       \
		over(async, doca_sync_event_task_##name##_as_doca_task(task), data);               \
	}                                                                                          \
                                                                                                   \
	static void name##_failed(struct doca_sync_event_task_##name *task, union doca_data data,  \
				  union doca_data ctx_data)                                        \
	{                                                                                          \
		struct async *async = ctx_data.ptr;                                                \
                                                                                                   \
		async->failed++;                                                                   \
		over(async, doca_sync_event_task_##name##_as_doca_task(task), data);               \
	}

CALLBACKS(get)
CALLBACKS(notify_set)
CALLBACKS(notify_add)
CALLBACKS(wait_eq)
CALLBACKS(wait_neq)

void async_open(struct async *async, struct doca_sync_event *event)
{
	union doca_data data = {.ptr = async};

	*async = (struct async){.event = event, .ctx = doca_sync_event_as_ctx(event)};
	T_OK(doca_sync_event_task_get_set_conf(event, get_ok, get_failed, ASYNC_TASKS));
	T_OK(doca_sync_event_task_notify_set_set_conf(event, notify_set_ok, notify_set_failed,
						      ASYNC_TASKS));
	T_OK(doca_sync_event_task_notify_add_set_conf(event, notify_add_ok, notify_add_failed,
						      ASYNC_TASKS));
	T_OK(doca_sync_event_task_wait_eq_set_conf(event, wait_eq_ok, wait_eq_failed, ASYNC_TASKS));
	T_OK(doca_sync_event_task_wait_neq_set_conf(event, wait_neq_ok, wait_neq_failed,
						    ASYNC_TASKS));
	T_OK(doca_ctx_set_user_data(async->ctx, data));
	T_OK(doca_pe_create(&async->pe));
	T_OK(doca_pe_connect_ctx(async->pe, async->ctx));
}

void async_start(struct async *async, struct doca_sync_event *event)
{
	async_open(async, event);
	T_OK(doca_ctx_start(async->ctx));
}

static bool is_idle(const struct async *async)
{
	enum doca_ctx_states state;

	T_OK(doca_ctx_get_state(async->ctx, &state));
	return state == DOCA_CTX_STATE_IDLE;
}

void async_close(struct async *async)
{
	doca_error_t result = doca_ctx_stop(async->ctx);

	T_CHECK(result == DOCA_SUCCESS || result == DOCA_ERROR_IN_PROGRESS);
	ASYNC_UNTIL(async, is_idle(async));
	T_OK(doca_sync_event_destroy(async->event));
	T_OK(doca_pe_destroy(async->pe));
}

struct doca_task *async_get(struct async *async, uint64_t *value, uint64_t data)
{
	struct doca_sync_event_task_get *task;
	union doca_data user_data = {.u64 = data};

	T_OK(doca_sync_event_task_get_alloc_init(async->event, value, user_data, &task));
	T_OK(doca_task_submit(doca_sync_event_task_get_as_doca_task(task)));
	return doca_sync_event_task_get_as_doca_task(task);
}

struct doca_task *async_set(struct async *async, uint64_t value, uint64_t data)
{
	struct doca_sync_event_task_notify_set *task;
	union doca_data user_data = {.u64 = data};

	T_OK(doca_sync_event_task_notify_set_alloc_init(async->event, value, user_data, &task));
	T_OK(doca_task_submit(doca_sync_event_task_notify_set_as_doca_task(task)));
	return doca_sync_event_task_notify_set_as_doca_task(task);
}

struct doca_task *async_add(struct async *async, uint64_t value, uint64_t *fetched, uint64_t data)
{
	struct doca_sync_event_task_notify_add *task;
	union doca_data user_data = {.u64 = data};

	T_OK(doca_sync_event_task_notify_add_alloc_init(async->event, value, fetched, user_data,
							&task));
	T_OK(doca_task_submit(doca_sync_event_task_notify_add_as_doca_task(task)));
	return doca_sync_event_task_notify_add_as_doca_task(task);
}

struct doca_task *async_wait_eq(struct async *async, uint64_t value, uint64_t mask, uint64_t data)
{
	struct doca_sync_event_task_wait_eq *task;
	union doca_data user_data = {.u64 = data};

	T_OK(doca_sync_event_task_wait_eq_alloc_init(async->event, value, mask, user_data, &task));
	T_OK(doca_task_submit(doca_sync_event_task_wait_eq_as_doca_task(task)));
	return doca_sync_event_task_wait_eq_as_doca_task(task);
}

struct doca_task *async_wait_neq(struct async *async, uint64_t value, uint64_t mask, uint64_t data)
{
	struct doca_sync_event_task_wait_neq *task;
	union doca_data user_data = {.u64 = data};

	T_OK(doca_sync_event_task_wait_neq_alloc_init(async->event, value, mask, user_data, &task));
	T_OK(doca_task_submit(doca_sync_event_task_wait_neq_as_doca_task(task)));
	return doca_sync_event_task_wait_neq_as_doca_task(task);
}
