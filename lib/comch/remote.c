/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Remote consumers: coming, going, and references; contract in remote.h. The rings are in
 * remote_ring.c.
 */
#include "comch/remote.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "bus/process.h"
#include "comch/endpoint.h"

struct comch_remote *comch_remote_find(struct doca_comch_connection *connection, uint32_t id)
{
	struct comch_remote *found = NULL;
	struct sdpu_list *node;

	pthread_mutex_lock(&connection->lock);
	sdpu_list_for_each (node, &connection->remotes) {
		struct comch_remote *remote = sdpu_container_of(node, struct comch_remote, node);

		if (remote->id != id)
			continue;
		(void)sdpu_fetch_add(&remote->refs, 1);
		found = remote;
		break;
	}
	pthread_mutex_unlock(&connection->lock);
	return found;
}

void comch_remote_release(struct comch_remote *remote)
{
	int sock = remote->ringer.sock;

	if (sdpu_fetch_sub(&remote->refs, 1) != 1)
		return;
	sdpu_reach_close(remote->reach);
	sdpu_ringer_close(&remote->ringer);
	sdpu_fd_close(sock);
	comch_fast_unmap(&remote->rings);
	free(remote);
}

/* Off the list, lock held by nobody; producers let go when they see the count. */
static void remote_expire(struct doca_comch_connection *connection, struct comch_remote *remote)
{
	pthread_mutex_lock(&connection->lock);
	sdpu_list_remove(&remote->node);
	pthread_mutex_unlock(&connection->lock);
	sdpu_store_release(&remote->expired, 1);
	(void)sdpu_fetch_add(&connection->remotes_changed, 1);
	comch_remote_release(remote);
}

void comch_remote_drop_all(struct doca_comch_connection *connection)
{
	/* Only this thread changes the list; producers read it under the lock. */
	while (!sdpu_list_empty(&connection->remotes))
		remote_expire(connection, sdpu_container_of(connection->remotes.next,
							    struct comch_remote, node));
}

static struct comch_remote *remote_of_id(struct doca_comch_connection *connection, uint32_t id)
{
	struct sdpu_list *node;

	sdpu_list_for_each (node, &connection->remotes) {
		if (sdpu_container_of(node, struct comch_remote, node)->id == id)
			return sdpu_container_of(node, struct comch_remote, node);
	}
	return NULL;
}

static doca_error_t remote_parse(struct doca_comch_connection *connection,
				 const struct sdpu_record *record, struct comch_mail_consumer *mail)
{
	const struct sdpu_limits *limits = sdpu_dev_function(connection->endpoint->ctx.dev)->limits;
	uint32_t num = 0;
	struct sdpu_list *node;

	if (record->len != sizeof(*mail) || record->num_fds < COMCH_MAIL_CONSUMER_FDS)
		return DOCA_ERROR_INVALID_VALUE;
	memcpy(mail, record->bytes, sizeof(*mail));
	sdpu_list_for_each (node, &connection->remotes)
		num++;
	if (mail->head.id == 0 || mail->imm_len > COMCH_FAST_IMM_MAX ||
	    mail->bit >= SDPU_READY_BITS || num >= limits->comch_max_consumers ||
	    remote_of_id(connection, mail->head.id) != NULL)
		return DOCA_ERROR_INVALID_VALUE;
	return DOCA_SUCCESS;
}

/* The reach takes what is left of the descriptors. */
static void remote_open_reach(struct comch_remote *remote, const struct comch_mail_consumer *mail,
			      struct sdpu_record *record, pid_t peer)
{
	uint32_t num = record->num_fds - COMCH_MAIL_CONSUMER_FDS;
	int fds[SDPU_RECORD_FDS];

	for (uint32_t i = 0; i < num; i++)
		fds[i] = sdpu_record_take_fd(record, COMCH_MAIL_CONSUMER_FDS + i);
	if (sdpu_reach_open(&mail->grant, fds, num, peer, &remote->reach) != DOCA_SUCCESS) {
		remote->reach = NULL;
		sdpu_log_warn("comch: the memory of consumer %u cannot be reached; messages of "
			      "more than %u bytes to it fail while it takes none",
			      remote->id, COMCH_FAST_INLINE);
		return;
	}
	remote->mapped = sdpu_reach_kind(remote->reach) == SDPU_WINDOW_MAPPED;
}

static doca_error_t remote_open(struct comch_remote *remote, const struct comch_mail_consumer *mail,
				struct sdpu_record *record, pid_t peer)
{
	int sock = sdpu_record_take_fd(record, 3);
	doca_error_t result;

	remote->id = mail->head.id;
	remote->imm_len = mail->imm_len;
	remote->refs = 1;
	sdpu_bias_init(&remote->bias);
	result = comch_fast_map(sdpu_record_take_fd(record, 0), mail->entries, &remote->rings);
	if (result != DOCA_SUCCESS) {
		sdpu_fd_close(sock);
		return result;
	}
	result = sdpu_ringer_open(sdpu_record_take_fd(record, 1), sdpu_record_take_fd(record, 2),
				  sock, mail->bit, &remote->ringer);
	if (result != DOCA_SUCCESS) {
		comch_fast_unmap(&remote->rings);
		sdpu_fd_close(sock);
		return result;
	}
	remote_open_reach(remote, mail, record, peer);
	return DOCA_SUCCESS;
}

static void remote_join(struct comch_remote *remote)
{
	/* Release: pairs with the acquire in consumer_joined(). */
	sdpu_store_release(&remote->rings.head->joined, 1);
	sdpu_ringer_ring(&remote->ringer, &remote->rings.head->cold);
}

static void remote_tell(struct doca_comch_connection *connection,
			doca_comch_event_consumer_cb_t callback, uint32_t id)
{
	struct doca_pe *pe = connection->endpoint->ctx.pe;

	if (callback == NULL)
		return;
	pe->depth++;
	callback(NULL, connection, id);
	pe->depth--;
}

doca_error_t comch_remote_came(struct doca_comch_connection *connection, struct sdpu_record *record)
{
	struct comch_mail_consumer mail;
	struct comch_remote *remote;
	doca_error_t result = remote_parse(connection, record, &mail);

	if (result != DOCA_SUCCESS)
		return result;
	remote = aligned_alloc(SDPU_CACHE_LINE, sizeof(*remote));
	if (remote == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	memset(remote, 0, sizeof(*remote));
	memset(remote->staging_entry, 0xff,
	       sizeof(remote->staging_entry)); /* COMCH_STAGING_NOT_OUT */
	result = remote_open(remote, &mail, record, connection->peer);
	if (result != DOCA_SUCCESS) {
		free(remote);
		return DOCA_ERROR_INVALID_VALUE;
	}
	pthread_mutex_lock(&connection->lock);
	sdpu_list_append(&connection->remotes, &remote->node);
	pthread_mutex_unlock(&connection->lock);
	remote_join(remote);
	remote_tell(connection, connection->endpoint->consumer_came, mail.head.id);
	return DOCA_SUCCESS;
}

doca_error_t comch_remote_went(struct doca_comch_connection *connection, struct sdpu_record *record)
{
	struct comch_mail_head mail;
	struct comch_remote *remote;

	if (record->len != sizeof(mail))
		return DOCA_ERROR_INVALID_VALUE;
	memcpy(&mail, record->bytes, sizeof(mail));
	remote = remote_of_id(connection, mail.id);
	if (remote == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	remote_expire(connection, remote);
	remote_tell(connection, connection->endpoint->consumer_went, mail.id);
	return DOCA_SUCCESS;
}
