/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Encoding and judging of connection details; see blob.h. Integers are little-endian, texts end in
 * a zero byte and are padded with zeros. A new meaning of any byte is a new version. decode() reads
 * nothing before find_fault() has passed it.
 */
#include "rdma/blob.h"

#include <string.h>

#include <doca_rdma_types.h>

#include "base/bytes.h"
#include "base/log.h"
#include "bus/blob_wire.h"

#define RDMA_BLOB_MAGIC 0x52504453u /* "SDPR" */
#define RDMA_BLOB_VERSION 3

enum rdma_blob_offset {
	/* The head, which sdpu_blob_head_fault() judges. */
	AT_MAGIC = BLOB_AT_MAGIC,
	AT_VERSION = BLOB_AT_VERSION,
	AT_TRANSPORT = BLOB_AT_KIND,
	AT_LEN = BLOB_AT_LEN,
	AT_SUM = BLOB_AT_SUM,
	AT_PERMISSIONS = 16, /* u32 */
	AT_ID = 20,	     /* u32 */
	AT_COOKIE = 24,
	AT_MACHINE_ID = AT_COOKIE + RDMA_COOKIE_SIZE,
	AT_ENDPOINT = AT_MACHINE_ID + SDPU_MACHINE_ID_SIZE,
	AT_NUM_ADDRESSES = AT_ENDPOINT + SDPU_ENDPOINT_MAX, /* u32 */
	AT_ADDRESSES = AT_NUM_ADDRESSES + 4,
	/* Of each: 16 bytes as in IPv6, u16 port, u16 of padding. */
	ADDRESS_AT_PORT = RDMA_ADDRESS_LEN,
	ADDRESS_LEN = RDMA_ADDRESS_LEN + 4,
	RDMA_BLOB_LEN = AT_ADDRESSES + RDMA_BLOB_ADDRESSES * ADDRESS_LEN,
};

_Static_assert(RDMA_BLOB_LEN <= RDMA_BLOB_MAX, "must fit a control message of the programs");

void rdma_blob_encode(const struct rdma_blob *blob, uint8_t out[RDMA_BLOB_MAX], size_t *len)
{
	memset(out, 0, RDMA_BLOB_LEN);
	sdpu_put_u32(out + AT_MAGIC, RDMA_BLOB_MAGIC);
	sdpu_put_u16(out + AT_VERSION, RDMA_BLOB_VERSION);
	sdpu_put_u16(out + AT_TRANSPORT, (uint16_t)blob->transport);
	sdpu_put_u32(out + AT_LEN, RDMA_BLOB_LEN);
	sdpu_put_u32(out + AT_PERMISSIONS, blob->permissions);
	sdpu_put_u32(out + AT_ID, blob->connection_id);
	memcpy(out + AT_COOKIE, blob->cookie, RDMA_COOKIE_SIZE);
	memcpy(out + AT_MACHINE_ID, blob->machine_id, SDPU_MACHINE_ID_SIZE);
	memcpy(out + AT_ENDPOINT, blob->endpoint, strnlen(blob->endpoint, SDPU_ENDPOINT_MAX - 1));
	sdpu_put_u32(out + AT_NUM_ADDRESSES, blob->num_addresses);
	for (uint32_t i = 0; i < blob->num_addresses; i++) {
		uint8_t *at = out + AT_ADDRESSES + i * ADDRESS_LEN;

		rdma_address_to_bytes(&blob->addresses[i], at);
		sdpu_put_u16(at + ADDRESS_AT_PORT, blob->addresses[i].port);
	}
	sdpu_put_u32(out + AT_SUM, sdpu_blob_sum(out, RDMA_BLOB_LEN));
	*len = RDMA_BLOB_LEN;
}

static const char *find_fault(const uint8_t *bytes, size_t len)
{
	const char *fault =
		sdpu_blob_head_fault(bytes, len, RDMA_BLOB_MAGIC, RDMA_BLOB_VERSION, RDMA_BLOB_LEN);

	if (fault != NULL)
		return fault;
	if (sdpu_get_u16(bytes + AT_TRANSPORT) > DOCA_RDMA_TRANSPORT_TYPE_DC)
		return "an unknown transport";
	if (sdpu_get_u32(bytes + AT_NUM_ADDRESSES) > RDMA_BLOB_ADDRESSES)
		return "more addresses than there may be";
	/* One that speaks over the network only names no agent. */
	if (!sdpu_blob_is_endpoint(bytes + AT_ENDPOINT) &&
	    (bytes[AT_ENDPOINT] != 0 || sdpu_get_u32(bytes + AT_NUM_ADDRESSES) == 0))
		return "no process named";
	return NULL;
}

doca_error_t rdma_blob_decode(const void *bytes, size_t len, struct rdma_blob *blob)
{
	const uint8_t *at = bytes;
	const char *fault;

	if (sdpu_blob_refuse_version("doca_rdma_connect", "the connection's details are", at, len,
				     RDMA_BLOB_MAGIC, RDMA_BLOB_VERSION))
		return DOCA_ERROR_INVALID_VALUE;
	fault = find_fault(at, len);
	if (fault != NULL) {
		sdpu_log_err("doca_rdma_connect: the connection details of %zu bytes are none: %s; "
			     "needed: all bytes that doca_rdma_export() gave, unchanged",
			     len, fault);
		return DOCA_ERROR_INVALID_VALUE;
	}
	blob->transport = sdpu_get_u16(at + AT_TRANSPORT);
	blob->permissions = sdpu_get_u32(at + AT_PERMISSIONS);
	blob->connection_id = sdpu_get_u32(at + AT_ID);
	memcpy(blob->cookie, at + AT_COOKIE, RDMA_COOKIE_SIZE);
	memcpy(blob->machine_id, at + AT_MACHINE_ID, SDPU_MACHINE_ID_SIZE);
	memcpy(blob->endpoint, at + AT_ENDPOINT, SDPU_ENDPOINT_MAX);
	blob->num_addresses = sdpu_get_u32(at + AT_NUM_ADDRESSES);
	for (uint32_t i = 0; i < blob->num_addresses; i++) {
		const uint8_t *one = at + AT_ADDRESSES + i * ADDRESS_LEN;

		rdma_address_of_bytes(one, sdpu_get_u16(one + ADDRESS_AT_PORT),
				      &blob->addresses[i]);
	}
	return DOCA_SUCCESS;
}
