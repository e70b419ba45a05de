/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The bridge to a connection manager of the program's own, and code on a DPA or GPU: not built yet.
 * Contexts exist, and are never on those data paths.
 */
#include <doca_rdma.h>

#include "base/unsupported.h"

/* The formatter takes the parameters of these macros for expressions. */
/* clang-format off */

/* Connections of a connection manager */
SDPU_UNSUPPORTED(doca_rdma_bridge_prepare_connection,
		 (struct doca_rdma *rdma, struct rdma_cm_id *cm_id,
		  struct doca_rdma_connection **rdma_connection),
		 rdma && cm_id && rdma_connection)
SDPU_UNSUPPORTED(doca_rdma_bridge_accept,
		 (struct doca_rdma *rdma, void *private_data, uint8_t private_data_len,
		  struct doca_rdma_connection *rdma_connection),
		 rdma && rdma_connection && (private_data || private_data_len == 0))
SDPU_UNSUPPORTED(doca_rdma_bridge_established,
		 (struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection),
		 rdma && rdma_connection)

/* DPA and GPU data path */
SDPU_OFF_DATA_PATH(doca_rdma_get_dpa_handle,
		   (struct doca_rdma *rdma, doca_dpa_dev_rdma_t *dpa_rdma), rdma && dpa_rdma)
SDPU_OFF_DATA_PATH(doca_rdma_get_gpu_handle,
		   (struct doca_rdma *rdma, struct doca_gpu_dev_rdma **gpu_rdma), rdma && gpu_rdma)
SDPU_UNSUPPORTED(doca_rdma_dpa_completion_attach,
		 (struct doca_rdma *rdma, struct doca_dpa_completion *dpa_comp), rdma && dpa_comp)
