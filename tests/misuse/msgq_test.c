/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MsgQs, their producers and consumers on both sides, and the completions of those on a DPA.
 */
#include <doca_buf.h>
#include <doca_buf_inventory.h>

#include "comch/msgq_rig.h"
#include "misuse/misuse.h"

static struct rig rig;
static struct doca_comch_msgq *msgq;
static struct doca_comch_consumer *consumer;
static struct doca_comch_producer *producer;
static uint64_t handle;

KIT_GLOBAL(kernel)
{
	doca_dpa_dev_thread_reschedule();
}

static void on_sent(struct doca_comch_producer_task_send *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	doca_task_free(doca_comch_producer_task_send_as_task(task));
}

static void on_received(struct doca_comch_consumer_task_post_recv *task, union doca_data task_data,
			union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
}

static void open_rig(void)
{
	rig_open(&rig, KIT_FUNC(kernel));
}

MISUSE_CASE(no_dpa)
{
	struct doca_dev *dev;

	kit_topology("{\"limits\": {\"dpa_cores\": 0}}");
	dev = kit_open(KIT_DPU);
	MISUSE(NOT_SUPPORTED, doca_comch_msgq_create(dev, &msgq), "has no DPA",
	       "doca_dpa_cap_is_supported()");
	T_OK(doca_dev_close(dev));
}

MISUSE_CASE(stopped)
{
	struct doca_dev *dev = kit_open(KIT_DPU);

	T_OK(doca_comch_msgq_create(dev, &msgq));
	MISUSE(IN_USE, doca_dev_close(dev), "1 objects still depend on it", "destroy contexts");
	MISUSE(INVALID_VALUE, doca_comch_msgq_set_max_num_consumers(msgq, 0), "0 consumers",
	       "needed: 1 to 64");
	MISUSE(INVALID_VALUE, doca_comch_msgq_set_max_num_consumers(msgq, 65), "65 consumers",
	       "needed: 1 to 64");
	MISUSE(INVALID_VALUE, doca_comch_msgq_set_max_num_producers(msgq, 0), "0 producers",
	       "needed: 1 to 64");
	MISUSE(INVALID_VALUE, doca_comch_msgq_set_max_num_producers(msgq, 65), "65 producers",
	       "needed: 1 to 64");
	MISUSE(BAD_STATE, doca_comch_msgq_stop(msgq), "is not started",
	       "call doca_comch_msgq_start() first");
	MISUSE(BAD_STATE, doca_comch_msgq_consumer_create(msgq, &consumer), "is not started",
	       "call doca_comch_msgq_start() first");
	MISUSE(BAD_STATE, doca_comch_msgq_producer_create(msgq, &producer), "is not started",
	       "call doca_comch_msgq_start() first");
	T_OK(doca_comch_msgq_destroy(msgq));
	T_OK(doca_dev_close(dev));
}

MISUSE_CASE(started)
{
	open_rig();
	msgq = msgq_open(rig.dev, 1, 1);
	T_OK(doca_comch_msgq_start(msgq));
	MISUSE(BAD_STATE, doca_comch_msgq_start(msgq), "is started", "doca_comch_msgq_stop()");
	MISUSE(BAD_STATE, doca_comch_msgq_destroy(msgq), "is started", "doca_comch_msgq_stop()");
	MISUSE(BAD_STATE, doca_comch_msgq_set_dpa_consumer(msgq, rig.dpa), "is started",
	       "doca_comch_msgq_stop()");
	MISUSE(BAD_STATE, doca_comch_msgq_set_dpa_producer(msgq, rig.dpa), "is started",
	       "doca_comch_msgq_stop()");
	MISUSE(BAD_STATE, doca_comch_msgq_set_max_num_consumers(msgq, 1), "is started",
	       "doca_comch_msgq_stop()");
	MISUSE(BAD_STATE, doca_comch_msgq_set_max_num_producers(msgq, 1), "is started",
	       "doca_comch_msgq_stop()");
	T_OK(doca_comch_msgq_consumer_create(msgq, &consumer));
	T_OK(doca_comch_msgq_producer_create(msgq, &producer));
	MISUSE(NO_MEMORY, doca_comch_msgq_consumer_create(msgq, &consumer), "there are 1 already",
	       "doca_comch_msgq_set_max_num_consumers()");
	MISUSE(NO_MEMORY, doca_comch_msgq_producer_create(msgq, &producer), "there are 1 already",
	       "doca_comch_msgq_set_max_num_producers()");
	MISUSE(IN_USE, doca_comch_msgq_stop(msgq), "1 producers and 1 consumers exist",
	       "destroy them first");
	T_OK(doca_comch_consumer_destroy(consumer));
	T_OK(doca_comch_producer_destroy(producer));
	msgq_close(msgq);
	rig_close(&rig);
}

