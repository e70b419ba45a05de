/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_graph.h
 * Graphs: tasks and functions that run in the order of their dependencies, on a progress engine.
 *
 * A graph is built of nodes and dependencies, configured and started. An instance is one run of it:
 * its nodes are given their data, it is submitted, and it completes with one callback; then it may
 * be submitted again. Nodes live as long as their graph.
 *
 * Everything happens inside doca_pe_progress(): nodes that wait for nothing more are run in the
 * order in which they became ready, functions and the submissions of tasks alike. A task of a node
 * completes to the graph, whichever way; its own callbacks do not run, and it is the program's
 * again, with its status, when the instance is. When a node has failed no further one is run, and
 * once the tasks under way have ended the error callback runs.
 *
 * In every callback, functions of nodes included, the rules of doca_pe.h hold. The callbacks of an
 * instance may submit or destroy it, and stop and destroy the graph.
 *
 * In a fork of the process that made the engine, every call returns DOCA_ERROR_BAD_STATE.
 *
 * Threads: that of the progress engine. Outputs are written only on success.
 */
#ifndef DOCA_GRAPH_H_
#define DOCA_GRAPH_H_

#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_ctx;
struct doca_graph;
struct doca_graph_instance;
struct doca_graph_node;
struct doca_pe;
struct doca_task;

/**
 * An instance completed, well or not. Runs inside doca_pe_progress().
 *
 * @param graph_instance the instance, which belongs to the program again
 * @param instance_user_data the value stored in the instance
 * @param graph_user_data the value stored in the graph
 */
typedef void (*doca_graph_completion_cb_t)(struct doca_graph_instance *graph_instance,
					   union doca_data instance_user_data,
					   union doca_data graph_user_data);

/**
 * Create a graph.
 *
 * @param pe the progress engine that it will run on; cannot be destroyed before the graph
 * @param[out] graph the graph, owned by the caller until doca_graph_destroy()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 */
DOCA_STABLE
doca_error_t doca_graph_create(struct doca_pe *pe, struct doca_graph **graph);

/**
 * Destroy a graph and its nodes. Legal when it is stopped and has no instances.
 *
 * @param graph the graph
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: graph is NULL
 * @return DOCA_ERROR_BAD_STATE: it is not stopped
 * @return DOCA_ERROR_IN_USE: an instance exists
 */
DOCA_STABLE
doca_error_t doca_graph_destroy(struct doca_graph *graph);

/**
 * Add a node that runs a task. Legal before start, while there are no instances.
 *
 * @param graph the graph
 * @param ctx the context that the task will be of, of the graph's engine; must outlive the graph
 * @param[out] node the node, owned by the graph
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the graph is not stopped, or has instances
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 */
DOCA_STABLE
doca_error_t doca_graph_node_create_from_ctx(struct doca_graph *graph, struct doca_ctx *ctx,
					     struct doca_graph_node **node);

/**
 * Add a node that runs a function. Legal before start, while there are no instances.
 *
 * @param graph the graph
 * @param cb the function; gets the cookie of the instance, and fails it by returning an error
 * @param[out] node the node, owned by the graph
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the graph is not stopped, or has instances
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 */
DOCA_STABLE
doca_error_t doca_graph_node_create_from_user(struct doca_graph *graph,
					      doca_error_t (*cb)(void *cookie),
					      struct doca_graph_node **node);

/**
 * Make a node wait for another. Legal before start, while there are no instances.
 *
 * @param graph the graph
 * @param from the node that goes first
 * @param to the node that waits; runs after all that it waits for
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, both nodes are the same, or one is of
 * another graph
 * @return DOCA_ERROR_BAD_STATE: the graph is not stopped, or has instances
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 */
DOCA_STABLE
doca_error_t doca_graph_add_dependency(struct doca_graph *graph, struct doca_graph_node *from,
				       struct doca_graph_node *to);

/**
 * Set the callbacks and the number of instances. Legal before start, while there are no instances.
 *
 * @param graph the graph
 * @param graph_completion_cb called when an instance completed well
 * @param graph_error_cb called when one failed; may be the same function
 * @param num_instances most instances that exist at one time
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or num_instances is 0
 * @return DOCA_ERROR_BAD_STATE: the graph is not stopped, or has instances
 */
