/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fast path between both ends in one process: every size, over private and shared memory, credits,
 * order, ends.
 */
#include <string.h>

#include "comch/fast.h"

static struct pair pair;
static struct receiver receiver;
static struct sender sender;

static void turn(void *arg)
{
	(void)arg;
	(void)pair_progress(&pair);
}

#define UNTIL(cond) PAIR_UNTIL(&pair, cond)

static void open_path(uint32_t num, size_t slot, size_t send_size, bool shared)
{
	pair_open(&pair);
	receiver_create(&receiver, &pair.server, pair.server.pe, num, slot, shared);
	receiver_start(&receiver, turn, NULL);
	UNTIL(pair.client.num_ids == 1);
	sender_open(&sender, &pair.client, pair.client.pe, num, send_size, shared);
}

static void close_path(void)
{
	sender_close(&sender, turn, NULL);
	receiver_close(&receiver, turn, NULL);
	UNTIL(pair.client.expired == 1);
	pair_close(&pair);
}

static void move(size_t len, const void *imm, uint32_t imm_len)
{
	uint32_t before = receiver.got;

	pattern_fill(sender.memory.base, len, (uint8_t)len);
	receiver_post(&receiver, 0);
	T_OK(sender_try(&sender, receiver.id, 0, len, imm, imm_len));
	UNTIL(receiver.got == before + 1 && sender.done == receiver.got);
	T_EQ(receiver.len, len);
	T_EQ(receiver.imm_len, imm_len);
	T_MEMEQ(receiver.imm, imm, imm_len);
	pattern_check(receiver.data, len, (uint8_t)len);
}

static void move_all(bool shared)
{
	static const size_t sizes[] = {1,      48,     49,	63,	 64,	  80,
				       81,     111,    112,	113,	 4096,	  16384,
				       16385,  65535,  65536,	65537,	 131072,  131073,
				       262144, 262145, 1048576, 2097151, 2097152, 2097153};
	static const uint32_t imms[] = {0, 1, 4, 32};

	open_path(4, 4 << 20, 4 << 20, shared);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (size_t k = 0; k < 4; k++)
			move(sizes[i], "0123456789abcdef0123456789ABCDEF", imms[k]);
	close_path();
}

T_CASE(every_size_private)
{
	move_all(false);
}

T_CASE(every_size_shared)
{
	move_all(true);
}

T_CASE_TIMEOUT(sixty_four_mebibytes, 60)
{
	open_path(2, 64 << 20, 64 << 20, false);
	move(64 << 20, "", 0);
	close_path();
	open_path(2, 64 << 20, 64 << 20, true);
	move(64 << 20, "", 0);
	close_path();
}

T_CASE(immediate_only)
{
	open_path(4, 0, 64, false);
	receiver_post(&receiver, 0);
	T_OK(sender_try(&sender, receiver.id, 0, 0, "imm", 3));
	UNTIL(receiver.got == 1);
	T_EQ(receiver.imm_len, 3);
	T_MEMEQ(receiver.imm, "imm", 3);
	T_EQ(receiver.producer, 1);
	close_path();
}

T_CASE(nothing_posted_is_again_and_clears_without_progress)
{
	open_path(4, 4096, 4096, false);
	T_ERR(sender_try(&sender, receiver.id, 0, 64, NULL, 0), DOCA_ERROR_AGAIN);
	T_ERR(sender_try(&sender, receiver.id, 0, 64, NULL, 0), DOCA_ERROR_AGAIN);
	receiver_post(&receiver, 0);
	T_OK(sender_try(&sender, receiver.id, 0, 64, NULL, 0));
	T_ERR(sender_try(&sender, receiver.id, 0, 64, NULL, 0), DOCA_ERROR_AGAIN);
	UNTIL(receiver.got == 1 && sender.done == 1);
	T_EQ(sender.failed, 0);
	close_path();
}

