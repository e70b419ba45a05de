/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Peers that say what they may not: each lie is named in the log, the connection ends with
 * CONNECTION_ABORTED, and nothing else happens.
 */
#include <string.h>

#include "base/bytes.h"
#include "core/kit.h"
#include "rdma/fake_link.h"

static struct fake_pair pair;
static struct rig_end *const a = &pair.rig[0], *const b = &pair.rig[1];
static struct fake_end *const end_a = &pair.end[0], *const end_b = &pair.end[1];

static void begin(void)
{
	memset(&pair, 0, sizeof(pair));
	rig_init(a);
	rig_init(b);
	fake_raise(&pair);
	fake_run(&pair);
	/* What a's own end would make of it does not matter. */
	end_a->over = true;
	(void)kit_log();
}

/* A frame as a's end would send it, with what it may say of counts. */
static struct fabric_head honest(enum fabric_kind kind)
{
	struct fabric_head head = {
		.kind = (uint8_t)kind,
		.acked = (uint32_t)end_a->proto.messages_done,
		.taken = (uint32_t)end_a->proto.requests_done,
		.credit = end_a->proto.eager_given,
	};

	memcpy(head.key, pair.card[1].memory + 36, sizeof(head.key));
	return head;
}

static void say(const struct fabric_head *head)
{
	uint8_t bytes[FABRIC_FRAME_MAX] = {0};
	uint32_t len = fabric_head_write(head, bytes);

	fake_inject(end_b, bytes, len + head->len);
	fake_run(&pair);
}

/* b was sent the last straw. */
static void found_out(const char *words)
{
	FAKE_POLL_UNTIL(&pair, b->disconnects == 1, 10000);
	T_CONTAINS(kit_log(), words);
	for (uint32_t i = 0; i < b->num_events; i++)
		T_CHECK(b->events[i].ok || b->events[i].status == DOCA_ERROR_CONNECTION_ABORTED);
	fake_close(&pair);
}

static void lie(const struct fabric_head *head, const char *words)
{
	say(head);
	found_out(words);
}

T_CASE(garbage)
{
	uint8_t bytes[FABRIC_FRAME_MAX];

	memset(bytes, 0xee, sizeof(bytes));
	for (uint32_t len = 1; len < 100; len += 7) {
		begin();
		fake_inject(end_b, bytes, len);
		fake_run(&pair);
		found_out(len < 32 ? "shorter than any head" : "of no known kind");
	}
}

T_CASE(heads_that_none_has)
{
	struct fabric_head head;
	uint8_t bytes[FABRIC_FRAME_MAX] = {0};

	begin();
	head = honest(FABRIC_READ);
	head.size = 1;
	fake_inject(end_b, bytes, fabric_head_write(&head, bytes) - 1);
	fake_run(&pair);
	found_out("shorter than its head");
	begin();
	head.size = FABRIC_PAYLOAD_MAX + 1;
	lie(&head, "of a size that none has");
	begin();
	head.size = 0;
	lie(&head, "of a size that none has");
	begin();
	head.size = 1;
	head.flags = FABRIC_NOTICE;
	lie(&head, "with values that none has");
	begin();
	head.flags = 0;
	head.status = 3000;
	lie(&head, "with a status that none has");
	begin();
	head = honest(FABRIC_ACK);
	head.len = 1;
	lie(&head, "of another length than it says");
	begin();
	head = honest(FABRIC_WRITE);
	head.len = 10;
	head.size = 11;
	lie(&head, "of a size that none has");
}

T_CASE(counts_of_what_was_not_sent)
{
	struct fabric_head head;

	begin();
	head = honest(FABRIC_ACK);
	head.acked = 1;
	lie(&head, "more messages acknowledged than were sent");
	begin();
	head = honest(FABRIC_ACK);
	head.acked = UINT32_MAX;
	lie(&head, "more messages acknowledged than were sent");
	begin();
	head = honest(FABRIC_ACK);
	head.taken = 1;
	lie(&head, "more requests taken than were sent");
	begin();
	head = honest(FABRIC_ACK);
	head.credit = 1000;
	lie(&head, "more credit than there is staging");
}

T_CASE(numbers_out_of_turn)
{
	struct fabric_head head;

	begin();
	head = honest(FABRIC_SEND);
	head.seq = 1;
	lie(&head, "a message with another number than the next");
	begin();
	head = honest(FABRIC_READ);
	head.size = 1;
	head.seq = UINT32_MAX;
	lie(&head, "a request with another number than the next");
}

T_CASE(more_messages_than_there_is_room_for)
{
	struct fabric_head head;

	begin();
	head = honest(FABRIC_SEND);
	for (; head.seq < FABRIC_MESSAGES; head.seq++)
		say(&head);
	T_EQ(end_b->failed, false);
	lie(&head, "more messages than may be under way");
	/* By writes with immediate as well. */
	begin();
	head = honest(FABRIC_SEND);
	for (; head.seq < FABRIC_MESSAGES; head.seq++)
		say(&head);
	head = honest(FABRIC_WRITE);
	head.flags = FABRIC_NOTICE;
	head.len = 8;
	head.size = 8;
	lie(&head, "more messages than may be under way");
}

/* The first one waits for its bytes, those behind it for the first. */
T_CASE(more_requests_than_there_is_room_for)
{
	struct fabric_head head;

	begin();
	head = honest(FABRIC_WRITE);
	head.addr = pair.card[1].addr;
	head.size = 100000;
	for (; head.seq < FABRIC_REQUESTS; head.seq++)
		say(&head);
	T_EQ(end_b->failed, false);
	lie(&head, "more requests than may be under way");
}

