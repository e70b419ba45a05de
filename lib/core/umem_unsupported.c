/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Registered memory and doorbell pages: a device in software lets nobody build its queues.
 */
#include <doca_umem.h>
#include <doca_uar.h>

#include "base/unsupported.h"

/* clang-format off */
SDPU_UNSUPPORTED(doca_umem_create,
	(const struct doca_dev *dev, void *address, size_t size, uint32_t access_flags,
	 struct doca_umem **umem), dev && address && umem)
SDPU_UNSUPPORTED(doca_umem_dpa_create,
	(struct doca_dpa *dpa, uint64_t address, size_t size, uint32_t access_flags,
	 struct doca_umem **umem), dpa && umem)
SDPU_UNSUPPORTED(doca_umem_gpu_create,
	(struct doca_gpu *gpu_dev, struct doca_dev *dev, void *address, size_t size,
	 uint32_t access_flags, struct doca_umem **umem), gpu_dev && dev && address && umem)
SDPU_UNSUPPORTED(doca_umem_destroy, (struct doca_umem *umem), umem)
SDPU_UNSUPPORTED(doca_umem_get_id, (const struct doca_umem *umem, uint32_t *id), umem && id)
SDPU_UNSUPPORTED(doca_umem_get_size, (const struct doca_umem *umem, uint32_t *size), umem && size)
SDPU_UNSUPPORTED(doca_umem_get_address,
	(const struct doca_umem *umem, void **address), umem && address)
SDPU_UNSUPPORTED(doca_uar_create,
	(const struct doca_dev *dev, enum doca_uar_allocation_type type, struct doca_uar **uar),
	dev && uar)
SDPU_UNSUPPORTED(doca_uar_dpa_create, (struct doca_dpa *dpa, struct doca_uar **uar), dpa && uar)
SDPU_UNSUPPORTED(doca_uar_destroy, (struct doca_uar *uar), uar)
SDPU_UNSUPPORTED(doca_uar_id_get, (const struct doca_uar *uar, uint32_t *id), uar && id)
SDPU_UNSUPPORTED(doca_uar_page_get, (const struct doca_uar *uar, void **page), uar && page)
SDPU_UNSUPPORTED(doca_uar_reg_addr_get,
	(const struct doca_uar *uar, void **reg_addr), uar && reg_addr)
/* clang-format on */
