/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The end of a consumer: what was filled by then is delivered, the other receives are flushed, and
 * producers that were about to publish learn which it was (tests/model/close.pml).
 */
#include "bus/window.h"
#include "comch/consumer.h"

static bool stop_is_filled(const struct comch_filled *entry, uint64_t position)
{
	/* Acquire: as in comch_consumer_has_entry(). */
	return sdpu_load_acquire(&entry->seq) == (uint32_t)position + 1;
}

/*
 * A producer's thread may have taken an entry and not published it yet; when it does it will find
 * us closed, and the entry without mark. Those behind it may have been reported as delivered. No
 * more than there are entries, whatever the peer writes.
 */
static void stop_keep_filled(struct doca_comch_consumer *consumer)
{
	const struct comch_fast_rings *rings = &consumer->rings;

	consumer->kept = consumer->taken + rings->mask + 1;
	for (uint64_t at = consumer->taken; at < consumer->kept; at++) {
		struct comch_filled *entry = &rings->filled[at & rings->mask];

		if (stop_is_filled(entry, at))
			sdpu_store(&entry->seq, comch_kept_seq(at));
	}
	/* Release: pairs with the acquire in comch_remote_judge(). */
	sdpu_store_release(&rings->head->judged, consumer->taken + 1);
}

void comch_consumer_shut(struct doca_comch_consumer *consumer)
{
	sdpu_store_release(&consumer->rings.head->closed, 1);
	/* Pairs with F1 behind the publish in comch_remote_fill(): what is published later finds us
	 * closed. */
	sdpu_bell_fence(&consumer->ctx.pe->bell);
	/* Copies in flight end, or are over, before it is decided what was filled. */
	sdpu_grant_revoke(consumer->grant);
	consumer->grant = NULL;
	stop_keep_filled(consumer);
}

static bool stop_take_kept(struct doca_comch_consumer *consumer)
{
	const struct comch_fast_rings *rings = &consumer->rings;

	while (consumer->taken < consumer->kept) {
		const struct comch_filled *entry = &rings->filled[consumer->taken & rings->mask];

		if (sdpu_load(&entry->seq) == comch_kept_seq(consumer->taken) &&
		    comch_consumer_take_ready(consumer) == DOCA_SUCCESS)
			return true;
		sdpu_count(&consumer->taken, 1);
	}
	return false;
}

static bool stop_flush_one(struct doca_comch_consumer *consumer)
{
	while (consumer->flushed < consumer->receives.num) {
		struct doca_comch_consumer_task_post_recv *task =
			(struct doca_comch_consumer_task_post_recv *)sdpu_task_at(
				&consumer->receives, consumer->flushed++);

		if (!task->posted)
			continue;
		task->posted = false;
		sdpu_task_deliver(&task->base, comch_connection_alive(consumer->connection)
						       ? DOCA_ERROR_SHUTDOWN
						       : DOCA_ERROR_CONNECTION_RESET);
		return true;
	}
	return false;
}

bool comch_consumer_give_back(struct doca_comch_consumer *consumer)
{
	return stop_take_kept(consumer) || stop_flush_one(consumer);
}
