/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Payloads that pass through the staging blocks of a consumer, in one part or several: consumers
 * that look late, or never, or stop between two parts; producers side by side; blocks that come
 * back.
 */
#include <stdlib.h>
#include <string.h>

#include "comch/consumer.h"
#include "comch/path.h"
#include "comch/producer.h"

#define MIB ((size_t)1 << 20)

static struct path path;

/* Each message carries its number, which its content tells as well. */
static uint32_t counts[256];

static void check_message(struct receiver *receiver,
			  struct doca_comch_consumer_task_post_recv *task)
{
	uint8_t number = receiver->imm[0];

	(void)task;
	pattern_check(receiver->data, receiver->len, number);
	counts[number]++;
}

static void open_staged(uint32_t num, size_t slot)
{
	memset(counts, 0, sizeof(counts));
	path_open(&path, num, slot, false);
	path.receiver.on_message = check_message;
	receiver_post_all(&path.receiver);
}

static void send_numbered(struct sender *sender, uint8_t number, size_t offset, size_t len)
{
	pattern_fill(sender->memory.base + offset, len, number);
	T_OK(sender_try(sender, path.receiver.id, offset, len, &number, 1));
}

static void client_only(void)
{
	(void)doca_pe_progress(path.pair.client.pe);
}

static void expect_each_once(uint32_t num)
{
	PATH_UNTIL(&path, path.receiver.got == num);
	for (uint32_t i = 0; i < num; i++)
		T_EQ(counts[i], 1);
}

T_CASE(short_sends_complete_though_the_consumer_does_not_look)
{
	open_staged(100, 4096);
	for (uint32_t i = 0; i < 100; i++)
		send_numbered(&path.sender, (uint8_t)i, i * 4096ul, 4096);
	/* Submitted is published; their completions come from the engine. */
	T_EVENTUALLY((client_only(), path.sender.done == 100), 10000);
	T_EQ(path.receiver.got, 0);
	expect_each_once(100);
	path_close(&path);
}

T_CASE(long_sends_complete_though_the_consumer_does_not_look)
{
	open_staged(4, 3 * MIB / 2);
	/* The first ones fill all blocks and go on through the window in the midst. */
	for (uint32_t i = 0; i < 4; i++)
		send_numbered(&path.sender, (uint8_t)i, i * 3 * MIB / 2, 3 * MIB / 2 - i);
	T_EVENTUALLY((client_only(), path.sender.done == 4), 10000);
	T_EQ(path.receiver.got, 0);
	expect_each_once(4);
	path_close(&path);
}

T_CASE(blocks_come_back)
{
	static const size_t sizes[] = {113, 16384, 16385, 40000, 65536, 65537, 300000, 2 * MIB};
	uint8_t number = 0;

	open_staged(8, 2 * MIB);
	path.receiver.repost = true;
	for (int round = 0; round < 25; round++) {
		for (size_t i = 0; i < 8; i++)
			send_numbered(&path.sender, number++, i * 2 * MIB, sizes[i]);
		PATH_UNTIL(&path, path.receiver.got == number && path.sender.done == number);
	}
	T_EQ(path.sender.failed, 0);
	/* All but those of the last messages, which nobody has asked for yet. */
	T_CHECK(comch_remote_take_staging(path.sender.producer->last, 4) >= 0);
	path_close(&path);
}

/* As many as it takes to try the other way, if there is one. */
static const struct comch_way *ways_of(const char *window)
{
	uint8_t number = 0;

	setenv("SOFTDPU_WINDOW", window, 1);
	open_staged(4, COMCH_PART_SIZE);
	path.receiver.repost = true;
	while (number < 2 * COMCH_WAY_EARLY_EVERY) {
		send_numbered(&path.sender, number++, 0, COMCH_PART_SIZE);
		PATH_UNTIL(&path, path.receiver.got == number && path.sender.done == number);
	}
	T_EQ(path.sender.failed, 0);
	return &path.sender.producer->way;
}

