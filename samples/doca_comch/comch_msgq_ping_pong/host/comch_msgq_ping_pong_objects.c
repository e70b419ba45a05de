/* SPDX-License-Identifier: BSD-3-Clause */
#include "comch_msgq_ping_pong_sample.h"

#include <doca_log.h>

DOCA_LOG_REGISTER(COMCH_MSGQ_PING_PONG::OBJECTS);

/* --- the DPA --- */

static doca_error_t open_dpa(struct ping_pong *game, const struct sample_config *config)
{
	doca_error_t result;

	result = sample_open_dev(config->pci_addr, &game->dev);
	if (result == DOCA_SUCCESS)
		result = doca_pe_create(&game->pe);
	if (result == DOCA_SUCCESS)
		result = doca_dpa_create(game->dev, &game->dpa);
	if (result == DOCA_SUCCESS)
		result = doca_dpa_set_app(game->dpa, comch_msgq_ping_pong_app);
	if (result == DOCA_SUCCESS)
		result = doca_dpa_start(game->dpa);
	return result;
}

/* The thread is told where the table lies, which is filled in when there is something to put in. */
static doca_error_t make_thread(struct ping_pong *game)
{
	doca_error_t result;

	result = doca_dpa_mem_alloc(game->dpa, sizeof(struct ping_pong_table), &game->table);
	if (result == DOCA_SUCCESS)
		result = doca_dpa_thread_create(game->dpa, &game->thread);
	if (result == DOCA_SUCCESS)
		result = doca_dpa_thread_set_func_arg(game->thread, &return_balls, game->table);
	if (result == DOCA_SUCCESS)
		result = doca_dpa_thread_start(game->thread);
	return result;
}

static doca_error_t make_arrivals(struct ping_pong *game)
{
	doca_error_t result;

	result = doca_comch_consumer_completion_create(&game->arrivals);
	if (result == DOCA_SUCCESS)
		result = doca_comch_consumer_completion_set_max_num_recv(game->arrivals,
									 PING_PONG_DEPTH);
	if (result == DOCA_SUCCESS)
		result = doca_comch_consumer_completion_set_imm_data_len(
			game->arrivals, sizeof(struct ping_pong_ball));
	if (result == DOCA_SUCCESS)
		result =
			doca_comch_consumer_completion_set_dpa_thread(game->arrivals, game->thread);
	if (result == DOCA_SUCCESS)
		result = doca_comch_consumer_completion_start(game->arrivals);
	return result;
}

static doca_error_t make_sends(struct ping_pong *game)
{
	doca_error_t result;

	result = doca_dpa_completion_create(game->dpa, PING_PONG_DEPTH, &game->sends);
	if (result == DOCA_SUCCESS)
		result = doca_dpa_completion_start(game->sends);
	return result;
}

/* --- the queues --- */

static doca_error_t make_msgq(struct ping_pong *game, struct queue *queue)
{
	doca_error_t result;

	result = doca_comch_msgq_create(game->dev, &queue->msgq);
	if (result == DOCA_SUCCESS)
		result = doca_comch_msgq_set_max_num_consumers(queue->msgq, 1);
	if (result == DOCA_SUCCESS)
		result = doca_comch_msgq_set_max_num_producers(queue->msgq, 1);
	if (result == DOCA_SUCCESS && queue == &game->to_dpa)
		result = doca_comch_msgq_set_dpa_consumer(queue->msgq, game->dpa);
	if (result == DOCA_SUCCESS && queue == &game->to_host)
		result = doca_comch_msgq_set_dpa_producer(queue->msgq, game->dpa);
	if (result == DOCA_SUCCESS)
		result = doca_comch_msgq_start(queue->msgq);
	return result;
}

/* A context of the host: it has an engine, and callbacks that want to know the game. */
static doca_error_t start_on_engine(struct ping_pong *game, struct doca_ctx *ctx)
{
	const union doca_data user_data = {.ptr = game};
	doca_error_t result;

	result = doca_ctx_set_user_data(ctx, user_data);
	if (result == DOCA_SUCCESS)
		result = doca_pe_connect_ctx(game->pe, ctx);
	if (result == DOCA_SUCCESS)
		result = doca_ctx_start(ctx);
	return result;
}

