/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the log tells about tasks that fail: one line each, which says what is wrong.
 */
#include <string.h>

#include "core/event_kit.h"
#include "core/kit.h"
#include "rdma/rig.h"

static struct rig_end a, b;
static struct rig_card card_b;
static struct doca_sync_event *event;
static struct doca_sync_event_remote_net *remote;
static struct event_blob blob;

static void pair_with(uint32_t permissions, uint32_t mmap_permissions)
{
	rig_init(&a);
	rig_init(&b);
	a.list_len = 2;
	b.permissions = permissions;
	b.mmap_permissions = mmap_permissions;
	rig_raise(&a, &b, NULL, &card_b);
	event = event_make_net(b.dev);
	T_OK(doca_sync_event_start(event));
	event_export_net(event, &blob);
	T_OK(doca_sync_event_remote_net_create_from_export(a.dev, blob.bytes, blob.len, &remote));
	RIG_UNTIL(&a, &b, !rig_progress(&a, &b));
	kit_log();
}

static void close_pair(void)
{
	T_OK(doca_sync_event_remote_net_destroy(remote));
	T_OK(doca_sync_event_stop(event));
	T_OK(doca_sync_event_destroy(event));
	rig_close(&a);
	rig_close(&b);
}

/* Of the task that was submitted last. */
static void says(enum rig_kind kind, const char *name, const char *text)
{
	const char *log;

	RIG_ALONE(&a, a.failed[kind] == 1);
	a.failed[kind] = 0;
	T_EQ(a.num_events, 1);
	a.num_events = 0;
	log = kit_log();
	T_EQ(kit_log_lines(log), 1);
	T_CONTAINS(log, name);
	T_CONTAINS(log, text);
}

static struct doca_buf *list(uint32_t num)
{
	struct doca_buf *head = rig_data(&a, 0, 8);

	while (--num != 0)
		T_OK(doca_buf_chain_list(head, rig_data(&a, 0, 8)));
	return head;
}

static struct doca_buf *far_data(size_t offset, size_t len)
{
	return rig_remote_data(&a, &card_b, offset, len);
}

static struct doca_buf *far_room(size_t offset, size_t len)
{
	return rig_remote_room(&a, &card_b, offset, len);
}

T_CASE(bufs_of_messages)
{
	pair_with(RIG_ALL, RIG_ALL);
	rig_send(&a, list(3), 0);
	says(RIG_SEND, "doca_rdma_task_send: ", "set_max_send_buf_list_len");
	rig_send_imm(&a, far_data(0, 8), 0, 0);
	says(RIG_SEND_IMM, "doca_rdma_task_send_imm", "imported");
	rig_receive(&a, list(3), 0);
	says(RIG_RECEIVE, "doca_rdma_task_receive", "set_dst_buf_list_len");
	rig_receive(&a, far_room(0, 8), 0);
	says(RIG_RECEIVE, "doca_rdma_task_receive", "imported");
	close_pair();
}

T_CASE(bufs_of_accesses)
{
	pair_with(RIG_ALL, RIG_ALL);
	rig_read(&a, NULL, rig_room(&a, 0, 8), 0);
	says(RIG_READ, "doca_rdma_task_read", "NULL");
	rig_read(&a, rig_data(&a, 0, 8), rig_room(&a, 0, 8), 0);
	says(RIG_READ, "doca_rdma_task_read", "doca_mmap_create_from_export");
	rig_read(&a, far_data(0, 9), rig_room(&a, 0, 8), 0);
	says(RIG_READ, "of 9 bytes", "room in the local ones");
	rig_write(&a, list(3), far_room(0, 64), 0);
	says(RIG_WRITE, "doca_rdma_task_write", "set_max_send_buf_list_len");
	rig_write(&a, rig_data(&a, 0, 9), far_room(0, 8), 0);
	says(RIG_WRITE, "of 9 bytes", "behind the end of the remote buf");
	close_pair();
}

T_CASE(bufs_of_atomics)
{
	pair_with(RIG_ALL, RIG_ALL);
	rig_fetch_add(&a, far_room(0, 7), rig_room(&a, 0, 8), 1, 0);
	says(RIG_FETCH_ADD, "doca_rdma_task_atomic_fetch_add", "remote buf");
	rig_fetch_add(&a, far_room(4, 8), rig_room(&a, 0, 8), 1, 0);
	says(RIG_FETCH_ADD, "doca_rdma_task_atomic_fetch_add", "multiple of 8");
	rig_cmp_swp(&a, far_room(0, 8), rig_room(&a, 0, 7), 1, 1, 0);
	says(RIG_CMP_SWP, "doca_rdma_task_atomic_cmp_swp", "result buf");
	rig_cmp_swp(&a, rig_room(&a, 0, 8), rig_room(&a, 0, 8), 1, 1, 0);
	says(RIG_CMP_SWP, "doca_rdma_task_atomic_cmp_swp", "doca_mmap_create_from_export");
	rig_event_add(&a, remote, rig_room(&a, 0, 7), 1, 0);
	says(RIG_EVENT_ADD, "notify_add", "result buf");
	rig_event_get(&a, remote, rig_room(&a, 0, 7), 0);
	says(RIG_EVENT_GET, "sync_event_get", "needed: 8 bytes");
	rig_event_set(&a, remote, far_data(0, 8), 0);
	says(RIG_EVENT_SET, "notify_set", "imported");
	close_pair();
}

T_CASE(permissions_of_the_context)
{
	pair_with(DOCA_ACCESS_FLAG_RDMA_READ, RIG_ALL);
	rig_write(&a, rig_data(&a, 0, 8), far_room(0, 8), 0);
	says(RIG_WRITE, "with DOCA_ACCESS_FLAG_RDMA_WRITE", "doca_rdma_set_permissions()");
	rig_event_add(&a, remote, rig_room(&a, 0, 8), 1, 0);
	says(RIG_EVENT_ADD, "with DOCA_ACCESS_FLAG_RDMA_ATOMIC", "doca_rdma_set_permissions()");
	close_pair();
}

T_CASE(permissions_of_the_memory)
{
	pair_with(RIG_ALL, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_WRITE);
	rig_read(&a, far_data(0, 8), rig_room(&a, 0, 8), 0);
	says(RIG_READ, "with DOCA_ACCESS_FLAG_RDMA_READ", "exported it without");
	rig_fetch_add(&a, far_room(0, 8), rig_room(&a, 0, 8), 1, 0);
	says(RIG_FETCH_ADD, "with DOCA_ACCESS_FLAG_RDMA_ATOMIC", "exported it without");
	close_pair();
}

T_CASE(memory_that_was_stopped)
{
	pair_with(RIG_ALL, RIG_ALL);
	T_OK(doca_mmap_stop(b.mmap));
	rig_write(&a, rig_data(&a, 0, 8), far_room(0, 8), 0);
	says(RIG_WRITE, "doca_rdma_task_write", "has stopped it");
	T_OK(doca_sync_event_stop(event));
	rig_event_add(&a, remote, rig_room(&a, 0, 8), 1, 0);
	says(RIG_EVENT_ADD, "notify_add", "has stopped it");
	T_OK(doca_sync_event_start(event));
	close_pair();
}
