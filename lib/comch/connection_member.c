/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a connection is for its producers and consumers, which live in threads of their own;
 * contract in connection.h.
 */
#include "comch/connection.h"

#include <stdlib.h>

#include "base/log.h"

void comch_connection_hold(struct doca_comch_connection *connection)
{
	(void)sdpu_fetch_add(&connection->refs, 1);
}

void comch_connection_release(struct doca_comch_connection *connection)
{
	/* Acquire and release: whoever frees has seen what the others did last. */
	if (sdpu_fetch_sub(&connection->refs, 1) != 1)
		return;
	pthread_mutex_destroy(&connection->lock);
	free(connection);
}

bool comch_connection_busy(struct doca_comch_connection *connection)
{
	struct sdpu_list *node;
	bool busy = false;

	pthread_mutex_lock(&connection->lock);
	sdpu_list_for_each (node, &connection->members) {
		if (sdpu_load_acquire(&sdpu_container_of(node, struct comch_member, node)->busy) !=
		    0)
			busy = true;
	}
	pthread_mutex_unlock(&connection->lock);
	return busy;
}

doca_error_t comch_connection_mail(struct doca_comch_connection *connection, const void *bytes,
				   size_t len, const int *fds, uint32_t num_fds)
{
	doca_error_t result = DOCA_ERROR_NOT_CONNECTED;

	pthread_mutex_lock(&connection->lock);
	if (comch_connection_alive(connection))
		result = sdpu_channel_mail(&connection->channel, bytes, len, fds, num_fds);
	pthread_mutex_unlock(&connection->lock);
	return result == DOCA_ERROR_CONNECTION_RESET ? DOCA_ERROR_NOT_CONNECTED : result;
}

static bool member_id_is_used(const struct doca_comch_connection *connection,
			      enum comch_member_kind kind, uint32_t id)
{
	const struct sdpu_list *node;

	sdpu_list_for_each (node, &connection->members) {
		const struct comch_member *member =
			sdpu_container_of(node, struct comch_member, node);

		if (member->kind == kind && member->id == id)
			return true;
	}
	return false;
}

/* Counts up, so that a number is not used again soon. Lock held; there are fewer members than ids.
 */
static uint32_t member_next_id(struct doca_comch_connection *connection,
			       enum comch_member_kind kind)
{
	uint32_t *last = &connection->last_id[kind];

	do
		*last = *last % COMCH_MEMBER_ID_MAX + 1;
	while (member_id_is_used(connection, kind, *last));
	return *last;
}

static const char *const member_name[] = {
	[COMCH_PRODUCER] = "producer",
	[COMCH_CONSUMER] = "consumer",
};

doca_error_t comch_member_refuse(enum comch_member_kind kind)
{
	sdpu_log_err("doca_comch_%s_create: the connection has ended; needed: a live one; let the "
		     "client connect first",
		     member_name[kind]);
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t comch_member_join(struct comch_member *member,
			       struct doca_comch_connection *connection, struct doca_ctx *ctx,
			       enum comch_member_kind kind, uint32_t max)
{
	doca_error_t result = DOCA_SUCCESS;

	pthread_mutex_lock(&connection->lock);
	if (!comch_connection_alive(connection)) {
		result = DOCA_ERROR_BAD_STATE;
	} else if (connection->num_members[kind] >= max) {
		result = DOCA_ERROR_NO_MEMORY;
	} else {
		connection->num_members[kind]++;
		member->connection = connection;
		member->ctx = ctx;
		member->kind = kind;
		sdpu_store(&member->id, member_next_id(connection, kind));
		sdpu_list_append(&connection->members, &member->node);
		comch_connection_hold(connection);
	}
	pthread_mutex_unlock(&connection->lock);
	if (result == DOCA_ERROR_BAD_STATE)
		return comch_member_refuse(kind);
	if (result == DOCA_ERROR_NO_MEMORY)
		sdpu_log_err(
			"doca_comch_%s_create: the connection has %u of them; needed: fewer, as "
			"these are the most; destroy one",
			member_name[kind], max);
	return result;
}

void comch_member_leave(struct comch_member *member)
{
	struct doca_comch_connection *connection = member->connection;

	pthread_mutex_lock(&connection->lock);
	sdpu_list_remove(&member->node);
	connection->num_members[member->kind]--;
	pthread_mutex_unlock(&connection->lock);
	comch_connection_release(connection);
}
