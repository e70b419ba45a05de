/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Graphs of functions.
 */
#include <doca_graph.h>
#include <doca_pe.h>

#include "core/graph_kit.h"
#include "misuse/misuse.h"

static const union doca_data none;

static struct doca_pe *engine;
static struct doca_graph *graph, *other, *bare;
static struct doca_graph_node *node, *second, *foreign, *out;
static struct doca_graph_instance *instance;

static doca_error_t nothing(void *cookie)
{
	(void)cookie;
	return DOCA_SUCCESS;
}

MISUSE_CASE(stopped)
{
	T_OK(doca_pe_create(&engine));
	graph = graph_on(engine, 1);
	other = graph_on(engine, 1);
	T_OK(doca_graph_create(engine, &bare));
	node = graph_user_node(graph);
	second = graph_user_node(graph);
	foreign = graph_user_node(other);
	MISUSE(IN_USE, doca_pe_destroy(engine), "graphs were created on it", "destroy its");
	MISUSE(INVALID_VALUE, doca_graph_set_conf(graph, graph_on_completed, graph_on_failed, 0),
	       "num_instances is 0", "needed: at least 1");
	MISUSE(INVALID_VALUE, doca_graph_add_dependency(graph, node, node), "are one node",
	       "needed: two nodes of this graph");
	MISUSE(INVALID_VALUE, doca_graph_add_dependency(graph, node, foreign),
	       "a node is of another graph", "needed: two nodes of this graph");
	MISUSE(BAD_CONFIG, doca_graph_start(bare), "no callbacks", "doca_graph_set_conf()");
	T_OK(doca_graph_set_conf(bare, graph_on_completed, graph_on_failed, 1));
	MISUSE(INVALID_VALUE, doca_graph_start(bare), "has no nodes", "needed: at least 1");
	MISUSE(BAD_STATE, doca_graph_stop(graph), "the graph is not started",
	       "needed: one that is");
	MISUSE(BAD_STATE, doca_graph_instance_create(graph, &instance), "the graph is not started",
	       "doca_graph_start()");
	T_OK(doca_graph_add_dependency(graph, node, second));
	T_OK(doca_graph_add_dependency(graph, second, node));
	MISUSE(INVALID_VALUE, doca_graph_start(graph), "form a cycle", "needed: an order");
	T_OK(doca_graph_destroy(bare));
	T_OK(doca_graph_destroy(other));
	T_OK(doca_graph_destroy(graph));
	T_OK(doca_pe_destroy(engine));
}

MISUSE_CASE(started)
{
	T_OK(doca_pe_create(&engine));
	graph = graph_on(engine, 1);
	other = graph_on(engine, 1);
	node = graph_user_node(graph);
	foreign = graph_user_node(other);
	T_OK(doca_graph_start(graph));
	MISUSE(BAD_STATE, doca_graph_start(graph), "is started already", "needed: a stopped one");
	MISUSE(BAD_STATE, doca_graph_destroy(graph), "the graph is started", "doca_graph_stop()");
	MISUSE(BAD_STATE, doca_graph_set_conf(graph, graph_on_completed, graph_on_failed, 1),
	       "is started", "only while it is stopped");
	MISUSE(BAD_STATE, doca_graph_set_user_data(graph, none), "is started",
	       "only while it is stopped");
	MISUSE(BAD_STATE, doca_graph_node_create_from_user(graph, nothing, &out), "is started",
	       "only while it is stopped");
	MISUSE(BAD_STATE,
	       doca_graph_node_create_from_ctx(graph, (struct doca_ctx *)(void *)graph, &out),
	       "is started", "only while it is stopped");
	instance = graph_instance_of(graph);
	MISUSE(NO_MEMORY, doca_graph_instance_create(graph, &instance), "1 instances exist",
	       "needed: fewer", "doca_graph_set_conf()");
	MISUSE(INVALID_VALUE, doca_graph_instance_set_user_node_data(instance, foreign, NULL),
	       "the node is of another graph", "needed: one of the instance's");
	T_OK(doca_graph_instance_submit(instance));
	MISUSE(BAD_STATE, doca_graph_instance_submit(instance), "it is submitted",
	       "progress until its callback has run");
	MISUSE(BAD_STATE, doca_graph_instance_set_user_data(instance, none),
	       "the instance is submitted", "wait for its callback");
	MISUSE(BAD_STATE, doca_graph_instance_set_user_node_data(instance, node, NULL),
	       "the instance is submitted", "wait for its callback");
	MISUSE(IN_USE, doca_graph_instance_destroy(instance), "it is submitted",
	       "progress until its callback has run");
	MISUSE(IN_USE, doca_graph_stop(graph), "submitted", "progress");
	T_EVENTUALLY((doca_pe_progress(engine), graph_completed == 1), 10000);
	T_OK(doca_graph_stop(graph));
	MISUSE(BAD_STATE, doca_graph_instance_submit(instance), "the graph is not started",
	       "doca_graph_start()");
	MISUSE(IN_USE, doca_graph_destroy(graph), "has 1 instances", "destroy them first");
	T_OK(doca_graph_instance_destroy(instance));
	T_OK(doca_graph_destroy(other));
	T_OK(doca_graph_destroy(graph));
	T_OK(doca_pe_destroy(engine));
}
