/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Control path between a server and clients of one process: connecting, messages, order, ends.
 */
#include <string.h>

#include "comch/pair.h"

static struct pair pair;

T_CASE(connects_and_shows_the_documented_states)
{
	static const enum doca_ctx_states client[] = {DOCA_CTX_STATE_IDLE, DOCA_CTX_STATE_STARTING,
						      DOCA_CTX_STATE_RUNNING,
						      DOCA_CTX_STATE_STOPPING, DOCA_CTX_STATE_IDLE};

	pair_open(&pair);
	T_EQ(pair.server.num_states, 2);
	T_EQ(pair.server.states[1], DOCA_CTX_STATE_RUNNING);
	(void)doca_ctx_stop(pair.client.ctx);
	END_UNTIL(&pair.client, end_state(&pair.client) == DOCA_CTX_STATE_IDLE);
	T_EQ(pair.client.num_states, 5);
	for (int i = 0; i < 5; i++)
		T_EQ(pair.client.states[i], client[i]);
	END_UNTIL(&pair.server, pair.server.disconnects == 1);
	pair_close(&pair);
}

T_CASE(get_connection_is_bad_state_until_running)
{
	struct doca_comch_connection *connection;

	end_create(&pair.server, true);
	end_create(&pair.client, false);
	T_ERR(doca_comch_client_get_connection(pair.client.client, &connection),
	      DOCA_ERROR_BAD_STATE);
	end_start(&pair.server);
	end_start(&pair.client);
	T_ERR(doca_comch_client_get_connection(pair.client.client, &connection),
	      DOCA_ERROR_BAD_STATE);
	PAIR_UNTIL(&pair, end_state(&pair.client) == DOCA_CTX_STATE_RUNNING);
	T_OK(doca_comch_client_get_connection(pair.client.client, &connection));
	T_EQ(connection, pair.client.connection);
	pair_close(&pair);
}

static void send_and_compare(struct end *from, struct end *to, uint32_t len)
{
	static uint8_t message[4080];
	uint32_t before = to->received;
	uint32_t sent = from->sent;

	for (uint32_t i = 0; i < len; i++)
		message[i] = (uint8_t)(i * 7 + len);
	end_send(from, message, len);
	/* Captured by the time submit returns. */
	memset(message, 0xee, sizeof(message));
	PAIR_UNTIL(&pair, to->received == before + 1 && from->sent == sent + 1);
	T_EQ(to->message_len, len);
	for (uint32_t i = 0; i < len; i++)
		T_EQ(to->message[i], (uint8_t)(i * 7 + len));
}

T_CASE(every_size_both_ways)
{
	static const uint32_t sizes[] = {1, 2, 63, 64, 111, 112, 113, 128, 1024, 4079, 4080};

	pair_open(&pair);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		send_and_compare(&pair.client, &pair.server, sizes[i]);
		send_and_compare(&pair.server, &pair.client, sizes[i]);
	}
	pair_close(&pair);
}

