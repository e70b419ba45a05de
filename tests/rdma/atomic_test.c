/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Remote atomics: what they do to the value and bring back, where it lies, permissions, and that
 * none is lost.
 */
#include <string.h>

#include "rdma/rig.h"

static struct rig_end a, b;
static struct rig_card card_b;

static void pair_with(uint32_t permissions, uint32_t mmap_permissions)
{
	rig_init(&a);
	rig_init(&b);
	a.permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
	b.permissions = permissions;
	b.mmap_permissions = mmap_permissions;
	rig_raise(&a, &b, NULL, &card_b);
	rig_await_join(&a, &b);
}

static void pair(void)
{
	pair_with(RIG_ALL, RIG_ALL);
}

static void close_pair(void)
{
	rig_close(&a);
	rig_close(&b);
}

static uint64_t value_at(const struct rig_end *end, size_t offset)
{
	uint64_t value;

	memcpy(&value, end->memory + offset, sizeof(value));
	return value;
}

static void set_value(struct rig_end *end, size_t offset, uint64_t value)
{
	memcpy(end->memory + offset, &value, sizeof(value));
}

static struct doca_buf *remote(size_t offset, size_t len)
{
	return rig_remote_room(&a, &card_b, offset, len);
}

/* O5: nobody progresses b. */
static doca_error_t try_add(struct doca_buf *dst, struct doca_buf *result, uint64_t add)
{
	uint32_t before = a.num_events;

	rig_fetch_add(&a, dst, result, add, 1);
	RIG_ALONE(&a, a.num_events == before + 1);
	return rig_last(&a, RIG_FETCH_ADD)->status;
}

static doca_error_t try_swap(struct doca_buf *dst, struct doca_buf *result, uint64_t compare,
			     uint64_t swap)
{
	uint32_t before = a.num_events;

	rig_cmp_swp(&a, dst, result, compare, swap, 1);
	RIG_ALONE(&a, a.num_events == before + 1);
	return rig_last(&a, RIG_CMP_SWP)->status;
}

T_CASE(fetch_and_add)
{
	pair();
	set_value(&b, 64, 40);
	T_OK(try_add(remote(64, 8), rig_room(&a, 0, 8), 2));
	T_EQ(value_at(&a, 0), 40);
	T_EQ(value_at(&b, 64), 42);
	/* Modulo 2^64. */
	T_OK(try_add(remote(64, 8), rig_room(&a, 0, 8), UINT64_MAX));
	T_EQ(value_at(&a, 0), 42);
	T_EQ(value_at(&b, 64), 41);
	T_EQ(value_at(&b, 56), 0);
	T_EQ(value_at(&b, 72), 0);
	close_pair();
}

T_CASE(compare_and_swap)
{
	pair();
	set_value(&b, 64, 7);
	T_OK(try_swap(remote(64, 8), rig_room(&a, 0, 8), 7, 9));
	T_EQ(value_at(&a, 0), 7);
	T_EQ(value_at(&b, 64), 9);
	T_OK(try_swap(remote(64, 8), rig_room(&a, 0, 8), 7, 11));
	T_EQ(value_at(&a, 0), 9);
	T_EQ(value_at(&b, 64), 9);
	T_OK(try_swap(remote(64, 8), rig_room(&a, 0, 8), 9, 0xfedcba9876543210));
	T_EQ(value_at(&b, 64), 0xfedcba9876543210);
	close_pair();
}

/* B5: the first 8 bytes from the data address on, whatever counts as data. */
static void result_into(size_t data_len, size_t want_len)
{
	struct doca_buf *dst = remote(0, 64), *result = rig_room(&a, 0, 64);
	void *data;
	size_t len;

	T_OK(doca_buf_set_data(dst, (void *)(uintptr_t)(card_b.addr + 16), data_len));
	T_OK(doca_buf_set_data(result, a.memory + 24, data_len));
	T_OK(doca_buf_inc_refcount(result, NULL));
	set_value(&b, 16, 5);
	memset(a.memory, 0x77, 64);
	T_OK(try_add(dst, result, 1));
	T_EQ(value_at(&a, 24), 5);
	T_EQ(a.memory[23], 0x77);
	T_EQ(a.memory[32], 0x77);
	T_EQ(value_at(&b, 16), 6);
	T_OK(doca_buf_get_data(result, &data));
	T_OK(doca_buf_get_data_len(result, &len));
	T_EQ(data, a.memory + 24);
	T_EQ(len, want_len);
	T_OK(doca_buf_dec_refcount(result, NULL));
}

T_CASE(where_the_values_lie)
{
	pair();
	result_into(0, 8);
	result_into(8, 8);
	result_into(20, 20);
	close_pair();
}

