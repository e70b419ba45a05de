/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Send and receive between two ends of one process: sizes, lists, matching, waiting, order.
 */
#include <stdlib.h>
#include <string.h>

#include "core/kit.h"
#include "rdma/rig.h"

static struct rig_end a, b;

static void send_and_compare(size_t len)
{
	uint32_t before = b.ok[RIG_RECEIVE];

	rig_fill(a.memory, len, (uint32_t)len + 1);
	memset(b.memory, 0xee, len);
	rig_receive(&b, rig_room(&b, 0, len == 0 ? 1 : len), 5);
	rig_send(&a, len == 0 ? NULL : rig_data(&a, 0, len), 6);
	RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == before + 1 && a.ok[RIG_SEND] == before + 1);
	T_EQ(rig_last(&b, RIG_RECEIVE)->len, len);
	T_EQ(rig_last(&b, RIG_RECEIVE)->number, 5);
	T_EQ(rig_last(&b, RIG_RECEIVE)->connection, b.connection);
	T_EQ(rig_last(&b, RIG_RECEIVE)->opcode, DOCA_RDMA_OPCODE_RECV_SEND);
	T_EQ(rig_last(&b, RIG_RECEIVE)->immediate, 0);
	T_EQ(rig_last(&a, RIG_SEND)->number, 6);
	rig_expect(b.memory, len, (uint32_t)len + 1);
}

T_CASE(every_size)
{
	static const size_t sizes[] = {0,     1,     64,    111,   112,	   113,	   4096,
				       16383, 16384, 16385, 65536, 262144, 262145, 1048576};

	rig_pair(&a, &b);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		send_and_compare(sizes[i]);
	rig_close(&a);
	rig_close(&b);
}

T_CASE_TIMEOUT(messages_of_64_mib, 120)
{
	rig_init(&a);
	rig_init(&b);
	a.size = b.size = 64u << 20;
	rig_raise(&a, &b, NULL, NULL);
	send_and_compare(64u << 20);
	rig_close(&a);
	rig_close(&b);
}

static struct doca_task *last_task;

static void keep_last(struct rig_end *end, struct doca_task *task, const struct rig_event *event)
{
	(void)end;
	(void)event;
	last_task = task;
}

/* B2: received bytes are appended, the data pointer stays. */
T_CASE(received_bytes_are_appended_to_the_data)
{
	struct doca_buf *buf;
	size_t data_len;
	void *data;

	rig_pair(&a, &b);
	b.keep_tasks = true;
	b.on_event = keep_last;
	buf = rig_room(&b, 0, 256);
	T_OK(doca_buf_set_data(buf, b.memory + 16, 10));
	memset(a.memory, 0x5a, 100);
	rig_receive(&b, buf, 1);
	rig_send(&a, rig_data(&a, 0, 100), 2);
	RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == 1);
	T_OK(doca_buf_get_data(buf, &data));
	T_OK(doca_buf_get_data_len(buf, &data_len));
	T_EQ(data, b.memory + 16);
	T_EQ(data_len, 110);
	T_EQ(b.memory[25], 0);
	T_EQ(b.memory[26], 0x5a);
	T_EQ(b.memory[125], 0x5a);
	T_EQ(b.memory[126], 0);
	/* L9: a freed task can still be read. */
	doca_task_free(last_task);
	T_EQ(doca_rdma_task_receive_get_dst_buf((void *)last_task), buf);
	T_EQ(doca_rdma_task_receive_get_result_len((void *)last_task), 100);
	T_OK(doca_buf_dec_refcount(buf, NULL));
	b.keep_tasks = false;
	rig_close(&a);
	rig_close(&b);
}

static struct doca_buf *list_of(struct rig_end *end, const size_t *lens, size_t num, bool data)
{
	struct doca_buf *head = NULL;
	size_t at = 0;

	for (size_t i = 0; i < num; i++) {
		struct doca_buf *buf =
			data ? rig_data(end, at, lens[i]) : rig_room(end, at, lens[i]);

		/* Gaps between the elements. */
		at += lens[i] + 100;
		if (head == NULL)
			head = buf;
		else
			T_OK(doca_buf_chain_list(head, buf));
	}
	return head;
}

