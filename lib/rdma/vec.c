/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pieces of local memory; contract in vec.h.
 */
#include "rdma/vec.h"

#include <string.h>

#include <doca_types.h>

#include "core/buf.h"
#include "core/mmap.h"
#include "rdma/rdma.h"

bool rdma_mmap_look(struct doca_rdma *rdma, const struct doca_mmap *mmap, bool writes)
{
	struct rdma_checked *checked = writes ? &rdma->writable : &rdma->readable;
	const uint32_t writable =
		DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE;
	uint32_t stops = sdpu_load(&sdpu_mmap_stops);

	if (sdpu_mmap_window(mmap) == NULL || !sdpu_mmap_has_function(mmap, rdma->ctx.dev) ||
	    (writes && (sdpu_mmap_permissions(mmap) & writable) == 0))
		return false;
	*checked = (struct rdma_checked){mmap, stops};
	return true;
}

static void vec_put(struct rdma_vec *vec, void *base, size_t len)
{
	if (len == 0)
		return;
	vec->piece[vec->num].iov_base = base;
	vec->piece[vec->num].iov_len = len;
	vec->num++;
	vec->len += len;
}

doca_error_t rdma_vec_of_data(struct rdma_vec *vec, struct doca_rdma *rdma,
			      const struct doca_buf *buf, uint32_t max)
{
	vec->num = 0;
	vec->len = 0;
	for (uint32_t n = 0; buf != NULL; buf = buf->next, n++) {
		if (sdpu_unlikely(n == max || !rdma_mmap_accepts(rdma, buf->mmap, false)))
			return DOCA_ERROR_INVALID_VALUE;
		vec_put(vec, buf->data, buf->data_len);
	}
	return DOCA_SUCCESS;
}

doca_error_t rdma_vec_of_room(struct rdma_vec *vec, struct doca_rdma *rdma,
			      const struct doca_buf *buf, uint32_t max)
{
	vec->num = 0;
	vec->len = 0;
	for (uint32_t n = 0; buf != NULL; buf = buf->next, n++) {
		if (sdpu_unlikely(n == max || !rdma_mmap_accepts(rdma, buf->mmap, true)))
			return DOCA_ERROR_INVALID_VALUE;
		vec_put(vec, sdpu_buf_tail(buf), sdpu_buf_tail_room(buf));
	}
	return DOCA_SUCCESS;
}

void rdma_vec_gather(const struct rdma_vec *vec, void *to, size_t len)
{
	uint8_t *at = to;

	for (uint32_t i = 0; len != 0; i++) {
		size_t n = vec->piece[i].iov_len < len ? vec->piece[i].iov_len : len;

		memcpy(at, vec->piece[i].iov_base, n);
		at += n;
		len -= n;
	}
}

void rdma_vec_scatter(const struct rdma_vec *vec, const void *from, size_t len)
{
	const uint8_t *at = from;

	for (uint32_t i = 0; len != 0; i++) {
		size_t n = vec->piece[i].iov_len < len ? vec->piece[i].iov_len : len;

		memcpy(vec->piece[i].iov_base, at, n);
		at += n;
		len -= n;
	}
}

void rdma_vec_skip(struct rdma_vec *vec, size_t len)
{
	uint32_t gone = 0;

	vec->len -= len;
	while (gone < vec->num && len >= vec->piece[gone].iov_len)
		len -= vec->piece[gone++].iov_len;
	vec->num -= gone;
	memmove(vec->piece, vec->piece + gone, vec->num * sizeof(vec->piece[0]));
	if (vec->num != 0) {
		vec->piece[0].iov_base = (uint8_t *)vec->piece[0].iov_base + len;
		vec->piece[0].iov_len -= len;
	}
}
