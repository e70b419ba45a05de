/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a copy does to memory and bufs: sizes, places, lists, and all four combinations of memory
 * that is ours and memory that is imported, through every kind of window.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/kit.h"
#include "dma/rig.h"

static struct rig rig;

/* Bytes on each side, half of them behind an mmap of ours, half behind one that is imported. */
struct area {
	uint8_t *base;
	size_t half;
	struct doca_mmap *local, *exported, *imported;
};
static struct area src, dst;

static void area_open(struct area *area, size_t half)
{
	struct rig_card card;

	area->half = half;
	area->base = t_map_file(t_memory_file(2 * half, F_SEAL_SHRINK), 2 * half);
	area->local = kit_mmap(rig.dev, area->base, half, 0);
	area->exported = kit_mmap(rig.host, area->base + half, half, RIG_HOST_PERMS);
	rig_export(&rig, area->exported, &card);
	area->imported = rig_import(&rig, &card);
}

static void area_close(struct area *area)
{
	T_OK(doca_mmap_destroy(area->imported));
	T_OK(doca_mmap_destroy(area->exported));
	T_OK(doca_mmap_destroy(area->local));
}

static void begin(size_t half, const char *window)
{
	if (window != NULL)
		setenv("SOFTDPU_WINDOW", window, 1);
	rig_start(&rig);
	area_open(&src, half);
	area_open(&dst, half);
}

static void end(void)
{
	area_close(&src);
	area_close(&dst);
	rig_close(&rig);
}

static struct doca_mmap *mmap_of(const struct area *area, bool imported)
{
	return imported ? area->imported : area->local;
}

static uint8_t *at_of(const struct area *area, bool imported)
{
	return imported ? area->base + area->half : area->base;
}

static void copy_of(size_t len, bool from_imported, bool to_imported)
{
	uint8_t *from = at_of(&src, from_imported), *to = at_of(&dst, to_imported);
	struct doca_buf *room = rig_room(&rig, mmap_of(&dst, to_imported), to, len);

	T_OK(doca_buf_inc_refcount(room, NULL));
	rig_fill(from, len, (uint32_t)len);
	memset(to, 0, len + 1);
	T_OK(rig_run(&rig, rig_data(&rig, mmap_of(&src, from_imported), from, len), room));
	rig_expect(to, len, (uint32_t)len);
	T_EQ(to[len], 0);
	T_EQ(rig_len(room), len);
	rig_drop(room);
}

static void every_size(const char *window)
{
	static const size_t sizes[] = {1,      63,     4096,	65536,	 262143,
				       262144, 262145, 1048576, 1048577, 3000000};

	begin(4u << 20, window);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (int way = 0; way < 4; way++)
			copy_of(sizes[i], (way & 1) != 0, (way & 2) != 0);
	end();
}

T_CASE(every_size_and_way_mapped)
{
	every_size("mapped");
}

T_CASE(every_size_and_way_cross)
{
	every_size("cross");
}

T_CASE(every_size_and_way_handed)
{
	every_size("handed");
}

T_CASE(every_size_and_way_served)
{
	every_size("served");
}

static void copy_within(size_t from, size_t to, size_t len)
{
	struct doca_buf *room;

	rig_fill(src.base + from, len, 7);
	room = rig_room(&rig, src.local, src.base + to, len);
	T_OK(doca_buf_inc_refcount(room, NULL));
	T_OK(rig_run(&rig, rig_data(&rig, src.local, src.base + from, len), room));
	rig_expect(src.base + to, len, 7);
	rig_drop(room);
}

T_CASE(source_and_destination_may_overlap)
{
	begin(8u << 20, NULL);
	copy_within(0, 100, 4096);
	copy_within(100, 0, 4096);
	copy_within(0, 100000, 3000000);
	copy_within(100000, 0, 3000000);
	end();
}

