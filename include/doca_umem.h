/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_umem.h
 * @brief Memory registered with a device under an id, for programs that build device objects
 * themselves.
 *
 * The user owns the object and the memory; device, DPA or GPU must outlive it.
 * A device in software gives no such access: every call answers DOCA_ERROR_NOT_SUPPORTED after
 * checking its pointers. The other codes are the contract where there is one.
 *
 * Threads: one at a time per object.
 * Outputs are written only on success.
 */
#ifndef DOCA_UMEM_H_
#define DOCA_UMEM_H_

#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_dev;
struct doca_dpa;
struct doca_gpu;
struct doca_umem;

/**
 * @brief Register memory of this process.
 *
 * @param[in] dev an open device
 * @param[in] address start; the memory stays the caller's
 * @param[in] size bytes, at least 1
 * @param[in] access_flags bits of enum doca_access_flag
 * @param[out] umem the registration; the caller destroys it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or size is 0
 * @return DOCA_ERROR_NO_MEMORY: no memory for the object
 * @return DOCA_ERROR_DRIVER: the driver refused it
 * @return DOCA_ERROR_NOT_SUPPORTED: the device gives no such access
 */
DOCA_EXPERIMENTAL
doca_error_t doca_umem_create(const struct doca_dev *dev, void *address, size_t size,
			      uint32_t access_flags, struct doca_umem **umem);

/**
 * @brief Register memory in the heap of a DPA.
 *
 * @param[in] dpa a started DPA context
 * @param[in] address device address
 * @param[in] size bytes, at least 1
 * @param[in] access_flags bits of enum doca_access_flag
 * @param[out] umem the registration; the caller destroys it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or size is 0
 * @return DOCA_ERROR_NO_MEMORY: no memory for the object
 * @return DOCA_ERROR_DRIVER: the driver refused it
 * @return DOCA_ERROR_NOT_SUPPORTED: there is no DPA
 */
DOCA_EXPERIMENTAL
doca_error_t doca_umem_dpa_create(struct doca_dpa *dpa, uint64_t address, size_t size,
				  uint32_t access_flags, struct doca_umem **umem);

/**
 * @brief Register memory of a GPU.
 *
 * @param[in] gpu_dev the GPU
 * @param[in] dev the open device that shall reach it
 * @param[in] address address in GPU memory
 * @param[in] size bytes, at least 1
 * @param[in] access_flags bits of enum doca_access_flag
 * @param[out] umem the registration; the caller destroys it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or size is 0
 * @return DOCA_ERROR_NO_MEMORY: no memory for the object
 * @return DOCA_ERROR_DRIVER: the driver refused it
 * @return DOCA_ERROR_NOT_SUPPORTED: there is no GPU
 */
DOCA_EXPERIMENTAL
doca_error_t doca_umem_gpu_create(struct doca_gpu *gpu_dev, struct doca_dev *dev, void *address,
				  size_t size, uint32_t access_flags, struct doca_umem **umem);

/**
 * @brief Undo a registration. The memory is not freed.
 *
 * @param[in] umem consumed on success
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: umem is NULL
 * @return DOCA_ERROR_DRIVER: the driver refused it
 * @return DOCA_ERROR_NOT_SUPPORTED: the device gives no such access
 */
DOCA_EXPERIMENTAL
doca_error_t doca_umem_destroy(struct doca_umem *umem);

/**
 * @brief Read the id of a registration.
 *
 * @param[in] umem the registration
 * @param[out] id its id on the device
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: the device gives no such access
 */
DOCA_EXPERIMENTAL
doca_error_t doca_umem_get_id(const struct doca_umem *umem, uint32_t *id);

/**
 * @brief Read the size of the registered memory.
 *
 * @param[in] umem the registration
 * @param[out] size bytes
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: the device gives no such access
 */
DOCA_EXPERIMENTAL
doca_error_t doca_umem_get_size(const struct doca_umem *umem, uint32_t *size);

/**
 * @brief Read the start of the registered memory.
 *
 * @param[in] umem the registration
 * @param[out] address as it was given
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: the device gives no such access
 */
DOCA_EXPERIMENTAL
doca_error_t doca_umem_get_address(const struct doca_umem *umem, void **address);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_UMEM_H_ */
