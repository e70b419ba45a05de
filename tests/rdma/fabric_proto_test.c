/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The protocol of the fabric back end over a link that moves as the test says: who need not poll,
 * how many frames there are, what is refused, and how a connection ends in the midst of things.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "rdma/fake_link.h"

#define MIB (1u << 20)
#define BIG (5u * MIB)

static struct fake_pair pair;
static struct rig_end *const a = &pair.rig[0], *const b = &pair.rig[1];
static struct fake_end *const end_a = &pair.end[0], *const end_b = &pair.end[1];

static void begin(size_t size)
{
	memset(&pair, 0, sizeof(pair));
	rig_init(a);
	rig_init(b);
	a->size = b->size = size;
	fake_raise(&pair);
}

static uint32_t ends(const struct rig_end *rig)
{
	uint32_t sum = 0;

	for (int kind = 0; kind < RIG_KINDS; kind++)
		sum += rig->ok[kind] + rig->failed[kind];
	return sum;
}

/* Links move, and the engine of that one end only. */
#define ALONE(rig, cond) T_EVENTUALLY((fake_run(&pair), doca_pe_progress((rig)->pe), (cond)), 10000)

static struct doca_buf *there_room(size_t at, size_t len)
{
	return rig_remote_room(a, &pair.card[1], at, len);
}

static struct doca_buf *there_data(size_t at, size_t len)
{
	return rig_remote_data(a, &pair.card[1], at, len);
}

T_CASE(a_passive_responder_need_not_poll)
{
	begin(4 * BIG);
	rig_fill(a->memory, BIG, 1);
	rig_write(a, rig_data(a, 0, BIG), there_room(0, BIG), 0);
	rig_read(a, there_data(0, BIG), rig_room(a, BIG, BIG), 1);
	rig_fetch_add(a, there_data(BIG, 8), rig_room(a, 2 * BIG, 8), 7, 2);
	rig_cmp_swp(a, there_data(BIG, 8), rig_room(a, 2 * BIG + 8, 8), 7, 9, 3);
	ALONE(a, ends(a) == 4);
	T_EQ(a->ok[RIG_WRITE] + a->ok[RIG_READ] + a->ok[RIG_FETCH_ADD] + a->ok[RIG_CMP_SWP], 4);
	rig_expect(b->memory, BIG, 1);
	rig_expect(a->memory + BIG, BIG, 1);
	T_EQ(*(uint64_t *)(void *)(b->memory + BIG), 9);
	T_EQ(*(uint64_t *)(void *)(a->memory + 2 * BIG), 0);
	T_EQ(*(uint64_t *)(void *)(a->memory + 2 * BIG + 8), 7);
	fake_close(&pair);
}

T_CASE(the_sender_of_a_long_message_need_not_poll)
{
	begin(2 * BIG);
	rig_fill(a->memory, BIG, 3);
	rig_send(a, rig_data(a, 0, BIG), 0);
	rig_receive(b, rig_room(b, 0, BIG), 0);
	ALONE(b, b->ok[RIG_RECEIVE] == 1);
	rig_expect(b->memory, BIG, 3);
	FAKE_POLL_UNTIL(&pair, a->ok[RIG_SEND] == 1, 10000);
	fake_close(&pair);
}

T_CASE(a_message_waits_for_a_receive_and_requests_pass_it)
{
	fake_begin(&pair);
	rig_send(a, rig_data(a, 0, 100), 0);
	rig_send(a, rig_data(a, 0, 100000), 1);
	rig_write(a, rig_data(a, 0, 64), there_room(0, 64), 2);
	FAKE_POLL_UNTIL(&pair, end_a->proto.requests_taken == 1, 10000);
	T_EQ(ends(a) + ends(b), 0);
	rig_receive(b, rig_room(b, 0, 200000), 0);
	FAKE_POLL_UNTIL(&pair, b->ok[RIG_RECEIVE] == 1, 10000);
	T_EQ(rig_last(b, RIG_RECEIVE)->len, 100);
	rig_receive(b, rig_room(b, 0, 200000), 1);
	FAKE_POLL_UNTIL(&pair, ends(a) == 3 && b->ok[RIG_RECEIVE] == 2, 10000);
	T_EQ(rig_last(b, RIG_RECEIVE)->len, 100000);
	fake_close(&pair);
}

