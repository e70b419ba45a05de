/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arrays of buffers: there is no GPU or DPA to hand them to.
 */
#include <doca_buf_array.h>

#include "base/unsupported.h"

/* clang-format off */
SDPU_UNSUPPORTED(doca_buf_arr_create, (size_t num_elem, struct doca_buf_arr **buf_arr), buf_arr)
SDPU_UNSUPPORTED(doca_buf_arr_destroy, (struct doca_buf_arr *buf_arr), buf_arr)
SDPU_UNSUPPORTED(doca_buf_arr_set_target_gpu,
	(struct doca_buf_arr *buf_arr, struct doca_gpu *gpu_handler), buf_arr && gpu_handler)
SDPU_UNSUPPORTED(doca_buf_arr_set_target_dpa,
	(struct doca_buf_arr *buf_arr, struct doca_dpa *dpa_handler), buf_arr && dpa_handler)
SDPU_UNSUPPORTED(doca_buf_arr_set_params,
	(struct doca_buf_arr *buf_arr, struct doca_mmap *mmap, size_t elem_size,
	 uint64_t start_offset), buf_arr && mmap)
SDPU_UNSUPPORTED(doca_buf_arr_start, (struct doca_buf_arr *buf_arr), buf_arr)
SDPU_UNSUPPORTED(doca_buf_arr_stop, (struct doca_buf_arr *buf_arr), buf_arr)
SDPU_UNSUPPORTED(doca_buf_arr_get_gpu_handle,
	(const struct doca_buf_arr *buf_arr, struct doca_gpu_buf_arr **gpu_buf_arr),
	buf_arr && gpu_buf_arr)
SDPU_UNSUPPORTED(doca_buf_arr_get_dpa_handle,
	(const struct doca_buf_arr *buf_arr, doca_dpa_dev_buf_arr_t *dpa_buf_arr),
	buf_arr && dpa_buf_arr)
/* clang-format on */
