/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bridge to the verbs library: a device in software has no protection domain.
 */
#include <doca_rdma_bridge.h>

#include "base/unsupported.h"

/* clang-format off */
SDPU_UNSUPPORTED(doca_rdma_bridge_get_dev_pd,
	(const struct doca_dev *dev, struct ibv_pd **pd), dev && pd)
SDPU_UNSUPPORTED(doca_rdma_bridge_open_dev_from_pd,
	(struct ibv_pd *pd, struct doca_dev **dev), pd && dev)
SDPU_UNSUPPORTED(doca_rdma_bridge_get_buf_mkey,
	(const struct doca_buf *buf, struct doca_dev *dev, uint32_t *mkey), buf && dev && mkey)
/* clang-format on */
