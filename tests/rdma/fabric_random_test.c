/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random operations of all kinds and sizes, both ways at once, over a link that moves at random.
 * Each end keeps what the other's memory must hold, in the order of submission, and what the next
 * message must be.
 */
#include <stdlib.h>
#include <string.h>

#include "base/atomic.h"
#include "rdma/fake_link.h"

#define REGION (6u << 20) /* of each end's memory, for the peer to access; below: own buffers */
#define SLOT ((5u << 20) + 64)
#define SLOTS 6u
#define RECEIVES 6u
#define MEMORY (REGION + (SLOTS + RECEIVES) * SLOT)
#define WORDS 16u /* at the region's beginning, for atomics alone */

struct job {
	enum rig_kind kind;
	size_t len;
	uint8_t *expected; /* READ: what must come */
	uint64_t before;   /* atomics: what was there */
};

struct note {
	enum doca_rdma_opcode opcode;
	doca_be32_t immediate;
	size_t len;
	uint32_t seed;
};

struct side {
	struct rig_end *rig;
	struct side *peer;
	uint8_t *mirror;	/* of our region, as the peer has made it */
	struct job jobs[SLOTS]; /* under way, by number */
	uint64_t begun, ended;
	struct note notes[1024]; /* that we must receive */
	uint64_t sent, received, posted;
	uint32_t left;
};

static struct fake_pair pair;
static struct side sides[2];
static bool lost; /* the link: tasks may fail from now on */
static uint64_t seed;

static uint32_t roll(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)((seed >> 11) % below);
}

static size_t roll_len(void)
{
	static const size_t edges[] = {0,    1,	   8,	  80,	 81,	96,    97,    4095,
				       4096, 4097, 16384, 65535, 65536, 65537, 131072};

	if (roll(40) == 0)
		return roll(2) == 0 ? 1u << 20 : 5u << 20;
	return roll(3) == 0 ? roll(100000) : edges[roll(15)];
}

static size_t slot_at(uint64_t number)
{
	return REGION + (size_t)(number % SLOTS) * SLOT;
}

static size_t receive_at(uint64_t number)
{
	return REGION + (size_t)(SLOTS + number % RECEIVES) * SLOT;
}

/* One range as a list of several bufs, some of them perhaps empty. */
static struct doca_buf *list_of(struct rig_end *rig, size_t at, size_t len,
				struct doca_buf *(*make)(struct rig_end *, size_t, size_t))
{
	uint32_t num = roll(3) == 0 ? 1 + roll(12) : 1;
	struct doca_buf *list = NULL;

	while (num-- > 0) {
		size_t n = num == 0 || len == 0 ? len : roll((uint32_t)len + 1);
		struct doca_buf *buf = make(rig, at, n);

		if (list == NULL)
			list = buf;
		else
			T_OK(doca_buf_chain_list(list, buf));
		at += n;
		len -= n;
	}
	return list;
}

static struct doca_buf *source(struct side *side, uint64_t number, size_t len, uint32_t pattern)
{
	rig_fill(side->rig->memory + slot_at(number), len, pattern);
	return list_of(side->rig, slot_at(number), len, rig_data);
}

static void expect_message(struct side *side, enum doca_rdma_opcode opcode, doca_be32_t immediate,
			   size_t len, uint32_t pattern)
{
	side->notes[side->sent++ % 1024] = (struct note){opcode, immediate, len, pattern};
}

static void submit_send(struct side *side, struct job *job)
{
	uint32_t pattern = roll(1000);
	struct doca_buf *src = source(side, side->begun, job->len, pattern);

	if (job->kind == RIG_SEND) {
		expect_message(side->peer, DOCA_RDMA_OPCODE_RECV_SEND, 0, job->len, pattern);
		rig_send(side->rig, src, side->begun);
		return;
	}
	expect_message(side->peer, DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM, pattern * 77, job->len,
		       pattern);
	rig_send_imm(side->rig, src, pattern * 77, side->begun);
}

/* Somewhere behind the words. */
static size_t roll_place(size_t len)
{
	size_t from = WORDS * 8;

	return from + roll((uint32_t)(REGION - from - len + 1));
}

static const struct rig_card *peer_card(const struct side *side)
{
	return &pair.card[side == &sides[0]];
}

