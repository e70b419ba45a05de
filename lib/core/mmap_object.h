/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Between the parts of the mmap, and for bufs; contract in mmap.h.
 */
#ifndef SDPU_CORE_MMAP_OBJECT_H
#define SDPU_CORE_MMAP_OBJECT_H

#include "core/dev.h"
#include "core/mmap.h"

enum sdpu_mmap_state {
	SDPU_MMAP_IDLE,	   /* configured by the user, or stopped: nobody reaches the range */
	SDPU_MMAP_STARTED, /* local: a window; imported: a reach, or foreign */
};

/* An export descriptor; made on demand, kept until stop. */
struct sdpu_mmap_export {
	uint8_t *bytes; /* NULL: not exported in this way */
	size_t len;
};

struct sdpu_mmap_dev {
	struct doca_dev *dev; /* held */
	struct sdpu_mmap_export pci;
	struct sdpu_mmap_export rdma;
};

struct doca_mmap {
	uint8_t *addr; /* NULL: no range */
	size_t len;
	enum sdpu_mmap_state state;
	uint32_t num_bufs; /* atomic: inventories of several threads count here */
	bool thread_safe;  /* bufs are not counted */
	bool imported;
	bool was_started;
	bool exported;
	uint32_t perms;
	uint32_t id;	      /* for memory keys; not 0 */
	uint32_t dpa_handle;  /* 0: none */
	struct doca_dpa *dpa; /* held: the range is in its heap; else NULL */

	struct sdpu_window *window; /* local and started */
	struct sdpu_reach *reach;   /* imported, not foreign, not stopped */
	struct sdpu_blob source;    /* imported: where from */

	struct sdpu_mmap_dev *devs;
	uint32_t num_devs;
	uint32_t max_devs;

	doca_mmap_memrange_free_cb_t *free_cb;
	void *free_cookie;
	union doca_data user_data;
};

/* The range at `base` covers the one at `at`; neither wraps around by itself. */
static inline bool sdpu_range_holds(const void *base, size_t len, const void *at, size_t at_len)
{
	size_t offset = (uintptr_t)at - (uintptr_t)base;

	return offset <= len && at_len <= len - offset;
}

static inline bool sdpu_mmap_holds(const struct doca_mmap *mmap, const void *addr, size_t len)
{
	return mmap->state == SDPU_MMAP_STARTED &&
	       sdpu_range_holds(mmap->addr, mmap->len, addr, len);
}

/* mmap.c: an empty mmap. NULL: out of memory. sdpu_mmap_free() releases devices and descriptors. */
struct doca_mmap *sdpu_mmap_make(void);
void sdpu_mmap_free(struct doca_mmap *mmap);

/* mmap_config.c: SUCCESS, if an idle mmap without a range may have this one. Else logged. */
doca_error_t sdpu_mmap_check_range(const struct doca_mmap *mmap, const void *addr, size_t len,
				   const char *call);

/* mmap_dev.c: the entry of that very device; NULL: not added. */
struct sdpu_mmap_dev *sdpu_mmap_find_dev(const struct doca_mmap *mmap, const struct doca_dev *dev);
/* Holds dev. NO_MEMORY. */
doca_error_t sdpu_mmap_append_dev(struct doca_mmap *mmap, struct doca_dev *dev);

/* mmap_export.c: all descriptors are void from now on. Before the window ends. */
void sdpu_mmap_drop_exports(struct doca_mmap *mmap);

#endif
