/* SPDX-License-Identifier: BSD-3-Clause */
#include "rdma/rig.h"

static void drop(const struct doca_buf *buf)
{
	if (buf != NULL)
		T_OK(doca_buf_dec_refcount((struct doca_buf *)buf, NULL));
}

/* The bufs of a task, which are the rig's. */
static void drop_bufs(struct doca_task *task, enum rig_kind kind)
{
	switch (kind) {
	case RIG_RECEIVE:
		return drop(doca_rdma_task_receive_get_dst_buf((void *)task));
	case RIG_SEND:
		return drop(doca_rdma_task_send_get_src_buf((void *)task));
	case RIG_SEND_IMM:
		return drop(doca_rdma_task_send_imm_get_src_buf((void *)task));
	case RIG_READ:
		drop(doca_rdma_task_read_get_src_buf((void *)task));
		return drop(doca_rdma_task_read_get_dst_buf((void *)task));
	case RIG_WRITE:
		drop(doca_rdma_task_write_get_src_buf((void *)task));
		return drop(doca_rdma_task_write_get_dst_buf((void *)task));
	case RIG_WRITE_IMM:
		drop(doca_rdma_task_write_imm_get_src_buf((void *)task));
		return drop(doca_rdma_task_write_imm_get_dst_buf((void *)task));
	case RIG_CMP_SWP:
		drop(doca_rdma_task_atomic_cmp_swp_get_dst_buf((void *)task));
		return drop(doca_rdma_task_atomic_cmp_swp_get_result_buf((void *)task));
	case RIG_FETCH_ADD:
		drop(doca_rdma_task_atomic_fetch_add_get_dst_buf((void *)task));
		return drop(doca_rdma_task_atomic_fetch_add_get_result_buf((void *)task));
	case RIG_EVENT_GET:
		return drop(doca_rdma_task_remote_net_sync_event_get_get_dst_buf((void *)task));
	case RIG_EVENT_SET:
		return drop(
			doca_rdma_task_remote_net_sync_event_notify_set_get_src_buf((void *)task));
	default:
		return drop(doca_rdma_task_remote_net_sync_event_notify_add_get_result_buf(
			(void *)task));
	}
}

static void describe(struct rig_event *event, struct doca_task *task)
{
	if (event->kind == RIG_RECEIVE) {
		struct doca_rdma_task_receive *receive = (void *)task;

		event->len = doca_rdma_task_receive_get_result_len(receive);
		event->connection = doca_rdma_task_receive_get_result_rdma_connection(receive);
		event->opcode = doca_rdma_task_receive_get_result_opcode(receive);
		event->immediate = doca_rdma_task_receive_get_result_immediate_data(receive);
	} else if (event->kind == RIG_READ) {
		event->len = doca_rdma_task_read_get_result_len((void *)task);
	} else if (event->kind == RIG_EVENT_GET) {
		event->len = doca_rdma_task_remote_net_sync_event_get_get_result_len((void *)task);
	}
}

static void completed(struct doca_task *task, union doca_data task_data, union doca_data ctx_data,
		      enum rig_kind kind, bool ok)
{
	struct rig_end *end = ctx_data.ptr;
	struct rig_event event = {.kind = kind, .ok = ok, .number = task_data.u64};

	event.status = doca_task_get_status(task);
	T_EQ(event.status == DOCA_SUCCESS, ok);
	describe(&event, task);
	end->events[end->num_events++ % 4096] = event;
	(ok ? end->ok : end->failed)[kind]++;
	if (!end->keep_tasks) {
		drop_bufs(task, kind);
		doca_task_free(task);
	}
	if (end->on_event != NULL)
		end->on_event(end, task, &event);
}

