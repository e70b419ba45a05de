/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Life of a sync event, and its synchronous start and stop; contract in sync_event_object.h.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/refuse.h"
#include "bus/mapping.h"
#include "bus/process.h"
#include "core/sync_event_object.h"

struct doca_sync_event *sdpu_event_make(struct doca_dev *dev)
{
	struct doca_sync_event *event = calloc(1, sizeof(*event));

	if (event == NULL)
		return NULL;
	event->refs = 1;
	sdpu_ctx_init(&event->ctx, &sdpu_event_ctx_ops, dev);
	sdpu_event_source_init(&event->source);
	return event;
}

doca_error_t doca_sync_event_create(struct doca_sync_event **event)
{
	struct doca_sync_event *made;

	if (sdpu_any_null(__func__, event))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	made = sdpu_event_make(NULL);
	if (made == NULL)
		return sdpu_no_memory(__func__);
	*event = made;
	return DOCA_SUCCESS;
}

struct doca_sync_event *sdpu_event_hold(struct doca_sync_event *event)
{
	uint32_t refs = event == NULL ? 0 : sdpu_load(&event->refs);

	while (refs != 0)
		if (sdpu_cas(&event->refs, &refs, refs + 1))
			return event;
	return NULL;
}

void sdpu_event_release(struct doca_sync_event *event)
{
	if (event == NULL || sdpu_fetch_sub(&event->refs, 1) != 1)
		return;
	if (event->is_on_dpa)
		sdpu_dpa_handle_retire(event);
	else
		free(event);
}

static void release_devs(struct doca_sync_event *event)
{
	for (uint32_t i = 0; i < SDPU_EVENT_ROLES; i++)
		if (event->sides[i].dev != NULL)
			sdpu_dev_release(event->sides[i].dev);
}

static void stop_direct(struct doca_sync_event *event)
{
	/* Full fence: pairs with the one of wait_until() in sync_event_direct.c. Either a waiter
	 * sees this at its next look, or we see the waiter. */
	sdpu_publish_fenced(&event->direct, SDPU_EVENT_IDLE);
	/* acquire: pairs with the last touch of a waiter there */
	while (sdpu_load_acquire(&event->waiters) != 0)
		sdpu_clock_yield();
	sdpu_event_close(event);
}

doca_error_t doca_sync_event_destroy(struct doca_sync_event *event)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, event))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	/* Programs for the DPA never stop the events that they destroy. */
	if (sdpu_event_is_direct(event))
		stop_direct(event);
	/* The agent of an imported event's device lives at least as long as its reach. */
	if (event->ctx.state == DOCA_CTX_STATE_IDLE)
		sdpu_reach_close(event->word.reach);
	result = sdpu_ctx_fini(&event->ctx);
	if (result != DOCA_SUCCESS)
		return result;
	for (uint32_t i = 0; i < SDPU_EVENT_TASK_KINDS; i++)
		sdpu_task_pool_close(&event->pools[i]);
	release_devs(event);
	sdpu_event_release(event);
	return DOCA_SUCCESS;
}

struct doca_ctx *doca_sync_event_as_ctx(struct doca_sync_event *event)
{
	return event == NULL ? NULL : &event->ctx;
}

doca_error_t sdpu_event_check(const struct doca_sync_event *event, const char *call)
{
	static const char *const role[] = {"publisher", "subscriber"};

	for (uint32_t i = 0; i < SDPU_EVENT_ROLES; i++) {
		if (event->sides[i].locations != 0 || sdpu_event_is_imported(event))
			continue;
		sdpu_log_err("%s: the event has no %s; call doca_sync_event_add_%s_location_cpu() "
			     "or another of its kind first",
			     call, role[i], role[i]);
		return DOCA_ERROR_BAD_CONFIG;
	}
	if (event->word.place != SDPU_EVENT_PLACE_ADDR)
		return DOCA_SUCCESS;
	return sdpu_mapping_check_range(call, event->word.at, SDPU_EVENT_WORD_SIZE, true);
}

/* What importers may do. */
static uint32_t permissions(const struct doca_sync_event *event)
{
	uint32_t locations = sdpu_event_locations(event), perms = 0;

	if ((locations & SDPU_EVENT_AT_PCI) != 0)
		perms |= DOCA_ACCESS_FLAG_PCI_READ_WRITE;
	if ((locations & SDPU_EVENT_AT_NET) != 0)
		perms |= DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE |
			 DOCA_ACCESS_FLAG_RDMA_ATOMIC;
	return perms;
}

doca_error_t sdpu_event_open(struct doca_sync_event *event)
{
	doca_error_t result = sdpu_event_word_open(&event->word, permissions(event));

	if (result == DOCA_SUCCESS)
		/* release: pairs with the acquire of sdpu_event_is_open() */
		sdpu_store_release(&event->open, 1);
	return result;
}

void sdpu_event_close(struct doca_sync_event *event)
{
	sdpu_dpa_handle_withdraw(&event->dpa_head);
	/* Full fence: pairs with the one of sdpu_event_operate(). Either it sees this, or we see
	 * who is inside. */
	sdpu_publish_fenced(&event->open, 0);
	/* acquire: pairs with the last touch of who was inside */
	while (sdpu_load_acquire(&event->users) != 0)
		sdpu_clock_yield();
	sdpu_event_drop_exports(event);
	sdpu_event_word_close(&event->word);
}

doca_error_t doca_sync_event_start(struct doca_sync_event *event)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, event))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	if (sdpu_event_is_started(event)) {
		sdpu_log_err("doca_sync_event_start: the event is started, %s; needed: one that is "
			     "not; stop it first",
			     sdpu_event_is_direct(event) ? "in this way" : "as a context");
		return DOCA_ERROR_BAD_STATE;
	}
	result = sdpu_event_check(event, "doca_sync_event_start");
	if (result == DOCA_SUCCESS)
		result = sdpu_event_open(event);
	if (result != DOCA_SUCCESS)
		return result;
	/* release: pairs with the acquire in sdpu_event_is_direct() */
	sdpu_store_release(&event->direct, SDPU_EVENT_STARTED);
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_stop(struct doca_sync_event *event)
{
	if (sdpu_any_null(__func__, event))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	if (!sdpu_event_is_direct(event)) {
		sdpu_log_err("doca_sync_event_stop: the event is not started by "
			     "doca_sync_event_start(); a context is stopped by doca_ctx_stop()");
		return DOCA_ERROR_BAD_STATE;
	}
	stop_direct(event);
	return DOCA_SUCCESS;
}
