/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the log tells of a send that was refused. Out of the data path's way: it finds out once more
 * what was wrong.
 */
#include "base/log.h"
#include "comch/endpoint.h"
#include "comch/producer.h"
#include "core/buf.h"
#include "core/dev.h"
#include "core/mmap.h"

static const char *buf_fault(const struct doca_comch_producer *producer, const struct doca_buf *buf)
{
	if (buf->next != NULL || buf->member)
		return "a list of bufs; needed: a single one";
	if (sdpu_mmap_window(buf->mmap) == NULL)
		return "a buf of an mmap that is imported or stopped; needed: a started one of "
		       "this "
		       "process";
	if (!sdpu_mmap_has_function(buf->mmap, producer->ctx.dev))
		return "a buf of an mmap without the connection's device; needed: "
		       "doca_mmap_add_dev() before its start";
	return buf->data_len == 0 ? "a buf without data; needed: at least 1 byte, or immediate "
				    "data; call doca_buf_set_data()"
				  : NULL;
}

static void explain_value(struct doca_comch_producer *producer,
			  const struct doca_comch_producer_task_send *task)
{
	const struct comch_remote *remote = comch_producer_remote(producer, task->consumer_id);
	const char *fault = task->buf != NULL ? buf_fault(producer, task->buf) : NULL;

	if (remote == NULL)
		sdpu_log_err(
			"doca_task_submit: doca_comch_producer_task_send to consumer 0; needed: "
			"an id that doca_comch_consumer_get_id() or a consumer event gives");
	else if (task->imm_len > remote->imm_len)
		sdpu_log_err("doca_task_submit: doca_comch_producer_task_send with %u bytes of "
			     "immediate data; needed: at most the %u that consumer %u takes "
			     "(doca_comch_consumer_set_imm_data_len())",
			     task->imm_len, remote->imm_len, task->consumer_id);
	else if (fault != NULL && !(task->imm_len != 0 && task->buf->data_len == 0))
		sdpu_log_err("doca_task_submit: doca_comch_producer_task_send with %s", fault);
	else if (task->buf == NULL)
		sdpu_log_err("doca_task_submit: doca_comch_producer_task_send with neither buf nor "
			     "immediate data; needed: one of them");
	else
		sdpu_log_err(
			"doca_task_submit: doca_comch_producer_task_send of %zu bytes; needed: "
			"no more than the receive has room for that consumer %u has posted; "
			"post larger bufs there, or send less",
			task->buf->data_len, task->consumer_id);
}

doca_error_t comch_producer_explain(struct doca_comch_producer *producer,
				    const struct doca_comch_producer_task_send *task,
				    doca_error_t result)
{
	/* Told when it was refused. */
	if (result == DOCA_ERROR_NOT_FOUND && task->consumer_id == producer->refused)
		return result;
	if (result == DOCA_ERROR_NOT_CONNECTED)
		sdpu_log_err("doca_task_submit: doca_comch_producer_task_send on a connection that "
			     "has ended; needed: a live one; stop the producer");
	else if (result == DOCA_ERROR_NOT_FOUND)
		sdpu_log_err(
			"doca_task_submit: doca_comch_producer_task_send to consumer %u, which "
			"the connection does not have, or not any more; needed: one that runs; "
			"doca_comch_%s_event_consumer_register() tells when they come and go",
			task->consumer_id,
			producer->connection->endpoint->is_server ? "server" : "client");
	else
		explain_value(producer, task);
	return result;
}
