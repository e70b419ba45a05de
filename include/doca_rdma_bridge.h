/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_rdma_bridge.h
 * @brief Passage between devices and buffers here and the objects of the verbs library.
 *
 * A device in software has no protection domain, so every call answers DOCA_ERROR_NOT_SUPPORTED
 * after checking its pointers. The other codes are the contract where there is one. The verbs
 * header is included where it is installed.
 *
 * Threads: any, as long as nobody closes the device meanwhile.
 * Outputs are written only on success.
 */
#ifndef DOCA_RDMA_BRIDGE_H_
#define DOCA_RDMA_BRIDGE_H_

#include <doca_compat.h>
#include <doca_error.h>

#ifdef __has_include
#if __has_include(<infiniband/verbs.h>)
#include <infiniband/verbs.h>
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_dev;
struct ibv_pd;

/**
 * @brief Borrow the protection domain of a device.
 *
 * @param[in] dev an open device
 * @param[out] pd the domain; owned by the device and valid as long as it is open
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the device has no domain at the moment
 * @return DOCA_ERROR_NOT_SUPPORTED: the device never has one
 */
DOCA_STABLE
doca_error_t doca_rdma_bridge_get_dev_pd(const struct doca_dev *dev, struct ibv_pd **pd);

/**
 * @brief Make a device of a protection domain that the program made. Such a device has no devinfo;
 * it can only be closed, give its domain, and give keys of bufs.
 *
 * @param[in] pd the domain; stays the caller's, and must outlive the device
 * @param[out] dev the device; closed with doca_dev_close()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NO_MEMORY: no memory for the object
 * @return DOCA_ERROR_NOT_SUPPORTED: devices cannot be made of a domain
 */
DOCA_STABLE
doca_error_t doca_rdma_bridge_open_dev_from_pd(struct ibv_pd *pd, struct doca_dev **dev);

/**
 * @brief Get the key by which verbs operations of a device reach a buf.
 *
 * @param[in] buf the buf
 * @param[in] dev a device that the mmap of the buf knows
 * @param[out] mkey the key, valid until the mmap is stopped
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the mmap does not know the device
 * @return DOCA_ERROR_NOT_SUPPORTED: the device has no such keys
 */
DOCA_STABLE
doca_error_t doca_rdma_bridge_get_buf_mkey(const struct doca_buf *buf, struct doca_dev *dev,
					   uint32_t *mkey);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_RDMA_BRIDGE_H_ */
