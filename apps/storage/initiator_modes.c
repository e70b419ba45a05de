/* SPDX-License-Identifier: BSD-3-Clause */
/* What the initiator's threads run: plain transfers, or writes that are read back and compared. */
#include "initiator.h"

#include <doca_log.h>

#include <string.h>

DOCA_LOG_REGISTER(STORAGE::INITIATOR_MODES);

/* The buffers hold one pattern when they are written and the next one when they are read into. */
static const uint8_t validation_patterns[] = {0x13, 0xAA, 0x55, 0xEE};
#define NUM_PATTERNS (sizeof(validation_patterns) / sizeof(validation_patterns[0]))

static void initiator_report(struct initiator_thread *thread)
{
	if (thread->failure != DOCA_SUCCESS)
		worker_report(&thread->worker, thread->failure, thread->failure_text,
			      &thread->initiator->app.fault);
}

void initiator_body_transfer(struct worker *worker)
{
	struct initiator_thread *thread = (struct initiator_thread *)worker;

	initiator_burst(thread, thread->initiator->operation, thread->share);
	initiator_report(thread);
}

/* All buffers, also those that a short last round leaves out: nothing old may pass for new. */
static void initiator_fill(struct initiator_thread *thread, uint64_t round)
{
	const struct plan *plan = &thread->initiator->plan;

	memset(thread->memory, validation_patterns[round % NUM_PATTERNS],
	       (size_t)thread->initiator->num_transactions * plan->buffer_size);
}

/* Bytes that all have one value equal themselves shifted by one. */
static bool initiator_buffer_is(const uint8_t *buffer, size_t size, uint8_t value)
{
	return buffer[0] == value && memcmp(buffer, buffer + 1, size - 1) == 0;
}

static bool initiator_compare(struct initiator_thread *thread, uint32_t count, uint64_t round)
{
	const size_t size = thread->initiator->plan.buffer_size;
	const uint8_t expected = validation_patterns[round % NUM_PATTERNS];
	uint32_t i;

	for (i = 0; i < count; i++) {
		if (initiator_buffer_is(thread->memory + i * size, size, expected))
			continue;
		fault_raise_kind(&thread->initiator->app.fault, FAULT_VERDICT, DOCA_ERROR_IO_FAILED,
				 "Validation failed: buffer %u of thread %u does not hold the "
				 "pattern 0x%02x that was written",
				 i, thread->worker.index, expected);
		worker_group_move(thread->worker.group, WORKERS_STOPPING);
		return false;
	}
	return true;
}

/* One round: write count buffers, spoil them, read them back, compare. */
static bool initiator_validate_round(struct initiator_thread *thread, uint32_t count,
				     uint64_t round)
{
	initiator_fill(thread, round);
	initiator_burst(thread, IO_MESSAGE_WRITE, count);
	if (!initiator_thread_goes_on(thread))
		return false;
	initiator_fill(thread, round + 1);
	initiator_burst(thread, IO_MESSAGE_READ, count);
	return initiator_thread_goes_on(thread) && initiator_compare(thread, count, round);
}

void initiator_body_validate(struct worker *worker)
{
	struct initiator_thread *thread = (struct initiator_thread *)worker;
	const uint32_t most = thread->initiator->num_transactions;
	uint32_t left = thread->share, count;
	uint64_t round;

	for (round = 0; left != 0; round++) {
		count = left < most ? left : most;
		if (!initiator_validate_round(thread, count, round)) {
			DOCA_LOG_ERR("Data path thread %u verified %u of %u operations",
				     worker->index, thread->share - left, thread->share);
			initiator_report(thread);
			return;
		}
		left -= count;
	}
	DOCA_LOG_INFO("All data transfers verified successfully");
}
