/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What libfabric's tcp provider does by itself: a message there and back, and writes into memory of
 * a peer that polls for nothing else.
 */
#include "fabric_pair.h"
#include "limits.h"

#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <stdlib.h>
#include <string.h>

struct memory_name { /* behind the address in the arena */
	uint64_t addr;
	uint64_t key;
};

struct pair {
	struct fabric_end end;
	uint8_t *memory;
	uint64_t received;
	uint64_t sent;
};

/* Completions tell themselves apart by their context. */
static char on_send, on_receive;

static bool turn(struct pair *pair)
{
	struct fi_cq_entry entry[16];
	ssize_t n = fi_cq_read(pair->end.cq, entry, 16);

	for (ssize_t i = 0; i < n; i++) {
		pair->received += entry[i].op_context == &on_receive;
		pair->sent += entry[i].op_context == &on_send;
	}
	return n > 0 || (n == -FI_EAGAIN && !bench_stopped(pair->end.bench));
}

static bool post_receive(struct pair *pair)
{
	struct bench *bench = pair->end.bench;

	return fabric_ok(
		bench,
		fi_recv(pair->end.ep, pair->memory, bench->kernel->size, NULL, 0, &on_receive),
		"fi_recv");
}

static bool send_one(struct pair *pair)
{
	const struct bench *bench = pair->end.bench;

	while (fi_send(pair->end.ep, pair->memory + bench->kernel->size, bench->kernel->size, NULL,
		       0, &on_send) != 0) {
		if (!turn(pair))
			return false;
	}
	return true;
}

static bool receive_one(struct pair *pair)
{
	uint64_t want = pair->received + 1;

	while (pair->received < want) {
		if (!turn(pair))
			return false;
	}
	return post_receive(pair);
}

/* Written to, or all of it would be one page of zeros. */
static bool pair_open(struct bench *bench, struct pair *pair)
{
	const size_t len = (bench->kernel->depth + 1) * (size_t)bench->kernel->size;

	*pair = (struct pair){.memory = malloc(len)};
	if (pair->memory == NULL)
		return false;
	memset(pair->memory, 1, len);
	return fabric_end_open(bench, &pair->end);
}

static bool trip(void *arg)
{
	struct pair *pair = arg;

	return send_one(pair) && receive_one(pair);
}

enum bench_status limit_fabric_ping(struct bench *bench)
{
	struct pair pair;

	if (!pair_open(bench, &pair) || !post_receive(&pair) || !bench_sync(bench))
		return bench_end(bench);
	return bench_repeat(bench, trip, &pair, 1);
}

enum bench_status limit_fabric_pong(struct bench *bench)
{
	struct pair pair;

	if (pair_open(bench, &pair) && post_receive(&pair) && bench_sync(bench)) {
		while (receive_one(&pair) && send_one(&pair))
			;
	}
	return bench_end(bench);
}

static struct memory_name *memory_name(const struct bench *bench)
{
	return (void *)((uint8_t *)bench->arena + FABRIC_ARENA / 2);
}

/* From a place of its own to another one, as the others do that are under way. */
static bool write_one(struct pair *pair, const struct memory_name *name, uint64_t number)
{
	const struct bench_kernel *kernel = pair->end.bench->kernel;
	const uint64_t offset = number % kernel->depth * kernel->size;

	return fi_write(pair->end.ep, pair->memory + offset, kernel->size, NULL, 0,
			name->addr + offset, name->key, &on_send) == 0;
}

enum bench_status limit_fabric_write(struct bench *bench)
{
	uint64_t start, now, issued = 0;
	struct memory_name name;
	struct pair pair;

	if (!pair_open(bench, &pair) || !bench_sync(bench))
		return bench_end(bench);
	name = *memory_name(bench);
	start = now = bench_now();
	while (now - start < bench->duration) {
		while (issued - pair.sent < bench->kernel->depth && write_one(&pair, &name, issued))
			issued++;
		if (!turn(&pair))
			return bench_end(bench);
		now = bench_now();
	}
	return bench_report_bytes(bench, pair.sent, now - start);
}

enum bench_status limit_fabric_target(struct bench *bench)
{
	const uint64_t access = FI_REMOTE_WRITE;
	struct memory_name *name = memory_name(bench);
	struct fid_mr *mr;
	struct pair pair;

	if (!pair_open(bench, &pair) ||
	    !fabric_ok(bench,
		       fi_mr_reg(pair.end.domain, pair.memory,
				 (size_t)bench->kernel->depth * bench->kernel->size, access, 0, 1,
				 0, &mr, NULL),
		       "fi_mr_reg"))
		return bench_end(bench);
	name->addr = pair.end.virt_addr ? (uintptr_t)pair.memory : 0;
	name->key = fi_mr_key(mr);
	if (bench_sync(bench)) {
		while (turn(&pair))
			;
	}
	return bench_end(bench);
}
