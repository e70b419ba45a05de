/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The DPA's half of the MsgQ loop; dpacc compiles it.  Its instructions are counted, but not while
 * it waits: the other half says when a batch is complete.
 */
#include <sched.h>

#include <doca_dpa_dev_comch_msgq.h>

#include "counting.h"
#include "msgq_shared.h"

#define REPORT_NOTHING (DOCA_DPA_DEV_SUBMIT_FLAG_FLUSH | DOCA_DPA_DEV_SUBMIT_FLAG_OPTIMIZE_REPORTS)

static void answer_all(const struct msgq_shared *shared)
{
	doca_dpa_dev_comch_consumer_completion_element_t element;
	const uint8_t *imm;
	uint32_t len, taken = 0;

	while (doca_dpa_dev_comch_consumer_get_completion(shared->arrivals, &element)) {
		imm = doca_dpa_dev_comch_consumer_get_completion_imm(element, &len);
		doca_dpa_dev_comch_producer_post_send_imm_only(shared->producer, 1, imm, len,
							       REPORT_NOTHING);
		taken++;
	}
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