MISUSE_CASE(sides)
{
	struct doca_dpa *other = kit_dpa(KIT_DPU_1);
	struct doca_dpa *idle;

	open_rig();
	msgq = msgq_open(rig.dev, 1, 1);
	MISUSE(INVALID_VALUE, doca_comch_msgq_set_dpa_consumer(msgq, other), "of device 0000:03",
	       "needed: both of the same");
	MISUSE(INVALID_VALUE, doca_comch_msgq_set_dpa_producer(msgq, other), "of device 0000:03",
	       "needed: both of the same");
	T_OK(doca_comch_msgq_set_dpa_producer(msgq, rig.dpa));
	MISUSE(INVALID_VALUE, doca_comch_msgq_set_dpa_consumer(msgq, rig.dpa),
	       "the producers are on a DPA already", "needed: one side on the CPU");
	T_OK(doca_comch_msgq_destroy(msgq));
	msgq = msgq_open(rig.dev, 1, 1);
	T_OK(doca_dpa_create(rig.dev, &idle));
	T_OK(doca_comch_msgq_set_dpa_consumer(msgq, idle));
	MISUSE(INVALID_VALUE, doca_comch_msgq_set_dpa_producer(msgq, rig.dpa),
	       "the consumers are on a DPA already", "needed: one side on the CPU");
	MISUSE(BAD_STATE, doca_comch_msgq_start(msgq), "the DPA context is not started",
	       "needed: one that doca_dpa_start() started");
	T_OK(doca_comch_msgq_destroy(msgq));
	T_OK(doca_dpa_destroy(idle));
	rig_close(&rig);
	kit_dpa_end(other);
}

MISUSE_CASE(consumer_on_the_dpa)
{
	struct doca_ctx *ctx;

	open_rig();
	T_OK(doca_comch_msgq_consumer_create(rig.down, &consumer));
	ctx = doca_comch_consumer_as_ctx(consumer);
	T_OK(doca_pe_connect_ctx(rig.pe, ctx));
	MISUSE(BAD_STATE, doca_ctx_start(ctx), "has this side on a DPA",
	       "doca_ctx_set_datapath_on_dpa()");
	MISUSE(BAD_STATE, doca_comch_consumer_set_completion(consumer, rig.arrivals, 0),
	       "has this side on a DPA", "doca_ctx_set_datapath_on_dpa()");
	MISUSE(BAD_STATE,
	       doca_comch_consumer_task_post_recv_set_conf(consumer, on_received, on_received, 1),
	       "the consumer is on a DPA", "needed: one on the CPU");
	T_OK(doca_ctx_set_datapath_on_dpa(ctx, rig.dpa));
	MISUSE(BAD_CONFIG, doca_ctx_start(ctx), "lacks a configuration",
	       "doca_comch_consumer_set_completion()");
	MISUSE(NO_MEMORY, doca_comch_consumer_set_completion(consumer, rig.arrivals, 0),
	       "1 consumers are attached already",
	       "doca_comch_consumer_completion_set_max_num_consumers()");
	MISUSE(INVALID_VALUE, doca_comch_consumer_set_dev_max_num_recv(consumer, 0), "a depth of 0",
	       "needed: 1 to");
	MISUSE(INVALID_VALUE, doca_comch_consumer_set_dev_num_recv(consumer, 1u << 20),
	       "a depth of 1048576", "needed: 1 to");
	MISUSE(INVALID_VALUE, doca_comch_consumer_set_imm_data_len(consumer, 33), "33 bytes",
	       "needed: at most 32");
	MISUSE(BAD_STATE, doca_comch_consumer_get_dpa_handle(consumer, &handle), "is not started",
	       "call doca_ctx_start() first");
	T_OK(doca_comch_consumer_destroy(consumer));
	MISUSE(BAD_STATE, doca_comch_consumer_set_completion(rig.dpa_consumer, rig.arrivals, 0),
	       "is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE, doca_comch_consumer_set_dev_max_num_recv(rig.dpa_consumer, 4),
	       "is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE, doca_comch_consumer_set_dev_num_recv(rig.dpa_consumer, 4), "is RUNNING",
	       "needed: IDLE");
	MISUSE(BAD_STATE, doca_comch_consumer_set_imm_data_len(rig.dpa_consumer, 4), "is RUNNING",
	       "needed: IDLE");
	MISUSE(IN_USE, doca_comch_consumer_destroy(rig.dpa_consumer), "is RUNNING", "needed: IDLE");
	rig_close(&rig);
}

