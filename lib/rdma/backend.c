/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The back ends that there are, the best one first, and which of them may be used; contract in
 * backend.h. The environment is read once.
 */
#include "rdma/backend.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"

static const struct rdma_backend *const backends[] = {&rdma_local, &rdma_fabric};

#define ALL_BACKENDS ((1u << SDPU_ARRAY_SIZE(backends)) - 1)

static uint32_t allowed; /* atomic: bit i for backends[i]; 0: not read yet */

static uint32_t allowed_read(void)
{
	const char *text = getenv("SOFTDPU_RDMA");

	if (text == NULL || text[0] == '\0')
		return ALL_BACKENDS;
	for (uint32_t i = 0; i < SDPU_ARRAY_SIZE(backends); i++)
		if (strcmp(text, backends[i]->name) == 0)
			return 1u << i;
	sdpu_log_warn("SOFTDPU_RDMA is \"%s\"; needed: local or fabric, or not set for both; it is "
		      "ignored",
		      text);
	return ALL_BACKENDS;
}

static uint32_t allowed_get(void)
{
	uint32_t mask = sdpu_load(&allowed);

	if (mask == 0) {
		mask = allowed_read();
		sdpu_store(&allowed, mask);
	}
	return mask;
}

bool rdma_backend_is_only(const struct rdma_backend *backend)
{
	uint32_t mask = allowed_get();

	for (uint32_t i = 0; i < SDPU_ARRAY_SIZE(backends); i++)
		if (backends[i] == backend)
			return mask == 1u << i;
	return false;
}

/* The next one behind `prev` that may be used; NULL: the first one. NULL at the end. */
static const struct rdma_backend *backend_next(const struct rdma_backend *prev)
{
	uint32_t mask = allowed_get();

	for (uint32_t i = 0; i < SDPU_ARRAY_SIZE(backends); i++) {
		if (prev == NULL && (mask & 1u << i))
			return backends[i];
		if (prev == backends[i])
			prev = NULL;
	}
	return NULL;
}

doca_error_t rdma_backend_open_all(struct doca_rdma_connection *connection)
{
	const struct rdma_backend *backend = NULL;
	doca_error_t result = DOCA_SUCCESS;

	while (result == DOCA_SUCCESS && (backend = backend_next(backend)) != NULL)
		result = backend->open(connection);
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
	const struct rdma_backend *backend = NULL;

	while ((backend = backend_next(backend)) != NULL)
		if (backend->reaches(own, peer))
			return backend;
	return NULL;
}

doca_error_t rdma_backend_listen_all(struct rdma_listener *listener)
{
	const struct rdma_backend *best = backend_next(NULL), *backend = best;
	doca_error_t result = best->listen(listener);

	while (result == DOCA_SUCCESS && (backend = backend_next(backend)) != NULL) {
		result = backend->listen(listener);
		if (result == DOCA_SUCCESS || result == DOCA_ERROR_NO_MEMORY)
			continue;
		sdpu_log_warn("doca_rdma_start_listen_to_port: only %s clients find port %u, see "
			      "above",
			      best->name, listener->port);
		result = DOCA_SUCCESS;
	}
	if (result != DOCA_SUCCESS)
		rdma_backend_unlisten_all(listener);
	return result;
}

void rdma_backend_unlisten_all(struct rdma_listener *listener)
{
	for (size_t i = 0; i < SDPU_ARRAY_SIZE(backends); i++)
		backends[i]->unlisten(listener);
}

doca_error_t rdma_backend_dial(struct doca_rdma_connection *connection,
			       const struct rdma_address *to)
{
	const struct rdma_backend *backend = NULL;
	doca_error_t result = DOCA_ERROR_NOT_FOUND;

	while (result == DOCA_ERROR_NOT_FOUND && (backend = backend_next(backend)) != NULL)
		result = backend->dial(connection, to);
	return result;
}