/* More than there is of any window, with nobody to take them. */
T_CASE(sends_without_receives_wait_within_bounds)
{
	begin(MIB);
	for (uint32_t i = 0; i < 60; i++)
		rig_send(a, rig_data(a, i * 5000, i % 3 == 0 ? 5000 : 500), i);
	for (int i = 0; i < 10; i++) {
		fake_run(&pair);
		rig_progress(a, b);
	}
	T_EQ(end_a->proto.messages_sent, FABRIC_MESSAGES);
	T_CHECK(end_b->port.proto.held <= FABRIC_EAGER);
	for (uint32_t i = 0; i < 60; i++)
		rig_receive(b, rig_room(b, 0, 5000), i);
	FAKE_POLL_UNTIL(&pair, a->ok[RIG_SEND] == 60 && b->ok[RIG_RECEIVE] == 60, 10000);
	fake_close(&pair);
}

static void answer(struct rig_end *rig, struct doca_task *task, const struct rig_event *event)
{
	(void)task;
	if (event->kind != RIG_RECEIVE || event->number == 100)
		return;
	rig_receive(rig, rig_room(rig, 0, 64), event->number + 1);
	rig_send(rig, rig_data(rig, 0, 64), event->number + 1);
}

T_CASE(a_round_trip_is_two_frames)
{
	uint64_t before;

	fake_begin(&pair);
	rig_receive(a, rig_room(a, 0, 64), 0);
	rig_receive(b, rig_room(b, 0, 64), 0);
	FAKE_POLL_UNTIL(&pair, end_a->proto.eager_credit != 0 && end_b->proto.eager_credit != 0,
			10000);
	a->on_event = b->on_event = answer;
	before = end_a->frames + end_b->frames;
	rig_send(a, rig_data(a, 0, 64), 0);
	FAKE_POLL_UNTIL(&pair, b->ok[RIG_RECEIVE] == 101, 10000);
	/* The last ones may be told of by themselves. */
	T_CHECK(end_a->frames + end_b->frames - before <= 202 + 2);
	fake_close(&pair);
}

T_CASE(a_write_is_told_of_by_one_frame)
{
	uint64_t before;

	fake_begin(&pair);
	rig_write(a, rig_data(a, 0, 64), there_room(0, 64), 0);
	FAKE_POLL_UNTIL(&pair, ends(a) == 1, 10000);
	before = end_a->frames + end_b->frames;
	rig_write(a, rig_data(a, 0, FABRIC_PAYLOAD_MAX), there_room(0, FABRIC_PAYLOAD_MAX), 1);
	FAKE_POLL_UNTIL(&pair, ends(a) == 2, 10000);
	T_EQ(end_a->frames + end_b->frames - before, 2);
	fake_close(&pair);
}

T_CASE(a_sleeping_sender_is_told_of_an_unanswered_message)
{
	fake_begin(&pair);
	rig_receive(b, rig_room(b, 0, 64), 0);
	rig_send(a, rig_data(a, 0, 64), 0);
	T_EVENTUALLY((fake_run(&pair), doca_pe_progress(b->pe), b->ok[RIG_RECEIVE] == 1), 10000);
	/* Neither engine polls any more. */
	fake_run(&pair);
	T_EQ(end_a->proto.messages_acked, 1);
	fake_close(&pair);
}