static doca_error_t make_dpa_consumer(struct ping_pong *game)
{
	struct doca_comch_consumer **consumer = &game->to_dpa.consumer;
	doca_error_t result;

	result = doca_comch_msgq_consumer_create(game->to_dpa.msgq, consumer);
	if (result == DOCA_SUCCESS)
		result = doca_comch_consumer_set_imm_data_len(*consumer,
							      sizeof(struct ping_pong_ball));
	if (result == DOCA_SUCCESS)
		result = doca_ctx_set_datapath_on_dpa(doca_comch_consumer_as_ctx(*consumer),
						      game->dpa);
	if (result == DOCA_SUCCESS)
		result = doca_comch_consumer_set_completion(*consumer, game->arrivals, 0);
	if (result == DOCA_SUCCESS)
		result = doca_comch_consumer_set_dev_max_num_recv(*consumer, PING_PONG_DEPTH);
	if (result == DOCA_SUCCESS)
		result = doca_ctx_start(doca_comch_consumer_as_ctx(*consumer));
	if (result == DOCA_SUCCESS)
		result = doca_comch_consumer_get_id(*consumer, &game->dpa_consumer_id);
	return result;
}

static doca_error_t make_host_producer(struct ping_pong *game)
{
	struct doca_comch_producer **producer = &game->to_dpa.producer;
	doca_error_t result;

	result = doca_comch_msgq_producer_create(game->to_dpa.msgq, producer);
	if (result == DOCA_SUCCESS)
		result = doca_comch_producer_task_send_set_conf(
			*producer, ping_pong_sent, ping_pong_send_failed, PING_PONG_DEPTH);
	if (result == DOCA_SUCCESS)
		result = start_on_engine(game, doca_comch_producer_as_ctx(*producer));
	return result;
}

static doca_error_t make_host_consumer(struct ping_pong *game)
{
	struct doca_comch_consumer **consumer = &game->to_host.consumer;
	doca_error_t result;

	result = doca_comch_msgq_consumer_create(game->to_host.msgq, consumer);
	if (result == DOCA_SUCCESS)
		result = doca_comch_consumer_set_imm_data_len(*consumer,
							      sizeof(struct ping_pong_ball));
	if (result == DOCA_SUCCESS)
		result = doca_comch_consumer_task_post_recv_set_conf(
			*consumer, ping_pong_received, ping_pong_receive_failed, PING_PONG_DEPTH);
	if (result == DOCA_SUCCESS)
		result = start_on_engine(game, doca_comch_consumer_as_ctx(*consumer));
	return result;
}

static doca_error_t make_dpa_producer(struct ping_pong *game)
{
	struct doca_comch_producer **producer = &game->to_host.producer;
	doca_error_t result;

	result = doca_comch_msgq_producer_create(game->to_host.msgq, producer);
	if (result == DOCA_SUCCESS)
		result = doca_ctx_set_datapath_on_dpa(doca_comch_producer_as_ctx(*producer),
						      game->dpa);
	if (result == DOCA_SUCCESS)
		result = doca_comch_producer_set_dev_max_num_send(*producer, PING_PONG_DEPTH);
	if (result == DOCA_SUCCESS)
		result = doca_comch_producer_dpa_completion_attach(*producer, game->sends);
	if (result == DOCA_SUCCESS)
		result = doca_ctx_start(doca_comch_producer_as_ctx(*producer));
	return result;
}

static doca_error_t make_queues(struct ping_pong *game)
{
	doca_error_t result;

	result = make_msgq(game, &game->to_dpa);
	if (result == DOCA_SUCCESS)
		result = make_dpa_consumer(game);
	if (result == DOCA_SUCCESS)
		result = make_host_producer(game);
	if (result == DOCA_SUCCESS)
		result = make_msgq(game, &game->to_host);
	if (result == DOCA_SUCCESS)
		result = make_host_consumer(game);
	if (result == DOCA_SUCCESS)
		result = make_dpa_producer(game);
	return result;
}

