/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Joining two ends (see local_wire.h). By export, which end calls is told by the cookies, so that
 * the order in which the two programs connect does not matter.
 */
#include <string.h>

#include "base/clock.h"
#include "base/error_text.h"
#include "base/log.h"
#include "bus/process.h"
#include "bus/rundir.h"
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

static void fill_hello(const struct doca_rdma_connection *connection, enum local_hello_kind kind,
		       const uint8_t to[RDMA_COOKIE_SIZE], struct local_hello *hello)
{
	const struct doca_rdma *rdma = connection->rdma;

	memset(hello, 0, sizeof(*hello));
	sdpu_hello_fill(&hello->hello, SDPU_SERVICE_RDMA);
	hello->kind = kind;
	hello->bit = connection->local->bit;
	hello->permissions = rdma->property.permissions;
	memcpy(hello->to, to, RDMA_COOKIE_SIZE);
	if (kind == LOCAL_HELLO_DIAL)
		memcpy(hello->address, sdpu_dev_function(rdma->ctx.dev)->gid, RDMA_ADDRESS_LEN);
	else
		memcpy(hello->from, connection->own.cookie, RDMA_COOKIE_SIZE);
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
	local_control_close(&local->control);
	sdpu_segment_close_fd(&local->channel.segment);
	local_tx_open(&local->tx, local->channel.segment.base, parts->me);
	local_rx_open(&local->rx, local->channel.segment.base, parts->me);
	connection->peer_permissions = permissions;
	sdpu_store(&connection->peer, parts->peer);
	sdpu_log_info("doca_rdma: connection %u to pid %d is local", connection->id,
		      (int)parts->peer);
	rdma_connection_up(connection, local_chill, parts->bit);
}

void local_join_caller(struct doca_rdma_connection *connection, struct local_caller *caller)
{
	struct sdpu_channel_parts parts = {.me = 1, .peer = caller->pid};
	uint32_t permissions = caller->hello.permissions;
	doca_error_t result;

	sdpu_fd_close(local_control_take(&connection->local->control));
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
		.peer = local->control.peer,
		.peer_armed_fd = sdpu_record_take_fd(record, 0),
		.peer_ready_fd = sdpu_record_take_fd(record, 1),
		.peer_bit = welcome->bit,
	};

	if (connection->addr != NULL)
		sdpu_log_dbg("doca_rdma: connection %u: accepted, with %u bytes of private data",
			     connection->id, welcome->private_len);
	memset(&local->segment, 0, sizeof(local->segment));
	parts.sock = local_control_take(&local->control);
	local_point_dismiss(&local->point);
	join(connection, &parts, welcome->permissions);
}

static void tell_refusal(const struct doca_rdma_connection *connection, doca_error_t why)
{
	char text[RDMA_ADDRESS_TEXT];

	if (connection->addr == NULL) {
		sdpu_log_err("doca_rdma: connection %u: the peer refused (%s); its context was "
			     "stopped, or it is joined with another; exchange new details",
			     connection->id, sdpu_error_descr(why));
		return;
	}
	rdma_address_format(&connection->addr->parsed, text);
	sdpu_log_err("doca_rdma: connection %u: %s refused: %s", connection->id, text,
		     why == DOCA_ERROR_NOT_PERMITTED ? "its program did"
		     : why == DOCA_ERROR_FULL	     ? "it has as many as it can have"
						     : "it does not listen any more");
}

/* CONNECTION_RESET: the peer has gone; CONNECTION_ABORTED, logged: it has another version. */
static doca_error_t control_receive(const struct doca_rdma_connection *connection,
				    struct sdpu_record *record)
{
	const char *call =
		connection->addr == NULL ? "doca_rdma_connect" : "doca_rdma_connect_to_addr";

	if (sdpu_sock_recv(connection->local->control.watch.fd, record) != DOCA_SUCCESS)
		return DOCA_ERROR_CONNECTION_RESET;
	if (sdpu_hello_check_answer(call, record) == DOCA_SUCCESS)
		return DOCA_SUCCESS;
	sdpu_record_drop(record);
	return DOCA_ERROR_CONNECTION_ABORTED;
}

/* Of the end that is called: its control connection tells nothing else. */
static void read_end(struct doca_rdma_connection *connection)
{
	struct sdpu_record record;
	doca_error_t result = control_receive(connection, &record);

	if (result == DOCA_SUCCESS) {
		sdpu_record_drop(&record);
		result = DOCA_ERROR_CONNECTION_RESET;
	}
	rdma_connection_fail(connection, result);
}

static void read_answer(struct doca_rdma_connection *connection)
{
	struct local_welcome welcome = {.result = DOCA_ERROR_CONNECTION_RESET};
	struct sdpu_record record;
	doca_error_t result = control_receive(connection, &record);

	if (result != DOCA_SUCCESS) {
		rdma_connection_fail(connection, result);
		return;
	}
	result = local_welcome_parse(&record, &welcome);
	if (result == DOCA_SUCCESS)
		result = (doca_error_t)welcome.result;
	if (result == DOCA_SUCCESS)
		join_answerer(connection, &welcome, &record);
	sdpu_record_drop(&record);
	if (result == DOCA_SUCCESS)
		return;
	tell_refusal(connection, result);
	rdma_connection_fail(connection, DOCA_ERROR_CONNECTION_ABORTED);
}

bool local_join_poll(struct doca_rdma_connection *connection)
{
	struct rdma_local *local = connection->local;
	struct local_caller *caller;

	if (local_point_has_arrived(&local->point)) {
		caller = local_point_take(&local->point);
		if (caller == NULL)
			return false;
		local_join_caller(connection, caller);
		return true;
	}
	if (!local_control_has_event(&local->control))
		return false;
	if (local->segment.base != NULL)
		read_answer(connection);
	else
		read_end(connection);
	return true;
}