MISUSE_CASE(producer_on_the_dpa)
{
	struct doca_dpa_completion *sent;
	struct doca_ctx *ctx;

	open_rig();
	T_OK(doca_comch_msgq_producer_create(rig.up, &producer));
	ctx = doca_comch_producer_as_ctx(producer);
	MISUSE(BAD_STATE, doca_comch_producer_dpa_completion_attach(producer, rig.sent),
	       "has this side on a DPA", "doca_ctx_set_datapath_on_dpa()");
	MISUSE(BAD_STATE, doca_comch_producer_task_send_set_conf(producer, on_sent, on_sent, 1),
	       "the producer is on a DPA", "needed: one on the CPU");
	T_OK(doca_ctx_set_datapath_on_dpa(ctx, rig.dpa));
	MISUSE(BAD_CONFIG, doca_ctx_start(ctx), "has no completion",
	       "doca_comch_producer_dpa_completion_attach()");
	T_OK(doca_dpa_completion_create(rig.dpa, 4, &sent));
	MISUSE(BAD_STATE, doca_comch_producer_dpa_completion_attach(producer, sent),
	       "is not started", "doca_dpa_completion_start()");
	T_OK(doca_dpa_completion_destroy(sent));
	MISUSE(INVALID_VALUE, doca_comch_producer_set_dev_max_num_send(producer, 0), "a depth of 0",
	       "needed: 1 to");
	MISUSE(INVALID_VALUE, doca_comch_producer_set_dev_num_send(producer, 1u << 20),
	       "a depth of 1048576", "needed: 1 to");
	MISUSE(BAD_STATE, doca_comch_producer_get_dpa_handle(producer, &handle), "is not started",
	       "call doca_ctx_start() first");
	T_OK(doca_comch_producer_destroy(producer));
	MISUSE(BAD_STATE, doca_comch_producer_dpa_completion_attach(rig.dpa_producer, rig.sent),
	       "is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE, doca_comch_producer_set_dev_max_num_send(rig.dpa_producer, 4),
	       "is RUNNING", "needed: IDLE");
	MISUSE(BAD_STATE, doca_comch_producer_set_dev_num_send(rig.dpa_producer, 4), "is RUNNING",
	       "needed: IDLE");
	MISUSE(IN_USE, doca_comch_producer_destroy(rig.dpa_producer), "is RUNNING", "needed: IDLE");
	rig_close(&rig);
}

MISUSE_CASE(members_on_the_cpu)
{
	open_rig();
	consumer = rig.cpu_consumer.consumer;
	producer = rig.cpu_producer.producer;
	MISUSE(BAD_STATE, doca_comch_consumer_set_completion(consumer, rig.arrivals, 0),
	       "the consumer is on the CPU", "doca_comch_msgq_set_dpa_consumer()");
	MISUSE(BAD_STATE, doca_comch_consumer_set_dev_max_num_recv(consumer, 4),
	       "the consumer is on the CPU", "doca_comch_msgq_set_dpa_consumer()");
	MISUSE(BAD_STATE, doca_comch_consumer_set_dev_num_recv(consumer, 4),
	       "the consumer is on the CPU", "doca_comch_msgq_set_dpa_consumer()");
	MISUSE(BAD_STATE, doca_comch_consumer_get_dpa_handle(consumer, &handle),
	       "the consumer is on the CPU", "doca_comch_msgq_set_dpa_consumer()");
	MISUSE(BAD_STATE, doca_comch_producer_dpa_completion_attach(producer, rig.sent),
	       "the producer is on the CPU", "doca_comch_msgq_set_dpa_producer()");
	MISUSE(BAD_STATE, doca_comch_producer_set_dev_max_num_send(producer, 4),
	       "the producer is on the CPU", "doca_comch_msgq_set_dpa_producer()");
	MISUSE(BAD_STATE, doca_comch_producer_set_dev_num_send(producer, 4),
	       "the producer is on the CPU", "doca_comch_msgq_set_dpa_producer()");
	MISUSE(BAD_STATE, doca_comch_producer_get_dpa_handle(producer, &handle),
	       "the producer is on the CPU", "doca_comch_msgq_set_dpa_producer()");
	T_OK(doca_comch_msgq_consumer_create(rig.up, &consumer));
	MISUSE(NOT_SUPPORTED,
	       doca_ctx_set_datapath_on_dpa(doca_comch_consumer_as_ctx(consumer), rig.dpa),
	       "the data path of a doca_comch_consumer (MsgQ) is on the CPU", "on a DPA can be");
	T_OK(doca_pe_connect_ctx(rig.pe, doca_comch_consumer_as_ctx(consumer)));
	MISUSE(BAD_CONFIG, doca_ctx_start(doca_comch_consumer_as_ctx(consumer)),
	       "has no receive tasks", "doca_comch_consumer_task_post_recv_set_conf()");
	T_OK(doca_comch_consumer_destroy(consumer));
	T_OK(doca_comch_msgq_producer_create(rig.down, &producer));
	MISUSE(NOT_CONNECTED, doca_ctx_start(doca_comch_producer_as_ctx(producer)),
	       "has no progress engine", "doca_pe_connect_ctx()");
	T_OK(doca_pe_connect_ctx(rig.pe, doca_comch_producer_as_ctx(producer)));
	MISUSE(BAD_CONFIG, doca_ctx_start(doca_comch_producer_as_ctx(producer)),
	       "has no send tasks", "doca_comch_producer_task_send_set_conf()");
	T_OK(doca_comch_producer_destroy(producer));
	rig_close(&rig);
}