/* --- what device code is told --- */

static doca_error_t fill_table(struct ping_pong *game)
{
	struct ping_pong_table table = {.num_activations = 0};
	doca_error_t result;

	result = doca_comch_consumer_get_dpa_handle(game->to_dpa.consumer, &table.consumer);
	if (result == DOCA_SUCCESS)
		result = doca_comch_consumer_completion_get_dpa_handle(game->arrivals,
								       &table.consumer_comp);
	if (result == DOCA_SUCCESS)
		result =
			doca_comch_producer_get_dpa_handle(game->to_host.producer, &table.producer);
	if (result == DOCA_SUCCESS)
		result =
			doca_comch_consumer_get_id(game->to_host.consumer, &table.host_consumer_id);
	if (result == DOCA_SUCCESS)
		result = doca_dpa_h2d_memcpy(game->dpa, game->table, &table, sizeof(table));
	return result;
}

static doca_error_t run_thread(struct ping_pong *game)
{
	uint64_t returned;
	doca_error_t result;

	result = doca_dpa_rpc(game->dpa, &allow_balls, &returned, (uint64_t)game->table,
			      (uint32_t)PING_PONG_DEPTH);
	if (result == DOCA_SUCCESS)
		result = doca_dpa_thread_run(game->thread);
	return result;
}

doca_error_t ping_pong_open(struct ping_pong *game, const struct sample_config *config)
{
	doca_error_t result;

	result = open_dpa(game, config);
	if (result == DOCA_SUCCESS)
		result = make_thread(game);
	if (result == DOCA_SUCCESS)
		result = make_arrivals(game);
	if (result == DOCA_SUCCESS)
		result = make_sends(game);
	if (result == DOCA_SUCCESS)
		result = make_queues(game);
	if (result == DOCA_SUCCESS)
		result = fill_table(game);
	if (result == DOCA_SUCCESS)
		result = run_thread(game);
	if (result != DOCA_SUCCESS)
		DOCA_LOG_ERR("Cannot set up the DPA and its queues: %s",
			     doca_error_get_descr(result));
	return result;
}

/* --- the end: in the reverse order --- */

static void close_queue(struct ping_pong *game, struct queue *queue)
{
	if (queue->producer != NULL) {
		sample_stop_ctx(game->pe, doca_comch_producer_as_ctx(queue->producer));
		doca_comch_producer_destroy(queue->producer);
	}
	if (queue->consumer != NULL) {
		sample_stop_ctx(game->pe, doca_comch_consumer_as_ctx(queue->consumer));
		doca_comch_consumer_destroy(queue->consumer);
	}
	if (queue->msgq != NULL) {
		doca_comch_msgq_stop(queue->msgq);
		doca_comch_msgq_destroy(queue->msgq);
	}
}

static void close_dpa(struct ping_pong *game)
{
	if (game->sends != NULL)
		doca_dpa_completion_destroy(game->sends);
	if (game->arrivals != NULL) {
		doca_comch_consumer_completion_stop(game->arrivals);
		doca_comch_consumer_completion_destroy(game->arrivals);
	}
	if (game->thread != NULL)
		doca_dpa_thread_destroy(game->thread);
	if (game->table != 0)
		doca_dpa_mem_free(game->dpa, game->table);
	if (game->dpa != NULL)
		doca_dpa_destroy(game->dpa);
}

/* The thread first: it may still be at work with the last ball, which the host has already. */
void ping_pong_close(struct ping_pong *game)
{
	if (game->thread != NULL)
		doca_dpa_thread_stop(game->thread);
	close_queue(game, &game->to_host);
	close_queue(game, &game->to_dpa);
	close_dpa(game);
	if (game->pe != NULL)
		doca_pe_destroy(game->pe);
	if (game->dev != NULL)
		doca_dev_close(game->dev);
}
