/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A client on its way from STARTING to RUNNING, or back to IDLE: finds the server's process by
 * name, sends it a hello, and polls the socket for the welcome. The socket is part of the engine's
 * handle, so that epoll_wait works as well. Its hang-up is not enough to learn that the server is
 * dead: a child of the server may hold what it inherited, the listening socket included.
 */
#include <string.h>

#include "base/clock.h"
#include "base/error_text.h"
#include "base/log.h"
#include "bus/process.h"
#include "comch/client.h"
#include "comch/handshake.h"
#include "comch/name.h"

#define CLIENT_RETRY (5 * SDPU_SECOND)
#define CLIENT_PATIENCE 2000	 /* ms */
#define CLIENT_NO_BIT UINT32_MAX /* handed over to the connection, or never taken */

static const char *client_pci(const struct doca_comch_client *client)
{
	return sdpu_dev_function(client->base.ctx.dev)->pci;
}

static void client_fill_hello(const struct doca_comch_client *client, struct comch_hello *hello)
{
	memset(hello, 0, sizeof(*hello));
	sdpu_hello_fill(&hello->hello, SDPU_SERVICE_COMCH);
	strncpy(hello->host_pci, client_pci(client), sizeof(hello->host_pci) - 1);
	memcpy(hello->name, client->base.name, sizeof(hello->name));
	hello->shape.num = client->base.sends.num;
	hello->shape.max_size = client->base.max_msg_size;
	hello->size_set = client->base.max_msg_size_set;
	hello->bit = client->bit;
}

/* Agent's thread. */
static void client_server_dead(struct sdpu_death_watch *watch)
{
	struct doca_comch_client *client =
		sdpu_container_of(watch, struct doca_comch_client, death_watch);

	sdpu_store(&client->server_dead, 1);
	sdpu_bell_attend(&client->base.ctx.pe->bell);
}

static doca_error_t client_call(struct doca_comch_client *client)
{
	struct sdpu_bell *bell = &client->base.ctx.pe->bell;
	char endpoint[SDPU_ENDPOINT_MAX];
	struct comch_hello hello;
	int fds[SDPU_BELL_FDS];
	doca_error_t result;

	result = comch_name_find(client_pci(client), client->base.name, endpoint);
	if (result != DOCA_SUCCESS)
		return result;
	client_fill_hello(client, &hello);
	sdpu_bell_fds(bell, fds);
	result = sdpu_agent_call(endpoint, &hello, sizeof(hello), fds, SDPU_BELL_FDS, &client->sock,
				 &client->server_pid);
	if (result != DOCA_SUCCESS)
		return result;
	result = sdpu_bell_add(bell, client->sock);
	if (result == DOCA_SUCCESS)
		result = sdpu_agent_watch_death(&client->death_watch, client->server_pid);
	if (result == DOCA_SUCCESS)
		sdpu_deadline_open(&client->patience, bell, CLIENT_PATIENCE);
	return result;
}

/* Told once: it may wait for as long as the user likes. */
static void client_tell_patience(struct doca_comch_client *client)
{
	sdpu_deadline_close(&client->patience);
	sdpu_log_warn("doca_ctx_start: server \"%s\" (pid %d) has not answered the client on "
		      "function %s for %u s, which waits on; needed: a server that calls "
		      "doca_pe_progress(); is its program stopped, or busy with something else?",
		      client->base.name, (int)client->server_pid, client_pci(client),
		      CLIENT_PATIENCE / 1000);
}

/* Tells the user what to do about it. */
static void client_explain(const struct doca_comch_client *client, doca_error_t why)
{
	bool is_missing = why == DOCA_ERROR_NOT_FOUND;
	char servers[512];

	comch_name_list(servers, sizeof(servers));
	sdpu_log_err("doca_comch_client: no connection to server \"%s\" for function %s (%s)%s; "
		     "servers in %s: %s",
		     client->base.name, client_pci(client),
		     is_missing ? "not there" : sdpu_error_descr(why),
		     is_missing ? "; needed: one of the same name, and with the representor of "
				  "this function"
				: "",
		     sdpu_rundir_path(), servers);
}

static void client_fail(struct doca_comch_client *client, doca_error_t why)
{
	/* Of two versions has been told. */
	if (why != DOCA_ERROR_UNSUPPORTED_VERSION)
		client_explain(client, why);
	comch_client_abandon(client);
	sdpu_ctx_start_failed(&client->base.ctx);
}

