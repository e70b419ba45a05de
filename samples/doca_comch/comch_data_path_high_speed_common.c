/* SPDX-License-Identifier: BSD-3-Clause */
#include "comch_data_path_high_speed_common.h"

#include <doca_log.h>

#define BUF_SIZE SAMPLE_TEXT_SIZE
#define NUM_BUFS 2
#define NUM_TASKS 2

DOCA_LOG_REGISTER(COMCH_DATA_PATH::COMMON);

/* What each end says on the control channel when it has sent and received. */
static const char done_msg[] = "data path done";

/* --- events of the control channel --- */

static void on_message(struct ctrl_path *ctrl, const uint8_t *msg, uint32_t len)
{
	struct data_path *path = (struct data_path *)ctrl;

	if (len == sizeof(done_msg) && memcmp(msg, done_msg, len) == 0)
		path->is_peer_done = true;
	else
		DOCA_LOG_WARN("A control message of %u bytes is not one of ours", len);
}

static void on_consumer_new(struct ctrl_path *ctrl, uint32_t id)
{
	((struct data_path *)ctrl)->peer_consumer = id;
}

static void on_consumer_gone(struct ctrl_path *ctrl, uint32_t id)
{
	struct data_path *path = (struct data_path *)ctrl;

	if (path->peer_consumer == id)
		path->peer_consumer = 0;
}

const struct ctrl_path_events data_path_events = {
	.message = on_message,
	.consumer_new = on_consumer_new,
	.consumer_gone = on_consumer_gone,
};

/* --- memory --- */

