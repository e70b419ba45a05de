/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Read and write: straight through the memory window of an imported mmap, whoever owns it. The peer
 * of the connection has a say (its context's permissions) and no part. Data path.
 */
#include <string.h>

#include <doca_types.h>

#include "core/buf.h"
#include "core/mmap.h"
#include "rdma/local.h"

struct access {
	const struct doca_buf *remote;
	const struct doca_buf *local;
	uint32_t need; /* permission */
	uint64_t addr; /* remote */
	size_t room;   /* bytes of the remote buf that may be used */
	enum sdpu_copy_direction direction;
};

static void access_of(const struct rdma_op *op, struct access *access)
{
	bool read = op->kind == RDMA_OP_READ;

	access->remote = read ? op->src : op->dst;
	access->local = read ? op->dst : op->src;
	access->need = read ? DOCA_ACCESS_FLAG_RDMA_READ : DOCA_ACCESS_FLAG_RDMA_WRITE;
	access->direction = read ? SDPU_COPY_GET : SDPU_COPY_PUT;
}

/* Where in the remote buf, and the local side. Of a remote list the head only. */
static doca_error_t access_judge(const struct doca_rdma *rdma, struct rdma_op *op,
				 struct access *access)
{
	const struct doca_buf *remote = access->remote;
	doca_error_t result;

	if (op->kind == RDMA_OP_READ) {
		access->addr = (uintptr_t)remote->data;
		access->room = remote->data_len;
		result = rdma_vec_of_room(&op->vec, rdma, access->local,
					  rdma->property.send_list_len);
		if (result == DOCA_SUCCESS && op->vec.len < access->room)
			result = DOCA_ERROR_INVALID_VALUE;
		op->copy.len = access->room;
	} else {
		access->addr = (uintptr_t)sdpu_buf_tail(remote);
		access->room = sdpu_buf_tail_room(remote);
		result = rdma_vec_of_data(&op->vec, rdma, access->local,
					  rdma->property.send_list_len);
		op->copy.len = op->vec.len;
	}
	if (result == DOCA_SUCCESS && op->copy.len > rdma_limits(rdma)->rdma_max_message)
		result = DOCA_ERROR_INVALID_VALUE;
	if (result == DOCA_SUCCESS && op->copy.len > access->room)
		result = DOCA_ERROR_NOT_PERMITTED;
	return result;
}

/* Sets copy up; copy.len 0: nothing to be copied. */
static doca_error_t access_begin(struct doca_rdma_connection *connection, struct rdma_op *op)
{
	const struct doca_rdma *rdma = connection->rdma;
	struct access access;
	doca_error_t result;

	access_of(op, &access);
	memset(&op->copy, 0, sizeof(op->copy));
	if (access.remote == NULL || access.local == NULL)
		return access.remote == access.local ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
	op->copy.reach = sdpu_mmap_reach(access.remote->mmap);
	if (sdpu_unlikely(op->copy.reach == NULL ||
			  !sdpu_mmap_has_function(access.remote->mmap, rdma->ctx.dev)))
		return DOCA_ERROR_INVALID_VALUE;
	result = access_judge(rdma, op, &access);
	if (sdpu_unlikely(result != DOCA_SUCCESS))
		return result;
	if (sdpu_unlikely((connection->peer_permissions & access.need) == 0))
		return DOCA_ERROR_NOT_PERMITTED;
	op->copy.direction = access.direction;
	op->copy.need = access.need;
	op->copy.addr = access.addr;
	op->copy.local = op->vec.piece;
	op->copy.num_local = op->vec.num;
	return DOCA_SUCCESS;
}

static enum rdma_step access_end(struct rdma_op *op, doca_error_t status)
{
	op->base.status = status;
	if (status == DOCA_SUCCESS && op->kind == RDMA_OP_READ && !sdpu_task_is_freed(&op->base)) {
		op->result_len = (uint32_t)op->copy.len;
		rdma_buf_append(op->dst, op->copy.len);
	}
	return RDMA_STEP_DONE;
}

/* Operations that are worth collecting: each by itself would be little more than a system call. */
#define ACCESS_COLLECT_MAX (64u * 1024u)

static bool access_collects(const struct rdma_op *op)
{
	return op->copy.done == 0 && op->copy.len <= ACCESS_COLLECT_MAX &&
	       sdpu_reach_batches(op->copy.reach);
}

/* The next one in line, if it goes the same way; judged now, and not again when its turn comes. */
static bool access_joins(struct doca_rdma_connection *connection, struct rdma_op *op,
			 const struct rdma_op *first)
{
	if (op->kind != first->kind)
		return false;
	if (!op->begun) {
		if (access_begin(connection, op) != DOCA_SUCCESS || op->copy.len == 0)
			return false;
		op->begun = true;
	}
	return op->copy.reach == first->copy.reach && access_collects(op);
}

/* Moves the first in line together with those behind it that go the same way. */
static void access_collect(struct doca_rdma_connection *connection, struct rdma_op *first)
{
	struct sdpu_copy *copies[SDPU_COPY_BATCH];
	struct doca_task *next = first->base.next;
	uint32_t num = 0;

	copies[num++] = &first->copy;
	while (next != NULL && num < SDPU_COPY_BATCH &&
	       access_joins(connection, (struct rdma_op *)next, first)) {
		copies[num++] = &((struct rdma_op *)next)->copy;
		next = next->next;
	}
	(void)sdpu_copy_run_batch(copies, num);
}

enum rdma_step local_access(struct doca_rdma_connection *connection, struct rdma_op *op)
{
	doca_error_t result;

	if (!op->begun) {
		result = access_begin(connection, op);
		if (result != DOCA_SUCCESS || op->copy.len == 0)
			return access_end(op, result);
		op->begun = true;
		/* Submitted just now: others may follow before the next poll. */
		if (access_collects(op))
			return RDMA_STEP_MORE;
	}
	if (access_collects(op))
		access_collect(connection, op);
	result = sdpu_copy_run(&op->copy, SDPU_WINDOW_CHUNK);
	return result == DOCA_ERROR_IN_PROGRESS ? RDMA_STEP_MORE : access_end(op, result);
}