/* The parts own socket, bit and descriptors from here on: nothing is left to abandon. */
static doca_error_t client_join(struct doca_comch_client *client,
				const struct comch_welcome *welcome, struct sdpu_record *record)
{
	struct comch_ring_shape shape[2] = {welcome->shape,
					    {client->base.sends.num, client->base.max_msg_size}};
	struct sdpu_bell *bell = &client->base.ctx.pe->bell;
	struct sdpu_channel_parts parts = {
		.me = 1, .bell = bell, .bit = client->bit, .peer = client->server_pid};
	struct comch_ring_layout layout;
	doca_error_t result = comch_ring_layout(shape, &layout);

	if (result != DOCA_SUCCESS)
		return result;
	result = sdpu_segment_map(sdpu_record_take_fd(record, SDPU_BELL_FDS), layout.size,
				  layout.size, SDPU_SEGMENT_WRITE, layout.populate, &parts.segment);
	if (result != DOCA_SUCCESS)
		return result;
	/* The channel has a death watch of its own. */
	sdpu_agent_unwatch_death(&client->death_watch);
	sdpu_bell_remove(bell, client->sock);
	parts.sock = client->sock;
	parts.peer_armed_fd = sdpu_record_take_fd(record, 0);
	parts.peer_ready_fd = sdpu_record_take_fd(record, 1);
	parts.peer_bit = welcome->bit;
	client->sock = -1;
	client->bit = CLIENT_NO_BIT;
	return comch_connection_create(&client->base, &parts, shape, &client->connection);
}

static doca_error_t client_answer(struct doca_comch_client *client, struct sdpu_record *record)
{
	struct comch_welcome welcome;
	doca_error_t result = sdpu_hello_check_answer("doca_ctx_start", record);

	if (result == DOCA_SUCCESS)
		result = comch_welcome_parse(record, &welcome);
	if (result != DOCA_SUCCESS)
		return result;
	if (welcome.result != DOCA_SUCCESS)
		return (doca_error_t)welcome.result;
	return client_join(client, &welcome, record);
}

static void client_connected(struct doca_comch_client *client)
{
	sdpu_source_remove(&client->source);
	sdpu_deadline_close(&client->patience);
	sdpu_ctx_started(&client->base.ctx);
}

static bool client_poll(struct sdpu_source *source)
{
	struct doca_comch_client *client =
		sdpu_container_of(source, struct doca_comch_client, source);
	struct sdpu_record record;
	doca_error_t result;

	if (client->sock < 0) {
		result = client_call(client);
		if (result == DOCA_ERROR_AGAIN && sdpu_clock_now() < client->retry_until)
			return false;
		if (result != DOCA_SUCCESS)
			client_fail(client, result);
		return true;
	}
	result = sdpu_sock_recv(client->sock, &record);
	if (result == DOCA_ERROR_AGAIN) {
		if (sdpu_deadline_has_passed(&client->patience))
			client_tell_patience(client);
		if (sdpu_likely(sdpu_load(&client->server_dead) == 0))
			return false;
		result = DOCA_ERROR_CONNECTION_RESET;
	}
	if (result == DOCA_SUCCESS) {
		result = client_answer(client, &record);
		sdpu_record_drop(&record);
	}
	if (result == DOCA_SUCCESS)
		client_connected(client);
	else
		client_fail(client, result);
	return true;
}

/* With a socket the engine's handle wakes a sleeper; without one the engine must poll. */
static bool client_pending(const struct sdpu_source *source)
{
	const struct doca_comch_client *client =
		sdpu_container_of(source, struct doca_comch_client, source);

	return client->sock < 0 || sdpu_deadline_has_passed(&client->patience);
}

void comch_client_connect(struct doca_comch_client *client)
{
	client->sock = -1;
	client->server_dead = 0;
	client->death_watch.dead = client_server_dead;
	client->retry_until = sdpu_clock_now() + CLIENT_RETRY;
	client->source.poll = client_poll;
	client->source.pending = client_pending;
	sdpu_source_add(client->base.ctx.pe, &client->source);
}

void comch_client_abandon(struct doca_comch_client *client)
{
	struct sdpu_bell *bell = &client->base.ctx.pe->bell;

	sdpu_source_remove(&client->source);
	sdpu_agent_unwatch_death(&client->death_watch);
	sdpu_deadline_close(&client->patience);
	if (client->sock >= 0) {
		sdpu_bell_remove(bell, client->sock);
		sdpu_fd_close(client->sock);
		client->sock = -1;
	}
	if (client->bit != CLIENT_NO_BIT)
		sdpu_bell_give_bit(bell, client->bit);
	client->bit = CLIENT_NO_BIT;
}
