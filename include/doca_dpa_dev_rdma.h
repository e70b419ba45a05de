/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_dpa_dev_rdma.h
 * @brief Device side of the DPA: RDMA, which is not supported.
 *
 * There is no RDMA context on the data path of a DPA here, and so no handle for these functions:
 * doca_ctx_set_datapath_on_dpa() and doca_rdma_get_dpa_handle() refuse. They are here so that
 * device sources compile, and each ends its kernel with a sentence that says so. What holds for
 * every device function is in doca_dpa_dev.h.
 */
#ifndef DOCA_DPA_DEV_RDMA_H_
#define DOCA_DPA_DEV_RDMA_H_

#include <doca_dpa_dev.h>
#include <doca_dpa_dev_buf.h>
#include <doca_dpa_dev_sync_event.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @brief Read memory of the peer.
 *
 * @param[in] rdma the RDMA context
 * @param[in] connection_id the connection
 * @param[in] dst_mmap_handle mmap of the destination
 * @param[in] dst_addr address in it
 * @param[in] src_mmap_handle mmap of the source
 * @param[in] src_addr address in it
 * @param[in] length bytes
 * @param[in] flags bits of enum doca_dpa_dev_submit_flag
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_rdma_post_read(doca_dpa_dev_rdma_t rdma, uint32_t connection_id,
				 doca_dpa_dev_mmap_t dst_mmap_handle, uint64_t dst_addr,
				 doca_dpa_dev_mmap_t src_mmap_handle, uint64_t src_addr,
				 size_t length, uint32_t flags);

/**
 * @brief Read memory of the peer, by buffers.
 *
 * @param[in] rdma the RDMA context
 * @param[in] connection_id the connection
 * @param[in] dst_buf_handle the destination
 * @param[in] src_buf_handle the source
 * @param[in] flags bits of enum doca_dpa_dev_submit_flag
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_rdma_post_buf_read(doca_dpa_dev_rdma_t rdma, uint32_t connection_id,
				     doca_dpa_dev_buf_t dst_buf_handle,
				     doca_dpa_dev_buf_t src_buf_handle, uint32_t flags);

/**
 * @brief Write memory of the peer.
 *
 * @param[in] rdma the RDMA context
 * @param[in] connection_id the connection
 * @param[in] dst_mmap_handle mmap of the destination
 * @param[in] dst_addr address in it
 * @param[in] src_mmap_handle mmap of the source
 * @param[in] src_addr address in it
 * @param[in] length bytes
 * @param[in] flags bits of enum doca_dpa_dev_submit_flag
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_rdma_post_write(doca_dpa_dev_rdma_t rdma, uint32_t connection_id,
				  doca_dpa_dev_mmap_t dst_mmap_handle, uint64_t dst_addr,
				  doca_dpa_dev_mmap_t src_mmap_handle, uint64_t src_addr,
				  size_t length, uint32_t flags);

/**
 * @brief Write memory of the peer, by buffers.
 *
 * @param[in] rdma the RDMA context
 * @param[in] connection_id the connection
 * @param[in] dst_buf_handle the destination
 * @param[in] src_buf_handle the source
 * @param[in] flags bits of enum doca_dpa_dev_submit_flag
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_rdma_post_buf_write(doca_dpa_dev_rdma_t rdma, uint32_t connection_id,
				      doca_dpa_dev_buf_t dst_buf_handle,
				      doca_dpa_dev_buf_t src_buf_handle, uint32_t flags);

/**
 * @brief Write memory of the peer, and complete one of its receives.
 *
 * @param[in] rdma the RDMA context
 * @param[in] connection_id the connection
 * @param[in] dst_mmap_handle mmap of the destination
 * @param[in] dst_addr address in it
 * @param[in] src_mmap_handle mmap of the source
 * @param[in] src_addr address in it
 * @param[in] length bytes
 * @param[in] immediate travels with it
 * @param[in] flags bits of enum doca_dpa_dev_submit_flag
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_rdma_post_write_imm(doca_dpa_dev_rdma_t rdma, uint32_t connection_id,
				      doca_dpa_dev_mmap_t dst_mmap_handle, uint64_t dst_addr,
				      doca_dpa_dev_mmap_t src_mmap_handle, uint64_t src_addr,
				      size_t length, uint32_t immediate, uint32_t flags);

/**
 * @brief Write memory of the peer, by buffers, and complete one of its receives.
 *
 * @param[in] rdma the RDMA context
 * @param[in] connection_id the connection
 * @param[in] dst_buf_handle the destination
 * @param[in] src_buf_handle the source
 * @param[in] immediate travels with it
 * @param[in] flags bits of enum doca_dpa_dev_submit_flag
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_rdma_post_buf_write_imm(doca_dpa_dev_rdma_t rdma, uint32_t connection_id,
					  doca_dpa_dev_buf_t dst_buf_handle,
					  doca_dpa_dev_buf_t src_buf_handle, uint32_t immediate,
					  uint32_t flags);

/**
 * @brief Send a message.
 *
 * @param[in] rdma the RDMA context
 * @param[in] connection_id the connection
 * @param[in] mmap_handle mmap of the source
 * @param[in] addr address in it
 * @param[in] length bytes
 * @param[in] flags bits of enum doca_dpa_dev_submit_flag
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_rdma_post_send(doca_dpa_dev_rdma_t rdma, uint32_t connection_id,
				 doca_dpa_dev_mmap_t mmap_handle, uint64_t addr, size_t length,
				 uint32_t flags);

/**
 * @brief Send a message, by a buffer.
 *
 * @param[in] rdma the RDMA context
 * @param[in] connection_id the connection
 * @param[in] send_buf_handle the source
 * @param[in] flags bits of enum doca_dpa_dev_submit_flag
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_rdma_post_buf_send(doca_dpa_dev_rdma_t rdma, uint32_t connection_id,
				     doca_dpa_dev_buf_t send_buf_handle, uint32_t flags);

/**
 * @brief Send a message with an immediate value.
 *
 * @param[in] rdma the RDMA context
 * @param[in] connection_id the connection
 * @param[in] mmap_handle mmap of the source
 * @param[in] addr address in it
 * @param[in] length bytes
 * @param[in] immediate travels with it
 * @param[in] flags bits of enum doca_dpa_dev_submit_flag
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_rdma_post_send_imm(doca_dpa_dev_rdma_t rdma, uint32_t connection_id,
				     doca_dpa_dev_mmap_t mmap_handle, uint64_t addr, size_t length,
				     uint32_t immediate, uint32_t flags);

/**
 * @brief Send a message with an immediate value, by a buffer.
 *
 * @param[in] rdma the RDMA context
 * @param[in] connection_id the connection
 * @param[in] send_buf_handle the source
 * @param[in] immediate travels with it
 * @param[in] flags bits of enum doca_dpa_dev_submit_flag
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_rdma_post_buf_send_imm(doca_dpa_dev_rdma_t rdma, uint32_t connection_id,
					 doca_dpa_dev_buf_t send_buf_handle, uint32_t immediate,
					 uint32_t flags);

/**
 * @brief Post room for a message.
 *
 * @param[in] rdma the RDMA context
 * @param[in] mmap_handle mmap of the destination
 * @param[in] addr address in it
 * @param[in] length bytes
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_rdma_post_receive(doca_dpa_dev_rdma_t rdma, doca_dpa_dev_mmap_t mmap_handle,
				    uint64_t addr, size_t length);

/**
 * @brief Post room for a message, by a buffer.
 *
 * @param[in] rdma the RDMA context
 * @param[in] receive_buf_handle the destination
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_rdma_post_buf_receive(doca_dpa_dev_rdma_t rdma,
					doca_dpa_dev_buf_t receive_buf_handle);

/**
 * @brief Give back receives that have completed.
 *
 * @param[in] rdma the RDMA context
 * @param[in] num_acked how many
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_rdma_receive_ack(doca_dpa_dev_rdma_t rdma, uint32_t num_acked);

/**
 * @brief Read which posted receive an element is of.
 *
 * @param[in] comp_element the element
 * @return index of the receive
 */
