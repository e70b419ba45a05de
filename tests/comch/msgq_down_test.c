/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MsgQ from the CPU to the DPA: messages, credits, elements, arming, several members.
 */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "comch/msgq_rig.h"

static struct rig rig;

/* Posts receives. */
KIT_RPC(post)
{
	struct rig *at = (struct rig *)arg;

	doca_dpa_dev_comch_consumer_ack(at->consumer, at->count);
	return 0;
}

static void post_receives(uint32_t number)
{
	rig.count = number;
	T_EQ(kit_rpc(rig.dpa, KIT_FUNC(post), (uintptr_t)&rig), 0);
}

/* Reads at most `most` elements, and acks none. */
static uint32_t drain(struct rig *at, uint32_t most)
{
	doca_dpa_dev_comch_consumer_completion_element_t element;
	const uint8_t *imm;
	uint32_t read = 0;

	while (read < most &&
	       doca_dpa_dev_comch_consumer_get_completion(at->completion, &element)) {
		imm = doca_dpa_dev_comch_consumer_get_completion_imm(element, &at->last_len);
		memcpy(at->last_imm, imm, at->last_len);
		at->last_producer = doca_dpa_dev_comch_consumer_get_completion_producer_id(element);
		read++;
	}
	return read;
}

/* As programs do it. */
KIT_GLOBAL(serve)
{
	struct rig *at = (struct rig *)arg;
	uint32_t read = drain(at, UINT32_MAX);

	doca_dpa_dev_comch_consumer_completion_ack(at->completion, read);
	doca_dpa_dev_comch_consumer_completion_request_notification(at->completion);
	doca_dpa_dev_comch_consumer_ack(at->consumer, read);
	rig_add(&at->runs, 1);
	rig_add(&at->read, read);
	doca_dpa_dev_thread_reschedule();
}

/* Reads, but gives no element back. */
KIT_GLOBAL(keep)
{
	struct rig *at = (struct rig *)arg;

	rig_add(&at->read, drain(at, UINT32_MAX));
	doca_dpa_dev_comch_consumer_completion_request_notification(at->completion);
	doca_dpa_dev_thread_reschedule();
}

/* One element for each run; does not arm. */
KIT_GLOBAL(once)
{
	struct rig *at = (struct rig *)arg;

	rig_add(&at->read, drain(at, 1));
	rig_add(&at->runs, 1);
	doca_dpa_dev_thread_reschedule();
}

KIT_GLOBAL(once_and_arm)
{
	struct rig *at = (struct rig *)arg;
	uint32_t read = drain(at, 1);

	doca_dpa_dev_comch_consumer_completion_request_notification(at->completion);
	rig_add(&at->read, read);
	rig_add(&at->runs, 1);
	doca_dpa_dev_thread_reschedule();
}

KIT_RPC(arm)
{
	struct rig *at = (struct rig *)arg;

	doca_dpa_dev_comch_consumer_completion_request_notification(at->completion);
	return 0;
}

static void open_serving(uint32_t receives)
{
	rig_open(&rig, KIT_FUNC(serve));
	post_receives(receives);
	T_OK(doca_dpa_thread_run(rig.thread));
}

T_CASE(message_arrives_with_its_sender)
{
	uint8_t imm[32];

	for (uint8_t i = 0; i < sizeof(imm); i++)
		imm[i] = i;
	open_serving(1);
	T_OK(cpu_producer_try(&rig.cpu_producer, 1, imm, sizeof(imm)));
	RIG_UNTIL(&rig, rig_load(&rig.read) == 1 && rig.cpu_producer.done == 1);
	T_EQ(rig.last_len, sizeof(imm));
	T_MEMEQ(rig.last_imm, imm, sizeof(imm));
	T_EQ(rig.last_producer, rig.cpu_producer.id);
	rig_close(&rig);
}

