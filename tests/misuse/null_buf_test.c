/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls without the pointers that they need, and calls that are not part of this release.
 */
#include <doca_buf.h>
#include <doca_buf_array.h>
#include <doca_buf_inventory.h>
#include <doca_buf_pool.h>
#include <doca_mmap.h>
#include <doca_mmap_advise.h>

#include "misuse/misuse.h"

static const union doca_data none;

MISUSE_CASE(buf_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_buf_inc_refcount(NULL, NULL), "buf is NULL");
	MISUSE(INVALID_VALUE, doca_buf_dec_refcount(NULL, NULL), "buf is NULL");
	MISUSE(INVALID_VALUE, doca_buf_get_refcount(NULL, NULL), "buf and refcount are NULL");
	MISUSE(INVALID_VALUE, doca_buf_get_len(NULL, NULL), "buf and len are NULL");
	MISUSE(INVALID_VALUE, doca_buf_get_head(NULL, NULL), "buf and head are NULL");
	MISUSE(INVALID_VALUE, doca_buf_get_data_len(NULL, NULL), "buf and data_len are NULL");
	MISUSE(INVALID_VALUE, doca_buf_get_data(NULL, NULL), "buf and data are NULL");
	MISUSE(INVALID_VALUE, doca_buf_set_data(NULL, NULL, 1), "buf is NULL");
	MISUSE(INVALID_VALUE, doca_buf_set_data_len(NULL, 1), "buf is NULL");
	MISUSE(INVALID_VALUE, doca_buf_reset_data_len(NULL), "buf is NULL");
	MISUSE(INVALID_VALUE, doca_buf_get_next_in_list(NULL, NULL), "buf and next_buf are NULL");
	MISUSE(INVALID_VALUE, doca_buf_get_last_in_list(NULL, NULL), "buf and last_buf are NULL");
	MISUSE(INVALID_VALUE, doca_buf_is_last_in_list(NULL, NULL), "buf and is_last are NULL");
	MISUSE(INVALID_VALUE, doca_buf_is_first_in_list(NULL, NULL), "buf and is_first are NULL");
	MISUSE(INVALID_VALUE, doca_buf_is_in_list(NULL, NULL), "buf and is_in_list are NULL");
	MISUSE(INVALID_VALUE, doca_buf_get_list_len(NULL, NULL), "buf and num_elements are NULL");
	MISUSE(INVALID_VALUE, doca_buf_chain_list(NULL, NULL), "list1 and list2 are NULL");
	MISUSE(INVALID_VALUE, doca_buf_chain_list_tail(NULL, NULL, NULL),
	       "list1 and list1_tail and list2 are NULL");
	MISUSE(INVALID_VALUE, doca_buf_unchain_list(NULL, NULL), "list1 and list2 are NULL");
}

MISUSE_CASE(buf_array_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_buf_arr_create(1, NULL), "buf_arr is NULL");
	MISUSE(INVALID_VALUE, doca_buf_arr_destroy(NULL), "buf_arr is NULL");
	MISUSE(INVALID_VALUE, doca_buf_arr_set_target_gpu(NULL, NULL), "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_buf_arr_set_target_dpa(NULL, NULL),
	       "buf_arr and dpa_handler are NULL");
	MISUSE(INVALID_VALUE, doca_buf_arr_set_params(NULL, NULL, 1, 1),
	       "buf_arr and mmap are NULL");
	MISUSE(INVALID_VALUE, doca_buf_arr_start(NULL), "buf_arr is NULL");
	MISUSE(INVALID_VALUE, doca_buf_arr_stop(NULL), "buf_arr is NULL");
	MISUSE(INVALID_VALUE, doca_buf_arr_get_gpu_handle(NULL, NULL),
	       "buf_arr and gpu_buf_arr are NULL");
	MISUSE(INVALID_VALUE, doca_buf_arr_get_dpa_handle(NULL, NULL),
	       "buf_arr and dpa_buf_arr are NULL");
}

/* Whatever is given in the place of an object is not looked at. */
MISUSE_CASE(buf_array_that_is_not_here)
{
	static unsigned char bytes[256];
	void *const object = bytes;

	MISUSE(NOT_SUPPORTED, doca_buf_arr_set_target_gpu(object, object),
	       "not part of this release");
}

