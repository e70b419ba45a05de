/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lanes: frames that this end has asked for, in order; contract in fabric_parts.h. Data path.
 */
#include "rdma/fabric_parts.h"

void fabric_lane_ask(struct fabric_lane *lane, const struct fabric_piece *piece)
{
	lane->piece[lane->asked++ % FABRIC_PULLED] = *piece;
}

void fabric_lane_use(struct fabric_proto *proto, enum fabric_lane_kind kind)
{
	struct fabric_lane *lane = &proto->lanes[kind];

	fabric_keep_drop(proto, &lane->piece[lane->used++ % FABRIC_PULLED].kept);
}

void fabric_lane_drop_all(struct fabric_proto *proto)
{
	for (int kind = 0; kind < FABRIC_LANES; kind++) {
		struct fabric_lane *lane = &proto->lanes[kind];

		while (lane->used != lane->asked)
			fabric_lane_use(proto, (enum fabric_lane_kind)kind);
		lane->arrived = lane->asked;
	}
}

/* Cut into frames, as many as `num`; returns the offset behind the last one. */
static uint64_t pull_end(uint64_t asked, uint64_t size, uint32_t num)
{
	uint64_t most = (uint64_t)num * FABRIC_PAYLOAD_MAX;

	return size - asked < most ? size : asked + most;
}

static uint32_t pull_frames(uint64_t asked, uint64_t size)
{
	uint64_t num = (size - asked + FABRIC_PAYLOAD_MAX - 1) / FABRIC_PAYLOAD_MAX;

	return num < FABRIC_PULLED ? (uint32_t)num : FABRIC_PULLED;
}

static void pull_expect(struct fabric_lane *lane, uint32_t seq, uint64_t from, uint64_t upto)
{
	while (from != upto) {
		struct fabric_piece piece = {.seq = seq, .addr = from};

		piece.len = upto - from < FABRIC_PAYLOAD_MAX ? (uint32_t)(upto - from)
							     : FABRIC_PAYLOAD_MAX;
		fabric_lane_ask(lane, &piece);
		from += piece.len;
	}
}

uint64_t fabric_lane_pull(struct fabric_proto *proto, enum fabric_lane_kind kind, uint32_t seq,
			  uint64_t asked, uint64_t size)
{
	struct fabric_lane *lane = &proto->lanes[kind];
	struct fabric_head head = {.kind = FABRIC_PULL, .what = kind, .seq = seq};
	uint32_t num = pull_frames(asked, size);

	if (num > fabric_lane_room(lane))
		num = fabric_lane_room(lane);
	head.addr = pull_end(asked, size, num);
	if (num == 0 || fabric_send(proto, &head) != DOCA_SUCCESS)
		return asked;
	pull_expect(lane, seq, asked, head.addr);
	return head.addr;
}

const char *fabric_lane_data(struct fabric_proto *proto, const struct fabric_head *head,
			     struct fabric_rx **rx)
{
	struct fabric_lane *lane = &proto->lanes[head->what];
	uint32_t place = lane->arrived % FABRIC_PULLED;
	struct fabric_piece *piece = &lane->piece[place];

	if (lane->arrived == lane->asked)
		return "data that was not asked for";
	if (head->seq != piece->seq || head->addr != piece->addr || head->len != piece->len)
		return "other data than was asked for";
	fabric_keep(proto, rx, head, proto->memory->pulled[head->what][place], &piece->kept);
	lane->arrived++;
	return NULL;
}
