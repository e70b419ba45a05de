/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The segment of a local connection as a hostile peer writes it: entries, slots with pieces,
 * answers to what we sent, and the words of the channel. Nothing may land outside of posted
 * receives, and every task comes back.
 */
#include <stdlib.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_mmap.h>

#include "rdma/local.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define TASKS 4
#define ROOM 30000
#define SIDE 64
#define LONG 20000

static struct doca_dev *dev;
static struct doca_pe *pe;
static struct doca_rdma *rdma;
static struct doca_ctx *ctx;
static struct doca_mmap *mmap;
static struct doca_buf_inventory *inventory;
static struct doca_rdma_connection *writer, *reader;
static uint8_t memory[TASKS + 1][SIDE + ROOM + SIDE];
static uint32_t posted, returned;

static void need(doca_error_t result)
{
	if (result != DOCA_SUCCESS)
		abort();
}

static void received(struct doca_rdma_task_receive *task, union doca_data task_data,
		     union doca_data ctx_data)
{
	struct doca_buf *buf = doca_rdma_task_receive_get_dst_buf(task);

	(void)task_data;
	(void)ctx_data;
	if (doca_rdma_task_receive_get_result_len(task) > ROOM)
		abort();
	returned++;
	doca_task_free(doca_rdma_task_receive_as_task(task));
	need(doca_buf_dec_refcount(buf, NULL));
}

static void sent(struct doca_rdma_task_send *task, union doca_data task_data,
		 union doca_data ctx_data)
{
	struct doca_buf *buf = (struct doca_buf *)doca_rdma_task_send_get_src_buf(task);

	(void)task_data;
	(void)ctx_data;
	returned++;
	doca_task_free(doca_rdma_task_send_as_task(task));
	need(doca_buf_dec_refcount(buf, NULL));
}

static void set_up(void)
{
	need(sdpu_dev_open_by_name("03:00.0", &dev));
	need(doca_mmap_create(&mmap));
	need(doca_mmap_add_dev(mmap, dev));
	need(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
	need(doca_mmap_start(mmap));
	need(doca_buf_inventory_create(64, &inventory));
	need(doca_buf_inventory_start(inventory));
	need(doca_pe_create(&pe));
	need(doca_rdma_create(dev, &rdma));
	ctx = doca_rdma_as_ctx(rdma);
	need(doca_rdma_set_max_num_connections(rdma, 2));
	need(doca_rdma_task_receive_set_conf(rdma, received, received, 16));
	need(doca_rdma_task_send_set_conf(rdma, sent, sent, 16));
	need(doca_pe_connect_ctx(pe, ctx));
}

static void receive(uint32_t i)
{
	const union doca_data none = {.u64 = 0};
	struct doca_rdma_task_receive *task;
	struct doca_buf *buf;

	need(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory[i] + SIDE, ROOM, &buf));
	need(doca_rdma_task_receive_allocate_init(rdma, buf, none, &task));
	need(doca_task_submit(doca_rdma_task_receive_as_task(task)));
	posted++;
}

static void send(struct doca_rdma_connection *connection, size_t len)
{
	const union doca_data none = {.u64 = 0};
	struct doca_rdma_task_send *task;
	struct doca_buf *buf;

	need(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory[TASKS] + SIDE, len, &buf));
	need(doca_rdma_task_send_allocate_init(rdma, connection, buf, none, &task));
	need(doca_task_submit(doca_rdma_task_send_as_task(task)));
	posted++;
}

/* Two ends of one context; a long message has been, so that the reader has a window. */
static void join(void)
{
	const void *bytes[2];
	size_t len[2];

	posted = returned = 0;
	need(doca_ctx_start(ctx));
	need(doca_rdma_export(rdma, &bytes[0], &len[0], &writer));
	need(doca_rdma_export(rdma, &bytes[1], &len[1], &reader));
	need(doca_rdma_connect(rdma, bytes[1], len[1], writer));
	need(doca_rdma_connect(rdma, bytes[0], len[0], reader));
	receive(0);
	send(writer, LONG);
	while (returned != posted)
		doca_pe_progress(pe);
}