static void submit_write(struct side *side, struct job *job)
{
	uint32_t pattern = roll(1000);
	size_t at = roll_place(job->len);
	struct doca_buf *src = source(side, side->begun, job->len, pattern);
	struct doca_buf *dst = rig_remote_room(side->rig, peer_card(side), at, job->len);

	memcpy(side->peer->mirror + at, side->rig->memory + slot_at(side->begun), job->len);
	if (job->kind == RIG_WRITE) {
		rig_write(side->rig, src, dst, side->begun);
		return;
	}
	expect_message(side->peer, DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM, pattern * 5, 0, 0);
	rig_write_imm(side->rig, src, dst, pattern * 5, side->begun);
}

static void submit_read(struct side *side, struct job *job)
{
	size_t at = roll_place(job->len);
	struct doca_buf *dst =
		list_of(side->rig, slot_at(side->begun), job->len + roll(64), rig_room);

	job->expected = malloc(job->len + 1);
	memcpy(job->expected, side->peer->mirror + at, job->len);
	rig_read(side->rig, rig_remote_data(side->rig, peer_card(side), at, job->len), dst,
		 side->begun);
}

static void submit_atomic(struct side *side, struct job *job)
{
	size_t at = roll(WORDS) * 8;
	struct doca_buf *dst = rig_remote_data(side->rig, peer_card(side), at, 8);
	struct doca_buf *result = rig_room(side->rig, slot_at(side->begun), 8);
	uint64_t value = roll(1000), now;

	memcpy(&job->before, side->peer->mirror + at, 8);
	if (job->kind == RIG_FETCH_ADD) {
		now = job->before + value;
		rig_fetch_add(side->rig, dst, result, value, side->begun);
	} else {
		uint64_t compare = roll(2) == 0 ? job->before : value;

		now = compare == job->before ? value : job->before;
		rig_cmp_swp(side->rig, dst, result, compare, value, side->begun);
	}
	memcpy(side->peer->mirror + at, &now, 8);
}

static void submit_one(struct side *side)
{
	static const enum rig_kind kinds[] = {RIG_SEND,	     RIG_SEND_IMM, RIG_READ,	 RIG_WRITE,
					      RIG_WRITE_IMM, RIG_CMP_SWP,  RIG_FETCH_ADD};
	struct job *job = &side->jobs[side->begun % SLOTS];

	*job = (struct job){.kind = kinds[roll(7)], .len = roll_len()};
	if (job->kind <= RIG_SEND_IMM)
		submit_send(side, job);
	else if (job->kind == RIG_READ)
		submit_read(side, job);
	else if (job->kind <= RIG_WRITE_IMM)
		submit_write(side, job);
	else
		submit_atomic(side, job);
	side->begun++;
	side->left--;
}

static void end_one(struct side *side, const struct rig_event *event)
{
	struct job *job = &side->jobs[side->ended % SLOTS];
	const uint8_t *slot = side->rig->memory + slot_at(side->ended);

	T_EQ(event->number, side->ended);
	T_EQ(event->kind, job->kind);
	if (job->kind == RIG_READ) {
		T_EQ(event->len, job->len);
		T_MEMEQ(slot, job->expected, job->len);
		free(job->expected);
	} else if (job->kind >= RIG_CMP_SWP) {
		T_MEMEQ(slot, &job->before, 8);
	}
	side->ended++;
}

static void receive_one(struct side *side, const struct rig_event *event)
{
	struct note *note = &side->notes[side->received % 1024];

	T_CHECK(side->received < side->sent);
	T_EQ(event->number, side->received);
	T_EQ(event->opcode, note->opcode);
	T_EQ(event->immediate, note->immediate);
	T_EQ(event->len, note->len);
	rig_expect(side->rig->memory + receive_at(side->received), note->len, note->seed);
	side->received++;
}

static void happened(struct rig_end *rig, struct doca_task *task, const struct rig_event *event)
{
	struct side *side = rig->arg;

	(void)task;
	if (lost) {
		if (event->kind != RIG_RECEIVE)
			free(side->jobs[event->number % SLOTS].expected);
		return;
	}
	T_EQ(event->status, DOCA_SUCCESS);
	if (event->kind == RIG_RECEIVE)
		receive_one(side, event);
	else
		end_one(side, event);
}

