/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Graphs with tasks: how they are submitted, complete to the graph, and fail; with toys, whose
 * tasks end when the test says, and with DMA as published programs have it.
 */
#include <string.h>

#include <doca_dma.h>

#include "core/graph_kit.h"
#include "core/kit.h"
#include "core/toy.h"
#include "dma/rig.h"

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
	chain->graph = graph_make();
	chain->first = graph_ctx_node(chain->graph, &chain->toy->ctx);
	chain->second = graph_ctx_node(chain->graph, &chain->toy->ctx);
	chain->then = graph_user_node(chain->graph);
	T_OK(doca_graph_add_dependency(chain->graph, chain->first, chain->second));
	T_OK(doca_graph_add_dependency(chain->graph, chain->second, chain->then));
	T_OK(doca_ctx_start(&chain->toy->ctx));
	T_OK(doca_graph_start(chain->graph));
	chain->instance = graph_instance_of(chain->graph);
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
	graph_close(chain->graph);
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
		T_EQ(graph_num_trace, round - 1);
		chain.toy->deliver = 1;
		progress_all();
		T_EQ(graph_num_trace, round);
		T_EQ(graph_completed, round);
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
	other = graph_make();
	alien = graph_user_node(other);
	T_ERR(doca_graph_instance_set_ctx_node_data(chain.instance, chain.first, task),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_instance_set_ctx_node_data(chain.instance, chain.then, task),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_instance_set_user_node_data(chain.instance, chain.first, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_graph_instance_set_user_node_data(chain.instance, alien, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	bare = graph_instance_of(chain.graph);
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
	T_EQ(graph_completed, 1);
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
	T_EQ(graph_failed, 1);
	T_EQ(graph_completed, 0);
	T_EQ(graph_num_trace, 0);
	T_EQ(chain.toy->failed, 0);
	T_ERR(doca_task_get_status(chain.tasks[0]), DOCA_ERROR_SHUTDOWN);
	/* It does not run: nothing can be submitted. */
	kit_log();
	T_OK(doca_graph_instance_submit(chain.instance));
	progress_all();
	T_EQ(graph_failed, 2);
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
	T_EQ(graph_failed, 1);
	chain.toy->deliver = 1;
	progress_all();
	T_EQ(chain.toy->completed, 1);
	chain.tasks[0] = toy_task(chain.toy);
	chain_close(&chain);
}

/* It counts as graph_completed, and its slot is free again. */
T_CASE(a_task_that_is_freed_meanwhile)
{
	struct chain chain;

	chain_open(&chain);
	T_OK(doca_graph_instance_submit(chain.instance));
	progress_all();
	doca_task_free(chain.tasks[0]);
	chain.toy->deliver = 2;
	progress_all();
	T_EQ(graph_completed, 1);
	chain.tasks[0] = toy_task(chain.toy);
	chain_close(&chain);
}

static doca_error_t note_and_fail(void *cookie)
{
	graph_note(cookie);
	return DOCA_ERROR_UNEXPECTED;
}

/* Of three that wait for nothing, the function fails: the task that is under way is waited for, and
 * what waits for it does not run. */
T_CASE(a_function_that_fails)
{
	struct toy *toy = toy_make();
	struct doca_graph *graph = graph_make();
	struct doca_graph_node *task_node = graph_ctx_node(graph, &toy->ctx), *fails,
			       *after = graph_user_node(graph);
	struct doca_graph_instance *instance;
	struct doca_task *task;

	T_OK(doca_graph_node_create_from_user(graph, note_and_fail, &fails));
	graph_user_node(graph);
	T_OK(doca_graph_add_dependency(graph, task_node, after));
	T_OK(doca_ctx_start(&toy->ctx));
	T_OK(doca_graph_start(graph));
	instance = graph_instance_of(graph);
	task = toy_task(toy);
	T_OK(doca_graph_instance_set_ctx_node_data(instance, task_node, task));
	graph_set_number(instance, fails, 9);
	T_OK(doca_graph_instance_submit(instance));
	progress_all();
	T_EQ(graph_num_trace, 1);
	T_EQ(graph_trace[0], 9);
	T_EQ(graph_failed, 0);
	toy->deliver = 1;
	progress_all();
	T_EQ(graph_failed, 1);
	T_EQ(graph_num_trace, 1);
	T_ERR(doca_task_get_status(task), DOCA_SUCCESS);
	doca_task_free(task);
	T_OK(doca_graph_instance_destroy(instance));
	graph_close(graph);
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
	struct doca_graph *graph = graph_make();
	struct doca_graph_node *node = graph_ctx_node(graph, &toy->ctx);
	struct doca_graph_instance *instance;
	struct doca_task *task;

	graph_user_node(graph);
	T_OK(sdpu_task_pool_conf(&toy->pool, &toy->ctx, &ops, sizeof(*task), toy_completed,
				 toy_failed, 4, 16));
	T_OK(doca_ctx_start(&toy->ctx));
	T_OK(doca_graph_start(graph));
	instance = graph_instance_of(graph);
	task = toy_task(toy);
	T_OK(doca_graph_instance_set_ctx_node_data(instance, node, task));
	refusals = 5;
	toy->deliver = 1;
	T_OK(doca_graph_instance_submit(instance));
	T_EVENTUALLY((doca_pe_progress(pe), graph_num_trace == 1), 1000);
	T_CHECK(refusals > 0);
	T_EVENTUALLY((doca_pe_progress(pe), graph_completed == 1), 1000);
	T_EQ(refusals, 0);
	doca_task_free(task);
	T_OK(doca_graph_instance_destroy(instance));
	graph_close(graph);
	T_OK(doca_ctx_stop(&toy->ctx));
	finish(toy);
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
	return graph_note(cookie);
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
		nodes[i] = graph_ctx_node(graph, doca_dma_as_ctx(dmas[i]));
		T_OK(doca_graph_add_dependency(graph, nodes[i], then));
	}
	T_OK(doca_graph_start(graph));
	for (int n = 0; n < DMA_INSTANCES; n++) {
		rig_fill(copies[n].source, DMA_LEN, (uint32_t)n);
		instances[n] = graph_instance_of(graph);
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
	RIG_UNTIL(&rig, graph_completed == DMA_INSTANCES);
	T_EQ(graph_num_trace, DMA_INSTANCES);
	T_EQ(rig.ok + rig.failed, 0);
	for (int n = 0; n < DMA_INSTANCES; n++) {
		T_OK(doca_graph_instance_destroy(instances[n]));
		for (int i = 0; i < DMA_NODES; i++) {
			rig_drop(doca_dma_task_memcpy_get_src(tasks[n][i]));
			rig_drop(doca_dma_task_memcpy_get_dst(tasks[n][i]));
			doca_task_free(doca_dma_task_memcpy_as_task(tasks[n][i]));
		}
	}
	graph_close(graph);
	for (int i = 0; i < DMA_NODES; i++) {
		T_OK(doca_ctx_stop(doca_dma_as_ctx(dmas[i])));
		T_OK(doca_dma_destroy(dmas[i]));
	}
	T_OK(doca_mmap_destroy(mmap));
	rig_close(&rig);
}