DOCA_EXPERIMENTAL
uint32_t doca_dpa_dev_rdma_completion_get_wr_index(doca_dpa_dev_completion_element_t comp_element);

/**
 * @brief Add to 8 bytes of the peer's memory.
 *
 * @param[in] rdma the RDMA context
 * @param[in] connection_id the connection
 * @param[in] dst_mmap_handle mmap of the destination
 * @param[in] dst_addr address in it
 * @param[in] value what is added
 * @param[in] flags bits of enum doca_dpa_dev_submit_flag
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_rdma_post_atomic_fetch_add(doca_dpa_dev_rdma_t rdma, uint32_t connection_id,
					     doca_dpa_dev_mmap_t dst_mmap_handle, uint64_t dst_addr,
					     uint64_t value, uint32_t flags);

/**
 * @brief Add to 8 bytes of the peer's memory, by a buffer.
 *
 * @param[in] rdma the RDMA context
 * @param[in] connection_id the connection
 * @param[in] dst_buf_handle the destination
 * @param[in] value what is added
 * @param[in] flags bits of enum doca_dpa_dev_submit_flag
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_rdma_post_buf_atomic_fetch_add(doca_dpa_dev_rdma_t rdma, uint32_t connection_id,
						 doca_dpa_dev_buf_t dst_buf_handle, uint64_t value,
						 uint32_t flags);

/**
 * @brief Set a sync event of the peer.
 *
 * @param[in] rdma the RDMA context
 * @param[in] connection_id the connection
 * @param[in] remote_sync_event the event
 * @param[in] count the value
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_rdma_signal_set(doca_dpa_dev_rdma_t rdma, uint32_t connection_id,
				  doca_dpa_dev_sync_event_remote_net_t remote_sync_event,
				  uint64_t count);

/**
 * @brief Add to a sync event of the peer.
 *
 * @param[in] rdma the RDMA context
 * @param[in] connection_id the connection
 * @param[in] remote_sync_event the event
 * @param[in] count the value
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_rdma_signal_add(doca_dpa_dev_rdma_t rdma, uint32_t connection_id,
				  doca_dpa_dev_sync_event_remote_net_t remote_sync_event,
				  uint64_t count);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_DPA_DEV_RDMA_H_ */