DOCA_STABLE
doca_error_t doca_graph_set_conf(struct doca_graph *graph,
				 doca_graph_completion_cb_t graph_completion_cb,
				 doca_graph_completion_cb_t graph_error_cb, uint32_t num_instances);

/**
 * Store a value that the callbacks are given. Legal before start, while there are no instances.
 *
 * @param graph the graph
 * @param user_data copied; what it points to stays with the program
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: graph is NULL
 * @return DOCA_ERROR_BAD_STATE: the graph is not stopped, or has instances
 */
DOCA_STABLE
doca_error_t doca_graph_set_user_data(struct doca_graph *graph, union doca_data user_data);

/**
 * Check a graph and make it ready for instances.
 *
 * @param graph the graph
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: graph is NULL, has no nodes, its dependencies form a cycle, or
 * a context is not connected to its engine
 * @return DOCA_ERROR_BAD_CONFIG: doca_graph_set_conf() was not called
 * @return DOCA_ERROR_BAD_STATE: it is started already
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 */
DOCA_STABLE
doca_error_t doca_graph_start(struct doca_graph *graph);

/**
 * Stop a graph. Legal when it is started and none of its instances is submitted. Instances stay,
 * and can be submitted when it is started again.
 *
 * @param graph the graph
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: graph is NULL
 * @return DOCA_ERROR_BAD_STATE: it is not started
 * @return DOCA_ERROR_IN_USE: an instance is submitted
 */
DOCA_STABLE
doca_error_t doca_graph_stop(struct doca_graph *graph);

/**
 * Create an instance. Legal when the graph is started.
 *
 * @param graph the graph
 * @param[out] instance the instance, owned by the caller until doca_graph_instance_destroy()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the graph is not started
 * @return DOCA_ERROR_NO_MEMORY: all instances exist, or out of memory
 */
DOCA_STABLE
doca_error_t doca_graph_instance_create(struct doca_graph *graph,
					struct doca_graph_instance **instance);

/**
 * Destroy an instance. The tasks and cookies in it stay with the program. Not while it is
 * submitted.
 *
 * @param instance the instance
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: instance is NULL
 * @return DOCA_ERROR_IN_USE: it is submitted
 */
DOCA_STABLE
doca_error_t doca_graph_instance_destroy(struct doca_graph_instance *instance);

/**
 * Give a node that runs a task its task. Not while the instance is submitted.
 *
 * @param instance the instance
 * @param node the node
 * @param task the task; stays the program's, and is submitted by the graph each time
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, the task is of another context, the node
 * runs no task or is of another graph
 * @return DOCA_ERROR_BAD_STATE: the instance is submitted
 */
DOCA_STABLE
doca_error_t doca_graph_instance_set_ctx_node_data(struct doca_graph_instance *instance,
						   struct doca_graph_node *node,
						   struct doca_task *task);

/**
 * Give a node that runs a function its cookie; it is NULL otherwise. Not while the instance is
 * submitted.
 *
 * @param instance the instance
 * @param node the node
 * @param cookie handed to the function unread, stays with the program; may be NULL
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: instance or node is NULL, the node runs no function or is of
 * another graph
 * @return DOCA_ERROR_BAD_STATE: the instance is submitted
 */
DOCA_STABLE
doca_error_t doca_graph_instance_set_user_node_data(struct doca_graph_instance *instance,
						    struct doca_graph_node *node, void *cookie);

/**
 * Store a value that the callbacks of the graph are given. Not while the instance is submitted.
 *
 * @param instance the instance
 * @param user_data copied; what it points to stays with the program
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: instance is NULL
 * @return DOCA_ERROR_BAD_STATE: it is submitted
 */
DOCA_STABLE
doca_error_t doca_graph_instance_set_user_data(struct doca_graph_instance *instance,
					       union doca_data user_data);

/**
 * Run an instance.
 *
 * @param instance the instance; belongs to the library until its callback
 * @return DOCA_SUCCESS: one of the two callbacks will run
 * @return DOCA_ERROR_INVALID_VALUE: instance is NULL, or a node has no task
 * @return DOCA_ERROR_BAD_STATE: the graph is not started, or the instance is submitted already
 */
DOCA_STABLE
doca_error_t doca_graph_instance_submit(struct doca_graph_instance *instance);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_GRAPH_H_ */
