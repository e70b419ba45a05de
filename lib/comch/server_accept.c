/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a client gets in: the agent receives its hello and finds the server, the server's engine
 * makes the connection. The agent holds its own lock while it takes ours (list_lock, then
 * server->lock); nobody calls the agent holding ours.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error_text.h"
#include "base/log.h"
#include "bus/process.h"
#include "comch/server.h"

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sdpu_list list_of_servers = {&list_of_servers, &list_of_servers};

static void accept_answer(int sock, doca_error_t why)
{
	struct comch_welcome welcome = {.result = why};

	(void)sdpu_sock_send(sock, &welcome, sizeof(welcome), NULL, 0);
}

static void waiting_free(struct comch_waiting *waiting)
{
	sdpu_fd_close(waiting->sock);
	sdpu_ringer_close(&waiting->ringer);
	free(waiting);
}

static void waiting_refuse(struct comch_waiting *waiting, doca_error_t why)
{
	/* A client that died after its welcome has closed the socket. */
	if (waiting->sock >= 0)
		accept_answer(waiting->sock, why);
	waiting_free(waiting);
}

static bool server_serves(const struct doca_comch_server *server, const struct comch_hello *hello)
{
	return strcmp(server->base.name, hello->name) == 0 &&
	       strcmp(sdpu_dev_rep_function(server->rep)->pci, hello->host_pci) == 0;
}

/* list_lock held. */
static struct doca_comch_server *accept_find(const struct comch_hello *hello)
{
	struct sdpu_list *node;

	sdpu_list_for_each (node, &list_of_servers) {
		struct doca_comch_server *server =
			sdpu_container_of(node, struct doca_comch_server, listed);

		if (server_serves(server, hello))
			return server;
	}
	return NULL;
}

static bool server_enqueue(struct doca_comch_server *server, struct comch_waiting *waiting)
{
	uint32_t max = sdpu_dev_function(server->base.ctx.dev)->limits->comch_max_clients;
	bool room;

	pthread_mutex_lock(&server->lock);
	room = sdpu_load(&server->num_waiting) < max;
	if (room) {
		sdpu_list_append(&server->waiting, &waiting->node);
		(void)sdpu_fetch_add(&server->num_waiting, 1);
	}
	pthread_mutex_unlock(&server->lock);
	if (room)
		sdpu_bell_attend(&server->base.ctx.pe->bell);
	return room;
}

static doca_error_t accept_hand_over(struct comch_waiting *waiting)
{
	struct doca_comch_server *server;
	doca_error_t result = DOCA_ERROR_NOT_FOUND;

	pthread_mutex_lock(&list_lock);
	server = accept_find(&waiting->hello);
	if (server != NULL)
		result = server_enqueue(server, waiting) ? DOCA_SUCCESS : DOCA_ERROR_FULL;
	pthread_mutex_unlock(&list_lock);
	return result;
}

/* Agent's thread. */
static void accept_hello(int sock, pid_t peer, struct sdpu_record *record)
{
	struct comch_waiting *waiting = calloc(1, sizeof(*waiting));
	doca_error_t result;

	if (waiting == NULL) {
		sdpu_fd_close(sock);
		return;
	}
	waiting->sock = sock;
	waiting->pid = peer;
	sdpu_list_init(&waiting->node);
	result = comch_hello_parse(record, &waiting->hello);
	if (result == DOCA_SUCCESS)
		result = sdpu_ringer_open(sdpu_record_take_fd(record, 0),
					  sdpu_record_take_fd(record, 1), sock, waiting->hello.bit,
					  &waiting->ringer);
	if (result == DOCA_SUCCESS)
		result = accept_hand_over(waiting);
	if (result != DOCA_SUCCESS)
		waiting_refuse(waiting, result);
}

__attribute__((constructor)) static void accept_register(void)
{
	sdpu_agent_register(SDPU_SERVICE_COMCH, accept_hello);
}

void comch_server_list(struct doca_comch_server *server)
{
	pthread_mutex_lock(&list_lock);
	sdpu_list_append(&list_of_servers, &server->listed);
	pthread_mutex_unlock(&list_lock);
}

static struct comch_waiting *server_take_waiting(struct doca_comch_server *server)
{
	struct sdpu_list *node;

	pthread_mutex_lock(&server->lock);
	node = sdpu_list_pop(&server->waiting);
	if (node != NULL)
		(void)sdpu_fetch_sub(&server->num_waiting, 1);
	pthread_mutex_unlock(&server->lock);
	return node == NULL ? NULL : sdpu_container_of(node, struct comch_waiting, node);
}

/* First in line again. */
static void server_put_back(struct doca_comch_server *server, struct comch_waiting *waiting)
{
	pthread_mutex_lock(&server->lock);
	sdpu_list_append(server->waiting.next, &waiting->node);
	(void)sdpu_fetch_add(&server->num_waiting, 1);
	pthread_mutex_unlock(&server->lock);
}

