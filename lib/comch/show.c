/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Connections, their ends and their members, as watchers see them; contract in show.h.
 */
#include "comch/show.h"

#include <stdio.h>

#include "comch/consumer.h"
#include "comch/endpoint.h"
#include "comch/producer.h"

/*
 * Entries that are filled and not taken, in a ring of that many whose sequence words are `stride`
 * bytes apart. They follow one another from `taken` on, so that it takes few looks.
 */
static uint32_t count_filled(const void *seq, size_t stride, uint32_t num, uint32_t taken)
{
	uint32_t low = 0, high = num;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		uint32_t at = taken + middle;
		const uint32_t *word =
			(const void *)((const uint8_t *)seq + (at & (num - 1)) * stride);

		if (sdpu_load(word) == at + 1)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void comch_show_endpoint(const struct doca_ctx *ctx, struct softdpu_object *row)
{
	const struct comch_endpoint *endpoint = sdpu_container_of(ctx, struct comch_endpoint, ctx);

	snprintf(row->name, sizeof(row->name), "%s", endpoint->name);
}

static void connection_show(const struct sdpu_stats *stats, struct softdpu_object *row)
{
	const struct doca_comch_connection *connection =
		sdpu_container_of(stats, struct doca_comch_connection, stats);
	const struct comch_rx *rx = &connection->rx;
	bool is_open = sdpu_load(&connection->state) == COMCH_CONNECTION_OPEN;

	row->state = is_open ? SOFTDPU_STATE_RUNNING : SOFTDPU_STATE_ENDED;
	row->engine = connection->endpoint->ctx.pe->stats.id;
	row->peer = connection->peer;
	row->sent_messages = sdpu_load(&connection->tx.messages);
	row->sent_bytes = sdpu_load(&connection->tx.bytes);
	row->received_messages = sdpu_load(&rx->messages);
	row->received_bytes = sdpu_load(&rx->bytes);
	if (stats->memory != NULL)
		row->queued = count_filled(stats->memory, sizeof(struct comch_entry), rx->mask + 1,
					   (uint32_t)row->received_messages);
}

void comch_show_enter(struct doca_comch_connection *connection)
{
	struct sdpu_stats *stats = &connection->stats;

	sdpu_stats_set_parent(stats, &connection->endpoint->ctx.stats);
	stats->memory = connection->rx.entries;
	sdpu_stats_register(stats, SOFTDPU_OBJECT_CONNECTION, connection_show);
}

void comch_show_consumer(const struct doca_ctx *ctx, struct softdpu_object *row)
{
	const struct doca_comch_consumer *consumer =
		sdpu_container_of(ctx, struct doca_comch_consumer, ctx);
	const void *filled = ctx->stats.memory;
	uint64_t taken, given, waiting;

	row->number = sdpu_load(&consumer->member.id);
	row->peer = consumer->connection->peer;
	row->received_messages = sdpu_load(&consumer->messages);
	row->received_bytes = sdpu_load(&consumer->bytes);
	if (filled == NULL)
		return;
	/* Acquire: then no more are taken than were posted, until it stops and passes over the rest
	 * of the ring. */
	taken = sdpu_load_acquire(&consumer->taken);
	given = sdpu_load(&consumer->posted) + sdpu_load(&consumer->parts);
	waiting = taken < given ? given - taken : 0;
	row->queued = count_filled(filled, sizeof(struct comch_filled), consumer->rings.mask + 1,
				   (uint32_t)taken);
	row->posted = row->queued < waiting ? waiting - row->queued : 0;
}

void comch_show_producer(const struct doca_ctx *ctx, struct softdpu_object *row)
{
	const struct doca_comch_producer *producer =
		sdpu_container_of(ctx, struct doca_comch_producer, ctx);

	row->number = sdpu_load(&producer->member.id);
	row->peer = producer->connection->peer;
	row->sent_messages = sdpu_load(&producer->messages);
	row->sent_bytes = sdpu_load(&producer->bytes);
}
