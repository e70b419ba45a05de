/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The game: the host sends a ball to the DPA, whose thread is woken, counts its hit and sends it
 * back, and so on.
 */
#include "comch_msgq_ping_pong_sample.h"

#include <doca_log.h>

DOCA_LOG_REGISTER(COMCH_MSGQ_PING_PONG::SAMPLE);

static void note(struct ping_pong *game, doca_error_t result)
{
	if (game->result == DOCA_SUCCESS)
		game->result = result;
}

/* --- to the DPA --- */

static doca_error_t send_ball(struct ping_pong *game)
{
	struct ping_pong_ball ball = {.round = game->rounds, .hits = game->hits + 1};
	struct doca_comch_producer_task_send *send;
	struct doca_task *task;
	doca_error_t result;

	/* A MsgQ carries immediate data only, so there is no buf. */
	result = doca_comch_producer_task_send_alloc_init(game->to_dpa.producer, NULL,
							  (uint8_t *)&ball, sizeof(ball),
							  game->dpa_consumer_id, &send);
	if (result != DOCA_SUCCESS)
		return result;
	task = doca_comch_producer_task_send_as_task(send);
	/* There is always credit: the DPA has given more than one ball can use up. */
	result = doca_task_submit(task);
	if (result != DOCA_SUCCESS) {
		doca_task_free(task);
		return result;
	}
	game->num_in_flight++;
	return DOCA_SUCCESS;
}

void ping_pong_sent(struct doca_comch_producer_task_send *send, union doca_data task_user_data,
		    union doca_data ctx_user_data)
{
	struct ping_pong *game = ctx_user_data.ptr;

	(void)task_user_data;
	game->num_in_flight--;
	doca_task_free(doca_comch_producer_task_send_as_task(send));
}

void ping_pong_send_failed(struct doca_comch_producer_task_send *send,
			   union doca_data task_user_data, union doca_data ctx_user_data)
{
	note(ctx_user_data.ptr, doca_task_get_status(doca_comch_producer_task_send_as_task(send)));
	ping_pong_sent(send, task_user_data, ctx_user_data);
}

/* --- from the DPA --- */

static doca_error_t take_ball(struct ping_pong *game, const struct ping_pong_ball *ball)
{
	if (ball->round != game->rounds || ball->hits != game->hits + 2) {
		DOCA_LOG_ERR("The ball of round %" PRIu64 " came back as that of %" PRIu64
			     " with %" PRIu64 " hits, not %" PRIu64,
			     game->rounds, ball->round, ball->hits, game->hits + 2);
		return DOCA_ERROR_UNEXPECTED;
	}
	game->hits = ball->hits;
	game->rounds++;
	return game->rounds < game->num_rounds ? send_ball(game) : DOCA_SUCCESS;
}

void ping_pong_received(struct doca_comch_consumer_task_post_recv *recv,
			union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct doca_task *task = doca_comch_consumer_task_post_recv_as_task(recv);
	const uint8_t *imm = doca_comch_consumer_task_post_recv_get_imm_data(recv);
	struct ping_pong *game = ctx_user_data.ptr;
	struct ping_pong_ball ball;

	(void)task_user_data;
	if (doca_comch_consumer_task_post_recv_get_imm_data_len(recv) == sizeof(ball)) {
		memcpy(&ball, imm, sizeof(ball));
		note(game, take_ball(game, &ball));
	} else {
		note(game, DOCA_ERROR_UNEXPECTED);
	}
	/* The same receive again: device code cannot tell when there is none left. */
	if (doca_task_submit(task) != DOCA_SUCCESS)
		doca_task_free(task);
}

void ping_pong_receive_failed(struct doca_comch_consumer_task_post_recv *recv,
			      union doca_data task_user_data, union doca_data ctx_user_data)
{
	(void)task_user_data;
	(void)ctx_user_data; /* as all of them are flushed when the consumer stops */
	doca_task_free(doca_comch_consumer_task_post_recv_as_task(recv));
}

static doca_error_t post_receives(struct ping_pong *game)
{
	struct doca_comch_consumer_task_post_recv *recv;
	doca_error_t result = DOCA_SUCCESS;

	for (int i = 0; i < PING_PONG_DEPTH && result == DOCA_SUCCESS; i++) {
		result = doca_comch_consumer_task_post_recv_alloc_init(game->to_host.consumer, NULL,
								       &recv);
		if (result == DOCA_SUCCESS)
			result = doca_task_submit(doca_comch_consumer_task_post_recv_as_task(recv));
	}
	return result;
}

/* --- the whole --- */

static bool is_over(void *arg)
{
	struct ping_pong *game = arg;

	if (doca_dpa_peek_at_last_error(game->dpa) != DOCA_SUCCESS)
		note(game, DOCA_ERROR_BAD_STATE);
	return game->result != DOCA_SUCCESS ||
	       (game->rounds == game->num_rounds && game->num_in_flight == 0);
}

static doca_error_t play(struct ping_pong *game)
{
	doca_error_t result;

	result = post_receives(game);
	if (result == DOCA_SUCCESS)
		result = send_ball(game);
	if (result == DOCA_SUCCESS)
		result = sample_progress_until(game->pe, is_over, game, SAMPLE_PEER_SECONDS);
	if (result == DOCA_SUCCESS)
		result = game->result;
	if (result != DOCA_SUCCESS)
		DOCA_LOG_ERR("The game ended after %" PRIu64 " rounds: %s", game->rounds,
			     doca_error_get_descr(result));
	return result;
}

static doca_error_t report(struct ping_pong *game)
{
	struct ping_pong_table table;
	doca_error_t result;

	result = doca_dpa_d2h_memcpy(game->dpa, &table, game->table, sizeof(table));
	if (result != DOCA_SUCCESS)
		return result;
	DOCA_LOG_INFO("The ball went to the DPA and came back %" PRIu64 " times, with %" PRIu64
		      " hits",
		      game->rounds, game->hits);
	DOCA_LOG_INFO("The thread of the DPA was woken %u times", table.num_activations);
	return DOCA_SUCCESS;
}

doca_error_t ping_pong_run(const struct sample_config *config)
{
	struct ping_pong game = {.num_rounds = (uint64_t)config->number};
	doca_error_t result;

	result = ping_pong_open(&game, config);
	if (result == DOCA_SUCCESS)
		result = play(&game);
	if (result == DOCA_SUCCESS)
		result = report(&game);
	ping_pong_close(&game);
	return result;
}
