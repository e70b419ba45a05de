/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Export and connect: order, limits, what is refused, what happens before and after.
 */
#include <string.h>

#include "rdma/rig.h"

static struct rig_end a, b;
static struct rig_card card_a, card_b;

static void open_both(void)
{
	rig_start(&a);
	rig_start(&b);
	rig_export(&a, &card_a);
	rig_export(&b, &card_b);
}

static void close_both(void)
{
	rig_close(&a);
	rig_close(&b);
}

/* C2. Cookies are random: each order is tried with both distributions of roles. */
T_CASE(either_side_may_be_first)
{
	for (int i = 0; i < 8; i++) {
		open_both();
		T_OK(i % 2 ? rig_connect(&a, &card_b) : rig_connect(&b, &card_a));
		if (i % 4 < 2)
			rig_idle(&a, &b);
		T_OK(i % 2 ? rig_connect(&b, &card_a) : rig_connect(&a, &card_b));
		rig_exchange(&a, &b);
		close_both();
	}
}

T_CASE(a_side_that_never_progresses_is_joined)
{
	for (int i = 0; i < 8; i++) {
		open_both();
		T_OK(i % 2 ? rig_connect(&a, &card_b) : rig_connect(&b, &card_a));
		T_OK(i % 2 ? rig_connect(&b, &card_a) : rig_connect(&a, &card_b));
		rig_import(&a, &card_b);
		rig_write(&a, rig_data(&a, 0, 64), rig_remote_room(&a, &card_b, 0, 64), 1);
		RIG_ALONE(&a, a.ok[RIG_WRITE] == 1);
		close_both();
	}
}

/* Tasks submitted before either side has connected wait. */
T_CASE(early_tasks_wait)
{
	for (int i = 0; i < 4; i++) {
		open_both();
		rig_import(&a, &card_b);
		rig_receive(&b, rig_room(&b, 0, 64), 1);
		rig_send(&a, rig_data(&a, 0, 64), 1);
		rig_write(&a, rig_data(&a, 0, 64), rig_remote_room(&a, &card_b, 64, 64), 2);
		rig_read(&a, rig_remote_data(&a, &card_b, 0, 64), rig_room(&a, 0, 64), 3);
		rig_idle(&a, &b);
		T_OK(i % 2 ? rig_connect(&a, &card_b) : rig_connect(&b, &card_a));
		rig_idle(&a, &b);
		T_EQ(a.num_events, 0);
		T_OK(i % 2 ? rig_connect(&b, &card_a) : rig_connect(&a, &card_b));
		RIG_UNTIL(&a, &b, a.num_events == 3);
		for (uint64_t n = 0; n < 3; n++) {
			T_EQ(a.events[n].number, n + 1);
			T_CHECK(a.events[n].ok);
		}
		close_both();
	}
}

/* C1, C12 */
T_CASE(as_many_connections_as_were_asked_for)
{
	const void *details;
	struct doca_rdma_connection *connection;
	size_t size;
	uint32_t id;

	rig_init(&a);
	a.max_connections = 3;
	rig_open(&a);
	T_OK(doca_ctx_start(a.ctx));
	for (uint32_t i = 0; i < 3; i++) {
		T_OK(doca_rdma_export(a.rdma, &details, &size, &connection));
		T_OK(doca_rdma_connection_get_id(connection, &id));
		T_EQ(id, i);
	}
	T_ERR(doca_rdma_export(a.rdma, &details, &size, &connection), DOCA_ERROR_FULL);
	rig_close(&a);
}

T_CASE(one_connection_by_default)
{
	const void *details;
	struct doca_rdma_connection *connection;
	size_t size;

	rig_init(&a);
	a.max_connections = 1;
	rig_open(&a);
	T_OK(doca_ctx_start(a.ctx));
	T_OK(doca_rdma_export(a.rdma, &details, &size, &connection));
	T_CHECK(size > 0 && size <= 1008);
	T_ERR(doca_rdma_export(a.rdma, &details, &size, &connection), DOCA_ERROR_FULL);
	rig_close(&a);
}

