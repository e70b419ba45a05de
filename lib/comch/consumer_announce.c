/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a consumer shares with its peer, and telling the peer of it.
 */
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "bus/process.h"
#include "comch/consumer.h"
#include "comch/remote.h"
#include "core/mmap.h"

doca_error_t comch_consumer_open(struct doca_comch_consumer *consumer)
{
	struct sdpu_bell *bell = &consumer->ctx.pe->bell;
	doca_error_t result;

	consumer->posted = 0;
	consumer->taken = 0;
	consumer->parts = 0;
	consumer->flushed = 0;
	consumer->announced = false;
	consumer->withdrawn = false;
	consumer->grant = NULL;
	result = sdpu_bell_take_bit(bell, &consumer->bit);
	if (result != DOCA_SUCCESS)
		return result;
	consumer->doorbell[0] = -1;
	consumer->doorbell[1] = -1;
	result = comch_fast_create(comch_fast_entries(consumer->receives.num), &consumer->rings);
	if (result == DOCA_SUCCESS) {
		/* It lives, though it may never be idle for long enough to say so again. */
		sdpu_store(&consumer->rings.head->heartbeat_ms, sdpu_clock_now() / SDPU_MS);
		result = sdpu_sock_pair(consumer->doorbell);
	}
	if (result == DOCA_SUCCESS)
		result = sdpu_bell_add(bell, consumer->doorbell[0]);
	if (result != DOCA_SUCCESS)
		comch_consumer_close(consumer);
	else
		sdpu_stats_share(&consumer->ctx.stats, consumer->rings.filled);
	return result;
}

void comch_consumer_close(struct doca_comch_consumer *consumer)
{
	struct sdpu_bell *bell = &consumer->ctx.pe->bell;

	sdpu_grant_revoke(consumer->grant);
	consumer->grant = NULL;
	if (consumer->doorbell[0] >= 0)
		sdpu_bell_remove(bell, consumer->doorbell[0]);
	sdpu_fd_close(consumer->doorbell[0]);
	sdpu_fd_close(consumer->doorbell[1]);
	sdpu_stats_share(&consumer->ctx.stats, NULL);
	comch_fast_unmap(&consumer->rings);
	sdpu_bell_give_bit(bell, consumer->bit);
}

static doca_error_t announce_send(struct doca_comch_consumer *consumer,
				  struct comch_mail_consumer *mail, const int *grant_fds,
				  uint32_t num_grant_fds)
{
	int fds[SDPU_RECORD_FDS];

	fds[0] = consumer->rings.segment.fd;
	sdpu_bell_fds(&consumer->ctx.pe->bell, &fds[1]);
	fds[3] = consumer->doorbell[1];
	memcpy(&fds[COMCH_MAIL_CONSUMER_FDS], grant_fds, num_grant_fds * sizeof(int));
	return comch_connection_mail(consumer->connection, mail, sizeof(*mail), fds,
				     COMCH_MAIL_CONSUMER_FDS + num_grant_fds);
}

/* The peer has its copies; a mapping needs no descriptor. */
static void announce_done(struct doca_comch_consumer *consumer)
{
	consumer->announced = true;
	sdpu_fd_close(consumer->doorbell[1]);
	consumer->doorbell[1] = -1;
	sdpu_segment_close_fd(&consumer->rings.segment);
}

doca_error_t comch_consumer_announce(struct doca_comch_consumer *consumer)
{
	struct sdpu_window *window = sdpu_mmap_window(consumer->mmap);
	struct comch_mail_consumer mail;
	int fds[SDPU_GRANT_FDS];
	uint32_t num_fds = 0;
	doca_error_t result;

	if (window == NULL)
		return DOCA_ERROR_BAD_STATE;
	memset(&mail, 0, sizeof(mail));
	mail.head.type = COMCH_MAIL_CONSUMER_CAME;
	mail.head.id = consumer->member.id;
	mail.entries = consumer->rings.mask + 1;
	mail.imm_len = consumer->imm_len;
	mail.bit = consumer->bit;
	/* A grant is made for each try: its descriptors live only until they are sent. */
	result = sdpu_window_grant(window, consumer->connection->peer, &mail.grant, fds, &num_fds,
				   &consumer->grant);
	if (result != DOCA_SUCCESS)
		return result;
	result = announce_send(consumer, &mail, fds, num_fds);
	for (uint32_t i = 0; i < num_fds; i++)
		sdpu_fd_close(fds[i]);
	if (result == DOCA_SUCCESS) {
		announce_done(consumer);
	} else {
		sdpu_grant_revoke(consumer->grant);
		consumer->grant = NULL;
	}
	return result;
}

doca_error_t comch_consumer_withdraw(struct doca_comch_consumer *consumer)
{
	struct comch_mail_head mail = {COMCH_MAIL_CONSUMER_WENT, consumer->member.id};
	doca_error_t result = DOCA_SUCCESS;

	if (consumer->announced && !consumer->withdrawn)
		result = comch_connection_mail(consumer->connection, &mail, sizeof(mail), NULL, 0);
	if (result == DOCA_ERROR_AGAIN)
		return result;
	consumer->withdrawn = true;
	return DOCA_SUCCESS;
}
