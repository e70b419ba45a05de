/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Send and write with immediate data: what the receiver is told, order, waiting, permissions.
 */
#include <string.h>

#include "rdma/rig.h"

/* Not the same in the other byte order. */
#define IMMEDIATE 0x12345678u

static struct rig_end a, b;
static struct rig_card card_b;

static void pair(void)
{
	rig_init(&a);
	rig_init(&b);
	rig_raise(&a, &b, NULL, &card_b);
}

static void close_pair(void)
{
	rig_close(&a);
	rig_close(&b);
}

static void expect_receive(enum doca_rdma_opcode opcode, doca_be32_t immediate, size_t len)
{
	const struct rig_event *event = rig_last(&b, RIG_RECEIVE);

	T_OK(event->status);
	T_EQ(event->opcode, opcode);
	T_EQ(event->immediate, immediate);
	T_EQ(event->len, len);
	T_EQ(event->connection, b.connection);
}

static void send_with(size_t len, doca_be32_t immediate)
{
	uint32_t before = b.ok[RIG_RECEIVE];

	rig_fill(a.memory, len, (uint32_t)len + 1);
	memset(b.memory, 0xee, len);
	rig_receive(&b, len == 0 ? NULL : rig_room(&b, 0, len), 5);
	rig_send_imm(&a, len == 0 ? NULL : rig_data(&a, 0, len), immediate, 6);
	RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == before + 1 && a.ok[RIG_SEND_IMM] == before + 1);
	expect_receive(DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM, immediate, len);
	rig_expect(b.memory, len, (uint32_t)len + 1);
}

/* I1: bit for bit, whatever the way of the message. */
T_CASE(immediates_of_sends_of_every_size)
{
	static const size_t sizes[] = {0, 1, 112, 113, 16384, 16385, 300000, 1048576};

	pair();
	for (uint32_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		send_with(sizes[i], IMMEDIATE + i);
	send_with(64, 0);
	send_with(64, UINT32_MAX);
	close_pair();
}

static void write_with(size_t len, doca_be32_t immediate)
{
	uint32_t before = b.ok[RIG_RECEIVE];

	rig_fill(a.memory, len, (uint32_t)len + 1);
	memset(b.memory, 0xee, len);
	rig_receive(&b, NULL, 5);
	rig_write_imm(&a, rig_data(&a, 0, len), rig_remote_room(&a, &card_b, 0, len), immediate, 6);
	RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == before + 1);
	/* O2: the receive tells that the data is there. */
	rig_expect(b.memory, len, (uint32_t)len + 1);
	expect_receive(DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM, immediate, 0);
	RIG_UNTIL(&a, &b, a.ok[RIG_WRITE_IMM] == before + 1);
	T_EQ(rig_last(&a, RIG_WRITE_IMM)->number, 6);
}

T_CASE(immediates_of_writes_of_every_size)
{
	static const size_t sizes[] = {1, 64, 65536, 65537, 262145, 1048576};

	pair();
	for (uint32_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		write_with(sizes[i], IMMEDIATE + i);
	close_pair();
}

T_CASE(empty_writes_carry_their_immediate)
{
	pair();
	rig_receive(&b, NULL, 1);
	rig_receive(&b, NULL, 2);
	rig_write_imm(&a, NULL, NULL, IMMEDIATE, 1);
	RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == 1);
	expect_receive(DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM, IMMEDIATE, 0);
	rig_write_imm(&a, rig_data(&a, 0, 0), rig_remote_room(&a, &card_b, 0, 64), IMMEDIATE + 1,
		      2);
	RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == 2 && a.ok[RIG_WRITE_IMM] == 2);
	expect_receive(DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM, IMMEDIATE + 1, 0);
	close_pair();
}

/* B8: the data is not the receive's. */
T_CASE(a_write_leaves_the_receive_buffer_alone)
{
	struct doca_buf *buf;
	size_t data_len;

	pair();
	buf = rig_room(&b, 4096, 100);
	T_OK(doca_buf_set_data(buf, b.memory + 4096, 7));
	T_OK(doca_buf_inc_refcount(buf, NULL));
	memset(a.memory, 0x5a, 64);
	rig_receive(&b, buf, 1);
	rig_write_imm(&a, rig_data(&a, 0, 64), rig_remote_room(&a, &card_b, 0, 64), 1, 1);
	RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == 1);
	T_OK(doca_buf_get_data_len(buf, &data_len));
	T_EQ(data_len, 7);
	for (size_t i = 0; i < 100; i++)
		T_EQ(b.memory[4096 + i], 0);
	T_EQ(b.memory[63], 0x5a);
	T_OK(doca_buf_dec_refcount(buf, NULL));
	close_pair();
}

