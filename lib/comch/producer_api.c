/* SPDX-License-Identifier: BSD-3-Clause
 *
 * doca_comch_producer.h, but creation (producer.c) and what is for producers on a DPA
 * (msgq_producer_dpa.c).
 */
#include <string.h>

#include "base/log.h"
#include "base/refuse.h"
#include "comch/capability.h"
#include "comch/producer.h"
#include "core/buf.h"
#include "core/dev.h"

static void send_set_imm(struct doca_comch_producer_task_send *task, const uint8_t *imm_data,
			 uint32_t imm_data_len)
{
	/* Too long is refused by submit, which knows what the consumer takes; nothing is copied
	 * then. */
	task->imm_len = imm_data == NULL ? 0 : imm_data_len;
	if (task->imm_len != 0 && task->imm_len <= COMCH_FAST_IMM_MAX)
		memcpy(task->imm, imm_data, imm_data_len);
}

doca_error_t doca_comch_producer_get_id(const struct doca_comch_producer *producer, uint32_t *id)
{
	if (sdpu_any_null(__func__, producer, id))
		return DOCA_ERROR_INVALID_VALUE;
	*id = producer->member.id;
	return DOCA_SUCCESS;
}

struct doca_ctx *doca_comch_producer_as_ctx(struct doca_comch_producer *producer)
{
	return producer == NULL ? NULL : &producer->ctx;
}

doca_error_t doca_comch_producer_cap_is_supported(const struct doca_devinfo *devinfo)
{
	return sdpu_any_null(__func__, devinfo) ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}

COMCH_CAPABILITY(doca_comch_producer_cap_get_max_num_tasks, max_num_tasks,
		 limits->comch_max_fast_tasks)
COMCH_CAPABILITY(doca_comch_producer_cap_get_max_buf_size, max_buf_size, limits->comch_max_buf_size)
COMCH_CAPABILITY(doca_comch_producer_cap_get_max_buf_list_len, max_buf_list_len, 1)
COMCH_CAPABILITY(doca_comch_producer_cap_get_max_producers, max_producers,
		 limits->comch_max_producers)

doca_error_t doca_comch_producer_task_send_set_conf(
	struct doca_comch_producer *producer,
	doca_comch_producer_task_send_completion_cb_t task_completion_cb,
	doca_comch_producer_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks)
{
	if (sdpu_any_null(__func__, producer))
		return DOCA_ERROR_INVALID_VALUE;
	if (producer->kind->send == NULL) {
		sdpu_log_err(
			"%s: the producer is on a DPA; needed: one on the CPU; there, device code "
			"sends",
			__func__);
		return DOCA_ERROR_BAD_STATE;
	}
	return sdpu_task_pool_conf(
		&producer->sends, &producer->ctx, producer->kind->send,
		sizeof(struct doca_comch_producer_task_send), (sdpu_task_cb)task_completion_cb,
		(sdpu_task_cb)task_error_cb, num_send_tasks,
		sdpu_dev_function(producer->ctx.dev)->limits->comch_max_fast_tasks);
}

static bool send_fits(const struct doca_comch_producer *producer, const struct doca_buf *buf)
{
	if (producer->kind->buffers && buf->next == NULL && !buf->member)
		return true;
	sdpu_log_err("doca_comch_producer_task_send_alloc_init: %s",
		     producer->kind->buffers ? "a list of bufs; needed: a single one"
					     : "a buf on a MsgQ; needed: none, as it has "
					       "immediate data only");
	return false;
}

__attribute__((cold, noinline)) static doca_error_t refuse_send(const struct doca_buf *buf,
								uint32_t imm_data_len)
{
	if (buf == NULL && imm_data_len == 0)
		sdpu_log_err("doca_comch_producer_task_send_alloc_init: neither buf nor immediate "
			     "data; needed: one of them");
	else
		sdpu_log_err(
			"doca_comch_producer_task_send_alloc_init: %u bytes of immediate data; "
			"needed: at most %d, and their address",
			imm_data_len, COMCH_FAST_IMM_MAX);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t doca_comch_producer_task_send_alloc_init(struct doca_comch_producer *producer,
						      const struct doca_buf *buf, uint8_t *imm_data,
						      uint32_t imm_data_len, uint32_t consumer_id,
						      struct doca_comch_producer_task_send **task)
{
	const union doca_data none = {.u64 = 0};
	struct doca_comch_producer_task_send *made;
	struct doca_task *base;
	doca_error_t result;

	if (sdpu_has_null(producer, task))
		return sdpu_refuse_null(__func__, producer, task);
	if (sdpu_unlikely((imm_data == NULL && imm_data_len != 0) ||
			  imm_data_len > COMCH_FAST_IMM_MAX || (buf == NULL && imm_data_len == 0)))
		return refuse_send(buf, imm_data_len);
	if (buf != NULL && !send_fits(producer, buf))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_task_alloc(&producer->sends, none, &base);
	if (result != DOCA_SUCCESS)
		return sdpu_task_alloc_refused(__func__, &producer->ctx, &producer->sends, result);
	made = (struct doca_comch_producer_task_send *)base;
	made->buf = buf;
	made->consumer_id = consumer_id;
	send_set_imm(made, imm_data, imm_data_len);
	*task = made;
	return DOCA_SUCCESS;
}

const struct doca_buf *
doca_comch_producer_task_send_get_buf(const struct doca_comch_producer_task_send *task)
{
	return task == NULL ? NULL : task->buf;
}

void doca_comch_producer_task_send_set_buf(struct doca_comch_producer_task_send *task,
					   const struct doca_buf *buf)
{
	if (task != NULL)
		task->buf = buf;
}

uint32_t
doca_comch_producer_task_send_get_consumer_id(const struct doca_comch_producer_task_send *task)
{
	return task == NULL ? 0 : task->consumer_id;
}

void doca_comch_producer_task_send_set_consumer_id(struct doca_comch_producer_task_send *task,
						   const uint32_t consumer_id)
{
	if (task != NULL)
		task->consumer_id = consumer_id;
}

uint8_t *
doca_comch_producer_task_send_get_imm_data(const struct doca_comch_producer_task_send *task)
{
	return task == NULL || task->imm_len == 0 ? NULL : (uint8_t *)task->imm;
}

uint32_t
doca_comch_producer_task_send_get_imm_data_len(const struct doca_comch_producer_task_send *task)
{
	return task == NULL ? 0 : task->imm_len;
}

void doca_comch_producer_task_send_set_imm_data(struct doca_comch_producer_task_send *task,
						uint8_t *imm_data, uint32_t imm_data_len)
{
	if (task != NULL)
		send_set_imm(task, imm_data, imm_data_len);
}

struct doca_task *doca_comch_producer_task_send_as_task(struct doca_comch_producer_task_send *task)
{
	return task == NULL ? NULL : &task->base;
}
