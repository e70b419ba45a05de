/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sender's side of the doorbell; see bell.h. Owner: the channel; any of its producer threads
 * may ring. A dead or lying engine costs system calls of ours at worst.
 */
#include <errno.h>
#include <sys/socket.h>

#include "base/log.h"
#include "bus/bell.h"
#include "bus/process.h"

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
	made.armed = made.armed_seg.base;
	made.ready = made.ready_seg.base;
	*ringer = made;
	return DOCA_SUCCESS;
}

void sdpu_ringer_close(struct sdpu_ringer *ringer)
{
	sdpu_segment_unmap(&ringer->ready_seg);
	sdpu_segment_unmap(&ringer->armed_seg);
	ringer->armed = NULL;
	ringer->ready = NULL;
}

void sdpu_ringer_warm(struct sdpu_ringer *ringer)
{
	uint32_t word = ringer->bit / 64;

	/* The bit before its summary: the engine takes them in the other order. Fenced, since the
	 * caller looks at armed next: either it sees that, or the engine sees the summary. */
	sdpu_fetch_or(&ringer->ready->bits[word], 1ull << (ringer->bit % 64));
	sdpu_fetch_or_fenced(&ringer->ready->summary, 1ull << word);
}

void sdpu_ringer_send(struct sdpu_ringer *ringer, uint32_t armed)
{
	const uint8_t ring = SDPU_RING_BYTE;

	if (sdpu_load(&ringer->rung) == armed || sdpu_swap(&ringer->rung, armed) == armed)
		return;
	if (ringer->bell != NULL) {
		sdpu_bell_kick(ringer->bell);
		return;
	}
	/*
	 * A full socket rings by itself: unread records keep the handle ready. Any other failure
	 * leaves the sleep open for the next attempt; a dead engine needs none.
	 */
	if (send(ringer->sock, &ring, sizeof(ring), MSG_DONTWAIT | MSG_NOSIGNAL) < 0 &&
	    errno != EAGAIN)
		sdpu_store(&ringer->rung, 0);
}
