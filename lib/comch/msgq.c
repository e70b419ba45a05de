/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MsgQ: settings, start and stop; contract in msgq.h.
 */
#include "comch/msgq.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "comch/show_msgq.h"
#include "core/dev.h"
#include "dpa/dpa.h"

static uint32_t msgq_limit(const struct doca_comch_msgq *msgq, enum comch_member_kind kind)
{
	const struct sdpu_limits *limits = sdpu_dev_function(msgq->dev)->limits;

	return kind == COMCH_CONSUMER ? limits->msgq_max_consumers : limits->msgq_max_producers;
}

doca_error_t doca_comch_msgq_create(struct doca_dev *dev, struct doca_comch_msgq **msgq)
{
	struct doca_comch_msgq *made;

	if (sdpu_any_null(__func__, dev, msgq))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	if (sdpu_dev_function(dev)->limits->dpa_cores == 0) {
		sdpu_log_err("doca_comch_msgq_create: device %s has no DPA; needed: one for which "
			     "doca_dpa_cap_is_supported() answers DOCA_SUCCESS",
			     sdpu_dev_function(dev)->pci);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	made = calloc(1, sizeof(*made));
	if (made == NULL)
		return sdpu_no_memory(__func__);
	sdpu_dev_hold(dev);
	made->dev = dev;
	for (int kind = 0; kind < COMCH_MEMBER_KINDS; kind++)
		made->max[kind] = msgq_limit(made, kind);
	pthread_mutex_init(&made->lock, NULL);
	sdpu_list_init(&made->members);
	comch_show_enter_msgq(made);
	*msgq = made;
	return DOCA_SUCCESS;
}

static doca_error_t msgq_configurable(const struct doca_comch_msgq *msgq, const char *call)
{
	if (sdpu_process_refuses(call))
		return DOCA_ERROR_BAD_STATE;
	if (msgq->state == COMCH_MSGQ_STOPPED)
		return DOCA_SUCCESS;
	sdpu_log_err("%s: the MsgQ is started; call doca_comch_msgq_stop() first", call);
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_comch_msgq_destroy(struct doca_comch_msgq *msgq)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, msgq))
		return DOCA_ERROR_INVALID_VALUE;
	result = msgq_configurable(msgq, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	sdpu_stats_unregister(&msgq->stats);
	for (int kind = 0; kind < COMCH_MEMBER_KINDS; kind++) {
		if (msgq->dpa[kind] != NULL)
			sdpu_dpa_leave(msgq->dpa[kind]);
	}
	sdpu_dev_release(msgq->dev);
	pthread_mutex_destroy(&msgq->lock);
	free(msgq);
	return DOCA_SUCCESS;
}

