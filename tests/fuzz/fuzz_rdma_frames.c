/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Frames of a fabric link as a hostile peer sends them, to an end that has operations of its own
 * under way. Nothing may land outside of posted receives, of what was read, and of exported memory;
 * every task comes back, and so does all staging. The link is this file's, by the linker's --wrap.
 */
#include <stdlib.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_mmap.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "core/mmap.h"
#include "rdma/backend.h"
#include "rdma/fabric_proto.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
doca_error_t __wrap_fabric_link_send(struct fabric_link *link, const struct iovec *iov,
				     uint32_t num, uint64_t cookie);
void __wrap_fabric_link_rerun(struct fabric_link *link);
void __wrap_fabric_link_fail(struct fabric_link *link, doca_error_t why);
void __wrap_fabric_link_attend(struct fabric_link *link);
void __wrap_fabric_rx_done(struct fabric_rx *rx);
void __wrap_rdma_backend_close_all(struct doca_rdma_connection *connection);
void __real_rdma_backend_close_all(struct doca_rdma_connection *connection);

#define SIDE 4096
#define ROOM 300000
#define EXPORTED 300000
#define LONG 250000
#define FRAMES 64

/* Bufs lie in the middle of theirs; peers may write to `exported` and to what is posted. */
static struct {
	uint8_t before[SIDE], received[ROOM], between[SIDE], read[LONG], after[SIDE];
	uint8_t source[LONG];
} memory;
static struct {
	uint8_t before[SIDE], exported[EXPORTED], after[SIDE];
} window;

static struct doca_dev *dev;
static struct doca_pe *pe;
static struct doca_rdma *rdma;
static struct doca_ctx *ctx;
static struct doca_mmap *mmap, *mine, *theirs;
static struct doca_buf_inventory *inventory;
static uint8_t key[SDPU_KEY_SIZE];
static uint32_t submitted, returned;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct fabric_proto_port port;
static struct fabric_link fabric_link;
static struct fabric_proto proto;
static bool rerun, failed, joined;
static uint64_t cookies[FABRIC_SENDS];
static uint32_t num_cookies, staged;
static uint8_t looked_at; /* bytes of what was sent */

static void need(doca_error_t result)
{
	if (result != DOCA_SUCCESS)
		abort();
}

doca_error_t __wrap_fabric_link_send(struct fabric_link *link, const struct iovec *iov,
				     uint32_t num, uint64_t cookie)
{
	(void)link;
	if (failed || (cookie != 0 && num_cookies == FABRIC_SENDS))
		return failed ? DOCA_ERROR_CONNECTION_RESET : DOCA_ERROR_AGAIN;
	for (uint32_t i = 0; i < num; i++)
		for (size_t k = 0; k < iov[i].iov_len; k += 512)
			looked_at ^= ((const uint8_t *)iov[i].iov_base)[k];
	if (cookie != 0)
		cookies[num_cookies++] = cookie;
	return DOCA_SUCCESS;
}

void __wrap_fabric_link_rerun(struct fabric_link *link)
{
	(void)link;
	rerun = true;
}

void __wrap_fabric_link_fail(struct fabric_link *link, doca_error_t why)
{
	(void)link;
	(void)why;
	failed = true;
}

void __wrap_fabric_link_attend(struct fabric_link *link)
{
	(void)link;
}

void __wrap_fabric_rx_done(struct fabric_rx *rx)
{
	free((void *)(uintptr_t)rx->bytes);
	free(rx);
	staged--;
}

void __wrap_rdma_backend_close_all(struct doca_rdma_connection *connection)
{
	if (joined) {
		joined = false;
		fabric_proto_close(&proto);
	}
	__real_rdma_backend_close_all(connection);
}

static bool fake_poll(struct doca_rdma_connection *connection)
{
	struct fabric_event event;

	(void)connection;
	fabric_proto_look(&proto, &event);
	return fabric_proto_deliver(&proto, &event);
}

static bool fake_pending(const struct doca_rdma_connection *connection)
{
	(void)connection;
	return fabric_proto_pending(&proto);
}

static void fake_settle(struct doca_rdma_connection *connection)
{
	(void)connection;
	fabric_proto_settle(&proto);
}

