/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The back ends that there are, the best one first; contract in backend.h.
 */
#include "rdma/backend.h"

static const struct rdma_backend *const backends[] = {&rdma_local};

doca_error_t rdma_backend_open_all(struct doca_rdma_connection *connection)
{
	doca_error_t result = DOCA_SUCCESS;

	for (size_t i = 0; result == DOCA_SUCCESS && i < SDPU_ARRAY_SIZE(backends); i++)
		result = backends[i]->open(connection);
	if (result != DOCA_SUCCESS)
		rdma_backend_close_all(connection);
	return result;
}

void rdma_backend_close_all(struct doca_rdma_connection *connection)
{
	for (size_t i = 0; i < SDPU_ARRAY_SIZE(backends); i++)
		backends[i]->close(connection);
}

const struct rdma_backend *rdma_backend_choose(const struct rdma_blob *own,
					       const struct rdma_blob *peer)
{
	for (size_t i = 0; i < SDPU_ARRAY_SIZE(backends); i++)
		if (backends[i]->reaches(own, peer))
			return backends[i];
	return NULL;
}