static void lists_with(const size_t *from, size_t num_from, const size_t *to, size_t num_to)
{
	uint32_t before = b.ok[RIG_RECEIVE];
	size_t len = 0, at = 0, n = 0;
	uint8_t flat[70000], got[70000];

	for (size_t i = 0; i < num_from; i++) {
		rig_fill(a.memory + at, from[i], (uint32_t)i);
		memcpy(flat + len, a.memory + at, from[i]);
		len += from[i];
		at += from[i] + 100;
	}
	rig_receive(&b, list_of(&b, to, num_to, false), 1);
	rig_send(&a, list_of(&a, from, num_from, true), 1);
	RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == before + 1 && a.ok[RIG_SEND] == before + 1);
	T_EQ(rig_last(&b, RIG_RECEIVE)->len, len);
	at = 0;
	for (size_t i = 0; i < num_to && n < len; i++) {
		size_t part = to[i] < len - n ? to[i] : len - n;

		memcpy(got + n, b.memory + at, part);
		n += part;
		at += to[i] + 100;
	}
	T_MEMEQ(got, flat, len);
}

/* B4 */
T_CASE(lists_on_both_sides)
{
	static const size_t one[] = {100}, small[] = {10, 20, 30}, large[] = {20000, 1, 30000},
			    wide[] = {5, 60000, 9000}, medium[] = {3000, 5000};

	rig_pair(&a, &b);
	lists_with(small, 3, one, 1);
	lists_with(small, 3, small, 3);
	lists_with(medium, 2, wide, 3);
	lists_with(large, 3, wide, 3);
	lists_with(large, 3, large, 3);
	rig_close(&a);
	rig_close(&b);
}

/* One more than the windows that a connection keeps (LOCAL_GRANTS). */
#define MANY_MMAPS 65
#define LONG_MESSAGE 20000u

static struct doca_mmap *many_mmaps[MANY_MMAPS];

static struct doca_buf *data_of(struct doca_mmap *mmap)
{
	struct doca_buf *buf;
	size_t len;
	void *addr;

	T_OK(doca_mmap_get_memrange(mmap, &addr, &len));
	T_OK(doca_buf_inventory_buf_get_by_data(a.inventory, mmap, addr, len, &buf));
	return buf;
}

static void send_long(struct doca_buf *src, size_t len)
{
	uint32_t before = b.ok[RIG_RECEIVE];

	rig_receive(&b, rig_room(&b, 0, len), 1);
	rig_send(&a, src, 1);
	RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == before + 1 && a.ok[RIG_SEND] == before + 1);
	T_EQ(rig_last(&b, RIG_RECEIVE)->len, len);
}

/* Long messages out of more mmaps than a connection keeps windows for; then one message out of the
 * window that is next to go and out of one that needs its place. */
T_CASE(long_messages_out_of_many_mmaps)
{
	struct doca_buf *list;

	rig_pair(&a, &b);
	for (int i = 0; i < MANY_MMAPS; i++)
		many_mmaps[i] = kit_mmap(a.dev, a.memory + i * 1000, LONG_MESSAGE, 0);
	for (int i = 0; i < MANY_MMAPS - 1; i++)
		send_long(data_of(many_mmaps[i]), LONG_MESSAGE);
	list = data_of(many_mmaps[0]);
	T_OK(doca_buf_chain_list(list, data_of(many_mmaps[MANY_MMAPS - 1])));
	send_long(list, 2 * LONG_MESSAGE);
	for (int i = 0; i < MANY_MMAPS; i++)
		T_OK(doca_mmap_destroy(many_mmaps[i]));
	rig_close(&a);
	rig_close(&b);
}

T_CASE(too_long_lists_fail_the_task_alone)
{
	static const size_t lens[] = {10, 10, 10};

	rig_init(&a);
	rig_init(&b);
	a.list_len = b.list_len = 2;
	rig_open(&a);
	rig_open(&b);
	T_OK(doca_ctx_start(a.ctx));
	T_OK(doca_ctx_start(b.ctx));
	rig_join(&a, &b);
	rig_send(&a, list_of(&a, lens, 3, true), 1);
	RIG_UNTIL(&a, &b, a.failed[RIG_SEND] == 1);
	T_EQ(rig_last(&a, RIG_SEND)->status, DOCA_ERROR_INVALID_VALUE);
	rig_receive(&b, list_of(&b, lens, 3, false), 1);
	RIG_UNTIL(&a, &b, b.failed[RIG_RECEIVE] == 1);
	T_EQ(rig_last(&b, RIG_RECEIVE)->status, DOCA_ERROR_INVALID_VALUE);
	rig_receive(&b, list_of(&b, lens, 2, false), 1);
	rig_send(&a, list_of(&a, lens, 2, true), 1);
	RIG_UNTIL(&a, &b, a.ok[RIG_SEND] == 1 && b.ok[RIG_RECEIVE] == 1);
	rig_close(&a);
	rig_close(&b);
}

