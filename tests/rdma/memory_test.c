/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Read and write: sizes, lists, addresses, permissions, ranges, order.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "rdma/rig.h"

static struct rig_end a, b;
static struct rig_card card_a, card_b;

/* As rig_pair(), with permissions of b's context and mmap, and the cards at hand. */
static void pair_with(uint32_t permissions, uint32_t mmap_permissions, size_t size)
{
	rig_init(&a);
	rig_init(&b);
	a.permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
	a.size = b.size = size;
	b.permissions = permissions;
	b.mmap_permissions = mmap_permissions;
	rig_raise(&a, &b, &card_a, &card_b);
	rig_await_join(&a, &b);
}

static void pair(void)
{
	pair_with(RIG_ALL, RIG_ALL, RIG_SIZE);
}

static void close_pair(void)
{
	rig_close(&a);
	rig_close(&b);
}

static void write_and_read(size_t len)
{
	uint32_t before = a.ok[RIG_WRITE];

	rig_fill(a.memory, len, (uint32_t)len);
	memset(b.memory, 0xee, len);
	rig_write(&a, rig_data(&a, 0, len), rig_remote_room(&a, &card_b, 0, len), 1);
	/* O5: nobody progresses b. */
	RIG_ALONE(&a, a.ok[RIG_WRITE] == before + 1);
	rig_expect(b.memory, len, (uint32_t)len);
	rig_fill(b.memory, len, (uint32_t)len + 1);
	rig_read(&a, rig_remote_data(&a, &card_b, 0, len), rig_room(&a, 0, len), 2);
	RIG_ALONE(&a, a.ok[RIG_READ] == before + 1);
	rig_expect(a.memory, len, (uint32_t)len + 1);
	T_EQ(rig_last(&a, RIG_READ)->len, len);
}

T_CASE(every_size)
{
	static const size_t sizes[] = {1, 64, 4096, 65536, 262144, 262145, 1048576};

	pair();
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		write_and_read(sizes[i]);
	close_pair();
}

T_CASE_TIMEOUT(accesses_of_64_mib, 120)
{
	pair_with(RIG_ALL, RIG_ALL, 64u << 20);
	write_and_read(64u << 20);
	close_pair();
}

/* What the source's overlapping part becomes is nobody's promise; the rest stays as it was. */
static void access_within(enum rig_kind kind, size_t from, size_t to, size_t len)
{
	size_t end = (from > to ? from : to) + len, low = from < to ? from : to;
	uint32_t before = a.num_events;

	rig_fill(b.memory, RIG_SIZE, 3);
	if (kind == RIG_WRITE)
		rig_write(&a, rig_data(&b, from, len), rig_remote_room(&a, &card_b, to, len), 1);
	else
		rig_read(&a, rig_remote_data(&a, &card_b, from, len), rig_room(&b, to, len), 1);
	RIG_ALONE(&a, a.num_events == before + 1);
	T_CHECK(a.events[before].ok);
	for (size_t i = 0; i < low; i++)
		T_EQ(b.memory[i], rig_pattern(3, i));
	for (size_t i = end; i < RIG_SIZE; i++)
		T_EQ(b.memory[i], rig_pattern(3, i));
}

/* Within the memory of one process, to which the connection leads as to that of any other. */
T_CASE(sides_that_overlap)
{
	pair();
	for (enum rig_kind kind = RIG_READ; kind <= RIG_WRITE; kind++) {
		access_within(kind, 1000, 1100, 4096);
		access_within(kind, 1100, 1000, 4096);
		access_within(kind, 1000, 9000, 300000);
		access_within(kind, 9000, 1000, 300000);
		access_within(kind, 1000, 1000, 4096);
	}
	close_pair();
}

T_CASE(empty_accesses_succeed)
{
	pair();
	rig_read(&a, NULL, NULL, 1);
	rig_write(&a, NULL, NULL, 1);
	rig_read(&a, rig_remote_data(&a, &card_b, 0, 0), rig_room(&a, 0, 10), 1);
	rig_write(&a, rig_data(&a, 0, 0), rig_remote_room(&a, &card_b, 0, 10), 1);
	RIG_ALONE(&a, a.num_events == 4);
	T_EQ(a.ok[RIG_READ], 2);
	T_EQ(a.ok[RIG_WRITE], 2);
	T_EQ(rig_last(&a, RIG_READ)->len, 0);
	close_pair();
}

