/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Buffer array: equal buffers, side by side in one mmap, for code on a DPA; there is no GPU to be
 * the target (buf_array_unsupported.c). Owner: the user; one thread at a time. IDLE, described and
 * given a target -> start -> STARTED, kernels find it -> stop -> IDLE, and again. It holds the DPA
 * context; the mmap outlives it.
 */
#include "core/buf_array.h"

#include <stdlib.h>

#include <doca_buf_array.h>

#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "core/dpa_base.h"
#include "core/mmap_handle.h"
#include "core/mmap_object.h"

struct doca_buf_arr {
	size_t num_elem;
	struct doca_mmap *mmap; /* NULL: not described */
	size_t elem_size;
	uint64_t start_offset;
	struct doca_dpa *dpa;	      /* held; NULL: no target */
	struct sdpu_buf_array *array; /* what kernels find; NULL: not started */
};

doca_error_t doca_buf_arr_create(size_t num_elem, struct doca_buf_arr **buf_arr)
{
	struct doca_buf_arr *made;

	if (sdpu_any_null(__func__, buf_arr) || sdpu_is_zero(__func__, num_elem))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	made = calloc(1, sizeof(*made));
	if (made == NULL)
		return sdpu_no_memory(__func__);
	made->num_elem = num_elem;
	*buf_arr = made;
	return DOCA_SUCCESS;
}

/* Device code may still have handles of the array and of its buffers: from now on they are
 * invalid. */
static void stop(struct doca_buf_arr *buf_arr)
{
	struct sdpu_buf_array *array = buf_arr->array;

	sdpu_dpa_handle_withdraw(&array->head);
	for (size_t i = 0; i < array->num; i++)
		array->bufs[i].mmap = 0;
	sdpu_dpa_handle_retire(array->bufs);
	sdpu_dpa_handle_retire(array);
	buf_arr->array = NULL;
}

doca_error_t doca_buf_arr_destroy(struct doca_buf_arr *buf_arr)
{
	if (sdpu_any_null(__func__, buf_arr))
		return DOCA_ERROR_INVALID_VALUE;
	if (buf_arr->array != NULL)
		stop(buf_arr);
	if (buf_arr->dpa != NULL)
		sdpu_dpa_release(buf_arr->dpa);
	free(buf_arr);
	return DOCA_SUCCESS;
}

