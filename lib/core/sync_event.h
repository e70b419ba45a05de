/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sync events, for the other libraries: events of other programs, imported as targets of RDMA tasks
 * (remote net). Owner: the user, who keeps one as long as a task uses it. In our machine room it
 * has a reach; one of another machine is *foreign*, and only an RDMA connection to its exporter
 * leads there. When the exporter dies or stops the event, the reach fails each access; the object
 * stays until the user destroys it. Any thread.
 */
#ifndef SDPU_CORE_SYNC_EVENT_H
#define SDPU_CORE_SYNC_EVENT_H

#include <doca_sync_event.h>

#include "base/compiler.h"
#include "bus/blob.h"
#include "bus/window.h"

/* To the 8 bytes of the counter; NULL: foreign. */
SDPU_SHARED struct sdpu_reach *
sdpu_remote_net_reach(const struct doca_sync_event_remote_net *event);
/* What it was made from. If it has a reach, key, owner and range have been checked; if it is
 * foreign nothing has: there the responder judges. */
SDPU_SHARED const struct sdpu_blob *
sdpu_remote_net_source(const struct doca_sync_event_remote_net *event);

#endif
