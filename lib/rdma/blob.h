/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Details of an exported connection, as the program carries them to the peer: what the peer must
 * know to find the process and the connection object. They go through the program's hands and are
 * not trusted when they come back. Whoever has them may connect. Owner: the caller. Pure functions;
 * any thread.
 */
#ifndef SDPU_RDMA_BLOB_H
#define SDPU_RDMA_BLOB_H

#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "bus/agent.h"
#include "bus/blob.h"
#include "rdma/address.h"

#define RDMA_BLOB_MAX 1008 /* programs put it into messages of 1 KiB */
#define RDMA_COOKIE_SIZE 16
#define RDMA_BLOB_ADDRESSES 4

struct rdma_blob {
	uint32_t transport;   /* enum doca_rdma_transport_type */
	uint32_t permissions; /* of the context, as a responder */
	uint32_t connection_id;
	uint8_t cookie[RDMA_COOKIE_SIZE]; /* random; names the connection object */
	uint8_t machine_id[SDPU_MACHINE_ID_SIZE];
	char endpoint[SDPU_ENDPOINT_MAX]; /* agent of the process; "": from this machine, as from
					   * others */
	/* From other machines: the addresses of this one with the port of the process, the best one
	 * first. None: not to be reached. */
	uint32_t num_addresses;
	struct rdma_address addresses[RDMA_BLOB_ADDRESSES];
};

void rdma_blob_encode(const struct rdma_blob *blob, uint8_t out[RDMA_BLOB_MAX], size_t *len);
/* INVALID_VALUE, logged with found and needed. Bytes behind the blob are ignored: programs pass
 * buffers of a fixed size. */
doca_error_t rdma_blob_decode(const void *bytes, size_t len, struct rdma_blob *blob);

#endif
