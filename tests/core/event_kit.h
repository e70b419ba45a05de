/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the tests of sync events share: events of one process, exported ones, and a context with
 * what happened to its tasks.
 */
#ifndef TESTS_CORE_EVENT_KIT_H
#define TESTS_CORE_EVENT_KIT_H

#include <doca_ctx.h>
#include <doca_pe.h>
#include <doca_sync_event.h>

#include "core/kit.h"
#include "t.h"

#define ALL UINT64_MAX /* the mask of a whole counter */

/* Publisher and subscriber are the processor of dev; not started. */
struct doca_sync_event *event_make(struct doca_dev *dev);
/* As the public samples for PCIe: the other side publishes, we subscribe. */
struct doca_sync_event *event_make_pci(struct doca_dev *dev);
struct doca_sync_event *event_make_net(struct doca_dev *dev);

struct event_blob {
	size_t len;
	uint8_t bytes[1024];
};
void event_export_pci(struct doca_sync_event *event, struct doca_dev *dev, struct event_blob *blob);
void event_export_net(struct doca_sync_event *event, struct event_blob *blob);
doca_error_t event_import(const struct event_blob *blob, struct doca_dev *dev,
			  struct doca_sync_event **event);

/* A counter of the user's, and its end: nothing else comes to lie there. */
uint64_t *event_memory(void);
void event_memory_gone(uint64_t *word);

uint64_t event_get(struct doca_sync_event *event);
uint64_t event_add(struct doca_sync_event *event, uint64_t value);

/* An event as a context, with an engine of its own and all kinds of tasks. */
struct async {
	struct doca_sync_event *event;
	struct doca_ctx *ctx;
	struct doca_pe *pe;
	uint32_t ok;	    /* tasks that succeeded */
	uint32_t failed;    /* and that did not */
	doca_error_t last;  /* status of the last one */
	uint64_t last_data; /* its user data */
	bool keep;	    /* the callbacks leave tasks to the test */
	void (*on_task)(struct async *async, struct doca_task *task);
};
#define ASYNC_TASKS 4 /* of each kind */

/* Not started. */
void async_open(struct async *async, struct doca_sync_event *event);
void async_start(struct async *async, struct doca_sync_event *event);
/* Stops, progresses to IDLE, and destroys the event and the engine. */
void async_close(struct async *async);

/* Tasks, submitted; `data` is their user data. */
struct doca_task *async_get(struct async *async, uint64_t *value, uint64_t data);
struct doca_task *async_set(struct async *async, uint64_t value, uint64_t data);
struct doca_task *async_add(struct async *async, uint64_t value, uint64_t *fetched, uint64_t data);
struct doca_task *async_wait_eq(struct async *async, uint64_t value, uint64_t mask, uint64_t data);
struct doca_task *async_wait_neq(struct async *async, uint64_t value, uint64_t mask, uint64_t data);

#define ASYNC_UNTIL(async, cond) T_EVENTUALLY((doca_pe_progress((async)->pe), (cond)), 10000)

#endif
