/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Channels: see channel.h for owner and threads. Two notices of the peer's end, whichever comes
 * first: hang-up of the socket, and the death of its process (a forked child may keep the socket
 * open). Both come to the agent's thread, set `gone` and call the engine.
 */
#include "bus/channel.h"

#include <string.h>
#include <sys/socket.h>

#include "base/log.h"
#include "bus/process.h"

/* Rings skipped in one read, so that a peer that sends nothing else does not keep us busy. */
#define SKIP_RINGS 64

static void set_gone(struct sdpu_channel *channel)
{
	/* Already done by the other notice. */
	if (sdpu_load(&channel->gone) != 0)
		return;
	/* release: pairs with the acquire in sdpu_channel_gone() */
	sdpu_store_release(&channel->gone, 1);
	sdpu_bell_attend(channel->bell);
}

static void socket_ready(struct sdpu_watch *watch, uint32_t events)
{
	set_gone(sdpu_container_of(watch, struct sdpu_channel, watch));
}

static void peer_dead(struct sdpu_death_watch *watch)
{
	set_gone(sdpu_container_of(watch, struct sdpu_channel, death_watch));
}

/* The agent first: its callbacks use everything below. */
static void end(struct sdpu_channel *channel)
{
	sdpu_agent_unwatch(&channel->watch);
	sdpu_agent_unwatch_death(&channel->death_watch);
	sdpu_bell_remove(channel->bell, channel->sock);
	sdpu_bell_give_bit(channel->bell, channel->bit);
	sdpu_ringer_close(&channel->ringer);
	sdpu_segment_unmap(&channel->segment);
	/* shutdown(), as a forked child of ours may hold the socket open: the peer shall see the
	 * end all the same. */
	shutdown(channel->sock, SHUT_RDWR);
	sdpu_fd_close(channel->sock);
	channel->sock = -1;
	channel->head = NULL;
	channel->theirs = NULL;
	/* Other threads of this process ask for it at any time. */
	sdpu_store_release(&channel->gone, 1);
}

static doca_error_t check_parts(const struct sdpu_channel_parts *parts)
{
	if (parts->segment.size >= sizeof(struct sdpu_channel_head) && parts->me <= 1)
		return DOCA_SUCCESS;
	sdpu_log_err("channel refused: its segment has %zu bytes, needs at least %zu",
		     parts->segment.size, sizeof(struct sdpu_channel_head));
	return DOCA_ERROR_INVALID_VALUE;
}

/* Registers the channel with the bell and the agent; end() undoes it, also when only half was
 * done. */
static doca_error_t join(struct sdpu_channel *channel)
{
	doca_error_t result = sdpu_bell_add(channel->bell, channel->sock);

	if (result == DOCA_SUCCESS)
		result = sdpu_agent_watch(&channel->watch, 0);
	if (result == DOCA_SUCCESS)
		result = sdpu_agent_watch_death(&channel->death_watch, channel->peer);
	return result;
}

static doca_error_t open_ringer(struct sdpu_channel *channel,
				const struct sdpu_channel_parts *parts)
{
	if (parts->ringer.armed == NULL)
		return sdpu_ringer_open(parts->peer_armed_fd, parts->peer_ready_fd, parts->sock,
					parts->peer_bit, &channel->ringer);
	channel->ringer = parts->ringer;
	channel->ringer.sock = parts->sock;
	return DOCA_SUCCESS;
}

doca_error_t sdpu_channel_open(struct sdpu_channel *channel, const struct sdpu_channel_parts *parts)
{
	struct sdpu_channel made = {
		.sock = parts->sock,
		.me = parts->me,
		.segment = parts->segment,
		.head = parts->segment.base,
		.bell = parts->bell,
		.bit = parts->bit,
		.peer = parts->peer,
		.watch = {.fd = parts->sock, .ready = socket_ready},
		.death_watch = {.dead = peer_dead},
	};
	doca_error_t result;

	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	/* Complete before it is registered: callbacks may come at once. */
	*channel = made;
	channel->theirs = &channel->head->side[!channel->me];
	result = open_ringer(channel, parts);
	if (result == DOCA_SUCCESS)
		result = check_parts(parts);
	if (result == DOCA_SUCCESS)
		result = join(channel);
	if (result != DOCA_SUCCESS)
		end(channel);
	return result;
}

void sdpu_channel_close(struct sdpu_channel *channel)
{
	if (channel->head == NULL || sdpu_process_inert())
		return;
	/* Release: a publish like any other, and the last. */
	sdpu_store_release(&channel->head->side[channel->me].closed, 1);
	sdpu_channel_ring(channel);
	end(channel);
}

static bool is_ring(const void *bytes, size_t len)
{
	return len == 1 && *(const uint8_t *)bytes == SDPU_RING_BYTE;
}

doca_error_t sdpu_channel_mail(struct sdpu_channel *channel, const void *bytes, size_t len,
			       const int *fds, uint32_t num_fds)
{
	doca_error_t result;

	if (is_ring(bytes, len))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_sock_send(channel->sock, bytes, len, fds, num_fds);
	if (result != DOCA_SUCCESS)
		return result;
	/* The record is in the socket before the counter says so. */
	sdpu_fetch_add(&channel->head->side[channel->me].mail, 1);
	sdpu_channel_ring(channel);
	return DOCA_SUCCESS;
}

doca_error_t sdpu_channel_read(struct sdpu_channel *channel, struct sdpu_record *record)
{
	doca_error_t result;
	uint32_t announced;

	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	/* acquire: pairs with the add in sdpu_channel_mail(); what it counts is in the socket now
	 */
	announced = sdpu_load_acquire(&channel->theirs->mail);
	for (int i = 0; i < SKIP_RINGS; i++) {
		result = sdpu_sock_recv(channel->sock, record);
		/* The counter announced a record that is not there: the peer lies, or has not sent
		 * it yet, or died. Do not look again for this count. */
		if (result == DOCA_ERROR_AGAIN || result == DOCA_ERROR_CONNECTION_RESET)
			channel->mail_seen = announced;
		if (result != DOCA_SUCCESS)
			return result;
		if (!is_ring(record->bytes, record->len)) {
			channel->mail_seen++;
			return DOCA_SUCCESS;
		}
		sdpu_record_drop(record);
	}
	return DOCA_ERROR_AGAIN;
}

void sdpu_channel_cool(struct sdpu_channel *channel)
{
	if (sdpu_process_inert())
		return;
	/* Pairs with F1: the sender sees the word and sets our bit, or the caller now sees its
	 * work.
	 */
	sdpu_store_release(&channel->head->side[channel->me].cold, 1);
	sdpu_bell_fence(channel->bell);
}

void sdpu_channel_heat(struct sdpu_channel *channel)
{
	if (!sdpu_process_inert())
		sdpu_store(&channel->head->side[channel->me].cold, 0);
}