static enum rdma_step fake_act(struct doca_rdma_connection *connection, struct rdma_op *op)
{
	(void)connection;
	return fabric_proto_act(&proto, op);
}

static bool fake_answered(struct doca_rdma_connection *connection, struct rdma_op *op)
{
	(void)connection;
	return fabric_proto_answered(&proto, op);
}

static void fake_cancel(struct rdma_op *op)
{
	fabric_proto_cancel(&proto, op);
}

static const struct rdma_backend fake_backend = {
	.name = "fake",
	.poll = fake_poll,
	.pending = fake_pending,
	.settle = fake_settle,
	.act = fake_act,
	.answered = fake_answered,
	.cancel = fake_cancel,
};

static void kick(struct fabric_proto_port *which)
{
	(void)which;
}

static void give_back(struct doca_task *task)
{
	returned++;
	doca_task_free(task);
}

/* Bufs are kept for the next round: the stop of the context is the end of each. */
#define RETURNS(name)                                                                              \
	static void name##_ended(struct doca_rdma_task_##name *task, union doca_data task_data,    \
				 union doca_data ctx_data)                                         \
	{                                                                                          \
		(void)task_data;                                                                   \
		(void)ctx_data;                                                                    \
		give_back(doca_rdma_task_##name##_as_task(task));                                  \
	}
RETURNS(receive)
RETURNS(send)
RETURNS(read)
RETURNS(write)
RETURNS(write_imm)
RETURNS(atomic_fetch_add)

static struct doca_mmap *map(void *at, size_t len)
{
	struct doca_mmap *made;

	need(doca_mmap_create(&made));
	need(doca_mmap_add_dev(made, dev));
	need(doca_mmap_set_memrange(made, at, len));
	need(doca_mmap_set_permissions(
		made, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ |
			      DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC));
	need(doca_mmap_start(made));
	return made;
}

static void set_up_memory(void)
{
	const void *bytes;
	size_t len;

	mmap = map(&memory, sizeof(memory));
	mine = map(window.exported, sizeof(window.exported));
	need(doca_mmap_export_rdma(mine, dev, &bytes, &len));
	need(doca_mmap_create_from_export(NULL, bytes, len, dev, &theirs));
	memcpy(key, sdpu_mmap_source(theirs)->key, sizeof(key));
	need(doca_buf_inventory_create(64, &inventory));
	need(doca_buf_inventory_start(inventory));
}

static void set_up(void)
{
	need(sdpu_dev_open_by_name("03:00.0", &dev));
	set_up_memory();
	need(doca_pe_create(&pe));
	need(doca_rdma_create(dev, &rdma));
	ctx = doca_rdma_as_ctx(rdma);
	need(doca_rdma_set_permissions(rdma, DOCA_ACCESS_FLAG_RDMA_READ |
						     DOCA_ACCESS_FLAG_RDMA_WRITE |
						     DOCA_ACCESS_FLAG_RDMA_ATOMIC));
	need(doca_rdma_task_receive_set_conf(rdma, receive_ended, receive_ended, 16));
	need(doca_rdma_task_send_set_conf(rdma, send_ended, send_ended, 16));
	need(doca_rdma_task_read_set_conf(rdma, read_ended, read_ended, 16));
	need(doca_rdma_task_write_set_conf(rdma, write_ended, write_ended, 16));
	need(doca_rdma_task_write_imm_set_conf(rdma, write_imm_ended, write_imm_ended, 16));
	need(doca_rdma_task_atomic_fetch_add_set_conf(rdma, atomic_fetch_add_ended,
						      atomic_fetch_add_ended, 16));
	need(doca_pe_connect_ctx(pe, ctx));
	port.lock = &lock;
	port.kick = kick;
	fabric_proto_port_open(&port);
}

static struct doca_buf *bufs[32];
static uint32_t num_bufs;

static struct doca_buf *buf_of(struct doca_mmap *in, void *at, size_t len, size_t data_len)
{
	struct doca_buf *buf;

	need(doca_buf_inventory_buf_get_by_args(inventory, in, at, len, at, data_len, &buf));
	bufs[num_bufs++] = buf;
	return buf;
}

static void drop_bufs(void)
{
	while (num_bufs != 0)
		need(doca_buf_dec_refcount(bufs[--num_bufs], NULL));
}

static void join(void)
{
	struct doca_rdma_connection *connection;

	need(doca_ctx_start(ctx));
	need(rdma_connection_alloc(rdma, &connection));
	rdma_connection_move(connection, RDMA_CONNECTION_EXPORTED);
	connection->peer_permissions = UINT32_MAX;
	need(fabric_proto_open(&proto, &port, &fabric_link, connection));
	rerun = failed = false;
	joined = true;
	num_cookies = 0;
	rdma_connection_begin(connection, &fake_backend);
	rdma_connection_up(connection, NULL, 0);
	fabric_link.ops->up(&fabric_link);
}

#define SUBMIT(name, ...)                                                                          \
	do {                                                                                       \
		struct doca_rdma_task_##name *task;                                                \
		need(doca_rdma_task_##name##_allocate_init(__VA_ARGS__, &task));                   \
		need(doca_task_submit(doca_rdma_task_##name##_as_task(task)));                     \
		submitted++;                                                                       \
	} while (0)

static void submit_some(struct doca_rdma_connection *connection)
{
	const union doca_data none = {.u64 = 0};

	SUBMIT(receive, rdma, buf_of(mmap, memory.received, ROOM, 0), none);
	SUBMIT(receive, rdma, buf_of(mmap, memory.received, ROOM, 0), none);
	SUBMIT(send, rdma, connection, buf_of(mmap, memory.source, 100, 100), none);
	SUBMIT(send, rdma, connection, buf_of(mmap, memory.source, LONG, LONG), none);
	SUBMIT(atomic_fetch_add, rdma, connection, buf_of(theirs, window.exported, 8, 8),
	       buf_of(mmap, memory.read, 8, 0), 1, none);
	SUBMIT(write, rdma, connection, buf_of(mmap, memory.source, LONG, LONG),
	       buf_of(theirs, window.exported, LONG, 0), none);
	SUBMIT(write_imm, rdma, connection, buf_of(mmap, memory.source, 10, 10),
	       buf_of(theirs, window.exported, 10, 0), 1, none);
	SUBMIT(read, rdma, connection, buf_of(theirs, window.exported, LONG, LONG),
	       buf_of(mmap, memory.read, LONG, 0), none);
}

/* The input's bytes; none are left: zeros. */
static const uint8_t *input;
static size_t input_len;

static uint8_t take(void)
{
	if (input_len == 0)
		return 0;
	input_len--;
	return *input++;
}

static uint64_t take_number(void)
{
	static const uint64_t edges[] = {0,	1,     8,    4096,	 4097,
					 65536, 65537, LONG, UINT32_MAX, UINT64_MAX};
	uint8_t byte = take();

	return byte < 200 ? edges[byte % SDPU_ARRAY_SIZE(edges)] : (uint64_t)take() << (byte % 56);
}

/* What comes next by right, most often: a lie that is found out ends the input. */
static uint32_t take_near(uint64_t next)
{
	uint8_t byte = take();

	return (uint32_t)(byte < 240 ? next : next + byte - 247);
}

static uint32_t take_between(uint32_t from, uint32_t upto)
{
	return from == upto ? take_near(from) : from + take() % (upto - from + 1);
}

static void fill_request(struct fabric_head *head)
{
	head->seq = take_near(proto.requests_arrived);
	memcpy(head->key, key, sizeof(key));
	head->key[0] ^= take() == 255;
	head->addr = (uintptr_t)window.exported + take_number();
	if (head->kind == FABRIC_ATOMIC)
		return;
	head->size = take_number();
	if (head->kind == FABRIC_WRITE && head->size <= FABRIC_PAYLOAD_MAX && take() % 2 == 0)
		head->len = (uint32_t)head->size;
}

static void fill_data(struct fabric_head *head)
{
	struct fabric_lane *lane = &proto.lanes[head->what % FABRIC_LANES];
	struct fabric_piece *piece = &lane->piece[lane->arrived % FABRIC_PULLED];

	head->seq = take_near(piece->seq);
	head->len = take_near(piece->len) % (FABRIC_PAYLOAD_MAX + 1);
	head->addr = piece->addr + (take() == 255);
}

static void fill(struct fabric_head *head)
{
	switch (head->kind) {
	case FABRIC_SEND:
		head->len = (uint32_t)take_number() % (FABRIC_PAYLOAD_MAX + 1);
		/* fall through */
	case FABRIC_OFFER:
		head->seq = take_near(proto.messages_arrived);
		head->size = take_number();
		break;
	case FABRIC_DATA:
		fill_data(head);
		break;
	case FABRIC_PULL:
		head->seq = take_near(take() % 2);
		head->addr = take_number();
		break;
	case FABRIC_RESULT:
		head->seq = take_near(take() % 4);
		head->status = take() % 2 == 0 ? DOCA_ERROR_NOT_PERMITTED : DOCA_SUCCESS;
		break;
	case FABRIC_WRITE:
	case FABRIC_READ:
	case FABRIC_ATOMIC:
		fill_request(head);
		break;
	default:
		break;
	}
}

static void arrive(const uint8_t *bytes, uint32_t len)
{
	struct fabric_rx *rx = calloc(1, sizeof(*rx));
	uint8_t *copy = malloc(len);

	/* What is read beyond the frame is found out. */
	memcpy(copy, bytes, len);
	rx->bytes = copy;
	rx->len = len;
	staged++;
	fabric_link.ops->frame(&fabric_link, rx);
	if (staged > FABRIC_HELD)
		abort();
}

static void say_something(void)
{
	static uint8_t bytes[FABRIC_FRAME_MAX + FABRIC_HEAD_LONG];
	struct fabric_head head = {0};
	uint32_t len;

	head.kind = (uint8_t)(FABRIC_ACK + take() % (FABRIC_KINDS - FABRIC_ACK));
	head.flags = take() % 4 == 0 ? take() % 4 : 0;
	head.what = take() % 4;
	head.acked = take_between(proto.messages_acked, proto.messages_sent);
	head.taken = take_between(proto.requests_taken, proto.requests_sent);
	head.credit = take_near(proto.eager_sent + 1);
	fill(&head);
	len = fabric_head_write(&head, bytes);
	arrive(bytes, len + head.len);
}

/* Ways to memory are opened by another thread. */
static void go_on(void)
{
	do {
		fabric_proto_port_drive(&port);
		if (port.looking != 0)
			sdpu_clock_yield();
	} while (port.looking != 0);
	while (!failed && num_cookies != 0) {
		fabric_link.ops->sent(&fabric_link, cookies[0]);
		memmove(cookies, cookies + 1, --num_cookies * sizeof(cookies[0]));
	}
	if (rerun && !failed) {
		rerun = false;
		fabric_link.ops->drive(&fabric_link);
	}
}

static bool is_zero(const uint8_t side[SIDE])
{
	for (uint32_t i = 0; i < SIDE; i++)
		if (side[i] != 0)
			return false;
	return true;
}

static void stop(void)
{
	enum doca_ctx_states state = DOCA_CTX_STATE_STOPPING;

	(void)doca_ctx_stop(ctx);
	while (doca_ctx_get_state(ctx, &state), state != DOCA_CTX_STATE_IDLE)
		doca_pe_progress(pe);
	drop_bufs();
	if (returned != submitted || staged != 0 || port.held != 0)
		abort();
	if (!is_zero(memory.before) || !is_zero(memory.between) || !is_zero(memory.after) ||
	    !is_zero(window.before) || !is_zero(window.after))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (dev == NULL)
		set_up();
	input = data;
	input_len = size;
	join();
	submit_some(proto.connection);
	for (int i = 0; i < FRAMES && input_len != 0 && !failed; i++) {
		say_something();
		if (take() % 4 != 0)
			go_on();
		if (take() % 4 != 0)
			doca_pe_progress(pe);
	}
	if (failed)
		fabric_link.ops->down(&fabric_link, DOCA_ERROR_CONNECTION_ABORTED);
	doca_pe_progress(pe);
	stop();
	return 0;
}