/* B2, B3: a read appends; a write goes behind the remote data. */
T_CASE(where_accesses_begin)
{
	struct doca_buf *remote, *local;
	size_t data_len;

	pair();
	rig_fill(b.memory, 4096, 1);
	local = rig_room(&a, 0, 300);
	T_OK(doca_buf_set_data(local, a.memory + 50, 20));
	T_OK(doca_buf_inc_refcount(local, NULL));
	remote = rig_remote_room(&a, &card_b, 0, 4096);
	T_OK(doca_buf_set_data(remote, (void *)(uintptr_t)(card_b.addr + 1000), 200));
	rig_read(&a, remote, local, 1);
	RIG_ALONE(&a, a.ok[RIG_READ] == 1);
	T_OK(doca_buf_get_data_len(local, &data_len));
	T_EQ(data_len, 220);
	T_MEMEQ(a.memory + 70, b.memory + 1000, 200);
	T_OK(doca_buf_dec_refcount(local, NULL));

	memset(a.memory, 0x77, 100);
	remote = rig_remote_room(&a, &card_b, 0, 4096);
	T_OK(doca_buf_set_data(remote, (void *)(uintptr_t)(card_b.addr + 2000), 96));
	rig_write(&a, rig_data(&a, 0, 100), remote, 1);
	RIG_ALONE(&a, a.ok[RIG_WRITE] == 1);
	T_EQ(b.memory[2095], rig_pattern(1, 2095));
	T_EQ(b.memory[2096], 0x77);
	T_EQ(b.memory[2195], 0x77);
	T_EQ(b.memory[2196], rig_pattern(1, 2196));
	close_pair();
}

static struct doca_buf *list_of(bool data)
{
	struct doca_buf *head = data ? rig_data(&a, 0, 1000) : rig_room(&a, 0, 1000);

	T_OK(doca_buf_chain_list(head, data ? rig_data(&a, 2000, 0) : rig_room(&a, 2000, 0)));
	T_OK(doca_buf_chain_list(head, data ? rig_data(&a, 3000, 500) : rig_room(&a, 3000, 500)));
	return head;
}

/* B4: local lists are taken whole, of a remote one the head. */
T_CASE(lists)
{
	struct doca_buf *remote;

	pair();
	rig_fill(a.memory, 4000, 5);
	rig_write(&a, list_of(true), rig_remote_room(&a, &card_b, 0, 1500), 1);
	RIG_ALONE(&a, a.ok[RIG_WRITE] == 1);
	T_MEMEQ(b.memory, a.memory, 1000);
	T_MEMEQ(b.memory + 1000, a.memory + 3000, 500);
	memset(a.memory, 0, 4000);
	remote = rig_remote_data(&a, &card_b, 0, 1400);
	T_OK(doca_buf_chain_list(remote, rig_remote_data(&a, &card_b, 2000, 50)));
	rig_read(&a, remote, list_of(false), 1);
	RIG_ALONE(&a, a.ok[RIG_READ] == 1);
	T_EQ(rig_last(&a, RIG_READ)->len, 1400);
	T_MEMEQ(a.memory, b.memory, 1000);
	T_MEMEQ(a.memory + 3000, b.memory + 1000, 400);
	T_EQ(a.memory[3400], 0);
	close_pair();
}

static doca_error_t try_read(struct doca_buf *src, struct doca_buf *dst)
{
	uint32_t before = a.num_events;

	rig_read(&a, src, dst, 1);
	RIG_ALONE(&a, a.num_events == before + 1);
	return rig_last(&a, RIG_READ)->status;
}

static doca_error_t try_write(struct doca_buf *src, struct doca_buf *dst)
{
	uint32_t before = a.num_events;

	rig_write(&a, src, dst, 1);
	RIG_ALONE(&a, a.num_events == before + 1);
	return rig_last(&a, RIG_WRITE)->status;
}

