/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sender's side of the doorbell; see bell.h. Owner: the channel; any of its producer threads
 * may ring. An engine that is dead or lies costs us needless system calls at worst.
 */
#include <errno.h>
#include <sys/socket.h>

#include "base/log.h"
#include "base/membarrier.h"
#include "bus/bell.h"
#include "bus/process.h"

static const uint32_t always_fence = SDPU_AWAKE_FENCE;

static void set_armed(struct sdpu_ringer *ringer, const struct sdpu_armed_page *armed,
		      bool registered)
{
	ringer->armed = armed;
	ringer->watched = registered ? &armed->armed : &always_fence;
}

doca_error_t sdpu_ringer_open(int armed_fd, int ready_fd, int sock, uint32_t bit,
			      struct sdpu_ringer *ringer)
{
	struct sdpu_ringer made = {.sock = sock, .bit = bit};
	doca_error_t result;

	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	result = sdpu_segment_map(armed_fd, SDPU_BELL_PAGE, 0, SDPU_SEGMENT_READ, SDPU_BELL_PAGE,
				  &made.armed_seg);
	if (result != DOCA_SUCCESS) {
		sdpu_fd_close(ready_fd);
		return result;
	}
	result = sdpu_segment_map(ready_fd, SDPU_BELL_PAGE, 0, SDPU_SEGMENT_WRITE, SDPU_BELL_PAGE,
				  &made.ready_seg);
	if (result == DOCA_SUCCESS && bit >= SDPU_READY_BITS) {
		sdpu_log_err("ready bit %u of a peer refused: needs less than %d", bit,
			     SDPU_READY_BITS);
		result = DOCA_ERROR_INVALID_VALUE;
	}
	if (result != DOCA_SUCCESS) {
		sdpu_ringer_close(&made);
		return result;
	}
	set_armed(&made, made.armed_seg.base, sdpu_membarrier_register(SDPU_MEMBARRIER_MACHINE));
	made.ready = made.ready_seg.base;
	*ringer = made;
	return DOCA_SUCCESS;
}

void sdpu_ringer_close(struct sdpu_ringer *ringer)
{
	sdpu_segment_unmap(&ringer->ready_seg);
	sdpu_segment_unmap(&ringer->armed_seg);
	ringer->watched = NULL;
	ringer->armed = NULL;
	ringer->ready = NULL;
}

struct sdpu_ringer sdpu_ringer_own(struct sdpu_bell *bell, uint32_t bit)
{
	struct sdpu_ringer ringer = {.ready = bell->ready, .sock = -1, .bell = bell, .bit = bit};

	set_armed(&ringer, bell->armed, bell->registered);
	return ringer;
}

static void ringer_warm(struct sdpu_ringer *ringer)
{
	uint32_t word = ringer->bit / 64;

	/* The bit before its summary: the engine takes them in the other order. Fenced, since the
	 * caller looks at armed next: either it sees that, or the engine sees the summary. */
	sdpu_fetch_or(&ringer->ready->bits[word], 1ull << (ringer->bit % 64));
	sdpu_fetch_or_fenced(&ringer->ready->summary, 1ull << word);
}

static void ringer_send(struct sdpu_ringer *ringer, uint32_t armed)
{
	const uint8_t ring = SDPU_RING_BYTE;

	if (sdpu_load(&ringer->rung) == armed || sdpu_swap(&ringer->rung, armed) == armed)
		return;
	if (ringer->bell != NULL) {
		sdpu_bell_kick(ringer->bell);
		return;
	}
	/*
	 * A full socket needs no further ring: unread records keep the handle ready. Any other
	 * failure leaves the sleep open for the next attempt; a dead engine needs none.
	 */
	if (send(ringer->sock, &ring, sizeof(ring), MSG_DONTWAIT | MSG_NOSIGNAL) < 0 &&
	    errno != EAGAIN)
		sdpu_store(&ringer->rung, 0);
}

void sdpu_ringer_call(struct sdpu_ringer *ringer, const uint32_t *cold)
{
	uint32_t armed;

	/* F1, where the engine does not fence for its senders; elsewhere it costs nothing beside
	 * what follows. */
	sdpu_fence_full();
	if (sdpu_load(cold) != 0)
		ringer_warm(ringer);
	armed = sdpu_load(&ringer->armed->armed);
	if (armed >= SDPU_ASLEEP)
		ringer_send(ringer, armed);
}
