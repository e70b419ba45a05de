/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What idle connections cost.  A round trip of the one active client, beside the same while the
 * others are not there; and what a connection keeps in shared memory at either end, without and
 * with a fast path each way, and an idle client's process in all.
 */
#include "comch_path.h"
#include "limits.h"
#include "resident.h"
#include "rows.h"

#include <time.h>

/* In a kernel's variant: what an idle connection has. */
enum idle_kind { IDLE_BARE, IDLE_CONSUMER, IDLE_PATHS };

#define IDLE_DEPTH 64 /* messages of each idle fast path */
#define MESSAGE_BYTES 64
#define SETTLE_NS 200000000 /* in which the server may learn who is silent */

static struct comch_path path;
static struct comch_end server, clients[COMCH_MAX_CLIENTS];

static void on_received(struct doca_comch_consumer_task_post_recv *task,
			union doca_data task_user_data, union doca_data ctx_user_data)
{
	(void)task;
	(void)task_user_data;
	(void)ctx_user_data;
}

static void on_sent(struct doca_comch_producer_task_send *task, union doca_data task_user_data,
		    union doca_data ctx_user_data)
{
	(void)task;
	(void)task_user_data;
	(void)ctx_user_data;
}

static bool memory_for(struct bench *bench, struct doca_dev *dev, struct memory *memory)
{
	return memory_open(bench, dev, MEMORY_PRIVATE, MESSAGE_BYTES, COMCH_PATH_ACCESS, 1, memory);
}

static bool add_consumer(struct comch_end *end, struct doca_comch_connection *connection,
			 struct memory *memory)
{
	struct doca_comch_consumer *consumer;

	return comch_consumer_open(end, connection, memory->mmap, IDLE_DEPTH, on_received, NULL,
				   &consumer) &&
	       comch_await_running(end, doca_comch_consumer_as_ctx(consumer), "consumer");
}

/* The server's part for its clients from `first` on. */
static bool serve_idle(struct comch_end *end, uint32_t first, enum idle_kind kind)
{
	struct doca_comch_producer *producer;
	struct memory memory;

	if (kind == IDLE_BARE)
		return true;
	if (!memory_for(end->bench, end->dev, &memory))
		return false;
	for (uint32_t i = first; i < end->num_connections; i++) {
		end->connection = end->connections[i];
		if (!add_consumer(end, end->connection, &memory) ||
		    (kind == IDLE_PATHS &&
		     !comch_producer_open(end, IDLE_DEPTH, on_sent, NULL, &producer)))
			return false;
	}
	end->connection = end->connections[0];
	return true;
}

static bool connect_idle(struct bench *bench, struct doca_pe *pe, struct doca_dev *dev,
			 enum idle_kind kind)
{
	struct doca_comch_producer *producer;
	struct memory memory;

	if (!memory_for(bench, dev, &memory))
		return false;
	for (uint32_t i = 0; i < bench->kernel->count; i++) {
		if (!comch_client_start(bench, &clients[i], pe, dev) ||
		    !comch_client_await(&clients[i]))
			return false;
		if (kind == IDLE_PATHS &&
		    (!add_consumer(&clients[i], clients[i].connection, &memory) ||
		     !comch_producer_open(&clients[i], IDLE_DEPTH, on_sent, NULL, &producer)))
			return false;
	}
	return true;
}

static bool open_client_side(struct bench *bench, struct doca_pe **pe, struct doca_dev **dev)
{
	return engine_open(bench, pe) && device_open(bench, HOST_PCI_ADDR, dev) &&
	       bench_sync(bench);
}

static enum bench_status active_ping(struct bench *bench)
{
	uint64_t settled;

	path.then = comch_path_answer;
	if (!comch_path_open(bench, &path) || !engine_sync(bench, path.end.pe) ||
	    !comch_path_begin(&path))
		return bench_end(bench);
	for (settled = bench_now() + SETTLE_NS; bench_now() < settled;) {
		if (!comch_path_trip(&path))
			return bench_end(bench);
	}
	return bench_repeat(bench, comch_path_trip, &path, 1);
}

