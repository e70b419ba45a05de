/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DPA context, as far as lib/core knows it: the first member of struct doca_dpa. Owner: lib/dpa,
 * which moves its state. Contexts, events, mmaps and the like that refer to a DPA context hold it,
 * which prevents its destruction. Any thread.
 *
 * An extended context is STARTED from the beginning, and shares the fate of its base.
 */
#ifndef SDPU_CORE_DPA_BASE_H
#define SDPU_CORE_DPA_BASE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/atomic.h"
#include "core/dpa_handle.h"

struct doca_dev;
struct doca_dpa;

enum sdpu_dpa_state {
	SDPU_DPA_IDLE,	  /* being configured; after a stop, too */
	SDPU_DPA_STARTED, /* runs kernels */
	SDPU_DPA_FATAL,	  /* a kernel failed: to be destroyed */
	SDPU_DPA_GONE,	  /* destroyed; children keep the bytes */
	SDPU_DPA_STATES
};

struct sdpu_dpa_base {
	struct sdpu_dpa_head head;  /* a handle while it is STARTED */
	uint32_t state;		    /* atomic: enum sdpu_dpa_state */
	uint32_t holders;	    /* atomic */
	struct doca_dev *dev;	    /* held until it is destroyed */
	struct sdpu_dpa_base *root; /* the base of an extended one, else itself */
};

static inline struct sdpu_dpa_base *sdpu_dpa_base(const struct doca_dpa *dpa)
{
	return (struct sdpu_dpa_base *)(uintptr_t)dpa;
}

static inline enum sdpu_dpa_state sdpu_dpa_state(const struct doca_dpa *dpa)
{
	const struct sdpu_dpa_base *base = sdpu_dpa_base(dpa);
	/* acquire: pairs with the release of the move; what start made is seen */
	uint32_t own = sdpu_load_acquire(&base->state);

	return own == SDPU_DPA_STARTED ? sdpu_load_acquire(&base->root->state) : own;
}

static inline bool sdpu_dpa_running(const struct doca_dpa *dpa)
{
	return sdpu_dpa_state(dpa) == SDPU_DPA_STARTED;
}

static inline struct doca_dev *sdpu_dpa_dev(const struct doca_dpa *dpa)
{
	return sdpu_dpa_base(dpa)->dev;
}

static inline void sdpu_dpa_hold(struct doca_dpa *dpa)
{
	(void)sdpu_fetch_add(&sdpu_dpa_base(dpa)->holders, 1);
}

static inline void sdpu_dpa_release(struct doca_dpa *dpa)
{
	(void)sdpu_fetch_sub(&sdpu_dpa_base(dpa)->holders, 1);
}

#endif
