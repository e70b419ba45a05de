/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What this machine can do at best, without any library: kernels to put beside ours.
 */
#ifndef BENCH_LIMITS_H
#define BENCH_LIMITS_H

#include "harness.h"
#include "slots.h"

#define LIMIT_SLOTS 256	       /* in a ring of single lines */
#define LIMIT_ASLEEP_NS 300000 /* until a thread that polls for a while has gone to sleep */

enum peer_tool {
	PEER_FI_TCP,
	PEER_FI_SHARED,
	PEER_UCX_TCP,
	PEER_UCX_SHARED,
	PEER_UCX_RATE,
	PEER_UCX_BYTES,
};

enum limit_copy { LIMIT_COPY_MEMCPY, LIMIT_COPY_NON_TEMPORAL };

enum bench_status limit_cacheline_ping(struct bench *bench);
enum bench_status limit_cacheline_pong(struct bench *bench);
enum bench_status limit_slot_ping(struct bench *bench);
enum bench_status limit_slot_pong(struct bench *bench);
enum bench_status limit_slot_write(struct bench *bench);
enum bench_status limit_slot_read(struct bench *bench);
enum bench_status limit_crowd_write(struct bench *bench);
enum bench_status limit_crowd_read(struct bench *bench);
enum bench_status limit_push_write(struct bench *bench);
enum bench_status limit_push_read(struct bench *bench);
enum bench_status limit_staged_write(struct bench *bench);
enum bench_status limit_staged_read(struct bench *bench);
enum bench_status limit_cross_write(struct bench *bench);
enum bench_status limit_cross_own(struct bench *bench);
enum bench_status limit_eventfd_wake(struct bench *bench);
enum bench_status limit_eventfd_sleep(struct bench *bench);
enum bench_status limit_futex_wake(struct bench *bench);
enum bench_status limit_hop_request(struct bench *bench);
enum bench_status limit_hop_forward(struct bench *bench);
enum bench_status limit_hop_answer(struct bench *bench);
enum bench_status limit_load(struct bench *bench);
/* memcpy of depth messages, over and over, by one side; for kernels that bring the memory. */
enum bench_status limit_memcpy(struct bench *bench, uint8_t *to, const uint8_t *from);
enum bench_status limit_tcp_ping(struct bench *bench);
enum bench_status limit_tcp_pong(struct bench *bench);
enum bench_status limit_fabric_ping(struct bench *bench);
enum bench_status limit_fabric_pong(struct bench *bench);
enum bench_status limit_fabric_write(struct bench *bench);
enum bench_status limit_fabric_target(struct bench *bench);
enum bench_status peer_tool_client(struct bench *bench);
enum bench_status peer_tool_server(struct bench *bench);

/* One cache line to the other core and back; ns. */
#define LIMIT_CACHELINE                                                                            \
	{                                                                                          \
		.num_sides = 2, .side = {limit_cacheline_ping, limit_cacheline_pong},              \
		.arena = SLOTS_LINE                                                                \
	}

/* Round trip over two rings of slots that hold `bytes` with their sequence word; ns. */
#define LIMIT_SLOT_TRIP(bytes)                                                                     \
	{                                                                                          \
		.num_sides = 2, .side = {limit_slot_ping, limit_slot_pong},                        \
		.arena = 2 * SLOTS_BYTES(LIMIT_SLOTS, bytes), .size = (bytes),                     \
		.depth = LIMIT_SLOTS                                                               \
	}

/* The same ring one way; slots a second. */
#define LIMIT_SLOT_RATE(bytes)                                                                     \
	{                                                                                          \
		.num_sides = 2, .side = {limit_slot_write, limit_slot_read},                       \
		.arena = SLOTS_BYTES(LIMIT_SLOTS, bytes), .size = (bytes), .depth = LIMIT_SLOTS    \
	}

/* The same of as many pairs of threads, which yield where they share a core; slots a second. */
#define LIMIT_CROWD(pairs)                                                                         \
	{                                                                                          \
		.num_sides = 2, .side = {limit_crowd_write, limit_crowd_read},                     \
		.arena = (pairs)*SLOTS_BYTES(LIMIT_SLOTS, SLOTS_LINE), .size = SLOTS_LINE,         \
		.depth = LIMIT_SLOTS, .threads = (pairs)                                           \
	}

