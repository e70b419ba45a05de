/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks on sync events of peers: get, set and add, by RDMA.
 */
#include <string.h>

#include "core/event_kit.h"
#include "rdma/rig.h"

static struct rig_end a, b;
static struct doca_sync_event *event;		  /* b's */
static struct doca_sync_event_remote_net *remote; /* a's view of it */
static struct event_blob blob;

static void import_event(void)
{
	T_OK(doca_sync_event_remote_net_create_from_export(a.dev, blob.bytes, blob.len, &remote));
}

static void pair_with(uint32_t permissions)
{
	rig_init(&a);
	rig_init(&b);
	a.permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
	b.permissions = permissions;
	/* The event's memory is not the mmap's. */
	b.mmap_permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
	rig_raise(&a, &b, NULL, NULL);
	event = event_make_net(b.dev);
	T_OK(doca_sync_event_start(event));
	event_export_net(event, &blob);
	import_event();
	rig_await_join(&a, &b);
}

static void pair(void)
{
	pair_with(RIG_ALL);
}

static void close_pair(void)
{
	T_OK(doca_sync_event_remote_net_destroy(remote));
	(void)doca_sync_event_stop(event);
	T_OK(doca_sync_event_destroy(event));
	rig_close(&a);
	rig_close(&b);
}

static uint64_t value_at(size_t offset)
{
	uint64_t value;

	memcpy(&value, a.memory + offset, sizeof(value));
	return value;
}

static struct doca_buf *source(uint64_t value)
{
	memcpy(a.memory, &value, sizeof(value));
	return rig_data(&a, 0, 8);
}

/* O5: nobody progresses b. */
static doca_error_t status_of(enum rig_kind kind)
{
	RIG_ALONE(&a, a.ok[kind] + a.failed[kind] != 0);
	a.ok[kind] = a.failed[kind] = 0;
	return rig_last(&a, kind)->status;
}

static doca_error_t try_get(struct doca_buf *dst)
{
	rig_event_get(&a, remote, dst, 1);
	return status_of(RIG_EVENT_GET);
}

static doca_error_t try_set(struct doca_buf *src)
{
	rig_event_set(&a, remote, src, 1);
	return status_of(RIG_EVENT_SET);
}

static doca_error_t try_add(struct doca_buf *result, uint64_t add)
{
	rig_event_add(&a, remote, result, add, 1);
	return status_of(RIG_EVENT_ADD);
}

T_CASE(get_set_and_add)
{
	pair();
	T_OK(doca_sync_event_update_set(event, 41));
	T_OK(try_get(rig_room(&a, 64, 8)));
	T_EQ(rig_last(&a, RIG_EVENT_GET)->len, 8);
	T_EQ(value_at(64), 41);
	T_OK(try_add(rig_room(&a, 64, 8), 2));
	T_EQ(value_at(64), 41);
	T_EQ(event_get(event), 43);
	T_OK(try_set(source(0xfedcba9876543210)));
	T_EQ(event_get(event), 0xfedcba9876543210);
	T_OK(try_add(rig_room(&a, 64, 8), UINT64_MAX));
	T_EQ(event_get(event), 0xfedcba987654320f);
	close_pair();
}

/* B2, B4: a get appends, to lists as well; of the source the first 8 bytes count. */
T_CASE(where_the_values_lie)
{
	struct doca_buf *buf;
	size_t len;

	pair();
	T_OK(doca_sync_event_update_set(event, 0x1122334455667788));
	buf = rig_room(&a, 0, 16);
	T_OK(doca_buf_set_data(buf, a.memory, 5));
	T_OK(doca_buf_inc_refcount(buf, NULL));
	T_OK(try_get(buf));
	T_EQ(value_at(5), 0x1122334455667788);
	T_EQ(value_at(13), 0);
	T_OK(doca_buf_get_data_len(buf, &len));
	T_EQ(len, 13);
	T_OK(doca_buf_dec_refcount(buf, NULL));

	buf = rig_room(&a, 100, 3);
	T_OK(doca_buf_chain_list(buf, rig_room(&a, 200, 50)));
	T_OK(try_get(buf));
	T_EQ(a.memory[100], 0x88);
	T_EQ(a.memory[102], 0x66);
	T_EQ(a.memory[200], 0x55);
	T_EQ(a.memory[204], 0x11);

	memset(a.memory, 0, 32);
	a.memory[4] = 1;
	buf = rig_data(&a, 4, 2);
	T_OK(doca_buf_chain_list(buf, rig_data(&a, 16, 12)));
	T_OK(try_set(buf));
	T_EQ(event_get(event), 1);
	close_pair();
}