static void post(struct side *side)
{
	size_t at = receive_at(side->posted);

	rig_receive(side->rig, list_of(side->rig, at, SLOT, rig_room), side->posted++);
}

static void act(struct side *side)
{
	if (side->left != 0 && side->begun - side->ended < SLOTS && roll(3) != 0)
		submit_one(side);
	if (side->posted - side->received < RECEIVES && roll(4) == 0)
		post(side);
}

static void set_up(uint64_t with, uint32_t ops)
{
	seed = with * 0x9e3779b97f4a7c15ull + 1;
	memset(&pair, 0, sizeof(pair));
	for (int i = 0; i < 2; i++) {
		rig_init(&pair.rig[i]);
		pair.rig[i].size = MEMORY;
		pair.rig[i].on_event = happened;
		pair.rig[i].arg = &sides[i];
		sides[i] = (struct side){.rig = &pair.rig[i], .peer = &sides[!i], .left = ops};
	}
	fake_raise(&pair);
	pair.random += with;
	for (int i = 0; i < 2; i++) {
		rig_fill(pair.rig[i].memory, REGION, (uint32_t)i);
		sides[i].mirror = malloc(REGION);
		memcpy(sides[i].mirror, pair.rig[i].memory, REGION);
	}
}

static bool is_done(const struct side *side)
{
	return side->left == 0 && side->begun == side->ended && side->received == side->sent;
}

static void tear_down(void)
{
	for (int i = 0; i < 2; i++) {
		T_MEMEQ(pair.rig[i].memory, sides[i].mirror, REGION);
		free(sides[i].mirror);
	}
	fake_close(&pair);
}

static void run(uint64_t with, uint32_t ops)
{
	set_up(with, ops);
	T_EVENTUALLY((act(&sides[0]), act(&sides[1]), fake_turn(&pair),
		      is_done(&sides[0]) && is_done(&sides[1])),
		     100000);
	tear_down();
}

T_CASE_TIMEOUT(random_operations_do_what_they_say, 120)
{
	for (uint64_t with = 1; with <= 4; with++)
		run(with, 300);
}

/* The progress thread at its busiest; it takes the same locks. */
static uint32_t stop;

static void *drive(void *arg)
{
	(void)arg;
	while (sdpu_load(&stop) == 0)
		fake_run(&pair);
	return NULL;
}

static void turn(void)
{
	for (int i = 0; i < 2; i++) {
		act(&sides[i]);
		(void)doca_pe_progress(sides[i].rig->pe);
	}
}

static pthread_t driver;

static void start_driver(void)
{
	sdpu_store(&stop, 0);
	T_EQ(pthread_create(&driver, NULL, drive, NULL), 0);
}

static void stop_driver(void)
{
	sdpu_store(&stop, 1);
	T_EQ(pthread_join(driver, NULL), 0);
}

T_CASE_TIMEOUT(another_thread_may_drive, 120)
{
	set_up(99, 600);
	start_driver();
	T_EVENTUALLY((turn(), is_done(&sides[0]) && is_done(&sides[1])), 100000);
	stop_driver();
	tear_down();
}

static bool is_idle(const struct side *side)
{
	return rig_state(side->rig) == DOCA_CTX_STATE_IDLE;
}

static void stop_both(void)
{
	for (int i = 0; i < 2; i++)
		(void)doca_ctx_stop(sides[i].rig->ctx);
	T_EVENTUALLY((doca_pe_progress(sides[0].rig->pe), doca_pe_progress(sides[1].rig->pe),
		      is_idle(&sides[0]) && is_idle(&sides[1])),
		     10000);
}

T_CASE_TIMEOUT(another_thread_drives_while_it_ends, 120)
{
	for (uint64_t with = 1; with <= 12; with++) {
		set_up(with, 1000);
		start_driver();
		for (uint32_t i = 0; i < with * 30; i++)
			turn();
		lost = true;
		if (with % 2 == 0)
			fake_cut(&pair);
		else
			(void)doca_ctx_stop(sides[0].rig->ctx);
		T_EVENTUALLY((doca_pe_progress(sides[0].rig->pe),
			      doca_pe_progress(sides[1].rig->pe), sides[1].rig->disconnects == 1),
			     10000);
		stop_both();
		stop_driver();
		for (int i = 0; i < 2; i++)
			free(sides[i].mirror);
		fake_close(&pair);
		lost = false;
	}
}
