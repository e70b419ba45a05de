/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DMA: not built yet.
 */
#include <doca_dma.h>

#include "base/unsupported.h"

/* clang-format off */
SDPU_UNSUPPORTED(doca_dma_create, (struct doca_dev *dev, struct doca_dma **dma), dev && dma)
SDPU_UNSUPPORTED(doca_dma_destroy, (struct doca_dma *dma), dma)
SDPU_UNSUPPORTED_VALUE(struct doca_ctx *, doca_dma_as_ctx, (struct doca_dma *dma), NULL)
SDPU_UNSUPPORTED_CAP(doca_dma_cap_task_memcpy_is_supported)
SDPU_UNSUPPORTED(doca_dma_cap_task_memcpy_get_max_buf_size,
	(const struct doca_devinfo *devinfo, uint64_t *buf_size), devinfo && buf_size)
SDPU_UNSUPPORTED(doca_dma_cap_task_memcpy_get_max_buf_list_len,
	(const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len), devinfo && max_buf_list_len)
SDPU_UNSUPPORTED(doca_dma_cap_get_max_num_tasks,
	(struct doca_dma *dma, uint32_t *max_num_tasks), dma && max_num_tasks)
SDPU_UNSUPPORTED(doca_dma_task_memcpy_set_conf,
	(struct doca_dma *dma, doca_dma_task_memcpy_completion_cb_t task_completion_cb,
	 doca_dma_task_memcpy_completion_cb_t task_error_cb, uint32_t num_memcpy_tasks),
	dma && task_completion_cb && task_error_cb)
SDPU_UNSUPPORTED(doca_dma_task_memcpy_alloc_init,
	(struct doca_dma *dma, const struct doca_buf *src, struct doca_buf *dst,
	 union doca_data user_data, struct doca_dma_task_memcpy **task), dma && task)
SDPU_UNSUPPORTED_VALUE(struct doca_task *, doca_dma_task_memcpy_as_task,
	(struct doca_dma_task_memcpy *task), NULL)
SDPU_UNSUPPORTED_VOID(doca_dma_task_memcpy_set_src,
	(struct doca_dma_task_memcpy *task, const struct doca_buf *src))
SDPU_UNSUPPORTED_VALUE(const struct doca_buf *, doca_dma_task_memcpy_get_src,
	(const struct doca_dma_task_memcpy *task), NULL)
SDPU_UNSUPPORTED_VOID(doca_dma_task_memcpy_set_dst,
	(struct doca_dma_task_memcpy *task, struct doca_buf *dst))
SDPU_UNSUPPORTED_VALUE(struct doca_buf *, doca_dma_task_memcpy_get_dst,
	(const struct doca_dma_task_memcpy *task), NULL)
SDPU_UNSUPPORTED(doca_dma_set_ordered_completions, (struct doca_dma *dma, uint8_t enable), dma)
SDPU_UNSUPPORTED(doca_dma_get_gpu_handle, (struct doca_dma *dma, struct doca_gpu_dma **gpu_dma),
	dma && gpu_dma)
/* clang-format on */
