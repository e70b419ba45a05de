/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_comch_msgq.h
 * @brief Comch MsgQ: messages between a CPU program and DPA code of one device.
 *
 * A MsgQ stands where a connection stands for other producers and consumers: they are created from
 * it, work through doca_comch_producer.h and doca_comch_consumer.h, and carry immediate data only.
 * It has one direction: CPU to DPA after doca_comch_msgq_set_dpa_consumer(), DPA to CPU after
 * doca_comch_msgq_set_dpa_producer(); two make a pair. It needs no server, client or connection.
 *
 * Without either call both sides are on the CPU; both calls together are refused.
 *
 * Life: create, set, start, create producers and consumers, destroy them, stop, destroy. It is not
 * a context and needs no progress engine; "stopped" and "started" name its states. Its consumers
 * and producers are RUNNING as soon as doca_ctx_start() returns. A new one gets the lowest number
 * from 1 that no other of its kind has.
 *
 * A message takes one receive that was posted at its consumer. A producer on the CPU gets
 * DOCA_ERROR_AGAIN from doca_task_submit() while there is none, or while a consumer completion has
 * no free element; DOCA_ERROR_NOT_FOUND when no such consumer is started, DOCA_ERROR_BAD_STATE when
 * the DPA has failed. Its send is done when it is accepted. What a producer on a DPA sends before
 * the CPU has posted a receive waits for one (doca_dpa_dev_comch_msgq.h).
 *
 * The conventions on outputs and threads are those of doca_comch.h.
 */
#ifndef DOCA_COMCH_MSGQ_H_
#define DOCA_COMCH_MSGQ_H_

#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>
#include <doca_compat.h>
#include <doca_dev.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_dpa;

struct doca_comch_msgq; /* one direction between a CPU program and DPA code */

/**
 * @brief Create a MsgQ, stopped.
 *
 * @param[in] dev the device; stays the caller's and must outlive the MsgQ
 * @param[out] msgq the MsgQ, owned by the caller
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 * @return DOCA_ERROR_NOT_SUPPORTED: the device has no DPA
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_create(struct doca_dev *dev, struct doca_comch_msgq **msgq);

/**
 * @brief Destroy a MsgQ. Legal while stopped.
 *
 * @param[in] msgq the MsgQ; on failure it stays usable
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: msgq is NULL
 * @return DOCA_ERROR_BAD_STATE: started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_destroy(struct doca_comch_msgq *msgq);

/**
 * @brief Put the consumers of a MsgQ on a DPA; its producers then run on the CPU. Legal while
 * stopped.
 *
 * @param[in] msgq the MsgQ
 * @param[in] dpa the DPA, of the same device; stays the caller's and must outlive the MsgQ
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, the DPA is of another device, or the
 *         producers are on a DPA already
 * @return DOCA_ERROR_BAD_STATE: started, or the DPA has failed or is destroyed
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_set_dpa_consumer(struct doca_comch_msgq *msgq, struct doca_dpa *dpa);

/**
 * @brief Set how many consumers a MsgQ can have. Legal while stopped.
 *
 * @param[in] msgq the MsgQ
 * @param[in] max_num_consumers consumers, 1 to the device's limit (64), which holds until set
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: msgq is NULL, or the number is out of range
 * @return DOCA_ERROR_BAD_STATE: started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_set_max_num_consumers(struct doca_comch_msgq *msgq,
						   uint32_t max_num_consumers);

/**
 * @brief Put the producers of a MsgQ on a DPA; its consumers then run on the CPU. Legal while
 * stopped.
 *
 * @param[in] msgq the MsgQ
 * @param[in] dpa the DPA, of the same device; stays the caller's and must outlive the MsgQ
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, the DPA is of another device, or the
 *         consumers are on a DPA already
 * @return DOCA_ERROR_BAD_STATE: started, or the DPA has failed or is destroyed
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_set_dpa_producer(struct doca_comch_msgq *msgq, struct doca_dpa *dpa);

/**
 * @brief Set how many producers a MsgQ can have. Legal while stopped.
 *
 * @param[in] msgq the MsgQ
 * @param[in] max_num_producers producers, 1 to the device's limit (64), which holds until set
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: msgq is NULL, or the number is out of range
 * @return DOCA_ERROR_BAD_STATE: started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_set_max_num_producers(struct doca_comch_msgq *msgq,
						   uint32_t max_num_producers);

/**
 * @brief Start a MsgQ: its settings are fixed, producers and consumers can be created. Legal while
 * stopped.
 *
 * @param[in] msgq the MsgQ
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: msgq is NULL
 * @return DOCA_ERROR_BAD_STATE: started already, or the DPA does not run
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_start(struct doca_comch_msgq *msgq);

/**
 * @brief Stop a MsgQ; it can be set and started again. Legal while started and without producers
 * and consumers.
 *
 * @param[in] msgq the MsgQ
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: msgq is NULL
 * @return DOCA_ERROR_IN_USE: a producer or consumer of it exists
 * @return DOCA_ERROR_BAD_STATE: not started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_stop(struct doca_comch_msgq *msgq);

/**
 * @brief Create a consumer of a MsgQ, in state IDLE; destroyed with doca_comch_consumer_destroy().
 * Legal while started.
 *
 * @param[in] msgq the MsgQ; must outlive the consumer
 * @param[out] consumer the consumer, owned by the caller
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: not started
 * @return DOCA_ERROR_NO_MEMORY: out of memory, or it has as many consumers as it can
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_consumer_create(struct doca_comch_msgq *msgq,
					     struct doca_comch_consumer **consumer);

/**
 * @brief Create a producer of a MsgQ, in state IDLE; destroyed with doca_comch_producer_destroy().
 * Legal while started.
 *
 * @param[in] msgq the MsgQ; must outlive the producer
 * @param[out] producer the producer, owned by the caller
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: not started
 * @return DOCA_ERROR_NO_MEMORY: out of memory, or it has as many producers as it can
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_producer_create(struct doca_comch_msgq *msgq,
					     struct doca_comch_producer **producer);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_COMCH_MSGQ_H_ */
