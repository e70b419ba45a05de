/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the functions of all types of tasks have in common: capability, pool, allocation, views and
 * accessors, each with every wrong argument.
 */
#include "core/event_kit.h"
#include "rdma/rig.h"

static struct rig_end a;
static struct doca_rdma_connection *connection, *foreign;
static struct doca_sync_event *owned;
static struct doca_sync_event_remote_net *event;
static struct doca_buf *one, *two;
static const union doca_data none;

static void open_with(uint32_t num_tasks)
{
	static struct event_blob blob;
	struct rig_card card;

	rig_init(&a);
	a.num_tasks = num_tasks;
	rig_open(&a);
	owned = event_make_net(a.dev);
	T_OK(doca_sync_event_start(owned));
	event_export_net(owned, &blob);
	T_OK(doca_sync_event_remote_net_create_from_export(a.dev, blob.bytes, blob.len, &event));
	one = rig_room(&a, 0, 64);
	two = rig_room(&a, 64, 64);
	T_OK(doca_ctx_start(a.ctx));
	rig_export(&a, &card);
	connection = a.connection;
}

static void close_all(void)
{
	T_OK(doca_buf_dec_refcount(one, NULL));
	T_OK(doca_buf_dec_refcount(two, NULL));
	T_OK(doca_sync_event_remote_net_destroy(event));
	T_OK(doca_sync_event_stop(owned));
	T_OK(doca_sync_event_destroy(owned));
	rig_close(&a);
}

static void done(struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	doca_task_free(task);
}