/* The input's bytes, and behind its end some that depend on all of it: an input is expensive here,
 * and shall not have to grow before it reaches anything. */
static const uint8_t *input;
static size_t input_len;
static uint64_t random_state;

static void begin(const uint8_t *data, size_t size)
{
	input = data;
	input_len = size;
	random_state = 88172645463325252ull;
	for (size_t i = 0; i < size; i++)
		random_state = (random_state ^ data[i]) * 1099511628211ull;
}

static void take(void *to, size_t len)
{
	uint8_t *at = to;

	for (; len > 0; len--, at++) {
		if (input_len > 0) {
			*at = *input++;
			input_len--;
			continue;
		}
		random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
		*at = (uint8_t)(random_state >> 56);
	}
}

/* A number that is small, or at an edge, more often than not. */
static uint32_t take_len(void)
{
	static const uint32_t edges[] = {0, 1, 112, 113, 16384, 16385, ROOM, ROOM + 1, UINT32_MAX};
	uint32_t value;
	uint8_t kind;

	take(&kind, 1);
	take(&value, sizeof(value));
	return kind < 200 ? edges[kind % SDPU_ARRAY_SIZE(edges)] : value;
}

/* As the peer would write it: what the writer sends, and its answers to what the reader sent. */
static void scribble_pieces(struct local_pieces *pieces, uint32_t len)
{
	take(&pieces->num, 1);
	pieces->num %= RDMA_LIST_MAX + 2;
	for (uint32_t i = 0; i < pieces->num && i < RDMA_LIST_MAX; i++) {
		take(&pieces->piece[i].grant, 1);
		pieces->piece[i].grant %= 3;
		pieces->piece[i].len = pieces->num == 1 ? len : take_len();
		take(&pieces->piece[i].addr, 2);
		pieces->piece[i].addr += (uintptr_t)memory[TASKS] - 1000;
	}
}

static void scribble(void)
{
	struct local_segment *segment = reader->local->channel.segment.base;
	uint32_t side = writer->local->channel.me;
	struct local_ring *ring = &segment->ring[side];
	uint32_t at = reader->local->rx.position;
	uint8_t what;

	take(&what, 1);
	for (uint32_t i = 0; i < what % 8u; i++, at++) {
		struct local_entry *entry = &ring->entries[at % LOCAL_ENTRIES];
		uint8_t where = 0, opcode = 0, slot = 0;

		entry->len = take_len();
		take(&where, 1);
		take(&opcode, 1);
		take(&slot, 1);
		slot %= LOCAL_SLOTS + 2;
		entry->how = where % 5 | opcode % 4 << 8 | (uint32_t)slot << 16;
		take(&entry->immediate, 4);
		if (slot < LOCAL_SLOTS)
			scribble_pieces((void *)segment->slots[side][slot], entry->len);
		entry->word = local_word(at + 1, reader->local->tx.heard + what);
	}
	if (what & 0x20)
		take(&segment->ring[!side], 8);
	if (what & 0x10)
		take(&segment->head.side[side], 12);
}

static void check_sides(void)
{
	for (uint32_t i = 0; i < TASKS; i++)
		for (uint32_t k = 0; k < SIDE; k++)
			if (memory[i][k] != 0 || memory[i][SIDE + ROOM + k] != 0)
				abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum doca_ctx_states state = DOCA_CTX_STATE_STOPPING;

	if (dev == NULL)
		set_up();
	join();
	for (uint32_t i = 0; i < TASKS; i++)
		receive(i);
	send(reader, 100);
	send(reader, LONG);
	begin(data, size);
	scribble();
	for (int i = 0; i < 20; i++)
		doca_pe_progress(pe);
	check_sides();
	(void)doca_ctx_stop(ctx);
	while (doca_ctx_get_state(ctx, &state), state != DOCA_CTX_STATE_IDLE)
		doca_pe_progress(pe);
	if (returned != posted)
		abort();
	return 0;
}