/* B4: of lists the heads only. */
T_CASE(lists)
{
	struct doca_buf *dst, *result;

	pair();
	dst = remote(0, 8);
	T_OK(doca_buf_chain_list(dst, remote(64, 8)));
	result = rig_room(&a, 0, 8);
	T_OK(doca_buf_chain_list(result, rig_room(&a, 64, 8)));
	set_value(&b, 0, 3);
	T_OK(try_add(dst, result, 1));
	T_EQ(value_at(&a, 0), 3);
	T_EQ(value_at(&b, 64), 0);
	/* 4 bytes in each of two are not 8. */
	result = rig_room(&a, 0, 4);
	T_OK(doca_buf_chain_list(result, rig_room(&a, 4, 4)));
	T_ERR(try_add(remote(0, 8), result, 1), DOCA_ERROR_INVALID_VALUE);
	close_pair();
}

T_CASE(bufs_that_do_not_suit)
{
	struct doca_buf *dst;
	size_t len;

	pair();
	T_ERR(try_add(remote(0, 7), rig_room(&a, 0, 8), 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(try_add(remote(0, 8), rig_room(&a, 0, 7), 1), DOCA_ERROR_INVALID_VALUE);
	/* Not on its own boundary. */
	T_ERR(try_add(remote(4, 8), rig_room(&a, 0, 8), 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(try_swap(remote(1, 8), rig_room(&a, 0, 8), 0, 1), DOCA_ERROR_INVALID_VALUE);
	/* The wrong way round. */
	T_ERR(try_add(rig_room(&a, 0, 8), rig_room(&a, 64, 8), 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(try_add(remote(0, 8), remote(64, 8), 1), DOCA_ERROR_INVALID_VALUE);
	for (size_t i = 0; i < 16; i++)
		T_EQ(b.memory[i], 0);
	/* The result need not be aligned. */
	dst = rig_room(&a, 13, 8);
	T_OK(doca_buf_inc_refcount(dst, NULL));
	T_OK(try_add(remote(0, 8), dst, 1));
	T_OK(doca_buf_get_data_len(dst, &len));
	T_EQ(len, 8);
	T_OK(doca_buf_dec_refcount(dst, NULL));
	close_pair();
}

/* B6 */
T_CASE(a_failure_leaves_the_result_alone)
{
	struct doca_buf *result;
	size_t len;

	pair_with(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, RIG_ALL);
	result = rig_room(&a, 0, 8);
	set_value(&a, 0, 99);
	T_OK(doca_buf_inc_refcount(result, NULL));
	T_ERR(try_add(remote(0, 8), result, 1), DOCA_ERROR_NOT_PERMITTED);
	T_OK(doca_buf_get_data_len(result, &len));
	T_EQ(len, 0);
	T_EQ(value_at(&a, 0), 99);
	T_OK(doca_buf_dec_refcount(result, NULL));
	close_pair();
}

/* A1 */
static void matrix(uint32_t permissions, uint32_t mmap_permissions, doca_error_t want)
{
	pair_with(permissions, mmap_permissions | DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	T_ERR(try_add(remote(0, 8), rig_room(&a, 0, 8), 1), want);
	T_ERR(try_swap(remote(8, 8), rig_room(&a, 0, 8), 0, 1), want);
	T_EQ(value_at(&b, 0), want == DOCA_SUCCESS);
	T_EQ(value_at(&b, 8), want == DOCA_SUCCESS);
	close_pair();
}

T_CASE(permissions)
{
	const uint32_t x = DOCA_ACCESS_FLAG_RDMA_ATOMIC, local = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
	const uint32_t others = DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE;

	matrix(x, x, DOCA_SUCCESS);
	matrix(local | others, x, DOCA_ERROR_NOT_PERMITTED);
	matrix(x, others, DOCA_ERROR_NOT_PERMITTED);
}

T_CASE(stopped_memory_is_out_of_reach)
{
	pair();
	T_OK(doca_mmap_stop(b.mmap));
	T_ERR(try_add(remote(0, 8), rig_room(&a, 0, 8), 1), DOCA_ERROR_NOT_PERMITTED);
	close_pair();
}

/* O1: effects in the order of submission, with other accesses as well. */
T_CASE(effects_come_in_order)
{
	pair();
	set_value(&a, 0, 100);
	rig_write(&a, rig_data(&a, 0, 8), remote(64, 8), 0);
	rig_fetch_add(&a, remote(64, 8), rig_room(&a, 8, 8), 5, 1);
	rig_read(&a, rig_remote_data(&a, &card_b, 64, 8), rig_room(&a, 16, 8), 2);
	rig_cmp_swp(&a, remote(64, 8), rig_room(&a, 24, 8), 105, 7, 3);
	rig_read(&a, rig_remote_data(&a, &card_b, 64, 8), rig_room(&a, 32, 8), 4);
	RIG_ALONE(&a, a.num_events == 5);
	for (uint64_t i = 0; i < 5; i++)
		T_EQ(a.events[i].number, i);
	T_EQ(value_at(&a, 8), 100);
	T_EQ(value_at(&a, 16), 105);
	T_EQ(value_at(&a, 24), 105);
	T_EQ(value_at(&a, 32), 7);
	close_pair();
}

/* Values may be changed between two submits of one task. */
static void resubmit(struct rig_end *end, struct doca_task *task, const struct rig_event *event)
{
	struct doca_rdma_task_atomic_fetch_add *add = (void *)task;

	T_CHECK(event->ok);
	if (end->ok[RIG_FETCH_ADD] == 4)
		return;
	doca_rdma_task_atomic_fetch_add_set_add_data(add, 10 * end->ok[RIG_FETCH_ADD]);
	T_OK(doca_task_submit(task));
}

T_CASE(a_task_is_used_again)
{
	struct doca_task *task;

	pair();
	a.keep_tasks = true;
	a.on_event = resubmit;
	task = rig_fetch_add(&a, remote(0, 8), rig_room(&a, 0, 8), 1, 1);
	RIG_ALONE(&a, a.ok[RIG_FETCH_ADD] == 4);
	T_EQ(value_at(&b, 0), 61);
	T_EQ(value_at(&a, 0), 31);
	T_OK(doca_buf_dec_refcount(doca_rdma_task_atomic_fetch_add_get_dst_buf((void *)task),
				   NULL));
	T_OK(doca_buf_dec_refcount(doca_rdma_task_atomic_fetch_add_get_result_buf((void *)task),
				   NULL));
	doca_task_free(task);
	a.keep_tasks = false;
	close_pair();
}

/* Several processes add to, and swap, one place. Each is told each old value once. */
#define ADDERS 3
#define ADDS 2000

static void add_again(struct rig_end *end, struct doca_task *task, const struct rig_event *event)
{
	T_CHECK(event->ok);
	/* Those under way are the last ones. */
	if (end->ok[RIG_FETCH_ADD] + RIG_TASKS <= ADDS)
		T_OK(doca_task_submit(task));
}

static int adder(void *arg)
{
	int fd = *(int *)arg;
	struct rig_card theirs;

	rig_start(&a);
	rig_swap(&a, fd, &theirs);
	a.keep_tasks = true;
	a.on_event = add_again;
	for (uint32_t i = 0; i < RIG_TASKS; i++)
		rig_fetch_add(&a, rig_remote_room(&a, &theirs, 64, 8), rig_room(&a, 8 * i, 8), 3,
			      i);
	RIG_ALONE(&a, a.ok[RIG_FETCH_ADD] == ADDS);
	rig_put(fd, "d", 1);
	return 0;
}

/* O5: the owner sleeps in read() meanwhile. */
T_CASE_TIMEOUT(none_is_lost, 60)
{
	struct rig_card mine, theirs;
	pid_t pids[ADDERS];
	int fds[ADDERS];
	char done;

	for (int i = 0; i < ADDERS; i++)
		pids[i] = rig_peer(adder, &fds[i]);
	rig_start(&b);
	for (int i = 0; i < ADDERS; i++) {
		rig_export(&b, &mine);
		rig_get(fds[i], &theirs, sizeof(theirs));
		T_OK(rig_connect(&b, &theirs));
		rig_put(fds[i], &mine, sizeof(mine));
	}
	for (int i = 0; i < ADDERS; i++)
		rig_get(fds[i], &done, 1);
	T_EQ(value_at(&b, 64), 3 * ADDERS * ADDS);
	for (int i = 0; i < ADDERS; i++)
		T_EQ(t_wait(pids[i], 10000), 0);
	rig_close(&b);
}

/* L7 */
T_CASE(tasks_waiting_for_a_connection_are_given_back)
{
	struct rig_card card;

	rig_start(&a);
	rig_export(&a, &card);
	rig_fetch_add(&a, rig_room(&a, 0, 8), rig_room(&a, 8, 8), 1, 1);
	rig_cmp_swp(&a, rig_room(&a, 0, 8), rig_room(&a, 8, 8), 1, 1, 1);
	T_ERR(doca_ctx_stop(a.ctx), DOCA_ERROR_IN_PROGRESS);
	RIG_ALONE(&a, rig_state(&a) == DOCA_CTX_STATE_IDLE);
	T_EQ(a.failed[RIG_FETCH_ADD], 1);
	T_EQ(a.failed[RIG_CMP_SWP], 1);
	T_EQ(rig_last(&a, RIG_CMP_SWP)->status, DOCA_ERROR_SHUTDOWN);
	rig_close(&a);
}

T_CASE(the_peer_stops)
{
	pair();
	T_OK(doca_ctx_stop(b.ctx));
	RIG_ALONE(&a, a.disconnects == 1);
	rig_fetch_add(&a, remote(0, 8), rig_room(&a, 0, 8), 1, 1);
	RIG_ALONE(&a, a.failed[RIG_FETCH_ADD] == 1);
	T_EQ(rig_last(&a, RIG_FETCH_ADD)->status, DOCA_ERROR_CONNECTION_RESET);
	T_EQ(value_at(&b, 0), 0);
	close_pair();
}
