/* SPDX-License-Identifier: BSD-3-Clause */
#include "comch_link.h"

#include "ctx_stop.h"

static doca_error_t comch_link_attach(struct comch_link *link, struct doca_ctx *ctx,
				      void *user_data)
{
	doca_error_t result = doca_pe_connect_ctx(link->pe, ctx);

	if (result == DOCA_SUCCESS)
		result = doca_ctx_set_user_data(ctx, (union doca_data){.ptr = user_data});
	return result;
}

doca_error_t comch_link_start_consumer(struct comch_link *link,
				       struct doca_comch_connection *connection,
				       const struct comch_link_consumer_conf *conf,
				       struct fault *fault)
{
	struct doca_ctx *ctx = NULL;
	doca_error_t result;

	result = doca_comch_consumer_create(connection, conf->mmap, &link->consumer);
	if (result == DOCA_SUCCESS) {
		ctx = doca_comch_consumer_as_ctx(link->consumer);
		result = comch_link_attach(link, ctx, conf->user_data);
	}
	if (result == DOCA_SUCCESS)
		result = doca_comch_consumer_task_post_recv_set_conf(link->consumer, conf->received,
								     conf->failed, conf->num_tasks);
	if (result == DOCA_SUCCESS)
		result = doca_ctx_start(ctx);
	/* The peer has to agree first: RUNNING comes later, by progress. */
	if (result == DOCA_SUCCESS || result == DOCA_ERROR_IN_PROGRESS)
		return DOCA_SUCCESS;
	return fault_raise(fault, result, "Failed to start a consumer with %u tasks: %s",
			   conf->num_tasks, doca_error_get_name(result));
}

doca_error_t comch_link_start_producer(struct comch_link *link,
				       struct doca_comch_connection *connection,
				       const struct comch_link_producer_conf *conf,
				       struct fault *fault)
{
	struct doca_ctx *ctx = NULL;
	doca_error_t result;

	result = doca_comch_producer_create(connection, &link->producer);
	if (result == DOCA_SUCCESS) {
		ctx = doca_comch_producer_as_ctx(link->producer);
		result = comch_link_attach(link, ctx, conf->user_data);
	}
	if (result == DOCA_SUCCESS)
		result = doca_comch_producer_task_send_set_conf(link->producer, conf->sent,
								conf->failed, conf->num_tasks);
	if (result == DOCA_SUCCESS)
		result = doca_ctx_start(ctx);
	if (result == DOCA_SUCCESS)
		return result;
	return fault_raise(fault, result, "Failed to start a producer with %u tasks: %s",
			   conf->num_tasks, doca_error_get_name(result));
}

static bool comch_link_ctx_is_running(const struct doca_ctx *ctx)
{
	enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;

	return doca_ctx_get_state(ctx, &state) == DOCA_SUCCESS && state == DOCA_CTX_STATE_RUNNING;
}

bool comch_link_is_running(const struct comch_link *link)
{
	return comch_link_ctx_is_running(doca_comch_consumer_as_ctx(link->consumer)) &&
	       comch_link_ctx_is_running(doca_comch_producer_as_ctx(link->producer));
}

void comch_link_destroy_consumer(struct comch_link *link, void (*free_tasks)(void *arg), void *arg,
				 struct fault *fault)
{
	struct ctx_stop stop = {
		.pe = link->pe, .name = "consumer", .free_tasks = free_tasks, .arg = arg};
	doca_error_t result;

	if (link->consumer == NULL)
		return;
	stop.ctx = doca_comch_consumer_as_ctx(link->consumer);
	result = ctx_stop(&stop, fault);
	if (result == DOCA_SUCCESS) {
		result = doca_comch_consumer_destroy(link->consumer);
		if (result != DOCA_SUCCESS)
			fault_raise(fault, result, "Failed to destroy a consumer: %s",
				    doca_error_get_name(result));
	}
	link->consumer = NULL;
}

void comch_link_destroy_producer(struct comch_link *link, void (*free_tasks)(void *arg), void *arg,
				 struct fault *fault)
{
	struct ctx_stop stop = {
		.pe = link->pe, .name = "producer", .free_tasks = free_tasks, .arg = arg};
	doca_error_t result;

	if (link->producer == NULL)
		return;
	stop.ctx = doca_comch_producer_as_ctx(link->producer);
	result = ctx_stop(&stop, fault);
	if (result == DOCA_SUCCESS) {
		result = doca_comch_producer_destroy(link->producer);
		if (result != DOCA_SUCCESS)
			fault_raise(fault, result, "Failed to destroy a producer: %s",
				    doca_error_get_name(result));
	}
	link->producer = NULL;
}