static enum bench_status active_pong(struct bench *bench)
{
	path.then = comch_path_answer;
	if (!comch_path_open(bench, &path) ||
	    !comch_server_await(&path.end, 1 + bench->kernel->count) ||
	    !serve_idle(&path.end, 1, IDLE_CONSUMER) || !engine_sync(bench, path.end.pe))
		return bench_end(bench);
	return comch_path_pong(&path);
}

/* Its clients come when the active one is there, and sleep once the server has served them. */
static enum bench_status be_silent(struct bench *bench)
{
	const struct timespec tick = {.tv_nsec = 1000000};
	struct doca_pe *pe;
	struct doca_dev *dev;

	if (!open_client_side(bench, &pe, &dev) || !bench_sync(bench) ||
	    !connect_idle(bench, pe, dev, IDLE_CONSUMER) || !engine_sync(bench, pe))
		return bench_end(bench);
	while (!bench_stopped(bench))
		nanosleep(&tick, NULL);
	return bench_end(bench);
}

static double *shared_of(struct bench *bench, unsigned side)
{
	return (double *)bench->arena + side;
}

/* Ends the measurement: bytes of either side are in the arena. */
static enum bench_status report_larger(struct bench *bench, struct doca_pe *pe, size_t before)
{
	double *mine = shared_of(bench, bench->side), *peers = shared_of(bench, 1 - bench->side);

	*mine = (double)(resident_shared() - before) / bench->kernel->count;
	if (!engine_sync(bench, pe))
		return bench_end(bench);
	if (bench->side == 0)
		bench_report(bench, *mine > *peers ? *mine : *peers);
	return BENCH_OK;
}

static enum bench_status weigh_clients(struct bench *bench)
{
	const enum idle_kind kind = (enum idle_kind)bench->kernel->variant;
	size_t before = resident_shared();
	struct doca_pe *pe;
	struct doca_dev *dev;

	if (!open_client_side(bench, &pe, &dev) || !connect_idle(bench, pe, dev, kind) ||
	    !engine_sync(bench, pe))
		return bench_end(bench);
	return report_larger(bench, pe, before);
}

static enum bench_status weigh_server(struct bench *bench)
{
	const enum idle_kind kind = (enum idle_kind)bench->kernel->variant;
	size_t before = resident_shared();

	if (!comch_end_open(bench, &server) || !comch_server_await(&server, bench->kernel->count) ||
	    !serve_idle(&server, 0, kind) || !engine_sync(bench, server.pe))
		return bench_end(bench);
	return report_larger(bench, server.pe, before);
}

static enum bench_status weigh_process(struct bench *bench)
{
	if (!comch_path_open(bench, &path))
		return bench_end(bench);
	bench_report(bench, (double)resident_all());
	bench_stop(bench);
	return BENCH_OK;
}

static enum bench_status stay(struct bench *bench)
{
	if (comch_path_open(bench, &path)) {
		while (engine_turn(bench, path.end.pe) && !bench_stopped(bench)) {
		}
	}
	return bench_end(bench);
}

#define ACTIVE(silent)                                                                             \
	{                                                                                          \
		.num_sides = 3, .side = {active_ping, active_pong, be_silent},                     \
		.size = MESSAGE_BYTES, .depth = 16, .count = (silent)                              \
	}

#define WEIGH(kind, connections)                                                                   \
	{                                                                                          \
		.num_sides = 2, .side = {weigh_clients, weigh_server},                             \
		.arena = 2 * sizeof(double), .count = (connections), .variant = (kind)             \
	}

const struct bench_row rows_comch_idle[] = {
	{"comch.rtt.64B.clients512", "ns", 1, ACTIVE(511), {ACTIVE(0)}},
	{"memory.connection", "KiB", 1024, WEIGH(IDLE_BARE, 64), {{0}}},
	{"memory.path", "KiB", 1024, WEIGH(IDLE_PATHS, 64), {{0}}},
	{"memory.client",
	 "MiB",
	 1 << 20,
	 {.num_sides = 2,
	  .side = {weigh_process, stay},
	  .size = MESSAGE_BYTES,
	  .depth = IDLE_DEPTH},
	 {{0}}},
	{0},
};