T_CASE(too_long_for_the_receive_is_refused_and_the_receive_stays)
{
	open_path(4, 128, 4096, false);
	receiver_post(&receiver, 0);
	T_ERR(sender_try(&sender, receiver.id, 0, 129, NULL, 0), DOCA_ERROR_INVALID_VALUE);
	T_OK(sender_try(&sender, receiver.id, 0, 128, NULL, 0));
	UNTIL(receiver.got == 1);
	close_path();
}

T_CASE(bad_sends_are_refused)
{
	struct doca_comch_producer_task_send *task;
	struct doca_buf *a, *b;
	uint8_t imm[33] = {0};

	open_path(4, 4096, 4096, false);
	T_ERR(sender_try(&sender, 99, 0, 64, NULL, 0), DOCA_ERROR_NOT_FOUND);
	T_ERR(sender_try(&sender, 0, 0, 64, NULL, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(sender_try(&sender, receiver.id, 0, 0, NULL, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(sender_try(&sender, receiver.id, 0, 64, imm, 33), DOCA_ERROR_INVALID_VALUE);
	T_ERR(sender_try(&sender, receiver.id, 0, 64, NULL, 4), DOCA_ERROR_INVALID_VALUE);
	a = memory_buf(&sender.memory, 0, 64, true);
	b = memory_buf(&sender.memory, 64, 64, true);
	T_OK(doca_buf_chain_list(a, b));
	T_ERR(doca_comch_producer_task_send_alloc_init(sender.producer, a, NULL, 0, receiver.id,
						       &task),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_buf_dec_refcount(a, NULL));
	close_path();
}

T_CASE(bad_receives_are_refused)
{
	struct doca_comch_consumer_task_post_recv *task;
	struct doca_buf *a, *b, *foreign;

	open_path(4, 4096, 4096, false);
	a = memory_buf(&receiver.memory, 0, 64, false);
	b = memory_buf(&receiver.memory, 64, 64, false);
	T_OK(doca_buf_chain_list(a, b));
	T_ERR(doca_comch_consumer_task_post_recv_alloc_init(receiver.consumer, a, &task),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_buf_dec_refcount(a, NULL));
	foreign = memory_buf(&sender.memory, 0, 64, false);
	T_ERR(doca_comch_consumer_task_post_recv_alloc_init(receiver.consumer, foreign, &task),
	      DOCA_ERROR_INVALID_VALUE);
	/* The same through the setter is found at submit. */
	T_OK(doca_comch_consumer_task_post_recv_alloc_init(receiver.consumer, NULL, &task));
	doca_comch_consumer_task_post_recv_set_buf(task, foreign);
	T_ERR(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)),
	      DOCA_ERROR_INVALID_VALUE);
	doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
	T_OK(doca_buf_dec_refcount(foreign, NULL));
	close_path();
}

T_CASE(consumer_needs_an_mmap_for_pci_writing)
{
	struct doca_comch_consumer *consumer;
	struct memory memory = {0};

	pair_open(&pair);
	memory_open(&memory, pair.server.dev, 4096, false, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	T_ERR(doca_comch_consumer_create(pair.server.connection, memory.mmap, &consumer),
	      DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_comch_consumer_create(pair.server.connection, NULL, &consumer),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_create(NULL, memory.mmap, &consumer), DOCA_ERROR_INVALID_VALUE);
	memory_close(&memory);
	pair_close(&pair);
}

T_CASE(ids_count_from_one_in_creation_order)
{
	static struct receiver many[5];

	pair_open(&pair);
	for (uint32_t i = 0; i < 5; i++) {
		receiver_create(&many[i], &pair.server, pair.server.pe, 1, 64, false);
		T_EQ(many[i].id, i + 1);
	}
	for (uint32_t i = 0; i < 5; i++)
		receiver_start(&many[i], turn, NULL);
	UNTIL(pair.client.num_ids == 5);
	for (uint32_t i = 0; i < 5; i++)
		T_EQ(pair.client.ids[i], i + 1);
	for (uint32_t i = 0; i < 5; i++)
		receiver_close(&many[i], turn, NULL);
	UNTIL(pair.client.expired == 5);
	pair_close(&pair);
}

T_CASE(stop_flushes_posted_receives)
{
	open_path(8, 64, 64, false);
	receiver_post_all(&receiver);
	T_ERR(doca_ctx_stop(receiver.ctx), DOCA_ERROR_IN_PROGRESS);
	UNTIL(ctx_state(receiver.ctx) == DOCA_CTX_STATE_IDLE);
	T_EQ(receiver.flushed, 8);
	T_EQ(receiver.last_status, DOCA_ERROR_SHUTDOWN);
	/* The credits are gone with it. */
	T_ERR(sender_try(&sender, receiver.id, 0, 64, NULL, 0), DOCA_ERROR_NOT_FOUND);
	close_path();
}

T_CASE(stop_delivers_what_was_filled_first)
{
	open_path(8, 64, 64, false);
	receiver_post_all(&receiver);
	for (int i = 0; i < 3; i++)
		T_OK(sender_try(&sender, receiver.id, 0, 64, NULL, 0));
	T_ERR(doca_ctx_stop(receiver.ctx), DOCA_ERROR_IN_PROGRESS);
	UNTIL(ctx_state(receiver.ctx) == DOCA_CTX_STATE_IDLE);
	T_EQ(receiver.got, 3);
	T_EQ(receiver.flushed, 5);
	close_path();
}

T_CASE(running_members_stand_against_disconnect_and_stop)
{
	open_path(4, 64, 64, false);
	T_ERR(doca_comch_server_disconnect(pair.server.server, pair.server.connection),
	      DOCA_ERROR_IN_USE);
	T_ERR(doca_ctx_stop(pair.server.ctx), DOCA_ERROR_IN_USE);
	T_ERR(doca_ctx_stop(pair.client.ctx), DOCA_ERROR_IN_USE);
	T_EQ(end_state(&pair.server), DOCA_CTX_STATE_RUNNING);
	T_ERR(doca_comch_consumer_destroy(receiver.consumer), DOCA_ERROR_IN_USE);
	T_ERR(doca_comch_producer_destroy(sender.producer), DOCA_ERROR_IN_USE);
	close_path();
}

static void expect_number(struct receiver *r, struct doca_comch_consumer_task_post_recv *task)
{
	uint32_t *next = r->arg;
	uint32_t number;

	(void)task;
	memcpy(&number, r->imm, sizeof(number));
	T_EQ(number, *next);
	pattern_check(r->data, r->len, (uint8_t)number);
	(*next)++;
}

/* Long and short ones mixed: later sends wait behind a long copy, and nothing is lost. */
T_CASE_TIMEOUT(sends_of_one_producer_arrive_in_order, 60)
{
	static const size_t sizes[] = {64, 1 << 20, 1, 100000, 600000, 112, 4096, 300000};
	uint32_t next = 0;
	uint32_t submitted = 0;

	open_path(8, 1 << 20, 8 << 20, false);
	receiver.repost = true;
	receiver.on_message = expect_number;
	receiver.arg = &next;
	receiver_post_all(&receiver);
	while (submitted < 400) {
		size_t len = sizes[submitted % 8];
		size_t offset = (size_t)(submitted % 8) << 20;
		doca_error_t result;

		if (submitted - sender.done < 8) {
			pattern_fill(sender.memory.base + offset, len, (uint8_t)submitted);
			result = sender_try(&sender, receiver.id, offset, len, &submitted,
					    sizeof(submitted));
			if (result == DOCA_SUCCESS) {
				submitted++;
				continue;
			}
			T_EQ(result, DOCA_ERROR_AGAIN);
		}
		(void)pair_progress(&pair);
	}
	UNTIL(next == 400 && sender.done == 400);
	close_path();
}

static void receive_until(uint32_t got)
{
	T_EVENTUALLY((doca_pe_progress(receiver.pe), receiver.got == got), 10000);
}

/* Programs count on it that keep count of receives themselves, and take AGAIN for a failure. */
T_CASE(receives_of_callbacks_are_there_when_the_callback_returns)
{
	const uint32_t num = 16;

	open_path(num, 64, 64, false);
	receiver.repost = true;
	receiver_post_all(&receiver);
	for (uint32_t round = 1; round <= 100; round++) {
		uint32_t some = round % num + 1, before = receiver.got;

		for (uint32_t i = 0; i < some; i++)
			T_OK(sender_try(&sender, receiver.id, 0, 64, NULL, 0));
		receive_until(before + some);
		T_EVENTUALLY((doca_pe_progress(sender.pe), sender.done == receiver.got), 10000);
		for (uint32_t i = 0; i < num; i++)
			T_OK(sender_try(&sender, receiver.id, 0, 1 + i, NULL, 0));
		receive_until(before + some + num);
		UNTIL(sender.done == receiver.got);
	}
	close_path();
}

T_CASE(peer_stop_is_seen_by_producer_and_consumer)
{
	open_path(4, 64, 64, false);
	receiver_post_all(&receiver);
	/* The client's members stop first, as they must; then its end goes. */
	sender_close(&sender, turn, NULL);
	(void)doca_ctx_stop(pair.client.ctx);
	UNTIL(pair.server.disconnects == 1);
	T_EQ(ctx_state(receiver.ctx), DOCA_CTX_STATE_RUNNING);
	(void)doca_ctx_stop(receiver.ctx);
	UNTIL(ctx_state(receiver.ctx) == DOCA_CTX_STATE_IDLE);
	T_EQ(receiver.flushed, 4);
	T_EQ(receiver.last_status, DOCA_ERROR_CONNECTION_RESET);
	receiver_close(&receiver, turn, NULL);
	pair_close(&pair);
}

T_CASE(restart_of_a_consumer_announces_the_same_id)
{
	open_path(4, 64, 64, false);
	(void)doca_ctx_stop(receiver.ctx);
	UNTIL(ctx_state(receiver.ctx) == DOCA_CTX_STATE_IDLE);
	UNTIL(pair.client.expired == 1);
	receiver_start(&receiver, turn, NULL);
	UNTIL(pair.client.num_ids == 2);
	T_EQ(pair.client.ids[1], receiver.id);
	receiver_post(&receiver, 0);
	T_OK(sender_try(&sender, receiver.id, 0, 64, NULL, 0));
	UNTIL(receiver.got == 1);
	sender_close(&sender, turn, NULL);
	receiver_close(&receiver, turn, NULL);
	pair_close(&pair);
}

static void send_again(struct sender *from, struct doca_task *task)
{
	/* Refused when nothing is posted: this one waits for the next turn. */
	if (doca_task_submit(task) == DOCA_SUCCESS)
		return;
	doca_task_free(task);
	from->failed++;
}

/* Two producers of one engine, each of which has its next send finished before the engine is back:
 * both get their completions. */
T_CASE(completions_of_one_producer_do_not_starve_another)
{
	static struct receiver other_receiver;
	static struct sender other_sender;

	open_path(256, 64, 64, false);
	receiver_create(&other_receiver, &pair.server, pair.server.pe, 256, 64, false);
	receiver_start(&other_receiver, turn, NULL);
	sender_open(&other_sender, &pair.client, pair.client.pe, 256, 64, false);
	receiver.repost = true;
	other_receiver.repost = true;
	receiver_post_all(&receiver);
	receiver_post_all(&other_receiver);
	sender.on_done = send_again;
	other_sender.on_done = send_again;
	for (int i = 0; i < 100; i++) {
		T_OK(sender_try(&sender, receiver.id, 0, 0, "a", 1));
		T_OK(sender_try(&other_sender, other_receiver.id, 0, 0, "b", 1));
	}
	for (int i = 0; i < 20; i++) {
		(void)doca_pe_progress(pair.client.pe);
		while (doca_pe_progress(pair.server.pe))
			;
	}
	T_CHECK(sender.done > 300);
	T_CHECK(other_sender.done > 300);
	sender_close(&other_sender, turn, NULL);
	receiver_close(&other_receiver, turn, NULL);
	sender_close(&sender, turn, NULL);
	receiver_close(&receiver, turn, NULL);
	pair_close(&pair);
}