static doca_error_t check_idle(const struct doca_buf_arr *buf_arr, const char *call)
{
	if (sdpu_process_refuses(call))
		return DOCA_ERROR_BAD_STATE;
	if (buf_arr->array == NULL)
		return DOCA_SUCCESS;
	sdpu_log_err("%s: the array is started; call doca_buf_arr_stop() first", call);
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_buf_arr_set_target_dpa(struct doca_buf_arr *buf_arr, struct doca_dpa *dpa_handler)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, buf_arr, dpa_handler))
		return DOCA_ERROR_INVALID_VALUE;
	result = check_idle(buf_arr, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	sdpu_dpa_hold(dpa_handler);
	if (buf_arr->dpa != NULL)
		sdpu_dpa_release(buf_arr->dpa);
	buf_arr->dpa = dpa_handler;
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
	doca_error_t result;

	if (sdpu_any_null(__func__, buf_arr, mmap) || sdpu_is_zero(__func__, elem_size))
		return DOCA_ERROR_INVALID_VALUE;
	result = check_idle(buf_arr, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	if (mmap->state != SDPU_MMAP_STARTED) {
		sdpu_log_err("doca_buf_arr_set_params: the mmap is not started; needed: one that "
			     "is; call "
			     "doca_mmap_start() first");
		return DOCA_ERROR_BAD_STATE;
	}
	if (!fits(buf_arr->num_elem, elem_size, start_offset, mmap->len)) {
		sdpu_log_err("doca_buf_arr_set_params: %zu elements of %zu bytes from offset %llu "
			     "on; needed: no more than the %zu bytes of the mmap; take fewer, "
			     "smaller ones, or a larger mmap",
			     buf_arr->num_elem, elem_size, (unsigned long long)start_offset,
			     mmap->len);
		return DOCA_ERROR_INVALID_VALUE;
	}
	buf_arr->mmap = mmap;
	buf_arr->elem_size = elem_size;
	buf_arr->start_offset = start_offset;
	return DOCA_SUCCESS;
}

static doca_error_t start_check(const struct doca_buf_arr *buf_arr)
{
	const char *missing = NULL;

	if (buf_arr->mmap == NULL)
		missing = buf_arr->dpa == NULL ? "neither parameters nor target" : "no parameters";
	else if (buf_arr->dpa == NULL)
		missing = "no target";
	else if (!sdpu_dpa_running(buf_arr->dpa))
		missing = "a DPA that is not started";
	else if (buf_arr->mmap->state != SDPU_MMAP_STARTED)
		missing = "an mmap that is not started";
	if (missing == NULL)
		return check_idle(buf_arr, "doca_buf_arr_start");
	sdpu_log_err("doca_buf_arr_start: the array has %s; needed: doca_buf_arr_set_params() with "
		     "a started mmap, and doca_buf_arr_set_target_dpa() with a started DPA context",
		     missing);
	return DOCA_ERROR_BAD_STATE;
}

static void describe(const struct doca_buf_arr *buf_arr, doca_dpa_dev_mmap_t handle,
		     struct doca_dpa_dev_buf *bufs)
{
	uintptr_t first = (uintptr_t)buf_arr->mmap->addr + buf_arr->start_offset;

	for (size_t i = 0; i < buf_arr->num_elem; i++)
		bufs[i] = (struct doca_dpa_dev_buf){
			.addr = first + i * buf_arr->elem_size,
			.len = buf_arr->elem_size,
			.mmap = handle,
		};
}

static doca_error_t start(struct doca_buf_arr *buf_arr)
{
	struct sdpu_buf_array *array =
		aligned_alloc(_Alignof(struct sdpu_buf_array), sizeof(struct sdpu_buf_array));
	struct doca_dpa_dev_buf *bufs = calloc(buf_arr->num_elem, sizeof(*bufs));
	doca_error_t result = DOCA_ERROR_NO_MEMORY;
	doca_dpa_dev_mmap_t handle;

	if (array == NULL || bufs == NULL)
		(void)sdpu_no_memory("doca_buf_arr_start");
	else
		result = sdpu_mmap_give_handle(buf_arr->mmap, "doca_buf_arr_start", &handle);
	if (result != DOCA_SUCCESS) {
		free(array);
		free(bufs);
		return result;
	}
	describe(buf_arr, handle, bufs);
	*array = (struct sdpu_buf_array){.bufs = bufs, .num = buf_arr->num_elem};
	(void)sdpu_dpa_handle_give(&array->head, SDPU_DPA_KIND_BUF_ARRAY);
	buf_arr->array = array;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_arr_start(struct doca_buf_arr *buf_arr)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, buf_arr))
		return DOCA_ERROR_INVALID_VALUE;
	result = start_check(buf_arr);
	return result == DOCA_SUCCESS ? start(buf_arr) : result;
}

static doca_error_t refuse_not_started(const char *call)
{
	sdpu_log_err("%s: the array is not started; call doca_buf_arr_start() first", call);
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_buf_arr_stop(struct doca_buf_arr *buf_arr)
{
	if (sdpu_any_null(__func__, buf_arr))
		return DOCA_ERROR_INVALID_VALUE;
	if (buf_arr->array == NULL)
		return refuse_not_started(__func__);
	stop(buf_arr);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_arr_get_gpu_handle(const struct doca_buf_arr *buf_arr,
					 struct doca_gpu_buf_arr **gpu_buf_arr)
{
	if (sdpu_any_null(__func__, buf_arr, gpu_buf_arr))
		return DOCA_ERROR_INVALID_VALUE;
	sdpu_log_err("doca_buf_arr_get_gpu_handle: no array has a GPU as its target here; "
		     "needed: the DPA's, doca_buf_arr_get_dpa_handle()");
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_buf_arr_get_dpa_handle(const struct doca_buf_arr *buf_arr,
					 doca_dpa_dev_buf_arr_t *dpa_buf_arr)
{
	if (sdpu_any_null(__func__, buf_arr, dpa_buf_arr))
		return DOCA_ERROR_INVALID_VALUE;
	if (buf_arr->array == NULL)
		return refuse_not_started(__func__);
	*dpa_buf_arr = (uintptr_t)buf_arr->array;
	return DOCA_SUCCESS;
}
