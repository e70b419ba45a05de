/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that gets AGAIN for ever is told why, once. Costs a counter, and the clock at every
 * 64th refusal in a row.
 */
#include <inttypes.h>

#include "base/clock.h"
#include "base/log.h"
#include "comch/producer.h"

#define AGAIN_LOOK_EVERY 64

static void again_tell(const struct comch_remote *remote)
{
	uint64_t seen = sdpu_load(&remote->rings.head->heartbeat_ms);
	uint64_t now_ms = sdpu_clock_now() / SDPU_MS;
	uint64_t ago = now_ms > seen ? now_ms - seen : 0;

	sdpu_log_warn("doca_comch_producer: AGAIN for 1 s: consumer %u has no posted receive; its "
		      "engine last progressed "
		      "%" PRIu64 ".%" PRIu64 " s ago",
		      remote->id, ago / 1000, ago % 1000 / 100);
}

bool comch_producer_again(struct doca_comch_producer *producer)
{
	uint64_t now;

	if (sdpu_likely(producer->again++ % AGAIN_LOOK_EVERY != AGAIN_LOOK_EVERY - 1) ||
	    producer->told & 1u << COMCH_TOLD_AGAIN)
		return false;
	now = sdpu_clock_now();
	if (producer->again == AGAIN_LOOK_EVERY)
		producer->again_since = now;
	if (now - producer->again_since < SDPU_SECOND)
		return false;
	producer->told |= 1u << COMCH_TOLD_AGAIN;
	return true;
}

void comch_producer_note_again(struct doca_comch_producer *producer,
			       const struct comch_remote *remote)
{
	if (sdpu_unlikely(comch_producer_again(producer)))
		again_tell(remote);
}
