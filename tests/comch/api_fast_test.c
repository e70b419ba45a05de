/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every function of doca_comch_producer.h and doca_comch_consumer.h against every error that it
 * documents, and what it says in each state. Nothing is written on failure.
 */
#include <string.h>

#include "comch/path.h"
#include "comch/refused.h"

static struct path path;
static struct end *const server = &path.pair.server;
static struct end *const client = &path.pair.client;
static struct receiver *const receiver = &path.receiver;
static struct sender *const sender = &path.sender;

#define IMM_MAX 32

static void send_cb(struct doca_comch_producer_task_send *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	doca_task_free(doca_comch_producer_task_send_as_task(task));
}

static void recv_cb(struct doca_comch_consumer_task_post_recv *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
}

/* Capabilities */

T_CASE(capabilities)
{
	static const struct {
		doca_error_t (*fn)(const struct doca_devinfo *devinfo, uint32_t *value);
		uint32_t least, most;
	} caps[] = {
		{doca_comch_producer_cap_get_max_num_tasks, 1024, 65536},
		{doca_comch_producer_cap_get_max_buf_size, 1u << 30, UINT32_MAX},
		{doca_comch_producer_cap_get_max_buf_list_len, 1, 1},
		{doca_comch_producer_cap_get_max_producers, 16, 65534},
		{doca_comch_consumer_cap_get_max_num_tasks, 1024, 65536},
		{doca_comch_consumer_cap_get_max_buf_size, 1u << 30, UINT32_MAX},
		{doca_comch_consumer_cap_get_max_buf_list_len, 1, 1},
		{doca_comch_consumer_cap_get_max_consumers, 16, 65534},
		{doca_comch_consumer_cap_get_max_imm_data_len, IMM_MAX, IMM_MAX},
	};
	struct doca_devinfo *info;
	uint32_t value;

	end_open_dev(server, true);
	info = doca_dev_as_devinfo(server->dev);
	for (size_t i = 0; i < sizeof(caps) / sizeof(caps[0]); i++) {
		T_OK(caps[i].fn(info, &value));
		T_CHECK(value >= caps[i].least && value <= caps[i].most);
		REFUSED(DOCA_ERROR_INVALID_VALUE, uint32_t, value, caps[i].fn(NULL, &value));
		T_ERR(caps[i].fn(info, NULL), DOCA_ERROR_INVALID_VALUE);
	}
	T_OK(doca_comch_producer_cap_is_supported(info));
	T_OK(doca_comch_consumer_cap_is_supported(info));
	T_ERR(doca_comch_producer_cap_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_cap_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
	end_close(server);
}

/* Without an object */

T_CASE(nothing_of_nobody)
{
	uint32_t value;

	T_ERR(doca_comch_producer_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	T_EQ(doca_comch_producer_as_ctx(NULL), NULL);
	T_EQ(doca_comch_consumer_as_ctx(NULL), NULL);
	REFUSED(DOCA_ERROR_INVALID_VALUE, uint32_t, value,
		doca_comch_producer_get_id(NULL, &value));
	REFUSED(DOCA_ERROR_INVALID_VALUE, uint32_t, value,
		doca_comch_consumer_get_id(NULL, &value));
	REFUSED(DOCA_ERROR_INVALID_VALUE, uint32_t, value,
		doca_comch_consumer_get_imm_data_len(NULL, &value));
	T_ERR(doca_comch_consumer_set_imm_data_len(NULL, 8), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_producer_task_send_set_conf(NULL, send_cb, send_cb, 1),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_task_post_recv_set_conf(NULL, recv_cb, recv_cb, 1),
	      DOCA_ERROR_INVALID_VALUE);
	T_EQ(doca_comch_producer_task_send_as_task(NULL), NULL);
	T_EQ(doca_comch_producer_task_send_get_buf(NULL), NULL);
	T_EQ(doca_comch_producer_task_send_get_consumer_id(NULL), 0);
	T_EQ(doca_comch_producer_task_send_get_imm_data(NULL), NULL);
	T_EQ(doca_comch_producer_task_send_get_imm_data_len(NULL), 0);
	doca_comch_producer_task_send_set_buf(NULL, NULL);
	doca_comch_producer_task_send_set_consumer_id(NULL, 1);
	doca_comch_producer_task_send_set_imm_data(NULL, NULL, 0);
	T_EQ(doca_comch_consumer_task_post_recv_as_task(NULL), NULL);
	T_EQ(doca_comch_consumer_task_post_recv_get_buf(NULL), NULL);
	T_EQ(doca_comch_consumer_task_post_recv_get_imm_data(NULL), NULL);
	T_EQ(doca_comch_consumer_task_post_recv_get_imm_data_len(NULL), 0);
	T_EQ(doca_comch_consumer_task_post_recv_get_producer_id(NULL), 0);
	doca_comch_consumer_task_post_recv_set_buf(NULL, NULL);
}

/* Creation */

T_CASE(producer_create)
{
	struct doca_comch_producer *made;
	struct doca_comch_connection *ended;

	pair_open(&path.pair);
	REFUSED(DOCA_ERROR_INVALID_VALUE, void *, made, doca_comch_producer_create(NULL, &made));
	T_ERR(doca_comch_producer_create(client->connection, NULL), DOCA_ERROR_INVALID_VALUE);
	ended = server->connection;
	(void)doca_ctx_stop(client->ctx);
	PATH_UNTIL(&path, server->disconnects == 1);
	REFUSED(DOCA_ERROR_BAD_STATE, void *, made, doca_comch_producer_create(ended, &made));
	path_close(&path);
}

T_CASE(consumer_create)
{
	struct doca_comch_consumer *made;
	struct doca_comch_connection *ended;
	struct memory memory = {0};

	pair_open(&path.pair);
	memory_open(&memory, server->dev, 4096, false, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	REFUSED(DOCA_ERROR_INVALID_VALUE, void *, made,
		doca_comch_consumer_create(NULL, memory.mmap, &made));
	REFUSED(DOCA_ERROR_INVALID_VALUE, void *, made,
		doca_comch_consumer_create(server->connection, NULL, &made));
	T_ERR(doca_comch_consumer_create(server->connection, memory.mmap, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_mmap_stop(memory.mmap));
	REFUSED(DOCA_ERROR_INVALID_VALUE, void *, made,
		doca_comch_consumer_create(server->connection, memory.mmap, &made));
	T_OK(doca_mmap_start(memory.mmap));
	ended = server->connection;
	(void)doca_ctx_stop(client->ctx);
	PATH_UNTIL(&path, server->disconnects == 1);
	REFUSED(DOCA_ERROR_BAD_STATE, void *, made,
		doca_comch_consumer_create(ended, memory.mmap, &made));
	memory_close(&memory);
	path_close(&path);
}

T_CASE(consumer_needs_pci_read_write)
{
	static const uint32_t too_little[] = {
		DOCA_ACCESS_FLAG_LOCAL_READ_ONLY, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
		DOCA_ACCESS_FLAG_PCI_READ_ONLY,
		DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_ONLY,
		DOCA_ACCESS_FLAG_RDMA_WRITE};
	struct doca_comch_consumer *made;
	struct memory memory = {0};

	pair_open(&path.pair);
	for (size_t i = 0; i < sizeof(too_little) / sizeof(too_little[0]); i++) {
		memory_open(&memory, server->dev, 4096, false, too_little[i]);
		REFUSED(DOCA_ERROR_NOT_PERMITTED, void *, made,
			doca_comch_consumer_create(server->connection, memory.mmap, &made));
		memory_close(&memory);
	}
	path_close(&path);
}

T_CASE(no_more_members_than_the_capability)
{
	static struct doca_comch_producer *producers[64];
	static struct doca_comch_consumer *consumers[64];
	struct doca_comch_producer *producer;
	struct doca_comch_consumer *consumer;
	struct memory memory = {0};
	uint32_t id;

	pair_open(&path.pair);
	memory_open(&memory, server->dev, 4096, false, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	for (uint32_t i = 0; i < 64; i++) {
		T_OK(doca_comch_producer_create(server->connection, &producers[i]));
		T_OK(doca_comch_producer_get_id(producers[i], &id));
		T_EQ(id, i + 1);
		T_OK(doca_comch_consumer_create(server->connection, memory.mmap, &consumers[i]));
		T_OK(doca_comch_consumer_get_id(consumers[i], &id));
		T_EQ(id, i + 1);
	}
	REFUSED(DOCA_ERROR_NO_MEMORY, void *, producer,
		doca_comch_producer_create(server->connection, &producer));
	REFUSED(DOCA_ERROR_NO_MEMORY, void *, consumer,
		doca_comch_consumer_create(server->connection, memory.mmap, &consumer));
	/* Never started: they stand against nothing. */
	for (uint32_t i = 0; i < 64; i++) {
		T_OK(doca_comch_producer_destroy(producers[i]));
		T_OK(doca_comch_consumer_destroy(consumers[i]));
	}
	/* Room again; a number is not used for two. */
	T_OK(doca_comch_consumer_create(server->connection, memory.mmap, &consumer));
	T_OK(doca_comch_consumer_get_id(consumer, &id));
	T_EQ(id, 65);
	T_OK(doca_comch_consumer_destroy(consumer));
	memory_close(&memory);
	path_close(&path);
}

/* Programs take 0 and 0xffff for nobody. */
T_CASE(ids_begin_again_and_are_never_of_two)
{
	struct doca_comch_producer *first, *second, *one;
	uint32_t id, last = 2;

	pair_open(&path.pair);
	T_OK(doca_comch_producer_create(client->connection, &first));
	T_OK(doca_comch_producer_create(client->connection, &second));
	for (int i = 0; i < 66000; i++) {
		T_OK(doca_comch_producer_create(client->connection, &one));
		T_OK(doca_comch_producer_get_id(one, &id));
		T_EQ(id, last == 0xfffe ? 3 : last + 1);
		last = id;
		T_OK(doca_comch_producer_destroy(one));
	}
	T_OK(doca_comch_producer_destroy(first));
	T_OK(doca_comch_producer_destroy(second));
	path_close(&path);
}

/* Configuration */

static void producer_setters(doca_error_t legal)
{
	T_ERR(doca_comch_producer_task_send_set_conf(sender->producer, send_cb, send_cb, 4), legal);
	T_ERR(doca_ctx_set_user_data(sender->ctx, (union doca_data){.ptr = sender}), legal);
}

T_CASE(producer_configuration)
{
	static const uint32_t wrong[] = {0, 8193, UINT32_MAX};
	struct doca_ctx *ctx;

	pair_open(&path.pair);
	T_OK(doca_comch_producer_create(client->connection, &sender->producer));
	ctx = doca_comch_producer_as_ctx(sender->producer);
	sender->ctx = ctx;
	T_ERR(doca_ctx_start(ctx), DOCA_ERROR_NOT_CONNECTED);
	T_OK(doca_pe_connect_ctx(client->pe, ctx));
	T_ERR(doca_pe_connect_ctx(client->pe, ctx), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_ctx_start(ctx), DOCA_ERROR_BAD_CONFIG);
	for (int i = 0; i < 3; i++)
		T_ERR(doca_comch_producer_task_send_set_conf(sender->producer, send_cb, send_cb,
							     wrong[i]),
		      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_producer_task_send_set_conf(sender->producer, NULL, send_cb, 1),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_producer_task_send_set_conf(sender->producer, send_cb, NULL, 1),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_comch_producer_task_send_set_conf(sender->producer, send_cb, send_cb, 8192));
	producer_setters(DOCA_SUCCESS);
	T_OK(doca_ctx_start(ctx));
	T_ERR(doca_ctx_start(ctx), DOCA_ERROR_BAD_STATE);
	producer_setters(DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_producer_destroy(sender->producer), DOCA_ERROR_IN_USE);
	T_OK(doca_ctx_stop(ctx));
	producer_setters(DOCA_SUCCESS);
	path_close(&path);
}

static void consumer_setters(doca_error_t legal)
{
	uint32_t len;

	T_ERR(doca_comch_consumer_set_imm_data_len(receiver->consumer, 16), legal);
	T_ERR(doca_comch_consumer_task_post_recv_set_conf(receiver->consumer, recv_cb, recv_cb, 4),
	      legal);
	T_ERR(doca_ctx_set_user_data(receiver->ctx, (union doca_data){.ptr = receiver}), legal);
	T_OK(doca_comch_consumer_get_imm_data_len(receiver->consumer, &len));
	T_EQ(len, 16);
}

T_CASE(consumer_configuration)
{
	static const uint32_t wrong[] = {0, 8193, UINT32_MAX};
	struct doca_ctx *ctx;
	uint32_t len;

	pair_open(&path.pair);
	memory_open(&receiver->memory, server->dev, 4096, false, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	T_OK(doca_comch_consumer_create(server->connection, receiver->memory.mmap,
					&receiver->consumer));
	ctx = doca_comch_consumer_as_ctx(receiver->consumer);
	receiver->ctx = ctx;
	receiver->pe = server->pe;
	T_ERR(doca_ctx_start(ctx), DOCA_ERROR_NOT_CONNECTED);
	T_OK(doca_pe_connect_ctx(server->pe, ctx));
	T_ERR(doca_ctx_start(ctx), DOCA_ERROR_BAD_CONFIG);
	for (int i = 0; i < 3; i++)
		T_ERR(doca_comch_consumer_task_post_recv_set_conf(receiver->consumer, recv_cb,
								  recv_cb, wrong[i]),
		      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_task_post_recv_set_conf(receiver->consumer, NULL, recv_cb, 1),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_task_post_recv_set_conf(receiver->consumer, recv_cb, NULL, 1),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_comch_consumer_get_imm_data_len(receiver->consumer, &len));
	T_CHECK(len <= IMM_MAX);
	T_ERR(doca_comch_consumer_get_imm_data_len(receiver->consumer, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_set_imm_data_len(receiver->consumer, IMM_MAX + 1),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_comch_consumer_set_imm_data_len(receiver->consumer, IMM_MAX));
	T_OK(doca_comch_consumer_set_imm_data_len(receiver->consumer, 0));
	T_OK(doca_comch_consumer_task_post_recv_set_conf(receiver->consumer, recv_cb, recv_cb,
							 8192));
	consumer_setters(DOCA_SUCCESS);
	T_ERR(doca_ctx_start(ctx), DOCA_ERROR_IN_PROGRESS);
	consumer_setters(DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_consumer_destroy(receiver->consumer), DOCA_ERROR_IN_USE);
	PATH_UNTIL(&path, ctx_state(ctx) == DOCA_CTX_STATE_RUNNING);
	consumer_setters(DOCA_ERROR_BAD_STATE);
	(void)doca_ctx_stop(ctx);
	PATH_UNTIL(&path, ctx_state(ctx) == DOCA_CTX_STATE_IDLE);
	consumer_setters(DOCA_SUCCESS);
	path_close(&path);
}

T_CASE(ids_need_a_place_to_be_written_to)
{
	path_open(&path, 1, 64, false);
	T_ERR(doca_comch_producer_get_id(sender->producer, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_consumer_get_id(receiver->consumer, NULL), DOCA_ERROR_INVALID_VALUE);
	path_close(&path);
}

/* Send tasks */

static doca_error_t send_alloc(const struct doca_buf *buf, uint8_t *imm, uint32_t imm_len,
			       struct doca_comch_producer_task_send **task)
{
	return doca_comch_producer_task_send_alloc_init(sender->producer, buf, imm, imm_len,
							receiver->id, task);
}

T_CASE(send_alloc)
{
	struct doca_comch_producer_task_send *tasks[4], *task;
	uint8_t imm[40] = {0};

	path_open(&path, 4, 4096, false);
	REFUSED(DOCA_ERROR_INVALID_VALUE, void *, task,
		doca_comch_producer_task_send_alloc_init(NULL, NULL, imm, 4, 1, &task));
	T_ERR(send_alloc(NULL, imm, 4, NULL), DOCA_ERROR_INVALID_VALUE);
	REFUSED(DOCA_ERROR_INVALID_VALUE, void *, task, send_alloc(NULL, NULL, 0, &task));
	REFUSED(DOCA_ERROR_INVALID_VALUE, void *, task, send_alloc(NULL, NULL, 4, &task));
	REFUSED(DOCA_ERROR_INVALID_VALUE, void *, task, send_alloc(NULL, imm, 0, &task));
	REFUSED(DOCA_ERROR_INVALID_VALUE, void *, task, send_alloc(NULL, imm, 33, &task));
	for (int i = 0; i < 4; i++)
		T_OK(send_alloc(NULL, imm, 4, &tasks[i]));
	REFUSED(DOCA_ERROR_NO_MEMORY, void *, task, send_alloc(NULL, imm, 4, &task));
	for (int i = 0; i < 4; i++)
		doca_task_free(doca_comch_producer_task_send_as_task(tasks[i]));
	T_OK(doca_ctx_stop(sender->ctx));
	REFUSED(DOCA_ERROR_BAD_STATE, void *, task, send_alloc(NULL, imm, 4, &task));
	path_close(&path);
}

T_CASE(send_task_fields)
{
	struct doca_comch_producer_task_send *task;
	uint8_t imm[] = "abcdefgh";
	struct doca_buf *buf;

	path_open(&path, 4, 4096, false);
	buf = memory_buf(&sender->memory, 0, 64, true);
	T_OK(send_alloc(buf, imm, 8, &task));
	/* Copied by alloc already. */
	memset(imm, 'x', 8);
	T_EQ(doca_comch_producer_task_send_get_buf(task), buf);
	T_EQ(doca_comch_producer_task_send_get_consumer_id(task), receiver->id);
	T_EQ(doca_comch_producer_task_send_get_imm_data_len(task), 8);
	T_MEMEQ(doca_comch_producer_task_send_get_imm_data(task), "abcdefgh", 8);
	T_EQ(doca_task_get_ctx(doca_comch_producer_task_send_as_task(task)), sender->ctx);
	doca_comch_producer_task_send_set_consumer_id(task, 77);
	T_EQ(doca_comch_producer_task_send_get_consumer_id(task), 77);
	T_ERR(doca_task_submit(doca_comch_producer_task_send_as_task(task)), DOCA_ERROR_NOT_FOUND);
	doca_comch_producer_task_send_set_buf(task, NULL);
	T_EQ(doca_comch_producer_task_send_get_buf(task), NULL);
	doca_comch_producer_task_send_set_imm_data(task, NULL, 0);
	T_EQ(doca_comch_producer_task_send_get_imm_data(task), NULL);
	T_EQ(doca_comch_producer_task_send_get_imm_data_len(task), 0);
	doca_comch_producer_task_send_set_consumer_id(task, receiver->id);
	receiver_post(receiver, 0);
	/* Neither data nor immediate data. */
	T_ERR(doca_task_submit(doca_comch_producer_task_send_as_task(task)),
	      DOCA_ERROR_INVALID_VALUE);
	doca_comch_producer_task_send_set_imm_data(task, imm, 33);
	T_ERR(doca_task_submit(doca_comch_producer_task_send_as_task(task)),
	      DOCA_ERROR_INVALID_VALUE);
	doca_comch_producer_task_send_set_imm_data(task, imm, 3);
	T_OK(doca_task_submit(doca_comch_producer_task_send_as_task(task)));
	PATH_UNTIL(&path, receiver->got == 1 && sender->done == 1);
	T_EQ(receiver->imm_len, 3);
	T_MEMEQ(receiver->imm, "xxx", 3);
	T_OK(doca_buf_dec_refcount(buf, NULL));
	path_close(&path);
}

T_CASE(submitted_twice_or_not_running)
{
	struct doca_comch_producer_task_send *task;
	struct doca_task *base;
	uint8_t imm[1] = {1};

	path_open(&path, 4, 4096, false);
	receiver_post(receiver, 0);
	T_OK(send_alloc(NULL, imm, 1, &task));
	base = doca_comch_producer_task_send_as_task(task);
	T_OK(doca_task_submit(base));
	T_ERR(doca_task_submit(base), DOCA_ERROR_BAD_STATE);
	PATH_UNTIL(&path, sender->done == 1);
	T_OK(send_alloc(NULL, imm, 1, &task));
	base = doca_comch_producer_task_send_as_task(task);
	T_ERR(doca_ctx_stop(sender->ctx), DOCA_ERROR_IN_PROGRESS);
	T_ERR(doca_task_submit(base), DOCA_ERROR_BAD_STATE);
	doca_task_free(base);
	path_close(&path);
}

/* Immediate data may be as long as this consumer takes, not as the capability says. */
T_CASE(immediate_data_up_to_the_consumers_length)
{
	uint8_t imm[32] = {0};

	pair_open(&path.pair);
	receiver_create(receiver, server, server->pe, 4, 64, false);
	T_OK(doca_comch_consumer_set_imm_data_len(receiver->consumer, 5));
	receiver_start(receiver, path_turn, &path);
	PATH_UNTIL(&path, client->num_ids == 1);
	sender_open(sender, client, client->pe, 4, 64, false);
	receiver_post(receiver, 0);
	T_ERR(sender_try(sender, receiver->id, 0, 0, imm, 6), DOCA_ERROR_INVALID_VALUE);
	T_OK(sender_try(sender, receiver->id, 0, 0, imm, 5));
	PATH_UNTIL(&path, receiver->got == 1);
	path_close(&path);
}

/* Reading is enough for a source; another device's memory is not. */
T_CASE(source_must_be_of_the_producers_device)
{
	struct doca_comch_producer_task_send *task;
	struct memory foreign = {0};
	struct doca_buf *buf;

	path_open(&path, 4, 4096, false);
	receiver_post(receiver, 0);
	memory_open(&foreign, server->dev, 4096, false, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	buf = memory_buf(&foreign, 0, 64, true);
	T_OK(send_alloc(buf, NULL, 0, &task));
	T_ERR(doca_task_submit(doca_comch_producer_task_send_as_task(task)),
	      DOCA_ERROR_INVALID_VALUE);
	doca_task_free(doca_comch_producer_task_send_as_task(task));
	T_OK(doca_buf_dec_refcount(buf, NULL));
	memory_close(&foreign);
	memory_open(&foreign, client->dev, 4096, false, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	buf = memory_buf(&foreign, 0, 64, true);
	T_OK(send_alloc(buf, NULL, 0, &task));
	T_OK(doca_task_submit(doca_comch_producer_task_send_as_task(task)));
	PATH_UNTIL(&path, receiver->got == 1 && sender->done == 1);
	memory_close(&foreign);
	path_close(&path);
}

/* A task that is refused is freed. */
static doca_error_t send_from(struct memory *memory)
{
	struct doca_comch_producer_task_send *task;
	struct doca_buf *buf = memory_buf(memory, 0, 64, true);
	doca_error_t result;

	T_OK(send_alloc(buf, NULL, 0, &task));
	result = doca_task_submit(doca_comch_producer_task_send_as_task(task));
	if (result != DOCA_SUCCESS) {
		doca_task_free(doca_comch_producer_task_send_as_task(task));
		T_OK(doca_buf_dec_refcount(buf, NULL));
	}
	return result;
}

/* Many, so that allocators give some of the addresses again. */
T_CASE(source_is_looked_at_anew_when_its_mmap_is_another)
{
	static struct memory good[20], bad[20];

	path_open(&path, 4, 64, false);
	path.receiver.repost = true;
	receiver_post_all(receiver);
	for (int i = 0; i < 20; i++)
		memory_open(&good[i], client->dev, 4096, false, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	for (uint32_t i = 0; i < 20; i++) {
		T_OK(send_from(&good[19 - i]));
		PATH_UNTIL(&path, receiver->got == i + 1 && sender->done == i + 1);
	}
	for (int i = 19; i >= 0; i--)
		memory_close(&good[i]);
	for (int i = 0; i < 20; i++) {
		memory_open(&bad[i], server->dev, 4096, false, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
		T_ERR(send_from(&bad[i]), DOCA_ERROR_INVALID_VALUE);
	}
	for (int i = 0; i < 20; i++)
		memory_close(&bad[i]);
	path_close(&path);
}

/* Receive tasks */

static doca_error_t post_alloc(struct doca_buf *buf,
			       struct doca_comch_consumer_task_post_recv **task)
{
	return doca_comch_consumer_task_post_recv_alloc_init(receiver->consumer, buf, task);
}

T_CASE(post_alloc_errors)
{
	struct doca_comch_consumer_task_post_recv *tasks[4], *task;

	path_open(&path, 4, 4096, false);
	REFUSED(DOCA_ERROR_INVALID_VALUE, void *, task,
		doca_comch_consumer_task_post_recv_alloc_init(NULL, NULL, &task));
	T_ERR(post_alloc(NULL, NULL), DOCA_ERROR_INVALID_VALUE);
	for (int i = 0; i < 4; i++)
		T_OK(post_alloc(NULL, &tasks[i]));
	REFUSED(DOCA_ERROR_NO_MEMORY, void *, task, post_alloc(NULL, &task));
	for (int i = 0; i < 4; i++)
		doca_task_free(doca_comch_consumer_task_post_recv_as_task(tasks[i]));
	(void)doca_ctx_stop(receiver->ctx);
	REFUSED(DOCA_ERROR_BAD_STATE, void *, task, post_alloc(NULL, &task));
	path_close(&path);
}

/* As many as were configured can be posted, again and again, without AGAIN. */
T_CASE(post_up_to_the_number_of_tasks)
{
	path_open(&path, 7, 64, false);
	for (uint32_t round = 1; round <= 100; round++) {
		receiver_post_all(receiver);
		for (int i = 0; i < 7; i++)
			T_OK(sender_try(sender, receiver->id, 0, 64, NULL, 0));
		PATH_UNTIL(&path, receiver->got == 7 * round && sender->done == 7 * round);
	}
	path_close(&path);
}

static void keep_fields(struct receiver *r, struct doca_comch_consumer_task_post_recv *task)
{
	r->arg = task;
}

T_CASE(receive_task_fields)
{
	struct doca_comch_consumer_task_post_recv *task;
	struct doca_buf *buf;
	uint32_t id;
	void *data;

	path_open(&path, 4, 4096, false);
	buf = memory_buf(&receiver->memory, 0, 4096, false);
	T_OK(post_alloc(NULL, &task));
	T_EQ(doca_comch_consumer_task_post_recv_get_buf(task), NULL);
	doca_comch_consumer_task_post_recv_set_buf(task, buf);
	T_EQ(doca_comch_consumer_task_post_recv_get_buf(task), buf);
	T_EQ(doca_comch_consumer_task_post_recv_get_producer_id(task), 0);
	T_EQ(doca_comch_consumer_task_post_recv_get_imm_data(task), NULL);
	T_EQ(doca_comch_consumer_task_post_recv_get_imm_data_len(task), 0);
	/* What is there already stays: the message comes behind it. */
	T_OK(doca_buf_get_head(buf, &data));
	T_OK(doca_buf_set_data(buf, data, 10));
	receiver->on_message = keep_fields;
	T_OK(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)));
	memset(sender->memory.base, 0x77, 20);
	T_OK(sender_try(sender, receiver->id, 0, 20, "12", 2));
	PATH_UNTIL(&path, receiver->arg == task);
	T_EQ(receiver->len, 30);
	T_EQ(receiver->memory.base[9], 0);
	T_EQ(receiver->memory.base[10], 0x77);
	T_EQ(receiver->memory.base[29], 0x77);
	T_OK(doca_comch_producer_get_id(sender->producer, &id));
	T_EQ(receiver->producer, id);
	path_close(&path);
}

/* Room behind the data counts, not the whole buffer. */
T_CASE(room_is_what_lies_behind_the_data)
{
	struct doca_comch_consumer_task_post_recv *task;
	struct doca_buf *buf;
	void *head;

	path_open(&path, 4, 128, false);
	buf = memory_buf(&receiver->memory, 0, 128, false);
	T_OK(doca_buf_get_head(buf, &head));
	T_OK(doca_buf_set_data(buf, head, 100));
	T_OK(post_alloc(buf, &task));
	T_OK(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)));
	T_ERR(sender_try(sender, receiver->id, 0, 29, NULL, 0), DOCA_ERROR_INVALID_VALUE);
	T_OK(sender_try(sender, receiver->id, 0, 28, NULL, 0));
	PATH_UNTIL(&path, receiver->got == 1);
	path_close(&path);
}

/* Data for a receive that has no buffer. */
T_CASE(data_for_a_receive_of_immediate_data_only)
{
	path_open(&path, 4, 0, false);
	receiver_post(receiver, 0);
	T_ERR(sender_try(sender, receiver->id, 0, 1, "12", 2), DOCA_ERROR_INVALID_VALUE);
	T_OK(sender_try(sender, receiver->id, 0, 0, "12", 2));
	PATH_UNTIL(&path, receiver->got == 1);
	T_EQ(receiver->imm_len, 2);
	path_close(&path);
}