MISUSE_CASE(buf_inventory_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_buf_inventory_create(1, NULL), "buf_inventory is NULL");
	MISUSE(INVALID_VALUE, doca_buf_inventory_destroy(NULL), "inventory is NULL");
	MISUSE(INVALID_VALUE, doca_buf_inventory_start(NULL), "inventory is NULL");
	MISUSE(INVALID_VALUE, doca_buf_inventory_stop(NULL), "inventory is NULL");
	MISUSE(INVALID_VALUE,
	       doca_buf_inventory_buf_get_by_args(NULL, NULL, NULL, 1, NULL, 1, NULL),
	       "inventory and mmap and buf are NULL");
	MISUSE(INVALID_VALUE, doca_buf_inventory_buf_get_by_addr(NULL, NULL, NULL, 1, NULL),
	       "inventory and mmap and buf are NULL");
	MISUSE(INVALID_VALUE, doca_buf_inventory_buf_get_by_data(NULL, NULL, NULL, 1, NULL),
	       "inventory and mmap and buf are NULL");
	MISUSE(INVALID_VALUE, doca_buf_inventory_buf_dup(NULL, NULL, NULL),
	       "inventory and src_buf and dst_buf are NULL");
	MISUSE(INVALID_VALUE, doca_buf_inventory_buf_reuse_by_addr(NULL, NULL, 1), "buf is NULL");
	MISUSE(INVALID_VALUE, doca_buf_inventory_buf_reuse_by_data(NULL, NULL, 1), "buf is NULL");
	MISUSE(INVALID_VALUE, doca_buf_inventory_buf_reuse_by_args(NULL, NULL, 1, NULL, 1),
	       "buf is NULL");
	MISUSE(INVALID_VALUE, doca_buf_inventory_set_user_data(NULL, none), "inventory is NULL");
	MISUSE(INVALID_VALUE, doca_buf_inventory_get_num_elements(NULL, NULL),
	       "inventory and num_of_elements are NULL");
	MISUSE(INVALID_VALUE, doca_buf_inventory_get_num_free_elements(NULL, NULL),
	       "inventory and num_of_free_elements are NULL");
	MISUSE(INVALID_VALUE, doca_buf_inventory_get_user_data(NULL, NULL),
	       "inventory and user_data are NULL");
	MISUSE(INVALID_VALUE, doca_buf_inventory_expand(NULL, 1), "inventory is NULL");
}

MISUSE_CASE(buf_pool_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_buf_pool_create(1, 1, NULL, NULL), "mmap and buf_pool are NULL");
	MISUSE(INVALID_VALUE, doca_buf_pool_destroy(NULL), "buf_pool is NULL");
	MISUSE(INVALID_VALUE, doca_buf_pool_start(NULL), "buf_pool is NULL");
	MISUSE(INVALID_VALUE, doca_buf_pool_stop(NULL), "buf_pool is NULL");
	MISUSE(INVALID_VALUE, doca_buf_pool_buf_alloc(NULL, NULL), "buf_pool and buf are NULL");
	MISUSE(INVALID_VALUE, doca_buf_pool_set_element_alignment(NULL, 1), "buf_pool is NULL");
	MISUSE(INVALID_VALUE, doca_buf_pool_set_user_data(NULL, none), "buf_pool is NULL");
	MISUSE(INVALID_VALUE, doca_buf_pool_get_num_elements(NULL, NULL),
	       "buf_pool and num_elements are NULL");
	MISUSE(INVALID_VALUE, doca_buf_pool_get_num_free_elements(NULL, NULL),
	       "buf_pool and num_free_elements are NULL");
	MISUSE(INVALID_VALUE, doca_buf_pool_get_user_data(NULL, NULL),
	       "buf_pool and user_data are NULL");
	MISUSE(INVALID_VALUE, doca_buf_pool_get_element_alignment(NULL, NULL),
	       "buf_pool and element_alignment are NULL");
}