static void close_buf(struct doca_buf *buf, struct doca_buf_inventory *inventory,
		      struct doca_mmap *mmap)
{
	T_OK(doca_buf_dec_refcount(buf, NULL));
	T_OK(doca_buf_inventory_destroy(inventory));
	T_OK(doca_mmap_destroy(mmap));
}

MISUSE_CASE(buffers)
{
	struct doca_comch_consumer_task_post_recv *receive;
	struct doca_comch_producer_task_send *send;
	struct doca_buf_inventory *inventory;
	static char byte;
	struct doca_mmap *mmap;
	struct doca_buf *buf;

	open_rig();
	consumer = rig.cpu_consumer.consumer;
	producer = rig.cpu_producer.producer;
	mmap = kit_mmap(rig.dev, &byte, 1, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	T_OK(doca_buf_inventory_create(1, &inventory));
	T_OK(doca_buf_inventory_start(inventory));
	T_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, &byte, 1, &buf));
	MISUSE(INVALID_VALUE,
	       doca_comch_consumer_task_post_recv_alloc_init(consumer, buf, &receive),
	       "a buf on a MsgQ", "immediate data only");
	MISUSE(INVALID_VALUE,
	       doca_comch_producer_task_send_alloc_init(producer, buf, NULL, 0, 1, &send),
	       "a buf on a MsgQ", "immediate data only");
	MISUSE(INVALID_VALUE,
	       doca_comch_producer_task_send_alloc_init(producer, NULL, NULL, 0, 1, &send),
	       "neither buf nor immediate data", "needed: one of them");
	MISUSE(INVALID_VALUE,
	       doca_comch_producer_task_send_alloc_init(producer, NULL, (uint8_t *)&byte, 33, 1,
							&send),
	       "33 bytes of immediate data", "needed: at most 32");
	T_OK(doca_comch_consumer_task_post_recv_alloc_init(consumer, NULL, &receive));
	doca_comch_consumer_task_post_recv_set_buf(receive, buf);
	MISUSE(INVALID_VALUE, doca_task_submit(doca_comch_consumer_task_post_recv_as_task(receive)),
	       "a buf on a MsgQ", "immediate data only");
	doca_task_free(doca_comch_consumer_task_post_recv_as_task(receive));
	close_buf(buf, inventory, mmap);
	rig_close(&rig);
}

MISUSE_CASE(sends)
{
	struct doca_comch_producer_task_send *send;
	uint8_t imm[5] = {0};
	struct doca_task *task;

	open_rig();
	T_OK(doca_comch_producer_task_send_alloc_init(rig.cpu_producer.producer, NULL, imm, 5, 2,
						      &send));
	task = doca_comch_producer_task_send_as_task(send);
	MISUSE(NOT_FOUND, doca_task_submit(task), "to consumer 2", "not there or not started",
	       "needed: a started one");
	doca_comch_producer_task_send_set_consumer_id(send, 0);
	MISUSE(INVALID_VALUE, doca_task_submit(task), "on a MsgQ",
	       "needed: immediate data, no buf, and the id of a consumer");
	doca_comch_producer_task_send_set_consumer_id(send, 1);
	/* No receive is posted: an answer, of which a line tells once it lasts. */
	QUIET(AGAIN, doca_task_submit(task));
	T_OK(doca_ctx_stop(doca_comch_consumer_as_ctx(rig.dpa_consumer)));
	/* Told above, and no send was accepted since. */
	QUIET(NOT_FOUND, doca_task_submit(task));
	T_OK(doca_comch_consumer_set_imm_data_len(rig.dpa_consumer, 4));
	T_OK(doca_ctx_start(doca_comch_consumer_as_ctx(rig.dpa_consumer)));
	MISUSE(INVALID_VALUE, doca_task_submit(task), "5 bytes of immediate data",
	       "needed: at most the 4 that consumer 1 takes");
	doca_task_free(task);
	rig_close(&rig);
}

