/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_dpa_dev_sync_event.h
 * @brief Device side of the DPA: sync events.
 *
 * Any number of kernels and programs operate on an event at the same time. One that cannot be
 * reached, as its exporter has died or stopped it, ends the kernel. What holds for every device
 * function is in doca_dpa_dev.h.
 */
#ifndef DOCA_DPA_DEV_SYNC_EVENT_H_
#define DOCA_DPA_DEV_SYNC_EVENT_H_

#include <doca_dpa_dev.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @brief Read an event.
 *
 * @param[in] dpa_dev_se_handle the event
 * @param[out] value its value
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_sync_event_get(doca_dpa_dev_sync_event_t dpa_dev_se_handle, uint64_t *value);

/**
 * @brief Add to an event.
 *
 * @param[in] dpa_dev_se_handle the event
 * @param[in] value what is added
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_sync_event_update_add(doca_dpa_dev_sync_event_t dpa_dev_se_handle,
					uint64_t value);

/**
 * @brief Set an event.
 *
 * @param[in] dpa_dev_se_handle the event
 * @param[in] value its new value
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_sync_event_update_set(doca_dpa_dev_sync_event_t dpa_dev_se_handle,
					uint64_t value);

/**
 * @brief Wait until (event & mask) > value. The time counts as the kernel's.
 *
 * @param[in] dpa_dev_se_handle the event
 * @param[in] value the threshold
 * @param[in] mask the bits that count
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_sync_event_wait_gt(doca_dpa_dev_sync_event_t dpa_dev_se_handle, uint64_t value,
				     uint64_t mask);

/**
 * @brief Start a wait until event > value, after which an element of type DOCA_DPA_DEV_COMP_SEND
 * appears in the completion of the queue. Later operations of the queue wait with it.
 *
 * It takes a place in the queue until the element is acked; without one it is dropped, which is
 * logged once.
 *
 * @param[in] async_ops_handle the queue
 * @param[in] wait_se_handle the event, which never goes beyond 254
 * @param[in] value the threshold, at most 254
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_sync_event_post_wait_gt(doca_dpa_dev_async_ops_t async_ops_handle,
					  doca_dpa_dev_sync_event_t wait_se_handle, uint64_t value);

/**
 * @brief Start a wait until event != value.
 *
 * As doca_dpa_dev_sync_event_post_wait_gt() otherwise.
 *
 * @param[in] async_ops_handle the queue
 * @param[in] wait_se_handle the event, which never goes beyond 254
 * @param[in] value what it is to differ from, at most 254
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_sync_event_post_wait_ne(doca_dpa_dev_async_ops_t async_ops_handle,
					  doca_dpa_dev_sync_event_t wait_se_handle, uint64_t value);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_DPA_DEV_SYNC_EVENT_H_ */