/* L1, L10: callbacks may be of the generic type. */
#define CONFIGURATION(name)                                                                        \
	T_CASE(configuration_of_##name)                                                            \
	{                                                                                          \
		const struct doca_devinfo *info;                                                   \
		doca_rdma_task_##name##_completion_cb_t cb =                                       \
			(doca_rdma_task_##name##_completion_cb_t)(void *)done;                     \
                                                                                                   \
		rig_init(&a);                                                                      \
		rig_open(&a);                                                                      \
		info = doca_dev_as_devinfo(a.dev);                                                 \
		T_OK(doca_rdma_cap_task_##name##_is_supported(info));                              \
		T_ERR(doca_rdma_cap_task_##name##_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);   \
		T_ERR(doca_rdma_task_##name##_set_conf(NULL, cb, cb, 1),                           \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		T_ERR(doca_rdma_task_##name##_set_conf(a.rdma, NULL, cb, 1),                       \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		T_ERR(doca_rdma_task_##name##_set_conf(a.rdma, cb, NULL, 1),                       \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		T_ERR(doca_rdma_task_##name##_set_conf(a.rdma, cb, cb, 0),                         \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		T_ERR(doca_rdma_task_##name##_set_conf(a.rdma, cb, cb, 32769),                     \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		T_OK(doca_rdma_task_##name##_set_conf(a.rdma, cb, cb, 7));                         \
		T_OK(doca_rdma_task_##name##_set_conf(a.rdma, cb, cb, 3));                         \
		T_OK(doca_ctx_start(a.ctx));                                                       \
		T_ERR(doca_rdma_task_##name##_set_conf(a.rdma, cb, cb, 1), DOCA_ERROR_BAD_STATE);  \
		rig_close(&a);                                                                     \
	}

CONFIGURATION(receive)
CONFIGURATION(send)
CONFIGURATION(send_imm)
CONFIGURATION(read)
CONFIGURATION(write)
CONFIGURATION(write_imm)
CONFIGURATION(atomic_cmp_swp)
CONFIGURATION(atomic_fetch_add)
CONFIGURATION(remote_net_sync_event_get)
CONFIGURATION(remote_net_sync_event_notify_set)
CONFIGURATION(remote_net_sync_event_notify_add)

/* The calls of one type; what stands between connection and user data differs. */
#define ALLOCATE(name, ...) doca_rdma_task_##name##_allocate_init(__VA_ARGS__)

/* A connection of another context. */
static void get_foreign(struct rig_end *other)
{
	struct rig_card card;

	rig_start(other);
	rig_export(other, &card);
	foreign = other->connection;
}

#define ALLOCATION(name, ...)                                                                      \
	T_CASE(allocation_of_##name)                                                               \
	{                                                                                          \
		static struct rig_end other;                                                       \
		struct doca_rdma_task_##name *task, *more;                                         \
                                                                                                   \
		open_with(1);                                                                      \
		get_foreign(&other);                                                               \
		T_ERR(ALLOCATE(name, NULL, connection, __VA_ARGS__, none, &task),                  \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		T_ERR(ALLOCATE(name, a.rdma, NULL, __VA_ARGS__, none, &task),                      \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		T_ERR(ALLOCATE(name, a.rdma, foreign, __VA_ARGS__, none, &task),                   \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		T_ERR(ALLOCATE(name, a.rdma, connection, __VA_ARGS__, none, NULL),                 \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		T_OK(ALLOCATE(name, a.rdma, connection, __VA_ARGS__, none, &task));                \
		T_ERR(ALLOCATE(name, a.rdma, connection, __VA_ARGS__, none, &more),                \
		      DOCA_ERROR_NO_MEMORY);                                                       \
		T_EQ((void *)doca_rdma_task_##name##_as_task(task), (void *)task);                 \
		T_EQ(doca_rdma_task_##name##_as_task(NULL), NULL);                                 \
		T_EQ(doca_rdma_task_##name##_get_rdma_connection(task), connection);               \
		/* The setter cannot say that it is wrong; submit does, and the task stays ours.   \
		 */                                                                                \
		doca_rdma_task_##name##_set_rdma_connection(task, foreign);                        \
		T_EQ(doca_rdma_task_##name##_get_rdma_connection(task), foreign);                  \
		T_ERR(doca_task_submit(doca_rdma_task_##name##_as_task(task)),                     \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		doca_rdma_task_##name##_set_rdma_connection(task, NULL);                           \
		T_ERR(doca_task_submit(doca_rdma_task_##name##_as_task(task)),                     \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		doca_rdma_task_##name##_set_rdma_connection(NULL, NULL);                           \
		T_EQ(doca_rdma_task_##name##_get_rdma_connection(NULL), NULL);                     \
		doca_task_free(doca_rdma_task_##name##_as_task(task));                             \
		T_OK(doca_ctx_stop(a.ctx));                                                        \
		T_ERR(ALLOCATE(name, a.rdma, connection, __VA_ARGS__, none, &task),                \
		      DOCA_ERROR_BAD_STATE);                                                       \
		rig_close(&other);                                                                 \
		close_all();                                                                       \
	}                                                                                          \
                                                                                                   \
	T_CASE(unconfigured_##name)                                                                \
	{                                                                                          \
		struct doca_rdma_task_##name *task;                                                \
                                                                                                   \
		open_with(0);                                                                      \
		T_ERR(ALLOCATE(name, a.rdma, connection, __VA_ARGS__, none, &task),                \
		      DOCA_ERROR_NO_MEMORY);                                                       \
		close_all();                                                                       \
	}

ALLOCATION(send, one)
ALLOCATION(send_imm, one, 1)
ALLOCATION(read, one, two)
ALLOCATION(write, one, two)
ALLOCATION(write_imm, one, two, 1)
ALLOCATION(atomic_cmp_swp, one, two, 1, 2)
ALLOCATION(atomic_fetch_add, one, two, 1)
ALLOCATION(remote_net_sync_event_get, event, one)
ALLOCATION(remote_net_sync_event_notify_set, event, one)
ALLOCATION(remote_net_sync_event_notify_add, event, one, 1)

T_CASE(allocation_of_receive)
{
	struct doca_rdma_task_receive *task, *more;

	open_with(1);
	T_ERR(ALLOCATE(receive, NULL, one, none, &task), DOCA_ERROR_INVALID_VALUE);
	T_ERR(ALLOCATE(receive, a.rdma, one, none, NULL), DOCA_ERROR_INVALID_VALUE);
	T_OK(ALLOCATE(receive, a.rdma, one, none, &task));
	T_ERR(ALLOCATE(receive, a.rdma, one, none, &more), DOCA_ERROR_NO_MEMORY);
	T_EQ((void *)doca_rdma_task_receive_as_task(task), (void *)task);
	T_EQ(doca_rdma_task_receive_as_task(NULL), NULL);
	doca_task_free(doca_rdma_task_receive_as_task(task));
	T_OK(doca_ctx_stop(a.ctx));
	T_ERR(ALLOCATE(receive, a.rdma, one, none, &task), DOCA_ERROR_BAD_STATE);
	close_all();
}

T_CASE(unconfigured_receive)
{
	struct doca_rdma_task_receive *task;

	open_with(0);
	T_ERR(ALLOCATE(receive, a.rdma, one, none, &task), DOCA_ERROR_NO_MEMORY);
	close_all();
}

/* What only empty messages and accesses may go without. */
#define MISSING(name, ...)                                                                         \
	do {                                                                                       \
		struct doca_rdma_task_##name *task;                                                \
                                                                                                   \
		T_ERR(ALLOCATE(name, a.rdma, connection, __VA_ARGS__, none, &task),                \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
	} while (0)

#define ALLOWED(name, ...)                                                                         \
	do {                                                                                       \
		struct doca_rdma_task_##name *task;                                                \
                                                                                                   \
		T_OK(ALLOCATE(name, a.rdma, connection, __VA_ARGS__, none, &task));                \
		doca_task_free(doca_rdma_task_##name##_as_task(task));                             \
	} while (0)

T_CASE(missing_bufs_and_events)
{
	open_with(1);
	ALLOWED(send, NULL);
	ALLOWED(send_imm, NULL, 1);
	ALLOWED(read, NULL, NULL);
	ALLOWED(write, NULL, NULL);
	ALLOWED(write_imm, NULL, NULL, 1);
	MISSING(atomic_cmp_swp, NULL, one, 1, 2);
	MISSING(atomic_cmp_swp, one, NULL, 1, 2);
	MISSING(atomic_fetch_add, NULL, one, 1);
	MISSING(atomic_fetch_add, one, NULL, 1);
	MISSING(remote_net_sync_event_get, NULL, one);
	MISSING(remote_net_sync_event_get, event, NULL);
	MISSING(remote_net_sync_event_notify_set, NULL, one);
	MISSING(remote_net_sync_event_notify_set, event, NULL);
	MISSING(remote_net_sync_event_notify_add, NULL, one, 1);
	MISSING(remote_net_sync_event_notify_add, event, NULL, 1);
	close_all();
}

/* The field was `first`, and can be `second`; of NULL it is nothing. */
#define FIELD(name, field, first, second)                                                          \
	do {                                                                                       \
		T_EQ(doca_rdma_task_##name##_get_##field(task_##name), first);                     \
		doca_rdma_task_##name##_set_##field(task_##name, second);                          \
		T_EQ(doca_rdma_task_##name##_get_##field(task_##name), second);                    \
		doca_rdma_task_##name##_set_##field(NULL, second);                                 \
		T_EQ(doca_rdma_task_##name##_get_##field(NULL), 0);                                \
	} while (0)

/* L9: also when the task is free again. */
#define TASK(name, ...)                                                                            \
	struct doca_rdma_task_##name *task_##name;                                                 \
                                                                                                   \
	open_with(1);                                                                              \
	T_OK(ALLOCATE(name, __VA_ARGS__, none, &task_##name))

#define FREE(name, field, last)                                                                    \
	do {                                                                                       \
		doca_task_free(doca_rdma_task_##name##_as_task(task_##name));                      \
		T_EQ(doca_rdma_task_##name##_get_##field(task_##name), last);                      \
		close_all();                                                                       \
	} while (0)

T_CASE(fields_of_receive)
{
	TASK(receive, a.rdma, one);

	FIELD(receive, dst_buf, one, two);
	T_EQ(doca_rdma_task_receive_get_result_opcode(task_receive), DOCA_RDMA_OPCODE_RECV_SEND);
	T_EQ(doca_rdma_task_receive_get_result_len(task_receive), 0);
	T_EQ(doca_rdma_task_receive_get_result_immediate_data(task_receive), 0);
	T_EQ(doca_rdma_task_receive_get_result_rdma_connection(task_receive), NULL);
	T_EQ(doca_rdma_task_receive_get_result_opcode(NULL), DOCA_RDMA_OPCODE_RECV_SEND);
	T_EQ(doca_rdma_task_receive_get_result_len(NULL), 0);
	T_EQ(doca_rdma_task_receive_get_result_immediate_data(NULL), 0);
	T_EQ(doca_rdma_task_receive_get_result_rdma_connection(NULL), NULL);
	FREE(receive, dst_buf, two);
}

T_CASE(fields_of_send)
{
	TASK(send, a.rdma, connection, one);

	FIELD(send, src_buf, one, two);
	FREE(send, src_buf, two);
}

T_CASE(fields_of_send_imm)
{
	TASK(send_imm, a.rdma, connection, one, 5);

	FIELD(send_imm, src_buf, one, two);
	FIELD(send_imm, immediate_data, 5, 0x01020304);
	FREE(send_imm, immediate_data, 0x01020304);
}

T_CASE(fields_of_read)
{
	TASK(read, a.rdma, connection, one, two);

	FIELD(read, src_buf, one, two);
	FIELD(read, dst_buf, two, one);
	T_EQ(doca_rdma_task_read_get_result_len(task_read), 0);
	T_EQ(doca_rdma_task_read_get_result_len(NULL), 0);
	FREE(read, dst_buf, one);
}

T_CASE(fields_of_write)
{
	TASK(write, a.rdma, connection, one, two);

	FIELD(write, src_buf, one, two);
	FIELD(write, dst_buf, two, one);
	FREE(write, src_buf, two);
}

T_CASE(fields_of_write_imm)
{
	TASK(write_imm, a.rdma, connection, one, two, 5);

	FIELD(write_imm, src_buf, one, two);
	FIELD(write_imm, dst_buf, two, one);
	FIELD(write_imm, immediate_data, 5, 6);
	FREE(write_imm, immediate_data, 6);
}

T_CASE(fields_of_atomic_cmp_swp)
{
	TASK(atomic_cmp_swp, a.rdma, connection, one, two, 5, 6);

	FIELD(atomic_cmp_swp, dst_buf, one, two);
	FIELD(atomic_cmp_swp, result_buf, two, one);
	FIELD(atomic_cmp_swp, cmp_data, 5, UINT64_MAX);
	FIELD(atomic_cmp_swp, swap_data, 6, UINT64_MAX - 1);
	FREE(atomic_cmp_swp, cmp_data, UINT64_MAX);
}

T_CASE(fields_of_atomic_fetch_add)
{
	TASK(atomic_fetch_add, a.rdma, connection, one, two, 5);

	FIELD(atomic_fetch_add, dst_buf, one, two);
	FIELD(atomic_fetch_add, result_buf, two, one);
	FIELD(atomic_fetch_add, add_data, 5, UINT64_MAX);
	FREE(atomic_fetch_add, add_data, UINT64_MAX);
}

T_CASE(fields_of_remote_net_sync_event_get)
{
	TASK(remote_net_sync_event_get, a.rdma, connection, event, one);

	FIELD(remote_net_sync_event_get, sync_event, event, NULL);
	FIELD(remote_net_sync_event_get, dst_buf, one, two);
	T_EQ(doca_rdma_task_remote_net_sync_event_get_get_result_len(
		     task_remote_net_sync_event_get),
	     0);
	T_EQ(doca_rdma_task_remote_net_sync_event_get_get_result_len(NULL), 0);
	FREE(remote_net_sync_event_get, dst_buf, two);
}

T_CASE(fields_of_remote_net_sync_event_notify_set)
{
	TASK(remote_net_sync_event_notify_set, a.rdma, connection, event, one);

	FIELD(remote_net_sync_event_notify_set, sync_event, event, NULL);
	FIELD(remote_net_sync_event_notify_set, src_buf, one, two);
	FREE(remote_net_sync_event_notify_set, src_buf, two);
}

T_CASE(fields_of_remote_net_sync_event_notify_add)
{
	TASK(remote_net_sync_event_notify_add, a.rdma, connection, event, one, 5);

	FIELD(remote_net_sync_event_notify_add, sync_event, event, NULL);
	FIELD(remote_net_sync_event_notify_add, result_buf, one, two);
	FIELD(remote_net_sync_event_notify_add, add_data, 5, 6);
	FREE(remote_net_sync_event_notify_add, add_data, 6);
}

/* L12: as the wrapper does that has one callback for everything: whatever came is asked for its
 * immediate and its status, and freed. */
static uint32_t num_asked;

static void ask(struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	(void)doca_rdma_task_receive_get_result_immediate_data((void *)task);
	T_ERR(doca_task_get_status(task), DOCA_ERROR_SHUTDOWN);
	num_asked++;
	doca_task_free(task);
}

#define ASKED(name) doca_rdma_task_##name##_set_conf(a.rdma, (void *)ask, (void *)ask, 4)

T_CASE(one_callback_for_all)
{
	struct rig_card card;

	rig_init(&a);
	rig_open(&a);
	T_OK(ASKED(receive));
	T_OK(ASKED(send));
	T_OK(ASKED(write_imm));
	T_OK(ASKED(atomic_cmp_swp));
	T_OK(doca_ctx_start(a.ctx));
	rig_export(&a, &card);
	one = rig_room(&a, 0, 8);
	rig_receive(&a, NULL, 1);
	rig_send(&a, NULL, 1);
	rig_write_imm(&a, NULL, NULL, 1, 1);
	rig_cmp_swp(&a, one, one, 1, 1, 1);
	T_ERR(doca_ctx_stop(a.ctx), DOCA_ERROR_IN_PROGRESS);
	RIG_ALONE(&a, rig_state(&a) == DOCA_CTX_STATE_IDLE);
	T_EQ(num_asked, 4);
	T_OK(doca_buf_dec_refcount(one, NULL));
	rig_close(&a);
}