T_CASE(export_and_connect_need_a_started_context)
{
	const void *details;
	struct doca_rdma_connection *connection;
	size_t size;

	open_both();
	(void)doca_ctx_stop(a.ctx);
	T_ERR(doca_rdma_export(a.rdma, &details, &size, &connection), DOCA_ERROR_BAD_STATE);
	T_ERR(rig_connect(&a, &card_b), DOCA_ERROR_BAD_STATE);
	close_both();
}

/* C4 */
T_CASE(a_connection_is_joined_once)
{
	open_both();
	T_OK(rig_connect(&a, &card_b));
	T_ERR(rig_connect(&a, &card_b), DOCA_ERROR_BAD_STATE);
	T_OK(rig_connect(&b, &card_a));
	rig_await_join(&a, &b);
	T_ERR(rig_connect(&a, &card_b), DOCA_ERROR_BAD_STATE);
	T_ERR(rig_connect(&b, &card_a), DOCA_ERROR_BAD_STATE);
	close_both();
}

T_CASE(damaged_details_are_refused)
{
	struct rig_card bad;

	open_both();
	for (size_t i = 0; i < card_b.details_len; i++) {
		bad = card_b;
		bad.details[i] ^= 0x11;
		T_ERR(rig_connect(&a, &bad), DOCA_ERROR_CONNECTION_ABORTED);
	}
	for (size_t len = 1; len < card_b.details_len; len++) {
		bad = card_b;
		bad.details_len = len;
		T_ERR(rig_connect(&a, &bad), DOCA_ERROR_CONNECTION_ABORTED);
	}
	bad = card_b;
	memcpy(bad.details, card_b.memory, card_b.memory_len);
	bad.details_len = card_b.memory_len;
	T_ERR(rig_connect(&a, &bad), DOCA_ERROR_CONNECTION_ABORTED);
	T_ERR(rig_connect(&a, &card_a), DOCA_ERROR_CONNECTION_ABORTED);
	/* All that has changed nothing. */
	bad = card_b;
	bad.details_len = sizeof(bad.details);
	T_OK(rig_connect(&a, &bad));
	T_OK(rig_connect(&b, &card_a));
	rig_exchange(&a, &b);
	close_both();
}

/* Details of a connection that is gone: known at once, or as soon as the peer has answered. */
static bool connect_to(const struct rig_card *card)
{
	doca_error_t result = rig_connect(&a, card);

	if (result != DOCA_ERROR_CONNECTION_ABORTED)
		T_OK(result);
	return result == DOCA_SUCCESS;
}

T_CASE(details_out_of_date)
{
	for (int i = 0; i < 8; i++) {
		open_both();
		T_OK(doca_ctx_stop(b.ctx));
		if (connect_to(&card_b)) {
			rig_send(&a, rig_data(&a, 0, 64), 1);
			RIG_UNTIL(&a, &b, a.failed[RIG_SEND] == 1);
			RIG_UNTIL(&a, &b, a.failures == 1);
		}
		T_EQ(a.disconnects, 0);
		close_both();
	}
}

/* Somebody else has joined with it already. */
T_CASE(details_used_twice)
{
	struct rig_card other;
	struct doca_rdma_connection *joined;
	bool failed = false;

	for (int i = 0; i < 16; i++) {
		open_both();
		T_OK(rig_connect(&a, &card_b));
		T_OK(rig_connect(&b, &card_a));
		rig_exchange(&a, &b);
		joined = a.connection;
		rig_export(&a, &other);
		failed |= !connect_to(&card_b);
		/* The roles may be such that it waits for a call that never comes. */
		rig_idle(&a, &b);
		failed |= a.failures == 1;
		a.connection = joined;
		rig_exchange(&a, &b);
		close_both();
	}
	T_CHECK(failed);
}

