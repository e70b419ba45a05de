/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Consumer completion: where the DPA consumers that are attached to it report arrivals. It has the
 * ring that their producers write (msgq_port.h), so that a message is moved once. Device code reads
 * its elements in order, acks them in that order, and arms the thread that is attached.
 *
 * Owner: the user; it joins the DPA of its thread. Settings, start and stop belong to one thread at
 * a time, consumers attach from their own ones; the data path belongs to one DPA thread at a time.
 *
 *   STOPPED  is set
 *   STARTED  consumers may be attached; stop is refused while there are any
 *
 * It triggers its thread once for each arming: when it is armed and holds an element that was not
 * read. It starts armed, as programs arm at the end of each run only.
 */
#ifndef SDPU_COMCH_CONSUMER_COMPLETION_H
#define SDPU_COMCH_CONSUMER_COMPLETION_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <doca_comch_consumer.h>

#include "comch/msgq_port.h"
#include "dpa/trigger.h"

enum comch_completion_state { COMCH_COMPLETION_STOPPED, COMCH_COMPLETION_STARTED };

struct doca_comch_consumer_completion {
	struct sdpu_dpa_head head; /* what its handle leads to; of a kind while STARTED */
	enum comch_completion_state state;
	struct doca_dpa *dpa;
	struct doca_dpa_thread *thread;
	uint32_t max_consumers;
	uint32_t max_recv;
	uint32_t imm_len;
	pthread_mutex_t lock;
	uint32_t attached;
	/* From start to stop. */
	bool *used; /* which places are; under the lock */
	struct comch_msgq_ring *ring;
	struct sdpu_dpa_trigger trigger;
	struct comch_completion_cursor *cursor;
};

/* Written by the DPA thread at each message: in cache lines of its own. */
struct comch_completion_cursor {
	uint64_t next; /* element to read */
	uint32_t armed;
	uint32_t taken[]; /* elements that were read of the consumer at each place, mod 2^32 */
};

static inline uint32_t *
comch_completion_taken(const struct doca_comch_consumer_completion *completion, uint32_t place)
{
	return &completion->cursor->taken[place];
}

/* Consumer's thread. BAD_STATE (logged, as `call`): not started; NO_MEMORY (logged): there are
 * max_consumers. */
doca_error_t comch_completion_attach(struct doca_comch_consumer_completion *completion,
				     const char *call, uint32_t *place);
void comch_completion_detach(struct doca_comch_consumer_completion *completion, uint32_t place);
/* For the stop of a consumer whose port is closed: lets the kernels come to their ends that its
 * last messages begin. Waits no longer than 200 ms. */
void comch_completion_drain(struct doca_comch_consumer_completion *completion);

#endif
