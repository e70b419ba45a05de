/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The DPA's half of the MsgQ loop; dpacc compiles it.  Its instructions are counted, but not while
 * it waits: the other half says when a batch is complete.
 */
#include <sched.h>

#include "counting.h"
#include "msgq_answer.h"

static void answer_all(const struct msgq_shared *shared)
{
	const uint32_t taken = msgq_answer_all(shared);

	doca_dpa_dev_comch_consumer_completion_ack(shared->arrivals, taken);
	doca_dpa_dev_comch_consumer_ack(shared->consumer, taken);
}

/* Ends with the process and never sleeps, so that whether it does cannot change what the other half
 * has to do. */
__dpa_global__ void answer_batches(uint64_t arg)
{
	struct msgq_shared *const shared = (struct msgq_shared *)arg;

	for (;;) {
		/* acquire: pairs with the release in await_answers(); so does the release below */
		if (__atomic_load_n(&shared->sent, __ATOMIC_ACQUIRE) == shared->answered) {
			sched_yield();
			continue;
		}
		CALLGRIND_TOGGLE_COLLECT;
		answer_all(shared);
		CALLGRIND_TOGGLE_COLLECT;
		__atomic_store_n(&shared->answered, shared->answered + 1, __ATOMIC_RELEASE);
	}
}
