/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Device functions of RDMA: a kernel that calls one is ended, as there is no RDMA on a DPA. They do
 * not look at their arguments.
 */
#include <doca_dpa_dev_rdma.h>

#include "dpa/dpa.h"
#include "dpa/strand.h"

/* clang-format off */
#define NO_RDMA(type, name, args)                                                                  \
	type name args                                                                             \
	{                                                                                          \
		(void)sdpu_dpa_strand_enter(#name);                                                \
		sdpu_dpa_fatal(#name ": RDMA by device code is not supported; let the host post "  \
			       "the operation");                                                   \
	}

NO_RDMA(void, doca_dpa_dev_rdma_post_read,
	(doca_dpa_dev_rdma_t rdma, uint32_t connection_id, doca_dpa_dev_mmap_t dst_mmap_handle,
	 uint64_t dst_addr, doca_dpa_dev_mmap_t src_mmap_handle, uint64_t src_addr,
	 size_t length, uint32_t flags))
NO_RDMA(void, doca_dpa_dev_rdma_post_buf_read,
	(doca_dpa_dev_rdma_t rdma, uint32_t connection_id, doca_dpa_dev_buf_t dst_buf_handle,
	 doca_dpa_dev_buf_t src_buf_handle, uint32_t flags))
NO_RDMA(void, doca_dpa_dev_rdma_post_write,
	(doca_dpa_dev_rdma_t rdma, uint32_t connection_id, doca_dpa_dev_mmap_t dst_mmap_handle,
	 uint64_t dst_addr, doca_dpa_dev_mmap_t src_mmap_handle, uint64_t src_addr,
	 size_t length, uint32_t flags))
NO_RDMA(void, doca_dpa_dev_rdma_post_buf_write,
	(doca_dpa_dev_rdma_t rdma, uint32_t connection_id, doca_dpa_dev_buf_t dst_buf_handle,
	 doca_dpa_dev_buf_t src_buf_handle, uint32_t flags))
NO_RDMA(void, doca_dpa_dev_rdma_post_write_imm,
	(doca_dpa_dev_rdma_t rdma, uint32_t connection_id, doca_dpa_dev_mmap_t dst_mmap_handle,
	 uint64_t dst_addr, doca_dpa_dev_mmap_t src_mmap_handle, uint64_t src_addr,
	 size_t length, uint32_t immediate, uint32_t flags))
NO_RDMA(void, doca_dpa_dev_rdma_post_buf_write_imm,
	(doca_dpa_dev_rdma_t rdma, uint32_t connection_id, doca_dpa_dev_buf_t dst_buf_handle,
	 doca_dpa_dev_buf_t src_buf_handle, uint32_t immediate, uint32_t flags))
NO_RDMA(void, doca_dpa_dev_rdma_post_send,
	(doca_dpa_dev_rdma_t rdma, uint32_t connection_id, doca_dpa_dev_mmap_t mmap_handle,
	 uint64_t addr, size_t length, uint32_t flags))
NO_RDMA(void, doca_dpa_dev_rdma_post_buf_send,
	(doca_dpa_dev_rdma_t rdma, uint32_t connection_id, doca_dpa_dev_buf_t send_buf_handle,
	 uint32_t flags))
NO_RDMA(void, doca_dpa_dev_rdma_post_send_imm,
	(doca_dpa_dev_rdma_t rdma, uint32_t connection_id, doca_dpa_dev_mmap_t mmap_handle,
	 uint64_t addr, size_t length, uint32_t immediate, uint32_t flags))
NO_RDMA(void, doca_dpa_dev_rdma_post_buf_send_imm,
	(doca_dpa_dev_rdma_t rdma, uint32_t connection_id, doca_dpa_dev_buf_t send_buf_handle,
	 uint32_t immediate, uint32_t flags))
NO_RDMA(void, doca_dpa_dev_rdma_post_receive,
	(doca_dpa_dev_rdma_t rdma, doca_dpa_dev_mmap_t mmap_handle, uint64_t addr,
	 size_t length))
NO_RDMA(void, doca_dpa_dev_rdma_post_buf_receive,
	(doca_dpa_dev_rdma_t rdma, doca_dpa_dev_buf_t receive_buf_handle))
NO_RDMA(void, doca_dpa_dev_rdma_receive_ack,
	(doca_dpa_dev_rdma_t rdma, uint32_t num_acked))
NO_RDMA(uint32_t, doca_dpa_dev_rdma_completion_get_wr_index,
	(doca_dpa_dev_completion_element_t comp_element))
NO_RDMA(void, doca_dpa_dev_rdma_post_atomic_fetch_add,
	(doca_dpa_dev_rdma_t rdma, uint32_t connection_id, doca_dpa_dev_mmap_t dst_mmap_handle,
	 uint64_t dst_addr, uint64_t value, uint32_t flags))
NO_RDMA(void, doca_dpa_dev_rdma_post_buf_atomic_fetch_add,
	(doca_dpa_dev_rdma_t rdma, uint32_t connection_id, doca_dpa_dev_buf_t dst_buf_handle,
	 uint64_t value, uint32_t flags))
NO_RDMA(void, doca_dpa_dev_rdma_signal_set,
	(doca_dpa_dev_rdma_t rdma, uint32_t connection_id,
	 doca_dpa_dev_sync_event_remote_net_t remote_sync_event, uint64_t count))
NO_RDMA(void, doca_dpa_dev_rdma_signal_add,
	(doca_dpa_dev_rdma_t rdma, uint32_t connection_id,
	 doca_dpa_dev_sync_event_remote_net_t remote_sync_event, uint64_t count))
/* clang-format on */