/* O4: nothing posted, the send waits. */
T_CASE(sends_wait_for_receives)
{
	rig_pair(&a, &b);
	for (uint64_t i = 0; i < 40; i++) {
		a.memory[i * 64] = (uint8_t)i;
		rig_send(&a, rig_data(&a, i * 64, 64), i);
	}
	rig_idle(&a, &b);
	T_EQ(a.num_events, 0);
	for (uint64_t i = 0; i < 40; i++)
		rig_receive(&b, rig_room(&b, i * 64, 64), i);
	RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == 40 && a.ok[RIG_SEND] == 40);
	for (uint64_t i = 0; i < 40; i++) {
		T_EQ(a.events[i].number, i);
		T_EQ(b.events[i].number, i);
		T_EQ(b.memory[i * 64], i);
	}
	rig_close(&a);
	rig_close(&b);
}

/* More than the ring holds, of sizes that need slots and windows. */
T_CASE(floods_keep_their_order)
{
	uint64_t sent = 0, posted = 0;

	rig_pair(&a, &b);
	while (b.ok[RIG_RECEIVE] < 2000) {
		while (sent < 2000 && sent - a.ok[RIG_SEND] < RIG_TASKS) {
			size_t len = sent % 7 == 0 ? 9000 : sent % 31 == 0 ? 20000 : 40;
			uint8_t *at = a.memory + (sent % RIG_TASKS) * 4096;

			memcpy(at, &sent, sizeof(sent));
			rig_send(&a, rig_data(&a, (size_t)(at - a.memory), len), sent);
			sent++;
		}
		while (posted - b.ok[RIG_RECEIVE] < 5) {
			rig_receive(&b, rig_room(&b, (posted % 8) * 32768, 32768), posted);
			posted++;
		}
		rig_progress(&a, &b);
		for (uint64_t i = b.ok[RIG_RECEIVE] < 5 ? 0 : b.ok[RIG_RECEIVE] - 5;
		     i < b.ok[RIG_RECEIVE]; i++)
			T_MEMEQ(b.memory + (i % 8) * 32768, &i, sizeof(i));
	}
	RIG_UNTIL(&a, &b, a.ok[RIG_SEND] == 2000);
	for (uint64_t i = 0; i < 2000; i++) {
		T_EQ(a.events[i].number, i);
		T_EQ(b.events[i].number, i);
	}
	rig_close(&a);
	rig_close(&b);
}

/* 1.7: both sides fail, the connection is of no use any more; other receives stay. */
T_CASE(a_receive_that_is_too_small_breaks_the_connection)
{
	rig_pair(&a, &b);
	rig_receive(&b, rig_room(&b, 0, 10), 1);
	rig_receive(&b, rig_room(&b, 64, 10), 2);
	rig_send(&a, rig_data(&a, 0, 5), 1);
	rig_send(&a, rig_data(&a, 0, 11), 2);
	rig_send(&a, rig_data(&a, 0, 5), 3);
	RIG_UNTIL(&a, &b, a.failed[RIG_SEND] == 2 && b.failed[RIG_RECEIVE] == 1);
	T_EQ(a.ok[RIG_SEND], 1);
	T_EQ(b.ok[RIG_RECEIVE], 1);
	T_EQ(a.events[1].status, DOCA_ERROR_IO_FAILED);
	T_EQ(a.events[1].number, 2);
	T_EQ(a.events[2].number, 3);
	T_EQ(rig_last(&b, RIG_RECEIVE)->status, DOCA_ERROR_IO_FAILED);
	T_EQ(rig_last(&b, RIG_RECEIVE)->connection, NULL);
	RIG_UNTIL(&a, &b, a.disconnects == 1 && b.disconnects == 1);
	rig_send(&a, rig_data(&a, 0, 5), 4);
	rig_send(&b, rig_data(&b, 0, 5), 4);
	RIG_UNTIL(&a, &b, a.failed[RIG_SEND] == 3 && b.failed[RIG_SEND] == 1);
	T_EQ(rig_last(&a, RIG_SEND)->status, DOCA_ERROR_IO_FAILED);
	T_EQ(a.disconnects, 1);
	/* A new connection serves the receive that stayed. */
	rig_receive(&b, rig_room(&b, 64, 10), 7);
	rig_join(&a, &b);
	rig_send(&a, rig_data(&a, 0, 10), 5);
	RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == 2);
	T_EQ(rig_last(&b, RIG_RECEIVE)->number, 7);
	rig_close(&a);
	rig_close(&b);
}