/* I2, L12: without an immediate the getter says 0, also when the task carried one before. */
static struct doca_rdma_task_receive *kept;

static void keep(struct rig_end *end, struct doca_task *task, const struct rig_event *event)
{
	(void)end;
	(void)event;
	kept = (struct doca_rdma_task_receive *)(void *)task;
}

T_CASE(an_old_immediate_is_forgotten)
{
	pair();
	b.keep_tasks = true;
	b.on_event = keep;
	rig_receive(&b, rig_room(&b, 0, 64), 1);
	rig_send_imm(&a, NULL, IMMEDIATE, 1);
	RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == 1);
	T_EQ(doca_rdma_task_receive_get_result_immediate_data(kept), IMMEDIATE);
	T_OK(doca_task_submit(doca_rdma_task_receive_as_task(kept)));
	T_EQ(doca_rdma_task_receive_get_result_immediate_data(kept), 0);
	T_EQ(doca_rdma_task_receive_get_result_opcode(kept), DOCA_RDMA_OPCODE_RECV_SEND);
	rig_send(&a, rig_data(&a, 0, 64), 1);
	RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == 2);
	T_EQ(doca_rdma_task_receive_get_result_immediate_data(kept), 0);
	T_EQ(doca_rdma_task_receive_get_result_opcode(kept), DOCA_RDMA_OPCODE_RECV_SEND);
	T_EQ(doca_rdma_task_receive_get_result_len(kept), 64);
	/* Nor does one that fails have any. */
	T_OK(doca_task_submit(doca_rdma_task_receive_as_task(kept)));
	rig_send_imm(&a, rig_data(&a, 0, 65), IMMEDIATE, 1);
	RIG_UNTIL(&a, &b, b.failed[RIG_RECEIVE] == 1 && a.failed[RIG_SEND_IMM] == 1);
	T_EQ(doca_rdma_task_receive_get_result_immediate_data(kept), 0);
	T_EQ(rig_last(&b, RIG_RECEIVE)->status, DOCA_ERROR_IO_FAILED);
	T_EQ(rig_last(&a, RIG_SEND_IMM)->status, DOCA_ERROR_IO_FAILED);
	T_OK(doca_buf_dec_refcount(doca_rdma_task_receive_get_dst_buf(kept), NULL));
	doca_task_free(doca_rdma_task_receive_as_task(kept));
	b.keep_tasks = false;
	close_pair();
}

T_CASE(lists)
{
	struct doca_buf *list;

	pair();
	rig_fill(a.memory, 4000, 5);
	list = rig_data(&a, 0, 1000);
	T_OK(doca_buf_chain_list(list, rig_data(&a, 3000, 500)));
	rig_receive(&b, NULL, 1);
	rig_write_imm(&a, list, rig_remote_room(&a, &card_b, 0, 1500), 1, 1);
	RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == 1);
	T_MEMEQ(b.memory, a.memory, 1000);
	T_MEMEQ(b.memory + 1000, a.memory + 3000, 500);

	list = rig_room(&b, 5000, 700);
	T_OK(doca_buf_chain_list(list, rig_room(&b, 6000, 900)));
	rig_receive(&b, list, 2);
	list = rig_data(&a, 0, 1000);
	T_OK(doca_buf_chain_list(list, rig_data(&a, 3000, 500)));
	rig_send_imm(&a, list, 2, 2);
	RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == 2);
	T_MEMEQ(b.memory + 5000, a.memory, 700);
	T_MEMEQ(b.memory + 6000, a.memory + 700, 300);
	T_MEMEQ(b.memory + 6300, a.memory + 3000, 500);
	close_pair();
}

