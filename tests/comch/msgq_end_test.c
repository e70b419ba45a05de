/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The ends of MsgQs: every order in which programs take them down, DPAs that fail or go first,
 * kernels that use them wrongly, fault in them, or never end.
 */
#include <string.h>

#include "comch/msgq_rig.h"

static struct rig rig;

KIT_RPC(post)
{
	struct rig *at = (struct rig *)arg;

	doca_dpa_dev_comch_consumer_ack(at->consumer, at->count);
	return 0;
}

KIT_GLOBAL(echo)
{
	rig_echo((struct rig *)arg);
}

static void open_echo(void)
{
	rig_open(&rig, KIT_FUNC(echo));
	rig.cpu_consumer.repost = true;
	cpu_consumer_post(&rig.cpu_consumer, RIG_DEPTH);
	rig.count = RIG_DEPTH;
	T_EQ(kit_rpc(rig.dpa, KIT_FUNC(post), (uintptr_t)&rig), 0);
	T_OK(doca_dpa_thread_run(rig.thread));
}

static void round_trips(uint32_t number)
{
	uint32_t before = rig.cpu_consumer.got;

	for (uint32_t i = 1; i <= number; i++) {
		rig_send(&rig, i);
		RIG_UNTIL(&rig, rig.cpu_consumer.got == before + i);
	}
}

/* Parts, in the order in which they are taken down. */
enum part {
	CPU_PRODUCER,
	DPA_CONSUMER,
	DOWN, /* the MsgQ */
	ARRIVALS,
	DPA_PRODUCER,
	CPU_CONSUMER,
	UP,
	SENT,
	THREAD,
	PARTS
};

static void end_part(enum part part)
{
	switch (part) {
	case CPU_PRODUCER:
		cpu_producer_close(&rig.cpu_producer);
		break;
	case DPA_CONSUMER:
		T_OK(doca_ctx_stop(doca_comch_consumer_as_ctx(rig.dpa_consumer)));
		T_OK(doca_comch_consumer_destroy(rig.dpa_consumer));
		break;
	case DOWN:
		msgq_close(rig.down);
		break;
	case ARRIVALS:
		T_OK(doca_comch_consumer_completion_stop(rig.arrivals));
		T_OK(doca_comch_consumer_completion_destroy(rig.arrivals));
		break;
	case DPA_PRODUCER:
		T_OK(doca_ctx_stop(doca_comch_producer_as_ctx(rig.dpa_producer)));
		T_OK(doca_comch_producer_destroy(rig.dpa_producer));
		break;
	case CPU_CONSUMER:
		cpu_consumer_close(&rig.cpu_consumer);
		break;
	case UP:
		msgq_close(rig.up);
		break;
	case SENT:
		T_OK(doca_dpa_completion_stop(rig.sent));
		T_OK(doca_dpa_completion_destroy(rig.sent));
		break;
	default:
		T_OK(doca_dpa_thread_destroy(rig.thread));
	}
}

static void end_the_rest(void)
{
	T_OK(doca_pe_destroy(rig.pe));
	kit_dpa_end(rig.dpa);
	T_OK(doca_dev_close(rig.dev));
	memset(&rig, 0, sizeof(rig));
}