/* Who may not, by what. */
static void set_permissions(uint32_t context, uint32_t memory)
{
	memset(&pair, 0, sizeof(pair));
	rig_init(a);
	rig_init(b);
	b->permissions = context;
	b->mmap_permissions = memory;
	fake_raise(&pair);
	/* As if the peer had said that all is permitted: the responder judges. */
	end_a->connection->peer_permissions = RIG_ALL;
}

static void submit_all(void)
{
	rig_write(a, rig_data(a, 0, 64), there_room(0, 64), 0);
	rig_write(a, rig_data(a, 0, 300000), there_room(0, 300000), 1);
	rig_read(a, there_data(0, 64), rig_room(a, 0, 64), 2);
	rig_read(a, there_data(0, 300000), rig_room(a, 0, 300000), 3);
	rig_fetch_add(a, there_data(0, 8), rig_room(a, 0, 8), 1, 4);
	rig_write_imm(a, rig_data(a, 0, 64), there_room(0, 64), 1, 5);
}

static void expect_statuses(uint32_t writes, uint32_t reads, uint32_t atomics)
{
	rig_receive(b, rig_room(b, 0, 64), 0);
	submit_all();
	FAKE_POLL_UNTIL(&pair, ends(a) == 6, 10000);
	T_EQ(a->ok[RIG_WRITE], writes);
	T_EQ(a->ok[RIG_READ], reads);
	T_EQ(a->ok[RIG_FETCH_ADD], atomics);
	T_EQ(a->ok[RIG_WRITE_IMM], writes / 2);
	for (uint32_t i = 0; i < a->num_events; i++)
		T_CHECK(a->events[i].ok || a->events[i].status == DOCA_ERROR_NOT_PERMITTED);
	T_EQ(b->ok[RIG_RECEIVE], writes / 2);
	/* The connection lives on. */
	rig_receive(b, rig_room(b, 0, 64), 1);
	rig_send(a, rig_data(a, 0, 10), 6);
	FAKE_POLL_UNTIL(&pair, a->ok[RIG_SEND] == 1, 10000);
	fake_close(&pair);
}

T_CASE(the_responders_context_permits)
{
	set_permissions(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ, RIG_ALL);
	expect_statuses(0, 2, 0);
	set_permissions(DOCA_ACCESS_FLAG_RDMA_WRITE, RIG_ALL);
	expect_statuses(2, 0, 0);
	set_permissions(DOCA_ACCESS_FLAG_RDMA_ATOMIC, RIG_ALL);
	expect_statuses(0, 0, 1);
}

T_CASE(the_exported_memory_permits)
{
	set_permissions(RIG_ALL, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ);
	expect_statuses(0, 2, 0);
	set_permissions(RIG_ALL, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_WRITE);
	expect_statuses(2, 0, 0);
	set_permissions(RIG_ALL, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC);
	expect_statuses(0, 0, 1);
}

static void refused(uint32_t num)
{
	FAKE_POLL_UNTIL(&pair, ends(a) == num, 10000);
	T_EQ(rig_last(a, RIG_WRITE)->status, DOCA_ERROR_NOT_PERMITTED);
}

T_CASE(stopped_memory_is_not_reached)
{
	fake_begin(&pair);
	rig_write(a, rig_data(a, 0, 64), there_room(0, 64), 0);
	FAKE_POLL_UNTIL(&pair, a->ok[RIG_WRITE] == 1, 10000);
	/* One in the midst of its pieces as well. */
	rig_write(a, rig_data(a, 0, MIB), there_room(0, MIB), 1);
	for (int i = 0; i < 4; i++) {
		fake_step(end_a, FAKE_LEAVE);
		fake_step(end_b, FAKE_ARRIVE);
		fake_step(end_b, FAKE_LEAVE);
		fake_step(end_a, FAKE_ARRIVE);
	}
	T_OK(doca_mmap_destroy(b->mmap));
	b->mmap = NULL;
	refused(2);
	T_EQ(end_b->port.proto.held, 0);
	rig_write(a, rig_data(a, 0, 64), there_room(0, 64), 2);
	refused(3);
	T_CHECK(sdpu_list_empty(&end_b->port.proto.reaches));
	fake_close(&pair);
}

