/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DPA completion, as its files know it: completion.c (host), completion_ring.c (elements),
 * dev_completion.c (device functions). Contract in completion.h.
 */
#ifndef SDPU_DPA_COMPLETION_OBJECT_H
#define SDPU_DPA_COMPLETION_OBJECT_H

#include "dpa/completion.h"
#include "dpa/handle.h"
#include "dpa/member.h"
#include "dpa/trigger.h"

/* Place of one element. `seq` is twice its position while it is free, and one more when it is
 * written. An ack frees it for the next round. */
struct completion_slot {
	struct sdpu_dpa_head head; /* its address is the element's handle */
	uint32_t seq;		   /* atomic */
	struct sdpu_dpa_element element;
};

struct doca_dpa_completion {
	struct sdpu_dpa_head head;
	struct sdpu_dpa_trigger trigger;
	struct doca_dpa *dpa;		/* joined */
	struct doca_dpa_thread *thread; /* the user's; NULL: none */
	enum dpa_member_state state;
	uint32_t attached; /* senders that are started and report here */
	struct sdpu_dpa_slots *all_slots;
	struct completion_slot *ring;
	uint32_t size;	    /* a power of two */
	uint32_t told_full; /* atomic: it was logged */

	uint32_t tail SDPU_CACHE_ALIGNED; /* atomic: next position to push at */

	/* Written by the reader. Atomic, as the strand reads them, too. */
	uint32_t cursor SDPU_CACHE_ALIGNED; /* next position to read */
	uint32_t acked;			    /* next position to give back */
	uint32_t armed;
};

static inline struct completion_slot *dpa_completion_slot(const struct doca_dpa_completion *comp,
							  uint32_t position)
{
	return &comp->ring[position & (comp->size - 1)];
}

/* Is there an element that was not read? */
static inline bool dpa_completion_pending(const struct doca_dpa_completion *comp)
{
	uint32_t cursor = sdpu_load(&comp->cursor);

	/* acquire: pairs with the publish of sdpu_dpa_completion_push() */
	return sdpu_load_acquire(&dpa_completion_slot(comp, cursor)->seq) == 2 * cursor + 1;
}

/* completion_ring.c: empty and armed. Only while nobody uses it. */
void dpa_completion_reset(struct doca_dpa_completion *comp);
/* Makes its handle and those of its elements invalid. */
void dpa_completion_withdraw(struct doca_dpa_completion *comp);
bool dpa_completion_due(struct sdpu_dpa_trigger *trigger);

#endif
