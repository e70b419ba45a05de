/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Why an operation or a receive has failed, in words, for who reads the log. Looks once more at
 * what op_validate.c and vec.c have refused, which have no time for words. Engine's thread, before
 * the task goes back to the user; never when all is well.
 */
#include <doca_types.h>

#include "base/log.h"
#include "core/buf.h"
#include "core/mmap.h"
#include "rdma/connection.h"
#include "rdma/receive.h"

/* Of local bufs. NULL: they suit. */
static const char *list_fault(const struct doca_rdma *rdma, const struct doca_buf *buf,
			      uint32_t max, bool writes)
{
	const uint32_t writable =
		DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE;

	for (uint32_t n = 0; buf != NULL; buf = buf->next, n++) {
		if (n == max)
			return "the list of local bufs is longer than was allowed before start, "
			       "with doca_rdma_set_max_send_buf_list_len() or "
			       "doca_rdma_task_receive_set_dst_buf_list_len()";
		if (sdpu_buf_is_released(buf))
			return SDPU_BUF_RELEASED_TEXT;
		if (sdpu_mmap_window(buf->mmap) == NULL)
			return "a local buf is of an mmap that is imported or was stopped; needed: "
			       "a "
			       "started one of this process";
		if (!sdpu_mmap_has_function(buf->mmap, rdma->ctx.dev))
			return "the mmap of a local buf has not the device of the context; "
			       "doca_mmap_add_dev() before its start";
		if (writes && (sdpu_mmap_permissions(buf->mmap) & writable) == 0)
			return "the mmap of a local buf is read only; needed: "
			       "DOCA_ACCESS_FLAG_LOCAL_READ_WRITE or _PCI_READ_WRITE";
	}
	return NULL;
}

static const char *remote_fault(const struct doca_rdma *rdma, const struct doca_buf *buf)
{
	if (sdpu_buf_is_released(buf))
		return SDPU_BUF_RELEASED_TEXT;
	if (sdpu_mmap_source(buf->mmap) == NULL)
		return "the remote buf is of this process's own memory; needed: an mmap made by "
		       "doca_mmap_create_from_export()";
	if (!sdpu_mmap_started(buf->mmap))
		return "the mmap of the remote buf was stopped; needed: a started one";
	if (!sdpu_mmap_has_function(buf->mmap, rdma->ctx.dev))
		return "the mmap of the remote buf was imported with another device; needed: the "
		       "context's";
	return NULL;
}

static const char *word_fault(const struct doca_rdma *rdma, const struct doca_buf *buf)
{
	const char *fault = list_fault(rdma, buf, UINT32_MAX, true);

	return fault != NULL ? fault
			     : "there is no result buf, or it is too short; needed: 8 bytes";
}

static const char *access_fault(const struct rdma_op *op)
{
	const struct doca_rdma *rdma = op->connection->rdma;
	bool reads = op->kind == RDMA_OP_READ;
	const struct doca_buf *remote = reads ? op->src : op->dst;
	const struct doca_buf *local = reads ? op->dst : op->src;
	const char *fault;

	if (remote == NULL || local == NULL)
		return "one of its bufs is NULL; needed: both, or none for an empty access";
	fault = remote_fault(rdma, remote);
	if (fault == NULL)
		fault = list_fault(rdma, local, rdma->property.send_list_len, reads);
	if (fault == NULL && reads && op->vec.len < remote->data_len)
		fault = "the data of the remote buf do not fit; needed: as much room in the local "
			"ones";
	return fault;
}

static const char *atomic_fault(const struct rdma_op *op)
{
	const struct doca_rdma *rdma = op->connection->rdma;
	const struct doca_buf *remote = op->dst;
	const char *fault;

	if (remote == NULL || remote->data_len + sdpu_buf_tail_room(remote) < RDMA_WORD)
		return "there is no remote buf, or it is too short; needed: 8 bytes from its data "
		       "on";
	fault = remote_fault(rdma, remote);
	if (fault == NULL && (uintptr_t)remote->data % RDMA_WORD != 0)
		fault = "the address of the remote data is odd; needed: a multiple of 8";
	return fault != NULL ? fault : word_fault(rdma, op->result);
}

