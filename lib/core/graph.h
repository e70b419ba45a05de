/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Graph: nodes, each a task or a function, and the dependencies between them. An instance is one
 * run of it.
 *
 * Owner: the user; thread: that of its engine, which the graph joins as a source while it is
 * started. Nodes belong to the graph, and do not change while it is started or has instances.
 * Tasks stay the user's; a submitted instance watches those that it has submitted. All that is
 * done for an instance is done by the graph's poll, one node at a time: where a task completes,
 * the graph only notes who may go next. After a node that fails, none of those that depend on it
 * run; the instance has failed when the nodes under way have ended. When a context of it stops, its
 * tasks fail, and so does the instance.
 */
#ifndef SDPU_CORE_GRAPH_H
#define SDPU_CORE_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_graph.h>

#include "base/list.h"
#include "core/pe.h"
#include "core/task.h"

struct graph_edge {
	struct doca_graph_node *to;
	struct graph_edge *next;
};

struct doca_graph_node {
	struct doca_graph *graph;
	struct sdpu_list node; /* of the graph, by rising index */
	uint32_t index;
	uint32_t num_before; /* edges that lead to it */
	struct graph_edge *after;
	const struct doca_ctx *ctx; /* NULL: it runs call */
	doca_error_t (*call)(void *cookie);
	uint32_t waits; /* scratch of the check for cycles */
};

/* A node in an instance. */
struct graph_run {
	struct sdpu_task_watch watch;
	struct doca_graph_instance *instance;
	struct doca_graph_node *node;
	struct doca_task *task; /* node->ctx */
	void *cookie;		/* node->call */
	uint32_t waits;		/* edges whose nodes have not succeeded yet */
	struct sdpu_list ready; /* of the graph: to be run */
};

enum graph_instance_state {
	GRAPH_INSTANCE_OWNED,	  /* the user's */
	GRAPH_INSTANCE_SUBMITTED, /* ours until its callback */
};

struct doca_graph_instance {
	struct doca_graph *graph;
	enum graph_instance_state state;
	union doca_data user_data;
	doca_error_t status;	 /* of the first node that failed */
	uint32_t active;	 /* runs that are ready or under way */
	struct sdpu_list ended;	 /* of the graph: its callback is due */
	struct graph_run runs[]; /* by index of the node */
};

enum graph_state { GRAPH_STOPPED, GRAPH_STARTED };

struct doca_graph {
	struct doca_pe *pe;
	enum graph_state state;
	struct sdpu_source source;
	struct sdpu_list nodes;
	uint32_t num_nodes;
	doca_graph_completion_cb_t completed; /* NULL: not configured */
	doca_graph_completion_cb_t failed;
	uint32_t max_instances;
	uint32_t num_instances;
	uint32_t num_submitted;
	union doca_data user_data;
	struct sdpu_list ready;
	struct sdpu_list ended;
};

/* For what changes the graph: BAD_STATE (logged, `call` names the function) while it is started or
 * has instances. */
doca_error_t sdpu_graph_configurable(const struct doca_graph *graph, const char *call);
/* graph_node.c: INVALID_VALUE (logged): no nodes, a cycle, a context of another engine. */
doca_error_t sdpu_graph_check(const struct doca_graph *graph);
void sdpu_graph_free_nodes(struct doca_graph *graph);
/* graph_instance.c */
bool sdpu_graph_poll(struct sdpu_source *source);
bool sdpu_graph_pending(const struct sdpu_source *source);

#endif
