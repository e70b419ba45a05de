/* SPDX-License-Identifier: BSD-3-Clause
 *
 * doca_comch_consumer.h, but creation (consumer.c) and what is for consumers on a DPA
 * (msgq_consumer_dpa.c).
 */
#include "base/log.h"
#include "base/refuse.h"
#include "comch/capability.h"
#include "comch/consumer.h"
#include "core/buf.h"
#include "core/dev.h"
#include "core/mmap.h"

doca_error_t doca_comch_consumer_get_id(const struct doca_comch_consumer *consumer, uint32_t *id)
{
	if (sdpu_any_null(__func__, consumer, id))
		return DOCA_ERROR_INVALID_VALUE;
	*id = consumer->member.id;
	return DOCA_SUCCESS;
}

struct doca_ctx *doca_comch_consumer_as_ctx(struct doca_comch_consumer *consumer)
{
	return consumer == NULL ? NULL : &consumer->ctx;
}

doca_error_t doca_comch_consumer_set_imm_data_len(struct doca_comch_consumer *consumer,
						  uint32_t imm_data_len)
{
	doca_error_t result;
	uint32_t max;

	if (sdpu_any_null(__func__, consumer))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_ctx_configurable(&consumer->ctx, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	max = sdpu_dev_function(consumer->ctx.dev)->limits->comch_max_imm_len;
	if (imm_data_len > max) {
		sdpu_log_err("%s: %u bytes; needed: at most %u", __func__, imm_data_len, max);
		return DOCA_ERROR_INVALID_VALUE;
	}
	consumer->imm_len = imm_data_len;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_consumer_get_imm_data_len(const struct doca_comch_consumer *consumer,
						  uint32_t *imm_data_len)
{
	if (sdpu_any_null(__func__, consumer, imm_data_len))
		return DOCA_ERROR_INVALID_VALUE;
	*imm_data_len = consumer->imm_len;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_consumer_cap_is_supported(const struct doca_devinfo *devinfo)
{
	return sdpu_any_null(__func__, devinfo) ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}

COMCH_CAPABILITY(doca_comch_consumer_cap_get_max_num_tasks, max_num_tasks,
		 limits->comch_max_fast_tasks)
COMCH_CAPABILITY(doca_comch_consumer_cap_get_max_buf_size, max_buf_size, limits->comch_max_buf_size)
COMCH_CAPABILITY(doca_comch_consumer_cap_get_max_buf_list_len, max_buf_list_len, 1)
COMCH_CAPABILITY(doca_comch_consumer_cap_get_max_consumers, max_consumers,
		 limits->comch_max_consumers)
COMCH_CAPABILITY(doca_comch_consumer_cap_get_max_imm_data_len, max_imm_data_len,
		 limits->comch_max_imm_len)

doca_error_t doca_comch_consumer_task_post_recv_set_conf(
	struct doca_comch_consumer *consumer,
	doca_comch_consumer_task_post_recv_completion_cb_t task_completion_cb,
	doca_comch_consumer_task_post_recv_completion_cb_t task_error_cb,
	uint32_t num_post_recv_tasks)
{
	if (sdpu_any_null(__func__, consumer))
		return DOCA_ERROR_INVALID_VALUE;
	if (consumer->kind->receive == NULL) {
		sdpu_log_err("%s: the consumer is on a DPA; needed: one on the CPU; there, device "
			     "code posts receives",
			     __func__);
		return DOCA_ERROR_BAD_STATE;
	}
	return sdpu_task_pool_conf(
		&consumer->receives, &consumer->ctx, consumer->kind->receive,
		sizeof(struct doca_comch_consumer_task_post_recv), (sdpu_task_cb)task_completion_cb,
		(sdpu_task_cb)task_error_cb, num_post_recv_tasks,
		sdpu_dev_function(consumer->ctx.dev)->limits->comch_max_fast_tasks);
}

bool comch_consumer_fits(const struct doca_comch_consumer *consumer, const struct doca_buf *buf,
			 const char *call)
{
	if (buf->next == NULL && !buf->member && buf->mmap == consumer->mmap)
		return true;
	sdpu_log_err("%s: %s", call,
		     sdpu_buf_is_released(buf) ? SDPU_BUF_RELEASED_TEXT
		     : consumer->mmap == NULL
			     ? "a buf on a MsgQ; needed: none, as it has immediate "
			       "data only"
		     : buf->mmap == consumer->mmap ? "a list of bufs; needed: a single one"
						   : "the buf is of another mmap; needed: one of "
						     "the consumer's");
	return false;
}

doca_error_t
doca_comch_consumer_task_post_recv_alloc_init(struct doca_comch_consumer *consumer,
					      struct doca_buf *buf,
					      struct doca_comch_consumer_task_post_recv **task)
{
	const union doca_data none = {.u64 = 0};
	struct doca_comch_consumer_task_post_recv *made;
	struct doca_task *base;
	doca_error_t result;

	if (sdpu_any_null(__func__, consumer, task) ||
	    (buf != NULL && !comch_consumer_fits(consumer, buf, __func__)))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_task_alloc(&consumer->receives, none, &base);
	if (result != DOCA_SUCCESS)
		return sdpu_task_alloc_refused(__func__, &consumer->ctx, &consumer->receives,
					       result);
	made = (struct doca_comch_consumer_task_post_recv *)base;
	made->buf = buf;
	made->producer_id = 0;
	made->imm_len = 0;
	*task = made;
	return DOCA_SUCCESS;
}

struct doca_buf *
doca_comch_consumer_task_post_recv_get_buf(const struct doca_comch_consumer_task_post_recv *task)
{
	return task == NULL ? NULL : task->buf;
}

void doca_comch_consumer_task_post_recv_set_buf(struct doca_comch_consumer_task_post_recv *task,
						struct doca_buf *buf)
{
	if (task != NULL)
		task->buf = buf;
}

uint32_t doca_comch_consumer_task_post_recv_get_producer_id(
	const struct doca_comch_consumer_task_post_recv *task)
{
	return task == NULL ? 0 : task->producer_id;
}

const uint8_t *doca_comch_consumer_task_post_recv_get_imm_data(
	const struct doca_comch_consumer_task_post_recv *task)
{
	return task == NULL || task->imm_len == 0 ? NULL : task->imm;
}

uint32_t doca_comch_consumer_task_post_recv_get_imm_data_len(
	const struct doca_comch_consumer_task_post_recv *task)
{
	return task == NULL ? 0 : task->imm_len;
}

struct doca_task *
doca_comch_consumer_task_post_recv_as_task(struct doca_comch_consumer_task_post_recv *task)
{
	return task == NULL ? NULL : &task->base;
}
