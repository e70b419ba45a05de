/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Buffer array: equal buffers, side by side in one mmap, for code on a DPA or a GPU. Owner: the
 * user; one thread at a time. The mmap outlives it. As there is no target to choose
 * (buf_array_unsupported.c), an array can be made and described, and never starts.
 */
#include <stdlib.h>

#include <doca_buf_array.h>

#include "base/log.h"
#include "bus/process.h"
#include "core/mmap_object.h"

struct doca_buf_arr {
	size_t num_elem;
	bool described; /* it has parameters, which were checked */
};

doca_error_t doca_buf_arr_create(size_t num_elem, struct doca_buf_arr **buf_arr)
{
	struct doca_buf_arr *made;

	if (num_elem == 0 || buf_arr == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	made = calloc(1, sizeof(*made));
	if (made == NULL)
		return DOCA_ERROR_NO_MEMORY;
	made->num_elem = num_elem;
	*buf_arr = made;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_arr_destroy(struct doca_buf_arr *buf_arr)
{
	if (buf_arr == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	free(buf_arr);
	return DOCA_SUCCESS;
}

/* Sizes are the user's: every step of the sum may overflow. */
static bool fits(size_t num_elem, size_t elem_size, uint64_t start_offset, size_t len)
{
	size_t end;

	return !__builtin_mul_overflow(num_elem, elem_size, &end) &&
	       !__builtin_add_overflow(end, start_offset, &end) && end <= len;
}

doca_error_t doca_buf_arr_set_params(struct doca_buf_arr *buf_arr, struct doca_mmap *mmap,
				     size_t elem_size, uint64_t start_offset)
{
	if (buf_arr == NULL || mmap == NULL || elem_size == 0)
		return DOCA_ERROR_INVALID_VALUE;
	if (mmap->state != SDPU_MMAP_STARTED) {
		sdpu_log_err("doca_buf_arr_set_params: the mmap is not started; call "
			     "doca_mmap_start() first");
		return DOCA_ERROR_BAD_STATE;
	}
	if (!fits(buf_arr->num_elem, elem_size, start_offset, mmap->len)) {
		sdpu_log_err("doca_buf_arr_set_params: %zu elements of %zu bytes from offset %llu "
			     "on do not fit into the mmap of %zu bytes",
			     buf_arr->num_elem, elem_size, (unsigned long long)start_offset,
			     mmap->len);
		return DOCA_ERROR_INVALID_VALUE;
	}
	buf_arr->described = true;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_arr_start(struct doca_buf_arr *buf_arr)
{
	if (buf_arr == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	sdpu_log_err("doca_buf_arr_start: the array has %s; needed: doca_buf_arr_set_params() and "
		     "one of doca_buf_arr_set_target_dpa(), _gpu()",
		     buf_arr->described ? "no target" : "neither parameters nor target");
	return DOCA_ERROR_BAD_STATE;
}

static doca_error_t refuse_not_started(const char *call)
{
	sdpu_log_err("%s: the array is not started; call doca_buf_arr_start() first", call);
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_buf_arr_stop(struct doca_buf_arr *buf_arr)
{
	return buf_arr == NULL ? DOCA_ERROR_INVALID_VALUE : refuse_not_started("doca_buf_arr_stop");
}

doca_error_t doca_buf_arr_get_gpu_handle(const struct doca_buf_arr *buf_arr,
					 struct doca_gpu_buf_arr **gpu_buf_arr)
{
	if (buf_arr == NULL || gpu_buf_arr == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	return refuse_not_started("doca_buf_arr_get_gpu_handle");
}

doca_error_t doca_buf_arr_get_dpa_handle(const struct doca_buf_arr *buf_arr,
					 doca_dpa_dev_buf_arr_t *dpa_buf_arr)
{
	if (buf_arr == NULL || dpa_buf_arr == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	return refuse_not_started("doca_buf_arr_get_dpa_handle");
}
