/* SPDX-License-Identifier: BSD-3-Clause
 *
 * doca_buf.h: one element and its references. A buf is its holder's from the call that took it to
 * the dec that releases it, or to the end of the task that it was submitted with; it never owns the
 * memory that it describes, and is not told when that goes. Thread: that of its home.
 *
 * The calls stand on programs' data paths: where an error is an answer that a program may well ask
 * for, nothing is logged.
 */
#include "core/buf_home.h"

#include "base/log.h"

doca_error_t doca_buf_inc_refcount(struct doca_buf *buf, uint16_t *refcount)
{
	if (buf == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (buf->member)
		return DOCA_ERROR_NOT_PERMITTED;
	if (buf->refcount == 0)
		return DOCA_ERROR_BAD_STATE;
	if (buf->refcount == UINT16_MAX)
		return DOCA_ERROR_TOO_BIG;
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
	if (buf == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (buf->member)
		return DOCA_ERROR_NOT_PERMITTED;
	/* Elements live as long as their home, so a released one can be told from a live one. */
	if (buf->refcount == 0) {
		sdpu_log_err("doca_buf_dec_refcount: buf %p was released before", (void *)buf);
		return DOCA_ERROR_BAD_STATE;
	}
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
	if (buf == NULL || refcount == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*refcount = buf->refcount;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_len(const struct doca_buf *buf, size_t *len)
{
	if (buf == NULL || len == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*len = buf->len;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_head(const struct doca_buf *buf, void **head)
{
	if (buf == NULL || head == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*head = buf->head;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_data_len(const struct doca_buf *buf, size_t *data_len)
{
	if (buf == NULL || data_len == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*data_len = buf->data_len;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_data(const struct doca_buf *buf, void **data)
{
	if (buf == NULL || data == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*data = buf->data;
	return DOCA_SUCCESS;
}

/* Out of line: what is formatted here must not weigh on the calls that succeed. */
__attribute__((cold, noinline)) static doca_error_t
refuse_data(const struct doca_buf *buf, const void *data, size_t data_len, const char *call)
{
	sdpu_log_err("%s: data of %zu bytes at %p is outside the window of %zu bytes at %p", call,
		     data_len, data, buf->len, (void *)buf->head);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t doca_buf_set_data(struct doca_buf *buf, void *data, size_t data_len)
{
	if (buf == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (!sdpu_range_holds(buf->head, buf->len, data, data_len))
		return refuse_data(buf, data, data_len, "doca_buf_set_data");
	buf->data = data;
	buf->data_len = data_len;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_set_data_len(struct doca_buf *buf, size_t data_len)
{
	if (buf == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (!sdpu_range_holds(buf->head, buf->len, buf->data, data_len))
		return refuse_data(buf, buf->data, data_len, "doca_buf_set_data_len");
	buf->data_len = data_len;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_reset_data_len(struct doca_buf *buf)
{
	if (buf == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	buf->data_len = 0;
	return DOCA_SUCCESS;
}
