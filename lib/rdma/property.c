/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Properties of a context: set while IDLE, read at any time. Several have no effect in software and
 * are kept for programs that ask.
 */
#include "base/log.h"
#include "base/refuse.h"
#include "base/round.h"
#include "rdma/rdma.h"

#define RDMA_QUEUE_MIN 128

void rdma_property_init(struct rdma_property *property)
{
	*property = (struct rdma_property){
		.send_list_len = 1,
		.recv_list_len = 1,
		.transport = DOCA_RDMA_TRANSPORT_TYPE_RC,
		.mtu = DOCA_MTU_SIZE_4K_BYTES,
		.permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
		.connect_timeout = 2000,
		.max_connections = 1,
		.grh_enabled = 1,
		.rnr_retry_count = 6,
	};
}

static doca_error_t property_refuse(const char *call, uint32_t value, const char *needed,
				    doca_error_t code)
{
	sdpu_log_err("%s: %u; needed: %s", call, value, needed);
	return code;
}

/* Common to all setters. */
static doca_error_t property_check(const struct doca_rdma *rdma, const char *call)
{
	return sdpu_any_null(call, rdma) ? DOCA_ERROR_INVALID_VALUE
					 : sdpu_ctx_configurable(&rdma->ctx, call);
}

static doca_error_t set_queue(struct doca_rdma *rdma, uint32_t size, uint32_t *field,
			      const char *call)
{
	if (size == 0)
		return property_refuse(call, size, "at least 1", DOCA_ERROR_INVALID_VALUE);
	if (size > rdma_limits(rdma)->rdma_max_queue)
		return property_refuse(call, size,
				       "no more than doca_rdma_cap_get_max_send_queue_size() says",
				       DOCA_ERROR_NOT_SUPPORTED);
	*field = sdpu_round_up(size, 1);
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_set_send_queue_size(struct doca_rdma *rdma, uint32_t send_queue_size)
{
	doca_error_t result = property_check(rdma, __func__);

	return result != DOCA_SUCCESS ? result
				      : set_queue(rdma, send_queue_size,
						  &rdma->property.send_queue_size, __func__);
}

doca_error_t doca_rdma_set_recv_queue_size(struct doca_rdma *rdma, uint32_t recv_queue_size)
{
	doca_error_t result = property_check(rdma, __func__);

	return result != DOCA_SUCCESS ? result
				      : set_queue(rdma, recv_queue_size,
						  &rdma->property.recv_queue_size, __func__);
}

/* What was set, or what the configured tasks need. */
static uint32_t queue_in_use(uint32_t set, uint32_t tasks)
{
	if (set != 0)
		return set;
	return sdpu_round_up(tasks > RDMA_QUEUE_MIN ? tasks : RDMA_QUEUE_MIN, 1);
}

doca_error_t doca_rdma_get_send_queue_size(const struct doca_rdma *rdma, uint32_t *send_queue_size)
{
	uint32_t tasks = 0;

	if (sdpu_any_null(__func__, rdma, send_queue_size))
		return DOCA_ERROR_INVALID_VALUE;
	for (int i = 0; i < RDMA_OP_KINDS; i++)
		tasks += rdma->ops[i].num;
	*send_queue_size = queue_in_use(rdma->property.send_queue_size, tasks);
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_get_recv_queue_size(const struct doca_rdma *rdma, uint32_t *recv_queue_size)
{
	if (sdpu_any_null(__func__, rdma, recv_queue_size))
		return DOCA_ERROR_INVALID_VALUE;
	*recv_queue_size = queue_in_use(rdma->property.recv_queue_size, rdma->receives.num);
	return DOCA_SUCCESS;
}

static doca_error_t set_list_len(struct doca_rdma *rdma, uint32_t len, uint32_t *field,
				 const char *call)
{
	if (len == 0 || len > rdma_limits(rdma)->rdma_max_list)
		return property_refuse(call, len, "1 to doca_rdma_cap_get_max_send_buf_list_len()",
				       DOCA_ERROR_INVALID_VALUE);
	*field = len;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_set_max_send_buf_list_len(struct doca_rdma *rdma,
						 uint32_t max_send_buf_list_len)
{
	doca_error_t result = property_check(rdma, __func__);

	return result != DOCA_SUCCESS ? result
				      : set_list_len(rdma, max_send_buf_list_len,
						     &rdma->property.send_list_len, __func__);
}

doca_error_t doca_rdma_task_receive_set_dst_buf_list_len(struct doca_rdma *rdma,
							 uint32_t buf_list_len)
{
	doca_error_t result = property_check(rdma, __func__);

	return result != DOCA_SUCCESS
		       ? result
		       : set_list_len(rdma, buf_list_len, &rdma->property.recv_list_len, __func__);
}

doca_error_t doca_rdma_set_transport_type(struct doca_rdma *rdma,
					  enum doca_rdma_transport_type transport_type)
{
	doca_error_t result = property_check(rdma, __func__);

	if (result != DOCA_SUCCESS)
		return result;
	result = rdma_transport_check(transport_type);
	if (result != DOCA_SUCCESS)
		return property_refuse(__func__, transport_type, "DOCA_RDMA_TRANSPORT_TYPE_RC (0)",
				       result);
	rdma->property.transport = transport_type;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_set_mtu(struct doca_rdma *rdma, enum doca_mtu_size mtu)
{
	doca_error_t result = property_check(rdma, __func__);

	if (result != DOCA_SUCCESS)
		return result;
	if ((unsigned int)mtu > DOCA_MTU_SIZE_4K_BYTES)
		return property_refuse(__func__, mtu, "up to DOCA_MTU_SIZE_4K_BYTES (4)",
				       mtu == DOCA_MTU_SIZE_RAW_ETHERNET
					       ? DOCA_ERROR_NOT_SUPPORTED
					       : DOCA_ERROR_INVALID_VALUE);
	rdma->property.mtu = mtu;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_set_permissions(struct doca_rdma *rdma, uint32_t permissions)
{
	const uint32_t known = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ |
			       DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC;
	doca_error_t result = property_check(rdma, __func__);

	if (result != DOCA_SUCCESS)
		return result;
	if ((permissions & ~known) != 0)
		return property_refuse(__func__, permissions,
				       "a mask of LOCAL_READ_WRITE (1), RDMA_READ (2), RDMA_WRITE "
				       "(4), RDMA_ATOMIC (8)",
				       DOCA_ERROR_INVALID_VALUE);
	rdma->property.permissions = permissions;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_set_grh_enabled(struct doca_rdma *rdma, uint8_t grh_enabled)
{
	doca_error_t result = property_check(rdma, __func__);

	if (result != DOCA_SUCCESS)
		return result;
	if (grh_enabled != 1)
		return property_refuse(__func__, grh_enabled, "1, the devices are Ethernet ones",
				       grh_enabled == 0 ? DOCA_ERROR_NOT_SUPPORTED
							: DOCA_ERROR_INVALID_VALUE);
	rdma->property.grh_enabled = grh_enabled;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_set_gid_index(struct doca_rdma *rdma, uint32_t gid_index)
{
	doca_error_t result = property_check(rdma, __func__);

	if (result != DOCA_SUCCESS)
		return result;
	if (gid_index >= RDMA_GID_TABLE_SIZE)
		return property_refuse(__func__, gid_index, "an index into the device's table",
				       DOCA_ERROR_INVALID_VALUE);
	rdma->property.gid_index = gid_index;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_set_sl(struct doca_rdma *rdma, uint32_t sl)
{
	doca_error_t result = property_check(rdma, __func__);

	if (result == DOCA_SUCCESS)
		rdma->property.sl = sl;
	return result;
}

doca_error_t doca_rdma_set_connection_request_timeout(struct doca_rdma *rdma, uint16_t timeout)
{
	doca_error_t result = property_check(rdma, __func__);

	if (result == DOCA_SUCCESS)
		rdma->property.connect_timeout = timeout;
	return result;
}

doca_error_t doca_rdma_set_max_num_connections(struct doca_rdma *rdma, uint16_t max_num_connections)
{
	doca_error_t result = property_check(rdma, __func__);

	if (result != DOCA_SUCCESS)
		return result;
	if (max_num_connections == 0 ||
	    max_num_connections > rdma_limits(rdma)->rdma_max_connections)
		return property_refuse(__func__, max_num_connections,
				       "at least 1, and no more than the device has",
				       DOCA_ERROR_NOT_SUPPORTED);
	rdma->property.max_connections = max_num_connections;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_set_rnr_retry_count(struct doca_rdma *rdma, uint8_t rnr_retry_count)
{
	doca_error_t result = property_check(rdma, __func__);

	if (result != DOCA_SUCCESS)
		return result;
	if (rnr_retry_count > 7)
		return property_refuse(__func__, rnr_retry_count, "0 to 7",
				       DOCA_ERROR_NOT_SUPPORTED);
	rdma->property.rnr_retry_count = rnr_retry_count;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_set_connection_state_callbacks(
	struct doca_rdma *rdma, doca_rdma_connection_request_cb_t doca_rdma_connect_request_cb,
	doca_rdma_connection_established_cb_t doca_rdma_connect_established_cb,
	doca_rdma_connection_failure_cb_t doca_rdma_connect_failure_cb,
	doca_rdma_connection_disconnection_cb_t doca_rdma_disconnect_cb)
{
	doca_error_t result = property_check(rdma, __func__);

	if (result != DOCA_SUCCESS)
		return result;
	if (doca_rdma_connect_established_cb == NULL || doca_rdma_connect_failure_cb == NULL ||
	    doca_rdma_disconnect_cb == NULL) {
		sdpu_log_err("doca_rdma_set_connection_state_callbacks: a callback is NULL; "
			     "needed: all but that of requests");
		return DOCA_ERROR_INVALID_VALUE;
	}
	rdma->callbacks = (struct rdma_callbacks){
		.request = doca_rdma_connect_request_cb,
		.established = doca_rdma_connect_established_cb,
		.failed = doca_rdma_connect_failure_cb,
		.disconnected = doca_rdma_disconnect_cb,
	};
	return DOCA_SUCCESS;
}

#define RDMA_GETTER(call, qualifier, type, name, field)                                            \
	doca_error_t call(qualifier struct doca_rdma *rdma, type *name)                            \
	{                                                                                          \
		if (sdpu_any_null(__func__, rdma, name))                                           \
			return DOCA_ERROR_INVALID_VALUE;                                           \
		*name = rdma->property.field;                                                      \
		return DOCA_SUCCESS;                                                               \
	}

RDMA_GETTER(doca_rdma_get_max_send_buf_list_len, const, uint32_t, max_send_buf_list_len,
	    send_list_len)
RDMA_GETTER(doca_rdma_task_receive_get_dst_buf_list_len, const, uint32_t, buf_list_len,
	    recv_list_len)
RDMA_GETTER(doca_rdma_get_transport_type, const, enum doca_rdma_transport_type, transport_type,
	    transport)
RDMA_GETTER(doca_rdma_get_mtu, const, enum doca_mtu_size, mtu, mtu)
RDMA_GETTER(doca_rdma_get_permissions, , uint32_t, permissions, permissions)
RDMA_GETTER(doca_rdma_get_grh_enabled, const, uint8_t, grh_enabled, grh_enabled)
RDMA_GETTER(doca_rdma_get_gid_index, const, uint32_t, gid_index, gid_index)
RDMA_GETTER(doca_rdma_get_sl, const, uint32_t, sl, sl)
RDMA_GETTER(doca_rdma_get_connection_request_timeout, const, uint16_t, timeout, connect_timeout)
RDMA_GETTER(doca_rdma_get_max_num_connections, , uint16_t, max_num_connections, max_connections)
RDMA_GETTER(doca_rdma_get_rnr_retry_count, const, uint8_t, rnr_retry_count, rnr_retry_count)
