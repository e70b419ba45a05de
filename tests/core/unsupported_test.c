/* SPDX-License-Identifier: BSD-3-Clause */
#include <doca_buf_array.h>
#include <doca_rdma_bridge.h>
#include <doca_sync_event.h>
#include <doca_uar.h>
#include <doca_umem.h>

#include "t.h"
#include "unsupported.h"

T_CASE(sync_event_on_devices)
{
	UNSUPPORTED(doca_sync_event_add_publisher_location_gpu(p(), p()));
	UNSUPPORTED(doca_sync_event_add_subscriber_location_gpu(p(), p()));
	UNSUPPORTED(doca_sync_event_remote_net_get_dpa_handle(p(), p(), p()));
	UNSUPPORTED(doca_sync_event_get_gpu_handle(p(), p(), p()));
	UNSUPPORTED(doca_sync_event_remote_net_get_gpu_handle(p(), p(), p()));
	UNSUPPORTED(doca_sync_event_cap_is_export_to_gpu_supported(p()));
	UNSUPPORTED(doca_sync_event_cap_remote_net_is_export_to_dpa_supported(p()));
	UNSUPPORTED(doca_sync_event_cap_remote_net_is_export_to_gpu_supported(p()));
}

T_CASE(buf_array_targets)
{
	UNSUPPORTED(doca_buf_arr_set_target_gpu(p(), p()));
}

T_CASE(umem_and_uar)
{
	UNSUPPORTED(doca_umem_create(p(), p(), 8, 8, p()));
	UNSUPPORTED(doca_umem_dpa_create(p(), 8, 8, 8, p()));
	UNSUPPORTED(doca_umem_gpu_create(p(), p(), p(), 8, 8, p()));
	UNSUPPORTED(doca_umem_destroy(p()));
	UNSUPPORTED(doca_umem_get_id(p(), p()));
	UNSUPPORTED(doca_umem_get_size(p(), p()));
	UNSUPPORTED(doca_umem_get_address(p(), p()));
	UNSUPPORTED(doca_uar_create(p(), DOCA_UAR_ALLOCATION_TYPE_NONCACHE, p()));
	UNSUPPORTED(doca_uar_dpa_create(p(), p()));
	UNSUPPORTED(doca_uar_destroy(p()));
	UNSUPPORTED(doca_uar_id_get(p(), p()));
	UNSUPPORTED(doca_uar_page_get(p(), p()));
	UNSUPPORTED(doca_uar_reg_addr_get(p(), p()));
}

T_CASE(rdma_bridge)
{
	UNSUPPORTED(doca_rdma_bridge_get_dev_pd(p(), p()));
	UNSUPPORTED(doca_rdma_bridge_open_dev_from_pd(p(), p()));
	UNSUPPORTED(doca_rdma_bridge_get_buf_mkey(p(), p(), p()));
}