T_CASE_TIMEOUT(many_messages, 120)
{
	open_serving(RIG_DEPTH);
	for (uint32_t i = 1; i <= 20000; i++)
		rig_send(&rig, i);
	RIG_UNTIL(&rig, rig_load(&rig.read) == 20000 && rig.cpu_producer.done == 20000);
	rig_close(&rig);
}

/* Each message waits until the one before was read, so that the strand has gone to sleep now and
 * then. */
T_CASE_TIMEOUT(every_message_wakes, 120)
{
	open_serving(RIG_DEPTH);
	for (uint32_t i = 1; i <= 2000; i++) {
		rig_send(&rig, i);
		RIG_UNTIL(&rig, rig_load(&rig.read) == i);
		T_MEMEQ(rig.last_imm, &i, sizeof(i));
		if (i % 100 == 0)
			usleep(2000);
	}
	rig_close(&rig);
}

T_CASE(again_without_credit)
{
	rig_open(&rig, KIT_FUNC(serve));
	T_ERR(rig_try(&rig, 1), DOCA_ERROR_AGAIN);
	post_receives(2);
	T_OK(rig_try(&rig, 1));
	T_OK(rig_try(&rig, 2));
	T_ERR(rig_try(&rig, 3), DOCA_ERROR_AGAIN);
	/* Once the thread runs, it posts what it has read. */
	T_OK(doca_dpa_thread_run(rig.thread));
	rig_send(&rig, 3);
	rig_send(&rig, 4);
	RIG_UNTIL(&rig, rig_load(&rig.read) == 4);
	rig_close(&rig);
}

static void fill_elements(uint32_t sharers)
{
	rig.sharers = sharers;
	rig_open_with(&rig, KIT_FUNC(keep), 16, 4, 16);
	post_receives(16);
	T_OK(doca_dpa_thread_run(rig.thread));
	for (uint32_t i = 1; i <= 4; i++)
		T_OK(rig_try(&rig, i));
	RIG_UNTIL(&rig, rig_load(&rig.read) == 4);
	T_ERR(rig_try(&rig, 5), DOCA_ERROR_AGAIN);
	rig_close(&rig);
}

T_CASE(again_without_free_element)
{
	fill_elements(1);
}

T_CASE(again_without_free_element_that_others_use)
{
	fill_elements(2);
}

static void check_explained(const char *text)
{
	bool told = false;

	T_EVENTUALLY((T_EQ(rig_try(&rig, 1), DOCA_ERROR_AGAIN),
		      told = strstr(kit_log(), text) != NULL, told),
		     10000);
}

T_CASE(again_is_explained)
{
	rig_open_with(&rig, KIT_FUNC(keep), 4, 2, 16);
	(void)kit_log();
	check_explained("consumer 1 has no posted receive; device code posts them by "
			"doca_dpa_dev_comch_consumer_ack()");
	post_receives(4);
	T_OK(rig_try(&rig, 1));
	T_OK(rig_try(&rig, 1));
	check_explained("consumer 1 has no free element in its completion");
	rig_close(&rig);
}

T_CASE(messages_before_run_count)
{
	rig_open(&rig, KIT_FUNC(serve));
	post_receives(3);
	for (uint32_t i = 1; i <= 3; i++)
		T_OK(rig_try(&rig, i));
	T_EQ(rig_load(&rig.runs), 0);
	T_OK(doca_dpa_thread_run(rig.thread));
	RIG_UNTIL(&rig, rig_load(&rig.read) == 3);
	rig_close(&rig);
}

