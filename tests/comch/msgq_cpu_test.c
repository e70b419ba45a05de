/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A MsgQ without a DPA: order, credits, several members, ends, threads and sleeping engines.
 */
#include <poll.h>
#include <pthread.h>
#include <string.h>

#include "comch/msgq_kit.h"
#include "core/kit.h"

#define NUM 16

static struct doca_dev *dev;
static struct doca_pe *pe;
static struct doca_comch_msgq *msgq;
static struct cpu_consumer consumer;
static struct cpu_producer producer;

static void open_all(uint32_t receives)
{
	dev = kit_open(KIT_DPU);
	T_OK(doca_pe_create(&pe));
	msgq = msgq_open(dev, 4, 4);
	T_OK(doca_comch_msgq_start(msgq));
	cpu_consumer_open(&consumer, msgq, pe, receives);
	cpu_producer_open(&producer, msgq, pe, NUM);
}

static void close_all(void)
{
	cpu_producer_close(&producer);
	cpu_consumer_close(&consumer);
	msgq_close(msgq);
	T_OK(doca_pe_destroy(pe));
	T_OK(doca_dev_close(dev));
}

T_CASE(message_arrives_with_its_sender)
{
	uint8_t imm[32];

	memset(imm, 0x5c, sizeof(imm));
	open_all(NUM);
	cpu_consumer_post(&consumer, 1);
	T_OK(cpu_producer_try(&producer, consumer.id, imm, sizeof(imm)));
	PE_UNTIL(pe, consumer.got == 1 && producer.done == 1);
	T_EQ(consumer.producer, producer.id);
	T_EQ(consumer.imm_len, sizeof(imm));
	T_MEMEQ(consumer.imm, imm, sizeof(imm));
	close_all();
}

T_CASE(order_is_kept)
{
	open_all(NUM);
	consumer.repost = true;
	cpu_consumer_post(&consumer, NUM);
	for (uint32_t i = 1; i <= 1000; i++) {
		cpu_producer_send(&producer, consumer.id, i);
		PE_UNTIL(pe, consumer.got == i);
		T_EQ(cpu_consumer_number(&consumer), i);
	}
	close_all();
}

T_CASE(again_without_posted_receive)
{
	const uint8_t imm = 1;

	open_all(NUM);
	T_ERR(cpu_producer_try(&producer, consumer.id, &imm, 1), DOCA_ERROR_AGAIN);
	cpu_consumer_post(&consumer, 2);
	/* It clears without anybody's progress, and is exact. */
	T_OK(cpu_producer_try(&producer, consumer.id, &imm, 1));
	T_OK(cpu_producer_try(&producer, consumer.id, &imm, 1));
	T_ERR(cpu_producer_try(&producer, consumer.id, &imm, 1), DOCA_ERROR_AGAIN);
	PE_UNTIL(pe, consumer.got == 2);
	T_ERR(cpu_producer_try(&producer, consumer.id, &imm, 1), DOCA_ERROR_AGAIN);
	close_all();
}

T_CASE(again_is_explained)
{
	const uint8_t imm = 1;

	(void)kit_log();
	open_all(NUM);
	T_EVENTUALLY((cpu_producer_try(&producer, consumer.id, &imm, 1),
		      strstr(kit_log(), "AGAIN for 1 s: consumer 1 has no posted receive") != NULL),
		     10000);
	close_all();
}

static void try_in_vain(uint32_t to, const char *sentence)
{
	const uint8_t imm = 1;
	const char *told;

	for (int i = 0; i < 100; i++)
		T_ERR(cpu_producer_try(&producer, to, &imm, 1), DOCA_ERROR_NOT_FOUND);
	told = strstr(kit_log(), sentence);
	T_CHECK(told != NULL && strstr(told + 1, sentence) == NULL);
}

T_CASE(refusals_are_told_once)
{
	const uint8_t imm = 1;

	(void)kit_log();
	open_all(NUM);
	try_in_vain(2, "to consumer 2 of the MsgQ");
	cpu_consumer_post(&consumer, 1);
	T_OK(cpu_producer_try(&producer, consumer.id, &imm, 1));
	try_in_vain(3, "to consumer 3 of the MsgQ");
	PE_UNTIL(pe, consumer.got == 1);
	close_all();
}