MISUSE_CASE(mmap_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_mmap_create(NULL), "mmap is NULL");
	MISUSE(INVALID_VALUE, doca_mmap_destroy(NULL), "mmap is NULL");
	MISUSE(INVALID_VALUE, doca_mmap_start(NULL), "mmap is NULL");
	MISUSE(INVALID_VALUE, doca_mmap_stop(NULL), "mmap is NULL");
	MISUSE(INVALID_VALUE, doca_mmap_add_dev(NULL, NULL), "mmap and dev are NULL");
	MISUSE(INVALID_VALUE, doca_mmap_rm_dev(NULL, NULL), "mmap and dev are NULL");
	MISUSE(INVALID_VALUE, doca_mmap_set_max_num_devices(NULL, 1), "mmap is NULL");
	MISUSE(INVALID_VALUE, doca_mmap_get_max_num_devices(NULL, NULL),
	       "mmap and max_num_devices are NULL");
	MISUSE(INVALID_VALUE, doca_mmap_set_memrange(NULL, NULL, 1), "mmap and addr are NULL");
	MISUSE(INVALID_VALUE, doca_mmap_get_memrange(NULL, NULL, NULL),
	       "mmap and addr and len are NULL");
	MISUSE(INVALID_VALUE, doca_mmap_set_dmabuf_memrange(NULL, 1, NULL, 1, 1),
	       "a pointer is NULL");
	MISUSE(INVALID_VALUE, doca_mmap_set_dpa_memrange(NULL, NULL, 1, 1),
	       "mmap and dpa are NULL");
	MISUSE(INVALID_VALUE, doca_mmap_set_permissions(NULL, 1), "mmap is NULL");
	MISUSE(INVALID_VALUE, doca_mmap_set_free_cb(NULL, NULL, NULL), "mmap and free_cb are NULL");
	MISUSE(INVALID_VALUE, doca_mmap_set_user_data(NULL, none), "mmap is NULL");
	MISUSE(INVALID_VALUE, doca_mmap_get_user_data(NULL, NULL), "mmap and user_data are NULL");
	MISUSE(INVALID_VALUE, doca_mmap_get_num_bufs(NULL, NULL), "mmap and num_bufs are NULL");
	MISUSE(INVALID_VALUE, doca_mmap_get_exported(NULL, NULL), "mmap and exported are NULL");
	MISUSE(INVALID_VALUE, doca_mmap_get_from_export(NULL, NULL),
	       "mmap and from_export are NULL");
	MISUSE(INVALID_VALUE, doca_mmap_export_pci(NULL, NULL, NULL, NULL),
	       "mmap and dev and export_desc and export_desc_len are NULL");
	MISUSE(INVALID_VALUE, doca_mmap_export_rdma(NULL, NULL, NULL, NULL),
	       "mmap and dev and export_desc and export_desc_len are NULL");
	MISUSE(INVALID_VALUE, doca_mmap_create_from_export(NULL, NULL, 1, NULL, NULL),
	       "export_desc and dev and mmap are NULL");
	MISUSE(INVALID_VALUE, doca_mmap_dev_get_dpa_handle(NULL, NULL, NULL),
	       "mmap and dev and mmap_handle are NULL");
	MISUSE(INVALID_VALUE, doca_mmap_get_mkey(NULL, NULL, NULL),
	       "mmap and dev and mkey are NULL");
	MISUSE(INVALID_VALUE, doca_mmap_enable_thread_safety(NULL), "mmap is NULL");
	MISUSE(INVALID_VALUE, doca_mmap_cap_is_export_pci_supported(NULL, NULL),
	       "devinfo and supported are NULL");
	MISUSE(INVALID_VALUE, doca_mmap_cap_is_create_from_export_pci_supported(NULL, NULL),
	       "devinfo and supported are NULL");
}

MISUSE_CASE(mmap_advise_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_mmap_advise_create(NULL, NULL), "dev and mmap_advise are NULL");
	MISUSE(INVALID_VALUE, doca_mmap_advise_destroy(NULL), "mmap_advise is NULL");
	MISUSE(INVALID_VALUE, doca_mmap_advise_cap_task_cache_invalidate_is_supported(NULL),
	       "devinfo is NULL");
	MISUSE(INVALID_VALUE, doca_mmap_advise_task_invalidate_cache_set_conf(NULL, NULL, NULL, 1),
	       "mmap_advise is NULL");
	MISUSE(INVALID_VALUE,
	       doca_mmap_advise_task_invalidate_cache_alloc_init(NULL, NULL, none, NULL),
	       "mmap_advise and buf and task are NULL");
}
