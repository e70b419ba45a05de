/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_buf.h
 * @brief Buffer descriptors.
 *
 * A doca_buf describes a window [head, head + len) inside one mmap, and a data segment
 * [data, data + data_len) inside that window. The window is fixed; the data segment moves.
 * Libraries read the data segment of a source and append after the data segment of a destination,
 * whose data_len they then extend. All addresses are in the address space of the mmap: those of an
 * imported mmap belong to the exporting process and must not be dereferenced here.
 *
 * A descriptor comes from an inventory (doca_buf_inventory.h) or a pool (doca_buf_pool.h) with a
 * reference count of one, and goes back there when the count drops to zero. It never owns the
 * memory that it describes. Descriptors may be chained into lists: the head alone carries the
 * count.
 *
 * Legal in any state of the mmap and of the origin, but not while a submitted task uses the
 * descriptor (not checked). Usable inside callbacks.
 *
 * Threads: one at a time for the bufs of one inventory or pool. Bufs of different inventories may
 * be used in parallel when their mmap is thread safe (doca_mmap_enable_thread_safety()). Outputs
 * are written only on success.
 */
#ifndef DOCA_BUF_H_
#define DOCA_BUF_H_

#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;

/**
 * @brief Take one more reference.
 *
 * @param[in] buf a single buf or the head of a list
 * @param[out] refcount the count before this call; may be NULL
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: buf is NULL
 * @return DOCA_ERROR_NOT_PERMITTED: buf is inside a list and not its head
 * @return DOCA_ERROR_BAD_STATE: the count is zero, the buf was released before
 * @return DOCA_ERROR_TOO_BIG: the count is 65535 already
 */
DOCA_STABLE
doca_error_t doca_buf_inc_refcount(struct doca_buf *buf, uint16_t *refcount);

/**
 * @brief Give one reference back. The last one returns the whole list to where it came from, after
 * which no element of it may be used.
 *
 * @param[in] buf a single buf or the head of a list; the reference passes to the library
 * @param[out] refcount the count before this call; may be NULL
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: buf is NULL
 * @return DOCA_ERROR_NOT_PERMITTED: buf is inside a list and not its head
 * @return DOCA_ERROR_BAD_STATE: the count is zero already, the buf was released before
 */
DOCA_STABLE
doca_error_t doca_buf_dec_refcount(struct doca_buf *buf, uint16_t *refcount);

/**
 * @brief Read the reference count.
 *
 * @param[in] buf the buf
 * @param[out] refcount references held
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_buf_get_refcount(const struct doca_buf *buf, uint16_t *refcount);

/**
 * @brief Read the size of the window of this element.
 *
 * @param[in] buf the buf
 * @param[out] len bytes
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_buf_get_len(const struct doca_buf *buf, size_t *len);

/**
 * @brief Read the start of the window of this element.
 *
 * @param[in] buf the buf
 * @param[out] head address in the space of the mmap
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_buf_get_head(const struct doca_buf *buf, void **head);

/**
 * @brief Read the length of the data segment of this element (not of the list that follows).
 *
 * @param[in] buf the buf
 * @param[out] data_len bytes
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_buf_get_data_len(const struct doca_buf *buf, size_t *data_len);

/**
 * @brief Read the start of the data segment of this element.
 *
 * @param[in] buf the buf
 * @param[out] data address in the space of the mmap
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_buf_get_data(const struct doca_buf *buf, void **data);

/**
 * @brief Move the data segment.
 *
 * @param[in] buf the buf
 * @param[in] data new start, in the space of the mmap
 * @param[in] data_len new length in bytes; 0 is legal
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: buf is NULL, or the segment does not lie inside the window
 */
DOCA_STABLE
doca_error_t doca_buf_set_data(struct doca_buf *buf, void *data, size_t data_len);

/**
 * @brief Change the length of the data segment, keeping its start.
 *
 * @param[in] buf the buf
 * @param[in] data_len new length in bytes; 0 is legal
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: buf is NULL, or the segment would leave the window
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_set_data_len(struct doca_buf *buf, size_t data_len);

/**
 * @brief Empty the data segment, keeping its start: how a destination is made ready for its next
 * use.
 *
 * @param[in] buf the buf
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: buf is NULL
 */
DOCA_STABLE
doca_error_t doca_buf_reset_data_len(struct doca_buf *buf);

/**
 * @brief Step to the next element of a list.
 *
 * @param[in] buf any element
 * @param[out] next_buf the next element, owned by the list; NULL after the last
 * @return DOCA_SUCCESS, also at the end of the list
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_buf_get_next_in_list(struct doca_buf *buf, struct doca_buf **next_buf);

/**
 * @brief Find the last element of a list.
 *
 * @param[in] buf any element
 * @param[out] last_buf the last element, owned by the list; buf itself when it stands alone
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_buf_get_last_in_list(struct doca_buf *buf, struct doca_buf **last_buf);

/**
 * @brief Ask whether an element ends its list.
 *
 * @param[in] buf any element
 * @param[out] is_last 1 for the last element and for a buf that stands alone, else 0
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_buf_is_last_in_list(const struct doca_buf *buf, uint8_t *is_last);

/**
 * @brief Ask whether an element heads its list.
 *
 * @param[in] buf any element
 * @param[out] is_first 1 for the head and for a buf that stands alone, else 0
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_buf_is_first_in_list(const struct doca_buf *buf, uint8_t *is_first);

/**
 * @brief Ask whether a buf has been chained.
 *
 * @param[in] buf any element
 * @param[out] is_in_list 1 when the list has more than one element, else 0
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_buf_is_in_list(const struct doca_buf *buf, uint8_t *is_in_list);

/**
 * @brief Count the elements of a list.
 *
 * @param[in] buf the head
 * @param[out] num_elements elements, the head included
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NOT_PERMITTED: buf is not the head of its list
 */
DOCA_STABLE
doca_error_t doca_buf_get_list_len(const struct doca_buf *buf, uint32_t *num_elements);

/**
 * @brief Append one list to another. Its cost grows with the length of list1; see
 * doca_buf_chain_list_tail().
 *
 * @param[in] list1 head of the first list, and of the result
 * @param[in] list2 head of the list to append; its reference passes into the result
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or both are the same list
 * @return DOCA_ERROR_NOT_PERMITTED: either is not a head, or list2 has more than one reference
 */
DOCA_STABLE
doca_error_t doca_buf_chain_list(struct doca_buf *list1, struct doca_buf *list2);

/**
 * @brief Append one list to another whose last element the caller knows, without walking it.
 *
 * @param[in] list1 head of the first list, and of the result
 * @param[in] list1_tail last element of list1; list1 itself when it stands alone
 * @param[in] list2 head of the list to append; its reference passes into the result
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, list1_tail does not end list1, or both are
 * the same list
 * @return DOCA_ERROR_NOT_PERMITTED: list1 or list2 is not a head, or list2 has more than one
 * reference
 */
DOCA_STABLE
doca_error_t doca_buf_chain_list_tail(struct doca_buf *list1, struct doca_buf *list1_tail,
				      struct doca_buf *list2);

/**
 * @brief Cut a list in two.
 *
 * @param[in] list1 the head; it keeps the elements before list2
 * @param[in] list2 the element to cut at; it becomes a head with one reference, held by the caller
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or list2 is not a later element of list1
 * @return DOCA_ERROR_NOT_PERMITTED: list1 is not the head of its list
 */
DOCA_STABLE
doca_error_t doca_buf_unchain_list(struct doca_buf *list1, struct doca_buf *list2);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_BUF_H_ */
