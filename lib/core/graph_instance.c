/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Instances of a graph, and how they run; contract in graph.h.
 */
#include <stdlib.h>

#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "core/graph.h"

static void run_ready(struct graph_run *run)
{
	struct doca_graph *graph = run->instance->graph;

	run->instance->active++;
	sdpu_list_append(&graph->ready, &run->ready);
	sdpu_source_heat(&graph->source);
}

static void run_release_next(struct graph_run *run)
{
	struct graph_run *runs = run->instance->runs;

	for (struct graph_edge *edge = run->node->after; edge != NULL; edge = edge->next)
		if (--runs[edge->to->index].waits == 0)
			run_ready(&runs[edge->to->index]);
}

/* Calls no user: the task that has ended may be anywhere. */
static void run_end(struct graph_run *run, doca_error_t status)
{
	struct doca_graph_instance *instance = run->instance;
	struct doca_graph *graph = instance->graph;

	if (status != DOCA_SUCCESS && instance->status == DOCA_SUCCESS)
		instance->status = status;
	if (instance->status == DOCA_SUCCESS)
		run_release_next(run);
	if (--instance->active != 0)
		return;
	sdpu_list_append(&graph->ended, &instance->ended);
	sdpu_source_heat(&graph->source);
}

static void run_task_done(struct sdpu_task_watch *watch, doca_error_t status)
{
	run_end(sdpu_container_of(watch, struct graph_run, watch), status);
}

static void run_call(struct graph_run *run)
{
	struct doca_pe *pe = run->instance->graph->pe;
	doca_error_t result;

	pe->depth++;
	result = run->node->call(run->cookie);
	pe->depth--;
	run_end(run, result);
}

/* False: to be tried again later. */
static bool run_submit(struct graph_run *run)
{
	doca_error_t result = sdpu_task_submit_watched(run->task, &run->watch);

	if (result == DOCA_ERROR_AGAIN)
		return false;
	if (result == DOCA_SUCCESS)
		return true;
	sdpu_log_err("doca_graph: the %s of a node could not be submitted; its context must run, "
		     "and nobody else may have submitted or freed it",
		     run->task->pool->ops->name);
	run_end(run, result);
	return true;
}

static bool run_act(struct graph_run *run)
{
	if (run->instance->status != DOCA_SUCCESS)
		run_end(run, run->instance->status);
	else if (run->node->ctx == NULL)
		run_call(run);
	else
		return run_submit(run);
	return true;
}

/* Calls the user, who may do anything with the instance and the graph: nothing of them is touched
 * afterwards. */
static void instance_deliver(struct doca_graph_instance *instance)
{
	struct doca_graph *graph = instance->graph;
	struct doca_pe *pe = graph->pe;

	graph->num_submitted--;
	instance->state = GRAPH_INSTANCE_OWNED;
	pe->depth++;
	(instance->status == DOCA_SUCCESS ? graph->completed : graph->failed)(
		instance, instance->user_data, graph->user_data);
	pe->depth--;
}

bool sdpu_graph_pending(const struct sdpu_source *source)
{
	const struct doca_graph *graph = sdpu_container_of(source, struct doca_graph, source);

	return !sdpu_list_empty(&graph->ready) || !sdpu_list_empty(&graph->ended);
}

bool sdpu_graph_poll(struct sdpu_source *source)
{
	struct doca_graph *graph = sdpu_container_of(source, struct doca_graph, source);
	struct sdpu_list *first = sdpu_list_pop(&graph->ended);

	if (first != NULL) {
		instance_deliver(sdpu_container_of(first, struct doca_graph_instance, ended));
		return true;
	}
	first = sdpu_list_pop(&graph->ready);
	if (first == NULL) {
		sdpu_source_park(source);
		return false;
	}
	if (run_act(sdpu_container_of(first, struct graph_run, ready)))
		return true;
	/* The others are not held up. */
	sdpu_list_append(&graph->ready, first);
	return false;
}

static void instance_init(struct doca_graph_instance *instance, struct doca_graph *graph)
{
	struct sdpu_list *at;

	instance->graph = graph;
	sdpu_list_init(&instance->ended);
	sdpu_list_for_each (at, &graph->nodes) {
		struct doca_graph_node *node = sdpu_container_of(at, struct doca_graph_node, node);
		struct graph_run *run = &instance->runs[node->index];

		run->watch.done = run_task_done;
		run->instance = instance;
		run->node = node;
		sdpu_list_init(&run->ready);
	}
}

doca_error_t doca_graph_instance_create(struct doca_graph *graph,
					struct doca_graph_instance **instance)
{
	struct doca_graph_instance *made;