T_CASE(bufs_that_do_not_suit)
{
	pair();
	/* Room for less than the source. */
	T_ERR(try_read(rig_remote_data(&a, &card_b, 0, 65), rig_room(&a, 0, 64)),
	      DOCA_ERROR_INVALID_VALUE);
	/* One of two. */
	T_ERR(try_read(NULL, rig_room(&a, 0, 64)), DOCA_ERROR_INVALID_VALUE);
	T_ERR(try_read(rig_remote_data(&a, &card_b, 0, 64), NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(try_write(NULL, rig_remote_room(&a, &card_b, 0, 64)), DOCA_ERROR_INVALID_VALUE);
	T_ERR(try_write(rig_data(&a, 0, 64), NULL), DOCA_ERROR_INVALID_VALUE);
	/* The wrong way round. */
	T_ERR(try_read(rig_data(&a, 0, 64), rig_room(&a, 64, 64)), DOCA_ERROR_INVALID_VALUE);
	T_ERR(try_write(rig_remote_data(&a, &card_b, 0, 64), rig_remote_room(&a, &card_b, 64, 64)),
	      DOCA_ERROR_INVALID_VALUE);
	/* Behind the end of the remote buf. */
	T_ERR(try_write(rig_data(&a, 0, 64), rig_remote_room(&a, &card_b, 0, 63)),
	      DOCA_ERROR_NOT_PERMITTED);
	T_EQ(rig_last(&a, RIG_READ)->len, 0);
	/* None of this was fatal. */
	T_OK(try_read(rig_remote_data(&a, &card_b, 0, 64), rig_room(&a, 0, 64)));
	close_pair();
}

/* B6 */
T_CASE(a_failure_leaves_the_data_length_alone)
{
	struct doca_buf *dst;
	size_t data_len;

	pair_with(DOCA_ACCESS_FLAG_RDMA_WRITE, RIG_ALL, RIG_SIZE);
	dst = rig_room(&a, 0, 64);
	T_OK(doca_buf_set_data(dst, a.memory, 7));
	T_OK(doca_buf_inc_refcount(dst, NULL));
	T_ERR(try_read(rig_remote_data(&a, &card_b, 0, 32), dst), DOCA_ERROR_NOT_PERMITTED);
	T_OK(doca_buf_get_data_len(dst, &data_len));
	T_EQ(data_len, 7);
	T_OK(doca_buf_inc_refcount(dst, NULL));
	rig_receive(&a, dst, 1);
	rig_send(&b, rig_data(&b, 0, 64), 1);
	RIG_UNTIL(&a, &b, a.failed[RIG_RECEIVE] == 1);
	T_OK(doca_buf_get_data_len(dst, &data_len));
	T_EQ(data_len, 7);
	T_OK(doca_buf_dec_refcount(dst, NULL));
	close_pair();
}

/* A1: context and mmap of the responder must both allow it; the requester's need not. */
static void matrix(uint32_t permissions, uint32_t mmap_permissions, bool reads, bool writes)
{
	const uint32_t local = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;

	pair_with(permissions | local, mmap_permissions | local, RIG_SIZE);
	T_ERR(try_read(rig_remote_data(&a, &card_b, 0, 64), rig_room(&a, 0, 64)),
	      reads ? DOCA_SUCCESS : DOCA_ERROR_NOT_PERMITTED);
	T_ERR(try_write(rig_data(&a, 0, 64), rig_remote_room(&a, &card_b, 0, 64)),
	      writes ? DOCA_SUCCESS : DOCA_ERROR_NOT_PERMITTED);
	close_pair();
}

T_CASE(permissions)
{
	const uint32_t r = DOCA_ACCESS_FLAG_RDMA_READ, w = DOCA_ACCESS_FLAG_RDMA_WRITE;

	matrix(0, r | w, false, false);
	matrix(r, r | w, true, false);
	matrix(w, r | w, false, true);
	matrix(r | w, r, true, false);
	matrix(r | w, w, false, true);
	matrix(r, w, false, false);
	matrix(r | w, r | w, true, true);
}

T_CASE(rdma_write_alone_is_a_permission)
{
	const uint32_t w = DOCA_ACCESS_FLAG_RDMA_WRITE;

	pair_with(w, w | DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, RIG_SIZE);
	T_OK(try_write(rig_data(&a, 0, 64), rig_remote_room(&a, &card_b, 0, 64)));
	close_pair();
}

/* The owner stops its mmap while it is in use elsewhere. */
T_CASE(stopped_memory_is_out_of_reach)
{
	pair();
	T_OK(doca_mmap_stop(b.mmap));
	T_ERR(try_read(rig_remote_data(&a, &card_b, 0, 64), rig_room(&a, 0, 64)),
	      DOCA_ERROR_NOT_PERMITTED);
	close_pair();
}

T_CASE(read_only_memory_is_no_destination)
{
	static uint8_t memory[4096];
	struct doca_mmap *mmap;
	struct doca_buf *buf;

	pair();
	T_OK(doca_mmap_create(&mmap));
	T_OK(doca_mmap_add_dev(mmap, a.dev));
	T_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
	T_OK(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY));
	T_OK(doca_mmap_start(mmap));
	T_OK(doca_buf_inventory_buf_get_by_addr(a.inventory, mmap, memory, 64, &buf));
	T_ERR(try_read(rig_remote_data(&a, &card_b, 0, 64), buf), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_buf_inventory_buf_get_by_data(a.inventory, mmap, memory, 64, &buf));
	T_OK(try_write(buf, rig_remote_room(&a, &card_b, 0, 64)));
	T_OK(doca_mmap_destroy(mmap));
	close_pair();
}

/* O1: completions of one connection come in the order of submission, whatever the kinds. */
T_CASE(completions_come_in_order)
{
	pair();
	rig_send(&a, rig_data(&a, 0, 64), 0);
	rig_write(&a, rig_data(&a, 0, 1000000), rig_remote_room(&a, &card_b, 0, 1000000), 1);
	rig_read(&a, rig_remote_data(&a, &card_b, 0, 64), rig_room(&a, 0, 64), 2);
	rig_read(&a, NULL, rig_room(&a, 0, 64), 3); /* fails at once, reported in its turn */
	rig_send(&a, rig_data(&a, 0, 64), 4);
	rig_idle(&a, &b);
	T_EQ(a.num_events, 0);
	rig_receive(&b, rig_room(&b, 0, 64), 0);
	rig_receive(&b, rig_room(&b, 0, 64), 1);
	RIG_UNTIL(&a, &b, a.num_events == 5);
	for (uint64_t i = 0; i < 5; i++)
		T_EQ(a.events[i].number, i);
	T_ERR(a.events[3].status, DOCA_ERROR_INVALID_VALUE);
	close_pair();
}

/* O2: when a later send arrives, what was written before it is there. */
T_CASE(a_send_follows_the_writes_before_it)
{
	const size_t len = 700000;

	pair();
	for (uint32_t i = 0; i < 50; i++) {
		rig_fill(a.memory, len, i);
		rig_receive(&b, NULL, i);
		rig_write(&a, rig_data(&a, 0, len), rig_remote_room(&a, &card_b, 0, len), i);
		rig_send(&a, NULL, i);
		RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == i + 1);
		rig_expect(b.memory, len, i);
		RIG_UNTIL(&a, &b, a.ok[RIG_SEND] == i + 1);
	}
	close_pair();
}

