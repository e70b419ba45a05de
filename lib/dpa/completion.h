/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DPA completion: a bounded queue of elements that device code reads, and acks in the order of
 * reading. Owner: the user; it holds its DPA context from create to destroy, and its thread from
 * start to stop. Any number of DPA threads push; one at a time reads, acks and arms. What reports
 * through it (producers, asynchronous operations) attaches when it starts and detaches when it
 * stops, and stands against stop meanwhile.
 *
 * It triggers its thread once for each arming: when it is armed and holds an element that was not
 * read. It starts armed, as programs arm at the end of each run only. All is in one process: when
 * that dies, so does everything here; a kernel that is ended leaves the queue whole.
 */
#ifndef SDPU_DPA_COMPLETION_H
#define SDPU_DPA_COMPLETION_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_dpa.h>

#include "base/atomic.h"
#include "base/compiler.h"

/*
 * Room for what is under way: an operation that will be reported takes a slot, the ack of its
 * element gives it back. Owner: the completion, until it is destroyed, as elements that were not
 * acked refer to it for longer than their sender lives.
 */
struct sdpu_dpa_slots {
	uint32_t size;
	uint32_t used;	   /* atomic */
	uint32_t attached; /* host's thread; 0: free for another sender when `used` is 0 */
	struct sdpu_dpa_slots *next;
};

/* False: all are taken. By one DPA thread at a time. */
static inline bool sdpu_dpa_slots_take(struct sdpu_dpa_slots *slots)
{
	/* acquire: pairs with the release of the ack; one taker, so the sum cannot pass size */
	if (sdpu_unlikely(sdpu_load_acquire(&slots->used) >= slots->size))
		return false;
	(void)sdpu_fetch_add(&slots->used, 1);
	return true;
}

static inline void sdpu_dpa_slots_give(struct sdpu_dpa_slots *slots)
{
	(void)sdpu_fetch_sub(&slots->used, 1);
}

/* What is pushed; copied. */
struct sdpu_dpa_element {
	uint32_t type;		      /* doca_dpa_dev_completion_type_t */
	uint32_t user_data;	      /* DOCA_DPA_COMPLETION_LOG_MAX_USER_DATA bits */
	uint32_t imm;		      /* of RDMA receives */
	struct sdpu_dpa_slots *slots; /* one of these is given back at ack; NULL: none */
};

/* Host's thread. BAD_STATE (logged, as `call`): it is not started. NO_MEMORY. */
SDPU_SHARED doca_error_t sdpu_dpa_completion_attach(struct doca_dpa_completion *comp,
						    const char *call, uint32_t num_slots,
						    struct sdpu_dpa_slots **slots);
SDPU_SHARED void sdpu_dpa_completion_detach(struct doca_dpa_completion *comp,
					    struct sdpu_dpa_slots *slots);
SDPU_SHARED struct doca_dpa *sdpu_dpa_completion_dpa(const struct doca_dpa_completion *comp);

/* Any thread; wakes the attached one. False: full, which is logged once; nothing was pushed. */
SDPU_SHARED bool sdpu_dpa_completion_push(struct doca_dpa_completion *comp,
					  const struct sdpu_dpa_element *element);

#endif