/* By a user who has not stopped the mmap. */
T_CASE(freed_memory_is_an_error)
{
	void *memory = mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memset(&pair, 0, sizeof(pair));
	rig_init(a);
	rig_init(b);
	b->memory = memory;
	fake_raise(&pair);
	rig_fill(a->memory, 4096, 1);
	rig_write(a, rig_data(a, 0, 4096), there_room(0, 4096), 0);
	FAKE_POLL_UNTIL(&pair, a->ok[RIG_WRITE] == 1, 10000);
	rig_expect(memory, 4096, 1);
	T_EQ(munmap(memory, MIB), 0);
	rig_write(a, rig_data(a, 0, 300000), there_room(0, 300000), 1);
	rig_read(a, there_data(0, 300000), rig_room(a, 0, 300000), 2);
	rig_fetch_add(a, there_data(0, 8), rig_room(a, 0, 8), 1, 3);
	FAKE_POLL_UNTIL(&pair, ends(a) == 4, 10000);
	for (uint32_t i = 1; i < 4; i++)
		T_EQ(a->events[i].status, DOCA_ERROR_IO_FAILED);
	T_EQ(a->disconnects, 0);
	fake_close(&pair);
}

static const struct rig_event *event_of(const struct rig_end *rig, uint64_t number)
{
	for (uint32_t i = 0; i < rig->num_events; i++)
		if (rig->events[i].number == number)
			return &rig->events[i];
	T_FAIL("no event %llu", (unsigned long long)number);
}

static void message_too_long(size_t len)
{
	fake_begin(&pair);
	rig_receive(b, rig_room(b, 0, 100), 0);
	rig_receive(b, rig_room(b, 0, 90), 1);
	rig_receive(b, rig_room(b, 0, 100), 2);
	rig_send(a, rig_data(a, 0, 100), 0);
	rig_send(a, rig_data(a, 0, len), 1);
	rig_send(a, rig_data(a, 0, 10), 2);
	FAKE_POLL_UNTIL(&pair, a->disconnects == 1 && b->disconnects == 1, 10000);
	T_EQ(event_of(b, 0)->status, DOCA_SUCCESS);
	T_EQ(event_of(b, 1)->status, DOCA_ERROR_IO_FAILED);
	T_EQ(b->num_events, 2);
	T_EQ(event_of(a, 0)->status, DOCA_SUCCESS);
	T_EQ(event_of(a, 1)->status, DOCA_ERROR_IO_FAILED);
	T_EQ(event_of(a, 2)->status, DOCA_ERROR_IO_FAILED);
	fake_close(&pair);
}

T_CASE(a_message_longer_than_its_receive_fails_both)
{
	message_too_long(91);
	message_too_long(30000);
	message_too_long(500000);
}

/* All kinds under way, some of them in the midst. */
static void get_busy(void)
{
	begin(4 * BIG);
	rig_receive(b, rig_room(b, BIG, BIG), 0);
	rig_receive(b, rig_room(b, BIG, BIG), 1);
	rig_send(a, rig_data(a, 0, BIG), 10);
	submit_all();
	rig_write(a, rig_data(a, 0, BIG), there_room(0, BIG), 11);
	rig_send(a, rig_data(a, 0, 50000), 12);
	rig_read(a, there_data(0, BIG), rig_room(a, BIG, BIG), 13);
	rig_send(b, rig_data(b, 0, 50000), 14);
	rig_read(b, rig_remote_data(b, &pair.card[0], 0, BIG), rig_room(b, 2 * BIG, BIG), 15);
}

static void settle_statuses(const struct rig_end *rig, uint32_t tasks, doca_error_t why)
{
	T_EQ(rig->num_events, tasks);
	for (uint32_t i = 0; i < rig->num_events; i++)
		if (rig->events[i].status != DOCA_SUCCESS)
			T_EQ(rig->events[i].status, why);
}