/* An access is not held up by a message that nobody has received yet, at another connection. */
T_CASE(connections_do_not_wait_for_each_other)
{
	struct doca_rdma_connection *first;

	pair();
	first = a.connection;
	rig_join(&a, &b);
	rig_send(&a, rig_data(&a, 0, 64), 1);
	a.connection = first;
	T_OK(try_read(rig_remote_data(&a, &card_b, 0, 64), rig_room(&a, 0, 64)));
	T_EQ(a.ok[RIG_SEND], 0);
	close_pair();
}

/* Memory of a program that this machine's runtime directory does not know: another machine's, and
 * the connection does not lead there. */
static int stranger(void *arg)
{
	static struct rig_end c;
	static char dir[512];
	int fd = *(int *)arg;
	char over;

	snprintf(dir, sizeof(dir), "%s/elsewhere", getenv("SOFTDPU_RUNTIME_DIR"));
	T_EQ(mkdir(dir, 0700), 0);
	setenv("SOFTDPU_RUNTIME_DIR", dir, 1);
	rig_start(&c);
	rig_export(&c, &card_b);
	rig_put(fd, &card_b, sizeof(card_b));
	rig_get(fd, &over, 1);
	T_EQ(c.memory[0], 0);
	rig_close(&c);
	return 0;
}

T_CASE(memory_to_which_the_connection_does_not_lead)
{
	int fds[2];
	pid_t pid;

	T_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	pid = t_fork(stranger, &fds[1]);
	pair();
	T_OK(doca_mmap_destroy(a.peer));
	a.peer = NULL;
	rig_get(fds[0], &card_b, sizeof(card_b));
	rig_import(&a, &card_b);
	rig_fill(a.memory, 64, 3);
	T_ERR(try_write(rig_data(&a, 0, 64), rig_remote_room(&a, &card_b, 0, 64)),
	      DOCA_ERROR_NOT_PERMITTED);
	T_ERR(try_read(rig_remote_data(&a, &card_b, 0, 64), rig_room(&a, 0, 64)),
	      DOCA_ERROR_NOT_PERMITTED);
	rig_put(fds[0], "o", 1);
	T_EQ(t_wait(pid, 10000), 0);
	close_pair();
}
