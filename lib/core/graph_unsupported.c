/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Graphs of tasks.
 */
#include <doca_graph.h>

#include "base/unsupported.h"

/* clang-format off */
SDPU_UNSUPPORTED(doca_graph_create, (struct doca_pe *pe, struct doca_graph **graph), pe && graph)
SDPU_UNSUPPORTED(doca_graph_destroy, (struct doca_graph *graph), graph)
SDPU_UNSUPPORTED(doca_graph_node_create_from_ctx,
	(struct doca_graph *graph, struct doca_ctx *ctx, struct doca_graph_node **node),
	graph && ctx && node)
SDPU_UNSUPPORTED(doca_graph_node_create_from_user,
	(struct doca_graph *graph, doca_error_t (*cb)(void *cookie), struct doca_graph_node **node),
	graph && cb && node)
SDPU_UNSUPPORTED(doca_graph_add_dependency,
	(struct doca_graph *graph, struct doca_graph_node *from, struct doca_graph_node *to),
	graph && from && to)
SDPU_UNSUPPORTED(doca_graph_set_conf,
	(struct doca_graph *graph, doca_graph_completion_cb_t graph_completion_cb,
	 doca_graph_completion_cb_t graph_error_cb, uint32_t num_instances),
	graph && graph_completion_cb && graph_error_cb)
SDPU_UNSUPPORTED(doca_graph_set_user_data,
	(struct doca_graph *graph, union doca_data user_data), graph)
SDPU_UNSUPPORTED(doca_graph_start, (struct doca_graph *graph), graph)
SDPU_UNSUPPORTED(doca_graph_stop, (struct doca_graph *graph), graph)
SDPU_UNSUPPORTED(doca_graph_instance_create,
	(struct doca_graph *graph, struct doca_graph_instance **instance), graph && instance)
SDPU_UNSUPPORTED(doca_graph_instance_destroy, (struct doca_graph_instance *instance), instance)
SDPU_UNSUPPORTED(doca_graph_instance_set_ctx_node_data,
	(struct doca_graph_instance *instance, struct doca_graph_node *node,
	 struct doca_task *task), instance && node && task)
SDPU_UNSUPPORTED(doca_graph_instance_set_user_node_data,
	(struct doca_graph_instance *instance, struct doca_graph_node *node, void *cookie),
	instance && node)
SDPU_UNSUPPORTED(doca_graph_instance_set_user_data,
	(struct doca_graph_instance *instance, union doca_data user_data), instance)
SDPU_UNSUPPORTED(doca_graph_instance_submit, (struct doca_graph_instance *instance), instance)
/* clang-format on */