T_CASE(sizes_out_of_bounds_are_refused)
{
	struct doca_comch_task_send *task;
	uint8_t message[8] = {0};

	pair_open(&pair);
	T_ERR(end_try_send(&pair.client, pair.client.connection, message, 0),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(end_try_send(&pair.client, pair.client.connection, message, 4081),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(end_try_send(&pair.client, pair.client.connection, NULL, 8),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(end_try_send(&pair.client, NULL, message, 8), DOCA_ERROR_INVALID_VALUE);
	T_ERR(end_try_send(&pair.client, pair.server.connection, message, 8),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_client_task_send_alloc_init(NULL, pair.client.connection, message, 8,
						     &task),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_client_task_send_alloc_init(pair.client.client, pair.client.connection,
						     message, 8, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	pair_close(&pair);
}

struct sequence {
	uint32_t next;
};

static void expect_sequence(struct end *end, struct doca_comch_connection *connection)
{
	struct sequence *sequence = end->arg;
	uint32_t number;

	(void)connection;
	memcpy(&number, end->message, sizeof(number));
	T_EQ(number, sequence->next);
	sequence->next++;
}

T_CASE(messages_arrive_in_order_and_the_pool_bounds_them)
{
	struct sequence sequence = {0};
	uint32_t submitted = 0;

	pair.client.num_tasks = 3;
	pair_open(&pair);
	pair.server.on_message = expect_sequence;
	pair.server.arg = &sequence;
	while (submitted < 10000) {
		uint8_t message[200];
		doca_error_t result;

		memcpy(message, &submitted, sizeof(submitted));
		result = end_try_send(&pair.client, pair.client.connection, message,
				      submitted % 2 ? 200 : 4);
		if (result == DOCA_SUCCESS)
			submitted++;
		else
			T_EQ(result, DOCA_ERROR_NO_MEMORY);
		if (result != DOCA_SUCCESS)
			(void)pair_progress(&pair);
	}
	PAIR_UNTIL(&pair, sequence.next == submitted && pair.client.sent == submitted);
	T_EQ(pair.client.failed, 0);
	pair_close(&pair);
}

T_CASE(send_completes_only_when_the_peer_has_had_it)
{
	pair_open(&pair);
	end_send(&pair.client, "x", 1);
	end_drain(&pair.client);
	T_EQ(pair.client.sent, 0);
	END_UNTIL(&pair.server, pair.server.received == 1);
	END_UNTIL(&pair.client, pair.client.sent == 1);
	pair_close(&pair);
}

static void answer(struct end *end, struct doca_comch_connection *connection)
{
	T_OK(end_try_send(end, connection, "answer", 6));
}

static void stop_at_the_answer(struct end *end, struct doca_comch_connection *connection)
{
	(void)connection;
	T_ERR(doca_ctx_stop(end->ctx), DOCA_ERROR_IN_PROGRESS);
}

/* Programs that end with the answer take the status of their send for their result. */
T_CASE(send_that_was_answered_has_succeeded)
{
	pair_open(&pair);
	pair.server.on_message = answer;
	pair.client.on_message = stop_at_the_answer;
	end_send(&pair.client, "first", 5);
	end_send(&pair.client, "second", 6);
	/* The server answers both before the client looks. */
	END_UNTIL(&pair.server, pair.server.received == 2);
	END_UNTIL(&pair.client, end_state(&pair.client) == DOCA_CTX_STATE_IDLE);
	T_EQ(pair.client.received, 1);
	T_EQ(pair.client.sent, 2);
	T_EQ(pair.client.failed, 0);
	pair_close(&pair);
}

T_CASE(send_completes_before_its_answer_comes)
{
	pair.client.num_tasks = 1;
	pair.server.num_tasks = 1;
	pair_open(&pair);
	pair.server.on_message = answer;
	pair.client.on_message = answer;
	/* Each end has one task, and has it back when it is to answer. */
	end_send(&pair.client, "first", 5);
	PAIR_UNTIL(&pair, pair.client.received == 1000);
	T_CHECK(pair.client.sent >= 1000);
	pair_close(&pair);
}

T_CASE(last_message_before_a_stop_arrives_before_the_end)
{
	pair_open(&pair);
	end_send(&pair.server, "bye", 3);
	(void)doca_ctx_stop(pair.server.ctx);
	END_UNTIL(&pair.server, end_state(&pair.server) == DOCA_CTX_STATE_IDLE);
	T_EQ(pair.server.failed, 1);
	T_EQ(pair.server.last_status, DOCA_ERROR_SHUTDOWN);
	END_UNTIL(&pair.client, end_state(&pair.client) == DOCA_CTX_STATE_IDLE);
	T_EQ(pair.client.received, 1);
	T_EQ(pair.client.message_len, 3);
	pair_close(&pair);
}

T_CASE(server_disconnect_ends_the_client_and_calls_nobody_here)
{
	struct doca_comch_connection *connection;

	pair_open(&pair);
	connection = pair.server.connection;
	T_OK(doca_comch_server_disconnect(pair.server.server, connection));
	T_ERR(doca_comch_server_disconnect(pair.server.server, connection),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(end_try_send(&pair.server, connection, "x", 1), DOCA_ERROR_INVALID_VALUE);
	END_UNTIL(&pair.client, end_state(&pair.client) == DOCA_CTX_STATE_IDLE);
	end_drain(&pair.server);
	T_EQ(pair.server.disconnects, 0);
	pair_close(&pair);
}

T_CASE(disconnect_refuses_null_and_foreign)
{
	pair_open(&pair);
	T_ERR(doca_comch_server_disconnect(NULL, pair.server.connection), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_server_disconnect(pair.server.server, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_server_disconnect(pair.server.server, pair.client.connection),
	      DOCA_ERROR_INVALID_VALUE);
	pair_close(&pair);
}

static void disconnect_at_once(struct end *end, struct doca_comch_connection *connection)
{
	T_OK(doca_comch_server_disconnect(end->server, connection));
	end->connection = NULL;
}

T_CASE(disconnect_inside_the_connect_callback)
{
	end_create(&pair.server, true);
	end_create(&pair.client, false);
	pair.server.on_connect = disconnect_at_once;
	end_start(&pair.server);
	end_start(&pair.client);
	PAIR_UNTIL(&pair, pair.server.connects == 1);
	PAIR_UNTIL(&pair, end_state(&pair.client) == DOCA_CTX_STATE_IDLE);
	pair_close(&pair);
}

T_CASE(disconnect_inside_the_receive_callback)
{
	pair_open(&pair);
	pair.server.on_message = disconnect_at_once;
	end_send(&pair.client, "x", 1);
	PAIR_UNTIL(&pair, pair.server.received == 1);
	PAIR_UNTIL(&pair, end_state(&pair.client) == DOCA_CTX_STATE_IDLE);
	pair_close(&pair);
}

static void stop_server(struct end *end, struct doca_comch_connection *connection)
{
	(void)connection;
	T_ERR(doca_ctx_stop(end->ctx), DOCA_ERROR_IN_PROGRESS);
}

T_CASE(stop_inside_the_disconnect_callback)
{
	pair_open(&pair);
	pair.server.on_disconnect = stop_server;
	(void)doca_ctx_stop(pair.client.ctx);
	PAIR_UNTIL(&pair, end_state(&pair.server) == DOCA_CTX_STATE_IDLE);
	T_EQ(pair.server.disconnects, 1);
	pair_close(&pair);
}

T_CASE(stop_inside_the_receive_callback)
{
	pair_open(&pair);
	pair.server.on_message = stop_server;
	end_send(&pair.client, "x", 1);
	PAIR_UNTIL(&pair, end_state(&pair.server) == DOCA_CTX_STATE_IDLE);
	PAIR_UNTIL(&pair, end_state(&pair.client) == DOCA_CTX_STATE_IDLE);
	pair_close(&pair);
}

T_CASE(both_stop_at_the_same_time)
{
	pair_open(&pair);
	(void)doca_ctx_stop(pair.server.ctx);
	(void)doca_ctx_stop(pair.client.ctx);
	PAIR_UNTIL(&pair, end_state(&pair.server) == DOCA_CTX_STATE_IDLE &&
				  end_state(&pair.client) == DOCA_CTX_STATE_IDLE);
	pair_close(&pair);
}

T_CASE(no_server_ends_in_idle_not_in_a_hang)
{
	end_create(&pair.client, false);
	end_start(&pair.client);
	END_UNTIL(&pair.client, end_state(&pair.client) == DOCA_CTX_STATE_IDLE);
	T_EQ(pair.client.num_states, 3);
	end_close(&pair.client);
}

T_CASE(stop_while_starting)
{
	end_create(&pair.server, true);
	end_create(&pair.client, false);
	end_start(&pair.server);
	end_start(&pair.client);
	/* The hello is on its way. */
	(void)doca_pe_progress(pair.client.pe);
	(void)doca_ctx_stop(pair.client.ctx);
	END_UNTIL(&pair.client, end_state(&pair.client) == DOCA_CTX_STATE_IDLE);
	end_drain(&pair.server);
	end_close(&pair.client);
	END_UNTIL(&pair.server, pair.server.connects == pair.server.disconnects);
	end_close(&pair.server);
}

T_CASE(client_can_be_started_again_and_again)
{
	pair_open(&pair);
	for (int i = 0; i < 200; i++) {
		(void)doca_ctx_stop(pair.client.ctx);
		PAIR_UNTIL(&pair, end_state(&pair.client) == DOCA_CTX_STATE_IDLE);
		end_start(&pair.client);
		PAIR_UNTIL(&pair, end_state(&pair.client) == DOCA_CTX_STATE_RUNNING);
		end_send(&pair.client, "again", 5);
		PAIR_UNTIL(&pair, pair.server.received == (uint32_t)i + 1);
	}
	PAIR_UNTIL(&pair, pair.server.disconnects == 200);
	T_EQ(pair.server.connects, 201);
	pair_close(&pair);
}

T_CASE(wrong_name_and_other_function_are_not_there)
{
	struct doca_devinfo **list;
	uint32_t num;

	end_create(&pair.server, true);
	end_start(&pair.server);
	pair.client.name = "pai";
	end_create(&pair.client, false);
	end_start(&pair.client);
	PAIR_UNTIL(&pair, end_state(&pair.client) == DOCA_CTX_STATE_IDLE);
	end_close(&pair.client);
	/* The last host function in the list is not the represented one. */
	T_OK(doca_devinfo_create_list(&list, &num));
	T_OK(doca_dev_open(list[num - 1], &pair.client.dev));
	T_OK(doca_devinfo_destroy_list(list));
	end_create(&pair.client, false);
	end_start(&pair.client);
	PAIR_UNTIL(&pair, end_state(&pair.client) == DOCA_CTX_STATE_IDLE);
	T_EQ(pair.server.connects, 0);
	pair_close(&pair);
}

T_CASE(name_is_taken_once_and_free_after_stop)
{
	struct end other = {0};

	end_create(&pair.server, true);
	end_start(&pair.server);
	end_create(&other, true);
	T_ERR(doca_ctx_start(other.ctx), DOCA_ERROR_ALREADY_EXIST);
	T_EQ(end_state(&other), DOCA_CTX_STATE_IDLE);
	end_close(&pair.server);
	T_OK(doca_ctx_start(other.ctx));
	end_close(&other);
}

T_CASE(message_sizes_that_differ_are_refused)
{
	end_create(&pair.server, true);
	end_create(&pair.client, false);
	T_OK(doca_comch_server_set_max_msg_size(pair.server.server, 1024));
	T_OK(doca_comch_client_set_max_msg_size(pair.client.client, 512));
	end_start(&pair.server);
	end_start(&pair.client);
	PAIR_UNTIL(&pair, end_state(&pair.client) == DOCA_CTX_STATE_IDLE);
	T_EQ(pair.server.connects, 0);
	T_OK(doca_comch_client_set_max_msg_size(pair.client.client, 1024));
	end_start(&pair.client);
	PAIR_UNTIL(&pair, end_state(&pair.client) == DOCA_CTX_STATE_RUNNING);
	T_ERR(end_try_send(&pair.client, pair.client.connection, "x", 1025),
	      DOCA_ERROR_INVALID_VALUE);
	pair_close(&pair);
}

T_CASE(user_data_and_owner_of_a_connection)
{
	union doca_data data = {.u64 = 42};

	pair_open(&pair);
	T_EQ(doca_comch_connection_get_user_data(pair.server.connection).u64, 0);
	T_OK(doca_comch_connection_set_user_data(pair.server.connection, data));
	T_EQ(doca_comch_connection_get_user_data(pair.server.connection).u64, 42);
	T_EQ(doca_comch_connection_get_user_data(pair.client.connection).u64, 0);
	T_ERR(doca_comch_connection_set_user_data(NULL, data), DOCA_ERROR_INVALID_VALUE);
	T_EQ(doca_comch_server_get_server_ctx(pair.server.connection), pair.server.server);
	T_EQ(doca_comch_client_get_client_ctx(pair.server.connection), NULL);
	T_EQ(doca_comch_client_get_client_ctx(pair.client.connection), pair.client.client);
	T_EQ(doca_comch_server_get_server_ctx(pair.client.connection), NULL);
	pair_close(&pair);
}

static uint64_t counter_of(struct doca_comch_connection *connection, enum doca_comch_counter which)
{
	uint64_t value;

	T_OK(doca_comch_connection_get_counter(connection, which, &value));
	return value;
}

T_CASE(counters_are_a_snapshot)
{
	uint64_t value;

	pair_open(&pair);
	end_send(&pair.client, "12345", 5);
	end_send(&pair.client, "678", 3);
	PAIR_UNTIL(&pair, pair.server.received == 2);
	T_EQ(counter_of(pair.server.connection, DOCA_COMCH_COUNTER_RECV_MESSAGES), 0);
	T_OK(doca_comch_connection_update_info(pair.server.connection));
	T_OK(doca_comch_connection_update_info(pair.client.connection));
	T_EQ(counter_of(pair.server.connection, DOCA_COMCH_COUNTER_RECV_MESSAGES), 2);
	T_EQ(counter_of(pair.server.connection, DOCA_COMCH_COUNTER_RECV_BYTES), 8);
	T_EQ(counter_of(pair.client.connection, DOCA_COMCH_COUNTER_SENT_MESSAGES), 2);
	T_EQ(counter_of(pair.client.connection, DOCA_COMCH_COUNTER_SENT_BYTES), 8);
	T_EQ(counter_of(pair.client.connection, DOCA_COMCH_COUNTER_RECV_BYTES), 0);
	T_ERR(doca_comch_connection_update_info(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_connection_get_counter(pair.client.connection, (enum doca_comch_counter)0,
						&value),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_connection_get_counter(pair.client.connection, (enum doca_comch_counter)5,
						&value),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_connection_get_counter(pair.client.connection,
						DOCA_COMCH_COUNTER_SENT_BYTES, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	pair_close(&pair);
}

static void send_again(struct end *end, struct doca_task *task)
{
	if (end->sent < 5)
		T_OK(doca_task_submit(task));
	else
		doca_task_free(task);
}

T_CASE(a_task_can_be_submitted_again_in_its_callback)
{
	pair_open(&pair);
	pair.client.on_sent = send_again;
	end_send(&pair.client, "again", 5);
	PAIR_UNTIL(&pair, pair.server.received == 5 && pair.client.sent == 5);
	pair_close(&pair);
}

T_CASE(tasks_freed_while_submitted_do_not_hold_up_the_stop)
{
	struct doca_comch_task_send *task;

	pair_open(&pair);
	T_OK(doca_comch_client_task_send_alloc_init(pair.client.client, pair.client.connection, "x",
						    1, &task));
	T_OK(doca_task_submit(doca_comch_task_send_as_task(task)));
	doca_task_free(doca_comch_task_send_as_task(task));
	(void)doca_ctx_stop(pair.client.ctx);
	END_UNTIL(&pair.client, end_state(&pair.client) == DOCA_CTX_STATE_IDLE);
	T_EQ(pair.client.sent + pair.client.failed, 0);
	pair_close(&pair);
}

T_CASE(stop_waits_for_tasks_to_be_freed)
{
	pair_open(&pair);
	pair.client.keep_tasks = true;
	end_send(&pair.client, "x", 1);
	PAIR_UNTIL(&pair, pair.client.sent == 1);
	T_ERR(doca_ctx_stop(pair.client.ctx), DOCA_ERROR_IN_PROGRESS);
	end_drain(&pair.client);
	T_EQ(end_state(&pair.client), DOCA_CTX_STATE_STOPPING);
	T_ERR(doca_comch_client_destroy(pair.client.client), DOCA_ERROR_IN_USE);
	doca_task_free(pair.client.last_task);
	END_UNTIL(&pair.client, end_state(&pair.client) == DOCA_CTX_STATE_IDLE);
	pair_close(&pair);
}

T_CASE(many_clients_of_one_server)
{
	static struct end clients[100];

	end_create(&pair.server, true);
	end_start(&pair.server);
	for (int i = 0; i < 100; i++) {
		end_create(&clients[i], false);
		end_start(&clients[i]);
	}
	for (int i = 0; i < 100; i++)
		T_EVENTUALLY((doca_pe_progress(pair.server.pe), doca_pe_progress(clients[i].pe),
			      end_state(&clients[i]) == DOCA_CTX_STATE_RUNNING),
			     10000);
	T_EQ(pair.server.connects, 100);
	/* Most are cold by now. */
	for (int i = 0; i < 10000; i++)
		(void)doca_pe_progress(pair.server.pe);
	for (int i = 0; i < 100; i++)
		end_send(&clients[i], "hello", 5);
	END_UNTIL(&pair.server, pair.server.received == 100);
	for (int i = 0; i < 100; i++)
		END_UNTIL(&clients[i], clients[i].sent == 1);
	for (int i = 0; i < 100; i++)
		end_close(&clients[i]);
	END_UNTIL(&pair.server, pair.server.disconnects == 100);
	end_close(&pair.server);
}

/* The client acknowledges and sends the next one before the server looks again. */
static void echo_and_turn(struct end *end, struct doca_comch_connection *connection)
{
	T_OK(end_try_send(end, connection, end->message, end->message_len));
	end_drain(&pair.client);
}

static void ping_again(struct end *end, struct doca_comch_connection *connection)
{
	if (end->received < 1000)
		T_OK(end_try_send(end, connection, "ping", 4));
}

T_CASE(completions_are_not_starved_by_messages)
{
	pair.server.num_tasks = 4;
	pair_open(&pair);
	pair.server.on_message = echo_and_turn;
	pair.client.on_message = ping_again;
	end_send(&pair.client, "ping", 4);
	PAIR_UNTIL(&pair, pair.client.received == 1000 && pair.server.sent == 1000);
	pair_close(&pair);
}

/* A program may never progress again after it has had its last message. */
T_CASE(one_progress_acknowledges_all_that_it_delivered)
{
	pair.client.num_tasks = 32;
	pair_open(&pair);
	for (int i = 0; i < 32; i++)
		end_send(&pair.client, "x", 1);
	while (pair.server.received < 32) {
		uint32_t received;

		T_EQ(doca_pe_progress(pair.server.pe), 1);
		received = pair.server.received;
		END_UNTIL(&pair.client, pair.client.sent == received);
	}
	pair_close(&pair);
}
