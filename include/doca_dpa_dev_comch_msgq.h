/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_dpa_dev_comch_msgq.h
 * @brief Device side of the DPA: producers and consumers of a Comch MsgQ.
 *
 * A consumer needs three things for each message: a receive that was posted (by
 * doca_dpa_dev_comch_consumer_ack()), a free element in its consumer completion (freed by
 * doca_dpa_dev_comch_consumer_completion_ack()), and, where a thread is to run for it, an arming
 * (by doca_dpa_dev_comch_consumer_completion_request_notification()). Producers on the CPU get
 * DOCA_ERROR_AGAIN while one of the first two is missing.
 *
 * A producer reports each send in the DPA completion that it is attached to, unless the send has
 * the flag DOCA_DPA_DEV_SUBMIT_FLAG_OPTIMIZE_REPORTS: then success is not reported and takes no
 * slot of doca_comch_producer_set_dev_max_num_send(). A failure is always reported, as
 * DOCA_DPA_DEV_COMP_SEND_ERR, and the log says once what it was. User data of both is the
 * producer's id.
 *
 * What holds for every device function is in doca_dpa_dev.h.
 */
#ifndef DOCA_DPA_DEV_COMCH_MSGQ_H_
#define DOCA_DPA_DEV_COMCH_MSGQ_H_

#include <doca_dpa_dev.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @brief Post receives of messages, which have immediate data only. More than the consumer's
 * doca_comch_consumer_set_dev_max_num_recv() at a time end the kernel.
 *
 * @param[in] consumer the consumer
 * @param[in] num_msg how many
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_comch_consumer_ack(doca_dpa_dev_comch_consumer_t consumer, uint32_t num_msg);

/**
 * @brief Read the next element of a consumer completion: a message that has arrived at one of its
 * consumers. It stays where it is until it is acked.
 *
 * @param[in] consumer_comp_handle the consumer completion
 * @param[out] comp_element the element; written only if there is one
 * @return 1: there was one; 0: there is none
 */
DOCA_EXPERIMENTAL
int doca_dpa_dev_comch_consumer_get_completion(
	doca_dpa_dev_comch_consumer_completion_t consumer_comp_handle,
	doca_dpa_dev_comch_consumer_completion_element_t *comp_element);

/**
 * @brief Get the immediate data of a message.
 *
 * @param[in] comp_element an element that was read and not acked
 * @param[out] imm_length their length in bytes
 * @return the bytes, valid until the element is acked
 */
DOCA_EXPERIMENTAL
const uint8_t *doca_dpa_dev_comch_consumer_get_completion_imm(
	doca_dpa_dev_comch_consumer_completion_element_t comp_element, uint32_t *imm_length);

/**
 * @brief Ask who sent a message.
 *
 * @param[in] comp_element an element that was read and not acked
 * @return the producer's id, as doca_comch_producer_get_id() tells it
 */
DOCA_EXPERIMENTAL
uint32_t doca_dpa_dev_comch_consumer_get_completion_producer_id(
	doca_dpa_dev_comch_consumer_completion_element_t comp_element);

/**
 * @brief Give back elements in the order in which they were read.
 *
 * @param[in] consumer_comp_handle the consumer completion
 * @param[in] num_comp how many; at most those that were read and not acked, more end the kernel
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_comch_consumer_completion_ack(
	doca_dpa_dev_comch_consumer_completion_t consumer_comp_handle, uint64_t num_comp);

/**
 * @brief Arm a consumer completion: it triggers its thread once, as soon as it has elements that
 * were not read. One that was just started is armed. Any thread.
 *
 * @param[in] consumer_comp_handle the consumer completion
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_comch_consumer_completion_request_notification(
	doca_dpa_dev_comch_consumer_completion_t consumer_comp_handle);

/**
 * @brief Ask whether a consumer on the CPU has no receive posted. What is sent then waits for one,
 * as long as the consumer has room.
 *
 * @param[in] producer the producer
 * @param[in] consumer_id the consumer
 * @return 1: it has none, or there is no such consumer; 0: it has
 */
DOCA_EXPERIMENTAL
int doca_dpa_dev_comch_producer_is_consumer_empty(doca_dpa_dev_comch_producer_t producer,
						  uint32_t consumer_id);

/**
 * @brief Send a message to a consumer on the CPU. Done when it has reached the consumer.
 *
 * Without a slot, or when the consumer has no room or does not exist, it is dropped.
 *
 * @param[in] producer the producer
 * @param[in] consumer_id the consumer
 * @param[in] imm the bytes, copied
 * @param[in] imm_length their length, up to 32; more end the kernel
 * @param[in] flags of enum doca_dpa_dev_submit_flag; here every send is begun at once
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_comch_producer_post_send_imm_only(doca_dpa_dev_comch_producer_t producer,
						    uint32_t consumer_id, const uint8_t *imm,
						    uint32_t imm_length, uint32_t flags);

/**
 * @brief Copy memory, then send a message, whose receiver finds the copy done. Where the copy
 * fails, no message is sent.
 *
 * As doca_dpa_dev_comch_producer_post_send_imm_only() otherwise. The card copies at most 8 KiB in a
 * call, multiples of 128 bytes between addresses that are multiples of 64; here there is no such
 * limit.
 *
 * @param[in] producer the producer
 * @param[in] consumer_id the consumer
 * @param[in] dst_mmap where the memory to write is
 * @param[in] dst_addr its address there
 * @param[in] src_mmap where the memory to read is
 * @param[in] src_addr its address there
 * @param[in] length bytes to copy
 * @param[in] imm immediate data, copied
 * @param[in] imm_length their length, up to 32; more end the kernel
 * @param[in] flags of enum doca_dpa_dev_submit_flag
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_comch_producer_dma_copy(doca_dpa_dev_comch_producer_t producer,
					  uint32_t consumer_id, doca_dpa_dev_mmap_t dst_mmap,
					  uint64_t dst_addr, doca_dpa_dev_mmap_t src_mmap,
					  uint64_t src_addr, size_t length, const uint8_t *imm,
					  uint32_t imm_length, uint32_t flags);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_DPA_DEV_COMCH_MSGQ_H_ */
