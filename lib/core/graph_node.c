/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nodes of a graph and their dependencies; contract in graph.h.
 */
#include <stdlib.h>

#include "base/log.h"
#include "base/refuse.h"
#include "core/ctx.h"
#include "core/graph.h"

static struct doca_graph_node *node_of(const struct sdpu_list *node)
{
	return sdpu_container_of(node, struct doca_graph_node, node);
}

static doca_error_t node_create(struct doca_graph *graph, const char *call,
				struct doca_graph_node **out)
{
	struct doca_graph_node *node;
	doca_error_t result = sdpu_graph_configurable(graph, call);

	if (result != DOCA_SUCCESS)
		return result;
	node = calloc(1, sizeof(*node));
	if (node == NULL)
		return sdpu_no_memory(call);
	node->graph = graph;
	node->index = graph->num_nodes++;
	sdpu_list_append(&graph->nodes, &node->node);
	*out = node;
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_node_create_from_ctx(struct doca_graph *graph, struct doca_ctx *ctx,
					     struct doca_graph_node **node)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, graph, ctx, node))
		return DOCA_ERROR_INVALID_VALUE;
	result = node_create(graph, "doca_graph_node_create_from_ctx", node);
	if (result == DOCA_SUCCESS)
		(*node)->ctx = ctx;
	return result;
}

doca_error_t doca_graph_node_create_from_user(struct doca_graph *graph,
					      doca_error_t (*cb)(void *cookie),
					      struct doca_graph_node **node)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, graph, cb, node))
		return DOCA_ERROR_INVALID_VALUE;
	result = node_create(graph, "doca_graph_node_create_from_user", node);
	if (result == DOCA_SUCCESS)
		(*node)->call = cb;
	return result;
}

doca_error_t doca_graph_add_dependency(struct doca_graph *graph, struct doca_graph_node *from,
				       struct doca_graph_node *to)
{
	struct graph_edge *edge;
	doca_error_t result;

	if (sdpu_any_null(__func__, graph, from, to))
		return DOCA_ERROR_INVALID_VALUE;
	if (from->graph != graph || to->graph != graph || from == to) {
		sdpu_log_err("doca_graph_add_dependency: %s; needed: two nodes of this graph",
			     from == to ? "from and to are one node"
					: "a node is of another graph");
		return DOCA_ERROR_INVALID_VALUE;
	}
	result = sdpu_graph_configurable(graph, "doca_graph_add_dependency");
	if (result != DOCA_SUCCESS)
		return result;
	edge = calloc(1, sizeof(*edge));
	if (edge == NULL)
		return sdpu_no_memory(__func__);
	edge->to = to;
	edge->next = from->after;
	from->after = edge;
	to->num_before++;
	return DOCA_SUCCESS;
}

static bool node_is_of_engine(const struct doca_graph_node *node)
{
	return node->ctx == NULL || node->ctx->pe == node->graph->pe;
}

/*
 * Removes nodes that wait for none of the others, until there are none of these; what is left then
 * is a cycle. `order` has room for all nodes.
 */
static bool graph_has_cycle(const struct doca_graph *graph, struct doca_graph_node **order)
{
	const struct sdpu_list *at;
	uint32_t num = 0;

	sdpu_list_for_each (at, &graph->nodes) {
		node_of(at)->waits = node_of(at)->num_before;
		if (node_of(at)->waits == 0)
			order[num++] = node_of(at);
	}
	for (uint32_t i = 0; i < num; i++)
		for (struct graph_edge *edge = order[i]->after; edge != NULL; edge = edge->next)
			if (--edge->to->waits == 0)
				order[num++] = edge->to;
	return num != graph->num_nodes;
}

static doca_error_t graph_check_order(const struct doca_graph *graph)
{
	struct doca_graph_node **order = calloc(graph->num_nodes, sizeof(*order));
	bool cyclic;

	if (order == NULL)
		return sdpu_no_memory("doca_graph_start");
	cyclic = graph_has_cycle(graph, order);
	free(order);
	if (!cyclic)
		return DOCA_SUCCESS;
	sdpu_log_err("doca_graph_start: the dependencies form a cycle; needed: an order; leave out "
		     "the one by which a node waits for itself");
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t sdpu_graph_check(const struct doca_graph *graph)
{
	const struct sdpu_list *at;

	if (graph->num_nodes == 0) {
		sdpu_log_err("doca_graph_start: the graph has no nodes; needed: at least 1; call "
			     "doca_graph_node_create_from_ctx() or _from_user() first");
		return DOCA_ERROR_INVALID_VALUE;
	}
	sdpu_list_for_each (at, &graph->nodes) {
		if (node_is_of_engine(node_of(at)))
			continue;
		sdpu_log_err("doca_graph_start: the %s of a node is not connected to the graph's "
			     "engine; call doca_pe_connect_ctx() first",
			     node_of(at)->ctx->ops->name);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return graph_check_order(graph);
}

static void node_free(struct doca_graph_node *node)
{
	struct graph_edge *edge;

	while ((edge = node->after) != NULL) {
		node->after = edge->next;
		free(edge);
	}
	free(node);
}

void sdpu_graph_free_nodes(struct doca_graph *graph)
{
	struct sdpu_list *at;

	while ((at = sdpu_list_pop(&graph->nodes)) != NULL)
		node_free(node_of(at));
}
