/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Advice about memory: there is no device cache to drop anything from.
 */
#include <doca_mmap_advise.h>

#include "base/unsupported.h"

/* clang-format off */
SDPU_UNSUPPORTED(doca_mmap_advise_create,
	(struct doca_dev *dev, struct doca_mmap_advise **mmap_advise), dev && mmap_advise)
SDPU_UNSUPPORTED(doca_mmap_advise_destroy, (struct doca_mmap_advise *mmap_advise), mmap_advise)
SDPU_UNSUPPORTED_VALUE(struct doca_ctx *, doca_mmap_advise_as_ctx,
	(struct doca_mmap_advise *mmap_advise), NULL)
SDPU_UNSUPPORTED_CAP(doca_mmap_advise_cap_task_cache_invalidate_is_supported)
SDPU_UNSUPPORTED(doca_mmap_advise_task_invalidate_cache_set_conf,
	(struct doca_mmap_advise *mmap_advise,
	 doca_mmap_advise_task_invalidate_cache_completion_cb_t completion_cb,
	 doca_mmap_advise_task_invalidate_cache_completion_cb_t error_cb, uint32_t num_tasks),
	mmap_advise && completion_cb && error_cb)
SDPU_UNSUPPORTED(doca_mmap_advise_task_invalidate_cache_alloc_init,
	(struct doca_mmap_advise *mmap_advise, struct doca_buf *buf, union doca_data user_data,
	 struct doca_mmap_advise_task_invalidate_cache **task), mmap_advise && buf && task)
SDPU_UNSUPPORTED_VALUE(struct doca_task *, doca_mmap_advise_task_invalidate_cache_as_doca_task,
	(struct doca_mmap_advise_task_invalidate_cache *task), NULL)
/* clang-format on */
