/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small messages beside 16 MiB ones to the same consumer: the time within which 99 of 100 arrive.
 * One thread has the consumer and the producer of the small ones, so that one clock times them; a
 * second thread, on the other core, has the producer of the large ones.  Alone it sends nothing.
 */
#include "comch_path.h"
#include "limits.h"
#include "rows.h"

#include <pthread.h>
#include <sched.h>

#define LARGE_BYTES ((uint32_t)16 << 20)
#define SMALL_BYTES 64
#define RECEIVES 16
#define MAX_TIMES 524288

static struct comch_end server, client, large_end;
static struct memory target; /* one large message: all receives share it */
static struct memory source;
static uint64_t small_received, large_received;
static bool large_idle = true;
static struct doca_task *small_task, *large_task;

static void on_received(struct doca_comch_consumer_task_post_recv *task,
			union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct doca_buf *buf = doca_comch_consumer_task_post_recv_get_buf(task);
	size_t len = 0;

	(void)task_user_data;
	(void)ctx_user_data;
	doca_buf_get_data_len(buf, &len);
	if (len == SMALL_BYTES)
		small_received++;
	else
		large_received++;
	doca_buf_reset_data_len(buf);
	doca_ok(server.bench, doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)),
		"post receive");
}

static void on_sent(struct doca_comch_producer_task_send *task, union doca_data task_user_data,
		    union doca_data ctx_user_data)
{
	(void)task_user_data;
	(void)ctx_user_data;
	if (doca_comch_producer_task_send_as_task(task) == large_task)
		large_idle = true;
}

static bool open_memory(struct bench *bench)
{
	const enum memory_kind kind = (enum memory_kind)bench->kernel->variant;

	return memory_open(bench, server.dev, kind, LARGE_BYTES, COMCH_PATH_ACCESS, RECEIVES,
			   &target) &&
	       memory_open(bench, client.dev, MEMORY_PRIVATE, LARGE_BYTES, COMCH_PATH_ACCESS, 2,
			   &source);
}

static bool open_consumer(struct bench *bench)
{
	struct doca_comch_consumer *consumer;

	return comch_consumer_open(&server, server.connection, target.mmap, RECEIVES, on_received,
				   NULL, &consumer) &&
	       comch_await_running(&server, doca_comch_consumer_as_ctx(consumer), "consumer") &&
	       comch_receives_post(bench, consumer, &target, LARGE_BYTES, 0, RECEIVES);
}

static bool open_producer(struct comch_end *end, uint32_t len, struct doca_task **task)
{
	struct doca_comch_producer *producer;

	return comch_producer_open(end, 1, on_sent, NULL, &producer) &&
	       comch_send_allocate(end->bench, producer, &source, 0, len, client.consumers[0],
				   task);
}

/* Server and client share the engine of the first thread. */
static bool open_all(struct bench *bench)
{
	struct doca_pe *pe;
	struct doca_dev *dev;

	if (!engine_open(bench, &pe) || !comch_server_start(bench, &server, pe) ||
	    !device_open(bench, HOST_PCI_ADDR, &dev) ||
	    !comch_client_start(bench, &client, pe, dev) || !comch_client_await(&client) ||
	    !comch_server_await(&server, 1) || !open_memory(bench) || !open_consumer(bench) ||
	    !engine_until(bench, pe, client.num_consumers > 0))
		return false;
	large_end = client;
	return engine_open(bench, &large_end.pe) &&
	       open_producer(&client, SMALL_BYTES, &small_task) &&
	       open_producer(&large_end, LARGE_BYTES, &large_task);
}

static void *send_large(void *arg)
{
	struct bench *bench = arg;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(bench_core(1), &set);
	sched_setaffinity(0, sizeof(set), &set);
	while (!bench_stopped(bench)) {
		if (bench->kernel->count > 0 && large_idle)
			large_idle = doca_task_submit(large_task) != DOCA_SUCCESS;
		doca_pe_progress(large_end.pe);
	}
	return NULL;
}

static bool time_small(struct bench *bench, double *ns)
{
	const uint64_t before = small_received;
	const uint64_t start = bench_now();
	doca_error_t result;

	while ((result = doca_task_submit(small_task)) == DOCA_ERROR_AGAIN) {
		if (!engine_turn(bench, client.pe))
			return false;
	}
	if (!doca_ok(bench, result, "send") ||
	    !engine_until(bench, client.pe, small_received != before))
		return false;
	*ns = (double)(bench_now() - start);
	while (doca_pe_progress(client.pe) != 0) {
	}
	return true;
}

static enum bench_status measure(struct bench *bench)
{
	static double times[MAX_TIMES];
	const uint64_t end = bench_now() + bench->duration;
	size_t count = 0;

	while (count < MAX_TIMES && bench_now() < end) {
		if (!time_small(bench, &times[count++]))
			return bench_end(bench);
	}
	if (bench->kernel->count > 0 && large_received == 0)
		return bench_give_up(bench, BENCH_FAILED, "no large message has come");
	bench_report(bench, bench_percentile(times, count, 99));
	return BENCH_OK;
}

static enum bench_status send_both(struct bench *bench)
{
	enum bench_status status;
	pthread_t thread;

	if (!open_all(bench))
		return bench_end(bench);
	if (pthread_create(&thread, NULL, send_large, bench) != 0)
		return bench_give_up(bench, BENCH_FAILED, "no thread");
	status = measure(bench);
	bench_stop(bench);
	pthread_join(thread, NULL);
	return status;
}

#define BESIDE(large, kind)                                                                        \
	{                                                                                          \
		.num_sides = 1, .side = {send_both}, .count = (large), .variant = (kind)           \
	}

const struct bench_row rows_comch_beside[] = {
	{"comch.beside.16MiB", "ns", 1, BESIDE(1, MEMORY_PRIVATE), {BESIDE(0, MEMORY_PRIVATE)}},
	{"comch.beside.16MiB.shared",
	 "ns",
	 1,
	 BESIDE(1, MEMORY_SHARED),
	 {BESIDE(0, MEMORY_SHARED)}},
	{0},
};