/* O4: the write is done, its notice waits, and so does what comes behind it. */
T_CASE(a_notice_waits_for_a_receive)
{
	pair();
	rig_fill(a.memory, 64, 1);
	rig_write_imm(&a, rig_data(&a, 0, 64), rig_remote_room(&a, &card_b, 0, 64), 1, 0);
	rig_write(&a, rig_data(&a, 0, 64), rig_remote_room(&a, &card_b, 64, 64), 1);
	rig_idle(&a, &b);
	T_EQ(a.num_events, 0);
	rig_expect(b.memory, 64, 1);
	rig_receive(&b, NULL, 1);
	RIG_UNTIL(&a, &b, a.num_events == 2);
	T_EQ(a.events[0].kind, RIG_WRITE_IMM);
	T_EQ(a.events[1].kind, RIG_WRITE);
	close_pair();
}

/* O1, O2: everything in line, and every notice behind the data of all before it. */
#define ROUNDS 300

static void submit_round(uint64_t i)
{
	uint8_t *at = a.memory + (i % 64) * 4096;
	size_t offset = (size_t)(at - a.memory);

	memcpy(at, &i, sizeof(i));
	switch (i % 4) {
	case 0:
		rig_write(&a, rig_data(&a, offset, 4096), rig_remote_room(&a, &card_b, 0, 4096), i);
		break;
	case 1:
		rig_write_imm(&a, rig_data(&a, offset, 8), rig_remote_room(&a, &card_b, 8192, 8),
			      (doca_be32_t)i, i);
		break;
	case 2:
		rig_send_imm(&a, rig_data(&a, offset, i % 3 == 0 ? 20000 : 8), (doca_be32_t)i, i);
		break;
	default:
		rig_send(&a, rig_data(&a, offset, 8), i);
	}
}

static void check_receive(struct rig_end *end, struct doca_task *task,
			  const struct rig_event *event)
{
	static const enum doca_rdma_opcode opcodes[] = {DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM,
							DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM,
							DOCA_RDMA_OPCODE_RECV_SEND};
	uint64_t n = event->number, i = n / 3 * 4 + n % 3 + 1, written, told;

	(void)task;
	T_EQ(event->opcode, opcodes[n % 3]);
	T_EQ(event->immediate, n % 3 == 2 ? 0 : i);
	memcpy(&written, end->memory, sizeof(written));
	memcpy(&told, end->memory + 8192, sizeof(told));
	T_CHECK(written >= i - n % 3 - 1);
	T_CHECK(told >= i - n % 3);
}

T_CASE(everything_keeps_its_order)
{
	uint64_t sent = 0, posted = 0;

	pair();
	b.on_event = check_receive;
	while (a.num_events < ROUNDS) {
		while (sent < ROUNDS && sent - a.num_events < RIG_TASKS)
			submit_round(sent++);
		while (posted - b.ok[RIG_RECEIVE] < 7) {
			rig_receive(&b, rig_room(&b, 65536 * (1 + posted % 8), 20000), posted);
			posted++;
		}
		rig_progress(&a, &b);
	}
	for (uint64_t i = 0; i < ROUNDS; i++) {
		T_EQ(a.events[i].number, i);
		T_CHECK(a.events[i].ok);
	}
	T_EQ(b.num_events, ROUNDS / 4 * 3);
	close_pair();
}

/* More notices than the peer takes at once. */
T_CASE(a_flood_of_notices)
{
	const uint32_t num = 600;

	rig_init(&a);
	rig_init(&b);
	a.num_tasks = b.num_tasks = num;
	rig_raise(&a, &b, NULL, &card_b);
	for (uint32_t i = 0; i < num; i++)
		rig_write_imm(&a, NULL, NULL, i, i);
	rig_idle(&a, &b);
	T_EQ(a.num_events, 0);
	for (uint32_t i = 0; i < num; i++)
		rig_receive(&b, NULL, i);
	RIG_UNTIL(&a, &b, a.ok[RIG_WRITE_IMM] == num);
	for (uint32_t i = 0; i < num; i++) {
		T_EQ(b.events[i].immediate, i);
		T_EQ(b.events[i].number, i);
		T_EQ(a.events[i].number, i);
	}
	close_pair();
}

