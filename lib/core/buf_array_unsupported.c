/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Targets of buffer arrays: there is no GPU to hand them to.
 */
#include <doca_buf_array.h>

#include "base/unsupported.h"

/* clang-format off */
SDPU_UNSUPPORTED(doca_buf_arr_set_target_gpu,
	(struct doca_buf_arr *buf_arr, struct doca_gpu *gpu_handler), buf_arr && gpu_handler)
/* clang-format on */
