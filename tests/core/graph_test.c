/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Graphs: building, checking, the order in which nodes run, and how instances end; with toys, whose
 * tasks end when the test says, and with DMA as published programs have it.
 */
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include <doca_dma.h>
#include <doca_graph.h>

#include "core/kit.h"
#include "core/toy.h"
#include "dma/rig.h"

/* What happened to instances. */
static uint32_t completed, failed;
static struct doca_graph_instance *last;
static void (*on_end)(struct doca_graph_instance *instance);

static void ended(struct doca_graph_instance *instance, union doca_data instance_data,
		  union doca_data graph_data)
{
	T_EQ(graph_data.u64, 5);
	T_EQ(instance_data.u64, 7);
	last = instance;
	if (on_end != NULL)
		on_end(instance);
}

static void on_completed(struct doca_graph_instance *instance, union doca_data instance_data,
			 union doca_data graph_data)
{
	completed++;
	ended(instance, instance_data, graph_data);
}

static void on_failed(struct doca_graph_instance *instance, union doca_data instance_data,
		      union doca_data graph_data)
{
	failed++;
	ended(instance, instance_data, graph_data);
}

/* Functions note their cookies, which are numbers. */
static uintptr_t trace[256];
static uint32_t num_trace;

static doca_error_t note(void *cookie)
{
	trace[num_trace++] = (uintptr_t)cookie;
	return DOCA_SUCCESS;
}

static doca_error_t note_and_fail(void *cookie)
{
	note(cookie);
	return DOCA_ERROR_UNEXPECTED;
}

static struct doca_graph *graph_on(struct doca_pe *engine, uint32_t num_instances)
{
	const union doca_data data = {.u64 = 5};
	struct doca_graph *graph;

	T_OK(doca_graph_create(engine, &graph));
	T_OK(doca_graph_set_conf(graph, on_completed, on_failed, num_instances));
	T_OK(doca_graph_set_user_data(graph, data));
	return graph;
}

static struct doca_graph *make(void)
{
	if (pe == NULL)
		T_OK(doca_pe_create(&pe));
	return graph_on(pe, 4);
}

static struct doca_graph_node *user_node(struct doca_graph *graph)
{
	struct doca_graph_node *node;

	T_OK(doca_graph_node_create_from_user(graph, note, &node));
	return node;
}

static struct doca_graph_node *ctx_node(struct doca_graph *graph, struct doca_ctx *ctx)
{
	struct doca_graph_node *node;

	T_OK(doca_graph_node_create_from_ctx(graph, ctx, &node));
	return node;
}

static struct doca_graph_instance *instance_of(struct doca_graph *graph)
{
	const union doca_data data = {.u64 = 7};
	struct doca_graph_instance *instance;

	T_OK(doca_graph_instance_create(graph, &instance));
	T_OK(doca_graph_instance_set_user_data(instance, data));
	return instance;
}

static void end_graph(struct doca_graph *graph)
{
	T_OK(doca_graph_stop(graph));
	T_OK(doca_graph_destroy(graph));
}

static void end_engine(void)
{
	T_OK(doca_pe_destroy(pe));
	pe = NULL;
}

