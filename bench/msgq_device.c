/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of the MsgQ rows; dpacc compiles them. */
#include <time.h>

#include "msgq_answer.h"

__dpa_rpc__ uint64_t post_receives(uint64_t arg)
{
	const struct msgq_shared *const shared = (const struct msgq_shared *)arg;

	doca_dpa_dev_comch_consumer_ack(shared->consumer, MSGQ_DEPTH);
	return 0;
}

/* As a program that uses the data would. */
static uint32_t read_all(const struct msgq_shared *shared)
{
	doca_dpa_dev_comch_consumer_completion_element_t element;
	uint32_t len, taken = 0;

	while (doca_dpa_dev_comch_consumer_get_completion(shared->arrivals, &element)) {
		(void)doca_dpa_dev_comch_consumer_get_completion_imm(element, &len);
		taken++;
	}
	return taken;
}

static void rearm(const struct msgq_shared *shared, uint32_t taken)
{
	doca_dpa_dev_comch_consumer_completion_ack(shared->arrivals, taken);
	doca_dpa_dev_comch_consumer_completion_request_notification(shared->arrivals);
	doca_dpa_dev_comch_consumer_ack(shared->consumer, taken);
}

/* As programs do it: read all, answer, arm, wait for the next. */
__dpa_global__ void answer_messages(uint64_t arg)
{
	const struct msgq_shared *const shared = (const struct msgq_shared *)arg;

	rearm(shared, msgq_answer_all(shared));
	doca_dpa_dev_thread_reschedule();
}

__dpa_global__ void count_messages(uint64_t arg)
{
	const struct msgq_shared *const shared = (const struct msgq_shared *)arg;

	rearm(shared, read_all(shared));
	doca_dpa_dev_thread_reschedule();
}

__dpa_global__ void note_time(uint64_t arg)
{
	struct msgq_shared *const shared = (struct msgq_shared *)arg;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	shared->woken = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	rearm(shared, read_all(shared));
	__atomic_fetch_add(&shared->wakes, 1, __ATOMIC_RELEASE);
	doca_dpa_dev_thread_reschedule();
}

/* Copies, slot after slot, as long as receives are posted for the notices. */
__dpa_global__ void push_copies(uint64_t arg)
{
	struct msgq_shared *const shared = (struct msgq_shared *)arg;
	const uint8_t notice = 1;
	uint32_t number = 0;

	while (__atomic_load_n(&shared->stop, __ATOMIC_RELAXED) == 0) {
		const uint64_t offset = (uint64_t)(number % shared->depth) * shared->size;

		if (doca_dpa_dev_comch_producer_is_consumer_empty(shared->producer, 1))
			continue;
		doca_dpa_dev_comch_producer_dma_copy(shared->producer, 1, shared->to_mmap,
						     shared->to + offset, shared->from_mmap,
						     shared->from + offset, shared->size, &notice,
						     1, MSGQ_REPORT_NOTHING);
		number++;
	}
}
