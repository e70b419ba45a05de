/* SPDX-License-Identifier: BSD-3-Clause */
#include <doca_rdma.h>

#include "t.h"
#include "unsupported.h"

T_CASE(bridge)
{
	UNSUPPORTED(doca_rdma_bridge_prepare_connection(p(), p(), p()));
	UNSUPPORTED(doca_rdma_bridge_accept(p(), object, 8, p()));
	UNSUPPORTED(doca_rdma_bridge_established(p(), p()));
}

T_CASE(device_data_path)
{
	OFF_DATA_PATH(doca_rdma_get_dpa_handle(p(), p()));
	OFF_DATA_PATH(doca_rdma_get_gpu_handle(p(), p()));
	UNSUPPORTED(doca_rdma_dpa_completion_attach(p(), p()));
}

T_CASE(private_data_without_bytes)
{
	T_ERR(doca_rdma_bridge_accept((void *)object, NULL, 8, (void *)object),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_bridge_accept((void *)object, NULL, 0, (void *)object),
	      DOCA_ERROR_NOT_SUPPORTED);
}
