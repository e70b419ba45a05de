/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Joining two ends (see local_wire.h). Which end calls is told by the cookies, so that the order in
 * which the two programs connect does not matter.
 */
#include <string.h>

#include "base/error_text.h"
#include "base/log.h"
#include "bus/process.h"
#include "rdma/local.h"

static struct sdpu_bell *connection_bell(const struct doca_rdma_connection *connection)
{
	return &connection->rdma->ctx.pe->bell;
}

static void local_chill(struct sdpu_source *source, bool cold)
{
	struct doca_rdma_connection *connection =
		sdpu_container_of(source, struct doca_rdma_connection, source);

	if (cold)
		sdpu_channel_cool(&connection->local->channel);
	else
		sdpu_channel_heat(&connection->local->channel);
}

static void fill_hello(const struct doca_rdma_connection *connection, const struct rdma_blob *peer,
		       enum local_hello_kind kind, struct local_hello *hello)
{
	memset(hello, 0, sizeof(*hello));
	sdpu_hello_fill(&hello->hello, SDPU_SERVICE_RDMA);
	hello->kind = kind;
	hello->bit = connection->local->bit;
	hello->permissions = connection->rdma->property.permissions;
	memcpy(hello->from, connection->own.cookie, RDMA_COOKIE_SIZE);
	memcpy(hello->to, peer->cookie, RDMA_COOKIE_SIZE);
}

/* The channel takes over what parts hold, and the bit. On failure the connection has failed. */
static void join(struct doca_rdma_connection *connection, struct sdpu_channel_parts *parts,
		 uint32_t permissions)
{
	struct rdma_local *local = connection->local;
	doca_error_t result;

	parts->bell = connection_bell(connection);
	parts->bit = local->bit;
	local->has_bit = false;
	result = sdpu_channel_open(&local->channel, parts);
	if (result != DOCA_SUCCESS) {
		sdpu_log_warn("doca_rdma: connection %u: pid %d cannot be joined: %s",
			      connection->id, (int)parts->peer, sdpu_error_descr(result));
		rdma_connection_fail(connection, DOCA_ERROR_CONNECTION_RESET);
		return;
	}
	sdpu_segment_close_fd(&local->channel.segment);
	local_tx_open(&local->tx, local->channel.segment.base, parts->me);
	local_rx_open(&local->rx, local->channel.segment.base, parts->me);
	connection->peer_permissions = permissions;
	rdma_connection_up(connection, local_chill, parts->bit);
}

/* The end that was called. */
static void join_caller(struct doca_rdma_connection *connection, struct local_caller *caller)
{
	struct sdpu_channel_parts parts = {.me = 1, .peer = caller->pid};
	uint32_t permissions = caller->hello.permissions;
	doca_error_t result;

	local_line_close(&connection->local->line);
	result = sdpu_segment_map(local_caller_take_fd(caller, SDPU_BELL_FDS),
				  sizeof(struct local_segment), sizeof(struct local_segment),
				  SDPU_SEGMENT_WRITE, LOCAL_POPULATE, &parts.segment);
	if (result != DOCA_SUCCESS) {
		sdpu_log_err("doca_rdma: connection %u: pid %d called with a segment that is none",
			     connection->id, (int)caller->pid);
		local_caller_free(caller);
		rdma_connection_fail(connection, DOCA_ERROR_CONNECTION_ABORTED);
		return;
	}
	parts.sock = caller->sock;
	parts.peer_armed_fd = local_caller_take_fd(caller, 0);
	parts.peer_ready_fd = local_caller_take_fd(caller, 1);
	parts.peer_bit = caller->hello.bit;
	caller->sock = -1;
	local_caller_free(caller);
	join(connection, &parts, permissions);
}

/* The end that has called. */
static void join_answerer(struct doca_rdma_connection *connection,
			  const struct local_welcome *welcome, struct sdpu_record *record)
{
	struct rdma_local *local = connection->local;
	struct sdpu_channel_parts parts = {
		.me = 0,
		.segment = local->segment,
		.peer = local->line.peer,
		.peer_armed_fd = sdpu_record_take_fd(record, 0),
		.peer_ready_fd = sdpu_record_take_fd(record, 1),
		.peer_bit = welcome->bit,
	};

	memset(&local->segment, 0, sizeof(local->segment));
	parts.sock = local_line_take(&local->line);
	local_point_dismiss(&local->point);
	join(connection, &parts, welcome->permissions);
}

