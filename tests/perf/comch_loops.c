/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Comch: server, client and their fast path from the one to the other on one engine; a second
 * client, which has nothing to do, on an engine of its own.
 */
#include "comch_path.h"
#include "loops.h"

#define BATCH 32
#define RECEIVES 256
#define MESSAGE_BYTES 64
#define HANDSHAKE_TURNS 10000000

static struct comch_end server, client, idle_client;
static struct memory memory; /* one message: all is sent from there and received into it */
static uint64_t sent, received;
static struct doca_task *sends[BATCH];

static void on_received(struct doca_comch_consumer_task_post_recv *task,
			union doca_data task_user_data, union doca_data ctx_user_data)
{
	(void)task_user_data;
	(void)ctx_user_data;
	received++;
	doca_buf_reset_data_len(doca_comch_consumer_task_post_recv_get_buf(task));
	doca_ok(server.bench, doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)),
		"post receive");
}

static void on_sent(struct doca_comch_producer_task_send *task, union doca_data task_user_data,
		    union doca_data ctx_user_data)
{
	(void)task;
	(void)task_user_data;
	(void)ctx_user_data;
	sent++;
}

static bool open_ends(struct bench *bench)
{
	struct doca_pe *pe;
	struct doca_dev *dev;

	return engine_open(bench, &pe) && comch_server_start(bench, &server, pe) &&
	       device_open(bench, HOST_PCI_ADDR, &dev) &&
	       comch_client_start(bench, &client, pe, dev) && comch_client_await(&client) &&
	       comch_server_await(&server, 1) &&
	       memory_open(bench, dev, MEMORY_PRIVATE, MESSAGE_BYTES,
			   DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE,
			   RECEIVES + BATCH, &memory);
}

static bool open_consumer(struct bench *bench)
{
	struct doca_comch_consumer_task_post_recv *task;
	struct doca_comch_consumer *consumer;
	struct doca_buf *buf;

	if (!comch_consumer_open(&server, server.connection, memory.mmap, RECEIVES, on_received,
				 NULL, &consumer) ||
	    !comch_await_running(&server, doca_comch_consumer_as_ctx(consumer)))
		return false;
	for (int i = 0; i < RECEIVES; i++) {
		if (!memory_buf(bench, &memory, 0, MESSAGE_BYTES, 0, &buf) ||
		    !doca_ok(bench,
			     doca_comch_consumer_task_post_recv_alloc_init(consumer, buf, &task),
			     "doca_comch_consumer_task_post_recv_alloc_init") ||
		    !doca_ok(bench,
			     doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)),
			     "post receive"))
			return false;
	}
	return true;
}

static bool open_producer(struct bench *bench)
{
	struct doca_comch_producer_task_send *task;
	struct doca_comch_producer *producer;
	struct doca_buf *buf;

	while (client.num_consumers == 0) {
		if (!engine_turn(bench, client.pe))
			return false;
	}
	if (!comch_producer_open(&client, BATCH, on_sent, NULL, &producer))
		return false;
	for (int i = 0; i < BATCH; i++) {
		if (!memory_buf(bench, &memory, 0, MESSAGE_BYTES, MESSAGE_BYTES, &buf) ||
		    !doca_ok(bench,
			     doca_comch_producer_task_send_alloc_init(producer, buf, NULL, 0,
								      client.consumers[0], &task),
			     "doca_comch_producer_task_send_alloc_init"))
			return false;
		sends[i] = doca_comch_producer_task_send_as_task(task);
	}
	return true;
}

static bool open_idle_client(struct bench *bench)
{
	struct doca_pe *pe;

	if (!engine_open(bench, &pe) || !comch_client_start(bench, &idle_client, pe, client.dev))
		return false;
	for (int i = 0; i < HANDSHAKE_TURNS && server.num_connections < 2; i++) {
		doca_pe_progress(server.pe);
		doca_pe_progress(pe);
	}
	return server.num_connections == 2 && comch_client_await(&idle_client);
}

static bool open_all(struct bench *bench)
{
	return server.pe != NULL || (open_ends(bench) && open_consumer(bench) &&
				     open_producer(bench) && open_idle_client(bench));
}

static bool progress_idle(struct bench *bench)
{
	(void)bench;
	doca_pe_progress(idle_client.pe);
	return true;
}

static bool send(struct bench *bench, uint32_t num)
{
	const uint64_t until = received + num;

	for (uint32_t i = 0; i < num; i++) {
		if (!doca_ok(bench, doca_task_submit(sends[i]), "send"))
			return false;
	}
	return loop_await(bench, server.pe, &received, until) &&
	       loop_await(bench, server.pe, &sent, until);
}

static bool send_one(struct bench *bench)
{
	return send(bench, 1);
}

static bool send_batch(struct bench *bench)
{
	return send(bench, BATCH);
}

static bool send_control(struct bench *bench)
{
	static const uint8_t message[MESSAGE_BYTES];

	(void)bench;
	return comch_end_send(&client, message, sizeof(message)) &&
	       loop_await(bench, server.pe, &server.received, server.received + 1);
}

const struct loop comch_loops[] = {
	{"pe.idle", open_all, progress_idle, 1},
	{"comch.send.64B", open_all, send_one, 1},
	{"comch.send.64B.batch32", open_all, send_batch, BATCH},
	{"ctrl.send.64B", open_all, send_control, 1},
	{0},
};