static doca_error_t make_mmap(struct data_path *path)
{
	doca_error_t result;

	result = doca_mmap_create(&path->mmap);
	if (result == DOCA_SUCCESS)
		result = doca_mmap_add_dev(path->mmap, path->ctrl.dev);
	if (result == DOCA_SUCCESS)
		result = doca_mmap_set_memrange(path->mmap, path->memory, NUM_BUFS * BUF_SIZE);
	if (result == DOCA_SUCCESS) /* PCI: the peer's producer will write here */
		result = doca_mmap_set_permissions(path->mmap,
						   DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
							   DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	if (result == DOCA_SUCCESS)
		result = doca_mmap_start(path->mmap);
	return result;
}

static doca_error_t make_bufs(struct data_path *path, const char *text)
{
	uint8_t *const send_addr = path->memory;
	uint8_t *const recv_addr = path->memory + BUF_SIZE;
	const size_t len = strlen(text);
	doca_error_t result;

	result = doca_buf_inventory_create(NUM_BUFS, &path->inventory);
	if (result == DOCA_SUCCESS)
		result = doca_buf_inventory_start(path->inventory);
	if (result == DOCA_SUCCESS) /* by data: all of it is to be sent */
		result = doca_buf_inventory_buf_get_by_data(path->inventory, path->mmap, send_addr,
							    len, &path->send_buf);
	if (result == DOCA_SUCCESS) /* by address: empty, all of it may be filled */
		result = doca_buf_inventory_buf_get_by_addr(path->inventory, path->mmap, recv_addr,
							    BUF_SIZE, &path->recv_buf);
	return result;
}

static doca_error_t make_memory(struct data_path *path, const char *text)
{
	doca_error_t result;

	path->memory = calloc(NUM_BUFS, BUF_SIZE);
	if (path->memory == NULL)
		return DOCA_ERROR_NO_MEMORY;
	memcpy(path->memory, text, strlen(text));
	result = make_mmap(path);
	if (result == DOCA_SUCCESS)
		result = make_bufs(path, text);
	if (result != DOCA_SUCCESS)
		DOCA_LOG_ERR("Cannot make the buffers: %s", doca_error_get_descr(result));
	return result;
}

static void free_memory(struct data_path *path)
{
	if (path->send_buf != NULL)
		doca_buf_dec_refcount(path->send_buf, NULL);
	if (path->recv_buf != NULL)
		doca_buf_dec_refcount(path->recv_buf, NULL);
	if (path->inventory != NULL)
		doca_buf_inventory_destroy(path->inventory);
	if (path->mmap != NULL)
		doca_mmap_destroy(path->mmap);
	free(path->memory);
}

/* --- consumer --- */

static void on_received(struct doca_comch_consumer_task_post_recv *recv,
			union doca_data task_user_data, union doca_data ctx_user_data)
{
	const struct doca_buf *buf = doca_comch_consumer_task_post_recv_get_buf(recv);
	struct data_path *path = ctx_user_data.ptr;
	void *data = NULL;
	size_t len = 0;

	(void)task_user_data;
	doca_buf_get_data(buf, &data);
	doca_buf_get_data_len(buf, &len);
	DOCA_LOG_INFO("Received from the other side: %.*s", (int)len, (const char *)data);
	path->was_received = true;
	doca_task_free(doca_comch_consumer_task_post_recv_as_task(recv));
}

static void on_receive_failed(struct doca_comch_consumer_task_post_recv *recv,
			      union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct doca_task *task = doca_comch_consumer_task_post_recv_as_task(recv);
	struct data_path *path = ctx_user_data.ptr;

	(void)task_user_data;
	path->ctrl.result = doca_task_get_status(task);
	doca_task_free(task);
}

/* Give a new context of the fast path its owner and its engine, and start it. */
static doca_error_t start_on_engine(struct data_path *path, struct doca_ctx *ctx)
{
	const union doca_data user_data = {.ptr = path};
	doca_error_t result;

	result = doca_ctx_set_user_data(ctx, user_data);
	if (result == DOCA_SUCCESS)
		result = doca_pe_connect_ctx(path->ctrl.pe, ctx);
	if (result == DOCA_SUCCESS)
		result = doca_ctx_start(ctx);
	return result;
}

static doca_error_t start_consumer(struct data_path *path)
{
	doca_error_t result;

	result = doca_comch_consumer_create(path->ctrl.connection, path->mmap, &path->consumer);
	if (result != DOCA_SUCCESS)
		return result;
	result = doca_comch_consumer_task_post_recv_set_conf(path->consumer, on_received,
							     on_receive_failed, NUM_TASKS);
	if (result == DOCA_SUCCESS)
		result = start_on_engine(path, doca_comch_consumer_as_ctx(path->consumer));
	if (result == DOCA_ERROR_IN_PROGRESS) /* until the peer has heard of it */
		result = sample_wait_ctx(path->ctrl.pe, doca_comch_consumer_as_ctx(path->consumer),
					 DOCA_CTX_STATE_RUNNING, SAMPLE_STEP_SECONDS);
	return result;
}

static doca_error_t post_receive(struct data_path *path)
{
	struct doca_comch_consumer_task_post_recv *recv;
	struct doca_task *task;
	doca_error_t result;

	result = doca_comch_consumer_task_post_recv_alloc_init(path->consumer, path->recv_buf,
							       &recv);
	if (result != DOCA_SUCCESS)
		return result;
	task = doca_comch_consumer_task_post_recv_as_task(recv);
	result = doca_task_submit(task);
	if (result != DOCA_SUCCESS)
		doca_task_free(task);
	return result;
}

/* --- producer --- */

static void on_sent(struct doca_comch_producer_task_send *send, union doca_data task_user_data,
		    union doca_data ctx_user_data)
{
	(void)task_user_data;
	((struct data_path *)ctx_user_data.ptr)->was_sent = true;
	doca_task_free(doca_comch_producer_task_send_as_task(send));
}

static void on_send_failed(struct doca_comch_producer_task_send *send,
			   union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct doca_task *task = doca_comch_producer_task_send_as_task(send);
	struct data_path *path = ctx_user_data.ptr;

	(void)task_user_data;
	path->ctrl.result = doca_task_get_status(task);
	doca_task_free(task);
}

static doca_error_t start_producer(struct data_path *path)
{
	doca_error_t result;

	result = doca_comch_producer_create(path->ctrl.connection, &path->producer);
	if (result != DOCA_SUCCESS)
		return result;
	result = doca_comch_producer_task_send_set_conf(path->producer, on_sent, on_send_failed,
							NUM_TASKS);
	if (result == DOCA_SUCCESS) /* a producer is RUNNING at once */
		result = start_on_engine(path, doca_comch_producer_as_ctx(path->producer));
	return result;
}

struct attempt {
	struct doca_task *task;
	doca_error_t result;
};

/* AGAIN: the peer's consumer has no buffer posted yet. Nothing is queued; the task is submitted
 * again later. */
static bool try_submit(void *arg)
{
	struct attempt *attempt = arg;

	attempt->result = doca_task_submit(attempt->task);
	return attempt->result != DOCA_ERROR_AGAIN;
}

static doca_error_t send_text(struct data_path *path)
{
	struct doca_comch_producer_task_send *send;
	struct attempt attempt;
	doca_error_t result;

	result = doca_comch_producer_task_send_alloc_init(path->producer, path->send_buf, NULL, 0,
							  path->peer_consumer, &send);
	if (result != DOCA_SUCCESS)
		return result;
	attempt = (struct attempt){.task = doca_comch_producer_task_send_as_task(send),
				   .result = DOCA_ERROR_AGAIN};
	result = ctrl_path_wait(&path->ctrl, try_submit, &attempt, SAMPLE_STEP_SECONDS);
	if (attempt.result != DOCA_SUCCESS) {
		doca_task_free(attempt.task); /* never accepted */
		return result != DOCA_SUCCESS ? result : attempt.result;
	}
	return result;
}

/* --- the exchange --- */

static bool has_peer_consumer(void *arg)
{
	return ((struct data_path *)arg)->peer_consumer != 0;
}

static bool has_exchanged(void *arg)
{
	struct data_path *path = arg;

	return path->was_sent && path->was_received;
}

static bool both_are_done(void *arg)
{
	struct data_path *path = arg;

	return path->is_peer_done && path->ctrl.num_in_flight == 0;
}

static doca_error_t open_fast_path(struct data_path *path, const char *text)
{
	doca_error_t result;

	result = make_memory(path, text);
	if (result == DOCA_SUCCESS)
		result = start_consumer(path);
	if (result == DOCA_SUCCESS)
		result = post_receive(path);
	if (result == DOCA_SUCCESS)
		result = start_producer(path);
	if (result != DOCA_SUCCESS)
		DOCA_LOG_ERR("Cannot open the fast path: %s", doca_error_get_descr(result));
	return result;
}

static doca_error_t talk(struct data_path *path)
{
	doca_error_t result;

	result = ctrl_path_wait(&path->ctrl, has_peer_consumer, path, SAMPLE_STEP_SECONDS);
	if (result == DOCA_SUCCESS)
		result = send_text(path);
	if (result == DOCA_SUCCESS)
		result = ctrl_path_wait(&path->ctrl, has_exchanged, path, SAMPLE_STEP_SECONDS);
	if (result == DOCA_SUCCESS)
		result = ctrl_path_send(&path->ctrl, done_msg, sizeof(done_msg));
	if (result == DOCA_SUCCESS)
		result = ctrl_path_wait(&path->ctrl, both_are_done, path, SAMPLE_STEP_SECONDS);
	return result;
}

/* Producers and consumers go before their connection, bufs before their mmap. */
static void close_fast_path(struct data_path *path)
{
	if (path->producer != NULL) {
		sample_stop_ctx(path->ctrl.pe, doca_comch_producer_as_ctx(path->producer));
		doca_comch_producer_destroy(path->producer);
	}
	if (path->consumer != NULL) {
		sample_stop_ctx(path->ctrl.pe, doca_comch_consumer_as_ctx(path->consumer));
		doca_comch_consumer_destroy(path->consumer);
	}
	free_memory(path);
}

doca_error_t data_path_exchange(struct data_path *path, const char *text)
{
	doca_error_t result;

	result = open_fast_path(path, text);
	if (result == DOCA_SUCCESS)
		result = talk(path);
	close_fast_path(path);
	return result;
}
