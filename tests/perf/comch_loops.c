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

static struct comch_path server, client;
static struct comch_end idle_client;

static bool open_ends(struct bench *bench)
{
	struct doca_pe *pe;
	struct doca_dev *dev;

	return engine_open(bench, &pe) && comch_server_start(bench, &server.end, pe) &&
	       device_open(bench, HOST_PCI_ADDR, &dev) &&
	       comch_client_start(bench, &client.end, pe, dev) && comch_client_await(&client.end) &&
	       comch_server_await(&server.end, 1);
}

static bool open_memory(struct bench *bench, struct comch_path *path, uint32_t depth)
{
	path->size = MESSAGE_BYTES;
	path->depth = depth;
	return memory_open(bench, path->end.dev, MEMORY_PRIVATE, (size_t)depth * MESSAGE_BYTES,
			   COMCH_PATH_ACCESS, depth, &path->memory);
}

static bool open_idle_client(struct bench *bench)
{
	struct doca_pe *pe;

	if (!engine_open(bench, &pe) ||
	    !comch_client_start(bench, &idle_client, pe, client.end.dev))
		return false;
	for (int i = 0; i < HANDSHAKE_TURNS && server.end.num_connections < 2; i++) {
		doca_pe_progress(server.end.pe);
		doca_pe_progress(pe);
	}
	return server.end.num_connections == 2 && comch_client_await(&idle_client);
}

static bool open_all(struct bench *bench)
{
	return server.end.pe != NULL ||
	       (open_ends(bench) && open_memory(bench, &server, RECEIVES) &&
		open_memory(bench, &client, BATCH) && comch_path_open_consumer(&server) &&
		comch_path_open_producer(&client) && open_idle_client(bench));
}

static bool progress_idle(struct bench *bench)
{
	(void)bench;
	doca_pe_progress(idle_client.pe);
	return true;
}

static bool send(struct bench *bench, uint32_t num)
{
	const uint64_t until = server.received + num;

	for (uint32_t i = 0; i < num; i++) {
		if (!comch_path_send(&client, DOCA_TASK_SUBMIT_FLAG_FLUSH))
			return false;
	}
	if (!loop_await(bench, server.end.pe, &server.received, until))
		return false;
	while (client.idle_sends < BATCH) {
		if (!engine_turn(bench, server.end.pe))
			return false;
	}
	return true;
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
	return comch_end_send(&client.end, message, sizeof(message)) &&
	       loop_await(bench, server.end.pe, &server.end.received, server.end.received + 1);
}

const struct loop comch_loops[] = {
	{"pe.idle", open_all, progress_idle, 1},
	{"comch.send.64B", open_all, send_one, 1},
	{"comch.send.64B.batch32", open_all, send_batch, BATCH},
	{"ctrl.send.64B", open_all, send_control, 1},
	{0},
};