bool local_join_pending(const struct doca_rdma_connection *connection)
{
	return local_point_has_arrived(&connection->local->point) ||
	       local_control_has_event(&connection->local->control);
}

struct local_caller *local_request_take(struct rdma_local *local)
{
	struct local_caller *caller = local->caller;

	caller->sock = local_control_take(&local->control);
	local->caller = NULL;
	return caller;
}

void local_join_abandon(struct doca_rdma_connection *connection)
{
	struct rdma_local *local = connection->local;

	if (local->caller != NULL)
		local_caller_refuse(local_request_take(local), DOCA_ERROR_NOT_FOUND);
	local_control_close(&local->control);
	sdpu_segment_unmap(&local->segment);
	if (local->has_bit)
		sdpu_bell_give_bit(connection_bell(connection), local->bit);
	local->has_bit = false;
}

doca_error_t local_join_prepare(struct doca_rdma_connection *connection)
{
	struct rdma_local *local = connection->local;

	if (sdpu_bell_take_bit(connection_bell(connection), &local->bit) != DOCA_SUCCESS) {
		sdpu_log_err("doca_rdma: connection %u: the engine has as many connections as it "
			     "can have (%d)",
			     connection->id, SDPU_READY_BITS);
		return DOCA_ERROR_CONNECTION_ABORTED;
	}
	local->has_bit = true;
	return DOCA_SUCCESS;
}

static doca_error_t call_refuse(const char *endpoint, doca_error_t why)
{
	if (why == DOCA_ERROR_NO_MEMORY)
		return why;
	sdpu_log_err("doca_rdma: no process at %s in %s (%s); the peer must be running, with the "
		     "same SOFTDPU_RUNTIME_DIR",
		     endpoint, sdpu_rundir_path(), sdpu_error_descr(why));
	return DOCA_ERROR_NOT_FOUND;
}

doca_error_t local_call(struct doca_rdma_connection *connection, enum local_hello_kind kind,
			const char *endpoint, const uint8_t to[RDMA_COOKIE_SIZE])
{
	struct rdma_local *local = connection->local;
	struct sdpu_bell *bell = connection_bell(connection);
	struct local_hello hello;
	int fds[LOCAL_CALL_FDS];
	doca_error_t result;

	result = sdpu_segment_create("softdpu-rdma", sizeof(struct local_segment), LOCAL_POPULATE,
				     false, &local->segment);
	if (result != DOCA_SUCCESS)
		return result == DOCA_ERROR_NO_MEMORY ? result : DOCA_ERROR_CONNECTION_ABORTED;
	fill_hello(connection, kind, to, &hello);
	sdpu_bell_fds(bell, fds);
	fds[SDPU_BELL_FDS] = local->segment.fd;
	result = local_control_open(&local->control, bell, endpoint, &hello, sizeof(hello), fds,
				    LOCAL_CALL_FDS);
	return result == DOCA_SUCCESS ? result : call_refuse(endpoint, result);
}

static doca_error_t answer_refuse(const struct doca_rdma_connection *connection, doca_error_t why)
{
	sdpu_log_err("doca_rdma: connection %u: the peer, which has called, " LOCAL_AGAIN_TEXT,
		     connection->id);
	return why;
}

/*
 * *caller NULL: the peer has not called yet. Its process is watched first, as the channel will do:
 * what needs memory comes before the answer to a peer that waits already.
 */
static doca_error_t expect_peer(struct doca_rdma_connection *connection,
				const struct rdma_blob *peer, struct local_caller **caller)
{
	struct rdma_local *local = connection->local;
	uint64_t since = sdpu_clock_now();
	struct local_hello hello;
	doca_error_t result;

	*caller = NULL;
	fill_hello(connection, LOCAL_HELLO_WATCH, peer->cookie, &hello);
	result = local_control_open(&local->control, connection_bell(connection), peer->endpoint,
				    &hello, sizeof(hello), NULL, 0);
	if (result != DOCA_SUCCESS)
		return call_refuse(peer->endpoint, result);
	do
		result = local_point_expect(&local->point, peer->cookie, local->bit);
	while (result == DOCA_ERROR_AGAIN && local_try_again(since));
	if (result == DOCA_ERROR_NOT_FOUND)
		return DOCA_SUCCESS;
	if (result == DOCA_SUCCESS) {
		*caller = local_point_take(&local->point);
		return result;
	}
	local_point_dismiss(&local->point);
	return answer_refuse(connection, result);
}

doca_error_t local_connect(struct doca_rdma_connection *connection, const struct rdma_blob *peer)
{
	struct local_caller *caller = NULL;
	doca_error_t result = local_join_prepare(connection);

	if (result != DOCA_SUCCESS)
		return result;
	if (memcmp(connection->own.cookie, peer->cookie, RDMA_COOKIE_SIZE) < 0)
		result = local_call(connection, LOCAL_HELLO_CALL, peer->endpoint, peer->cookie);
	else
		result = expect_peer(connection, peer, &caller);
	if (result != DOCA_SUCCESS) {
		local_join_abandon(connection);
		return result == DOCA_ERROR_NO_MEMORY ? result : DOCA_ERROR_CONNECTION_ABORTED;
	}
	rdma_connection_begin(connection, &rdma_local);
	if (caller != NULL)
		local_join_caller(connection, caller);
	return DOCA_SUCCESS;
}