/* Members before their MsgQ and completion; the thread at any time, as what it uses goes. */
static const enum part orders[][PARTS] = {
	{CPU_PRODUCER, DPA_CONSUMER, DPA_PRODUCER, CPU_CONSUMER, DOWN, UP, SENT, ARRIVALS, THREAD},
	{DPA_CONSUMER, CPU_PRODUCER, CPU_CONSUMER, DPA_PRODUCER, UP, DOWN, ARRIVALS, SENT, THREAD},
	{THREAD, DPA_PRODUCER, CPU_CONSUMER, UP, SENT, CPU_PRODUCER, DPA_CONSUMER, DOWN, ARRIVALS},
	{THREAD, DPA_CONSUMER, ARRIVALS, CPU_PRODUCER, DOWN, CPU_CONSUMER, DPA_PRODUCER, SENT, UP},
	{CPU_CONSUMER, CPU_PRODUCER, THREAD, DPA_CONSUMER, DPA_PRODUCER, ARRIVALS, SENT, DOWN, UP},
	{DPA_CONSUMER, ARRIVALS, THREAD, CPU_PRODUCER, DPA_PRODUCER, DOWN, SENT, CPU_CONSUMER, UP},
	{CPU_PRODUCER, DPA_CONSUMER, ARRIVALS, DOWN, THREAD, CPU_CONSUMER, DPA_PRODUCER, UP, SENT},
};

T_CASE_TIMEOUT(every_order_of_programs, 60)
{
	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		open_echo();
		round_trips(20);
		for (int at = 0; at < PARTS; at++)
			end_part(orders[i][at]);
		end_the_rest();
	}
}

/* What was sent and not read does not hold anything up. */
T_CASE(with_messages_under_way)
{
	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		open_echo();
		for (uint32_t n = 0; n < RIG_DEPTH; n++)
			(void)rig_try(&rig, n);
		for (int at = 0; at < PARTS; at++)
			end_part(orders[i][at]);
		end_the_rest();
	}
}

static void fail_dpa(doca_dpa_func_t *func, const char *why)
{
	uint64_t result;

	(void)kit_log();
	T_ERR(doca_dpa_rpc(rig.dpa, func, &result, (uint64_t)(uintptr_t)&rig), DOCA_ERROR_DRIVER);
	T_CHECK(strstr(kit_crash(), why) != NULL);
	T_ERR(doca_dpa_peek_at_last_error(rig.dpa), DOCA_ERROR_BAD_STATE);
}

/* Sends are refused, all the rest can be taken down, and the program lives. */
static void check_failed(void)
{
	struct doca_comch_msgq *msgq;

	T_ERR(rig_try(&rig, 1), DOCA_ERROR_BAD_STATE);
	T_OK(doca_comch_msgq_create(rig.dev, &msgq));
	T_ERR(doca_comch_msgq_set_dpa_consumer(msgq, rig.dpa), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_msgq_set_dpa_producer(msgq, rig.dpa), DOCA_ERROR_BAD_STATE);
	T_OK(doca_comch_msgq_destroy(msgq));
	rig_close(&rig);
}

KIT_RPC(post_too_many)
{
	struct rig *at = (struct rig *)arg;

	doca_dpa_dev_comch_consumer_ack(at->consumer, 1);
	return 0;
}

T_CASE(too_many_receives_end_the_kernel)
{
	open_echo();
	round_trips(3);
	fail_dpa(KIT_FUNC(post_too_many), "needed: at most 16 in all");
	check_failed();
}

/* The count is exact: what has arrived, read or not, does not count any more. */
T_CASE(as_many_receives_as_there_may_be)
{
	rig_open(&rig, KIT_FUNC(echo));
	rig.count = RIG_DEPTH;
	T_EQ(kit_rpc(rig.dpa, KIT_FUNC(post), (uintptr_t)&rig), 0);
	for (uint32_t i = 0; i < 4; i++)
		T_OK(rig_try(&rig, i));
	rig.count = 4;
	T_EQ(kit_rpc(rig.dpa, KIT_FUNC(post), (uintptr_t)&rig), 0);
	fail_dpa(KIT_FUNC(post_too_many), "needed: at most 16 in all");
	check_failed();
}

KIT_RPC(ack_unread)
{
	struct rig *at = (struct rig *)arg;

	doca_dpa_dev_comch_consumer_completion_ack(at->completion, 1);
	return 0;
}

T_CASE(ack_of_what_was_not_read_ends_the_kernel)
{
	rig_open(&rig, KIT_FUNC(echo));
	fail_dpa(KIT_FUNC(ack_unread), "only 0 were read and not acked");
	check_failed();
}

