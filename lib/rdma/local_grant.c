/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory windows for long messages: those that we gave the peer, by the window's key, and those
 * that it gave us, by its names for them. Made when first needed, kept as long as the connection.
 */
#include <string.h>

#include "bus/process.h"
#include "rdma/local.h"

static doca_error_t grant_mail(struct rdma_local *local, struct sdpu_window *window, uint32_t id)
{
	struct local_grant *entry = &local->grants[id];
	struct local_mail mail = {.id = id};
	int fds[SDPU_GRANT_FDS];
	uint32_t num_fds = 0;
	doca_error_t result;

	result = sdpu_window_grant(window, local->channel.peer, &mail.grant, fds, &num_fds,
				   &entry->grant);
	if (result != DOCA_SUCCESS)
		return result;
	result = sdpu_channel_mail(&local->channel, &mail, sizeof(mail), fds, num_fds);
	for (uint32_t i = 0; i < num_fds; i++)
		sdpu_fd_close(fds[i]);
	if (result != DOCA_SUCCESS) {
		sdpu_grant_revoke(entry->grant);
		entry->grant = NULL;
		return result;
	}
	memcpy(entry->key, sdpu_window_key(window), SDPU_KEY_SIZE);
	return DOCA_SUCCESS;
}

/* Every message that names it has been taken. */
static bool grant_is_idle(const struct rdma_local *local, const struct local_grant *entry)
{
	return entry->grant == NULL || local_tx_num_completed(&local->tx) >= entry->until;
}

/*
 * Round about: the one that was made longest ago goes first, unless the message in the making has
 * named it: that one would wait for itself.
 */
static bool grant_find_idle(const struct rdma_local *local, uint32_t *id)
{
	for (uint32_t n = 1; n <= LOCAL_GRANTS; n++) {
		*id = (local->last_grant + n) % LOCAL_GRANTS;
		if (grant_is_idle(local, &local->grants[*id]))
			return true;
	}
	return false;
}

static doca_error_t grant_make(struct rdma_local *local, struct sdpu_window *window, uint32_t *id)
{
	doca_error_t result;
	uint32_t next;

	if (!grant_find_idle(local, &next))
		return DOCA_ERROR_AGAIN;
	sdpu_grant_revoke(local->grants[next].grant);
	local->grants[next].grant = NULL;
	result = grant_mail(local, window, next);
	if (result != DOCA_SUCCESS)
		return result;
	local->last_grant = next;
	*id = next;
	return DOCA_SUCCESS;
}

doca_error_t local_grant_name(struct rdma_local *local, struct sdpu_window *window, uint64_t until,
			      uint32_t *id)
{
	doca_error_t result = DOCA_SUCCESS;
	uint32_t i;

	for (i = 0; i < LOCAL_GRANTS; i++) {
		struct local_grant *entry = &local->grants[i];

		if (entry->grant != NULL &&
		    memcmp(entry->key, sdpu_window_key(window), SDPU_KEY_SIZE) == 0)
			break;
	}
	if (i == LOCAL_GRANTS)
		result = grant_make(local, window, &i);
	if (result != DOCA_SUCCESS)
		return result;
	local->grants[i].until = until;
	*id = i;
	return DOCA_SUCCESS;
}

/* A long message that is being fetched needs this window. */
static bool grant_is_used(const struct rdma_local *local, uint32_t id)
{
	const struct local_pieces *pieces = &local->pull.pieces;

	if (local->pull.task == NULL)
		return false;
	for (uint32_t i = 0; i < pieces->num; i++)
		if (pieces->piece[i].grant == id)
			return true;
	return false;
}

doca_error_t local_grant_read(struct rdma_local *local)
{
	struct sdpu_record record;
	struct local_mail mail;
	int fds[SDPU_RECORD_FDS];
	uint32_t num_fds;
	doca_error_t result = sdpu_channel_read(&local->channel, &record);

	if (result != DOCA_SUCCESS)
		return result;
	result = local_mail_parse(&record, &mail);
	num_fds = record.num_fds;
	if (result == DOCA_SUCCESS && grant_is_used(local, mail.id))
		result = DOCA_ERROR_INVALID_VALUE;
	if (result == DOCA_SUCCESS) {
		for (uint32_t i = 0; i < num_fds; i++)
			fds[i] = sdpu_record_take_fd(&record, i);
		sdpu_reach_close(local->reaches[mail.id]);
		local->reaches[mail.id] = NULL;
		/* If it cannot be opened, the message that names it fails. */
		if (sdpu_reach_open(&mail.grant, fds, num_fds, local->channel.peer,
				    &local->reaches[mail.id]) != DOCA_SUCCESS)
			local->reaches[mail.id] = NULL;
	}
	sdpu_record_drop(&record);
	return result;
}

void local_grant_end_all(struct rdma_local *local)
{
	struct sdpu_grant *grants[LOCAL_GRANTS];

	for (uint32_t i = 0; i < LOCAL_GRANTS; i++) {
		grants[i] = local->grants[i].grant;
		local->grants[i].grant = NULL;
		sdpu_reach_close(local->reaches[i]);
		local->reaches[i] = NULL;
	}
	sdpu_grant_revoke_all(grants, LOCAL_GRANTS);
}
