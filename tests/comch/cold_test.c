/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Many silent consumers and connections of one engine are not polled any more until their peers
 * have something for them. Whatever comes then is seen, polling and asleep.
 */
#include <poll.h>

#include "comch/path.h"

#define MANY 12

static struct path path;
static struct end *const server = &path.pair.server;
static struct end *const client = &path.pair.client;
static struct receiver receivers[MANY];

/* Idle for longer than anything stays hot. */
static void cool_down(void)
{
	for (int i = 0; i < 10000; i++)
		(void)doca_pe_progress(server->pe);
}

static void open_many(uint32_t started)
{
	pair_open(&path.pair);
	for (uint32_t i = 0; i < MANY; i++)
		receiver_create(&receivers[i], server, server->pe, 4, 64, false);
	for (uint32_t i = 0; i < started; i++) {
		receiver_start(&receivers[i], path_turn, &path);
		receiver_post_all(&receivers[i]);
	}
	PATH_UNTIL(&path, client->num_ids == started);
	sender_open(&path.sender, client, client->pe, 64, 4096, false);
}

static void close_many(void)
{
	for (uint32_t i = 0; i < MANY; i++)
		receiver_close(&receivers[i], path_turn, &path);
	path_close(&path);
}

T_CASE(cold_consumers_see_what_comes)
{
	open_many(MANY);
	for (uint32_t round = 1; round <= 4; round++) {
		cool_down();
		for (uint32_t i = 0; i < MANY; i++)
			T_OK(sender_try(&path.sender, receivers[i].id, 0, 64, NULL, 0));
		for (uint32_t i = 0; i < MANY; i++)
			PATH_UNTIL(&path, receivers[i].got == round);
		end_send(client, "control", 7);
		PATH_UNTIL(&path, server->received == round && client->sent == round);
	}
	close_many();
}

T_CASE(cold_consumers_wake_a_sleeping_engine)
{
	struct pollfd handle = {.events = POLLIN};

	open_many(MANY);
	T_OK(doca_pe_get_notification_handle(server->pe, &handle.fd));
	cool_down();
	for (uint32_t i = 0; i < MANY; i++) {
		T_OK(doca_pe_request_notification(server->pe));
		T_EQ(poll(&handle, 1, 0), 0);
		T_OK(sender_try(&path.sender, receivers[i].id, 0, 64, NULL, 0));
		T_EQ(poll(&handle, 1, 5000), 1);
		T_OK(doca_pe_clear_notification(server->pe, handle.fd));
		end_drain(server);
		T_EQ(receivers[i].got, 1);
	}
	close_many();
}

/* Waiting for the peer to join, it may go cold as well. */
T_CASE(cold_consumers_start)
{
	open_many(MANY / 2);
	for (uint32_t i = MANY / 2; i < MANY; i++)
		T_ERR(doca_ctx_start(receivers[i].ctx), DOCA_ERROR_IN_PROGRESS);
	cool_down();
	for (uint32_t i = MANY / 2; i < MANY; i++)
		T_EQ(ctx_state(receivers[i].ctx), DOCA_CTX_STATE_STARTING);
	end_drain(client);
	for (uint32_t i = MANY / 2; i < MANY; i++)
		END_UNTIL(server, ctx_state(receivers[i].ctx) == DOCA_CTX_STATE_RUNNING);
	close_many();
}

T_CASE(cold_consumers_stop)
{
	open_many(MANY);
	cool_down();
	for (uint32_t i = 0; i < MANY; i++)
		T_ERR(doca_ctx_stop(receivers[i].ctx), DOCA_ERROR_IN_PROGRESS);
	for (uint32_t i = 0; i < MANY; i++)
		PATH_UNTIL(&path, ctx_state(receivers[i].ctx) == DOCA_CTX_STATE_IDLE);
	PATH_UNTIL(&path, client->expired == MANY);
	close_many();
}

T_CASE(cold_connection_sees_its_end)
{
	open_many(MANY);
	sender_close(&path.sender, path_turn, &path);
	cool_down();
	(void)doca_ctx_stop(client->ctx);
	END_UNTIL(server, server->disconnects == 1);
	for (uint32_t i = 0; i < MANY; i++)
		T_EQ(ctx_state(receivers[i].ctx), DOCA_CTX_STATE_RUNNING);
	close_many();
}

/* Starting and cold, they learn that the connection has gone. */
T_CASE(cold_consumers_that_start_see_the_end)
{
	open_many(0);
	sender_close(&path.sender, path_turn, &path);
	for (uint32_t i = 0; i < MANY; i++)
		T_ERR(doca_ctx_start(receivers[i].ctx), DOCA_ERROR_IN_PROGRESS);
	cool_down();
	(void)doca_ctx_stop(client->ctx);
	END_UNTIL(server, server->disconnects == 1);
	for (uint32_t i = 0; i < MANY; i++)
		END_UNTIL(server, ctx_state(receivers[i].ctx) == DOCA_CTX_STATE_IDLE);
	close_many();
}