static const char *event_fault(const struct rdma_op *op)
{
	const struct doca_rdma *rdma = op->connection->rdma;
	bool gets = op->kind == RDMA_OP_EVENT_GET;
	const char *fault;

	if (op->event == NULL)
		return "it has no sync event; needed: what "
		       "doca_sync_event_remote_net_create_from_export() makes";
	if (op->kind == RDMA_OP_EVENT_ADD)
		return word_fault(rdma, op->result);
	fault = list_fault(rdma, gets ? op->dst : op->src, rdma->property.send_list_len, gets);
	return fault != NULL ? fault : "its local buf is too short; needed: 8 bytes";
}

/* It was refused before it acted. */
static const char *unsuited_fault(const struct rdma_op *op)
{
	const struct doca_rdma *rdma = op->connection->rdma;
	const char *fault;

	if (op->kind > RDMA_OP_FETCH_ADD)
		return event_fault(op);
	if (rdma_op_is_atomic(op))
		return atomic_fault(op);
	fault = rdma_op_is_message(op)
			? list_fault(rdma, op->src, rdma->property.send_list_len, false)
			: access_fault(op);
	return fault != NULL ? fault
			     : "it is too long; needed: at most "
			       "doca_rdma_cap_get_max_message_size() bytes";
}

static const char *permission_name(uint32_t need)
{
	if (need == DOCA_ACCESS_FLAG_RDMA_READ)
		return "DOCA_ACCESS_FLAG_RDMA_READ";
	return need == DOCA_ACCESS_FLAG_RDMA_WRITE ? "DOCA_ACCESS_FLAG_RDMA_WRITE"
						   : "DOCA_ACCESS_FLAG_RDMA_ATOMIC";
}

static const char *forbidden_fault(const struct rdma_op *op)
{
	const struct sdpu_reach *reach = op->remote.reach;

	if ((op->connection->peer_permissions & op->remote.need) == 0)
		return "the peer's context does not allow it; needed: doca_rdma_set_permissions() "
		       "there";
	if (!op->begun && reach != NULL)
		return "it would write behind the end of the remote buf; needed: as much room "
		       "behind "
		       "its data";
	if (reach == NULL)
		return "its memory is of another machine than the peer, or the peer has refused; "
		       "needed: an export of the peer's";
	if (!sdpu_reach_live(reach))
		return "the owner of the memory, or of the event, has stopped it; needed: one that "
		       "is "
		       "started";
	return "the owner of the memory has exported it without that permission; needed: "
	       "doca_mmap_set_permissions() there";
}

/* What it did to memory on this machine. */
static const char *broken_fault(doca_error_t status)
{
	if (status == DOCA_ERROR_INVALID_VALUE)
		return "the memory of a local buf is gone, or cannot be written; keep it until the "
		       "task has completed";
	return status == DOCA_ERROR_CONNECTION_RESET ? "the owner of the memory is dead; look at "
						       "its exit status"
						     : "the memory of the remote buf is gone; "
						       "its owner must keep it";
}

static const char *op_fault(const struct rdma_op *op, doca_error_t status)
{
	if (status == DOCA_ERROR_NOT_PERMITTED)
		return forbidden_fault(op);
	if (status == DOCA_ERROR_INVALID_VALUE && !op->begun)
		return unsuited_fault(op);
	/* What became of a connection is told by who closed it. */
	return op->begun && op->remote.reach != NULL ? broken_fault(status) : NULL;
}

void rdma_op_explain(const struct rdma_op *op, doca_error_t status)
{
	const char *fault = op_fault(op, status);
	const char *name = op->base.pool->ops->name;

	if (fault == NULL)
		return;
	if (op->remote.addr == 0)
		sdpu_log_err("%s: on connection %u; %s", name, op->connection->id, fault);
	else
		sdpu_log_err("%s: on connection %u, of %zu bytes at %#llx, with %s; %s", name,
			     op->connection->id, op->remote.len,
			     (unsigned long long)op->remote.addr, permission_name(op->remote.need),
			     fault);
}

void rdma_receive_explain(const struct doca_rdma *rdma, const struct doca_buf *dst)
{
	const char *fault = list_fault(rdma, dst, rdma->property.recv_list_len, true);

	if (fault != NULL)
		sdpu_log_err("doca_rdma_task_receive: its bufs do not suit; %s", fault);
}

void rdma_receive_tell_long(const struct doca_rdma_task_receive *task,
			    const struct doca_rdma_connection *connection, uint64_t len)
{
	sdpu_log_err("doca_rdma_task_receive: a message of %llu bytes, and room for %zu; needed: "
		     "room for the longest that may come; connection %u is broken",
		     (unsigned long long)len, task->room.len, connection->id);
}
