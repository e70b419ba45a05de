/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of sweeps, and what each point of a curve measures. */
#include "sweeps.h"

#include "comch_many.h"
#include "comch_stream.h"
#include "limits.h"
#include "rdma_access.h"

#define MESSAGE 64
#define BATCH 32

static uint32_t at_most(uint32_t value, uint32_t most)
{
	return value < most ? value : most;
}

/* So many messages under way: 64 of up to 4 KiB, 16 of 64 KiB, 4 of 1 MiB, never fewer than 2. */
static uint32_t depth_for(uint32_t size)
{
	uint32_t depth = 64;

	for (uint32_t bytes = 4096; bytes < size && depth > 2; bytes *= 4)
		depth /= 2;
	return depth;
}

static struct bench_kernel stream_bytes(uint32_t size, enum memory_kind kind)
{
	return (struct bench_kernel){
		.num_sides = 2,
		.side = {comch_stream_send, comch_stream_count_bytes},
		.size = size,
		.depth = depth_for(size),
		.batch = at_most(depth_for(size), BATCH),
		.variant = kind,
	};
}

static struct bench_kernel size_shared(uint32_t size)
{
	return stream_bytes(size, MEMORY_SHARED);
}

static struct bench_kernel size_private(uint32_t size)
{
	return stream_bytes(size, MEMORY_PRIVATE);
}

static struct bench_kernel size_rdma_write(uint32_t size)
{
	return (struct bench_kernel){
		.num_sides = 2,
		.side = {rdma_access_request, rdma_access_respond},
		.arena = RDMA_ARENA,
		.size = size,
		.depth = depth_for(size),
		.variant = RDMA_WRITE,
	};
}

static struct bench_kernel size_memcpy(uint32_t size)
{
	return (struct bench_kernel)LIMIT_PUSH(size, depth_for(size), LIMIT_COPY_MEMCPY);
}

static struct bench_kernel size_non_temporal(uint32_t size)
{
	return (struct bench_kernel)LIMIT_PUSH(size, depth_for(size), LIMIT_COPY_NON_TEMPORAL);
}

static struct bench_kernel size_staged(uint32_t size)
{
	return (struct bench_kernel)LIMIT_STAGED(size, depth_for(size));
}

static struct bench_kernel size_cross(uint32_t size)
{
	return (struct bench_kernel)LIMIT_CROSS(size, depth_for(size));
}

static struct bench_kernel ring(uint32_t x)
{
	(void)x;
	return (struct bench_kernel)LIMIT_SLOT_RATE(MESSAGE);
}

static struct bench_kernel connections(uint32_t num, enum many_kind kind)
{
	return (struct bench_kernel){
		.num_sides = 2,
		.side = {comch_connections_send, comch_connections_count},
		.size = MESSAGE,
		.depth = 2 * BATCH,
		.batch = BATCH,
		.count = num,
		.variant = kind,
	};
}

static struct bench_kernel connections_all(uint32_t num)
{
	return connections(num, MANY_ALL);
}

static struct bench_kernel connections_first(uint32_t num)
{
	return connections(num, MANY_FIRST);
}

static struct bench_kernel consumers(uint32_t num)
{
	return (struct bench_kernel){
		.num_sides = 2,
		.side = {comch_consumers_send, comch_consumers_count},
		.size = MESSAGE,
		.depth = 2 * BATCH,
		.batch = BATCH,
		.count = num,
	};
}

static struct bench_kernel stream(uint32_t depth, uint32_t batch, uint32_t threads)
{
	return (struct bench_kernel){
		.num_sides = 2,
		.side = {comch_stream_send, comch_stream_count_messages},
		.size = MESSAGE,
		.depth = depth,
		.batch = batch,
		.threads = threads,
	};
}

static struct bench_kernel threads(uint32_t num)
{
	return stream(LIMIT_SLOTS, BATCH, num);
}

static struct bench_kernel threads_ring(uint32_t num)
{
	return (struct bench_kernel)LIMIT_CROWD(num);
}

static struct bench_kernel depth_batched(uint32_t depth)
{
	return stream(depth, at_most(depth, BATCH), 1);
}

static struct bench_kernel depth_single(uint32_t depth)
{
	return stream(depth, 1, 1);
}

static struct bench_kernel depth_ring(uint32_t depth)
{
	return (struct bench_kernel){
		.num_sides = 2,
		.side = {limit_slot_write, limit_slot_read},
		.arena = SLOTS_BYTES(depth, SLOTS_LINE),
		.size = SLOTS_LINE,
		.depth = depth,
	};
}

const struct sweep sweeps[] = {
	{"size",
	 "bytes",
	 1e9,
	 8,
	 64u << 20,
	 true,
	 {{"Comch into shared memory", size_shared, NULL},
	  {"RDMA write into shared memory", size_rdma_write, NULL},
	  {"Comch into private memory", size_private, NULL},
	  {"limit: one copy", size_memcpy, size_non_temporal},
	  {"limit: two copies or one by the kernel", size_staged, size_cross}}},
	{"connections",
	 "connections",
	 1e6,
	 1,
	 512,
	 false,
	 {{"all send in batches of 32", connections_all, NULL},
	  {"one sends while the others are silent", connections_first, NULL},
	  {"limit: bare ring of one pair", ring, NULL}}},
	{"consumers",
	 "consumers",
	 1e6,
	 1,
	 64,
	 false,
	 {{"one producer with batches of 32 to each in turn", consumers, NULL},
	  {"limit: bare ring of one pair", ring, NULL}}},
	{"threads",
	 "pairs of threads",
	 1e6,
	 1,
	 BENCH_LANES,
	 false,
	 {{"a connection for each pair", threads, NULL},
	  {"limit: bare ring for each pair", threads_ring, NULL}}},
	{"depth",
	 "messages under way",
	 1e6,
	 1,
	 4096,
	 false,
	 {{"batches of 32", depth_batched, NULL},
	  {"one at a time", depth_single, NULL},
	  {"limit: bare ring of so many slots", depth_ring, NULL}}},
	{0},
};