/* The two callbacks of a kind, and its pool. */
#define KIND(name, kind)                                                                           \
	static void name##_ok(struct doca_rdma_task_##name *task, union doca_data task_data,       \
			      union doca_data ctx_data)                                            \
	{                                                                                          \
		completed(doca_rdma_task_##name##_as_task(task), task_data, ctx_data, kind, true); \
	}                                                                                          \
	static void name##_bad(struct doca_rdma_task_##name *task, union doca_data task_data,      \
			       union doca_data ctx_data)                                           \
	{                                                                                          \
		completed(doca_rdma_task_##name##_as_task(task), task_data, ctx_data, kind,        \
			  false);                                                                  \
	}                                                                                          \
	static void name##_configure(struct rig_end *end)                                          \
	{                                                                                          \
		T_OK(doca_rdma_task_##name##_set_conf(end->rdma, name##_ok, name##_bad,            \
						      end->num_tasks));                            \
	}

KIND(receive, RIG_RECEIVE)
KIND(send, RIG_SEND)
KIND(send_imm, RIG_SEND_IMM)
KIND(read, RIG_READ)
KIND(write, RIG_WRITE)
KIND(write_imm, RIG_WRITE_IMM)
KIND(atomic_cmp_swp, RIG_CMP_SWP)
KIND(atomic_fetch_add, RIG_FETCH_ADD)
KIND(remote_net_sync_event_get, RIG_EVENT_GET)
KIND(remote_net_sync_event_notify_set, RIG_EVENT_SET)
KIND(remote_net_sync_event_notify_add, RIG_EVENT_ADD)

void rig_configure_tasks(struct rig_end *end)
{
	receive_configure(end);
	send_configure(end);
	send_imm_configure(end);
	read_configure(end);
	write_configure(end);
	write_imm_configure(end);
	atomic_cmp_swp_configure(end);
	atomic_fetch_add_configure(end);
	remote_net_sync_event_get_configure(end);
	remote_net_sync_event_notify_set_configure(end);
	remote_net_sync_event_notify_add_configure(end);
}

struct doca_task *rig_receive(struct rig_end *end, struct doca_buf *dst, uint64_t number)
{
	struct doca_rdma_task_receive *task;
	union doca_data data = {.u64 = number};

	T_OK(doca_rdma_task_receive_allocate_init(end->rdma, dst, data, &task));
	T_OK(doca_task_submit(doca_rdma_task_receive_as_task(task)));
	return doca_rdma_task_receive_as_task(task);
}

struct doca_task *rig_send(struct rig_end *end, struct doca_buf *src, uint64_t number)
{
	struct doca_rdma_task_send *task;
	union doca_data data = {.u64 = number};

	T_OK(doca_rdma_task_send_allocate_init(end->rdma, end->connection, src, data, &task));
	T_OK(doca_task_submit(doca_rdma_task_send_as_task(task)));
	return doca_rdma_task_send_as_task(task);
}

struct doca_task *rig_send_imm(struct rig_end *end, struct doca_buf *src, doca_be32_t immediate,
			       uint64_t number)
{
	struct doca_rdma_task_send_imm *task;
	union doca_data data = {.u64 = number};

	T_OK(doca_rdma_task_send_imm_allocate_init(end->rdma, end->connection, src, immediate, data,
						   &task));
	T_OK(doca_task_submit(doca_rdma_task_send_imm_as_task(task)));
	return doca_rdma_task_send_imm_as_task(task);
}

struct doca_task *rig_read(struct rig_end *end, struct doca_buf *src, struct doca_buf *dst,
			   uint64_t number)
{
	struct doca_rdma_task_read *task;
	union doca_data data = {.u64 = number};

	T_OK(doca_rdma_task_read_allocate_init(end->rdma, end->connection, src, dst, data, &task));
	T_OK(doca_task_submit(doca_rdma_task_read_as_task(task)));
	return doca_rdma_task_read_as_task(task);
}

struct doca_task *rig_write(struct rig_end *end, struct doca_buf *src, struct doca_buf *dst,
			    uint64_t number)
{
	struct doca_rdma_task_write *task;
	union doca_data data = {.u64 = number};

	T_OK(doca_rdma_task_write_allocate_init(end->rdma, end->connection, src, dst, data, &task));
	T_OK(doca_task_submit(doca_rdma_task_write_as_task(task)));
	return doca_rdma_task_write_as_task(task);
}

