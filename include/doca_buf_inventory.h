/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_buf_inventory.h
 * @brief A fixed stock of buffer descriptors, each to be pointed at any range of any mmap.
 *
 * Life: create, (set user data), start, take bufs, give them back with doca_buf_dec_refcount(),
 * destroy. The user owns the inventory. Taking a buf allocates nothing. Access permissions are not
 * looked at here: the operation that uses the buf fails.
 *
 * The mmap and the inventory may be destroyed in either order, once all bufs are back.
 *
 * Threads: one at a time per inventory. Several inventories, one per thread, may share an mmap that
 * is thread safe (doca_mmap_enable_thread_safety()). Outputs are written only on success.
 */
#ifndef DOCA_BUF_INVENTORY_H_
#define DOCA_BUF_INVENTORY_H_

#include <doca_buf.h>
#include <doca_compat.h>
#include <doca_error.h>
#include <doca_mmap.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf_inventory;

/**
 * @brief Make an inventory. It is not started.
 *
 * @param[in] num_elements descriptors in stock, at least 1
 * @param[out] buf_inventory the inventory; the caller destroys it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: buf_inventory is NULL or num_elements is 0
 * @return DOCA_ERROR_NO_MEMORY: no memory for that many descriptors
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_create(size_t num_elements,
				       struct doca_buf_inventory **buf_inventory);

/**
 * @brief Destroy an inventory, stopping it first if needed. Legal in any state.
 *
 * @param[in] inventory consumed on success, unchanged on failure
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: inventory is NULL
 * @return DOCA_ERROR_IN_USE: bufs are still out
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_destroy(struct doca_buf_inventory *inventory);

/**
 * @brief Allow bufs to be taken.
 *
 * @param[in] inventory a stopped inventory
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: inventory is NULL
 * @return DOCA_ERROR_BAD_STATE: it is started already
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_start(struct doca_buf_inventory *inventory);

/**
 * @brief Refuse new bufs from now on. Those that are out stay valid and can be given back.
 *
 * @param[in] inventory a started inventory
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: inventory is NULL
 * @return DOCA_ERROR_BAD_STATE: it is not started
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_stop(struct doca_buf_inventory *inventory);

/**
 * @brief Take a buf with any window and any data segment in it. It starts with one reference, the
 * caller's.
 *
 * @param[in] inventory a started inventory
 * @param[in] mmap a started or imported mmap that covers the window
 * @param[in] addr start of the window, in the address space of the mmap
 * @param[in] len size of the window in bytes
 * @param[in] data start of the data segment, inside the window
 * @param[in] data_len length of the data segment in bytes; 0 is legal
 * @param[out] buf the new buf
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, the mmap is not started, the window is not
 *         inside the mmap, or the data segment is not inside the window
 * @return DOCA_ERROR_BAD_STATE: the inventory is not started
 * @return DOCA_ERROR_NO_MEMORY: all descriptors are out
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_buf_get_by_args(struct doca_buf_inventory *inventory,
						struct doca_mmap *mmap, void *addr, size_t len,
						void *data, size_t data_len, struct doca_buf **buf);

/**
 * @brief Take a buf for use as a destination: the data segment is empty and begins with the window.
 *
 * @param[in] inventory a started inventory
 * @param[in] mmap a started or imported mmap that covers the window
 * @param[in] addr start of the window, in the address space of the mmap
 * @param[in] len size of the window in bytes
 * @param[out] buf the new buf, with one reference
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, the mmap is not started, or the window is
 * not inside the mmap
 * @return DOCA_ERROR_BAD_STATE: the inventory is not started
 * @return DOCA_ERROR_NO_MEMORY: all descriptors are out
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_buf_get_by_addr(struct doca_buf_inventory *inventory,
						struct doca_mmap *mmap, void *addr, size_t len,
						struct doca_buf **buf);

/**
 * @brief Take a buf for use as a source: the data segment fills the window.
 *
 * @param[in] inventory a started inventory
 * @param[in] mmap a started or imported mmap that covers the range
 * @param[in] data start of the window and of the data, in the address space of the mmap
 * @param[in] data_len bytes of both
 * @param[out] buf the new buf, with one reference
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, the mmap is not started, or the window is
 * not inside the mmap
 * @return DOCA_ERROR_BAD_STATE: the inventory is not started
 * @return DOCA_ERROR_NO_MEMORY: all descriptors are out
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_buf_get_by_data(struct doca_buf_inventory *inventory,
						struct doca_mmap *mmap, void *data, size_t data_len,
						struct doca_buf **buf);

/**
 * @brief Copy a descriptor, or all descriptors of a list. The memory is not copied.
 *
 * @param[in] inventory a started inventory, which supplies the copies
 * @param[in] src_buf a single buf or the head of a list, of any inventory or pool
 * @param[out] dst_buf the copy (its head), with one reference
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the inventory is not started
 * @return DOCA_ERROR_NOT_PERMITTED: src_buf is inside a list and not its head
 * @return DOCA_ERROR_NO_MEMORY: fewer descriptors are free than the list has elements; none is
 * taken
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_buf_dup(struct doca_buf_inventory *inventory,
					const struct doca_buf *src_buf, struct doca_buf **dst_buf);

/**
 * @brief Repoint a buf to another window of the same mmap, as if newly taken by address: the data
 * segment is empty. Works on elements of a list; links and references stay.
 *
 * @param[in] buf a buf that came from an inventory, not in flight
 * @param[in] addr start of the new window
 * @param[in] len size of the new window in bytes
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the window is not inside the mmap
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_buf_reuse_by_addr(struct doca_buf *buf, void *addr, size_t len);

/**
 * @brief Repoint a buf to another range of the same mmap, as if newly taken by data: the data
 * segment fills the window. Works on elements of a list; links and references stay.
 *
 * @param[in] buf a buf that came from an inventory, not in flight
 * @param[in] data start of the new window and data
 * @param[in] data_len bytes of both
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the range is not inside the mmap
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_buf_reuse_by_data(struct doca_buf *buf, void *data,
						  size_t data_len);

/**
 * @brief Repoint a buf to another window of the same mmap, with any data segment in it. Works on
 * elements of a list; links and references stay.
 *
 * @param[in] buf a buf that came from an inventory, not in flight
 * @param[in] addr start of the new window
 * @param[in] len size of the new window in bytes
 * @param[in] data start of the new data segment
 * @param[in] data_len its length in bytes
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, the window is not inside the mmap, or the
 * data segment is not inside the window
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_buf_reuse_by_args(struct doca_buf *buf, void *addr, size_t len,
						  void *data, size_t data_len);

/**
 * @brief Attach a value of the user's. Legal in any state.
 *
 * @param[in] inventory the inventory
 * @param[in] user_data any value; never interpreted
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: inventory is NULL
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_set_user_data(struct doca_buf_inventory *inventory,
					      union doca_data user_data);

/**
 * @brief Read the size of the stock. Legal in any state.
 *
 * @param[in] inventory the inventory
 * @param[out] num_of_elements descriptors, free or out
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_get_num_elements(const struct doca_buf_inventory *inventory,
						 uint32_t *num_of_elements);

/**
 * @brief Read how many descriptors can still be taken. Legal in any state.
 *
 * @param[in] inventory the inventory
 * @param[out] num_of_free_elements descriptors that are not out
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_get_num_free_elements(const struct doca_buf_inventory *inventory,
						      uint32_t *num_of_free_elements);

/**
 * @brief Read the user's value back. Legal in any state.
 *
 * @param[in] inventory the inventory
 * @param[out] user_data the value set last; zero when none was
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_get_user_data(const struct doca_buf_inventory *inventory,
					      union doca_data *user_data);

/**
 * @brief Add descriptors to the stock. Legal in any state; bufs that are out stay valid.
 *
 * @param[in] inventory the inventory
 * @param[in] num_elements descriptors to add, at least 1
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: inventory is NULL or num_elements is 0
 * @return DOCA_ERROR_NO_MEMORY: no memory for that many; the stock is unchanged
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_inventory_expand(struct doca_buf_inventory *inventory, uint32_t num_elements);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_BUF_INVENTORY_H_ */
