/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Producers and consumers of a connection.
 */
#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>

#include "comch/path.h"
#include "misuse/misuse.h"

static struct path path;
static struct end *const server = &path.pair.server;
static struct end *const client = &path.pair.client;
static uint8_t bytes[64];

static void on_sent(struct doca_comch_producer_task_send *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	(void)task, (void)task_data, (void)ctx_data;
}

static void on_received(struct doca_comch_consumer_task_post_recv *task, union doca_data task_data,
			union doca_data ctx_data)
{
	(void)task, (void)task_data, (void)ctx_data;
}

MISUSE_CASE(creation)
{
	struct doca_comch_consumer_task_post_recv *receive;
	struct doca_comch_producer_task_send *send;
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
	struct doca_mmap *mmap;
	struct doca_pe *pe;

	pair_open(&path.pair);
	T_OK(doca_pe_create(&pe));
	T_OK(doca_mmap_create(&mmap));
	MISUSE(INVALID_VALUE, doca_comch_consumer_create(server->connection, mmap, &consumer),
	       "the mmap is not started", "needed: a started one of this process");
	T_OK(doca_mmap_destroy(mmap));
	mmap = kit_mmap(server->dev, bytes, sizeof(bytes), 0);
	MISUSE(NOT_PERMITTED, doca_comch_consumer_create(server->connection, mmap, &consumer),
	       "the mmap has permissions", "needed: DOCA_ACCESS_FLAG_PCI_READ_WRITE",
	       "doca_mmap_set_permissions()");
	T_OK(doca_mmap_destroy(mmap));
	mmap = kit_mmap(server->dev, bytes, sizeof(bytes),
			DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	T_OK(doca_comch_consumer_create(server->connection, mmap, &consumer));
	MISUSE(INVALID_VALUE, doca_comch_consumer_set_imm_data_len(consumer, 33), "33 bytes",
	       "needed: at most 32");
	MISUSE(INVALID_VALUE,
	       doca_comch_consumer_task_post_recv_set_conf(consumer, on_received, NULL, 1),
	       "a callback is NULL", "needed: one for completion and one for errors");
	T_OK(doca_pe_connect_ctx(pe, doca_comch_consumer_as_ctx(consumer)));
	MISUSE(BAD_CONFIG, doca_ctx_start(doca_comch_consumer_as_ctx(consumer)),
	       "has no receive tasks", "doca_comch_consumer_task_post_recv_set_conf()");
	T_OK(doca_comch_producer_create(client->connection, &producer));
	MISUSE(INVALID_VALUE,
	       doca_comch_producer_task_send_set_conf(producer, on_sent, on_sent, 1u << 20),
	       "1048576 tasks", "needed: 1 to 8192");
	T_OK(doca_pe_connect_ctx(pe, doca_comch_producer_as_ctx(producer)));
	MISUSE(BAD_CONFIG, doca_ctx_start(doca_comch_producer_as_ctx(producer)),
	       "has no send tasks", "doca_comch_producer_task_send_set_conf()");
	MISUSE(BAD_STATE, doca_comch_consumer_task_post_recv_alloc_init(consumer, NULL, &receive),
	       "the context is IDLE", "needed: RUNNING");
	MISUSE(BAD_STATE,
	       doca_comch_producer_task_send_alloc_init(producer, NULL, bytes, 8, 1, &send),
	       "the context is IDLE", "needed: RUNNING");
	T_OK(doca_comch_producer_destroy(producer));
	T_OK(doca_comch_consumer_destroy(consumer));
	T_OK(doca_pe_destroy(pe));
	T_OK(doca_comch_server_disconnect(server->server, server->connection));
	MISUSE(BAD_STATE, doca_comch_consumer_create(server->connection, mmap, &consumer),
	       "the connection has ended", "needed: a live one");
	MISUSE(BAD_STATE, doca_comch_producer_create(server->connection, &producer),
	       "the connection has ended", "needed: a live one");
	T_OK(doca_mmap_destroy(mmap));
	pair_close(&path.pair);
}

MISUSE_CASE(as_many_as_there_can_be)
{
	struct doca_comch_producer *producers[64], *one;

	pair_open(&path.pair);
	for (int i = 0; i < 64; i++)
		T_OK(doca_comch_producer_create(client->connection, &producers[i]));
	MISUSE(NO_MEMORY, doca_comch_producer_create(client->connection, &one), "has 64 of them",
	       "needed: fewer", "destroy one");
	for (int i = 0; i < 64; i++)
		T_OK(doca_comch_producer_destroy(producers[i]));
	pair_close(&path.pair);
}

MISUSE_CASE(no_more_consumers)
{
	struct doca_comch_consumer *consumer, *one;
	struct doca_mmap *mmap;

	kit_topology("{\"limits\": {\"comch_max_consumers\": 1}}");
	pair_open(&path.pair);
	mmap = kit_mmap(server->dev, bytes, sizeof(bytes),
			DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	T_OK(doca_comch_consumer_create(server->connection, mmap, &consumer));
	MISUSE(NO_MEMORY, doca_comch_consumer_create(server->connection, mmap, &one),
	       "has 1 of them", "needed: fewer", "destroy one");
	T_OK(doca_comch_consumer_destroy(consumer));
	T_OK(doca_mmap_destroy(mmap));
	pair_close(&path.pair);
}

MISUSE_CASE(running)
{
	struct doca_comch_consumer_task_post_recv *receive;
	struct doca_comch_producer_task_send *send;
	struct doca_buf *source, *strange;

	path_open(&path, 2, 64, false);
	source = memory_buf(&path.sender.memory, 0, 32, true);
	strange = memory_buf(&path.sender.memory, 32, 32, false);
	MISUSE(BAD_STATE, doca_comch_consumer_set_imm_data_len(path.receiver.consumer, 8),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE,
	       doca_comch_consumer_task_post_recv_set_conf(path.receiver.consumer, on_received,
							   on_received, 1),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE,
	       doca_comch_producer_task_send_set_conf(path.sender.producer, on_sent, on_sent, 1),
	       "the context is RUNNING", "needed: IDLE");
	MISUSE(IN_USE, doca_comch_consumer_destroy(path.receiver.consumer), "it is RUNNING",
	       "needed: IDLE");
	MISUSE(IN_USE, doca_comch_producer_destroy(path.sender.producer), "it is RUNNING",
	       "needed: IDLE");
	MISUSE(IN_USE, doca_comch_server_disconnect(server->server, server->connection),
	       "producers or consumers run", "stop them first");
	MISUSE(IN_USE, doca_ctx_stop(server->ctx), "producers or consumers", "stop them first");
	MISUSE(INVALID_VALUE,
	       doca_comch_consumer_task_post_recv_alloc_init(path.receiver.consumer, strange,
							     &receive),
	       "the buf is of another mmap", "needed: one of the consumer's");
	MISUSE(INVALID_VALUE,
	       doca_comch_producer_task_send_alloc_init(path.sender.producer, NULL, NULL, 0, 1,
							&send),
	       "neither buf nor immediate data", "needed: one of them");
	MISUSE(INVALID_VALUE,
	       doca_comch_producer_task_send_alloc_init(path.sender.producer, source, bytes, 33, 1,
							&send),
	       "33 bytes of immediate data", "needed: at most 32");
	MISUSE(INVALID_VALUE,
	       doca_comch_producer_task_send_alloc_init(path.sender.producer, source, NULL, 8, 1,
							&send),
	       "8 bytes of immediate data", "and their address");
	T_OK(doca_buf_chain_list(source, strange));
	MISUSE(INVALID_VALUE,
	       doca_comch_producer_task_send_alloc_init(path.sender.producer, source, NULL, 0, 1,
							&send),
	       "a list of bufs", "needed: a single one");
	T_OK(doca_buf_dec_refcount(source, NULL));
	strange = memory_buf(&path.receiver.memory, 0, 32, false);
	T_OK(doca_buf_dec_refcount(strange, NULL));
	MISUSE(INVALID_VALUE,
	       doca_comch_consumer_task_post_recv_alloc_init(path.receiver.consumer, strange,
							     &receive),
	       "a buf was released", "needed: one with a reference until");
	path_close(&path);
}

static struct doca_task *send_of(struct doca_buf *buf, uint8_t *imm, uint32_t imm_len, uint32_t id)
{
	struct doca_comch_producer_task_send *send;

	T_OK(doca_comch_producer_task_send_alloc_init(path.sender.producer, buf, imm, imm_len, id,
						      &send));
	return doca_comch_producer_task_send_as_task(send);
}

MISUSE_CASE(all_receives_are_out)
{
	struct doca_comch_consumer_task_post_recv *first, *second, *one;

	path_open(&path, 2, 64, false);
	T_OK(doca_comch_consumer_task_post_recv_alloc_init(path.receiver.consumer, NULL, &first));
	T_OK(doca_comch_consumer_task_post_recv_alloc_init(path.receiver.consumer, NULL, &second));
	MISUSE(NO_MEMORY,
	       doca_comch_consumer_task_post_recv_alloc_init(path.receiver.consumer, NULL, &one),
	       "all 2 tasks are out", "needed: one that is free");
	doca_task_free(doca_comch_consumer_task_post_recv_as_task(first));
	doca_task_free(doca_comch_consumer_task_post_recv_as_task(second));
	path_close(&path);
}

MISUSE_CASE(sends)
{
	struct doca_comch_producer_task_send *send;
	struct doca_task *task, *second;
	struct doca_buf *source;

	path_open(&path, 2, 64, false);
	source = memory_buf(&path.sender.memory, 0, 65, true);
	task = send_of(source, NULL, 0, 0);
	MISUSE(INVALID_VALUE, doca_task_submit(task), "to consumer 0", "needed: an id");
	doca_task_free(task);
	task = send_of(source, NULL, 0, 4711);
	MISUSE(NOT_FOUND, doca_task_submit(task), "to consumer 4711", "needed: one that runs",
	       "doca_comch_client_event_consumer_register()");
	doca_task_free(task);
	task = send_of(source, NULL, 0, path.receiver.id);
	QUIET(AGAIN, doca_task_submit(task));
	receiver_post(&path.receiver, 0);
	MISUSE(INVALID_VALUE, doca_task_submit(task), "of 65 bytes",
	       "needed: no more than the receive has room for", "post larger bufs");
	T_OK(doca_buf_set_data_len(source, 0));
	MISUSE(INVALID_VALUE, doca_task_submit(task), "a buf without data",
	       "needed: at least 1 byte", "doca_buf_set_data()");
	second = send_of(source, bytes, 8, path.receiver.id);
	MISUSE(NO_MEMORY,
	       doca_comch_producer_task_send_alloc_init(path.sender.producer, source, NULL, 0, 1,
							&send),
	       "all 2 tasks are out", "needed: one that is free");
	doca_task_free(second);
	T_OK(doca_buf_dec_refcount(source, NULL));
	MISUSE(INVALID_VALUE, doca_task_submit(task), "a buf was released",
	       "needed: one with a reference until");
	doca_task_free(task);
	path_close(&path);
}
