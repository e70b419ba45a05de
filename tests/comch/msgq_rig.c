/* SPDX-License-Identifier: BSD-3-Clause */
#include "comch/msgq_rig.h"

static void open_down(struct rig *rig, uint32_t receives, uint32_t elements)
{
	rig->down = msgq_open(rig->dev, 4, 4);
	T_OK(doca_comch_msgq_set_dpa_consumer(rig->down, rig->dpa));
	T_OK(doca_comch_msgq_start(rig->down));
	T_OK(doca_comch_consumer_completion_create(&rig->arrivals));
	T_OK(doca_comch_consumer_completion_set_max_num_consumers(
		rig->arrivals, rig->sharers == 0 ? 1 : rig->sharers));
	T_OK(doca_comch_consumer_completion_set_max_num_recv(rig->arrivals, elements));
	T_OK(doca_comch_consumer_completion_set_dpa_thread(rig->arrivals, rig->thread));
	T_OK(doca_comch_consumer_completion_start(rig->arrivals));
	T_OK(doca_comch_consumer_completion_get_dpa_handle(rig->arrivals, &rig->completion));
	rig->dpa_consumer = rig_dpa_consumer(rig, rig->arrivals, receives);
	T_OK(doca_comch_consumer_get_dpa_handle(rig->dpa_consumer, &rig->consumer));
	cpu_producer_open(&rig->cpu_producer, rig->down, rig->pe, RIG_DEPTH);
}

static void open_up(struct rig *rig, uint32_t sends)
{
	rig->up = msgq_open(rig->dev, 4, 4);
	T_OK(doca_comch_msgq_set_dpa_producer(rig->up, rig->dpa));
	T_OK(doca_comch_msgq_start(rig->up));
	T_OK(doca_dpa_completion_create(rig->dpa, 256, &rig->sent));
	T_OK(doca_dpa_completion_start(rig->sent));
	T_OK(doca_dpa_completion_get_dpa_handle(rig->sent, &rig->reports));
	cpu_consumer_open(&rig->cpu_consumer, rig->up, rig->pe, RIG_DEPTH);
	rig->dpa_producer = rig_dpa_producer(rig, rig->sent, sends);
	T_OK(doca_comch_producer_get_dpa_handle(rig->dpa_producer, &rig->producer));
}

void rig_open_with(struct rig *rig, doca_dpa_func_t *kernel, uint32_t receives, uint32_t elements,
		   uint32_t sends)
{
	rig->dpa = kit_dpa(KIT_DPU);
	rig->dev = kit_open(KIT_DPU);
	rig->flags = DOCA_DPA_DEV_SUBMIT_FLAG_FLUSH | DOCA_DPA_DEV_SUBMIT_FLAG_OPTIMIZE_REPORTS;
	T_OK(doca_pe_create(&rig->pe));
	rig->thread = kit_thread(rig->dpa, kernel, (uintptr_t)rig);
	open_down(rig, receives, elements);
	open_up(rig, sends);
}

void rig_open(struct rig *rig, doca_dpa_func_t *kernel)
{
	rig_open_with(rig, kernel, RIG_DEPTH, RIG_DEPTH, RIG_DEPTH);
}

struct doca_comch_consumer *rig_dpa_consumer(struct rig *rig,
					     struct doca_comch_consumer_completion *completion,
					     uint32_t receives)
{
	struct doca_comch_consumer *consumer;

	T_OK(doca_comch_msgq_consumer_create(rig->down, &consumer));
	T_OK(doca_ctx_set_datapath_on_dpa(doca_comch_consumer_as_ctx(consumer), rig->dpa));
	T_OK(doca_comch_consumer_set_completion(consumer, completion, 0));
	T_OK(doca_comch_consumer_set_dev_max_num_recv(consumer, receives));
	T_OK(doca_ctx_start(doca_comch_consumer_as_ctx(consumer)));
	return consumer;
}

struct doca_comch_producer *rig_dpa_producer(struct rig *rig, struct doca_dpa_completion *sent,
					     uint32_t sends)
{
	struct doca_comch_producer *producer;

	T_OK(doca_comch_msgq_producer_create(rig->up, &producer));
	T_OK(doca_ctx_set_datapath_on_dpa(doca_comch_producer_as_ctx(producer), rig->dpa));
	T_OK(doca_comch_producer_set_dev_max_num_send(producer, sends));
	T_OK(doca_comch_producer_dpa_completion_attach(producer, sent));
	T_OK(doca_ctx_start(doca_comch_producer_as_ctx(producer)));
	return producer;
}

static void close_up(struct rig *rig)
{
	if (rig->dpa_producer != NULL) {
		T_OK(doca_ctx_stop(doca_comch_producer_as_ctx(rig->dpa_producer)));
		T_OK(doca_comch_producer_destroy(rig->dpa_producer));
	}
	if (rig->cpu_consumer.consumer != NULL)
		cpu_consumer_close(&rig->cpu_consumer);
	if (rig->up != NULL)
		msgq_close(rig->up);
	if (rig->sent != NULL) {
		T_OK(doca_dpa_completion_stop(rig->sent));
		T_OK(doca_dpa_completion_destroy(rig->sent));
	}
}

static void close_down(struct rig *rig)
{
	if (rig->cpu_producer.producer != NULL)
		cpu_producer_close(&rig->cpu_producer);
	if (rig->dpa_consumer != NULL) {
		T_OK(doca_ctx_stop(doca_comch_consumer_as_ctx(rig->dpa_consumer)));
		T_OK(doca_comch_consumer_destroy(rig->dpa_consumer));
	}
	if (rig->down != NULL)
		msgq_close(rig->down);
	if (rig->arrivals != NULL) {
		T_OK(doca_comch_consumer_completion_stop(rig->arrivals));
		T_OK(doca_comch_consumer_completion_destroy(rig->arrivals));
	}
}

void rig_close(struct rig *rig)
{
	close_up(rig);
	close_down(rig);
	if (rig->thread != NULL)
		T_OK(doca_dpa_thread_destroy(rig->thread));
	T_OK(doca_pe_destroy(rig->pe));
	kit_dpa_end(rig->dpa);
	T_OK(doca_dev_close(rig->dev));
}

doca_error_t rig_try(struct rig *rig, uint32_t number)
{
	return cpu_producer_try(&rig->cpu_producer, 1, &number, sizeof(number));
}

void rig_send(struct rig *rig, uint32_t number)
{
	cpu_producer_send(&rig->cpu_producer, 1, number);
}

void rig_echo(struct rig *rig)
{
	doca_dpa_dev_comch_consumer_completion_element_t element;
	const uint8_t *imm;
	uint32_t len, read = 0;

	while (doca_dpa_dev_comch_consumer_get_completion(rig->completion, &element)) {
		imm = doca_dpa_dev_comch_consumer_get_completion_imm(element, &len);
		doca_dpa_dev_comch_producer_post_send_imm_only(rig->producer, 1, imm, len,
							       rig->flags);
		read++;
	}
	doca_dpa_dev_comch_consumer_completion_ack(rig->completion, read);
	doca_dpa_dev_comch_consumer_completion_request_notification(rig->completion);
	doca_dpa_dev_comch_consumer_ack(rig->consumer, read);
	doca_dpa_dev_thread_reschedule();
}
