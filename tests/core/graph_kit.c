/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/graph_kit.h"

#include "core/toy.h"
#include "t.h"

uint32_t graph_completed, graph_failed;
struct doca_graph_instance *graph_last;
void (*graph_on_end)(struct doca_graph_instance *instance);

static void ended(struct doca_graph_instance *instance, union doca_data instance_data,
		  union doca_data graph_data)
{
	T_EQ(graph_data.u64, 5);
	T_EQ(instance_data.u64, 7);
	graph_last = instance;
	if (graph_on_end != NULL)
		graph_on_end(instance);
}

void graph_on_completed(struct doca_graph_instance *instance, union doca_data instance_data,
			union doca_data graph_data)
{
	graph_completed++;
	ended(instance, instance_data, graph_data);
}

void graph_on_failed(struct doca_graph_instance *instance, union doca_data instance_data,
		     union doca_data graph_data)
{
	graph_failed++;
	ended(instance, instance_data, graph_data);
}

/* Functions graph_note their cookies, which are numbers. */
uintptr_t graph_trace[256];
uint32_t graph_num_trace;

doca_error_t graph_note(void *cookie)
{
	graph_trace[graph_num_trace++] = (uintptr_t)cookie;
	return DOCA_SUCCESS;
}

struct doca_graph *graph_on(struct doca_pe *engine, uint32_t num_instances)
{
	const union doca_data data = {.u64 = 5};
	struct doca_graph *graph;

	T_OK(doca_graph_create(engine, &graph));
	T_OK(doca_graph_set_conf(graph, graph_on_completed, graph_on_failed, num_instances));
	T_OK(doca_graph_set_user_data(graph, data));
	return graph;
}

struct doca_graph *graph_make(void)
{
	if (pe == NULL)
		T_OK(doca_pe_create(&pe));
	return graph_on(pe, 4);
}

struct doca_graph_node *graph_user_node(struct doca_graph *graph)
{
	struct doca_graph_node *node;

	T_OK(doca_graph_node_create_from_user(graph, graph_note, &node));
	return node;
}

struct doca_graph_node *graph_ctx_node(struct doca_graph *graph, struct doca_ctx *ctx)
{
	struct doca_graph_node *node;

	T_OK(doca_graph_node_create_from_ctx(graph, ctx, &node));
	return node;
}

struct doca_graph_instance *graph_instance_of(struct doca_graph *graph)
{
	const union doca_data data = {.u64 = 7};
	struct doca_graph_instance *instance;

	T_OK(doca_graph_instance_create(graph, &instance));
	T_OK(doca_graph_instance_set_user_data(instance, data));
	return instance;
}

void graph_close(struct doca_graph *graph)
{
	T_OK(doca_graph_stop(graph));
	T_OK(doca_graph_destroy(graph));
}

void graph_close_engine(void)
{
	T_OK(doca_pe_destroy(pe));
	pe = NULL;
}

void graph_set_number(struct doca_graph_instance *instance, struct doca_graph_node *node,
		      uintptr_t number)
{
	T_OK(doca_graph_instance_set_user_node_data(instance, node, (void *)number));
}