T_CASE(a_receive_without_a_buffer_takes_empty_messages)
{
	rig_pair(&a, &b);
	rig_receive(&b, NULL, 1);
	rig_receive(&b, NULL, 2);
	rig_send(&a, NULL, 1);
	RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == 1 && a.ok[RIG_SEND] == 1);
	T_EQ(rig_last(&b, RIG_RECEIVE)->len, 0);
	rig_send(&a, rig_data(&a, 0, 1), 1);
	RIG_UNTIL(&a, &b, b.failed[RIG_RECEIVE] == 1 && a.failed[RIG_SEND] == 1);
	rig_close(&a);
	rig_close(&b);
}

/* B7, and what the storage target does: the reply comes from the bytes of the request. */
static void reply(struct rig_end *end, struct doca_task *task, const struct rig_event *event)
{
	if (event->kind == RIG_RECEIVE)
		rig_send(end, doca_rdma_task_receive_get_dst_buf((void *)task), event->number);
	else
		doca_buf_dec_refcount(
			(struct doca_buf *)doca_rdma_task_send_get_src_buf((void *)task), NULL);
	doca_task_free(task);
}

T_CASE(a_buf_is_shared_by_a_receive_and_the_send_that_answers)
{
	rig_pair(&a, &b);
	b.keep_tasks = true;
	b.on_event = reply;
	rig_fill(a.memory, 500, 9);
	rig_receive(&b, rig_room(&b, 0, 1000), 3);
	rig_receive(&a, rig_room(&a, 2000, 1000), 4);
	rig_send(&a, rig_data(&a, 0, 500), 5);
	RIG_UNTIL(&a, &b, a.ok[RIG_RECEIVE] == 1 && b.ok[RIG_SEND] == 1);
	rig_expect(a.memory + 2000, 500, 9);
	rig_close(&a);
	rig_close(&b);
}

#define TRIPS 100

/* Each end sends with one task; it is here when the program has it. */
static struct doca_task *only_send[2];

static void answer_with_the_same(struct rig_end *end, struct doca_task *task,
				 const struct rig_event *event)
{
	struct doca_task **mine = &only_send[end == &b];

	T_CHECK(event->ok);
	if (event->kind == RIG_SEND) {
		*mine = task;
		return;
	}
	T_CHECK(*mine != NULL);
	if (end->ok[RIG_RECEIVE] > TRIPS) {
		doca_task_free(task);
		return;
	}
	T_OK(doca_task_submit(task));
	T_OK(doca_task_submit(*mine));
	*mine = NULL;
}

static void answer_with_one_of(uint32_t num_tasks)
{
	struct doca_rdma_task_send *task;

	setenv("SOFTDPU_RDMA", "local", 1);
	rig_init(&a);
	rig_init(&b);
	a.num_tasks = b.num_tasks = num_tasks;
	rig_raise(&a, &b, NULL, NULL);
	rig_await_join(&a, &b);
	a.keep_tasks = b.keep_tasks = true;
	a.on_event = b.on_event = answer_with_the_same;
	T_OK(doca_rdma_task_send_allocate_init(a.rdma, a.connection, NULL, (union doca_data){0},
					       &task));
	only_send[0] = doca_rdma_task_send_as_task(task);
	rig_receive(&a, NULL, 1);
	rig_receive(&b, NULL, 1);
	rig_send(&b, NULL, 1);
	RIG_UNTIL(&a, &b, a.ok[RIG_RECEIVE] > TRIPS && only_send[1] != NULL);
	a.keep_tasks = b.keep_tasks = false;
	doca_task_free(only_send[0]);
	doca_task_free(only_send[1]);
	rig_close(&a);
	rig_close(&b);
}

T_CASE(a_send_completes_before_its_answer_comes)
{
	answer_with_one_of(1);
	answer_with_one_of(8);
}

T_CASE(messages_that_wait_for_a_receive_hold_up_no_send)
{
	rig_pair(&a, &b);
	rig_send(&b, NULL, 1);
	for (uint64_t i = 0; i < 20; i++) {
		rig_receive(&b, NULL, i);
		rig_send(&a, NULL, i);
	}
	RIG_UNTIL(&a, &b, a.ok[RIG_SEND] == 20 && b.ok[RIG_RECEIVE] == 20);
	T_EQ(b.ok[RIG_SEND], 0);
	rig_receive(&a, NULL, 1);
	RIG_UNTIL(&a, &b, b.ok[RIG_SEND] == 1);
	rig_close_both(&a, &b);
}

