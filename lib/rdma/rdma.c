/* SPDX-License-Identifier: BSD-3-Clause
 *
 * RDMA context: its life; contract in rdma.h.
 */
#include "rdma/rdma.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "rdma/connection.h"
#include "rdma/fabric_acceptor.h"
#include "rdma/show.h"

static struct doca_rdma *rdma_of(const struct doca_ctx *ctx)
{
	return sdpu_container_of(ctx, struct doca_rdma, ctx);
}

static doca_error_t rdma_start(struct doca_ctx *ctx)
{
	struct doca_rdma *rdma = rdma_of(ctx);
	doca_error_t result = sdpu_task_pool_open(&rdma->receives);

	for (int i = 0; result == DOCA_SUCCESS && i < RDMA_OP_KINDS; i++)
		result = sdpu_task_pool_open(&rdma->ops[i]);
	return result;
}

static void rdma_stop(struct doca_ctx *ctx)
{
	struct doca_rdma *rdma = rdma_of(ctx);
	struct sdpu_list *node;
	struct doca_task *task;

	rdma_listener_end_all(rdma);
	/* Before receives, the connections: one in the midst of a message has a receive to give
	 * back. */
	sdpu_list_for_each (node, &rdma->connections)
		rdma_connection_end(sdpu_container_of(node, struct doca_rdma_connection, node));
	sdpu_store(&rdma->num_posted, 0);
	while ((task = sdpu_task_queue_get(&rdma->posted)) != NULL)
		sdpu_task_finish(task, DOCA_ERROR_SHUTDOWN);
}

static const struct sdpu_ctx_ops rdma_ops = {
	.name = "doca_rdma",
	.kind = SOFTDPU_OBJECT_RDMA,
	.show = rdma_show,
	.start = rdma_start,
	.stop = rdma_stop,
};

doca_error_t doca_rdma_create(struct doca_dev *dev, struct doca_rdma **rdma)
{
	struct doca_rdma *made;

	if (sdpu_any_null(__func__, dev, rdma))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	made = calloc(1, sizeof(*made));
	if (made == NULL)
		return sdpu_no_memory(__func__);
	rdma_property_init(&made->property);
	sdpu_list_init(&made->hungry);
	sdpu_list_init(&made->connections);
	sdpu_list_init(&made->listeners);
	sdpu_ctx_init(&made->ctx, &rdma_ops, dev);
	*rdma = made;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_destroy(struct doca_rdma *rdma)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, rdma))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	result = sdpu_ctx_fini(&rdma->ctx);
	if (result != DOCA_SUCCESS)
		return result == DOCA_ERROR_IN_USE ? DOCA_ERROR_BAD_STATE : result;
	rdma_connection_free_all(rdma);
	if (rdma->has_acceptor)
		fabric_acceptor_put();
	sdpu_task_pool_close(&rdma->receives);
	for (int i = 0; i < RDMA_OP_KINDS; i++)
		sdpu_task_pool_close(&rdma->ops[i]);
	free(rdma);
	return DOCA_SUCCESS;
}

struct doca_ctx *doca_rdma_as_ctx(struct doca_rdma *rdma)
{
	return rdma == NULL ? NULL : &rdma->ctx;
}

doca_error_t rdma_check_running(const struct doca_rdma *rdma, const char *call)
{
	if (sdpu_process_refuses(call))
		return DOCA_ERROR_BAD_STATE;
	if (rdma->ctx.state == DOCA_CTX_STATE_RUNNING)
		return DOCA_SUCCESS;
	sdpu_log_err(
		"%s: the context is not running; needed: one that is; call doca_ctx_start() first",
		call);
	return DOCA_ERROR_BAD_STATE;
}
