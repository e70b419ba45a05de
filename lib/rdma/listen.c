/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ports on which a context listens; contract in listen.h.
 */
#include <stdlib.h>

#include "base/error_text.h"
#include "base/log.h"
#include "base/refuse.h"
#include "rdma/backend.h"

static struct rdma_listener *listener_find(const struct doca_rdma *rdma, uint16_t port)
{
	struct sdpu_list *node;

	sdpu_list_for_each (node, &rdma->listeners) {
		struct rdma_listener *listener =
			sdpu_container_of(node, struct rdma_listener, node);

		if (listener->port == port)
			return listener;
	}
	return NULL;
}

static void listener_end(struct rdma_listener *listener)
{
	rdma_backend_unlisten_all(listener);
	sdpu_list_remove(&listener->node);
	free(listener);
}

void rdma_listener_end_all(struct doca_rdma *rdma)
{
	while (!sdpu_list_empty(&rdma->listeners))
		listener_end(sdpu_container_of(rdma->listeners.next, struct rdma_listener, node));
}

void rdma_listener_tell(const struct rdma_listener *listener, doca_error_t why)
{
	if (why != DOCA_ERROR_FULL)
		sdpu_log_warn("doca_rdma: a request on port %u is refused: %s", listener->port,
			      sdpu_error_descr(why));
}

static doca_error_t listener_begin(struct doca_rdma *rdma, uint16_t port)
{
	struct rdma_listener *listener = calloc(1, sizeof(*listener));
	doca_error_t result;

	if (listener == NULL)
		return sdpu_no_memory("doca_rdma_start_listen_to_port");
	listener->rdma = rdma;
	listener->port = port;
	result = rdma_backend_listen_all(listener);
	if (result != DOCA_SUCCESS) {
		free(listener);
		return result == DOCA_ERROR_NO_MEMORY
			       ? sdpu_no_memory("doca_rdma_start_listen_to_port")
			       : result;
	}
	sdpu_list_append(&rdma->listeners, &listener->node);
	return DOCA_SUCCESS;
}

static doca_error_t listen_refuse(uint16_t port, const char *why)
{
	sdpu_log_err("doca_rdma_start_listen_to_port: port %u %s", port, why);
	return DOCA_ERROR_CONNECTION_ABORTED;
}

doca_error_t doca_rdma_start_listen_to_port(struct doca_rdma *rdma, uint16_t port)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, rdma))
		return DOCA_ERROR_INVALID_VALUE;
	result = rdma_check_running(rdma, "doca_rdma_start_listen_to_port");
	if (result != DOCA_SUCCESS)
		return result;
	if (rdma->callbacks.request == NULL) {
		sdpu_log_err("doca_rdma_start_listen_to_port: nobody would hear of requests; "
			     "needed: give "
			     "doca_rdma_set_connection_state_callbacks() a request callback before "
			     "start");
		return DOCA_ERROR_BAD_STATE;
	}
	if (port == 0)
		return listen_refuse(port, "is no port; needed: 1 to 65535");
	if (listener_find(rdma, port) != NULL)
		return listen_refuse(
			port, "is listened to by this context; needed: another one, or stop first");
	return listener_begin(rdma, port);
}

doca_error_t doca_rdma_stop_listen_to_port(struct doca_rdma *rdma, uint16_t port)
{
	struct rdma_listener *listener;
	doca_error_t result;

	if (sdpu_any_null(__func__, rdma))
		return DOCA_ERROR_INVALID_VALUE;
	result = rdma_check_running(rdma, "doca_rdma_stop_listen_to_port");
	if (result != DOCA_SUCCESS)
		return result;
	listener = listener_find(rdma, port);
	if (listener == NULL) {
		sdpu_log_err("doca_rdma_stop_listen_to_port: this context does not listen to port "
			     "%u; needed: one that doca_rdma_start_listen_to_port() was given",
			     port);
		return DOCA_ERROR_CONNECTION_ABORTED;
	}
	listener_end(listener);
	return DOCA_SUCCESS;
}