T_CASE(a_stream_of_messages_holds_up_no_write)
{
	struct rig_card card_b;

	setenv("SOFTDPU_RDMA", "local", 1);
	/* It always waits for the next poll, and for nobody else. */
	setenv("SOFTDPU_WINDOW", "cross", 1);
	rig_init(&a);
	rig_init(&b);
	rig_raise(&a, &b, NULL, &card_b);
	rig_await_join(&a, &b);
	for (uint64_t i = 0; i < RIG_TASKS; i++) {
		rig_receive(&a, NULL, i);
		rig_send(&b, NULL, i);
	}
	rig_write(&a, rig_data(&a, 0, 64), rig_remote_room(&a, &card_b, 0, 64), 1);
	RIG_ALONE(&a, a.ok[RIG_RECEIVE] == RIG_TASKS);
	T_EQ(a.ok[RIG_WRITE], 1);
	T_CHECK(a.events[RIG_TASKS].kind == RIG_RECEIVE);
	rig_close_both(&a, &b);
}

/* O3: receives are the context's. */
T_CASE(connections_share_the_receives)
{
	struct doca_rdma_connection *of_a[3], *of_b[3];
	uint32_t seen = 0;

	rig_start(&a);
	rig_start(&b);
	for (int i = 0; i < 3; i++) {
		rig_join(&a, &b);
		of_a[i] = a.connection;
		of_b[i] = b.connection;
	}
	for (uint64_t i = 0; i < 3; i++) {
		a.connection = of_a[i];
		rig_send(&a, rig_data(&a, 0, 8), i);
	}
	rig_idle(&a, &b);
	for (uint64_t i = 0; i < 3; i++) {
		rig_receive(&b, rig_room(&b, i * 8, 8), i);
		RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == i + 1);
		T_EQ(rig_last(&b, RIG_RECEIVE)->number, i);
		for (uint32_t n = 0; n < 3; n++)
			if (rig_last(&b, RIG_RECEIVE)->connection == of_b[n])
				seen |= 1u << n;
	}
	T_EQ(seen, 7);
	RIG_UNTIL(&a, &b, a.ok[RIG_SEND] == 3);
	rig_close(&a);
	rig_close(&b);
}

T_CASE(a_context_may_join_itself)
{
	struct rig_card first, second;
	struct doca_rdma_connection *one, *two;

	rig_start(&a);
	rig_export(&a, &first);
	one = a.connection;
	rig_export(&a, &second);
	two = a.connection;
	T_OK(doca_rdma_connect(a.rdma, first.details, first.details_len, two));
	T_OK(doca_rdma_connect(a.rdma, second.details, second.details_len, one));
	rig_receive(&a, rig_room(&a, 0, 100), 1);
	rig_fill(a.memory + 200, 100, 3);
	rig_send(&a, rig_data(&a, 200, 100), 2);
	RIG_ALONE(&a, a.ok[RIG_SEND] == 1 && a.ok[RIG_RECEIVE] == 1);
	T_EQ(rig_last(&a, RIG_RECEIVE)->connection, one);
	rig_expect(a.memory, 100, 3);
	rig_close(&a);
}

/* The setter counts from the next submit on. */
T_CASE(a_task_changes_its_connection)
{
	struct doca_rdma_connection *of_a[2], *of_b[2];
	struct doca_rdma_task_send *task;

	rig_start(&a);
	rig_start(&b);
	for (int i = 0; i < 2; i++) {
		rig_join(&a, &b);
		of_a[i] = a.connection;
		of_b[i] = b.connection;
	}
	a.keep_tasks = true;
	a.connection = of_a[0];
	rig_receive(&b, NULL, 0);
	task = (void *)rig_send(&a, NULL, 0);
	RIG_UNTIL(&a, &b, a.ok[RIG_SEND] == 1 && b.ok[RIG_RECEIVE] == 1);
	T_EQ(rig_last(&b, RIG_RECEIVE)->connection, of_b[0]);
	doca_rdma_task_send_set_rdma_connection(task, of_a[1]);
	rig_receive(&b, NULL, 0);
	T_OK(doca_task_submit(doca_rdma_task_send_as_task(task)));
	RIG_UNTIL(&a, &b, a.ok[RIG_SEND] == 2 && b.ok[RIG_RECEIVE] == 2);
	T_EQ(rig_last(&b, RIG_RECEIVE)->connection, of_b[1]);
	doca_task_free(doca_rdma_task_send_as_task(task));
	a.keep_tasks = false;
	rig_close(&a);
	rig_close(&b);
}