static doca_error_t try_write(struct doca_buf *src, struct doca_buf *dst)
{
	uint32_t before = a.num_events;

	rig_write_imm(&a, src, dst, 1, 1);
	RIG_UNTIL(&a, &b, a.num_events == before + 1);
	return rig_last(&a, RIG_WRITE_IMM)->status;
}

/* A write that fails tells nobody. */
T_CASE(bufs_that_do_not_suit)
{
	pair();
	rig_receive(&b, NULL, 1);
	T_ERR(try_write(NULL, rig_remote_room(&a, &card_b, 0, 64)), DOCA_ERROR_INVALID_VALUE);
	T_ERR(try_write(rig_data(&a, 0, 64), NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(try_write(rig_data(&a, 0, 64), rig_room(&a, 64, 64)), DOCA_ERROR_INVALID_VALUE);
	T_ERR(try_write(rig_remote_data(&a, &card_b, 0, 64), rig_remote_room(&a, &card_b, 0, 64)),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(try_write(rig_data(&a, 0, 64), rig_remote_room(&a, &card_b, 0, 63)),
	      DOCA_ERROR_NOT_PERMITTED);
	T_EQ(b.num_events, 0);
	T_OK(try_write(rig_data(&a, 0, 64), rig_remote_room(&a, &card_b, 0, 64)));
	T_EQ(b.ok[RIG_RECEIVE], 1);
	close_pair();
}

static void matrix(uint32_t permissions, uint32_t mmap_permissions, doca_error_t want)
{
	rig_init(&a);
	rig_init(&b);
	a.permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
	b.permissions = permissions;
	b.mmap_permissions = mmap_permissions | DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
	rig_raise(&a, &b, NULL, &card_b);
	rig_receive(&b, rig_room(&b, 0, 64), 1);
	T_ERR(try_write(rig_data(&a, 0, 64), rig_remote_room(&a, &card_b, 0, 64)), want);
	T_EQ(b.num_events, want == DOCA_SUCCESS);
	/* A send needs no permission, and finds the receive that was not used. */
	rig_receive(&b, rig_room(&b, 0, 64), 1);
	rig_send_imm(&a, rig_data(&a, 0, 64), 1, 1);
	RIG_UNTIL(&a, &b, a.ok[RIG_SEND_IMM] == 1);
	close_pair();
}

T_CASE(permissions)
{
	const uint32_t local = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, w = DOCA_ACCESS_FLAG_RDMA_WRITE;
	const uint32_t others = DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_ATOMIC;

	matrix(w, w, DOCA_SUCCESS);
	matrix(local | others, w, DOCA_ERROR_NOT_PERMITTED);
	matrix(w, others, DOCA_ERROR_NOT_PERMITTED);
}

/* L7 */
T_CASE(stop_gives_them_back)
{
	pair();
	rig_await_join(&a, &b);
	rig_send_imm(&a, rig_data(&a, 0, 64), 1, 0);
	rig_write_imm(&a, rig_data(&a, 0, 64), rig_remote_room(&a, &card_b, 0, 64), 1, 1);
	rig_idle(&a, &b);
	T_ERR(doca_ctx_stop(a.ctx), DOCA_ERROR_IN_PROGRESS);
	RIG_ALONE(&a, rig_state(&a) == DOCA_CTX_STATE_IDLE);
	T_EQ(a.failed[RIG_SEND_IMM], 1);
	T_EQ(a.failed[RIG_WRITE_IMM], 1);
	for (uint32_t i = 0; i < 2; i++)
		T_EQ(a.events[i].status, DOCA_ERROR_SHUTDOWN);
	close_pair();
}

T_CASE(the_peer_stops)
{
	pair();
	rig_await_join(&a, &b);
	rig_write_imm(&a, rig_data(&a, 0, 64), rig_remote_room(&a, &card_b, 0, 64), 1, 0);
	rig_send_imm(&a, rig_data(&a, 0, 64), 1, 1);
	rig_idle(&a, &b);
	T_OK(doca_ctx_stop(b.ctx));
	RIG_ALONE(&a, a.disconnects == 1);
	T_EQ(a.num_events, 2);
	for (uint32_t i = 0; i < 2; i++) {
		T_EQ(a.events[i].number, i);
		T_EQ(a.events[i].status, DOCA_ERROR_CONNECTION_RESET);
	}
	close_pair();
}
