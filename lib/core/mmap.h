/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Mmap: a user's range made known to the library (local), or somebody else's range imported from an
 * export blob (imported). Owner: the user. Every started local mmap is a window (bus/window.h),
 * every imported one holds a reach, unless it is *foreign*: the memory is of another machine, and
 * only an RDMA connection to its exporter leads there. The memory may already be freed when stop or
 * destroy run: it is never touched there. Thread: the user's, one at a time; the accessors below
 * are safe from any engine's thread while the mmap is started.
 */
#ifndef SDPU_CORE_MMAP_H
#define SDPU_CORE_MMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>
#include <doca_mmap.h>

#include "base/compiler.h"
#include "bus/blob.h"
#include "bus/window.h"

SDPU_SHARED uint32_t sdpu_mmap_permissions(const struct doca_mmap *mmap);
/* Local: the window; imported: NULL. */
SDPU_SHARED struct sdpu_window *sdpu_mmap_window(const struct doca_mmap *mmap);
/* Imported: the reach, NULL if foreign; local: NULL. */
SDPU_SHARED struct sdpu_reach *sdpu_mmap_reach(const struct doca_mmap *mmap);
/* Imported: the descriptor that it was made from, for as long as the mmap lives; local: NULL. Of
 * what it says, key and owner have been checked if the mmap has a reach, and nothing if it is
 * foreign: there the responder judges. */
SDPU_SHARED const struct sdpu_blob *sdpu_mmap_source(const struct doca_mmap *mmap);
SDPU_SHARED bool sdpu_mmap_started(const struct doca_mmap *mmap);
/* Atomic: grows with each mmap that stops. Who has looked at one needs not look again until then;
 * its address says nothing, another may lie there now. */
extern SDPU_SHARED uint32_t sdpu_mmap_stops;
/* One of its devices is the same PCI function as dev. */
SDPU_SHARED bool sdpu_mmap_has_function(const struct doca_mmap *mmap, const struct doca_dev *dev);

#endif
