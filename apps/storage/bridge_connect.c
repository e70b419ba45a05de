/* SPDX-License-Identifier: BSD-3-Clause */
/* Negotiates the two RDMA connections of a bridge thread with the target. */
#include "bridge.h"

static doca_error_t bridge_check_response(struct bridge *bridge, const struct wire_message *request,
					  const struct wire_message *response)
{
	if (response->correlation_id == request->correlation_id &&
	    response->connection.role == request->connection.role)
		return DOCA_SUCCESS;
	return fault_raise(&bridge->app.fault, DOCA_ERROR_UNEXPECTED,
			   "The target answered a request %u for a %s connection with %u for a "
			   "%s connection",
			   request->correlation_id, wire_role_name(request->connection.role),
			   response->correlation_id, wire_role_name(response->connection.role));
}

static doca_error_t bridge_connect_link(struct bridge_thread *thread, enum wire_role role,
					uint32_t id)
{
	struct bridge *bridge = thread->bridge;
	struct control_channel *target = &bridge->target.channel;
	struct waiter *waiter = &bridge->app.waiter;
	const uint32_t limit = bridge->app.control_timeout;
	struct wire_message request = {
		.type = WIRE_CREATE_RDMA_CONNECTION_REQUEST,
		.correlation_id = id,
		.connection.role = role,
	};
	struct wire_message response;
	doca_error_t result;

	result = rdma_link_start(&thread->links[role], &request.connection.details,
				 &bridge->app.fault);
	if (result == DOCA_SUCCESS)
		result = control_send(target, waiter, &request, limit);
	if (result == DOCA_SUCCESS)
		result = control_expect(target, waiter, WIRE_CREATE_RDMA_CONNECTION_RESPONSE, limit,
					NULL, &response);
	if (result != DOCA_SUCCESS)
		return result;
	result = bridge_check_response(bridge, &request, &response);
	if (result == DOCA_SUCCESS)
		result = rdma_link_connect(&thread->links[role], &response.connection.details,
					   &bridge->app.fault);
	control_done(target);
	return result;
}

doca_error_t bridge_thread_connect(struct bridge_thread *thread, uint32_t id)
{
	doca_error_t result = bridge_connect_link(thread, WIRE_ROLE_CTRL, id);

	if (result == DOCA_SUCCESS)
		result = bridge_connect_link(thread, WIRE_ROLE_DATA, id);
	return result;
}