T_CASE(bufs_that_do_not_suit)
{
	pair();
	T_ERR(try_get(rig_room(&a, 0, 7)), DOCA_ERROR_INVALID_VALUE);
	T_ERR(try_set(rig_data(&a, 0, 7)), DOCA_ERROR_INVALID_VALUE);
	T_ERR(try_set(rig_room(&a, 0, 8)), DOCA_ERROR_INVALID_VALUE);
	T_ERR(try_add(rig_room(&a, 0, 7), 1), DOCA_ERROR_INVALID_VALUE);
	T_EQ(event_get(event), 0);
	T_EQ(rig_last(&a, RIG_EVENT_GET)->len, 0);
	close_pair();
}

/* What the setters took away. */
T_CASE(tasks_without_event_or_buf)
{
	struct doca_rdma_task_remote_net_sync_event_get *task;
	union doca_data none = {0};
	struct doca_buf *buf;

	pair();
	a.keep_tasks = true;
	buf = rig_room(&a, 0, 8);
	T_OK(doca_rdma_task_remote_net_sync_event_get_allocate_init(a.rdma, a.connection, remote,
								    buf, none, &task));
	doca_rdma_task_remote_net_sync_event_get_set_sync_event(task, NULL);
	T_OK(doca_task_submit(doca_rdma_task_remote_net_sync_event_get_as_task(task)));
	T_ERR(status_of(RIG_EVENT_GET), DOCA_ERROR_INVALID_VALUE);
	doca_rdma_task_remote_net_sync_event_get_set_sync_event(task, remote);
	doca_rdma_task_remote_net_sync_event_get_set_dst_buf(task, NULL);
	T_OK(doca_task_submit(doca_rdma_task_remote_net_sync_event_get_as_task(task)));
	T_ERR(status_of(RIG_EVENT_GET), DOCA_ERROR_INVALID_VALUE);
	doca_rdma_task_remote_net_sync_event_get_set_dst_buf(task, buf);
	T_OK(doca_task_submit(doca_rdma_task_remote_net_sync_event_get_as_task(task)));
	T_OK(status_of(RIG_EVENT_GET));
	doca_task_free(doca_rdma_task_remote_net_sync_event_get_as_task(task));
	T_OK(doca_buf_dec_refcount(buf, NULL));
	close_pair();
}

static void matrix(uint32_t permissions, doca_error_t get, doca_error_t set, doca_error_t add)
{
	pair_with(permissions);
	T_ERR(try_get(rig_room(&a, 64, 8)), get);
	T_ERR(try_set(source(5)), set);
	T_ERR(try_add(rig_room(&a, 64, 8), 1), add);
	T_EQ(event_get(event), (set == DOCA_SUCCESS ? 5u : 0u) + (add == DOCA_SUCCESS ? 1u : 0u));
	close_pair();
}

/* 1.6: of the owner's context; the export allows all. */
T_CASE(permissions)
{
	const doca_error_t no = DOCA_ERROR_NOT_PERMITTED;

	matrix(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, no, no, no);
	matrix(DOCA_ACCESS_FLAG_RDMA_READ, DOCA_SUCCESS, no, no);
	matrix(DOCA_ACCESS_FLAG_RDMA_WRITE, no, DOCA_SUCCESS, no);
	matrix(DOCA_ACCESS_FLAG_RDMA_ATOMIC, no, no, DOCA_SUCCESS);
}