KIT_RPC(send_too_long)
{
	struct rig *at = (struct rig *)arg;
	static const uint8_t imm[33];

	doca_dpa_dev_comch_producer_post_send_imm_only(at->producer, 1, imm, 33, 0);
	return 0;
}

T_CASE(more_than_32_bytes_end_the_kernel)
{
	open_echo();
	fail_dpa(KIT_FUNC(send_too_long), "33 bytes of immediate data");
	check_failed();
}

KIT_RPC(wrong_handle)
{
	struct rig *at = (struct rig *)arg;
	doca_dpa_dev_comch_consumer_completion_element_t element;

	switch (at->count) {
	case 0:
		doca_dpa_dev_comch_consumer_ack(at->completion, 1);
		break;
	case 1:
		(void)doca_dpa_dev_comch_consumer_get_completion(at->consumer, &element);
		break;
	case 2:
		(void)doca_dpa_dev_comch_consumer_get_completion_imm(at->consumer, &at->last_len);
		break;
	case 3:
		(void)doca_dpa_dev_comch_consumer_get_completion_producer_id(0);
		break;
	case 4:
		doca_dpa_dev_comch_consumer_completion_ack(0, 1);
		break;
	case 5:
		doca_dpa_dev_comch_consumer_completion_request_notification(at->producer);
		break;
	case 6:
		(void)doca_dpa_dev_comch_producer_is_consumer_empty(at->consumer, 1);
		break;
	case 7:
		doca_dpa_dev_comch_producer_post_send_imm_only(0, 1, NULL, 0, 0);
		break;
	default:
		doca_dpa_dev_comch_producer_dma_copy(at->consumer, 1, 0, 0, 0, 0, 0, NULL, 0, 0);
	}
	return 0;
}

T_CASE(wrong_handles_end_the_kernel)
{
	for (uint32_t i = 0; i <= 8; i++) {
		open_echo();
		rig.count = i;
		fail_dpa(KIT_FUNC(wrong_handle), "doca_dpa_dev_comch_");
		check_failed();
		memset(&rig, 0, sizeof(rig));
	}
}

/* A handle dies with the start that it was got in. */
T_CASE(handle_of_a_stopped_consumer)
{
	open_echo();
	T_OK(doca_ctx_stop(doca_comch_consumer_as_ctx(rig.dpa_consumer)));
	fail_dpa(KIT_FUNC(post), "doca_dpa_dev_comch_consumer_ack");
	T_OK(doca_ctx_stop(doca_comch_consumer_as_ctx(rig.dpa_consumer)));
	rig_close(&rig);
}

KIT_RPC(send_from_nowhere)
{
	struct rig *at = (struct rig *)arg;

	doca_dpa_dev_comch_producer_post_send_imm_only(at->producer, 1, (const uint8_t *)64, 8, 0);
	return 0;
}

T_CASE(fault_in_a_send_leaves_the_queue_whole)
{
	open_echo();
	round_trips(5);
	fail_dpa(KIT_FUNC(send_from_nowhere), "send_from_nowhere");
	check_failed();
}

KIT_GLOBAL(fault)
{
	*(volatile uint32_t *)(arg & 1) = 1;
}

T_CASE(thread_that_faults)
{
	rig_open(&rig, KIT_FUNC(fault));
	rig.count = 2;
	T_EQ(kit_rpc(rig.dpa, KIT_FUNC(post), (uintptr_t)&rig), 0);
	T_OK(doca_dpa_thread_run(rig.thread));
	(void)kit_log();
	T_OK(rig_try(&rig, 1));
	RIG_UNTIL(&rig, doca_dpa_peek_at_last_error(rig.dpa) == DOCA_ERROR_BAD_STATE);
	T_EVENTUALLY(strstr(kit_crash(), "fault") != NULL, 5000);
	check_failed();
}

