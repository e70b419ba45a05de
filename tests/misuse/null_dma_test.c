/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls without the pointers that they need.
 */
#include <doca_dma.h>

#include "misuse/misuse.h"

static const union doca_data none;

MISUSE_CASE(dma_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_dma_create(NULL, NULL), "dev and dma are NULL");
	MISUSE(INVALID_VALUE, doca_dma_destroy(NULL), "dma is NULL");
	MISUSE(INVALID_VALUE, doca_dma_cap_task_memcpy_is_supported(NULL), "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_dma_cap_task_memcpy_get_max_buf_size(NULL, NULL),
	       "devinfo and buf_size are NULL");
	MISUSE(INVALID_VALUE, doca_dma_cap_task_memcpy_get_max_buf_list_len(NULL, NULL),
	       "devinfo and max_buf_list_len are NULL");
	MISUSE(INVALID_VALUE, doca_dma_cap_get_max_num_tasks(NULL, NULL),
	       "dma and max_num_tasks are NULL");
	MISUSE(INVALID_VALUE, doca_dma_task_memcpy_set_conf(NULL, NULL, NULL, 1), "dma is NULL");
	MISUSE(INVALID_VALUE, doca_dma_task_memcpy_alloc_init(NULL, NULL, NULL, none, NULL),
	       "dma and task are NULL");
	MISUSE(INVALID_VALUE, doca_dma_set_ordered_completions(NULL, 1), "dma is NULL");
	MISUSE(INVALID_VALUE, doca_dma_get_gpu_handle(NULL, NULL), "a pointer is NULL");
}