/* L8: after a stop all is done again; the new end is another one. */
T_CASE(a_restart_needs_a_new_export)
{
	struct doca_rdma_connection *old;
	struct doca_rdma_task_send *task;
	union doca_data none = {0};

	open_both();
	T_OK(rig_connect(&a, &card_b));
	T_OK(rig_connect(&b, &card_a));
	rig_exchange(&a, &b);
	old = a.connection;
	T_OK(doca_ctx_stop(a.ctx));
	T_EQ(rig_state(&a), DOCA_CTX_STATE_IDLE);
	RIG_ALONE(&b, b.disconnects == 1);
	T_OK(doca_ctx_start(a.ctx));
	T_ERR(doca_rdma_connect(a.rdma, card_b.details, card_b.details_len, old),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_rdma_task_send_allocate_init(a.rdma, old, NULL, none, &task),
	      DOCA_ERROR_INVALID_VALUE);
	rig_join(&a, &b);
	rig_exchange(&a, &b);
	close_both();
}

/* Connections that have ended give up their places. */
T_CASE(hundreds_of_rounds)
{
	rig_init(&a);
	rig_init(&b);
	a.max_connections = b.max_connections = 2;
	rig_open(&a);
	rig_open(&b);
	T_OK(doca_ctx_start(b.ctx));
	for (uint32_t i = 0; i < rig_rounds(); i++) {
		T_OK(doca_ctx_start(a.ctx));
		rig_join(&a, &b);
		rig_exchange(&a, &b);
		T_OK(doca_ctx_stop(a.ctx));
		RIG_ALONE(&b, b.disconnects == i + 1);
	}
	close_both();
}

T_CASE(user_data_of_a_connection)
{
	union doca_data data = {.u64 = 77}, got;

	open_both();
	T_OK(doca_rdma_connection_get_user_data(a.connection, &got));
	T_EQ(got.u64, 0);
	T_OK(doca_rdma_connection_set_user_data(a.connection, data));
	T_OK(doca_rdma_connection_get_user_data(a.connection, &got));
	T_EQ(got.u64, 77);
	T_ERR(doca_rdma_connection_set_user_data(NULL, data), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_connection_get_user_data(NULL, &got), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_connection_get_user_data(a.connection, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_connection_get_id(a.connection, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_connection_get_id(NULL, &(uint32_t){0}), DOCA_ERROR_INVALID_VALUE);
	close_both();
}

T_CASE(null_arguments)
{
	struct doca_rdma_connection *connection;
	const void *details;
	size_t size;

	open_both();
	T_ERR(doca_rdma_export(NULL, &details, &size, &connection), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_export(a.rdma, NULL, &size, &connection), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_export(a.rdma, &details, NULL, &connection), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_export(a.rdma, &details, &size, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_connect(NULL, details, size, a.connection), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_connect(a.rdma, NULL, size, a.connection), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_connect(a.rdma, card_b.details, 0, a.connection), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_connect(a.rdma, card_b.details, card_b.details_len, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_connect(b.rdma, card_b.details, card_b.details_len, a.connection),
	      DOCA_ERROR_INVALID_VALUE);
	close_both();
}

T_CASE(tasks_belong_to_connections_of_their_context)
{
	struct doca_rdma_task_send *task;
	struct doca_rdma_task_read *read;
	union doca_data none = {0};

	open_both();
	T_ERR(doca_rdma_task_send_allocate_init(a.rdma, b.connection, NULL, none, &task),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_rdma_task_send_allocate_init(a.rdma, a.connection, NULL, none, &task));
	doca_rdma_task_send_set_rdma_connection(task, b.connection);
	T_ERR(doca_task_submit(doca_rdma_task_send_as_task(task)), DOCA_ERROR_INVALID_VALUE);
	doca_rdma_task_send_set_rdma_connection(task, NULL);
	T_ERR(doca_task_submit(doca_rdma_task_send_as_task(task)), DOCA_ERROR_INVALID_VALUE);
	doca_task_free(doca_rdma_task_send_as_task(task));
	T_ERR(doca_rdma_task_read_allocate_init(a.rdma, NULL, NULL, NULL, none, &read),
	      DOCA_ERROR_INVALID_VALUE);
	close_both();
}