KIT_GLOBAL(spin)
{
	struct rig *at = (struct rig *)arg;
	doca_dpa_dev_comch_consumer_completion_element_t element;

	rig_add(&at->runs, 1);
	for (;;)
		(void)doca_dpa_dev_comch_consumer_get_completion(at->completion, &element);
}

/* Stop of a thread ends its kernel. */
T_CASE(kernel_that_never_ends)
{
	rig_open(&rig, KIT_FUNC(spin));
	rig.count = 4;
	T_EQ(kit_rpc(rig.dpa, KIT_FUNC(post), (uintptr_t)&rig), 0);
	T_OK(doca_dpa_thread_run(rig.thread));
	T_OK(rig_try(&rig, 1));
	RIG_UNTIL(&rig, rig_load(&rig.runs) == 1);
	end_part(THREAD);
	rig.thread = NULL;
	rig_close(&rig);
}

/* Contexts on it hold a DPA; the others are left with one that is gone. */
T_CASE(dpa_goes_first)
{
	open_echo();
	round_trips(3);
	T_ERR(doca_dpa_destroy(rig.dpa), DOCA_ERROR_IN_USE);
	T_ERR(doca_dpa_stop(rig.dpa), DOCA_ERROR_IN_USE);
	end_part(DPA_CONSUMER);
	end_part(DPA_PRODUCER);
	kit_dpa_end(rig.dpa);
	T_ERR(rig_try(&rig, 1), DOCA_ERROR_NOT_FOUND);
	end_part(CPU_PRODUCER);
	end_part(CPU_CONSUMER);
	end_part(DOWN);
	end_part(UP);
	end_part(ARRIVALS);
	T_OK(doca_pe_destroy(rig.pe));
	T_ERR(doca_dpa_completion_destroy(rig.sent), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_thread_destroy(rig.thread), DOCA_ERROR_BAD_STATE);
	T_OK(doca_dev_close(rig.dev));
}

/* A MsgQ on the device of an extended context, whose consumers trigger a thread of the base. */
T_CASE(extended_context)
{
	struct doca_comch_consumer *consumer;
	struct cpu_producer producer = {0};
	struct doca_dpa *extended;
	struct doca_comch_msgq *msgq;
	struct doca_dev *other = kit_open(KIT_DPU_1);

	rig.sharers = 2;
	open_echo();
	T_OK(doca_dpa_device_extend(rig.dpa, other, &extended));
	msgq = msgq_open(other, 1, 1);
	T_OK(doca_comch_msgq_set_dpa_consumer(msgq, extended));
	T_OK(doca_comch_msgq_start(msgq));
	T_OK(doca_comch_msgq_consumer_create(msgq, &consumer));
	T_OK(doca_ctx_set_datapath_on_dpa(doca_comch_consumer_as_ctx(consumer), extended));
	T_OK(doca_comch_consumer_set_completion(consumer, rig.arrivals, 0));
	T_OK(doca_comch_consumer_set_dev_max_num_recv(consumer, 4));
	T_OK(doca_ctx_start(doca_comch_consumer_as_ctx(consumer)));
	cpu_producer_open(&producer, msgq, rig.pe, 4);
	T_OK(doca_comch_consumer_get_dpa_handle(consumer, &rig.consumer));
	rig.count = 4;
	T_EQ(kit_rpc(rig.dpa, KIT_FUNC(post), (uintptr_t)&rig), 0);
	cpu_producer_send(&producer, 1, 1);
	RIG_UNTIL(&rig, rig.cpu_consumer.got == 1);
	cpu_producer_close(&producer);
	T_OK(doca_ctx_stop(doca_comch_consumer_as_ctx(consumer)));
	T_OK(doca_comch_consumer_destroy(consumer));
	msgq_close(msgq);
	T_OK(doca_dpa_destroy(extended));
	T_OK(doca_dev_close(other));
	rig_close(&rig);
}