/* O1 */
T_CASE(effects_come_in_order)
{
	pair();
	rig_event_set(&a, remote, source(100), 0);
	rig_event_add(&a, remote, rig_room(&a, 8, 8), 5, 1);
	rig_event_get(&a, remote, rig_room(&a, 16, 8), 2);
	rig_event_add(&a, remote, rig_room(&a, 24, 8), 1, 3);
	RIG_ALONE(&a, a.num_events == 4);
	for (uint64_t i = 0; i < 4; i++) {
		T_EQ(a.events[i].number, i);
		T_OK(a.events[i].status);
	}
	T_EQ(value_at(8), 100);
	T_EQ(value_at(16), 105);
	T_EQ(value_at(24), 105);
	T_EQ(event_get(event), 106);
	close_pair();
}

/* The owner stops the event: it is out of reach, and the connection goes on. */
T_CASE(a_stopped_event_is_out_of_reach)
{
	pair();
	T_OK(doca_sync_event_stop(event));
	T_ERR(try_set(source(5)), DOCA_ERROR_NOT_PERMITTED);
	T_OK(doca_sync_event_start(event));
	T_ERR(try_set(source(5)), DOCA_ERROR_NOT_PERMITTED);
	T_OK(doca_sync_event_remote_net_destroy(remote));
	event_export_net(event, &blob);
	import_event();
	T_OK(try_set(source(5)));
	T_EQ(event_get(event), 5);
	close_pair();
}

T_CASE(tasks_waiting_for_a_connection_are_given_back)
{
	struct rig_card card;

	pair();
	rig_export(&a, &card);
	rig_event_set(&a, remote, source(5), 0);
	rig_event_get(&a, remote, rig_room(&a, 8, 8), 1);
	rig_event_add(&a, remote, rig_room(&a, 8, 8), 1, 2);
	T_ERR(doca_ctx_stop(a.ctx), DOCA_ERROR_IN_PROGRESS);
	RIG_ALONE(&a, rig_state(&a) == DOCA_CTX_STATE_IDLE);
	T_EQ(a.num_events, 3);
	for (uint32_t i = 0; i < 3; i++)
		T_EQ(a.events[i].status, DOCA_ERROR_SHUTDOWN);
	T_EQ(event_get(event), 0);
	close_pair();
}

/* An owner that waits, in the two ways, and does nothing for its connection. */
static int owner(void *arg)
{
	int fd = *(int *)arg;
	struct rig_card theirs;
	char over;

	rig_start(&b);
	event = event_make_net(b.dev);
	T_OK(doca_sync_event_start(event));
	event_export_net(event, &blob);
	rig_put(fd, &blob, sizeof(blob));
	rig_swap(&b, fd, &theirs);
	for (uint64_t i = 0; i < 100; i++)
		T_OK(doca_sync_event_wait_gt_yield(event, i, ALL));
	T_OK(doca_sync_event_wait_eq_yield(event, 1000, ALL));
	rig_get(fd, &over, 1);
	T_OK(doca_sync_event_stop(event));
	T_OK(doca_sync_event_destroy(event));
	rig_close(&b);
	return 0;
}

T_CASE(a_waiting_owner_wakes)
{
	struct rig_card theirs;
	int fd;
	pid_t pid = rig_peer(owner, &fd);

	rig_start(&a);
	rig_get(fd, &blob, sizeof(blob));
	import_event();
	rig_swap(&a, fd, &theirs);
	for (uint32_t i = 0; i < 100; i++) {
		rig_event_add(&a, remote, rig_room(&a, 0, 8), 1, 1);
		RIG_ALONE(&a, a.ok[RIG_EVENT_ADD] == i + 1);
		T_EQ(value_at(0), i);
	}
	T_OK(try_set(source(1000)));
	rig_put(fd, "o", 1);
	T_EQ(t_wait(pid, 10000), 0);
	RIG_ALONE(&a, a.disconnects == 1);
	T_ERR(try_set(source(7)), DOCA_ERROR_CONNECTION_RESET);
	T_OK(doca_sync_event_remote_net_destroy(remote));
	rig_close(&a);
}