/* Copies pushed into memory whose reader polls on the other core; bytes a second. */
#define LIMIT_PUSH(bytes, slots, how)                                                              \
	{                                                                                          \
		.num_sides = 2, .side = {limit_push_write, limit_push_read},                       \
		.arena = SLOTS_BYTES(slots, SLOTS_LINE) + (size_t)(slots) * (bytes),               \
		.size = (bytes), .depth = (slots), .variant = (how)                                \
	}

/* Two copies, one by each side, through shared staging memory; bytes a second. */
#define LIMIT_STAGED(bytes, slots)                                                                 \
	{                                                                                          \
		.num_sides = 2, .side = {limit_staged_write, limit_staged_read},                   \
		.arena = SLOTS_BYTES(slots, SLOTS_LINE) + (size_t)(slots) * (bytes),               \
		.size = (bytes), .depth = (slots)                                                  \
	}

/* process_vm_writev into the other side's private memory; bytes a second. */
#define LIMIT_CROSS(bytes, slots)                                                                  \
	{                                                                                          \
		.num_sides = 2, .side = {limit_cross_write, limit_cross_own}, .arena = SLOTS_LINE, \
		.size = (bytes), .depth = (slots)                                                  \
	}

/* Independent additions of one core; a second. */
#define LIMIT_ISSUE                                                                                \
	{                                                                                          \
		.num_sides = 1, .side = { limit_issue }                                            \
	}
enum bench_status limit_issue(struct bench *bench);
/* The same, here and now, in less than a millisecond. */
double limit_issue_rate(void);

/* From the write of an eventfd to the return of the sleeper's epoll_wait; ns. */
#define LIMIT_EVENTFD                                                                              \
	{                                                                                          \
		.num_sides = 2, .side = {limit_eventfd_wake, limit_eventfd_sleep},                 \
		.arena = SLOTS_LINE                                                                \
	}

/* From the store to a word, and its futex, to the run of the thread that slept on it; ns. */
#define LIMIT_FUTEX                                                                                \
	{                                                                                          \
		.num_sides = 1, .side = {limit_futex_wake}, .arena = SLOTS_LINE                    \
	}

/* Requests over two hops and back, three processes on two cores, of which the second of them has
 * one of its own: who answers, or who forwards; requests a second. */
#define LIMIT_HOPS(requests, second, third)                                                        \
	{                                                                                          \
		.num_sides = 3, .side = {limit_hop_request, second, third},                        \
		.arena = 4 * SLOTS_BYTES(LIMIT_SLOTS, SLOTS_LINE), .size = SLOTS_LINE,             \
		.depth = (requests)                                                                \
	}
#define LIMIT_HOP2(requests) LIMIT_HOPS(requests, limit_hop_answer, limit_hop_forward)
#define LIMIT_HOP2_BRIDGED(requests) LIMIT_HOPS(requests, limit_hop_forward, limit_hop_answer)

/* A call that loads one cached word; ns. */
#define LIMIT_LOAD                                                                                 \
	{                                                                                          \
		.num_sides = 1, .side = {limit_load}, .arena = SLOTS_LINE                          \
	}

/* Message there and back over a bare TCP connection, both ends polling; ns. */
#define LIMIT_TCP_TRIP(bytes)                                                                      \
	{                                                                                          \
		.num_sides = 2, .side = {limit_tcp_ping, limit_tcp_pong}, .arena = SLOTS_LINE,     \
		.size = (bytes)                                                                    \
	}

/* The same over endpoints of libfabric's tcp provider; ns. */
#define LIMIT_FABRIC_TRIP(bytes)                                                                   \
	{                                                                                          \
		.num_sides = 2, .side = {limit_fabric_ping, limit_fabric_pong}, .arena = 4096,     \
		.size = (bytes), .depth = 1                                                        \
	}

/* Writes of libfabric's tcp provider, `writes` under way; bytes a second. */
#define LIMIT_FABRIC_WRITE(bytes, writes)                                                          \
	{                                                                                          \
		.num_sides = 2, .side = {limit_fabric_write, limit_fabric_target}, .arena = 4096,  \
		.size = (bytes), .depth = (writes)                                                 \
	}

/* What a program of another library reports: ns of a round trip of 64 B; 64 B messages a second;
 * bytes a second of 64 KiB messages. */
#define PEER_TOOL(tool)                                                                            \
	{                                                                                          \
		.num_sides = 2, .side = {peer_tool_client, peer_tool_server}, .arena = SLOTS_LINE, \
		.variant = (tool)                                                                  \
	}

#endif
