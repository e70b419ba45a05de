/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_uar.h
 * @brief Doorbell pages of a device, for programs that build device queues themselves.
 *
 * The user owns the object; the device or DPA must outlive it.
 * A device in software has no such pages: every call answers DOCA_ERROR_NOT_SUPPORTED after
 * checking its pointers. The other codes are the contract where there are some.
 *
 * Threads: one at a time per object.
 * Outputs are written only on success.
 */
#ifndef DOCA_UAR_H_
#define DOCA_UAR_H_

#include <doca_compat.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_dev;
struct doca_dpa;
struct doca_uar;

/** How the page is mapped. Programs try them from the last to the first. */
enum doca_uar_allocation_type {
	DOCA_UAR_ALLOCATION_TYPE_BLUEFLAME = 0, /**< Write-combining. */
	DOCA_UAR_ALLOCATION_TYPE_NONCACHE = 1,	/**< Not cached. */
	DOCA_UAR_ALLOCATION_TYPE_NONCACHE_DEDICATED =
		2, /**< Not cached, shared with no other object. */
};

/**
 * @brief Allocate a doorbell page.
 *
 * @param[in] dev an open device
 * @param[in] type how to map it
 * @param[out] uar the page; the caller destroys it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the type is unknown
 * @return DOCA_ERROR_NO_MEMORY: no memory for the object
 * @return DOCA_ERROR_DRIVER: the driver refused this type
 * @return DOCA_ERROR_NOT_SUPPORTED: the device has no such pages
 */
DOCA_EXPERIMENTAL
doca_error_t doca_uar_create(const struct doca_dev *dev, enum doca_uar_allocation_type type,
			     struct doca_uar **uar);

/**
 * @brief Get the doorbell page of a DPA context.
 *
 * @param[in] dpa a started DPA context
 * @param[out] uar the page; the caller destroys it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NO_MEMORY: no memory for the object
 * @return DOCA_ERROR_DRIVER: the driver refused it
 * @return DOCA_ERROR_NOT_SUPPORTED: there is no DPA
 */
DOCA_EXPERIMENTAL
doca_error_t doca_uar_dpa_create(struct doca_dpa *dpa, struct doca_uar **uar);

/**
 * @brief Give a doorbell page back.
 *
 * @param[in] uar consumed on success
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: uar is NULL
 * @return DOCA_ERROR_DRIVER: the driver refused it
 * @return DOCA_ERROR_NOT_SUPPORTED: the device has no such pages
 */
DOCA_EXPERIMENTAL
doca_error_t doca_uar_destroy(struct doca_uar *uar);

/**
 * @brief Read the id of a page.
 *
 * @param[in] uar the page
 * @param[out] id its id on the device
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: the device has no such pages
 */
DOCA_EXPERIMENTAL
doca_error_t doca_uar_id_get(const struct doca_uar *uar, uint32_t *id);

/**
 * @brief Read where a page is mapped.
 *
 * @param[in] uar the page
 * @param[out] page its first byte; owned by the object
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: the device has no such pages
 */
DOCA_EXPERIMENTAL
doca_error_t doca_uar_page_get(const struct doca_uar *uar, void **page);

/**
 * @brief Read where the doorbell register of a page is mapped.
 *
 * @param[in] uar the page
 * @param[out] reg_addr the register; owned by the object
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: the device has no such pages
 */
DOCA_EXPERIMENTAL
doca_error_t doca_uar_reg_addr_get(const struct doca_uar *uar, void **reg_addr);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_UAR_H_ */
