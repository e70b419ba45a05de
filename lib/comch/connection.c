/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Connection: its traffic and its end; contract in connection.h.
 */
#include "comch/connection.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "comch/endpoint.h"
#include "comch/show.h"

static struct doca_comch_connection *connection_of(const struct sdpu_source *source)
{
	return sdpu_container_of(source, struct doca_comch_connection, source);
}

/* AGAIN: there is none, whatever the peer has counted; not asked for again. */
static doca_error_t connection_read_mail(struct doca_comch_connection *connection)
{
	struct sdpu_record record;
	struct comch_mail_head head;
	doca_error_t result = sdpu_channel_read(&connection->channel, &record);

	if (result != DOCA_SUCCESS)
		return result == DOCA_ERROR_INVALID_VALUE ? result : DOCA_ERROR_AGAIN;
	result = DOCA_ERROR_INVALID_VALUE;
	if (record.len >= sizeof(head)) {
		memcpy(&head, record.bytes, sizeof(head));
		if (head.type == COMCH_MAIL_CONSUMER_CAME)
			result = comch_remote_came(connection, &record);
		else if (head.type == COMCH_MAIL_CONSUMER_WENT)
			result = comch_remote_went(connection, &record);
	}
	/* On success the user was called and the connection may be gone; the record is ours. */
	sdpu_record_drop(&record);
	return result;
}

__attribute__((noinline)) static doca_error_t
connection_deliver(struct doca_comch_connection *connection)
{
	struct comch_endpoint *endpoint = connection->endpoint;
	struct doca_pe *pe = endpoint->ctx.pe;
	doca_error_t result;
	uint32_t len;

	result = comch_rx_take(&connection->rx, endpoint->message, &len);
	if (result != DOCA_SUCCESS)
		return result;
	pe->depth++;
	endpoint->received(NULL, endpoint->message, len, connection);
	pe->depth--;
	return DOCA_SUCCESS;
}

static void connection_ack(struct doca_comch_connection *connection)
{
	if (comch_rx_ack(&connection->rx))
		sdpu_channel_ring(&connection->channel);
}

/* Nothing more will come and all that came was delivered. That the peer has closed is looked at
 * first: what it wrote before is there then. */
static bool connection_is_over(const struct doca_comch_connection *connection)
{
	return sdpu_channel_has_end(&connection->channel) && !comch_rx_ready(&connection->rx) &&
	       !comch_tx_has_ack(&connection->tx) && !sdpu_channel_has_mail(&connection->channel);
}

static void connection_lose(struct doca_comch_connection *connection, doca_error_t status)
{
	comch_connection_end(connection, status);
	connection->endpoint->lost(connection);
}

/* The peer's bytes make no sense, or it is out of memory for what they ask for. */
static void connection_abort(struct doca_comch_connection *connection)
{
	sdpu_log_err(
		"%s \"%s\": the peer (pid %d) wrote an illegal message; its connection is closed",
		connection->endpoint->ctx.ops->name, connection->endpoint->name,
		(int)connection->peer);
	connection_lose(connection, DOCA_ERROR_CONNECTION_ABORTED);
}

static bool connection_poll_message(struct doca_comch_connection *connection)
{
	if (sdpu_unlikely(connection_deliver(connection) == DOCA_ERROR_INVALID_VALUE))
		connection_abort(connection);
	return true;
}

__attribute__((noinline)) static bool connection_poll_mail(struct doca_comch_connection *connection)
{
	doca_error_t result = connection_read_mail(connection);

	if (sdpu_unlikely(result == DOCA_ERROR_INVALID_VALUE))
		connection_abort(connection);
	return result != DOCA_ERROR_AGAIN;
}

static bool connection_poll_ack(struct doca_comch_connection *connection)
{
	if (sdpu_unlikely(!comch_tx_take_ack(&connection->tx)))
		return false;
	sdpu_task_deliver(sdpu_task_queue_get(&connection->sent), DOCA_SUCCESS);
	return true;
}