void comch_server_unlist(struct doca_comch_server *server)
{
	struct comch_waiting *waiting;

	pthread_mutex_lock(&list_lock);
	sdpu_list_remove(&server->listed);
	pthread_mutex_unlock(&list_lock);
	while ((waiting = server_take_waiting(server)) != NULL)
		waiting_refuse(waiting, DOCA_ERROR_NOT_FOUND);
}

/* Checks against settings that only the server knows. */
static doca_error_t accept_validate(const struct doca_comch_server *server,
				    const struct comch_hello *hello)
{
	const struct sdpu_limits *limits = sdpu_dev_function(server->base.ctx.dev)->limits;

	if (server->base.num_connections >= limits->comch_max_clients) {
		sdpu_log_warn("doca_comch_server \"%s\": a client was refused: %u are connected, "
			      "the most possible",
			      server->base.name, server->base.num_connections);
		return DOCA_ERROR_FULL;
	}
	if (hello->size_set && server->base.max_msg_size_set &&
	    hello->shape.max_size != server->base.max_msg_size) {
		sdpu_log_err("doca_comch_server \"%s\": a client was refused: its max_msg_size is "
			     "%u, ours %u; both ends "
			     "must set the same",
			     server->base.name, hello->shape.max_size, server->base.max_msg_size);
		return DOCA_ERROR_BAD_CONFIG;
	}
	return DOCA_SUCCESS;
}

static doca_error_t accept_send_welcome(struct doca_comch_server *server,
					const struct comch_waiting *waiting,
					const struct comch_ring_shape *shape,
					const struct sdpu_segment *segment, uint32_t bit)
{
	struct comch_welcome welcome = {.result = DOCA_SUCCESS, .bit = bit, .shape = *shape};
	int fds[COMCH_WELCOME_FDS];

	sdpu_bell_fds(&server->base.ctx.pe->bell, fds);
	fds[SDPU_BELL_FDS] = segment->fd;
	return sdpu_sock_send(waiting->sock, &welcome, sizeof(welcome), fds, COMCH_WELCOME_FDS);
}

/* Takes what waiting holds over in every outcome; the segment and the ready bit come back on
 * failure only to be freed here. */
static doca_error_t accept_connect(struct doca_comch_server *server, struct comch_waiting *waiting,
				   struct doca_comch_connection **connection)
{
	struct comch_ring_shape shape[2] = {{server->base.sends.num, server->base.max_msg_size},
					    waiting->hello.shape};
	struct sdpu_bell *bell = &server->base.ctx.pe->bell;
	struct sdpu_channel_parts parts = {.sock = waiting->sock,
					   .me = 0,
					   .bell = bell,
					   .ringer = waiting->ringer,
					   .peer = waiting->pid};
	struct comch_ring_layout layout;
	doca_error_t result;

	result = comch_ring_layout(shape, &layout);
	if (result != DOCA_SUCCESS)
		return result;
	result = sdpu_bell_take_bit(bell, &parts.bit);
	if (result != DOCA_SUCCESS)
		return result;
	result = sdpu_segment_create("softdpu-comch", layout.size, layout.populate, false,
				     &parts.segment);
	if (result == DOCA_SUCCESS)
		result = accept_send_welcome(server, waiting, &shape[0], &parts.segment, parts.bit);
	if (result != DOCA_SUCCESS) {
		sdpu_segment_unmap(&parts.segment);
		sdpu_bell_give_bit(bell, parts.bit);
		return result;
	}
	waiting->sock = -1;
	memset(&waiting->ringer, 0, sizeof(waiting->ringer));
	return comch_connection_create(&server->base, &parts, shape, connection);
}

static doca_error_t accept_try(struct doca_comch_server *server, struct comch_waiting *waiting,
			       struct doca_comch_connection **connection)
{
	doca_error_t result = accept_connect(server, waiting, connection);

	if (result != DOCA_SUCCESS && result != DOCA_ERROR_AGAIN)
		sdpu_log_err("doca_comch_server \"%s\": a client (pid %d) was refused: %s",
			     server->base.name, (int)waiting->pid, sdpu_error_descr(result));
	return result;
}

bool comch_server_accept(struct doca_comch_server *server)
{
	struct comch_waiting *waiting = server_take_waiting(server);
	struct doca_comch_connection *connection;
	struct doca_pe *pe = server->base.ctx.pe;
	doca_error_t result;

	if (waiting == NULL)
		return false;
	result = accept_validate(server, &waiting->hello);
	if (result == DOCA_SUCCESS)
		result = accept_try(server, waiting, &connection);
	/* The kernel limits the descriptors that a user's processes have in flight, and welcomes
	 * that clients have not read yet are many. */
	if (result == DOCA_ERROR_AGAIN) {
		server_put_back(server, waiting);
		return false;
	}
	if (result != DOCA_SUCCESS) {
		waiting_refuse(waiting, result);
		return true;
	}
	waiting_free(waiting);
	pe->depth++;
	server->connected(NULL, connection, 1);
	pe->depth--;
	return true;
}