T_CASE(triggers_once_for_each_arming)
{
	rig_open(&rig, KIT_FUNC(once));
	post_receives(8);
	T_OK(doca_dpa_thread_run(rig.thread));
	for (uint32_t i = 1; i <= 3; i++)
		T_OK(rig_try(&rig, i));
	RIG_UNTIL(&rig, rig_load(&rig.runs) == 1);
	/* Two are left, and nobody armed: an RPC that comes and goes gives it all the time. */
	post_receives(0);
	usleep(20000);
	T_EQ(rig_load(&rig.runs), 1);
	/* Armed by another thread, while elements wait. */
	T_EQ(kit_rpc(rig.dpa, KIT_FUNC(arm), (uintptr_t)&rig), 0);
	RIG_UNTIL(&rig, rig_load(&rig.runs) == 2);
	T_EQ(kit_rpc(rig.dpa, KIT_FUNC(arm), (uintptr_t)&rig), 0);
	RIG_UNTIL(&rig, rig_load(&rig.read) == 3);
	/* Armed with nothing there: the next message triggers. */
	T_EQ(kit_rpc(rig.dpa, KIT_FUNC(arm), (uintptr_t)&rig), 0);
	T_EQ(rig_load(&rig.runs), 3);
	T_OK(rig_try(&rig, 4));
	RIG_UNTIL(&rig, rig_load(&rig.runs) == 4);
	rig_close(&rig);
}

T_CASE(arming_with_elements_left_triggers_at_once)
{
	rig_open(&rig, KIT_FUNC(once_and_arm));
	post_receives(8);
	T_OK(doca_dpa_thread_run(rig.thread));
	for (uint32_t i = 1; i <= 8; i++)
		T_OK(rig_try(&rig, i));
	RIG_UNTIL(&rig, rig_load(&rig.read) == 8);
	rig_close(&rig);
}

static void *stream(void *arg)
{
	struct cpu_producer *sender = arg;
	struct doca_pe *own;

	T_OK(doca_pe_create(&own));
	cpu_producer_open(sender, rig.down, own, RIG_DEPTH);
	for (uint32_t i = 1; i <= 3000; i++)
		cpu_producer_send(sender, 1, i);
	cpu_producer_close(sender);
	T_OK(doca_pe_destroy(own));
	return NULL;
}

T_CASE_TIMEOUT(producers_in_threads, 120)
{
	struct cpu_producer senders[3] = {0};
	pthread_t threads[3];

	open_serving(RIG_DEPTH);
	for (int i = 0; i < 3; i++)
		T_EQ(pthread_create(&threads[i], NULL, stream, &senders[i]), 0);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	RIG_UNTIL(&rig, rig_load(&rig.read) == 9000);
	rig_close(&rig);
}

static doca_dpa_dev_comch_consumer_t second_handle;

KIT_RPC(post_second)
{
	doca_dpa_dev_comch_consumer_ack(second_handle, (uint32_t)arg);
	return 0;
}

/* Credits are each consumer's own, elements are common. */
T_CASE(consumers_share_a_completion)
{
	struct doca_comch_consumer *second;
	uint32_t id, number = 5;

	rig.sharers = 4;
	rig_open(&rig, KIT_FUNC(keep));
	second = rig_dpa_consumer(&rig, rig.arrivals, 8);
	T_OK(doca_comch_consumer_get_id(second, &id));
	T_EQ(id, 2);
	T_OK(doca_comch_consumer_get_dpa_handle(second, &second_handle));
	T_EQ(kit_rpc(rig.dpa, KIT_FUNC(post_second), 3), 0);
	T_ERR(rig_try(&rig, 1), DOCA_ERROR_AGAIN);
	for (uint32_t i = 0; i < 3; i++)
		T_OK(cpu_producer_try(&rig.cpu_producer, id, &number, sizeof(number)));
	T_ERR(cpu_producer_try(&rig.cpu_producer, id, &number, sizeof(number)), DOCA_ERROR_AGAIN);
	post_receives(1);
	T_OK(rig_try(&rig, 1));
	T_OK(doca_dpa_thread_run(rig.thread));
	RIG_UNTIL(&rig, rig_load(&rig.read) == 4);
	T_OK(doca_ctx_stop(doca_comch_consumer_as_ctx(second)));
	T_ERR(cpu_producer_try(&rig.cpu_producer, id, &number, sizeof(number)),
	      DOCA_ERROR_NOT_FOUND);
	T_OK(doca_comch_consumer_destroy(second));
	rig_close(&rig);
}

