/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What devices can do: the limits of the topology. No state; any thread.
 */
#include <string.h>

#include "base/log.h"
#include "base/refuse.h"
#include "rdma/rdma.h"

#define RDMA_LIMIT(call, name, field)                                                              \
	doca_error_t call(const struct doca_devinfo *devinfo, uint32_t *name)                      \
	{                                                                                          \
		if (sdpu_any_null(__func__, devinfo, name))                                        \
			return DOCA_ERROR_INVALID_VALUE;                                           \
		*name = sdpu_devinfo_function(devinfo)->limits->field;                             \
		return DOCA_SUCCESS;                                                               \
	}

RDMA_LIMIT(doca_rdma_cap_get_max_recv_queue_size, max_recv_queue_size, rdma_max_queue)
RDMA_LIMIT(doca_rdma_cap_get_max_send_queue_size, max_send_queue_size, rdma_max_queue)
RDMA_LIMIT(doca_rdma_cap_get_max_send_buf_list_len, max_send_buf_list_len, rdma_max_list)
RDMA_LIMIT(doca_rdma_cap_get_max_message_size, max_message_size, rdma_max_message)

doca_error_t doca_rdma_cap_get_gid_table_size(const struct doca_devinfo *devinfo,
					      uint32_t *gid_table_size)
{
	if (sdpu_any_null(__func__, devinfo, gid_table_size))
		return DOCA_ERROR_INVALID_VALUE;
	*gid_table_size = RDMA_GID_TABLE_SIZE;
	return DOCA_SUCCESS;
}

/* fe80:: and the MAC address as the last 64 bits of an IPv6 address have it. */
static void gid_of_mac(const uint8_t mac[DOCA_DEVINFO_MAC_ADDR_SIZE], struct doca_rdma_gid *gid)
{
	memset(gid, 0, sizeof(*gid));
	gid->raw[0] = 0xfe;
	gid->raw[1] = 0x80;
	memcpy(gid->raw + 8, mac, 3);
	gid->raw[8] ^= 0x02;
	gid->raw[11] = 0xff;
	gid->raw[12] = 0xfe;
	memcpy(gid->raw + 13, mac + 3, 3);
}

/* Each address once for each version of RoCE, as a port has them. */
void rdma_gid_at(const struct sdpu_function *function, uint32_t index, struct doca_rdma_gid *gid)
{
	if (index < RDMA_GID_TABLE_SIZE / 2)
		memcpy(gid->raw, function->gid, sizeof(gid->raw));
	else
		gid_of_mac(function->mac, gid);
}

doca_error_t doca_rdma_cap_get_gid(const struct doca_devinfo *devinfo, uint32_t start_index,
				   uint32_t num_entries, struct doca_rdma_gid *gid_array)
{
	if (sdpu_any_null(__func__, devinfo, gid_array))
		return DOCA_ERROR_INVALID_VALUE;
	if (start_index > RDMA_GID_TABLE_SIZE || num_entries > RDMA_GID_TABLE_SIZE - start_index) {
		sdpu_log_err("doca_rdma_cap_get_gid: %u entries from %u on; needed: no more than "
			     "the table has, %d (doca_rdma_cap_get_gid_table_size())",
			     num_entries, start_index, RDMA_GID_TABLE_SIZE);
		return DOCA_ERROR_INVALID_VALUE;
	}
	for (uint32_t i = 0; i < num_entries; i++)
		rdma_gid_at(sdpu_devinfo_function(devinfo), start_index + i, &gid_array[i]);
	return DOCA_SUCCESS;
}

doca_error_t rdma_transport_check(enum doca_rdma_transport_type transport)
{
	if (transport == DOCA_RDMA_TRANSPORT_TYPE_RC)
		return DOCA_SUCCESS;
	return transport == DOCA_RDMA_TRANSPORT_TYPE_DC ? DOCA_ERROR_NOT_SUPPORTED
							: DOCA_ERROR_INVALID_VALUE;
}

doca_error_t doca_rdma_cap_transport_type_is_supported(const struct doca_devinfo *devinfo,
						       enum doca_rdma_transport_type transport_type)
{
	if (sdpu_any_null(__func__, devinfo))
		return DOCA_ERROR_INVALID_VALUE;
	return rdma_transport_check(transport_type);
}
