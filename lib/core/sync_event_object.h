/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sync event, as its files know it: sync_event.c (life), _config.c (locations, memory), _direct.c
 * (synchronous work), _ctx.c and _task.c (asynchronous), _dpa.c (device code), _export.c and
 * _remote_net.c, _cap.c.
 *
 * Owner: the user. IDLE, configured or imported -> started in one of two ways, each of which
 * excludes the other -> stopped, IDLE again. Directly: get, update and wait by any thread, until
 * doca_sync_event_stop(), which ends waits. As a context: tasks, in the engine's thread. An event
 * that is not imported gets a new counter with each start, unless its memory is the user's, and new
 * exports; importers of an old one fail. When the exporter of an imported event dies or stops it,
 * whatever is done to the event fails, waits included; the event stays until the user destroys it.
 */
#ifndef SDPU_CORE_SYNC_EVENT_OBJECT_H
#define SDPU_CORE_SYNC_EVENT_OBJECT_H

#include <doca_sync_event.h>

#include "bus/blob.h"
#include "core/ctx.h"
#include "core/dev.h"
#include "core/dpa_handle.h"
#include "core/pe.h"
#include "core/sync_event.h"
#include "core/sync_event_condition.h"
#include "core/sync_event_word.h"
#include "core/task.h"

/* Of synchronous work; states of the other way are the context's. */
enum sdpu_event_direct { SDPU_EVENT_IDLE, SDPU_EVENT_STARTED };

/* Where publishers or subscribers are; bits. */
enum sdpu_event_location {
	SDPU_EVENT_AT_CPU = 1 << 0,
	SDPU_EVENT_AT_PCI = 1 << 1,
	SDPU_EVENT_AT_NET = 1 << 2,
	SDPU_EVENT_AT_DPA = 1 << 3,
};

enum sdpu_event_role { SDPU_EVENT_PUBLISHER, SDPU_EVENT_SUBSCRIBER, SDPU_EVENT_ROLES };

struct sdpu_event_side {
	uint32_t locations;
	struct doca_dev *dev; /* of the last CPU location, held */
};

enum sdpu_event_task_kind {
	SDPU_EVENT_TASK_GET,
	SDPU_EVENT_TASK_SET,
	SDPU_EVENT_TASK_ADD,
	SDPU_EVENT_TASK_WAIT_EQ,
	SDPU_EVENT_TASK_WAIT_NEQ,
	SDPU_EVENT_TASK_KINDS
};

/* What the typed tasks consist of. Owner: as for every task. */
struct sdpu_event_task {
	struct doca_task base;
	uint64_t value;
	uint64_t mask;
	uint64_t *out; /* the user's */
};

/* An export; made on demand, void once stopped. The bytes stay where they are: programs keep the
 * pointer. */
struct sdpu_event_export {
	size_t len; /* 0: not exported since the start */
	uint8_t bytes[SDPU_BLOB_MAX];
};

struct doca_sync_event {
	struct doca_ctx ctx;
	uint32_t direct;  /* atomic: enum sdpu_event_direct */
	uint32_t waiters; /* atomic: threads inside a direct wait */
	uint32_t open;	  /* atomic: the word is there, whichever way the event was started */
	uint32_t users;	  /* atomic: threads inside sdpu_event_operate() */
	uint32_t refs;	  /* atomic: the user's, and one for each sdpu_event_hold() */
	struct sdpu_dpa_head dpa_head; /* of the handle, from when one is given to the stop */
	bool is_on_dpa;		       /* one was given, ever: device code may still have it */
	struct sdpu_event_side sides[SDPU_EVENT_ROLES];
	struct sdpu_event_word word;

	struct sdpu_source source;
	struct sdpu_task_queue ops;   /* get, set, add: of which only the oldest acts */
	struct sdpu_task_queue waits; /* the oldest first */
	bool begun;		      /* the oldest of ops has: op is its */
	struct sdpu_atomic op;
	bool looking; /* for the waits, through look */
	struct sdpu_atomic look;
	struct sdpu_task_pool pools[SDPU_EVENT_TASK_KINDS];

	struct sdpu_event_export pci;
	struct sdpu_event_export net;
};

static inline bool sdpu_event_is_imported(const struct doca_sync_event *event)
{
	return event->word.place == SDPU_EVENT_PLACE_REMOTE;
}
static inline bool sdpu_event_is_direct(const struct doca_sync_event *event)
{
	/* acquire: pairs with the release of doca_sync_event_start() */
	return sdpu_load_acquire(&event->direct) == SDPU_EVENT_STARTED;
}
/* In either way. */
static inline bool sdpu_event_is_started(const struct doca_sync_event *event)
{
	return sdpu_event_is_direct(event) || event->ctx.state != DOCA_CTX_STATE_IDLE;
}

static inline bool sdpu_event_is_open(const struct doca_sync_event *event)
{
	/* acquire: pairs with the release of sdpu_event_open() */
	return sdpu_load_acquire(&event->open) != 0;
}
static inline uint32_t sdpu_event_locations(const struct doca_sync_event *event)
{
	return event->sides[SDPU_EVENT_PUBLISHER].locations |
	       event->sides[SDPU_EVENT_SUBSCRIBER].locations;
}

/* sync_event.c: an empty one. NULL: out of memory. Ends with doca_sync_event_destroy(). */
struct doca_sync_event *sdpu_event_make(struct doca_dev *dev);
/* For both ways of starting, while idle. BAD_CONFIG: a location is missing; INVALID_VALUE: the
 * memory for the counter. Logged. */
doca_error_t sdpu_event_check(const struct doca_sync_event *event, const char *call);
doca_error_t sdpu_event_open(struct doca_sync_event *event);
/* Waits for those inside sdpu_event_operate(). */
void sdpu_event_close(struct doca_sync_event *event);

/* sync_event_config.c: publisher or subscriber of an idle event will be there. NULL, or BAD_STATE,
 * NOT_PERMITTED (logged): it cannot be configured. */
doca_error_t sdpu_event_add_location(struct doca_sync_event *event, enum sdpu_event_role role,
				     enum sdpu_event_location location, const char *call);

/* sync_event_ctx.c */
extern const struct sdpu_ctx_ops sdpu_event_ctx_ops;
void sdpu_event_source_init(struct sdpu_source *source);
doca_error_t sdpu_event_submit_op(struct doca_task *base);
doca_error_t sdpu_event_submit_wait(struct doca_task *base);

/* sync_event_export.c: all exports are void from now on. Before the word is closed. */
void sdpu_event_drop_exports(struct doca_sync_event *event);
/* A blob of that kind, and the counter that it names; *reach NULL: on another machine, where only
 * one over the network may be. INVALID_VALUE: it names none; else as sdpu_import_open(). All are
 * logged. */
doca_error_t sdpu_event_import(const char *call, const uint8_t *data, size_t sz,
			       enum sdpu_blob_kind kind, struct sdpu_blob *blob,
			       struct sdpu_reach **reach);

#endif