T_CASE(both_ways_are_timed_where_this_thread_goes_them)
{
	static const char *const windows[] = {"cross", "handed"};

	for (size_t i = 0; i < 2; i++) {
		const struct comch_way *way = ways_of(windows[i]);

		T_CHECK(way->staged != 0);
		T_CHECK(way->window != 0);
		path_close(&path);
	}
}

T_CASE(what_the_peers_agent_would_copy_is_always_staged)
{
	const struct comch_way *way = ways_of("served");

	T_CHECK(way->staged != 0);
	T_EQ(way->window, 0);
	T_EQ(way->turn, 0);
	path_close(&path);
}

T_CASE(parts_of_two_producers_do_not_mix)
{
	static struct sender other;

	open_staged(4, 2 * MIB);
	sender_open(&other, &path.pair.client, path.pair.client.pe, 4, 4 * MIB, false);
	for (uint8_t i = 0; i < 2; i++) {
		send_numbered(&path.sender, i, i * 2 * MIB, 2 * MIB);
		send_numbered(&other, (uint8_t)(2 + i), i * 2 * MIB, MIB + 77);
	}
	expect_each_once(4);
	PATH_UNTIL(&path, path.sender.done == 2 && other.done == 2);
	sender_close(&other, path_turn, &path);
	path_close(&path);
}

T_CASE(a_consumer_that_stops_between_two_parts_delivers_nothing)
{
	open_staged(4, 2 * MIB);
	send_numbered(&path.sender, 0, 0, 2 * MIB);
	for (int i = 0; i < 3; i++)
		client_only();
	T_EQ(path.sender.done, 0);
	(void)doca_ctx_stop(path.receiver.ctx);
	PATH_UNTIL(&path, ctx_state(path.receiver.ctx) == DOCA_CTX_STATE_IDLE);
	PATH_UNTIL(&path, path.sender.failed == 1);
	T_EQ(path.sender.last_status, DOCA_ERROR_NOT_FOUND);
	T_EQ(path.receiver.got, 0);
	T_EQ(path.receiver.flushed, 4);
	path_close(&path);
}

T_CASE(a_consumer_that_stops_delivers_what_is_there_in_parts)
{
	open_staged(4, MIB / 2);
	send_numbered(&path.sender, 0, 0, MIB / 2);
	send_numbered(&path.sender, 1, MIB / 2, MIB / 2);
	T_EVENTUALLY((client_only(), path.sender.done == 2), 10000);
	(void)doca_ctx_stop(path.receiver.ctx);
	PATH_UNTIL(&path, ctx_state(path.receiver.ctx) == DOCA_CTX_STATE_IDLE);
	T_EQ(path.receiver.got, 2);
	T_EQ(path.receiver.flushed, 2);
	T_EQ(counts[0], 1);
	T_EQ(counts[1], 1);
	path_close(&path);
}

static void nothing_is_written(const struct memory *memory)
{
	for (size_t i = 0; i < memory->size; i++)
		if (memory->base[i] != 0xa5) {
			T_EQ(memory->base[i], 0xa5);
			return;
		}
}

T_CASE(parts_for_a_receive_that_was_freed_are_dropped)
{
	struct doca_comch_consumer_task_post_recv *task;
	struct doca_buf *buf;

	memset(counts, 0, sizeof(counts));
	path_open(&path, 2, MIB / 2, false);
	memset(path.receiver.memory.base, 0xa5, path.receiver.memory.size);
	buf = memory_buf(&path.receiver.memory, 0, MIB / 2, false);
	T_OK(doca_comch_consumer_task_post_recv_alloc_init(path.receiver.consumer, buf, &task));
	T_OK(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)));
	doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
	send_numbered(&path.sender, 0, 0, MIB / 2);
	PATH_UNTIL(&path, path.sender.done == 1);
	for (int i = 0; i < 20; i++)
		path_turn(&path);
	T_EQ(path.receiver.got, 0);
	nothing_is_written(&path.receiver.memory);
	T_OK(doca_buf_dec_refcount(buf, NULL));
	path_close(&path);
}
