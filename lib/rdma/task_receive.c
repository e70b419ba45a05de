/* SPDX-License-Identifier: BSD-3-Clause
 *
 * doca_rdma_task_receive_*: the public face of a receive; posting and matching are receive.h's.
 */
#include "base/log.h"
#include "base/refuse.h"
#include "rdma/receive.h"

static doca_error_t receive_submit(struct doca_task *base)
{
	struct doca_rdma_task_receive *task = (struct doca_rdma_task_receive *)base;
	struct doca_rdma *rdma = sdpu_container_of(base->ctx, struct doca_rdma, ctx);
	doca_error_t result;

	task->opcode = DOCA_RDMA_OPCODE_RECV_SEND;
	task->result_len = 0;
	task->immediate = 0;
	task->connection = NULL;
	result = rdma_vec_of_room(&task->room, rdma, task->dst, rdma->property.recv_list_len);
	if (sdpu_likely(result == DOCA_SUCCESS)) {
		rdma_receive_post(rdma, task);
		return DOCA_SUCCESS;
	}
	rdma_receive_explain(rdma, task->dst);
	sdpu_task_finish(base, result);
	return DOCA_SUCCESS;
}

static const struct sdpu_task_ops receive_ops = {
	.name = "doca_rdma_task_receive",
	.is_receive = true,
	.submit = receive_submit,
};

doca_error_t doca_rdma_cap_task_receive_is_supported(const struct doca_devinfo *devinfo)
{
	return sdpu_any_null(__func__, devinfo) ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}

doca_error_t
doca_rdma_cap_task_receive_get_max_dst_buf_list_len(const struct doca_devinfo *devinfo,
						    enum doca_rdma_transport_type transport_type,
						    uint32_t *max_buf_list_len)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, devinfo, max_buf_list_len))
		return DOCA_ERROR_INVALID_VALUE;
	result = rdma_transport_check(transport_type);
	if (result != DOCA_SUCCESS) {
		sdpu_log_err("doca_rdma_cap_task_receive_get_max_dst_buf_list_len: transport %d; "
			     "needed: DOCA_RDMA_TRANSPORT_TYPE_RC (0), the only one here",
			     (int)transport_type);
		return result;
	}
	*max_buf_list_len = sdpu_devinfo_function(devinfo)->limits->rdma_max_list;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_task_receive_set_conf(
	struct doca_rdma *rdma,
	doca_rdma_task_receive_completion_cb_t successful_task_completion_cb,
	doca_rdma_task_receive_completion_cb_t error_task_completion_cb, uint32_t num_tasks)
{
	if (sdpu_any_null(__func__, rdma))
		return DOCA_ERROR_INVALID_VALUE;
	return sdpu_task_pool_conf(
		&rdma->receives, &rdma->ctx, &receive_ops, sizeof(struct doca_rdma_task_receive),
		(sdpu_task_cb)successful_task_completion_cb, (sdpu_task_cb)error_task_completion_cb,
		num_tasks, rdma_limits(rdma)->rdma_max_queue);
}

doca_error_t doca_rdma_task_receive_allocate_init(struct doca_rdma *rdma, struct doca_buf *dst_buf,
						  union doca_data user_data,
						  struct doca_rdma_task_receive **task)
{
	struct doca_rdma_task_receive *receive;
	struct doca_task *base;
	doca_error_t result;

	if (sdpu_has_null(rdma, task))
		return sdpu_refuse_null(__func__, rdma, task);
	if (sdpu_unlikely(rdma->ctx.state != DOCA_CTX_STATE_RUNNING))
		return sdpu_task_alloc_refused(__func__, &rdma->ctx, &rdma->receives,
					       DOCA_ERROR_BAD_STATE);
	result = sdpu_task_alloc(&rdma->receives, user_data, &base);
	if (sdpu_unlikely(result != DOCA_SUCCESS))
		return sdpu_task_alloc_refused(__func__, &rdma->ctx, &rdma->receives, result);
	receive = (struct doca_rdma_task_receive *)base;
	receive->dst = dst_buf;
	receive->opcode = DOCA_RDMA_OPCODE_RECV_SEND;
	receive->result_len = 0;
	receive->immediate = 0;
	receive->connection = NULL;
	*task = receive;
	return DOCA_SUCCESS;
}

struct doca_task *doca_rdma_task_receive_as_task(struct doca_rdma_task_receive *task)
{
	return task == NULL ? NULL : &task->base;
}

void doca_rdma_task_receive_set_dst_buf(struct doca_rdma_task_receive *task,
					struct doca_buf *dst_buf)
{
	if (task != NULL)
		task->dst = dst_buf;
}

struct doca_buf *doca_rdma_task_receive_get_dst_buf(const struct doca_rdma_task_receive *task)
{
	return task == NULL ? NULL : task->dst;
}

enum doca_rdma_opcode
doca_rdma_task_receive_get_result_opcode(const struct doca_rdma_task_receive *task)
{
	return task == NULL ? DOCA_RDMA_OPCODE_RECV_SEND : task->opcode;
}

uint32_t doca_rdma_task_receive_get_result_len(const struct doca_rdma_task_receive *task)
{
	return task == NULL ? 0 : task->result_len;
}

doca_be32_t
doca_rdma_task_receive_get_result_immediate_data(const struct doca_rdma_task_receive *task)
{
	return task == NULL ? 0 : task->immediate;
}

const struct doca_rdma_connection *
doca_rdma_task_receive_get_result_rdma_connection(const struct doca_rdma_task_receive *task)
{
	return task == NULL ? NULL : task->connection;
}