struct doca_task *rig_write_imm(struct rig_end *end, struct doca_buf *src, struct doca_buf *dst,
				doca_be32_t immediate, uint64_t number)
{
	struct doca_rdma_task_write_imm *task;
	union doca_data data = {.u64 = number};

	T_OK(doca_rdma_task_write_imm_allocate_init(end->rdma, end->connection, src, dst, immediate,
						    data, &task));
	T_OK(doca_task_submit(doca_rdma_task_write_imm_as_task(task)));
	return doca_rdma_task_write_imm_as_task(task);
}

struct doca_task *rig_cmp_swp(struct rig_end *end, struct doca_buf *dst, struct doca_buf *result,
			      uint64_t compare, uint64_t swap, uint64_t number)
{
	struct doca_rdma_task_atomic_cmp_swp *task;
	union doca_data data = {.u64 = number};

	T_OK(doca_rdma_task_atomic_cmp_swp_allocate_init(end->rdma, end->connection, dst, result,
							 compare, swap, data, &task));
	T_OK(doca_task_submit(doca_rdma_task_atomic_cmp_swp_as_task(task)));
	return doca_rdma_task_atomic_cmp_swp_as_task(task);
}

struct doca_task *rig_fetch_add(struct rig_end *end, struct doca_buf *dst, struct doca_buf *result,
				uint64_t add, uint64_t number)
{
	struct doca_rdma_task_atomic_fetch_add *task;
	union doca_data data = {.u64 = number};

	T_OK(doca_rdma_task_atomic_fetch_add_allocate_init(end->rdma, end->connection, dst, result,
							   add, data, &task));
	T_OK(doca_task_submit(doca_rdma_task_atomic_fetch_add_as_task(task)));
	return doca_rdma_task_atomic_fetch_add_as_task(task);
}

struct doca_task *rig_event_get(struct rig_end *end, struct doca_sync_event_remote_net *event,
				struct doca_buf *dst, uint64_t number)
{
	struct doca_rdma_task_remote_net_sync_event_get *task;
	union doca_data data = {.u64 = number};

	T_OK(doca_rdma_task_remote_net_sync_event_get_allocate_init(end->rdma, end->connection,
								    event, dst, data, &task));
	T_OK(doca_task_submit(doca_rdma_task_remote_net_sync_event_get_as_task(task)));
	return doca_rdma_task_remote_net_sync_event_get_as_task(task);
}

struct doca_task *rig_event_set(struct rig_end *end, struct doca_sync_event_remote_net *event,
				struct doca_buf *src, uint64_t number)
{
	struct doca_rdma_task_remote_net_sync_event_notify_set *task;
	union doca_data data = {.u64 = number};

	T_OK(doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(
		end->rdma, end->connection, event, src, data, &task));
	T_OK(doca_task_submit(doca_rdma_task_remote_net_sync_event_notify_set_as_task(task)));
	return doca_rdma_task_remote_net_sync_event_notify_set_as_task(task);
}

struct doca_task *rig_event_add(struct rig_end *end, struct doca_sync_event_remote_net *event,
				struct doca_buf *result, uint64_t add, uint64_t number)
{
	struct doca_rdma_task_remote_net_sync_event_notify_add *task;
	union doca_data data = {.u64 = number};

	T_OK(doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(
		end->rdma, end->connection, event, result, add, data, &task));
	T_OK(doca_task_submit(doca_rdma_task_remote_net_sync_event_notify_add_as_task(task)));
	return doca_rdma_task_remote_net_sync_event_notify_add_as_task(task);
}

const struct rig_event *rig_last(const struct rig_end *end, enum rig_kind kind)
{
	for (uint32_t i = end->num_events; i-- > 0;)
		if (end->events[i % 4096].kind == kind)
			return &end->events[i % 4096];
	T_FAIL("no completion of kind %d", kind);
}
