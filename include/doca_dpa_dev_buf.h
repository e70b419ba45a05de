/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_dpa_dev_buf.h
 * @brief Device side of the DPA: buffers, and copies that are not waited for.
 *
 * A buffer is an address and a length in an mmap. Kernels get an array of them from the host
 * (doca_buf_array.h), or describe one of their own in a struct doca_dpa_dev_buf, whose address is
 * its handle. What holds for every device function is in doca_dpa_dev.h.
 */
#ifndef DOCA_DPA_DEV_BUF_H_
#define DOCA_DPA_DEV_BUF_H_

#include <doca_dpa_dev.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A buffer. */
struct doca_dpa_dev_buf {
	uintptr_t addr;		    /**< in the address space of the mmap's owner */
	uint64_t len;		    /**< bytes */
	doca_dpa_dev_mmap_t mmap;   /**< where it lies */
	unsigned char reserved[12]; /**< the library's */
} __attribute__((packed));

/** An array of buffers. */
struct doca_dpa_dev_buf_arr {
	struct doca_dpa_dev_buf *bufs; /**< side by side */
	unsigned char reserved[20];    /**< the library's */
} __attribute__((packed, aligned(64)));

/**
 * @brief Get a buffer of an array. An index beyond its end ends the kernel.
 *
 * @param[in] buf_arr the array
 * @param[in] buf_idx index, from 0
 * @return its handle
 */
DOCA_EXPERIMENTAL
doca_dpa_dev_buf_t doca_dpa_dev_buf_array_get_buf(doca_dpa_dev_buf_arr_t buf_arr,
						  const uint64_t buf_idx);

/**
 * @brief Set where a buffer begins.
 *
 * @param[in] buf the buffer
 * @param[in] addr in its mmap
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_buf_set_addr(doca_dpa_dev_buf_t buf, uintptr_t addr);

/**
 * @brief Set how long a buffer is.
 *
 * @param[in] buf the buffer
 * @param[in] len bytes
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_buf_set_len(doca_dpa_dev_buf_t buf, size_t len);

/**
 * @brief Set the mmap that a buffer lies in.
 *
 * @param[in] buf the buffer
 * @param[in] mmap the mmap
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_buf_set_mmap(doca_dpa_dev_buf_t buf, doca_dpa_dev_mmap_t mmap);

/**
 * @brief Read where a buffer begins.
 *
 * @param[in] buf the buffer
 * @return the address in its mmap
 */
DOCA_EXPERIMENTAL
uintptr_t doca_dpa_dev_buf_get_addr(doca_dpa_dev_buf_t buf);

/**
 * @brief Read how long a buffer is.
 *
 * @param[in] buf the buffer
 * @return bytes
 */
DOCA_EXPERIMENTAL
uint64_t doca_dpa_dev_buf_get_len(doca_dpa_dev_buf_t buf);

/**
 * @brief Read which mmap a buffer lies in.
 *
 * @param[in] buf the buffer
 * @return the mmap
 */
DOCA_EXPERIMENTAL
doca_dpa_dev_mmap_t doca_dpa_dev_buf_get_mmap(doca_dpa_dev_buf_t buf);

/**
 * @brief Get a pointer through which the kernel can load and store what a buffer describes.
 *
 * As doca_dpa_dev_mmap_get_external_ptr() otherwise.
 *
 * @param[in] buf the buffer; all of it lies in its mmap
 * @return device address
 */
DOCA_EXPERIMENTAL
doca_dpa_dev_uintptr_t doca_dpa_dev_buf_get_external_ptr(doca_dpa_dev_buf_t buf);

/**
 * @brief Get a pointer through which the kernel can load and store the memory of an mmap, until
 * the mmap is stopped. Memory of another process must be a shared mapping there, of a file that is
 * sealed against shrinking; what is not ends the kernel, and is reached by copies.
 *
 * @param[in] mmap_handle the mmap
 * @param[in] addr an address in it
 * @return device address
 */
DOCA_EXPERIMENTAL
doca_dpa_dev_uintptr_t doca_dpa_dev_mmap_get_external_ptr(doca_dpa_dev_mmap_t mmap_handle,
							  uint64_t addr);

/**
 * @brief Start a copy of a whole buffer to the beginning of another one.
 *
 * As doca_dpa_dev_post_memcpy() otherwise.
 *
 * @param[in] async_ops_handle the queue
 * @param[in] dst_buf_handle destination, at least as long as the source
 * @param[in] src_buf_handle source
 * @param[in] flags bits of enum doca_dpa_dev_submit_flag
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_post_buf_memcpy(doca_dpa_dev_async_ops_t async_ops_handle,
				  doca_dpa_dev_buf_t dst_buf_handle,
				  doca_dpa_dev_buf_t src_buf_handle, uint32_t flags);

/**
 * @brief Start a copy between two mmaps. Operations of one queue are done in their order.
 *
 * Unless the flags defer it, an element appears in the completion of the queue:
 * DOCA_DPA_DEV_COMP_SEND, or DOCA_DPA_DEV_COMP_SEND_ERR and a line in the program's log that says
 * why. It takes a place in the queue until that is acked; without one the copy is dropped, which is
 * logged once.
 *
 * @param[in] async_ops_handle the queue
 * @param[in] dst_mmap_handle mmap of the destination, which may be written
 * @param[in] dst_addr address in it
 * @param[in] src_mmap_handle mmap of the source
 * @param[in] src_addr address in it
 * @param[in] length bytes
 * @param[in] flags bits of enum doca_dpa_dev_submit_flag
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_post_memcpy(doca_dpa_dev_async_ops_t async_ops_handle,
			      doca_dpa_dev_mmap_t dst_mmap_handle, uint64_t dst_addr,
			      doca_dpa_dev_mmap_t src_mmap_handle, uint64_t src_addr, size_t length,
			      uint32_t flags);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_DPA_DEV_BUF_H_ */