/* Rule 2. */
T_CASE(data_is_appended_to_the_destination)
{
	struct doca_buf *from, *to;
	void *data;

	begin(4096, NULL);
	rig_fill(src.base, 4096, 1);
	from = rig_room(&rig, src.local, src.base, 4096);
	T_OK(doca_buf_set_data(from, src.base + 100, 50));
	to = rig_room(&rig, dst.local, dst.base, 1000);
	T_OK(doca_buf_set_data(to, dst.base + 200, 30));
	T_OK(doca_buf_inc_refcount(from, NULL));
	T_OK(doca_buf_inc_refcount(to, NULL));
	T_OK(rig_run(&rig, from, to));
	T_MEMEQ(dst.base + 230, src.base + 100, 50);
	T_EQ(dst.base[229], 0);
	T_EQ(dst.base[280], 0);
	T_EQ(rig_len(to), 80);
	T_OK(doca_buf_get_data(to, &data));
	T_EQ(data, dst.base + 200);
	T_EQ(rig_len(from), 50);
	T_OK(doca_buf_get_data(from, &data));
	T_EQ(data, src.base + 100);
	T_OK(doca_buf_inc_refcount(to, NULL));
	T_OK(rig_run(&rig, from, to));
	T_MEMEQ(dst.base + 280, src.base + 100, 50);
	T_EQ(rig_len(to), 130);
	rig_drop(to);
	end();
}

/* A list of `total` bytes in pieces of random length, in memory of random owner, with gaps. */
struct pieces {
	struct doca_buf *list;
	uint32_t num;
	struct doca_buf *buf[64];
	uint8_t *at[64];
	size_t len[64];
	size_t before[64]; /* data_len at first */
};

static size_t random_below(size_t bound)
{
	return (size_t)rand() % bound;
}

static void pieces_add(struct pieces *pieces, struct area *area, size_t used[2], size_t len,
		       bool room)
{
	bool imported = rand() % 2;
	size_t gap = random_below(9), tail = room ? random_below(9) : 0;
	uint8_t *head = at_of(area, imported) + used[imported] + random_below(5);
	uint32_t i = pieces->num++;
	struct doca_buf *buf;

	used[imported] = (size_t)(head - at_of(area, imported)) + gap + len + tail;
	T_CHECK(used[imported] <= area->half);
	buf = rig_room(&rig, mmap_of(area, imported), head, gap + len + (room ? 0 : tail));
	/* Data in front of the room stays as it is; a gap in front of the data is none. */
	T_OK(doca_buf_set_data(buf, room ? head : head + gap, room ? gap : len));
	pieces->buf[i] = buf;
	pieces->at[i] = head + gap;
	pieces->len[i] = len;
	pieces->before[i] = room ? gap : len;
	if (i == 0)
		pieces->list = buf;
	else
		T_OK(doca_buf_chain_list(pieces->list, buf));
}

static void pieces_make(struct pieces *pieces, struct area *area, size_t total, uint32_t num,
			bool room)
{
	size_t used[2] = {0, 0}, len;

	pieces->num = 0;
	while (pieces->num < num) {
		len = pieces->num + 1 == num ? total : random_below(2 * total / num + 1);
		len = len < total ? len : total;
		pieces_add(pieces, area, used, len, room);
		total -= len;
	}
}

static void pieces_gather(const struct pieces *pieces, uint8_t *to)
{
	for (uint32_t i = 0; i < pieces->num; i++) {
		memcpy(to, pieces->at[i], pieces->len[i]);
		to += pieces->len[i];
	}
}

/* The destination has `spare` bytes of room more than are copied. */
static void pieces_judge(const struct pieces *from, const struct pieces *to, size_t total)
{
	uint8_t *want = malloc(total), *got = malloc(2 * total);
	size_t left = total;

	pieces_gather(from, want);
	pieces_gather(to, got);
	T_MEMEQ(got, want, total);
	for (uint32_t i = 0; i < to->num; i++) {
		size_t part = to->len[i] < left ? to->len[i] : left;

		T_EQ(rig_len(to->buf[i]), to->before[i] + part);
		left -= part;
	}
	for (uint32_t i = 0; i < from->num; i++)
		T_EQ(rig_len(from->buf[i]), from->len[i]);
	free(want);
	free(got);
}

static void random_lists(const char *window, uint32_t rounds, size_t max)
{
	static struct pieces from, to;

	begin(2 * max, window);
	srand(7);
	for (uint32_t round = 0; round < rounds; round++) {
		size_t total = 1 + random_below(max);

		rig_fill(src.base, 2 * src.half, round);
		memset(dst.base, 0xee, 2 * dst.half);
		pieces_make(&from, &src, total, 1 + (uint32_t)random_below(64), false);
		pieces_make(&to, &dst, total + random_below(total + 1) / 2,
			    1 + (uint32_t)random_below(64), true);
		T_OK(doca_buf_inc_refcount(from.list, NULL));
		T_OK(doca_buf_inc_refcount(to.list, NULL));
		T_OK(rig_run(&rig, from.list, to.list));
		pieces_judge(&from, &to, total);
		rig_drop(from.list);
		rig_drop(to.list);
	}
	end();
}