static void start_again(uint32_t sharers)
{
	struct doca_ctx *ctx;

	rig.sharers = sharers;
	rig_open(&rig, KIT_FUNC(serve));
	ctx = doca_comch_consumer_as_ctx(rig.dpa_consumer);
	T_OK(doca_dpa_thread_run(rig.thread));
	for (uint32_t life = 1; life <= 3; life++) {
		T_ERR(rig_try(&rig, 1), DOCA_ERROR_AGAIN);
		post_receives(RIG_DEPTH);
		T_OK(rig_try(&rig, 1));
		RIG_UNTIL(&rig, rig_load(&rig.read) == life);
		T_OK(doca_ctx_stop(ctx));
		T_OK(doca_ctx_start(ctx));
	}
	rig_close(&rig);
}

T_CASE(consumer_starts_again)
{
	start_again(1);
}

T_CASE(consumer_starts_again_where_others_may_be)
{
	start_again(2);
}

/* Elements of its life before are the completion's: they keep their places and their order. */
T_CASE(elements_outlive_their_consumer)
{
	struct doca_ctx *ctx;

	rig_open_with(&rig, KIT_FUNC(keep), 16, 4, 16);
	ctx = doca_comch_consumer_as_ctx(rig.dpa_consumer);
	post_receives(16);
	for (uint32_t i = 1; i <= 3; i++)
		T_OK(rig_try(&rig, i));
	T_OK(doca_ctx_stop(ctx));
	T_OK(doca_ctx_start(ctx));
	post_receives(16);
	T_OK(rig_try(&rig, 4));
	T_ERR(rig_try(&rig, 5), DOCA_ERROR_AGAIN);
	T_OK(doca_dpa_thread_run(rig.thread));
	RIG_UNTIL(&rig, rig_load(&rig.read) == 4);
	T_MEMEQ(rig.last_imm, &(uint32_t){4}, sizeof(uint32_t));
	rig_close(&rig);
}

static uint32_t ended;

static void *hammer(void *arg)
{
	(void)arg;
	while (rig_load(&ended) == 0) {
		doca_error_t result = rig_try(&rig, 1);

		T_CHECK(result == DOCA_SUCCESS || result == DOCA_ERROR_AGAIN ||
			result == DOCA_ERROR_NOT_FOUND || result == DOCA_ERROR_NO_MEMORY);
		(void)doca_pe_progress(rig.pe);
	}
	return NULL;
}

/* Ring and thread are given back while the CPU sends. */
T_CASE_TIMEOUT(completion_ends_under_fire, 120)
{
	pthread_t thread;

	rig_open(&rig, KIT_FUNC(serve));
	T_OK(doca_dpa_thread_run(rig.thread));
	T_EQ(pthread_create(&thread, NULL, hammer, NULL), 0);
	for (uint32_t life = 0; life < 100; life++) {
		post_receives(RIG_DEPTH);
		T_OK(doca_ctx_stop(doca_comch_consumer_as_ctx(rig.dpa_consumer)));
		T_OK(doca_dpa_thread_stop(rig.thread));
		T_OK(doca_comch_consumer_destroy(rig.dpa_consumer));
		T_OK(doca_comch_consumer_completion_stop(rig.arrivals));
		T_OK(doca_dpa_thread_start(rig.thread));
		T_OK(doca_comch_consumer_completion_start(rig.arrivals));
		T_OK(doca_dpa_thread_run(rig.thread));
		rig.dpa_consumer = rig_dpa_consumer(&rig, rig.arrivals, RIG_DEPTH);
		T_OK(doca_comch_consumer_get_dpa_handle(rig.dpa_consumer, &rig.consumer));
	}
	rig_add(&ended, 1);
	pthread_join(thread, NULL);
	rig_close(&rig);
}