/*
 * A message may be the answer to ours: what the peer had acknowledged when it sent the message is
 * completed first. Completions that come later wait: they may come faster than we handle them.
 */
__attribute__((noinline)) static bool connection_poll_one(struct doca_comch_connection *connection,
							  bool message)
{
	if (!message)
		return connection_poll_ack(connection);
	if (!connection->message_seen) {
		connection->message_seen = true;
		connection->acks_first = comch_tx_num_acks(&connection->tx);
	}
	if (connection->acks_first != 0) {
		connection->acks_first--;
		return connection_poll_ack(connection);
	}
	connection->message_seen = false;
	return connection_poll_message(connection);
}

__attribute__((cold, noinline)) static bool
connection_poll_end(struct doca_comch_connection *connection)
{
	if (!connection_is_over(connection))
		return false;
	connection_lose(connection, DOCA_ERROR_CONNECTION_RESET);
	return true;
}

static inline bool connection_poll_traffic(struct doca_comch_connection *connection)
{
	bool message = comch_rx_ready(&connection->rx);
	bool ack = comch_tx_has_ack(&connection->tx);

	if (message || ack)
		return connection_poll_one(connection, message);
	if (sdpu_unlikely(sdpu_channel_has_end(&connection->channel)))
		return connection_poll_end(connection);
	return false;
}

__attribute__((noinline)) static bool connection_poll_all(struct doca_comch_connection *connection)
{
	/* Acknowledges what the callback of the last round was given. */
	connection_ack(connection);
	if (sdpu_unlikely(sdpu_channel_has_mail(&connection->channel)) &&
	    connection_poll_mail(connection))
		return true;
	return connection_poll_traffic(connection);
}

/* The fast path of a poll that finds nothing, as most do. */
static bool connection_poll(struct sdpu_source *source)
{
	struct doca_comch_connection *connection = connection_of(source);

	if (sdpu_unlikely(connection->rx.acked != connection->rx.position ||
			  sdpu_channel_has_mail(&connection->channel)))
		return connection_poll_all(connection);
	return connection_poll_traffic(connection);
}

static bool connection_pending(const struct sdpu_source *source)
{
	const struct doca_comch_connection *connection = connection_of(source);

	return connection->rx.acked != connection->rx.position || comch_rx_ready(&connection->rx) ||
	       sdpu_channel_has_mail(&connection->channel) || comch_tx_has_ack(&connection->tx) ||
	       connection_is_over(connection);
}

static void connection_settle(struct sdpu_source *source)
{
	connection_ack(connection_of(source));
}

static void connection_chill(struct sdpu_source *source, bool cold)
{
	if (cold)
		sdpu_channel_cool(&connection_of(source)->channel);
	else
		sdpu_channel_heat(&connection_of(source)->channel);
}

/* Reuses one to which only the endpoint refers, or makes a new one. */
static struct doca_comch_connection *connection_alloc(struct comch_endpoint *endpoint)
{
	struct doca_comch_connection *connection;
	struct sdpu_list *node;

	sdpu_list_for_each (node, &endpoint->dead) {
		connection = sdpu_container_of(node, struct doca_comch_connection, node);
		if (sdpu_load_acquire(&connection->refs) != 1)
			continue;
		sdpu_list_remove(node);
		pthread_mutex_destroy(&connection->lock);
		memset(connection, 0, sizeof(*connection));
		return connection;
	}
	return calloc(1, sizeof(*connection));
}

static void connection_init(struct doca_comch_connection *connection,
			    struct comch_endpoint *endpoint)
{
	connection->endpoint = endpoint;
	connection->refs = 1;
	sdpu_list_init(&connection->node);
	sdpu_list_init(&connection->members);
	sdpu_list_init(&connection->remotes);
	pthread_mutex_init(&connection->lock, NULL);
	connection->source.poll = connection_poll;
	connection->source.pending = connection_pending;
	connection->source.chill = connection_chill;
	connection->source.settle = connection_settle;
}

