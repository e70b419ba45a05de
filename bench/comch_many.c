/* SPDX-License-Identifier: BSD-3-Clause */
#include "comch_many.h"

#include "comch_path.h"

#define SETTLE_NS 100000000 /* in which the server learns who is silent */

static struct comch_end end;			   /* the server, or the end with one connection */
static struct comch_path paths[COMCH_MAX_CLIENTS]; /* half of each: to send, or to receive */

/* All paths of a side send from, or receive into, the same few buffers. */
static bool open_memory(struct bench *bench, struct doca_dev *dev)
{
	const struct bench_kernel *kernel = bench->kernel;
	struct memory memory;

	if (!memory_open(bench, dev, MEMORY_PRIVATE, (size_t)kernel->depth * kernel->size,
			 COMCH_PATH_ACCESS, kernel->count * kernel->depth, &memory))
		return false;
	for (uint32_t i = 0; i < kernel->count; i++) {
		paths[i].memory = memory;
		paths[i].size = kernel->size;
		paths[i].depth = kernel->depth;
	}
	return true;
}

static enum bench_status send_to(struct bench *bench, struct doca_pe *pe, uint32_t num)
{
	do {
		for (uint32_t i = 0; i < num; i++)
			comch_path_send_batch(&paths[i], bench->kernel->batch);
	} while (engine_turn(bench, pe) && !bench_stopped(bench));
	return bench_end(bench);
}

static uint64_t received(const struct bench *bench)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < bench->kernel->count; i++)
		sum += paths[i].received;
	return sum;
}

static enum bench_status count(struct bench *bench)
{
	uint64_t first, took;

	engine_run(bench, end.pe, SETTLE_NS);
	first = received(bench);
	took = engine_run(bench, end.pe, bench->duration);
	bench_stop(bench);
	bench_report(bench, (double)(received(bench) - first) * 1e9 / (double)took);
	return bench_end(bench);
}

static bool connect_all(struct bench *bench, struct doca_pe *pe, struct doca_dev *dev)
{
	for (uint32_t i = 0; i < bench->kernel->count; i++) {
		if (!comch_client_start(bench, &paths[i].end, pe, dev) ||
		    !comch_client_await(&paths[i].end))
			return false;
	}
	for (uint32_t i = 0; i < bench->kernel->count; i++) {
		if (!comch_path_open_producer(&paths[i]))
			return false;
	}
	return true;
}

enum bench_status comch_connections_send(struct bench *bench)
{
	const struct bench_kernel *kernel = bench->kernel;
	struct doca_pe *pe;
	struct doca_dev *dev;

	if (!engine_open(bench, &pe) || !device_open(bench, HOST_PCI_ADDR, &dev) ||
	    !open_memory(bench, dev) || !bench_sync(bench) || !connect_all(bench, pe, dev) ||
	    !engine_sync(bench, pe))
		return bench_end(bench);
	return send_to(bench, pe, kernel->variant == MANY_ALL ? kernel->count : 1);
}

/* One consumer more on a connection of the end. */
static bool add_consumer(uint32_t i, struct doca_comch_connection *connection)
{
	paths[i].end = end;
	paths[i].end.connection = connection;
	return comch_path_open_consumer(&paths[i]);
}

enum bench_status comch_connections_count(struct bench *bench)
{
	if (!comch_end_open(bench, &end) || !comch_server_await(&end, bench->kernel->count) ||
	    !open_memory(bench, end.dev))
		return bench_end(bench);
	for (uint32_t i = 0; i < bench->kernel->count; i++) {
		if (!add_consumer(i, end.connections[i]))
			return bench_end(bench);
	}
	return engine_sync(bench, end.pe) ? count(bench) : bench_end(bench);
}

static bool open_consumers_sends(struct bench *bench)
{
	const struct bench_kernel *kernel = bench->kernel;
	struct comch_path *first = &paths[0];

	if (!engine_until(bench, end.pe, end.num_consumers >= kernel->count))
		return false;
	first->end = end;
	if (!comch_path_start_producer(first, kernel->count * kernel->depth))
		return false;
	for (uint32_t i = 0; i < kernel->count; i++) {
		paths[i].end = end;
		paths[i].producer = first->producer;
		if (!comch_path_allocate_sends(&paths[i], end.consumers[i]))
			return false;
	}
	return true;
}

enum bench_status comch_consumers_send(struct bench *bench)
{
	if (!comch_end_open(bench, &end) || !open_memory(bench, end.dev) ||
	    !open_consumers_sends(bench) || !engine_sync(bench, end.pe))
		return bench_end(bench);
	return send_to(bench, end.pe, bench->kernel->count);
}

enum bench_status comch_consumers_count(struct bench *bench)
{
	if (!comch_end_open(bench, &end) || !open_memory(bench, end.dev))
		return bench_end(bench);
	for (uint32_t i = 0; i < bench->kernel->count; i++) {
		if (!add_consumer(i, end.connection))
			return bench_end(bench);
	}
	return engine_sync(bench, end.pe) ? count(bench) : bench_end(bench);
}