	if (sdpu_any_null(__func__, graph, instance))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	if (graph->state != GRAPH_STARTED) {
		sdpu_log_err("doca_graph_instance_create: the graph is not started; call "
			     "doca_graph_start() first");
		return DOCA_ERROR_BAD_STATE;
	}
	if (graph->num_instances >= graph->max_instances) {
		sdpu_log_err("doca_graph_instance_create: %u instances exist; needed: fewer, as "
			     "doca_graph_set_conf() allows %u; destroy one, or configure more",
			     graph->num_instances, graph->max_instances);
		return DOCA_ERROR_NO_MEMORY;
	}
	made = calloc(1, sizeof(*made) + graph->num_nodes * sizeof(made->runs[0]));
	if (made == NULL)
		return sdpu_no_memory(__func__);
	instance_init(made, graph);
	graph->num_instances++;
	*instance = made;
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_instance_destroy(struct doca_graph_instance *instance)
{
	if (sdpu_any_null(__func__, instance))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	if (instance->state == GRAPH_INSTANCE_SUBMITTED) {
		sdpu_log_err("doca_graph_instance_destroy: it is submitted; progress until its "
			     "callback has run");
		return DOCA_ERROR_IN_USE;
	}
	instance->graph->num_instances--;
	free(instance);
	return DOCA_SUCCESS;
}

/* For setters. NULL: no node of this graph is concerned. */
static doca_error_t instance_settable(const struct doca_graph_instance *instance,
				      const struct doca_graph_node *node, const char *call)
{
	if (node != NULL && node->graph != instance->graph) {
		sdpu_log_err("%s: the node is of another graph; needed: one of the instance's",
			     call);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (sdpu_process_refuses(call))
		return DOCA_ERROR_BAD_STATE;
	if (instance->state == GRAPH_INSTANCE_OWNED)
		return DOCA_SUCCESS;
	sdpu_log_err("%s: the instance is submitted; wait for its callback", call);
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_graph_instance_set_ctx_node_data(struct doca_graph_instance *instance,
						   struct doca_graph_node *node,
						   struct doca_task *task)
{
	const char *call = "doca_graph_instance_set_ctx_node_data";
	doca_error_t result;

	if (sdpu_any_null(__func__, instance, node, task))
		return DOCA_ERROR_INVALID_VALUE;
	result = instance_settable(instance, node, call);
	if (result != DOCA_SUCCESS)
		return result;
	if (node->ctx != task->ctx) {
		sdpu_log_err(
			"%s: the task is not of the node's context; needed: one allocated from it",
			call);
		return DOCA_ERROR_INVALID_VALUE;
	}
	instance->runs[node->index].task = task;
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_instance_set_user_node_data(struct doca_graph_instance *instance,
						    struct doca_graph_node *node, void *cookie)
{
	const char *call = "doca_graph_instance_set_user_node_data";
	doca_error_t result;

	if (sdpu_any_null(__func__, instance, node))
		return DOCA_ERROR_INVALID_VALUE;
	result = instance_settable(instance, node, call);
	if (result != DOCA_SUCCESS)
		return result;
	if (node->call == NULL) {
		sdpu_log_err("%s: the node runs a task; needed: one that runs a function, made by "
			     "doca_graph_node_create_from_user()",
			     call);
		return DOCA_ERROR_INVALID_VALUE;
	}
	instance->runs[node->index].cookie = cookie;
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_instance_set_user_data(struct doca_graph_instance *instance,
					       union doca_data user_data)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, instance))
		return DOCA_ERROR_INVALID_VALUE;
	result = instance_settable(instance, NULL, "doca_graph_instance_set_user_data");
	if (result == DOCA_SUCCESS)
		instance->user_data = user_data;
	return result;
}

static bool instance_is_complete(const struct doca_graph_instance *instance)
{
	for (uint32_t i = 0; i < instance->graph->num_nodes; i++)
		if (instance->runs[i].node->ctx != NULL && instance->runs[i].task == NULL)
			return false;
	return true;
}

static void instance_begin(struct doca_graph_instance *instance)
{
	instance->state = GRAPH_INSTANCE_SUBMITTED;
	instance->status = DOCA_SUCCESS;
	instance->graph->num_submitted++;
	for (uint32_t i = 0; i < instance->graph->num_nodes; i++) {
		struct graph_run *run = &instance->runs[i];

		run->waits = run->node->num_before;
		if (run->waits == 0)
			run_ready(run);
	}
	sdpu_bell_rouse(&instance->graph->pe->bell);
}

doca_error_t doca_graph_instance_submit(struct doca_graph_instance *instance)
{
	if (sdpu_any_null(__func__, instance))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	if (instance->state == GRAPH_INSTANCE_SUBMITTED ||
	    instance->graph->state != GRAPH_STARTED) {
		sdpu_log_err("doca_graph_instance_submit: %s",
			     instance->state == GRAPH_INSTANCE_SUBMITTED
				     ? "it is submitted; progress until its callback has run"
				     : "the graph is not started; call doca_graph_start() first");
		return DOCA_ERROR_BAD_STATE;
	}
	if (!instance_is_complete(instance)) {
		sdpu_log_err("doca_graph_instance_submit: a node has no task; call "
			     "doca_graph_instance_set_ctx_node_data() first");
		return DOCA_ERROR_INVALID_VALUE;
	}
	instance_begin(instance);
	return DOCA_SUCCESS;
}
