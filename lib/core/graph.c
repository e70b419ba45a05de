/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Graph: its life; contract in graph.h.
 */
#include "core/graph.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"

doca_error_t sdpu_graph_configurable(const struct doca_graph *graph, const char *call)
{
	if (sdpu_process_refuses(call))
		return DOCA_ERROR_BAD_STATE;
	if (graph->state == GRAPH_STOPPED && graph->num_instances == 0)
		return DOCA_SUCCESS;
	sdpu_log_err("%s: the graph %s; it can be changed only while it is stopped and has no "
		     "instances",
		     call, graph->state == GRAPH_STARTED ? "is started" : "has instances");
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_graph_create(struct doca_pe *pe, struct doca_graph **graph)
{
	struct doca_graph *made;

	if (sdpu_any_null(__func__, pe, graph))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	made = calloc(1, sizeof(*made));
	if (made == NULL)
		return sdpu_no_memory(__func__);
	made->pe = pe;
	made->source.poll = sdpu_graph_poll;
	made->source.pending = sdpu_graph_pending;
	sdpu_list_init(&made->nodes);
	sdpu_list_init(&made->ready);
	sdpu_list_init(&made->ended);
	pe->num_graphs++;
	*graph = made;
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_destroy(struct doca_graph *graph)
{
	if (sdpu_any_null(__func__, graph))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	if (graph->state == GRAPH_STARTED) {
		sdpu_log_err("doca_graph_destroy: the graph is started; call doca_graph_stop() "
			     "first");
		return DOCA_ERROR_BAD_STATE;
	}
	if (graph->num_instances != 0) {
		sdpu_log_err("doca_graph_destroy: the graph has %u instances; destroy them first",
			     graph->num_instances);
		return DOCA_ERROR_IN_USE;
	}
	graph->pe->num_graphs--;
	sdpu_graph_free_nodes(graph);
	free(graph);
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_set_conf(struct doca_graph *graph,
				 doca_graph_completion_cb_t graph_completion_cb,
				 doca_graph_completion_cb_t graph_error_cb, uint32_t num_instances)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, graph, graph_completion_cb, graph_error_cb) ||
	    sdpu_is_zero(__func__, num_instances))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_graph_configurable(graph, "doca_graph_set_conf");
	if (result != DOCA_SUCCESS)
		return result;
	graph->completed = graph_completion_cb;
	graph->failed = graph_error_cb;
	graph->max_instances = num_instances;
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_set_user_data(struct doca_graph *graph, union doca_data user_data)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, graph))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_graph_configurable(graph, "doca_graph_set_user_data");
	if (result == DOCA_SUCCESS)
		graph->user_data = user_data;
	return result;
}

doca_error_t doca_graph_start(struct doca_graph *graph)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, graph))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	if (graph->state == GRAPH_STARTED) {
		sdpu_log_err(
			"doca_graph_start: the graph is started already; needed: a stopped one");
		return DOCA_ERROR_BAD_STATE;
	}
	if (graph->completed == NULL) {
		sdpu_log_err("doca_graph_start: no callbacks; call doca_graph_set_conf() first");
		return DOCA_ERROR_BAD_CONFIG;
	}
	result = sdpu_graph_check(graph);
	if (result != DOCA_SUCCESS)
		return result;
	sdpu_source_add(graph->pe, &graph->source);
	graph->state = GRAPH_STARTED;
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_stop(struct doca_graph *graph)
{
	if (sdpu_any_null(__func__, graph))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	if (graph->state == GRAPH_STOPPED) {
		sdpu_log_err("doca_graph_stop: the graph is not started; needed: one that is");
		return DOCA_ERROR_BAD_STATE;
	}
	if (graph->num_submitted != 0) {
		sdpu_log_err("doca_graph_stop: %u instances are submitted; progress until their "
			     "callbacks have run",
			     graph->num_submitted);
		return DOCA_ERROR_IN_USE;
	}
	sdpu_source_remove(&graph->source);
	graph->state = GRAPH_STOPPED;
	return DOCA_SUCCESS;
}
