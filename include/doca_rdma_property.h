/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_rdma_property.h
 * @brief Properties of an RDMA context.
 *
 * Each has a default, is set before start and can be read in every state. Part of doca_rdma.h,
 * whose conventions hold.
 */
#ifndef DOCA_RDMA_PROPERTY_H_
#define DOCA_RDMA_PROPERTY_H_

#include <doca_compat.h>
#include <doca_error.h>
#include <doca_rdma_types.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @brief Set the size of the send queue. Legal in: IDLE.
 *
 * @param[in] rdma the context
 * @param[in] send_queue_size operations, at least 1; rounded up to a power of two
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: rdma is NULL, or the size is 0
 * @return DOCA_ERROR_NOT_SUPPORTED: above doca_rdma_cap_get_max_send_queue_size()
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_send_queue_size(struct doca_rdma *rdma, uint32_t send_queue_size);

/**
 * @brief Get the size of the send queue. Legal in: every state.
 *
 * @param[in] rdma the context
 * @param[out] send_queue_size operations; the value in use: what was set, or enough for all tasks
 *         that are configured, at least 128
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_send_queue_size(const struct doca_rdma *rdma, uint32_t *send_queue_size);

/**
 * @brief Set the size of the receive queue. Legal in: IDLE.
 *
 * @param[in] rdma the context
 * @param[in] recv_queue_size receives, at least 1; rounded up to a power of two
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: rdma is NULL, or the size is 0
 * @return DOCA_ERROR_NOT_SUPPORTED: above doca_rdma_cap_get_max_recv_queue_size()
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_recv_queue_size(struct doca_rdma *rdma, uint32_t recv_queue_size);

/**
 * @brief Get the size of the receive queue. Legal in: every state.
 *
 * @param[in] rdma the context
 * @param[out] recv_queue_size receives; the value in use: what was set, or enough for all receives
 *         that are configured, at least 128
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_recv_queue_size(const struct doca_rdma *rdma, uint32_t *recv_queue_size);

/**
 * @brief Set the length of the longest local buffer list of tasks other than receive. Legal in:
 * IDLE.
 *
 * @param[in] rdma the context
 * @param[in] max_send_buf_list_len elements, 1 to doca_rdma_cap_get_max_send_buf_list_len()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: rdma is NULL, or the length is out of range
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_max_send_buf_list_len(struct doca_rdma *rdma,
						 uint32_t max_send_buf_list_len);

/**
 * @brief Get the length of the longest local buffer list of tasks other than receive. Legal in:
 * every state.
 *
 * @param[in] rdma the context
 * @param[out] max_send_buf_list_len elements; 1 if none was set
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_max_send_buf_list_len(const struct doca_rdma *rdma,
						 uint32_t *max_send_buf_list_len);

/**
 * @brief Set the transport. Legal in: IDLE.
 *
 * @param[in] rdma the context
 * @param[in] transport_type the transport; DOCA_RDMA_TRANSPORT_TYPE_RC until set
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: rdma is NULL, or the transport is unknown
 * @return DOCA_ERROR_NOT_SUPPORTED: the device lacks the transport
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_transport_type(struct doca_rdma *rdma,
					  enum doca_rdma_transport_type transport_type);

/**
 * @brief Get the transport. Legal in: every state.
 *
 * @param[in] rdma the context
 * @param[out] transport_type the transport
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_transport_type(const struct doca_rdma *rdma,
					  enum doca_rdma_transport_type *transport_type);

/**
 * @brief Set the largest packet of a connection. Does not show in what is transferred. Legal in:
 * IDLE.
 *
 * @param[in] rdma the context
 * @param[in] mtu the packet size; DOCA_MTU_SIZE_4K_BYTES until set
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: rdma is NULL, or the size is unknown
 * @return DOCA_ERROR_NOT_SUPPORTED: the device lacks the size
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_mtu(struct doca_rdma *rdma, enum doca_mtu_size mtu);

/**
 * @brief Get the largest packet of a connection. Legal in: every state.
 *
 * @param[in] rdma the context
 * @param[out] mtu the packet size
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_mtu(const struct doca_rdma *rdma, enum doca_mtu_size *mtu);

/**
 * @brief Set what peers may do to memory through the context. The mmap they access must allow it,
 * too. Legal in: IDLE.
 *
 * @param[in] rdma the context
 * @param[in] permissions a mask of enum doca_access_flag without PCI flags;
 *         DOCA_ACCESS_FLAG_LOCAL_READ_WRITE until set
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: rdma is NULL, or the mask has PCI flags or unknown bits
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_permissions(struct doca_rdma *rdma, uint32_t permissions);

/**
 * @brief Get what peers may do to memory through the context. Legal in: every state.
 *
 * @param[in] rdma the context
 * @param[out] permissions the mask
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_permissions(struct doca_rdma *rdma, uint32_t *permissions);

/**
 * @brief Set whether packets carry a global routing header. Legal in: IDLE.
 *
 * @param[in] rdma the context
 * @param[in] grh_enabled 1 or 0; 1 until set, and the only choice on Ethernet
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: rdma is NULL, or it is neither 1 nor 0
 * @return DOCA_ERROR_NOT_SUPPORTED: 0 on an Ethernet device
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_grh_enabled(struct doca_rdma *rdma, uint8_t grh_enabled);

/**
 * @brief Get whether packets carry a global routing header. Legal in: every state.
 *
 * @param[in] rdma the context
 * @param[out] grh_enabled 1 or 0
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_grh_enabled(const struct doca_rdma *rdma, uint8_t *grh_enabled);

/**
 * @brief Set which GID of the device the context uses. Legal in: IDLE.
 *
 * @param[in] rdma the context
 * @param[in] gid_index index into the device's table of GIDs; 0 until set
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: rdma is NULL, or the index is outside the table
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_gid_index(struct doca_rdma *rdma, uint32_t gid_index);

/**
 * @brief Get which GID of the device the context uses. Legal in: every state.
 *
 * @param[in] rdma the context
 * @param[out] gid_index the index
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_gid_index(const struct doca_rdma *rdma, uint32_t *gid_index);

/**
 * @brief Set the service level. Stored only. Legal in: IDLE.
 *
 * @param[in] rdma the context
 * @param[in] sl the level; 0 until set
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: rdma is NULL
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_sl(struct doca_rdma *rdma, uint32_t sl);

/**
 * @brief Get the service level. Legal in: every state.
 *
 * @param[in] rdma the context
 * @param[out] sl the level
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_sl(const struct doca_rdma *rdma, uint32_t *sl);

/**
 * @brief Set how long a connection by address may take to come up. After that time the failure
 * callback runs. Legal in: IDLE.
 *
 * @param[in] rdma the context
 * @param[in] timeout milliseconds; 2000 until set
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: rdma is NULL
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_connection_request_timeout(struct doca_rdma *rdma, uint16_t timeout);

/**
 * @brief Get how long a connection by address may take to come up. Legal in: every state.
 *
 * @param[in] rdma the context
 * @param[out] timeout milliseconds
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_connection_request_timeout(const struct doca_rdma *rdma,
						      uint16_t *timeout);

/**
 * @brief Set how many connections the context can have. Legal in: IDLE.
 *
 * @param[in] rdma the context
 * @param[in] max_num_connections connections, at least 1; 1 until set
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: rdma is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: 0 connections
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_max_num_connections(struct doca_rdma *rdma,
					       uint16_t max_num_connections);

/**
 * @brief Get how many connections the context can have. Legal in: every state.
 *
 * @param[in] rdma the context
 * @param[out] max_num_connections connections
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_max_num_connections(struct doca_rdma *rdma,
					       uint16_t *max_num_connections);

/**
 * @brief Set how often a message is tried again when the peer has posted no receive. Here a message
 * waits in any case. Legal in: IDLE.
 *
 * @param[in] rdma the context
 * @param[in] rnr_retry_count 0 to 7, where 7 is without end; 6 until set
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: rdma is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: above 7
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_rnr_retry_count(struct doca_rdma *rdma, uint8_t rnr_retry_count);

/**
 * @brief Get how often a message is tried again when the peer has posted no receive. Legal in:
 * every state.
 *
 * @param[in] rdma the context
 * @param[out] rnr_retry_count the count
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_rnr_retry_count(const struct doca_rdma *rdma, uint8_t *rnr_retry_count);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_RDMA_PROPERTY_H_ */