static doca_error_t msgq_check_dpa(const struct doca_comch_msgq *msgq, enum comch_member_kind kind,
				   const struct doca_dpa *dpa, const char *call)
{
	enum comch_member_kind other = kind == COMCH_CONSUMER ? COMCH_PRODUCER : COMCH_CONSUMER;

	if (msgq->dpa[other] != NULL) {
		sdpu_log_err(
			"%s: the %ss are on a DPA already; needed: one side on the CPU; take two "
			"MsgQs for both directions",
			call, comch_msgq_kind[other]);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (sdpu_dpa_dev(dpa) != msgq->dev) {
		sdpu_log_err("%s: the DPA context is of device %s, the MsgQ of %s; needed: both of "
			     "the same",
			     call, sdpu_dev_function(sdpu_dpa_dev(dpa))->pci,
			     sdpu_dev_function(msgq->dev)->pci);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return DOCA_SUCCESS;
}

static doca_error_t msgq_set_dpa(struct doca_comch_msgq *msgq, enum comch_member_kind kind,
				 struct doca_dpa *dpa, const char *call)
{
	doca_error_t result;

	if (sdpu_any_null(call, msgq, dpa))
		return DOCA_ERROR_INVALID_VALUE;
	result = msgq_configurable(msgq, call);
	if (result == DOCA_SUCCESS)
		result = msgq_check_dpa(msgq, kind, dpa, call);
	if (result == DOCA_SUCCESS)
		result = sdpu_dpa_join(dpa, call);
	if (result != DOCA_SUCCESS)
		return result;
	if (msgq->dpa[kind] != NULL)
		sdpu_dpa_leave(msgq->dpa[kind]);
	msgq->dpa[kind] = dpa;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_msgq_set_dpa_consumer(struct doca_comch_msgq *msgq, struct doca_dpa *dpa)
{
	return msgq_set_dpa(msgq, COMCH_CONSUMER, dpa, __func__);
}

doca_error_t doca_comch_msgq_set_dpa_producer(struct doca_comch_msgq *msgq, struct doca_dpa *dpa)
{
	return msgq_set_dpa(msgq, COMCH_PRODUCER, dpa, __func__);
}

static doca_error_t msgq_set_max(struct doca_comch_msgq *msgq, enum comch_member_kind kind,
				 uint32_t number, const char *call)
{
	doca_error_t result;

	if (sdpu_any_null(call, msgq))
		return DOCA_ERROR_INVALID_VALUE;
	result = msgq_configurable(msgq, call);
	if (result != DOCA_SUCCESS)
		return result;
	if (number == 0 || number > msgq_limit(msgq, kind)) {
		sdpu_log_err("%s: %u %ss; needed: 1 to %u", call, number, comch_msgq_kind[kind],
			     msgq_limit(msgq, kind));
		return DOCA_ERROR_INVALID_VALUE;
	}
	msgq->max[kind] = number;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_msgq_set_max_num_consumers(struct doca_comch_msgq *msgq,
						   uint32_t max_num_consumers)
{
	return msgq_set_max(msgq, COMCH_CONSUMER, max_num_consumers, __func__);
}

doca_error_t doca_comch_msgq_set_max_num_producers(struct doca_comch_msgq *msgq,
						   uint32_t max_num_producers)
{
	return msgq_set_max(msgq, COMCH_PRODUCER, max_num_producers, __func__);
}

doca_error_t doca_comch_msgq_start(struct doca_comch_msgq *msgq)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, msgq))
		return DOCA_ERROR_INVALID_VALUE;
	result = msgq_configurable(msgq, __func__);
	for (int kind = 0; kind < COMCH_MEMBER_KINDS; kind++) {
		if (result == DOCA_SUCCESS && msgq->dpa[kind] != NULL)
			result = sdpu_dpa_check_running(msgq->dpa[kind], __func__);
	}
	if (result != DOCA_SUCCESS)
		return result;
	msgq->ports = comch_msgq_ports_create(msgq->max[COMCH_CONSUMER]);
	if (msgq->ports == NULL)
		return sdpu_no_memory(__func__);
	sdpu_store(&msgq->state, COMCH_MSGQ_STARTED);
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_msgq_stop(struct doca_comch_msgq *msgq)
{
	uint32_t producers, consumers;

	if (sdpu_any_null(__func__, msgq))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	if (msgq->state != COMCH_MSGQ_STARTED) {
		sdpu_log_err(
			"doca_comch_msgq_stop: the MsgQ is not started; needed: one that is; call "
			"doca_comch_msgq_start() first");
		return DOCA_ERROR_BAD_STATE;
	}
	pthread_mutex_lock(&msgq->lock);
	producers = msgq->num[COMCH_PRODUCER];
	consumers = msgq->num[COMCH_CONSUMER];
	pthread_mutex_unlock(&msgq->lock);
	if (producers != 0 || consumers != 0) {
		sdpu_log_err("doca_comch_msgq_stop: %u producers and %u consumers exist; destroy "
			     "them first",
			     producers, consumers);
		return DOCA_ERROR_IN_USE;
	}
	comch_msgq_ports_destroy(msgq->ports);
	msgq->ports = NULL;
	sdpu_store(&msgq->state, COMCH_MSGQ_STOPPED);
	return DOCA_SUCCESS;
}
