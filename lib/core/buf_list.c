/* SPDX-License-Identifier: BSD-3-Clause
 *
 * doca_buf.h: lists. The head carries the references and knows the last element; members have one
 * reference, the list's, and know neither head nor predecessor. So appending costs the same however
 * long the lists are, walking starts anywhere, and cutting walks from the head. The caller's
 * reference to list2 becomes the list's in chain, and the caller's again in unchain.
 */
#include "base/log.h"
#include "base/refuse.h"
#include "core/buf_home.h"

doca_error_t doca_buf_get_next_in_list(struct doca_buf *buf, struct doca_buf **next_buf)
{
	if (sdpu_any_null(__func__, buf, next_buf))
		return DOCA_ERROR_INVALID_VALUE;
	*next_buf = buf->next;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_last_in_list(struct doca_buf *buf, struct doca_buf **last_buf)
{
	if (sdpu_any_null(__func__, buf, last_buf))
		return DOCA_ERROR_INVALID_VALUE;
	while (buf->next != NULL)
		buf = buf->next;
	*last_buf = buf;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_is_last_in_list(const struct doca_buf *buf, uint8_t *is_last)
{
	if (sdpu_any_null(__func__, buf, is_last))
		return DOCA_ERROR_INVALID_VALUE;
	*is_last = buf->next == NULL;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_is_first_in_list(const struct doca_buf *buf, uint8_t *is_first)
{
	if (sdpu_any_null(__func__, buf, is_first))
		return DOCA_ERROR_INVALID_VALUE;
	*is_first = !buf->member;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_is_in_list(const struct doca_buf *buf, uint8_t *is_in_list)
{
	if (sdpu_any_null(__func__, buf, is_in_list))
		return DOCA_ERROR_INVALID_VALUE;
	*is_in_list = buf->member || buf->next != NULL;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_list_len(const struct doca_buf *buf, uint32_t *num_elements)
{
	uint32_t num = 0;

	if (sdpu_any_null(__func__, buf, num_elements))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_unlikely(buf->member))
		return sdpu_buf_refuse_member(__func__);
	for (; buf != NULL; buf = buf->next)
		num++;
	*num_elements = num;
	return DOCA_SUCCESS;
}

/* list2 must have one reference: a second holder would not learn that it became a member. */
static doca_error_t chain_check(const struct doca_buf *list1, const struct doca_buf *list2,
				const char *call)
{
	if (list1 == list2) {
		sdpu_log_err(
			"%s: both are the same list; needed: two; give the head of another one",
			call);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (list1->member || list2->member) {
		sdpu_log_err("%s: list%d is an element inside a list; needed: the head of one",
			     call, list1->member ? 1 : 2);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	if (list1->refcount == 0 || list2->refcount != 1) {
		sdpu_log_err("%s: list1 has %u references, list2 %u; needed: list1 at least one, "
			     "list2 exactly one; give the others back first",
			     call, list1->refcount, list2->refcount);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	return DOCA_SUCCESS;
}

/* `last` of a member goes stale; it is set anew when the member becomes a head. */
static void chain(struct doca_buf *list1, struct doca_buf *list2)
{
	list1->last->next = list2;
	list1->last = list2->last;
	list2->member = 1;
}

doca_error_t doca_buf_chain_list(struct doca_buf *list1, struct doca_buf *list2)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, list1, list2))
		return DOCA_ERROR_INVALID_VALUE;
	result = chain_check(list1, list2, "doca_buf_chain_list");
	if (result == DOCA_SUCCESS)
		chain(list1, list2);
	return result;
}

doca_error_t doca_buf_chain_list_tail(struct doca_buf *list1, struct doca_buf *list1_tail,
				      struct doca_buf *list2)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, list1, list1_tail, list2))
		return DOCA_ERROR_INVALID_VALUE;
	result = chain_check(list1, list2, "doca_buf_chain_list_tail");
	if (result != DOCA_SUCCESS)
		return result;
	if (list1_tail != list1->last) {
		sdpu_log_err(
			"doca_buf_chain_list_tail: list1_tail does not end list1; needed: what "
			"doca_buf_get_last_in_list() gives for it");
		return DOCA_ERROR_INVALID_VALUE;
	}
	chain(list1, list2);
	return DOCA_SUCCESS;
}

/* The element before `buf`, or NULL when it is no later element of the list. */
static struct doca_buf *find_before(struct doca_buf *list, const struct doca_buf *buf)
{
	while (list != NULL && list->next != buf)
		list = list->next;
	return list;
}

doca_error_t doca_buf_unchain_list(struct doca_buf *list1, struct doca_buf *list2)
{
	struct doca_buf *before;

	if (sdpu_any_null(__func__, list1, list2))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_unlikely(list1->member))
		return sdpu_buf_refuse_member(__func__);
	/* A released buf is linked as well, to the free list of its home. */
	before = list1->refcount == 0 ? NULL : find_before(list1, list2);
	if (before == NULL) {
		sdpu_log_err(
			"doca_buf_unchain_list: list2 is no later element of list1; needed: one "
			"that doca_buf_get_next_in_list() leads to");
		return DOCA_ERROR_INVALID_VALUE;
	}
	list2->last = list1->last;
	list2->member = 0;
	list1->last = before;
	before->next = NULL;
	return DOCA_SUCCESS;
}