static void read_answer(struct doca_rdma_connection *connection)
{
	struct local_welcome welcome = {.result = DOCA_ERROR_CONNECTION_RESET};
	struct sdpu_record record;
	doca_error_t result = sdpu_sock_recv(connection->local->line.watch.fd, &record);

	if (result == DOCA_SUCCESS) {
		result = local_welcome_parse(&record, &welcome);
		if (result == DOCA_SUCCESS)
			result = (doca_error_t)welcome.result;
		if (result == DOCA_SUCCESS)
			join_answerer(connection, &welcome, &record);
		sdpu_record_drop(&record);
		if (result == DOCA_SUCCESS)
			return;
		sdpu_log_err("doca_rdma: connection %u: the peer refused (%s); its context was "
			     "stopped, or it is joined with another; exchange new details",
			     connection->id, sdpu_error_descr(result));
		rdma_connection_fail(connection, DOCA_ERROR_CONNECTION_ABORTED);
		return;
	}
	rdma_connection_fail(connection, DOCA_ERROR_CONNECTION_RESET);
}

bool local_join_poll(struct doca_rdma_connection *connection)
{
	struct rdma_local *local = connection->local;
	struct local_caller *caller;

	if (local_point_has_arrived(&local->point)) {
		caller = local_point_take(&local->point);
		if (caller == NULL)
			return false;
		join_caller(connection, caller);
		return true;
	}
	if (!local_line_has_event(&local->line))
		return false;
	/* The end that was called hears nothing on its line but the peer's end. */
	if (local->segment.base != NULL)
		read_answer(connection);
	else
		rdma_connection_fail(connection, DOCA_ERROR_CONNECTION_RESET);
	return true;
}

bool local_join_pending(const struct doca_rdma_connection *connection)
{
	return local_point_has_arrived(&connection->local->point) ||
	       local_line_has_event(&connection->local->line);
}

void local_join_abandon(struct doca_rdma_connection *connection)
{
	struct rdma_local *local = connection->local;

	local_line_close(&local->line);
	sdpu_segment_unmap(&local->segment);
	if (local->has_bit)
		sdpu_bell_give_bit(connection_bell(connection), local->bit);
	local->has_bit = false;
}

static doca_error_t call_peer(struct doca_rdma_connection *connection, const struct rdma_blob *peer)
{
	struct rdma_local *local = connection->local;
	struct sdpu_bell *bell = connection_bell(connection);
	struct local_hello hello;
	int fds[LOCAL_CALL_FDS];

	if (sdpu_segment_create("softdpu-rdma", sizeof(struct local_segment), LOCAL_POPULATE, false,
				&local->segment) != DOCA_SUCCESS)
		return DOCA_ERROR_CONNECTION_ABORTED;
	fill_hello(connection, peer, LOCAL_HELLO_CALL, &hello);
	sdpu_bell_fds(bell, fds);
	fds[SDPU_BELL_FDS] = local->segment.fd;
	return local_line_open(&local->line, bell, peer->endpoint, &hello, sizeof(hello), fds,
			       LOCAL_CALL_FDS);
}

/* NULL in *caller: it has not called yet. */
static doca_error_t expect_peer(struct doca_rdma_connection *connection,
				const struct rdma_blob *peer, struct local_caller **caller)
{
	struct rdma_local *local = connection->local;
	struct local_hello hello;

	*caller = NULL;
	if (local_point_expect(&local->point, peer->cookie, local->bit)) {
		*caller = local_point_take(&local->point);
		return DOCA_SUCCESS;
	}
	fill_hello(connection, peer, LOCAL_HELLO_WATCH, &hello);
	return local_line_open(&local->line, connection_bell(connection), peer->endpoint, &hello,
			       sizeof(hello), NULL, 0);
}

doca_error_t local_connect(struct doca_rdma_connection *connection, const struct rdma_blob *peer)
{
	struct rdma_local *local = connection->local;
	struct local_caller *caller = NULL;
	doca_error_t result = DOCA_ERROR_CONNECTION_ABORTED;

	if (sdpu_bell_take_bit(connection_bell(connection), &local->bit) != DOCA_SUCCESS) {
		sdpu_log_err("doca_rdma_connect: the engine has as many connections as it can "
			     "have (%d)",
			     SDPU_READY_BITS);
		return result;
	}
	local->has_bit = true;
	if (memcmp(connection->own.cookie, peer->cookie, RDMA_COOKIE_SIZE) < 0)
		result = call_peer(connection, peer);
	else
		result = expect_peer(connection, peer, &caller);
	if (result != DOCA_SUCCESS) {
		local_point_dismiss(&local->point);
		local_join_abandon(connection);
		return result;
	}
	rdma_connection_begin(connection, &rdma_local);
	if (caller != NULL)
		join_caller(connection, caller);
	return DOCA_SUCCESS;
}
