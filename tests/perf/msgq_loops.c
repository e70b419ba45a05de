/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MsgQ: messages to a DPA thread and back, in batches.  Both threads are counted, each while it
 * works and not while it waits for the other, as how long it does differs from run to run.
 */
#include "counting.h"
#include "loops.h"
#include "msgq_end.h"

#include <sched.h>

extern doca_dpa_func_t answer_batches;

#define BATCH 32

static struct msgq_end end;

static bool open_all(struct bench *bench)
{
	return msgq_end_open(bench, &end, &answer_batches);
}

static void await_answers(void)
{
	const uint32_t number = end.shared.sent + 1;

	CALLGRIND_TOGGLE_COLLECT;
	__atomic_store_n(&end.shared.sent, number, __ATOMIC_RELEASE);
	while (__atomic_load_n(&end.shared.answered, __ATOMIC_ACQUIRE) != number)
		sched_yield();
	CALLGRIND_TOGGLE_COLLECT;
}

static bool trip_batch(struct bench *bench)
{
	const uint64_t until = end.received + BATCH;

	for (int i = 0; i < BATCH; i++) {
		if (!msgq_end_send(&end))
			return false;
	}
	await_answers();
	return loop_await(bench, end.pe, &end.received, until);
}

const struct loop msgq_loops[] = {
	{"msgq.trip.batch32", open_all, trip_batch, BATCH},
	{0},
};
