/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the tests of graphs share: graphs of functions and tasks, and what happened to instances.
 * State is the process's: each case has its own. The engine is that of the toys.
 */
#ifndef TESTS_CORE_GRAPH_KIT_H
#define TESTS_CORE_GRAPH_KIT_H

#include <doca_graph.h>
#include <doca_pe.h>

/* What happened to instances. */
extern uint32_t graph_completed, graph_failed;
extern struct doca_graph_instance *graph_last;
extern void (*graph_on_end)(struct doca_graph_instance *instance);
void graph_on_completed(struct doca_graph_instance *instance, union doca_data instance_data,
			union doca_data graph_data);
void graph_on_failed(struct doca_graph_instance *instance, union doca_data instance_data,
		     union doca_data graph_data);

/* Functions note their cookies, which are numbers. */
extern uintptr_t graph_trace[256];
extern uint32_t graph_num_trace;
doca_error_t graph_note(void *cookie);

/* Configured, with these callbacks, not started. The second one: on the engine of the toys. */
struct doca_graph *graph_on(struct doca_pe *engine, uint32_t num_instances);
struct doca_graph *graph_make(void);
/* Stops and destroys it. */
void graph_close(struct doca_graph *graph);
void graph_close_engine(void);

/* One that notes its cookie. */
struct doca_graph_node *graph_user_node(struct doca_graph *graph);
struct doca_graph_node *graph_ctx_node(struct doca_graph *graph, struct doca_ctx *ctx);
struct doca_graph_instance *graph_instance_of(struct doca_graph *graph);
void graph_set_number(struct doca_graph_instance *instance, struct doca_graph_node *node,
		      uintptr_t number);

#endif