T_CASE(null_is_refused)
{
	struct doca_graph *graph = NULL, *made = make();
	struct doca_graph_node *node = NULL, *there = user_node(made);
	struct doca_graph_instance *instance = NULL;
	const union doca_data none = {.u64 = 0};
	struct doca_ctx *ctx = (void *)&trace;
	struct doca_task *task = (void *)&trace;

	T_ERR(doca_graph_create(NULL, &graph), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_create(pe, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_node_create_from_ctx(NULL, ctx, &node), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_node_create_from_ctx(made, NULL, &node), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_node_create_from_ctx(made, ctx, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_node_create_from_user(NULL, note, &node), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_node_create_from_user(made, NULL, &node), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_node_create_from_user(made, note, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_add_dependency(NULL, there, there), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_add_dependency(made, NULL, there), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_add_dependency(made, there, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_set_conf(NULL, on_completed, on_failed, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_set_conf(made, NULL, on_failed, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_set_conf(made, on_completed, NULL, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_set_conf(made, on_completed, on_failed, 0), DOCA_ERROR_INVALID_VALUE);
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
	instance = instance_of(made);
	T_ERR(doca_graph_instance_set_ctx_node_data(instance, NULL, task),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_instance_set_ctx_node_data(instance, there, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_instance_set_user_node_data(instance, NULL, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_EQ(graph, 0);
	T_EQ(node, 0);
	T_OK(doca_graph_instance_destroy(instance));
	end_graph(made);
	end_engine();
}

static void is_fixed(struct doca_graph *graph, struct doca_graph_node *a, struct doca_graph_node *b)
{
	const union doca_data none = {.u64 = 0};
	struct doca_ctx *ctx = (void *)&trace;
	struct doca_graph_node *node = NULL;

	T_ERR(doca_graph_node_create_from_ctx(graph, ctx, &node), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_graph_node_create_from_user(graph, note, &node), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_graph_add_dependency(graph, a, b), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_graph_set_conf(graph, on_completed, on_failed, 1), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_graph_set_user_data(graph, none), DOCA_ERROR_BAD_STATE);
	T_EQ(node, 0);
}

T_CASE(states_of_a_graph)
{
	struct doca_graph *graph = make();
	struct doca_graph_node *a = user_node(graph), *b = user_node(graph);
	struct doca_graph_instance *instance = NULL;

	T_ERR(doca_graph_stop(graph), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_graph_instance_create(graph, &instance), DOCA_ERROR_BAD_STATE);
	T_EQ(instance, 0);
	T_OK(doca_graph_start(graph));
	T_ERR(doca_graph_start(graph), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_graph_destroy(graph), DOCA_ERROR_BAD_STATE);
	is_fixed(graph, a, b);
	instance = instance_of(graph);
	T_OK(doca_graph_stop(graph));
	is_fixed(graph, a, b);
	T_ERR(doca_graph_instance_submit(instance), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_graph_destroy(graph), DOCA_ERROR_IN_USE);
	T_ERR(doca_pe_destroy(pe), DOCA_ERROR_IN_USE);
	/* Started again, the instance is still good. */
	T_OK(doca_graph_start(graph));
	T_OK(doca_graph_instance_submit(instance));
	progress_all();
	T_EQ(completed, 1);
	T_OK(doca_graph_stop(graph));
	T_OK(doca_graph_instance_destroy(instance));
	T_OK(doca_graph_add_dependency(graph, a, b));
	T_OK(doca_graph_destroy(graph));
	end_engine();
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
	struct doca_graph *bare, *graph = make(), *ring = make();
	struct toy *toy = toy_make();
	struct doca_graph_node *nodes[4];

	T_OK(doca_graph_create(pe, &bare));
	user_node(bare);
	does_not_start(bare, DOCA_ERROR_BAD_CONFIG, "doca_graph_set_conf");
	does_not_start(graph, DOCA_ERROR_INVALID_VALUE, "no nodes");
	for (int i = 0; i < 4; i++)
		nodes[i] = user_node(ring);
	T_ERR(doca_graph_add_dependency(ring, nodes[0], nodes[0]), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_add_dependency(graph, nodes[0], nodes[1]), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_graph_add_dependency(ring, nodes[0], nodes[1]));
	T_OK(doca_graph_add_dependency(ring, nodes[1], nodes[2]));
	T_OK(doca_graph_add_dependency(ring, nodes[2], nodes[3]));
	T_OK(doca_graph_start(ring));
	T_OK(doca_graph_stop(ring));
	T_OK(doca_graph_add_dependency(ring, nodes[3], nodes[1]));
	does_not_start(ring, DOCA_ERROR_INVALID_VALUE, "ring");
	T_OK(doca_graph_destroy(bare));
	T_OK(doca_graph_destroy(graph));
	T_OK(doca_graph_destroy(ring));

	T_OK(doca_pe_create(&other));
	graph = graph_on(other, 1);
	ctx_node(graph, &toy->ctx);
	does_not_start(graph, DOCA_ERROR_INVALID_VALUE, "engine");
	T_OK(doca_graph_destroy(graph));
	T_OK(doca_pe_destroy(other));
	finish(toy);
}

static void set_number(struct doca_graph_instance *instance, struct doca_graph_node *node,
		       uintptr_t number)
{
	T_OK(doca_graph_instance_set_user_node_data(instance, node, (void *)number));
}

/* Rule 13: nothing happens inside submit. */
T_CASE(a_diamond)
{
	struct doca_graph *graph = make();
	struct doca_graph_node *nodes[4];
	struct doca_graph_instance *instance;

	for (int i = 0; i < 4; i++)
		nodes[i] = user_node(graph);
	/* 3 first, then 1 and 2, 0 at last; the same twice. */
	T_OK(doca_graph_add_dependency(graph, nodes[1], nodes[0]));
	T_OK(doca_graph_add_dependency(graph, nodes[2], nodes[0]));
	T_OK(doca_graph_add_dependency(graph, nodes[3], nodes[1]));
	T_OK(doca_graph_add_dependency(graph, nodes[3], nodes[2]));
	T_OK(doca_graph_add_dependency(graph, nodes[3], nodes[2]));
	T_OK(doca_graph_start(graph));
	instance = instance_of(graph);
	for (uintptr_t i = 0; i < 4; i++)
		set_number(instance, nodes[i], i);
	for (uint32_t round = 1; round <= 3; round++) {
		num_trace = 0;
		T_OK(doca_graph_instance_submit(instance));
		T_EQ(num_trace, 0);
		T_ERR(doca_graph_instance_submit(instance), DOCA_ERROR_BAD_STATE);
		progress_all();
		T_EQ(num_trace, 4);
		T_EQ(trace[0], 3);
		T_EQ(trace[1] + trace[2], 3);
		T_EQ(trace[3], 0);
		T_EQ(completed, round);
		T_EQ(last, instance);
	}
	T_EQ(doca_pe_progress(pe), 0);
	T_OK(doca_graph_instance_destroy(instance));
	end_graph(graph);
	end_engine();
}

#define RANDOM_NODES 40

static uint32_t place_of(uintptr_t number)
{
	for (uint32_t i = 0; i < num_trace; i++)
		if (trace[i] == number)
			return i;
	T_FAIL("node %u did not run", (unsigned int)number);
}

/* Each runs once, after all that it waits for, whatever the graph. */
static void random_graph(void)
{
	struct doca_graph *graph = make();
	struct doca_graph_node *nodes[RANDOM_NODES];
	struct doca_graph_instance *instance;
	uint8_t edge[RANDOM_NODES][RANDOM_NODES] = {{0}};

	for (int i = 0; i < RANDOM_NODES; i++)
		nodes[i] = user_node(graph);
	for (int n = rand() % 200; n > 0; n--) {
		int a = rand() % RANDOM_NODES, b = rand() % RANDOM_NODES;

		if (a == b)
			continue;
		edge[a > b ? a : b][a > b ? b : a] = 1;
		T_OK(doca_graph_add_dependency(graph, nodes[a > b ? a : b], nodes[a > b ? b : a]));
	}
	T_OK(doca_graph_start(graph));
	instance = instance_of(graph);
	for (uintptr_t i = 0; i < RANDOM_NODES; i++)
		set_number(instance, nodes[i], i);
	num_trace = 0;
	T_OK(doca_graph_instance_submit(instance));
	progress_all();
	T_EQ(num_trace, RANDOM_NODES);
	for (uintptr_t a = 0; a < RANDOM_NODES; a++)
		for (uintptr_t b = 0; b < RANDOM_NODES; b++)
			if (edge[a][b])
				T_CHECK(place_of(a) < place_of(b));
	T_OK(doca_graph_instance_destroy(instance));
	end_graph(graph);
}

T_CASE(random_graphs)
{
	srand(3);
	for (int i = 0; i < 200; i++)
		random_graph();
	T_EQ(completed, 200);
	end_engine();
}

/* Two tasks, one after the other, then a function. */
struct chain {
	struct toy *toy;
	struct doca_graph *graph;
	struct doca_graph_node *first, *second, *then;
	struct doca_graph_instance *instance;
	struct doca_task *tasks[2];
};

static void chain_open(struct chain *chain)
{
	chain->toy = toy_make();
	chain->graph = make();
	chain->first = ctx_node(chain->graph, &chain->toy->ctx);
	chain->second = ctx_node(chain->graph, &chain->toy->ctx);
	chain->then = user_node(chain->graph);
	T_OK(doca_graph_add_dependency(chain->graph, chain->first, chain->second));
	T_OK(doca_graph_add_dependency(chain->graph, chain->second, chain->then));
	T_OK(doca_ctx_start(&chain->toy->ctx));
	T_OK(doca_graph_start(chain->graph));
	chain->instance = instance_of(chain->graph);
	for (int i = 0; i < 2; i++)
		chain->tasks[i] = toy_task(chain->toy);
	T_OK(doca_graph_instance_set_ctx_node_data(chain->instance, chain->first, chain->tasks[0]));
	T_OK(doca_graph_instance_set_ctx_node_data(chain->instance, chain->second,
						   chain->tasks[1]));
}

static void chain_close(struct chain *chain)
{
	for (int i = 0; i < 2; i++)
		doca_task_free(chain->tasks[i]);
	T_OK(doca_graph_instance_destroy(chain->instance));
	end_graph(chain->graph);
	(void)doca_ctx_stop(&chain->toy->ctx);
	progress_all();
	finish(chain->toy);
}

static size_t inflight(const struct chain *chain)
{
	size_t num;

	T_OK(doca_ctx_get_num_inflight_tasks(&chain->toy->ctx, &num));
	return num;
}

T_CASE(tasks_complete_to_the_graph)
{
	struct chain chain;

	chain_open(&chain);
	for (uint32_t round = 1; round <= 2; round++) {
		T_OK(doca_graph_instance_submit(chain.instance));
		progress_all();
		T_EQ(inflight(&chain), 1);
		T_EQ(chain.toy->waiting.first, chain.tasks[0]);
		T_ERR(doca_graph_stop(chain.graph), DOCA_ERROR_IN_USE);
		T_ERR(doca_graph_instance_destroy(chain.instance), DOCA_ERROR_IN_USE);
		T_ERR(doca_task_submit(chain.tasks[0]), DOCA_ERROR_BAD_STATE);
		chain.toy->deliver = 1;
		progress_all();
		T_EQ(chain.toy->waiting.first, chain.tasks[1]);
		T_EQ(num_trace, round - 1);
		chain.toy->deliver = 1;
		progress_all();
		T_EQ(num_trace, round);
		T_EQ(completed, round);
	}
	/* Their own callbacks have not run, and do when the program submits them. */
	T_EQ(chain.toy->completed, 0);
	T_ERR(doca_task_get_status(chain.tasks[1]), DOCA_SUCCESS);
	T_OK(doca_task_submit(chain.tasks[1]));
	chain.toy->deliver = 1;
	progress_all();
	T_EQ(chain.toy->completed, 1);
	chain.tasks[1] = toy_task(chain.toy);
	chain_close(&chain);
}

T_CASE(data_that_does_not_suit)
{
	struct doca_graph *other;
	struct doca_graph_node *alien;
	struct doca_graph_instance *bare;
	struct toy *toy;
	struct doca_task *task;
	const union doca_data none = {.u64 = 0};
	struct chain chain;

	chain_open(&chain);
	toy = toy_make();
	T_OK(doca_ctx_start(&toy->ctx));
	task = toy_task(toy);
	other = make();
	alien = user_node(other);
	T_ERR(doca_graph_instance_set_ctx_node_data(chain.instance, chain.first, task),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_instance_set_ctx_node_data(chain.instance, chain.then, task),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_instance_set_user_node_data(chain.instance, chain.first, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_instance_set_user_node_data(chain.instance, alien, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	bare = instance_of(chain.graph);
	T_ERR(doca_graph_instance_submit(bare), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_graph_instance_destroy(bare));
	T_OK(doca_graph_instance_submit(chain.instance));
	T_ERR(doca_graph_instance_set_ctx_node_data(chain.instance, chain.first, chain.tasks[0]),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_graph_instance_set_user_node_data(chain.instance, chain.then, NULL),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_graph_instance_set_user_data(chain.instance, none), DOCA_ERROR_BAD_STATE);
	chain.toy->deliver = 2;
	progress_all();
	T_EQ(completed, 1);
	doca_task_free(task);
	T_OK(doca_ctx_stop(&toy->ctx));
	toy_free(toy);
	T_OK(doca_graph_destroy(other));
	chain_close(&chain);
}

/* The context stops: the first fails, the second is not submitted. */
T_CASE(a_task_that_fails)
{
	struct chain chain;

	chain_open(&chain);
	T_OK(doca_graph_instance_submit(chain.instance));
	progress_all();
	T_ERR(doca_ctx_stop(&chain.toy->ctx), DOCA_ERROR_IN_PROGRESS);
	progress_all();
	T_EQ(failed, 1);
	T_EQ(completed, 0);
	T_EQ(num_trace, 0);
	T_EQ(chain.toy->failed, 0);
	T_ERR(doca_task_get_status(chain.tasks[0]), DOCA_ERROR_SHUTDOWN);
	/* It does not run: nothing can be submitted. */
	kit_log();
	T_OK(doca_graph_instance_submit(chain.instance));
	progress_all();
	T_EQ(failed, 2);
	T_CONTAINS(kit_log(), "could not be submitted");
	chain_close(&chain);
}

T_CASE(a_task_that_is_elsewhere)
{
	struct chain chain;

	chain_open(&chain);
	T_OK(doca_task_submit(chain.tasks[0]));
	T_OK(doca_graph_instance_submit(chain.instance));
	progress_all();
	T_EQ(failed, 1);
	chain.toy->deliver = 1;
	progress_all();
	T_EQ(chain.toy->completed, 1);
	chain.tasks[0] = toy_task(chain.toy);
	chain_close(&chain);
}

/* It counts as completed, and its slot is free again. */
T_CASE(a_task_that_is_freed_meanwhile)
{
	struct chain chain;

	chain_open(&chain);
	T_OK(doca_graph_instance_submit(chain.instance));
	progress_all();
	doca_task_free(chain.tasks[0]);
	chain.toy->deliver = 2;
	progress_all();
	T_EQ(completed, 1);
	chain.tasks[0] = toy_task(chain.toy);
	chain_close(&chain);
}

/* Of three that wait for nothing, the function fails: the task that is under way is waited for, and
 * what waits for it does not run. */
T_CASE(a_function_that_fails)
{
	struct toy *toy = toy_make();
	struct doca_graph *graph = make();
	struct doca_graph_node *task_node = ctx_node(graph, &toy->ctx), *fails,
			       *after = user_node(graph);
	struct doca_graph_instance *instance;
	struct doca_task *task;

	T_OK(doca_graph_node_create_from_user(graph, note_and_fail, &fails));
	user_node(graph);
	T_OK(doca_graph_add_dependency(graph, task_node, after));
	T_OK(doca_ctx_start(&toy->ctx));
	T_OK(doca_graph_start(graph));
	instance = instance_of(graph);
	task = toy_task(toy);
	T_OK(doca_graph_instance_set_ctx_node_data(instance, task_node, task));
	set_number(instance, fails, 9);
	T_OK(doca_graph_instance_submit(instance));
	progress_all();
	T_EQ(num_trace, 1);
	T_EQ(trace[0], 9);
	T_EQ(failed, 0);
	toy->deliver = 1;
	progress_all();
	T_EQ(failed, 1);
	T_EQ(num_trace, 1);
	T_ERR(doca_task_get_status(task), DOCA_SUCCESS);
	doca_task_free(task);
	T_OK(doca_graph_instance_destroy(instance));
	end_graph(graph);
	T_OK(doca_ctx_stop(&toy->ctx));
	finish(toy);
}

static uint32_t refusals;

static doca_error_t refuse_at_first(struct doca_task *task)
{
	if (refusals == 0)
		return toy_task_ops.submit(task);
	refusals--;
	return DOCA_ERROR_AGAIN;
}

/* Tried again with each progress, while others go on. */
T_CASE(a_task_that_finds_no_room)
{
	static const struct sdpu_task_ops ops = {.name = "toy_task", .submit = refuse_at_first};
	struct toy *toy = toy_make();
	struct doca_graph *graph = make();
	struct doca_graph_node *node = ctx_node(graph, &toy->ctx);
	struct doca_graph_instance *instance;
	struct doca_task *task;

	user_node(graph);
	T_OK(sdpu_task_pool_conf(&toy->pool, &toy->ctx, &ops, sizeof(*task), toy_completed,
				 toy_failed, 4, 16));
	T_OK(doca_ctx_start(&toy->ctx));
	T_OK(doca_graph_start(graph));
	instance = instance_of(graph);
	task = toy_task(toy);
	T_OK(doca_graph_instance_set_ctx_node_data(instance, node, task));
	refusals = 5;
	toy->deliver = 1;
	T_OK(doca_graph_instance_submit(instance));
	T_EVENTUALLY((doca_pe_progress(pe), num_trace == 1), 1000);
	T_CHECK(refusals > 0);
	T_EVENTUALLY((doca_pe_progress(pe), completed == 1), 1000);
	T_EQ(refusals, 0);
	doca_task_free(task);
	T_OK(doca_graph_instance_destroy(instance));
	end_graph(graph);
	T_OK(doca_ctx_stop(&toy->ctx));
	finish(toy);
}

T_CASE(as_many_instances_as_were_asked_for)
{
	struct doca_graph *graph = make();
	struct doca_graph_node *node = user_node(graph);
	struct doca_graph_instance *instances[4], *more = NULL;

	T_OK(doca_graph_start(graph));
	for (uintptr_t i = 0; i < 4; i++) {
		instances[i] = instance_of(graph);
		set_number(instances[i], node, i);
	}
	T_ERR(doca_graph_instance_create(graph, &more), DOCA_ERROR_NO_MEMORY);
	T_EQ(more, 0);
	for (int i = 0; i < 4; i++)
		T_OK(doca_graph_instance_submit(instances[i]));
	progress_all();
	T_EQ(completed, 4);
	for (uintptr_t i = 0; i < 4; i++)
		T_EQ(trace[i], i);
	T_OK(doca_graph_instance_destroy(instances[0]));
	instances[0] = instance_of(graph);
	for (int i = 0; i < 4; i++)
		T_OK(doca_graph_instance_destroy(instances[i]));
	end_graph(graph);
	end_engine();
}

static struct doca_graph *closing;

static void close_all(struct doca_graph_instance *instance)
{
	if (completed < 3) {
		T_OK(doca_graph_instance_submit(instance));
		return;
	}
	T_OK(doca_graph_instance_destroy(instance));
	end_graph(closing);
	T_ERR(doca_pe_destroy(pe), DOCA_ERROR_IN_USE);
}

/* Submitted again in its callback, and all destroyed in the last one. */
T_CASE(everything_inside_the_callback)
{
	struct doca_graph *graph = make();

	user_node(graph);
	T_OK(doca_graph_start(graph));
	closing = graph;
	on_end = close_all;
	T_OK(doca_graph_instance_submit(instance_of(graph)));
	progress_all();
	T_EQ(completed, 3);
	end_engine();
}

static bool is_ready(int fd)
{
	struct pollfd poll_fd = {.fd = fd, .events = POLLIN};

	return poll(&poll_fd, 1, 0) == 1;
}

/* Work of a graph wakes who sleeps. */
T_CASE(submit_wakes)
{
	struct doca_graph *graph = make();
	struct doca_graph_instance *instance;
	doca_notification_handle_t handle;

	user_node(graph);
	T_OK(doca_graph_start(graph));
	instance = instance_of(graph);
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
	T_EQ(completed, 1);
	T_OK(doca_graph_instance_destroy(instance));
	end_graph(graph);
	end_engine();
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

	parents = make();
	kit_in_child(in_child);
	T_OK(doca_graph_destroy(parents));
	end_engine();
	T_OK(doca_dev_close(dev));
}

#define DMA_INSTANCES 5
#define DMA_NODES 2
#define DMA_LEN 1000

/* Each instance copies a source twice; its function compares the copies. */
struct copies {
	uint8_t source[DMA_LEN];
	uint8_t target[DMA_NODES][DMA_LEN];
};
static struct copies copies[DMA_INSTANCES];

static doca_error_t compare(void *cookie)
{
	const struct copies *copy = cookie;

	for (int i = 0; i < DMA_NODES; i++)
		if (memcmp(copy->target[i], copy->source, DMA_LEN) != 0)
			return DOCA_ERROR_UNEXPECTED;
	return note(cookie);
}

/* The published sample: several contexts, each a node, a function behind them, several instances.
 */
T_CASE(copies_and_a_comparison)
{
	static struct rig rig;
	struct doca_dma *dmas[DMA_NODES];
	struct doca_mmap *mmap;
	struct doca_graph *graph;
	struct doca_graph_node *nodes[DMA_NODES], *then;
	struct doca_graph_instance *instances[DMA_INSTANCES];
	struct doca_dma_task_memcpy *tasks[DMA_INSTANCES][DMA_NODES];
	const union doca_data none = {.u64 = 0};

	rig_open(&rig);
	mmap = kit_mmap(rig.dev, copies, sizeof(copies), 0);
	graph = graph_on(rig.pe, DMA_INSTANCES);
	T_OK(doca_graph_node_create_from_user(graph, compare, &then));
	for (int i = 0; i < DMA_NODES; i++) {
		T_OK(doca_dma_create(rig.dev, &dmas[i]));
		rig_configure(&rig, dmas[i]);
		T_OK(doca_ctx_start(doca_dma_as_ctx(dmas[i])));
		nodes[i] = ctx_node(graph, doca_dma_as_ctx(dmas[i]));
		T_OK(doca_graph_add_dependency(graph, nodes[i], then));
	}
	T_OK(doca_graph_start(graph));
	for (int n = 0; n < DMA_INSTANCES; n++) {
		rig_fill(copies[n].source, DMA_LEN, (uint32_t)n);
		instances[n] = instance_of(graph);
		for (int i = 0; i < DMA_NODES; i++) {
			T_OK(doca_dma_task_memcpy_alloc_init(
				dmas[i], rig_data(&rig, mmap, copies[n].source, DMA_LEN),
				rig_room(&rig, mmap, copies[n].target[i], DMA_LEN), none,
				&tasks[n][i]));
			T_OK(doca_graph_instance_set_ctx_node_data(
				instances[n], nodes[i], doca_dma_task_memcpy_as_task(tasks[n][i])));
		}
		T_OK(doca_graph_instance_set_user_node_data(instances[n], then, &copies[n]));
		T_OK(doca_graph_instance_submit(instances[n]));
	}
	RIG_UNTIL(&rig, completed == DMA_INSTANCES);
	T_EQ(num_trace, DMA_INSTANCES);
	T_EQ(rig.ok + rig.failed, 0);
	for (int n = 0; n < DMA_INSTANCES; n++) {
		T_OK(doca_graph_instance_destroy(instances[n]));
		for (int i = 0; i < DMA_NODES; i++) {
			rig_drop(doca_dma_task_memcpy_get_src(tasks[n][i]));
			rig_drop(doca_dma_task_memcpy_get_dst(tasks[n][i]));
			doca_task_free(doca_dma_task_memcpy_as_task(tasks[n][i]));
		}
	}
	end_graph(graph);
	for (int i = 0; i < DMA_NODES; i++) {
		T_OK(doca_ctx_stop(doca_dma_as_ctx(dmas[i])));
		T_OK(doca_dma_destroy(dmas[i]));
	}
	T_OK(doca_mmap_destroy(mmap));
	rig_close(&rig);
}
