/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Graphs: building, checking, the order in which nodes run, and instances; with functions only.
 */
#include <poll.h>
#include <stdlib.h>

#include "core/graph_kit.h"
#include "core/kit.h"
#include "core/toy.h"

T_CASE(null_is_refused)
{
	struct doca_graph *graph = NULL, *made = graph_make();
	struct doca_graph_node *node = NULL, *there = graph_user_node(made);
	struct doca_graph_instance *instance = NULL;
	const union doca_data none = {.u64 = 0};
	struct doca_ctx *ctx = (void *)&graph_trace;
	struct doca_task *task = (void *)&graph_trace;

	T_ERR(doca_graph_create(NULL, &graph), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_create(pe, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_node_create_from_ctx(NULL, ctx, &node), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_node_create_from_ctx(made, NULL, &node), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_node_create_from_ctx(made, ctx, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_node_create_from_user(NULL, graph_note, &node), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_node_create_from_user(made, NULL, &node), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_node_create_from_user(made, graph_note, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_add_dependency(NULL, there, there), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_add_dependency(made, NULL, there), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_add_dependency(made, there, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_set_conf(NULL, graph_on_completed, graph_on_failed, 1),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_set_conf(made, NULL, graph_on_failed, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_set_conf(made, graph_on_completed, NULL, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_set_conf(made, graph_on_completed, graph_on_failed, 0),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_set_user_data(NULL, none), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_start(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_stop(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_instance_create(NULL, &instance), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_instance_create(made, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_instance_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_instance_set_ctx_node_data(NULL, there, task), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_instance_set_user_node_data(NULL, there, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_instance_set_user_data(NULL, none), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_instance_submit(NULL), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_graph_start(made));
	instance = graph_instance_of(made);
	T_ERR(doca_graph_instance_set_ctx_node_data(instance, NULL, task),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_instance_set_ctx_node_data(instance, there, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_instance_set_user_node_data(instance, NULL, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_EQ(graph, 0);
	T_EQ(node, 0);
	T_OK(doca_graph_instance_destroy(instance));
	graph_close(made);
	graph_close_engine();
}

static void is_fixed(struct doca_graph *graph, struct doca_graph_node *a, struct doca_graph_node *b)
{
	const union doca_data none = {.u64 = 0};
	struct doca_ctx *ctx = (void *)&graph_trace;
	struct doca_graph_node *node = NULL;

	T_ERR(doca_graph_node_create_from_ctx(graph, ctx, &node), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_graph_node_create_from_user(graph, graph_note, &node), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_graph_add_dependency(graph, a, b), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_graph_set_conf(graph, graph_on_completed, graph_on_failed, 1),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_graph_set_user_data(graph, none), DOCA_ERROR_BAD_STATE);
	T_EQ(node, 0);
}

T_CASE(states_of_a_graph)
{
	struct doca_graph *graph = graph_make();
	struct doca_graph_node *a = graph_user_node(graph), *b = graph_user_node(graph);
	struct doca_graph_instance *instance = NULL;

	T_ERR(doca_graph_stop(graph), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_graph_instance_create(graph, &instance), DOCA_ERROR_BAD_STATE);
	T_EQ(instance, 0);
	T_OK(doca_graph_start(graph));
	T_ERR(doca_graph_start(graph), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_graph_destroy(graph), DOCA_ERROR_BAD_STATE);
	is_fixed(graph, a, b);
	instance = graph_instance_of(graph);
	T_OK(doca_graph_stop(graph));
	is_fixed(graph, a, b);
	T_ERR(doca_graph_instance_submit(instance), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_graph_destroy(graph), DOCA_ERROR_IN_USE);
	T_ERR(doca_pe_destroy(pe), DOCA_ERROR_IN_USE);
	/* Started again, the instance is still good. */
	T_OK(doca_graph_start(graph));
	T_OK(doca_graph_instance_submit(instance));
	progress_all();
	T_EQ(graph_completed, 1);
	T_OK(doca_graph_stop(graph));
	T_OK(doca_graph_instance_destroy(instance));
	T_OK(doca_graph_add_dependency(graph, a, b));
	T_OK(doca_graph_destroy(graph));
	graph_close_engine();
}

static void does_not_start(struct doca_graph *graph, doca_error_t result, const char *why)
{
	kit_log();
	T_ERR(doca_graph_start(graph), result);
	T_CONTAINS(kit_log(), why);
}

T_CASE(start_checks_the_graph)
{
	struct doca_pe *other;
	struct doca_graph *bare, *graph = graph_make(), *cycle = graph_make();
	struct toy *toy = toy_make();
	struct doca_graph_node *nodes[4];

	T_OK(doca_graph_create(pe, &bare));
	graph_user_node(bare);
	does_not_start(bare, DOCA_ERROR_BAD_CONFIG, "doca_graph_set_conf");
	does_not_start(graph, DOCA_ERROR_INVALID_VALUE, "no nodes");
	for (int i = 0; i < 4; i++)
		nodes[i] = graph_user_node(cycle);
	T_ERR(doca_graph_add_dependency(cycle, nodes[0], nodes[0]), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_add_dependency(graph, nodes[0], nodes[1]), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_graph_add_dependency(cycle, nodes[0], nodes[1]));
	T_OK(doca_graph_add_dependency(cycle, nodes[1], nodes[2]));
	T_OK(doca_graph_add_dependency(cycle, nodes[2], nodes[3]));
	T_OK(doca_graph_start(cycle));
	T_OK(doca_graph_stop(cycle));
	T_OK(doca_graph_add_dependency(cycle, nodes[3], nodes[1]));
	does_not_start(cycle, DOCA_ERROR_INVALID_VALUE, "cycle");
	T_OK(doca_graph_destroy(bare));
	T_OK(doca_graph_destroy(graph));
	T_OK(doca_graph_destroy(cycle));

	T_OK(doca_pe_create(&other));
	graph = graph_on(other, 1);
	graph_ctx_node(graph, &toy->ctx);
	does_not_start(graph, DOCA_ERROR_INVALID_VALUE, "engine");
	T_OK(doca_graph_destroy(graph));
	T_OK(doca_pe_destroy(other));
	finish(toy);
}

/* Rule 13: nothing happens inside submit. */
T_CASE(a_diamond)
{
	struct doca_graph *graph = graph_make();
	struct doca_graph_node *nodes[4];
	struct doca_graph_instance *instance;

	for (int i = 0; i < 4; i++)
		nodes[i] = graph_user_node(graph);
	/* 3 first, then 1 and 2, 0 at graph_last; the same twice. */
	T_OK(doca_graph_add_dependency(graph, nodes[1], nodes[0]));
	T_OK(doca_graph_add_dependency(graph, nodes[2], nodes[0]));
	T_OK(doca_graph_add_dependency(graph, nodes[3], nodes[1]));
	T_OK(doca_graph_add_dependency(graph, nodes[3], nodes[2]));
	T_OK(doca_graph_add_dependency(graph, nodes[3], nodes[2]));
	T_OK(doca_graph_start(graph));
	instance = graph_instance_of(graph);
	for (uintptr_t i = 0; i < 4; i++)
		graph_set_number(instance, nodes[i], i);
	for (uint32_t round = 1; round <= 3; round++) {
		graph_num_trace = 0;
		T_OK(doca_graph_instance_submit(instance));
		T_EQ(graph_num_trace, 0);
		T_ERR(doca_graph_instance_submit(instance), DOCA_ERROR_BAD_STATE);
		progress_all();
		T_EQ(graph_num_trace, 4);
		T_EQ(graph_trace[0], 3);
		T_EQ(graph_trace[1] + graph_trace[2], 3);
		T_EQ(graph_trace[3], 0);
		T_EQ(graph_completed, round);
		T_EQ(graph_last, instance);
	}
	T_EQ(doca_pe_progress(pe), 0);
	T_OK(doca_graph_instance_destroy(instance));
	graph_close(graph);
	graph_close_engine();
}

#define RANDOM_NODES 40

static uint32_t place_of(uintptr_t number)
{
	for (uint32_t i = 0; i < graph_num_trace; i++)
		if (graph_trace[i] == number)
			return i;
	T_FAIL("node %u did not run", (unsigned int)number);
}

/* Each runs once, after all that it waits for, whatever the graph. */
static void random_graph(void)
{
	struct doca_graph *graph = graph_make();
	struct doca_graph_node *nodes[RANDOM_NODES];
	struct doca_graph_instance *instance;
	uint8_t edge[RANDOM_NODES][RANDOM_NODES] = {{0}};

	for (int i = 0; i < RANDOM_NODES; i++)
		nodes[i] = graph_user_node(graph);
	for (int n = rand() % 200; n > 0; n--) {
		int a = rand() % RANDOM_NODES, b = rand() % RANDOM_NODES;

		if (a == b)
			continue;
		edge[a > b ? a : b][a > b ? b : a] = 1;
		T_OK(doca_graph_add_dependency(graph, nodes[a > b ? a : b], nodes[a > b ? b : a]));
	}
	T_OK(doca_graph_start(graph));
	instance = graph_instance_of(graph);
	for (uintptr_t i = 0; i < RANDOM_NODES; i++)
		graph_set_number(instance, nodes[i], i);
	graph_num_trace = 0;
	T_OK(doca_graph_instance_submit(instance));
	progress_all();
	T_EQ(graph_num_trace, RANDOM_NODES);
	for (uintptr_t a = 0; a < RANDOM_NODES; a++)
		for (uintptr_t b = 0; b < RANDOM_NODES; b++)
			if (edge[a][b])
				T_CHECK(place_of(a) < place_of(b));
	T_OK(doca_graph_instance_destroy(instance));
	graph_close(graph);
}

T_CASE(random_graphs)
{
	srand(3);
	for (int i = 0; i < 200; i++)
		random_graph();
	T_EQ(graph_completed, 200);
	graph_close_engine();
}

T_CASE(as_many_instances_as_were_asked_for)
{
	struct doca_graph *graph = graph_make();
	struct doca_graph_node *node = graph_user_node(graph);
	struct doca_graph_instance *instances[4], *more = NULL;

	T_OK(doca_graph_start(graph));
	for (uintptr_t i = 0; i < 4; i++) {
		instances[i] = graph_instance_of(graph);
		graph_set_number(instances[i], node, i);
	}
	T_ERR(doca_graph_instance_create(graph, &more), DOCA_ERROR_NO_MEMORY);
	T_EQ(more, 0);
	for (int i = 0; i < 4; i++)
		T_OK(doca_graph_instance_submit(instances[i]));
	progress_all();
	T_EQ(graph_completed, 4);
	for (uintptr_t i = 0; i < 4; i++)
		T_EQ(graph_trace[i], i);
	T_OK(doca_graph_instance_destroy(instances[0]));
	instances[0] = graph_instance_of(graph);
	for (int i = 0; i < 4; i++)
		T_OK(doca_graph_instance_destroy(instances[i]));
	graph_close(graph);
	graph_close_engine();
}

static struct doca_graph *closing;

static void close_all(struct doca_graph_instance *instance)
{
	if (graph_completed < 3) {
		T_OK(doca_graph_instance_submit(instance));
		return;
	}
	T_OK(doca_graph_instance_destroy(instance));
	graph_close(closing);
	T_ERR(doca_pe_destroy(pe), DOCA_ERROR_IN_USE);
}

/* Submitted again in its callback, and all destroyed in the graph_last one. */
T_CASE(everything_inside_the_callback)
{
	struct doca_graph *graph = graph_make();

	graph_user_node(graph);
	T_OK(doca_graph_start(graph));
	closing = graph;
	graph_on_end = close_all;
	T_OK(doca_graph_instance_submit(graph_instance_of(graph)));
	progress_all();
	T_EQ(graph_completed, 3);
	graph_close_engine();
}

static bool is_ready(int fd)
{
	struct pollfd poll_fd = {.fd = fd, .events = POLLIN};

	return poll(&poll_fd, 1, 0) == 1;
}

/* Work of a graph wakes who sleeps. */
T_CASE(submit_wakes)
{
	struct doca_graph *graph = graph_make();
	struct doca_graph_instance *instance;
	doca_notification_handle_t handle;

	graph_user_node(graph);
	T_OK(doca_graph_start(graph));
	instance = graph_instance_of(graph);
	T_OK(doca_pe_get_notification_handle(pe, &handle));
	progress_all();
	T_OK(doca_pe_request_notification(pe));
	T_CHECK(!is_ready(handle));
	T_OK(doca_graph_instance_submit(instance));
	T_CHECK(is_ready(handle));
	T_OK(doca_pe_clear_notification(pe, 0));
	/* Not progressed before the next request. */
	T_OK(doca_pe_request_notification(pe));
	T_CHECK(is_ready(handle));
	T_OK(doca_pe_clear_notification(pe, 0));
	progress_all();
	T_EQ(graph_completed, 1);
	T_OK(doca_graph_instance_destroy(instance));
	graph_close(graph);
	graph_close_engine();
}

static struct doca_graph *parents;

static void in_child(void)
{
	struct doca_graph *graph;

	T_ERR(doca_graph_create(pe, &graph), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_graph_start(parents), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_graph_destroy(parents), DOCA_ERROR_BAD_STATE);
}

T_CASE(a_forked_child_is_inert)
{
	struct doca_dev *dev = kit_open(KIT_DPU);

	parents = graph_make();
	kit_in_child(in_child);
	T_OK(doca_graph_destroy(parents));
	graph_close_engine();
	T_OK(doca_dev_close(dev));
}
