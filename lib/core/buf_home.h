/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Home of bufs: the part that inventories and pools share, embedded first in both. Owns the
 * elements for as long as it lives; those that are out are their holders'. Thread: one at a time
 * per home, so that nothing here locks; only the count of the mmap is shared among homes.
 */
#ifndef SDPU_CORE_BUF_HOME_H
#define SDPU_CORE_BUF_HOME_H

#include "base/atomic.h"
#include "base/compiler.h"
#include "core/buf.h"
#include "core/mmap_object.h"

#define SDPU_BUF_HOME_MAX (1u << 24) /* elements */

enum sdpu_buf_home_state { SDPU_BUF_HOME_STOPPED, SDPU_BUF_HOME_STARTED };

struct sdpu_buf_home {
	struct doca_buf *free; /* last in, first out: that one is most likely in the cache */
	enum sdpu_buf_home_state state;
	bool is_pool;
	bool told; /* that it was exhausted */
	uint32_t num_elements;
	uint32_t num_free;
	union doca_data user_data;
};

/* buf_home.c: elements for this home, all of them touched. NO_MEMORY (logged), also beyond
 * SDPU_BUF_HOME_MAX in all. Ends with free(). */
doca_error_t sdpu_buf_home_make(const struct sdpu_buf_home *home, size_t num, const char *call,
				struct doca_buf **elements);
/* Adds elements that were made for it. */
void sdpu_buf_home_add(struct sdpu_buf_home *home, struct doca_buf *elements, uint32_t num);
/* IN_USE (logged) while bufs are out. */
doca_error_t sdpu_buf_home_check_all_back(const struct sdpu_buf_home *home, const char *call);
/* BAD_STATE (logged) unless in that state. */
doca_error_t sdpu_buf_home_check_state(const struct sdpu_buf_home *home,
				       enum sdpu_buf_home_state state, const char *call);

/* Warns once of a home, and answers `result`. */
SDPU_COLD doca_error_t sdpu_buf_home_exhausted(struct sdpu_buf_home *home, const char *call,
					       doca_error_t result);
/* NOT_PERMITTED: an element inside a list; BAD_STATE: without references. Logged. */
SDPU_COLD doca_error_t sdpu_buf_refuse_member(const char *call);
SDPU_COLD doca_error_t sdpu_buf_refuse_released(const char *call, const struct doca_buf *buf);

/* Takes the element on top, which there is, for use with mmap. The caller fills in the window. */
static inline struct doca_buf *sdpu_buf_home_take(struct sdpu_buf_home *home,
						  struct doca_mmap *mmap)
{
	struct doca_buf *buf = home->free;

	home->free = buf->next;
	home->num_free--;
	buf->next = NULL;
	buf->last = buf;
	buf->mmap = mmap;
	buf->refcount = 1;
	buf->member = 0;
	buf->counted = !mmap->thread_safe;
	if (buf->counted)
		sdpu_fetch_add(&mmap->num_bufs, 1);
	return buf;
}

/* The mmap may be gone when it did not count. */
static inline void sdpu_buf_home_put(struct doca_buf *buf)
{
	struct sdpu_buf_home *home = buf->home;

	if (buf->counted)
		sdpu_fetch_sub(&buf->mmap->num_bufs, 1);
	buf->mmap = &sdpu_buf_no_mmap;
	buf->refcount = 0;
	buf->member = 0;
	buf->next = home->free;
	home->free = buf;
	home->num_free++;
}

#endif
