/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Connections by address, the bridge to a connection manager, and code on a DPA or GPU: not built
 * yet. Contexts exist, and are never on those data paths.
 */
#include <doca_rdma.h>

#include "base/unsupported.h"

/* The formatter takes the parameters of these macros for expressions. */
/* clang-format off */

/* Connections by address */
SDPU_UNSUPPORTED(doca_rdma_addr_create,
		 (enum doca_rdma_addr_type addr_type, const char *address, uint16_t port,
		  struct doca_rdma_addr **addr),
		 address && addr)
SDPU_UNSUPPORTED(doca_rdma_addr_destroy, (struct doca_rdma_addr *addr), addr)
SDPU_UNSUPPORTED(doca_rdma_addr_get_params,
		 (struct doca_rdma_addr *addr, enum doca_rdma_addr_type *addr_type,
		  const char **address, uint16_t *port),
		 addr && addr_type && address && port)
SDPU_UNSUPPORTED(doca_rdma_start_listen_to_port, (struct doca_rdma *rdma, uint16_t port), rdma)
SDPU_UNSUPPORTED(doca_rdma_stop_listen_to_port, (struct doca_rdma *rdma, uint16_t port), rdma)
SDPU_UNSUPPORTED(doca_rdma_connect_to_addr,
		 (struct doca_rdma *rdma, struct doca_rdma_addr *addr,
		  union doca_data connection_user_data),
		 rdma && addr)
SDPU_UNSUPPORTED(doca_rdma_connection_accept,
		 (struct doca_rdma_connection *rdma_connection, void *private_data,
		  uint8_t private_data_len),
		 rdma_connection && (private_data || private_data_len == 0))
SDPU_UNSUPPORTED(doca_rdma_connection_reject, (struct doca_rdma_connection *rdma_connection),
		 rdma_connection)
SDPU_UNSUPPORTED(doca_rdma_connection_disconnect, (struct doca_rdma_connection *rdma_connection),
		 rdma_connection)
SDPU_UNSUPPORTED(doca_rdma_connection_get_addr,
		 (const struct doca_rdma_connection *rdma_connection, struct doca_rdma_addr **addr),
		 rdma_connection && addr)

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
