/* SPDX-License-Identifier: BSD-3-Clause */
#include "rdma_link.h"

#include "ctx_stop.h"

#define RDMA_LINK_PERMISSIONS                                                                      \
	(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ |                          \
	 DOCA_ACCESS_FLAG_RDMA_WRITE)

const char *wire_role_name(enum wire_role role)
{
	return role == WIRE_ROLE_CTRL ? "control" : "data";
}

static doca_error_t rdma_link_fault(const struct rdma_link *link, const char *action,
				    doca_error_t result, struct fault *fault)
{
	if (result == DOCA_SUCCESS)
		return result;
	return fault_raise(fault, result, "Failed to %s the %s RDMA context: %s", action,
			   wire_role_name(link->role), doca_error_get_name(result));
}

/* Of the callbacks only that for requests may be left out. */
static void rdma_link_established(struct doca_rdma_connection *connection,
				  union doca_data connection_user_data,
				  union doca_data ctx_user_data)
{
}

static void rdma_link_ended(struct doca_rdma_connection *connection,
			    union doca_data connection_user_data, union doca_data ctx_user_data)
{
	struct rdma_link *link = connection_user_data.ptr;

	/* relaxed: it carries nothing but itself */
	atomic_store_explicit(&link->lost, true, memory_order_relaxed);
}

doca_error_t rdma_link_make(struct rdma_link *link, enum wire_role role, struct doca_dev *dev,
			    struct doca_pe *pe, void *user_data, struct fault *fault)
{
	struct doca_ctx *ctx;
	doca_error_t result;

	*link = (struct rdma_link){.pe = pe, .role = role};
	result = doca_rdma_create(dev, &link->rdma);
	if (result != DOCA_SUCCESS)
		return rdma_link_fault(link, "create", result, fault);
	ctx = doca_rdma_as_ctx(link->rdma);
	result = doca_rdma_set_permissions(link->rdma, RDMA_LINK_PERMISSIONS);
	if (result == DOCA_SUCCESS)
		result = doca_pe_connect_ctx(pe, ctx);
	if (result == DOCA_SUCCESS)
		result = doca_ctx_set_user_data(ctx, (union doca_data){.ptr = user_data});
	if (result == DOCA_SUCCESS)
		result = doca_rdma_set_connection_state_callbacks(
			link->rdma, NULL, rdma_link_established, rdma_link_ended, rdma_link_ended);
	return rdma_link_fault(link, "set up", result, fault);
}

doca_error_t rdma_link_start(struct rdma_link *link, struct wire_blob *details, struct fault *fault)
{
	const void *bytes;
	size_t size;
	doca_error_t result;

	result = doca_ctx_start(doca_rdma_as_ctx(link->rdma));
	if (result != DOCA_SUCCESS)
		return rdma_link_fault(link, "start", result, fault);
	result = doca_rdma_export(link->rdma, &bytes, &size, &link->connection);
	if (result == DOCA_SUCCESS)
		result = doca_rdma_connection_set_user_data(link->connection,
							    (union doca_data){.ptr = link});
	if (result != DOCA_SUCCESS)
		return rdma_link_fault(link, "export", result, fault);
	*details = (struct wire_blob){.bytes = bytes, .size = (uint32_t)size};
	return DOCA_SUCCESS;
}

doca_error_t rdma_link_connect(struct rdma_link *link, const struct wire_blob *remote,
			       struct fault *fault)
{
	doca_error_t result;

	result = doca_rdma_connect(link->rdma, remote->bytes, remote->size, link->connection);
	return rdma_link_fault(link, "connect", result, fault);
}

bool rdma_link_is_running(const struct rdma_link *link)
{
	enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;

	doca_ctx_get_state(doca_rdma_as_ctx(link->rdma), &state);
	return state == DOCA_CTX_STATE_RUNNING;
}

bool rdma_link_any_is_lost(const struct rdma_link links[WIRE_ROLE_COUNT])
{
	return atomic_load_explicit(&links[WIRE_ROLE_DATA].lost, memory_order_relaxed) ||
	       atomic_load_explicit(&links[WIRE_ROLE_CTRL].lost, memory_order_relaxed);
}

void rdma_link_destroy(struct rdma_link *link, void (*free_tasks)(void *arg), void *arg,
		       struct fault *fault)
{
	struct ctx_stop stop = {
		.pe = link->pe,
		.name = link->role == WIRE_ROLE_CTRL ? "control RDMA context" : "data RDMA context",
		.free_tasks = free_tasks,
		.arg = arg,
	};

	if (link->rdma == NULL)
		return;
	stop.ctx = doca_rdma_as_ctx(link->rdma);
	if (ctx_stop(&stop, fault) == DOCA_SUCCESS)
		rdma_link_fault(link, "destroy", doca_rdma_destroy(link->rdma), fault);
	link->rdma = NULL;
}
