/* SPDX-License-Identifier: BSD-3-Clause
 *
 * doca_buf.h: one element and its references. A buf belongs to its holder from the call that took
 * it until its last reference is given back, or until the end of the task that it was submitted
 * with. It never owns the memory that it describes, and does not learn when that is freed. Thread:
 * that of its home.
 *
 * These calls are on the data path of programs, so the code that refuses is out of line.
 */
#include "core/buf_home.h"

#include "base/log.h"
#include "base/refuse.h"

__attribute__((cold, noinline)) static doca_error_t refuse_inc(const struct doca_buf *buf)
{
	if (buf->member)
		return sdpu_buf_refuse_member("doca_buf_inc_refcount");
	if (buf->refcount == 0)
		return sdpu_buf_refuse_released("doca_buf_inc_refcount", buf);
	sdpu_log_err("doca_buf_inc_refcount: buf %p has %u references; needed: fewer, as these are "
		     "the most; give some back with doca_buf_dec_refcount()",
		     (void *)buf, buf->refcount);
	return DOCA_ERROR_TOO_BIG;
}

doca_error_t doca_buf_inc_refcount(struct doca_buf *buf, uint16_t *refcount)
{
	if (sdpu_any_null(__func__, buf))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_unlikely(buf->member || buf->refcount == 0 || buf->refcount == UINT16_MAX))
		return refuse_inc(buf);
	if (refcount != NULL)
		*refcount = buf->refcount;
	buf->refcount++;
	return DOCA_SUCCESS;
}

/* Each element goes back to where it came from: a list may be made of bufs of several homes. */
static void release_list(struct doca_buf *head)
{
	struct doca_buf *next;

	for (; head != NULL; head = next) {
		next = head->next;
		sdpu_buf_home_put(head);
	}
}

doca_error_t doca_buf_dec_refcount(struct doca_buf *buf, uint16_t *refcount)
{
	if (sdpu_any_null(__func__, buf))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_unlikely(buf->member))
		return sdpu_buf_refuse_member(__func__);
	/* Elements live as long as their home, so a released one can be told from a live one. */
	if (sdpu_unlikely(buf->refcount == 0))
		return sdpu_buf_refuse_released(__func__, buf);
	if (refcount != NULL)
		*refcount = buf->refcount;
	if (buf->refcount > 1)
		buf->refcount--;
	else
		release_list(buf);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_refcount(const struct doca_buf *buf, uint16_t *refcount)
{
	if (sdpu_any_null(__func__, buf, refcount))
		return DOCA_ERROR_INVALID_VALUE;
	*refcount = buf->refcount;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_len(const struct doca_buf *buf, size_t *len)
{
	if (sdpu_any_null(__func__, buf, len))
		return DOCA_ERROR_INVALID_VALUE;
	*len = buf->len;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_head(const struct doca_buf *buf, void **head)
{
	if (sdpu_any_null(__func__, buf, head))
		return DOCA_ERROR_INVALID_VALUE;
	*head = buf->head;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_data_len(const struct doca_buf *buf, size_t *data_len)
{
	if (sdpu_any_null(__func__, buf, data_len))
		return DOCA_ERROR_INVALID_VALUE;
	*data_len = buf->data_len;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_data(const struct doca_buf *buf, void **data)
{
	if (sdpu_any_null(__func__, buf, data))
		return DOCA_ERROR_INVALID_VALUE;
	*data = buf->data;
	return DOCA_SUCCESS;
}

/* Out of line: formatting a message must not weigh on the calls that succeed. */
__attribute__((cold, noinline)) static doca_error_t
refuse_data(const struct doca_buf *buf, const void *data, size_t data_len, const char *call)
{
	sdpu_log_err("%s: data of %zu bytes at %p; needed: a range inside the buf's %zu bytes at "
		     "%p (doca_buf_get_head(), doca_buf_get_len())",
		     call, data_len, data, buf->len, (void *)buf->head);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t doca_buf_set_data(struct doca_buf *buf, void *data, size_t data_len)
{
	if (sdpu_any_null(__func__, buf))
		return DOCA_ERROR_INVALID_VALUE;
	if (!sdpu_range_holds(buf->head, buf->len, data, data_len))
		return refuse_data(buf, data, data_len, "doca_buf_set_data");
	buf->data = data;
	buf->data_len = data_len;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_set_data_len(struct doca_buf *buf, size_t data_len)
{
	if (sdpu_any_null(__func__, buf))
		return DOCA_ERROR_INVALID_VALUE;
	if (!sdpu_range_holds(buf->head, buf->len, buf->data, data_len))
		return refuse_data(buf, buf->data, data_len, "doca_buf_set_data_len");
	buf->data_len = data_len;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_reset_data_len(struct doca_buf *buf)
{
	if (sdpu_any_null(__func__, buf))
		return DOCA_ERROR_INVALID_VALUE;
	buf->data_len = 0;
	return DOCA_SUCCESS;
}
