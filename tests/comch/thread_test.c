/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Producers and consumers in threads of their own, each with its engine, while the main thread
 * drives both ends of their connection, as secure_channel and the storage programs do.
 */
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "comch/fast.h"

#define THREADS 4
#define PER_THREAD 20000
#define SLOT 600
#define RECEIVES 64
#define SENDS 32

static struct pair pair;

/* One thread: a producer that sends numbered messages to a consumer, or the consumer. */
struct worker {
	pthread_t thread;
	struct end *end;
	uint32_t id;  /* of the consumer that is sent to */
	uint32_t num; /* messages to send, or to wait for */
	uint32_t number;
	bool insists; /* producer: tries on when the consumer has gone */
	uint32_t done, failed, came;
	uint32_t next[THREADS]; /* consumer: number that this producer sends next */
	bool is_running;	/* atomic */
	bool is_over;		/* atomic */
	bool may_end;		/* atomic */
	struct sender sender;
	struct receiver receiver;
};

static bool get(const bool *flag)
{
	return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

static void set(bool *flag)
{
	__atomic_store_n(flag, true, __ATOMIC_RELEASE);
}

static void nothing(void *arg)
{
	(void)arg;
}

/* Drives both ends until every worker has set the flag. */
#define DRIVE(cond) T_EVENTUALLY((pair_progress(&pair), (cond)), 60000)

static void start(struct worker *worker, void *(*run)(void *))
{
	T_EQ(pthread_create(&worker->thread, NULL, run, worker), 0);
}

static void finish(struct worker *worker)
{
	set(&worker->may_end);
	DRIVE(get(&worker->is_over));
	T_EQ(pthread_join(worker->thread, NULL), 0);
}

/* What each message says about itself; in its immediate data. */
struct mark {
	uint32_t producer;
	uint32_t number;
	uint32_t len;
};

static uint32_t len_of(uint32_t producer, uint32_t number)
{
	uint32_t mixed = (number * 2654435761u) ^ producer;

	return mixed % 7 == 0 ? 113 + mixed % (SLOT - 113) : mixed % 113;
}

/* Producers */

static bool is_the_end(const struct worker *worker, doca_error_t result)
{
	if (result == DOCA_ERROR_NOT_CONNECTED)
		return true;
	if (result == DOCA_ERROR_NOT_FOUND)
		return !worker->insists;
	if (result != DOCA_ERROR_AGAIN && result != DOCA_ERROR_NO_MEMORY)
		T_OK(result);
	return false;
}

static void *producer_run(void *arg)
{
	struct worker *worker = arg;
	struct sender *sender = &worker->sender;
	struct mark mark = {.producer = worker->number};
	struct doca_pe *pe;
	doca_error_t result;

	T_OK(doca_pe_create(&pe));
	sender_open(sender, worker->end, pe, SENDS, 1 << 16, worker->number % 2);
	pattern_fill(sender->memory.base, 1 << 16, 0);
	set(&worker->is_running);
	while (mark.number < worker->num) {
		mark.len = len_of(mark.producer, mark.number);
		result = sender_try(sender, worker->id, 0, mark.len, &mark, sizeof(mark));
		mark.number += result == DOCA_SUCCESS;
		if (is_the_end(worker, result))
			break;
		(void)doca_pe_progress(pe);
	}
	T_EVENTUALLY((doca_pe_progress(pe), sender->done + sender->failed == mark.number), 10000);
	worker->done = sender->done;
	worker->failed = sender->failed;
	while (!get(&worker->may_end))
		t_relax(100);
	sender_close(sender, nothing, NULL);
	T_OK(doca_pe_destroy(pe));
	set(&worker->is_over);
	return NULL;
}

/* Consumers */

static void check_message(struct receiver *receiver,
			  struct doca_comch_consumer_task_post_recv *task)
{
	struct worker *worker = receiver->arg;
	struct mark mark;

	(void)task;
	T_EQ(receiver->imm_len, sizeof(mark));
	memcpy(&mark, receiver->imm, sizeof(mark));
	T_CHECK(mark.producer < THREADS);
	T_EQ(mark.number, worker->next[mark.producer]);
	worker->next[mark.producer]++;
	T_EQ(mark.len, len_of(mark.producer, mark.number));
	T_EQ(receiver->len, mark.len);
	if (mark.len != 0)
		pattern_check(receiver->data, mark.len, 0);
}

static void *consumer_run(void *arg)
{
	struct worker *worker = arg;
	struct receiver *receiver = &worker->receiver;
	struct doca_pe *pe;

	T_OK(doca_pe_create(&pe));
	receiver_create(receiver, worker->end, pe, RECEIVES, SLOT, worker->number % 2);
	worker->id = receiver->id;
	receiver->on_message = check_message;
	receiver->arg = worker;
	receiver->repost = true;
	receiver_start(receiver, nothing, NULL);
	receiver_post_all(receiver);
	set(&worker->is_running);
	while (!get(&worker->may_end))
		if (doca_pe_progress(pe) == 0 && receiver->got >= worker->num)
			t_relax(10);
	receiver->repost = false;
	(void)doca_ctx_stop(receiver->ctx);
	T_EVENTUALLY((doca_pe_progress(pe), ctx_state(receiver->ctx) == DOCA_CTX_STATE_IDLE),
		     10000);
	worker->came = receiver->got;
	receiver_close(receiver, nothing, NULL);
	T_OK(doca_pe_destroy(pe));
	set(&worker->is_over);
	return NULL;
}

static void start_consumer(struct worker *worker, struct end *end, uint32_t number, uint32_t num)
{
	uint32_t known;

	worker->end = end;
	worker->number = number;
	worker->num = num;
	known = (end == &pair.server ? &pair.client : &pair.server)->num_ids;
	start(worker, consumer_run);
	DRIVE(get(&worker->is_running) &&
	      (end == &pair.server ? &pair.client : &pair.server)->num_ids > known);
}

static void start_producer(struct worker *worker, struct end *end, uint32_t number, uint32_t id,
			   uint32_t num)
{
	worker->end = end;
	worker->number = number;
	worker->id = id;
	worker->num = num;
	start(worker, producer_run);
	DRIVE(get(&worker->is_running));
}

static uint32_t total_of(const struct worker *consumer)
{
	uint32_t total = 0;

	for (int i = 0; i < THREADS; i++)
		total += consumer->next[i];
	return total;
}

T_CASE_TIMEOUT(several_producers_to_one_consumer, 60)
{
	static struct worker consumer, producers[THREADS];

	pair_open(&pair);
	start_consumer(&consumer, &pair.server, 0, THREADS * PER_THREAD);
	for (uint32_t i = 0; i < THREADS; i++)
		start_producer(&producers[i], &pair.client, i, consumer.id, PER_THREAD);
	for (uint32_t i = 0; i < THREADS; i++) {
		finish(&producers[i]);
		T_EQ(producers[i].done, PER_THREAD);
	}
	finish(&consumer);
	T_EQ(consumer.came, THREADS * PER_THREAD);
	T_EQ(total_of(&consumer), THREADS * PER_THREAD);
	pair_close(&pair);
}

T_CASE_TIMEOUT(a_consumer_for_each_producer_in_both_directions, 60)
{
	static struct worker consumers[THREADS], producers[THREADS];

	pair_open(&pair);
	for (uint32_t i = 0; i < THREADS; i++)
		start_consumer(&consumers[i], i % 2 ? &pair.client : &pair.server, i,
			       PER_THREAD / 4);
	for (uint32_t i = 0; i < THREADS; i++)
		start_producer(&producers[i], i % 2 ? &pair.server : &pair.client, i,
			       consumers[i].id, PER_THREAD / 4);
	for (uint32_t i = 0; i < THREADS; i++)
		finish(&producers[i]);
	for (uint32_t i = 0; i < THREADS; i++) {
		finish(&consumers[i]);
		T_EQ(producers[i].done, PER_THREAD / 4);
		T_EQ(consumers[i].came, PER_THREAD / 4);
	}
	pair_close(&pair);
}

/* What was sent with success was delivered, or else the producer was told. */
T_CASE_TIMEOUT(a_consumer_that_stops_under_several_producers_loses_nothing, 60)
{
	for (int round = 0; round < 20; round++) {
		static struct worker consumer, producers[THREADS];

		memset(&consumer, 0, sizeof(consumer));
		memset(producers, 0, sizeof(producers));
		pair_open(&pair);
		start_consumer(&consumer, &pair.server, 0, UINT32_MAX);
		for (uint32_t i = 0; i < THREADS; i++)
			start_producer(&producers[i], &pair.client, i, consumer.id, UINT32_MAX);
		for (int i = 0; i < 50 + 37 * round; i++)
			(void)pair_progress(&pair);
		finish(&consumer);
		for (uint32_t i = 0; i < THREADS; i++) {
			finish(&producers[i]);
			T_EQ(consumer.next[i], producers[i].done);
		}
		pair_close(&pair);
	}
}

/* Both kinds come and go in their threads, again and again, on a connection that is used. */
static void *churn_run(void *arg)
{
	struct worker *worker = arg;
	struct doca_pe *pe;

	T_OK(doca_pe_create(&pe));
	while (!get(&worker->may_end)) {
		receiver_create(&worker->receiver, worker->end, pe, 2, 64, false);
		receiver_start(&worker->receiver, nothing, NULL);
		receiver_post_all(&worker->receiver);
		sender_open(&worker->sender, worker->end, pe, 2, 64, false);
		(void)doca_pe_progress(pe);
		receiver_close(&worker->receiver, nothing, NULL);
		sender_close(&worker->sender, nothing, NULL);
		(void)__atomic_add_fetch(&worker->done, 1, __ATOMIC_RELEASE);
	}
	T_OK(doca_pe_destroy(pe));
	set(&worker->is_over);
	return NULL;
}

static bool all_have_been(const struct worker *workers, uint32_t times)
{
	for (int i = 0; i < THREADS; i++)
		if (__atomic_load_n(&workers[i].done, __ATOMIC_ACQUIRE) < times)
			return false;
	return true;
}

static void forget_id(struct end *end, uint32_t id)
{
	(void)id;
	end->num_ids = 0;
}

T_CASE_TIMEOUT(members_come_and_go_while_messages_flow, 60)
{
	static struct worker workers[THREADS];
	uint32_t total = 0;

	pair_open(&pair);
	pair.server.on_consumer = forget_id;
	pair.client.on_consumer = forget_id;
	for (uint32_t i = 0; i < THREADS; i++) {
		workers[i].end = i % 2 ? &pair.client : &pair.server;
		start(&workers[i], churn_run);
	}
	for (uint32_t i = 0; i < 500 || !all_have_been(workers, 5); i++) {
		end_send(&pair.client, &i, sizeof(i));
		DRIVE(pair.client.sent == i + 1);
	}
	for (uint32_t i = 0; i < THREADS; i++) {
		finish(&workers[i]);
		total += workers[i].done;
	}
	DRIVE(pair.server.expired + pair.client.expired == total);
	pair_close(&pair);
}

/* Asleep in its thread, without a time-out; several producers share its bell. */
static void *sleeper_run(void *arg)
{
	struct worker *worker = arg;
	struct receiver *receiver = &worker->receiver;
	struct pollfd handle = {.events = POLLIN};
	struct doca_pe *pe;

	T_OK(doca_pe_create(&pe));
	T_OK(doca_pe_get_notification_handle(pe, &handle.fd));
	receiver_create(receiver, worker->end, pe, 4, SLOT, false);
	worker->id = receiver->id;
	receiver->on_message = check_message;
	receiver->arg = worker;
	receiver->repost = true;
	T_ERR(doca_ctx_start(receiver->ctx), DOCA_ERROR_IN_PROGRESS);
	while (receiver->got < worker->num) {
		T_OK(doca_pe_request_notification(pe));
		T_EQ(poll(&handle, 1, -1), 1);
		T_OK(doca_pe_clear_notification(pe, handle.fd));
		while (doca_pe_progress(pe))
			;
		if (!get(&worker->is_running) &&
		    ctx_state(receiver->ctx) == DOCA_CTX_STATE_RUNNING) {
			receiver_post_all(receiver);
			set(&worker->is_running);
		}
	}
	while (!get(&worker->may_end))
		t_relax(100);
	worker->came = receiver->got;
	receiver_close(receiver, nothing, NULL);
	T_OK(doca_pe_destroy(pe));
	set(&worker->is_over);
	return NULL;
}

T_CASE_TIMEOUT(a_consumer_asleep_in_its_thread, 60)
{
	static struct worker consumer, producers[THREADS];

	pair_open(&pair);
	consumer.end = &pair.server;
	consumer.num = 3000;
	start(&consumer, sleeper_run);
	DRIVE(get(&consumer.is_running) && pair.client.num_ids == 1);
	for (uint32_t i = 0; i < 3; i++)
		start_producer(&producers[i], &pair.client, i, consumer.id, 1000);
	for (uint32_t i = 0; i < 3; i++)
		finish(&producers[i]);
	finish(&consumer);
	T_EQ(consumer.came, 3000);
	pair_close(&pair);
}

/* Producers are made, used and destroyed until the connection refuses. */
static void *maker_run(void *arg)
{
	struct worker *worker = arg;
	struct doca_comch_producer *producer;
	struct doca_pe *pe;

	T_OK(doca_pe_create(&pe));
	set(&worker->is_running);
	while (doca_comch_producer_create(worker->end->connection, &producer) == DOCA_SUCCESS) {
		struct doca_ctx *ctx = doca_comch_producer_as_ctx(producer);

		T_OK(doca_pe_connect_ctx(pe, ctx));
		T_ERR(doca_ctx_start(ctx), DOCA_ERROR_BAD_CONFIG);
		T_OK(doca_comch_producer_destroy(producer));
	}
	T_OK(doca_pe_destroy(pe));
	set(&worker->is_over);
	return NULL;
}

T_CASE_TIMEOUT(members_are_made_while_the_connection_is_lost, 60)
{
	for (int round = 0; round < 20; round++) {
		static struct worker makers[2];

		memset(makers, 0, sizeof(makers));
		pair_open(&pair);
		for (int i = 0; i < 2; i++) {
			makers[i].end = &pair.client;
			start(&makers[i], maker_run);
			DRIVE(get(&makers[i].is_running));
		}
		T_OK(doca_comch_server_disconnect(pair.server.server, pair.server.connection));
		for (int i = 0; i < 2; i++)
			finish(&makers[i]);
		DRIVE(end_state(&pair.client) == DOCA_CTX_STATE_IDLE);
		pair_close(&pair);
	}
}

/* The connection is lost under threads that work on it. They see it, stop and destroy. */
T_CASE_TIMEOUT(connection_lost_under_working_threads, 60)
{
	for (int round = 0; round < 10; round++) {
		static struct worker consumer, producers[THREADS];

		memset(&consumer, 0, sizeof(consumer));
		memset(producers, 0, sizeof(producers));
		pair_open(&pair);
		start_consumer(&consumer, &pair.server, 0, UINT32_MAX);
		for (uint32_t i = 0; i < THREADS; i++) {
			producers[i].insists = true;
			start_producer(&producers[i], &pair.client, i, consumer.id, UINT32_MAX);
		}
		for (int i = 0; i < 100 * round; i++)
			(void)pair_progress(&pair);
		finish(&consumer);
		(void)doca_ctx_stop(pair.server.ctx);
		DRIVE(end_state(&pair.client) == DOCA_CTX_STATE_IDLE &&
		      end_state(&pair.server) == DOCA_CTX_STATE_IDLE);
		for (uint32_t i = 0; i < THREADS; i++)
			finish(&producers[i]);
		pair_close(&pair);
	}
}