/* Rule 3: element boundaries of source and destination have nothing to do with each other. */
T_CASE_TIMEOUT(random_lists_mapped, 120)
{
	random_lists("mapped", 200, 20000);
}

T_CASE_TIMEOUT(random_lists_cross, 120)
{
	random_lists("cross", 200, 20000);
}

T_CASE_TIMEOUT(random_lists_handed, 120)
{
	random_lists("handed", 200, 20000);
}

T_CASE_TIMEOUT(random_lists_served, 120)
{
	random_lists("served", 50, 20000);
}

T_CASE_TIMEOUT(random_lists_of_megabytes, 120)
{
	random_lists(NULL, 10, 4u << 20);
}

static uint32_t turns_of(size_t len, bool from_imported, bool to_imported)
{
	uint32_t turns = 0, before = rig.ok;

	rig_copy(&rig,
		 rig_data(&rig, mmap_of(&src, from_imported), at_of(&src, from_imported), len),
		 rig_room(&rig, mmap_of(&dst, to_imported), at_of(&dst, to_imported), len), 0);
	while (rig.ok == before) {
		doca_pe_progress(rig.pe);
		turns++;
	}
	return turns;
}

/* A long copy leaves the engine to others between its chunks. */
T_CASE(long_copies_take_turns)
{
	begin(16u << 20, "cross");
	T_EQ(turns_of(1u << 20, false, false), 1);
	T_EQ(turns_of(16u << 20, false, false), 16);
	T_EQ(turns_of(16u << 20, true, false), 16);
	T_CHECK(turns_of(16u << 20, true, true) >= 16);
	end();
}

/* Rule 5: we are always in order. */
T_CASE(completions_come_in_order)
{
	begin(4u << 20, NULL);
	rig_copy(&rig, rig_data(&rig, src.local, src.base, 4u << 20),
		 rig_room(&rig, dst.local, dst.base, 4u << 20), 0);
	for (uint64_t i = 1; i < 20; i++)
		rig_copy(&rig, rig_data(&rig, src.local, src.base, i),
			 rig_room(&rig, dst.local, dst.base, i), i);
	RIG_UNTIL(&rig, rig.ok == 20);
	for (uint64_t i = 0; i < 20; i++)
		T_EQ(rig.numbers[i], i);
	end();
}

/* Rule 10: a batch that is finished by a plain submit. */
T_CASE(reports_may_be_put_off)
{
	struct doca_dma_task_memcpy *task;

	begin(4096, NULL);
	for (int i = 0; i < 8; i++) {
		task = rig_task(&rig, rig_data(&rig, src.local, src.base, 8),
				rig_room(&rig, dst.local, dst.base, 8), 0);
		T_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(task),
					 DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS));
	}
	rig_copy(&rig, rig_data(&rig, src.local, src.base, 8),
		 rig_room(&rig, dst.local, dst.base, 8), 0);
	RIG_UNTIL(&rig, rig.ok == 9);
	end();
}

/* Permissions of the exporter that suffice. */
T_CASE(a_read_only_export_is_a_source)
{
	struct doca_mmap *exported, *imported;
	struct rig_card card;

	begin(4096, NULL);
	exported = kit_mmap(rig.host, src.base, 64, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	rig_export(&rig, exported, &card);
	imported = rig_import(&rig, &card);
	rig_fill(src.base, 64, 3);
	T_OK(rig_run(&rig, rig_data(&rig, imported, src.base, 64),
		     rig_room(&rig, dst.local, dst.base, 64)));
	rig_expect(dst.base, 64, 3);
	T_OK(doca_mmap_destroy(imported));
	T_OK(doca_mmap_destroy(exported));
	end();
}

/* An mmap with PCI permissions only serves locally too. */
T_CASE(pci_permissions_count_locally)
{
	struct doca_mmap *mmap;

	begin(4096, NULL);
	mmap = kit_mmap(rig.dev, dst.base, 64, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	T_OK(rig_run(&rig, rig_data(&rig, src.local, src.base, 64),
		     rig_room(&rig, mmap, dst.base, 64)));
	T_OK(doca_mmap_destroy(mmap));
	mmap = kit_mmap(rig.dev, src.base, 64, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	T_OK(rig_run(&rig, rig_data(&rig, mmap, src.base, 64),
		     rig_room(&rig, dst.local, dst.base, 64)));
	T_OK(doca_mmap_destroy(mmap));
	end();
}