MISUSE_CASE(completion_that_is_stopped)
{
	struct doca_comch_consumer_completion *completion;
	struct doca_dpa_thread *thread;

	open_rig();
	T_OK(doca_comch_consumer_completion_create(&completion));
	MISUSE(INVALID_VALUE, doca_comch_consumer_completion_set_max_num_consumers(completion, 0),
	       "0; needed: 1 to");
	MISUSE(INVALID_VALUE, doca_comch_consumer_completion_set_max_num_recv(completion, 0),
	       "0; needed: 1 to");
	MISUSE(INVALID_VALUE, doca_comch_consumer_completion_set_imm_data_len(completion, 33),
	       "33; needed: 0 to 32");
	MISUSE(BAD_STATE, doca_comch_consumer_completion_start(completion), "no DPA thread",
	       "doca_comch_consumer_completion_set_dpa_thread()");
	MISUSE(BAD_STATE, doca_comch_consumer_completion_stop(completion), "is not started",
	       "doca_comch_consumer_completion_start()");
	MISUSE(BAD_STATE, doca_comch_consumer_completion_get_dpa_handle(completion, &handle),
	       "is not started", "doca_comch_consumer_completion_start()");
	T_OK(doca_dpa_thread_create(rig.dpa, &thread));
	T_OK(doca_comch_consumer_completion_set_dpa_thread(completion, thread));
	MISUSE(BAD_STATE, doca_comch_consumer_completion_start(completion), "DPA thread",
	       "doca_dpa_thread_start()");
	T_OK(doca_comch_consumer_completion_destroy(completion));
	T_OK(doca_dpa_thread_destroy(thread));
	rig_close(&rig);
}

MISUSE_CASE(completion_that_is_started)
{
	struct doca_comch_consumer_completion *completion;

	open_rig();
	completion = rig.arrivals;
	MISUSE(BAD_STATE, doca_comch_consumer_completion_start(completion), "is started",
	       "doca_comch_consumer_completion_stop()");
	MISUSE(BAD_STATE, doca_comch_consumer_completion_set_dpa_thread(completion, rig.thread),
	       "is started", "doca_comch_consumer_completion_stop()");
	MISUSE(BAD_STATE, doca_comch_consumer_completion_set_max_num_consumers(completion, 1),
	       "is started", "doca_comch_consumer_completion_stop()");
	MISUSE(BAD_STATE, doca_comch_consumer_completion_set_max_num_recv(completion, 1),
	       "is started", "doca_comch_consumer_completion_stop()");
	MISUSE(BAD_STATE, doca_comch_consumer_completion_set_imm_data_len(completion, 1),
	       "is started", "doca_comch_consumer_completion_stop()");
	MISUSE(BAD_STATE, doca_comch_consumer_completion_destroy(completion), "is started",
	       "doca_comch_consumer_completion_stop()");
	MISUSE(IN_USE, doca_comch_consumer_completion_stop(completion), "1 consumers are attached",
	       "destroy them first");
	rig_close(&rig);
}

MISUSE_CASE(another_dpa)
{
	struct doca_dpa *other = kit_dpa(KIT_DPU_1);
	struct doca_dpa_completion *sent;

	open_rig();
	T_OK(doca_comch_msgq_consumer_create(rig.down, &consumer));
	MISUSE(INVALID_VALUE,
	       doca_ctx_set_datapath_on_dpa(doca_comch_consumer_as_ctx(consumer), other),
	       "another DPA context", "needed: that of doca_comch_msgq_set_dpa_consumer()");
	T_OK(doca_comch_consumer_destroy(consumer));
	T_OK(doca_comch_msgq_producer_create(rig.up, &producer));
	T_OK(doca_ctx_set_datapath_on_dpa(doca_comch_producer_as_ctx(producer), rig.dpa));
	T_OK(doca_dpa_completion_create(other, 4, &sent));
	T_OK(doca_dpa_completion_start(sent));
	MISUSE(INVALID_VALUE, doca_comch_producer_dpa_completion_attach(producer, sent),
	       "of another DPA context", "needed: one of the context's");
	T_OK(doca_comch_producer_destroy(producer));
	T_OK(doca_dpa_completion_destroy(sent));
	rig_close(&rig);
	kit_dpa_end(other);
}