static doca_error_t connection_open_rings(struct doca_comch_connection *connection, uint32_t me,
					  const struct comch_ring_shape shape[2])
{
	struct sdpu_segment *segment = &connection->channel.segment;
	struct comch_ring_layout layout;
	doca_error_t result = comch_ring_layout(shape, &layout);

	if (result != DOCA_SUCCESS)
		return result;
	if (layout.size != segment->size)
		return DOCA_ERROR_INVALID_VALUE;
	comch_rx_open(&connection->rx, segment->base, &layout, &shape[!me], !me);
	return comch_tx_open(&connection->tx, segment->base, &layout, &shape[me], me);
}

doca_error_t comch_connection_create(struct comch_endpoint *endpoint,
				     const struct sdpu_channel_parts *parts,
				     const struct comch_ring_shape shape[2],
				     struct doca_comch_connection **out)
{
	struct doca_comch_connection *connection = connection_alloc(endpoint);
	struct sdpu_channel channel = {0};
	doca_error_t result;

	if (connection != NULL)
		connection_init(connection, endpoint);
	result = sdpu_channel_open(connection == NULL ? &channel : &connection->channel, parts);
	if (connection == NULL) {
		sdpu_channel_close(&channel);
		return DOCA_ERROR_NO_MEMORY;
	}
	if (result == DOCA_SUCCESS)
		result = connection_open_rings(connection, parts->me, shape);
	if (result != DOCA_SUCCESS) {
		sdpu_channel_close(&connection->channel);
		pthread_mutex_destroy(&connection->lock);
		free(connection);
		return result;
	}
	sdpu_segment_close_fd(&connection->channel.segment);
	connection->state = COMCH_CONNECTION_OPEN;
	connection->source.bit = parts->bit;
	connection->peer = parts->peer;
	sdpu_list_append(&endpoint->connections, &connection->node);
	endpoint->num_connections++;
	sdpu_source_add(endpoint->ctx.pe, &connection->source);
	comch_show_enter(connection);
	*out = connection;
	return DOCA_SUCCESS;
}

/* Wakes the engines of members: they look at the connection again. */
static void connection_tell_members(struct doca_comch_connection *connection)
{
	struct sdpu_list *node;

	sdpu_list_for_each (node, &connection->members) {
		struct comch_member *member = sdpu_container_of(node, struct comch_member, node);

		if (sdpu_load_acquire(&member->busy) != 0)
			sdpu_bell_attend(&member->ctx->pe->bell);
	}
}

void comch_connection_end(struct doca_comch_connection *connection, doca_error_t status)
{
	struct doca_task *task;

	if (connection->state != COMCH_CONNECTION_OPEN)
		return;
	sdpu_store(&connection->state, COMCH_CONNECTION_ENDED);
	sdpu_source_remove(&connection->source);
	connection_ack(connection);
	while ((task = sdpu_task_queue_get(&connection->sent)) != NULL)
		sdpu_task_finish(task, comch_tx_take_ack(&connection->tx) ? DOCA_SUCCESS : status);
	pthread_mutex_lock(&connection->lock);
	sdpu_store_release(&connection->lost, 1);
	sdpu_stats_share(&connection->stats, NULL);
	sdpu_channel_close(&connection->channel);
	connection_tell_members(connection);
	pthread_mutex_unlock(&connection->lock);
	comch_tx_close(&connection->tx);
	comch_remote_drop_all(connection);
}

void comch_connection_forget(struct doca_comch_connection *connection)
{
	struct comch_endpoint *endpoint = connection->endpoint;

	sdpu_stats_unregister(&connection->stats);
	connection->state = COMCH_CONNECTION_DEAD;
	endpoint->num_connections--;
	sdpu_list_remove(&connection->node);
	sdpu_list_append(&endpoint->dead, &connection->node);
}

void comch_connection_release_dead(struct comch_endpoint *endpoint)
{
	struct sdpu_list *node;

	while ((node = sdpu_list_pop(&endpoint->dead)) != NULL) {
		struct doca_comch_connection *connection =
			sdpu_container_of(node, struct doca_comch_connection, node);

		connection->endpoint = NULL;
		comch_connection_release(connection);
	}
}