T_CASE_TIMEOUT(a_lost_link_fails_what_is_under_way, 120)
{
	for (uint32_t turns = 0; turns < 2000; turns += 1 + turns / 8) {
		get_busy();
		pair.random += turns;
		for (uint32_t i = 0; i < turns; i++)
			fake_turn(&pair);
		fake_cut(&pair);
		FAKE_POLL_UNTIL(&pair, a->disconnects == 1 && b->disconnects == 1, 10000);
		settle_statuses(a, 10, DOCA_ERROR_CONNECTION_RESET);
		/* Receives are the context's, and stay. */
		T_EQ(b->failed[RIG_RECEIVE], 0);
		T_EQ(b->num_events - b->ok[RIG_RECEIVE], 2);
		fake_close(&pair);
		T_EQ(b->ok[RIG_RECEIVE] + b->failed[RIG_RECEIVE], 2);
	}
}

T_CASE_TIMEOUT(a_context_stops_in_the_midst, 120)
{
	for (uint32_t turns = 0; turns < 2000; turns += 1 + turns / 8) {
		get_busy();
		pair.random += turns;
		for (uint32_t i = 0; i < turns; i++)
			fake_turn(&pair);
		(void)doca_ctx_stop(b->ctx);
		FAKE_POLL_UNTIL(&pair, a->disconnects == 1 && rig_state(b) == DOCA_CTX_STATE_IDLE,
				10000);
		settle_statuses(b, 4, DOCA_ERROR_SHUTDOWN);
		settle_statuses(a, 10, DOCA_ERROR_CONNECTION_RESET);
		fake_close(&pair);
	}
}

T_CASE(what_came_before_the_end_is_delivered)
{
	fake_begin(&pair);
	rig_send(a, rig_data(a, 0, 100), 0);
	rig_send(a, rig_data(a, 0, 100), 1);
	fake_run(&pair);
	(void)doca_ctx_stop(a->ctx);
	RIG_ALONE(a, rig_state(a) == DOCA_CTX_STATE_IDLE);
	fake_run(&pair);
	rig_receive(b, rig_room(b, 0, 100), 0);
	rig_receive(b, rig_room(b, 0, 100), 1);
	RIG_ALONE(b, b->disconnects == 1);
	T_EQ(b->ok[RIG_RECEIVE], 2);
	fake_close(&pair);
}

T_CASE(a_freed_receive_takes_nothing)
{
	struct doca_task *task;
	struct doca_buf *buf;

	begin(2 * BIG);
	task = rig_receive(b, rig_room(b, 0, BIG), 0);
	rig_receive(b, rig_room(b, BIG, BIG), 1);
	memset(b->memory, 0, 2 * BIG);
	rig_fill(a->memory, BIG, 9);
	rig_send(a, rig_data(a, 0, BIG), 0);
	rig_send(a, rig_data(a, 0, BIG), 1);
	FAKE_POLL_UNTIL(&pair, end_b->proto.pull.got != 0, 10000);
	buf = doca_rdma_task_receive_get_dst_buf((void *)task);
	doca_task_free(task);
	memset(b->memory, 0, BIG);
	FAKE_POLL_UNTIL(&pair, a->ok[RIG_SEND] == 2, 10000);
	T_OK(doca_buf_dec_refcount(buf, NULL));
	T_EQ(b->ok[RIG_RECEIVE], 1);
	T_EQ(b->events[0].number, 1);
	rig_expect(b->memory + BIG, BIG, 9);
	for (size_t i = 0; i < BIG; i++)
		T_EQ(b->memory[i], 0);
	fake_close(&pair);
}

