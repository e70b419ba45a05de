/* SPDX-License-Identifier: BSD-3-Clause */
/* The initiator's end of the comch control channel. */
#include "control_comch.h"

#include "timing.h"

#include <doca_log.h>

DOCA_LOG_REGISTER(STORAGE::CONTROL_COMCH_CLIENT);

/* Pauses between attempts to connect, while the bridge is not up yet. */
#define START_PAUSE_FIRST (50 * NSEC_PER_MSEC)
#define START_PAUSE_LAST (1600 * NSEC_PER_MSEC)

/* The connection exists from RUNNING on, and its first message may follow in the same progress. */
static void control_comch_state_changed(const union doca_data user_data, struct doca_ctx *ctx,
					enum doca_ctx_states prev, enum doca_ctx_states next)
{
	struct control_comch *comch = user_data.ptr;

	if (next == DOCA_CTX_STATE_RUNNING) {
		if (doca_comch_client_get_connection(comch->client, &comch->connection) ==
		    DOCA_SUCCESS)
			doca_comch_connection_set_user_data(comch->connection, user_data);
	} else {
		comch->connection = NULL;
	}
}

static doca_error_t control_comch_configure(struct control_comch *comch)
{
	struct doca_comch_client *client = comch->client;
	struct doca_ctx *ctx = doca_comch_client_as_ctx(client);
	doca_error_t result;

	result = doca_pe_connect_ctx(comch->pe, ctx);
	if (result == DOCA_SUCCESS)
		result = doca_ctx_set_user_data(ctx, (union doca_data){.ptr = comch});
	if (result == DOCA_SUCCESS)
		result = doca_ctx_set_state_changed_cb(ctx, control_comch_state_changed);
	if (result == DOCA_SUCCESS)
		result = doca_comch_client_task_send_set_conf(client, control_comch_sent,
							      control_comch_send_failed,
							      CONTROL_COMCH_SEND_TASKS);
	if (result == DOCA_SUCCESS)
		result = doca_comch_client_event_msg_recv_register(client, control_comch_received);
	if (result == DOCA_SUCCESS)
		result = doca_comch_client_event_consumer_register(
			client, control_comch_consumer_added, control_comch_consumer_expired);
	return result;
}

/*
 * A client that finds no server falls back to IDLE and may be started again, so the programs can
 * be started in any order within the time limit.
 */
static void control_comch_restart(struct control_comch *comch, struct doca_ctx *ctx)
{
	doca_error_t result;

	if (timing_now() < comch->next_start)
		return;
	result = doca_ctx_start(ctx);
	if (result != DOCA_SUCCESS && result != DOCA_ERROR_IN_PROGRESS)
		DOCA_LOG_DBG("Comch client did not start: %s", doca_error_get_name(result));
	comch->next_start = timing_now() + comch->start_pause;
	if (comch->start_pause < START_PAUSE_LAST)
		comch->start_pause *= 2;
}

static bool control_comch_try_connect(void *arg)
{
	struct control_comch *comch = arg;
	struct doca_ctx *ctx = doca_comch_client_as_ctx(comch->client);
	enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;

	doca_ctx_get_state(ctx, &state);
	if (state == DOCA_CTX_STATE_IDLE)
		control_comch_restart(comch, ctx);
	return state == DOCA_CTX_STATE_RUNNING && comch->connection != NULL;
}

doca_error_t control_comch_connect(struct control_comch *comch, struct doca_pe *pe,
				   struct doca_dev *dev, const char *name, uint32_t limit,
				   struct waiter *waiter)
{
	doca_error_t result;

	comch->pe = pe;
	comch->start_pause = START_PAUSE_FIRST;
	result = doca_comch_client_create(dev, name, &comch->client);
	if (result == DOCA_SUCCESS)
		result = control_comch_configure(comch);
	if (result != DOCA_SUCCESS)
		return fault_raise(waiter->fault, result,
				   "Cannot make comch client for \"%s\": %s; --device must be a "
				   "device of the host",
				   name, doca_error_get_name(result));

	result = waiter_wait(waiter, control_comch_try_connect, comch, limit,
			     "the comch server of the bridge");
	if (result == DOCA_ERROR_TIME_OUT)
		return fault_raise(waiter->fault, result,
				   "Failed to connect doca_comch_client after %u seconds: is the "
				   "bridge running, with --command-channel-name \"%s\" and the "
				   "representor of this device?",
				   limit, name);
	if (result == DOCA_SUCCESS)
		control_open(&comch->channel);
	return result;
}
