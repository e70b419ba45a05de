/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sync events, for the other libraries. Owner: the user, who keeps one as long as it is in use; of
 * one that is held the memory stays, so that operations fail. When the exporter of an imported one
 * dies or stops it, each access fails; the object stays until the user destroys it. Any thread.
 *
 * struct doca_sync_event: an event of this program, or one imported by it. DPAs operate on it,
 * kernels by its handle.
 *
 * struct doca_sync_event_remote_net: a target of RDMA tasks. On this machine it has a reach;
 * one of another machine is *foreign*, and only an RDMA connection to its exporter leads there.
 */
#ifndef SDPU_CORE_SYNC_EVENT_H
#define SDPU_CORE_SYNC_EVENT_H

#include <doca_sync_event.h>

#include "base/compiler.h"
#include "bus/blob.h"
#include "bus/window.h"
#include "core/dpa_handle.h"

/*
 * One operation on an event that is started, in either way, to its end; what was there before goes
 * to *before unless that is NULL. Stop waits for it. BAD_STATE: not started; else as
 * sdpu_atomic_run(). No logging; waits only for the agent of an exporter.
 */
SDPU_SHARED doca_error_t sdpu_event_operate(struct doca_sync_event *event,
					    enum sdpu_atomic_kind kind, uint64_t operand,
					    uint64_t *before);
/* For operations that come later, when the user may have destroyed it. NULL is ignored. hold
 * returns the event, or NULL if it is gone already, as one named by device code may be. */
SDPU_SHARED struct doca_sync_event *sdpu_event_hold(struct doca_sync_event *event);
SDPU_SHARED void sdpu_event_release(struct doca_sync_event *event);
/* Describes such a failure in words. */
SDPU_SHARED const char *sdpu_event_fault(doca_error_t result);
/* The event whose handle begins with this head of kind SDPU_DPA_KIND_SYNC_EVENT. */
SDPU_SHARED struct doca_sync_event *sdpu_event_of_head(struct sdpu_dpa_head *head);

/* To the 8 bytes of the counter; NULL: foreign. */
SDPU_SHARED struct sdpu_reach *
sdpu_remote_net_reach(const struct doca_sync_event_remote_net *event);
/* What it was made from. If it has a reach, key, owner and range have been checked; if it is
 * foreign nothing has: there the responder judges. */
SDPU_SHARED const struct sdpu_blob *
sdpu_remote_net_source(const struct doca_sync_event_remote_net *event);

#endif