T_CASE(long_frames_without_credit)
{
	struct fabric_head head;

	begin();
	head = honest(FABRIC_SEND);
	head.len = FABRIC_SMALL + 1;
	for (; head.seq < FABRIC_EAGER; head.seq++)
		say(&head);
	T_EQ(end_b->failed, false);
	lie(&head, "a long frame without credit");
}

T_CASE(data_that_was_not_asked_for)
{
	struct fabric_head head;

	for (uint8_t what = 0; what < FABRIC_LANES; what++) {
		begin();
		head = honest(FABRIC_DATA);
		head.what = what;
		head.len = 100;
		lie(&head, "data that was not asked for");
	}
	begin();
	rig_read(b, rig_remote_data(b, &pair.card[0], 0, 100), rig_room(b, 0, 100), 0);
	head = honest(FABRIC_DATA);
	head.what = FABRIC_LANE_READ;
	head.addr = pair.card[0].addr;
	head.len = 101;
	lie(&head, "other data than was asked for");
	/* A write that waits for its bytes gets more of them than it has. */
	begin();
	head = honest(FABRIC_WRITE);
	head.addr = pair.card[1].addr;
	head.size = 100;
	say(&head);
	T_EVENTUALLY((fake_run(&pair), end_b->proto.lanes[FABRIC_LANE_WRITE].asked == 1), 10000);
	head = honest(FABRIC_DATA);
	head.what = FABRIC_LANE_WRITE;
	head.len = 200;
	lie(&head, "other data than was asked for");
}

/* b offers a long message, and a pulled write. */
static struct fabric_head offer(void)
{
	begin();
	rig_send(b, rig_data(b, 0, 500000), 0);
	rig_write(b, rig_data(b, 0, 500000), rig_remote_room(b, &pair.card[0], 0, 500000), 1);
	return honest(FABRIC_PULL);
}

T_CASE(pulls_of_what_was_not_offered)
{
	struct fabric_head head = offer();

	head.seq = 1;
	head.addr = FABRIC_PAYLOAD_MAX;
	lie(&head, "a pull of what was not offered");
	head = offer();
	head.addr = 0;
	lie(&head, "a pull of what is not next");
	head = offer();
	head.addr = 500001;
	lie(&head, "a pull of what is not next");
	head = offer();
	head.addr = 10;
	lie(&head, "a pull of what is not next");
	head = offer();
	head.what = FABRIC_LANE_WRITE;
	head.addr = 500000;
	lie(&head, "a pull of what is not next");
}

T_CASE(results_that_are_not_due)
{
	struct fabric_head head;

	begin();
	head = honest(FABRIC_RESULT);
	lie(&head, "a result that was not asked for");
	begin();
	rig_read(b, rig_remote_data(b, &pair.card[0], 0, 100), rig_room(b, 0, 100), 0);
	head = honest(FABRIC_RESULT);
	lie(&head, "a read without data");
	begin();
	rig_write(b, rig_data(b, 0, 100), rig_remote_room(b, &pair.card[0], 0, 100), 0);
	head = honest(FABRIC_RESULT);
	lie(&head, "a result of a write that succeeded");
	begin();
	rig_fetch_add(b, rig_remote_data(b, &pair.card[0], 0, 8), rig_room(b, 0, 8), 1, 0);
	head = honest(FABRIC_RESULT);
	say(&head);
	lie(&head, "a result that is not due");
}

/* No harm in asking for it: key and place are judged, and the requester is told. */
static uint64_t other_addr;
static uint8_t other_key;

static void ask_for_other(struct fake_end *to, uint8_t *bytes, uint32_t *len)
{
	(void)to;
	(void)len;
	if (bytes[0] != FABRIC_READ && bytes[0] != FABRIC_WRITE && bytes[0] != FABRIC_ATOMIC)
		return;
	if (other_addr != 0)
		sdpu_put_u64(bytes + 32, other_addr);
	bytes[48] ^= other_key;
}

static void refused(void)
{
	uint32_t before = a->num_events;

	rig_read(a, rig_remote_data(a, &pair.card[1], 0, 4096), rig_room(a, 0, 4096), 0);
	rig_write(a, rig_data(a, 0, 4096), rig_remote_room(a, &pair.card[1], 0, 4096), 1);
	rig_write(a, rig_data(a, 0, 70000), rig_remote_room(a, &pair.card[1], 0, 70000), 2);
	rig_fetch_add(a, rig_remote_data(a, &pair.card[1], 0, 8), rig_room(a, 0, 8), 1, 3);
	FAKE_POLL_UNTIL(&pair, a->num_events == before + 4, 10000);
	for (uint32_t i = before; i < before + 4; i++)
		T_EQ(a->events[i].status, DOCA_ERROR_NOT_PERMITTED);
	T_EQ(a->disconnects + b->disconnects, 0);
}

T_CASE(places_and_keys_that_are_not_exported)
{
	begin();
	end_a->over = false;
	end_b->tamper = ask_for_other;
	other_addr = pair.card[1].addr - 8;
	refused();
	other_addr = pair.card[1].addr + pair.card[1].size;
	refused();
	other_addr = 1;
	refused();
	other_addr = UINT64_MAX & ~7ull;
	refused();
	other_addr = 0;
	other_key = 1;
	refused();
	fake_close(&pair);
}
