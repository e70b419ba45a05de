/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the log tells of a send that was refused. Out of the data path's way: it finds out once more
 * what was wrong, and tells it once until a send is accepted.
 */
#include "base/log.h"
#include "comch/producer.h"
#include "core/buf.h"
#include "core/dev.h"
#include "core/mmap.h"

static enum comch_told buf_fault(const struct doca_comch_producer *producer,
				 const struct doca_comch_producer_task_send *task)
{
	const struct doca_buf *buf = task->buf;

	if (sdpu_buf_is_released(buf))
		return COMCH_TOLD_RELEASED;
	if (buf->next != NULL || buf->member)
		return COMCH_TOLD_LIST;
	if (sdpu_mmap_window(buf->mmap) == NULL)
		return COMCH_TOLD_FOREIGN;
	if (!sdpu_mmap_has_function(buf->mmap, producer->ctx.dev))
		return COMCH_TOLD_DEVICE;
	return buf->data_len == 0 && task->imm_len == 0 ? COMCH_TOLD_EMPTY : COMCH_TOLD_LONG;
}

static enum comch_told fault_of(const struct doca_comch_producer *producer,
				const struct doca_comch_producer_task_send *task,
				const struct comch_remote *remote, doca_error_t result)
{
	if (result == DOCA_ERROR_NOT_CONNECTED)
		return COMCH_TOLD_ENDED;
	if (result == DOCA_ERROR_NOT_FOUND)
		return COMCH_TOLD_ABSENT;
	if (remote == NULL)
		return COMCH_TOLD_NOBODY;
	if (task->imm_len > remote->imm_len)
		return COMCH_TOLD_IMM;
	return task->buf == NULL ? COMCH_TOLD_NOTHING : buf_fault(producer, task);
}

/* What is told of the send alone. */
static const char *const sentences[] = {
	[COMCH_TOLD_ENDED] = "on a connection that has ended; needed: a live one; stop the "
			     "producer",
	[COMCH_TOLD_NOBODY] = "to consumer 0; needed: an id that doca_comch_consumer_get_id() or a "
			      "consumer event gives",
	[COMCH_TOLD_RELEASED] = SDPU_BUF_RELEASED_TEXT,
	[COMCH_TOLD_LIST] = "with a list of bufs; needed: a single one",
	[COMCH_TOLD_FOREIGN] = "with a buf of an mmap that is imported or stopped; needed: a "
			       "started one of this process",
	[COMCH_TOLD_DEVICE] = "with a buf of an mmap without the connection's device; needed: "
			      "doca_mmap_add_dev() before its start",
	[COMCH_TOLD_EMPTY] = "with a buf without data; needed: at least 1 byte, or immediate data; "
			     "call doca_buf_set_data()",
	[COMCH_TOLD_NOTHING] = "with neither buf nor immediate data; needed: one of them",
};

static void tell(const struct doca_comch_producer_task_send *task,
		 const struct comch_remote *remote, enum comch_told fault)
{
	if (fault == COMCH_TOLD_ABSENT)
		sdpu_log_err(
			"doca_task_submit: doca_comch_producer_task_send to consumer %u, which "
			"the connection does not have, or not any more; needed: one that runs; "
			"doca_comch_client_event_consumer_register(), or the server's, tells when "
			"they come and go",
			task->consumer_id);
	else if (fault == COMCH_TOLD_IMM)
		sdpu_log_err("doca_task_submit: doca_comch_producer_task_send with %u bytes of "
			     "immediate data; needed: at most the %u that consumer %u takes "
			     "(doca_comch_consumer_set_imm_data_len())",
			     task->imm_len, remote->imm_len, task->consumer_id);
	else if (fault == COMCH_TOLD_LONG)
		sdpu_log_err(
			"doca_task_submit: doca_comch_producer_task_send of %zu bytes; needed: "
			"no more than the receive has room for that consumer %u has posted; "
			"post larger bufs there, or send less",
			task->buf->data_len, task->consumer_id);
	else
		sdpu_log_err("doca_task_submit: doca_comch_producer_task_send %s",
			     sentences[fault]);
}

doca_error_t comch_producer_explain(struct doca_comch_producer *producer,
				    const struct doca_comch_producer_task_send *task,
				    doca_error_t result)
{
	const struct comch_remote *remote = NULL;
	enum comch_told fault;

	/* Told when it was refused. */
	if (result == DOCA_ERROR_NOT_FOUND && task->consumer_id == producer->refused)
		return result;
	if (result == DOCA_ERROR_INVALID_VALUE)
		remote = comch_producer_remote(producer, task->consumer_id);
	fault = fault_of(producer, task, remote, result);
	if (comch_producer_tells(producer, fault))
		tell(task, remote, fault);
	return result;
}