T_CASE(submit_refuses)
{
	uint8_t imm[32] = {0};
	struct doca_comch_producer_task_send *task;
	struct doca_task *base;

	open_all(NUM);
	cpu_consumer_post(&consumer, 1);
	T_ERR(cpu_producer_try(&producer, 0, imm, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(cpu_producer_try(&producer, 2, imm, 1), DOCA_ERROR_NOT_FOUND);
	T_ERR(cpu_producer_try(&producer, 77, imm, 1), DOCA_ERROR_NOT_FOUND);
	T_OK(doca_comch_producer_task_send_alloc_init(producer.producer, NULL, imm, 1, consumer.id,
						      &task));
	base = doca_comch_producer_task_send_as_task(task);
	doca_comch_producer_task_send_set_imm_data(task, NULL, 0);
	T_ERR(doca_task_submit(base), DOCA_ERROR_INVALID_VALUE);
	doca_comch_producer_task_send_set_imm_data(task, imm, 33);
	T_ERR(doca_task_submit(base), DOCA_ERROR_INVALID_VALUE);
	doca_task_free(base);
	close_all();
}

T_CASE(consumer_chooses_the_length)
{
	uint8_t imm[32] = {0};

	open_all(NUM);
	(void)doca_ctx_stop(consumer.ctx);
	T_OK(doca_comch_consumer_set_imm_data_len(consumer.consumer, 8));
	T_OK(doca_ctx_start(consumer.ctx));
	cpu_consumer_post(&consumer, 1);
	T_ERR(cpu_producer_try(&producer, consumer.id, imm, 9), DOCA_ERROR_INVALID_VALUE);
	T_OK(cpu_producer_try(&producer, consumer.id, imm, 8));
	PE_UNTIL(pe, consumer.got == 1);
	close_all();
}

T_CASE(ids_count_from_one)
{
	struct cpu_consumer second = {0};
	struct cpu_producer other = {0};

	open_all(NUM);
	T_EQ(consumer.id, 1);
	T_EQ(producer.id, 1);
	cpu_consumer_open(&second, msgq, pe, NUM);
	cpu_producer_open(&other, msgq, pe, NUM);
	T_EQ(second.id, 2);
	T_EQ(other.id, 2);
	/* Device code may have written a number down: the lowest free one is given out again. */
	cpu_consumer_close(&consumer);
	cpu_consumer_open(&consumer, msgq, pe, NUM);
	T_EQ(consumer.id, 1);
	cpu_producer_close(&other);
	cpu_consumer_close(&second);
	close_all();
}

T_CASE(each_consumer_gets_its_own)
{
	struct cpu_consumer second = {0};
	struct cpu_producer other = {0};

	open_all(NUM);
	cpu_consumer_open(&second, msgq, pe, NUM);
	cpu_producer_open(&other, msgq, pe, NUM);
	cpu_consumer_post(&consumer, 4);
	cpu_consumer_post(&second, 4);
	cpu_producer_send(&producer, second.id, 11);
	cpu_producer_send(&other, consumer.id, 12);
	PE_UNTIL(pe, consumer.got == 1 && second.got == 1);
	T_EQ(cpu_consumer_number(&consumer), 12);
	T_EQ(consumer.producer, other.id);
	T_EQ(cpu_consumer_number(&second), 11);
	T_EQ(second.producer, producer.id);
	cpu_producer_close(&other);
	cpu_consumer_close(&second);
	close_all();
}

T_CASE(stop_delivers_then_flushes)
{
	open_all(NUM);
	cpu_consumer_post(&consumer, 5);
	cpu_producer_send(&producer, consumer.id, 1);
	cpu_producer_send(&producer, consumer.id, 2);
	T_ERR(doca_ctx_stop(consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	T_ERR(cpu_producer_try(&producer, consumer.id, "x", 1), DOCA_ERROR_NOT_FOUND);
	PE_UNTIL(pe, consumer.flushed == 3);
	T_EQ(consumer.got, 2);
	T_EQ(consumer.last_status, DOCA_ERROR_SHUTDOWN);
	close_all();
}

/* Nothing of an earlier life is left. */
T_CASE(consumer_starts_again)
{
	open_all(NUM);
	for (uint32_t life = 0; life < 3; life++) {
		if (life > 0)
			T_OK(doca_ctx_start(consumer.ctx));
		T_ERR(cpu_producer_try(&producer, consumer.id, "x", 1), DOCA_ERROR_AGAIN);
		cpu_consumer_post(&consumer, 2);
		cpu_producer_send(&producer, consumer.id, life);
		PE_UNTIL(pe, consumer.got == life + 1);
		T_EQ(cpu_consumer_number(&consumer), life);
		(void)doca_ctx_stop(consumer.ctx);
		PE_UNTIL(pe, consumer.flushed == life + 1);
		while (doca_pe_progress(pe))
			;
	}
	close_all();
}

T_CASE(receive_freed_while_posted)
{
	struct doca_comch_consumer_task_post_recv *task;

	open_all(NUM);
	T_OK(doca_comch_consumer_task_post_recv_alloc_init(consumer.consumer, NULL, &task));
	T_OK(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)));
	doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
	cpu_consumer_post(&consumer, 1);
	cpu_producer_send(&producer, consumer.id, 7);
	PE_UNTIL(pe, consumer.got == 1);
	T_EQ(cpu_consumer_number(&consumer), 7);
	close_all();
}

static void *stream(void *arg)
{
	struct cpu_producer *sender = arg;
	struct doca_pe *own;

	T_OK(doca_pe_create(&own));
	cpu_producer_open(sender, msgq, own, NUM);
	for (uint32_t i = 1; i <= 2000; i++)
		cpu_producer_send(sender, consumer.id, i);
	cpu_producer_close(sender);
	T_OK(doca_pe_destroy(own));
	return NULL;
}

static uint32_t last_of[5];

static void check_order(struct cpu_consumer *at)
{
	T_CHECK(at->producer >= 1 && at->producer <= 4);
	T_EQ(cpu_consumer_number(at), ++last_of[at->producer]);
}

T_CASE_TIMEOUT(producers_in_threads, 120)
{
	struct cpu_producer senders[3] = {0};
	pthread_t threads[3];

	open_all(NUM);
	consumer.repost = true;
	consumer.on_message = check_order;
	cpu_consumer_post(&consumer, NUM);
	for (int i = 0; i < 3; i++)
		T_EQ(pthread_create(&threads[i], NULL, stream, &senders[i]), 0);
	T_EVENTUALLY((doca_pe_progress(pe), consumer.got == 6000), 100000);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	close_all();
}

static uint32_t ended;

static void *hammer(void *arg)
{
	struct cpu_producer *sender = arg;
	struct doca_pe *own;

	T_OK(doca_pe_create(&own));
	cpu_producer_open(sender, msgq, own, NUM);
	while (__atomic_load_n(&ended, __ATOMIC_ACQUIRE) == 0) {
		doca_error_t result = cpu_producer_try(sender, 1, "hammer", 6);

		T_CHECK(result == DOCA_SUCCESS || result == DOCA_ERROR_AGAIN ||
			result == DOCA_ERROR_NOT_FOUND || result == DOCA_ERROR_NO_MEMORY);
		(void)doca_pe_progress(own);
	}
	cpu_producer_close(sender);
	T_OK(doca_pe_destroy(own));
	return NULL;
}

/* Its memory is given back while others look for it. */
T_CASE_TIMEOUT(consumer_ends_under_fire, 120)
{
	struct cpu_producer senders[2] = {0};
	pthread_t threads[2];

	open_all(NUM);
	for (int i = 0; i < 2; i++)
		T_EQ(pthread_create(&threads[i], NULL, hammer, &senders[i]), 0);
	for (int life = 0; life < 200; life++) {
		cpu_consumer_post(&consumer, NUM);
		for (int i = 0; i < 20; i++)
			(void)doca_pe_progress(pe);
		cpu_consumer_close(&consumer);
		cpu_consumer_open(&consumer, msgq, pe, NUM);
	}
	__atomic_store_n(&ended, 1, __ATOMIC_RELEASE);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	close_all();
}

static void sleep_once(void)
{
	struct pollfd handle = {.events = POLLIN};

	T_OK(doca_pe_get_notification_handle(pe, &handle.fd));
	T_OK(doca_pe_request_notification(pe));
	T_EQ(poll(&handle, 1, 10000), 1);
	T_OK(doca_pe_clear_notification(pe, handle.fd));
	while (doca_pe_progress(pe))
		;
}

/* Whatever wake-up is lost is a time-out of poll(). */
T_CASE_TIMEOUT(sleeping_engine_is_woken, 120)
{
	struct cpu_producer sender = {0};
	pthread_t thread;

	open_all(NUM);
	consumer.repost = true;
	cpu_consumer_post(&consumer, NUM);
	T_EQ(pthread_create(&thread, NULL, stream, &sender), 0);
	while (consumer.got < 2000)
		sleep_once();
	pthread_join(thread, NULL);
	close_all();
}

T_CASE(engine_that_slept_before_the_message)
{
	open_all(NUM);
	cpu_consumer_post(&consumer, 1);
	T_OK(doca_pe_request_notification(pe));
	cpu_producer_send(&producer, consumer.id, 1);
	sleep_once();
	T_EQ(consumer.got, 1);
	close_all();
}

/* Many silent consumers on one engine go cold; the ready bit brings them back. */
T_CASE_TIMEOUT(silent_consumers_cost_nothing_and_wake, 60)
{
	enum { MANY = 8 };
	struct cpu_consumer many[MANY] = {0};
	struct doca_comch_msgq *wide;
	struct cpu_producer sender = {0};
	struct doca_pe *own;

	open_all(NUM);
	wide = msgq_open(dev, MANY, 1);
	T_OK(doca_comch_msgq_start(wide));
	T_OK(doca_pe_create(&own));
	cpu_producer_open(&sender, wide, own, NUM);
	for (int i = 0; i < MANY; i++)
		cpu_consumer_open(&many[i], wide, pe, NUM);
	for (int turn = 0; turn < 10000; turn++)
		(void)doca_pe_progress(pe);
	/* One that had no receive when it went cold, and one that had. */
	cpu_consumer_post(&many[0], 1);
	for (int i = 0; i < 2; i++) {
		if (i == 1)
			cpu_consumer_post(&many[1], 1);
		cpu_producer_send(&sender, many[i].id, 5);
		PE_UNTIL(pe, many[i].got == 1);
	}
	cpu_producer_close(&sender);
	for (int i = 0; i < MANY; i++)
		cpu_consumer_close(&many[i]);
	msgq_close(wide);
	T_OK(doca_pe_destroy(own));
	close_all();
}
