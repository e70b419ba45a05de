/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Validating the bufs of a copy, in one place, before anything is done with them. Pure functions;
 * each answers NULL, or what is wrong in words.
 */
#include "core/mmap.h"
#include "dma/dma.h"

/* The side of a copy, and what its memory must permit: local memory can always be read. */
struct side {
	bool writes;
	uint32_t local_needs; /* one of; 0: nothing */
	uint32_t remote_needs;
	const char *local_fault;
	const char *remote_fault;
};

static const struct side side_src = {
	.remote_needs = DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE,
	.remote_fault = "the source was exported without a PCI permission; needed: "
			"DOCA_ACCESS_FLAG_PCI_READ_ONLY or _READ_WRITE there",
};

static const struct side side_dst = {
	.writes = true,
	.local_needs = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE,
	.local_fault = "the destination's mmap is read only; needed: "
		       "DOCA_ACCESS_FLAG_LOCAL_READ_WRITE or _PCI_READ_WRITE",
	.remote_needs = DOCA_ACCESS_FLAG_PCI_READ_WRITE,
	.remote_fault = "the destination was exported read only; needed: "
			"DOCA_ACCESS_FLAG_PCI_READ_WRITE there",
};

static const char *mmap_fault(const struct doca_mmap *mmap, const struct doca_dev *dev,
			      const struct side *side)
{
	uint32_t permissions = sdpu_mmap_permissions(mmap);

	if (sdpu_unlikely(!sdpu_mmap_has_function(mmap, dev)))
		return "the mmap of a buf has not the device of the context; needed: "
		       "doca_mmap_add_dev() before its start";
	if (sdpu_mmap_window(mmap) != NULL)
		return side->local_needs == 0 || (permissions & side->local_needs) != 0
			       ? NULL
			       : side->local_fault;
	if (sdpu_unlikely(sdpu_mmap_reach(mmap) == NULL))
		return "the mmap of a buf was stopped, or is of another machine; needed: a started "
		       "one "
		       "of this";
	return (permissions & side->remote_needs) != 0 ? NULL : side->remote_fault;
}

static const char *list_fault(const struct doca_dma *dma, const struct side *side,
			      const struct doca_buf *buf, size_t *bytes)
{
	uint32_t left = dma_limits(dma)->dma_max_list;
	const char *fault;

	*bytes = 0;
	for (; buf != NULL; buf = buf->next) {
		if (sdpu_unlikely(left-- == 0))
			return "a list is too long; needed: at most "
			       "doca_dma_cap_task_memcpy_get_max_buf_list_len() bufs";
		fault = mmap_fault(buf->mmap, dma->ctx.dev, side);
		if (sdpu_unlikely(fault != NULL))
			return sdpu_buf_is_released(buf) ? SDPU_BUF_RELEASED_TEXT : fault;
		*bytes += side->writes ? sdpu_buf_tail_room(buf) : buf->data_len;
	}
	return NULL;
}

const char *dma_validate(const struct doca_dma *dma, const struct doca_buf *src,
			 const struct doca_buf *dst, size_t *len)
{
	const char *fault;
	size_t room;

	if (sdpu_unlikely(src == NULL || dst == NULL))
		return "source or destination is NULL; needed: a buf for both";
	fault = list_fault(dma, &side_src, src, len);
	if (fault == NULL)
		fault = list_fault(dma, &side_dst, dst, &room);
	if (sdpu_unlikely(fault != NULL))
		return fault;
	if (sdpu_unlikely(*len == 0))
		return "the source has no data; needed: at least 1 byte; call doca_buf_set_data()";
	if (sdpu_unlikely(*len > dma_limits(dma)->dma_max_buf_size))
		return "the source is too long; needed: at most "
		       "doca_dma_cap_task_memcpy_get_max_buf_size() bytes";
	return *len <= room ? NULL
			    : "the destination has too little room; needed: as much behind its "
			      "data as the source has data";
}
