/* SPDX-License-Identifier: BSD-3-Clause
 * Buffer arrays as far as there is no target for them.
 */
#include <doca_buf_array.h>

#include "core/kit.h"
#include "t.h"

static uint8_t memory[4096];

static struct doca_buf_arr *made(size_t num_elem)
{
	struct doca_buf_arr *array;

	T_OK(doca_buf_arr_create(num_elem, &array));
	return array;
}

T_CASE(null_is_refused)
{
	struct doca_mmap *mmap = kit_mmap(NULL, memory, sizeof(memory), 0);
	struct doca_buf_arr *array = made(1);
	struct doca_gpu_buf_arr *gpu_handle;
	doca_dpa_dev_buf_arr_t dpa_handle;

	T_ERR(doca_buf_arr_create(0, &array), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_arr_create(1, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_arr_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_arr_set_params(NULL, mmap, 8, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_arr_set_params(array, NULL, 8, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_arr_set_params(array, mmap, 0, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_arr_start(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_arr_stop(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_arr_get_gpu_handle(NULL, &gpu_handle), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_arr_get_gpu_handle(array, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_arr_get_dpa_handle(NULL, &dpa_handle), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_arr_get_dpa_handle(array, NULL), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_buf_arr_destroy(array));
	T_OK(doca_mmap_destroy(mmap));
}

T_CASE(elements_lie_inside_the_mmap)
{
	struct doca_mmap *mmap = kit_mmap(NULL, memory, sizeof(memory), 0);
	struct doca_buf_arr *array = made(4);

	T_OK(doca_buf_arr_set_params(array, mmap, 1024, 0));
	T_OK(doca_buf_arr_set_params(array, mmap, 1000, 96));
	T_ERR(doca_buf_arr_set_params(array, mmap, 1000, 97), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_arr_set_params(array, mmap, 1025, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_arr_set_params(array, mmap, SIZE_MAX / 4 + 1, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_buf_arr_set_params(array, mmap, 8, UINT64_MAX - 31), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_mmap_stop(mmap));
	T_ERR(doca_buf_arr_set_params(array, mmap, 8, 0), DOCA_ERROR_BAD_STATE);
	T_OK(doca_buf_arr_destroy(array));
	T_OK(doca_mmap_destroy(mmap));
}

T_CASE(without_a_target_it_does_not_start)
{
	struct doca_mmap *mmap = kit_mmap(NULL, memory, sizeof(memory), 0);
	struct doca_gpu_buf_arr *gpu_handle = NULL;
	struct doca_buf_arr *array = made(4);
	doca_dpa_dev_buf_arr_t dpa_handle = 7;

	kit_log();
	T_ERR(doca_buf_arr_start(array), DOCA_ERROR_BAD_STATE);
	T_CONTAINS(kit_log(), "neither parameters nor target");
	T_OK(doca_buf_arr_set_params(array, mmap, 8, 0));
	T_ERR(doca_buf_arr_start(array), DOCA_ERROR_BAD_STATE);
	T_CONTAINS(kit_log(), "no target");
	T_ERR(doca_buf_arr_stop(array), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_buf_arr_get_gpu_handle(array, &gpu_handle), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_buf_arr_get_dpa_handle(array, &dpa_handle), DOCA_ERROR_BAD_STATE);
	T_EQ(gpu_handle, 0);
	T_EQ(dpa_handle, 7);
	T_OK(doca_buf_arr_destroy(array));
	T_OK(doca_mmap_destroy(mmap));
}