T_CASE(a_freed_read_touches_nothing)
{
	struct doca_buf *src = NULL, *dst = NULL;
	struct doca_task *task;

	begin(2 * BIG);
	src = there_data(0, BIG);
	dst = rig_room(a, 0, BIG);
	rig_fill(b->memory, BIG, 9);
	task = rig_read(a, src, dst, 0);
	rig_read(a, there_data(0, 64), rig_room(a, BIG, 64), 1);
	FAKE_POLL_UNTIL(&pair, end_a->proto.calls[0].done != 0, 10000);
	doca_task_free(task);
	memset(a->memory, 0, BIG);
	FAKE_POLL_UNTIL(&pair, a->ok[RIG_READ] == 1, 10000);
	T_OK(doca_buf_dec_refcount(src, NULL));
	T_OK(doca_buf_dec_refcount(dst, NULL));
	rig_expect(a->memory + BIG, 64, 9);
	for (size_t i = 0; i < BIG; i++)
		T_EQ(a->memory[i], 0);
	fake_close(&pair);
}

/* With all that belongs to it, while the peer is still about to pull it. */
T_CASE(a_freed_send_is_of_zeros)
{
	void *memory = mmap(NULL, BIG, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct doca_task *task;
	struct doca_buf *buf;

	memset(&pair, 0, sizeof(pair));
	rig_init(a);
	rig_init(b);
	a->memory = memory;
	a->size = b->size = BIG;
	fake_raise(&pair);
	buf = rig_data(a, 0, BIG);
	rig_fill(memory, BIG, 1);
	task = rig_send(a, buf, 0);
	fake_run(&pair);
	doca_task_free(task);
	T_OK(doca_buf_dec_refcount(buf, NULL));
	T_EQ(munmap(memory, BIG), 0);
	rig_receive(b, rig_room(b, 0, BIG), 0);
	FAKE_POLL_UNTIL(&pair, b->ok[RIG_RECEIVE] == 1, 10000);
	for (size_t i = 0; i < BIG; i++)
		T_EQ(b->memory[i], 0);
	T_EQ(a->num_events, 0);
	fake_close(&pair);
}

T_CASE(immediates_and_opcodes_arrive)
{
	fake_begin(&pair);
	for (uint64_t i = 0; i < 4; i++)
		rig_receive(b, rig_room(b, i * 1000, 1000), i);
	rig_send_imm(a, rig_data(a, 0, 10), 0x12345678, 0);
	rig_write_imm(a, rig_data(a, 0, 10), there_room(0, 10), 0x9abcdef0, 1);
	rig_write_imm(a, rig_data(a, 0, 0), there_room(0, 0), 3, 2);
	rig_send(a, rig_data(a, 0, 0), 3);
	FAKE_POLL_UNTIL(&pair, b->ok[RIG_RECEIVE] == 4 && ends(a) == 4, 10000);
	T_EQ(event_of(b, 0)->opcode, DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM);
	T_EQ(event_of(b, 0)->immediate, 0x12345678);
	T_EQ(event_of(b, 0)->len, 10);
	T_EQ(event_of(b, 1)->opcode, DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM);
	T_EQ(event_of(b, 1)->immediate, 0x9abcdef0);
	T_EQ(event_of(b, 1)->len, 0);
	T_EQ(event_of(b, 2)->immediate, 3);
	T_EQ(event_of(b, 3)->opcode, DOCA_RDMA_OPCODE_RECV_SEND);
	fake_close(&pair);
}

T_CASE(a_connection_follows_another)
{
	fake_begin(&pair);
	fake_cut(&pair);
	FAKE_POLL_UNTIL(&pair, a->disconnects == 1 && b->disconnects == 1, 10000);
	fake_join(&pair);
	rig_receive(b, rig_room(b, 0, 64), 0);
	rig_send(a, rig_data(a, 0, 64), 0);
	rig_write(a, rig_data(a, 0, 64), there_room(0, 64), 1);
	FAKE_POLL_UNTIL(&pair, ends(a) == 2 && ends(b) == 1, 10000);
	fake_close(&pair);
}
