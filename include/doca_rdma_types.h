/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_rdma_types.h
 * @brief Types that all parts of doca_rdma.h share.
 *
 * Part of doca_rdma.h, whose conventions hold.
 */
#ifndef DOCA_RDMA_TYPES_H_
#define DOCA_RDMA_TYPES_H_

#include <doca_compat.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_rdma;	  /* connections of one device and their tasks; a context */
struct doca_rdma_addr;	  /* an address that a client connects to */
struct doca_gpu_dev_rdma; /* names a context in GPU code */

/**
 * @brief One end of a connection. Belongs to the library; lives from doca_rdma_export() or its
 * first callback until its context stops, at most.
 */
struct doca_rdma_connection;

/** Transport of a context. */
enum doca_rdma_transport_type {
	DOCA_RDMA_TRANSPORT_TYPE_RC = 0, /**< reliable connection */
	DOCA_RDMA_TRANSPORT_TYPE_DC = 1, /**< dynamic connection */
};

/** Form of the text of an address. */
enum doca_rdma_addr_type {
	DOCA_RDMA_ADDR_TYPE_IPv4 = 0, /**< dotted decimal */
	DOCA_RDMA_ADDR_TYPE_IPv6 = 1, /**< colon separated */
	DOCA_RDMA_ADDR_TYPE_GID = 2,  /**< a GID, written like IPv6 */
};

/** Which operation of the peer a receive has taken. */
enum doca_rdma_opcode {
	DOCA_RDMA_OPCODE_RECV_SEND = 0,		  /**< a send */
	DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM = 1,  /**< a send with immediate data */
	DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM = 2, /**< a write with immediate data */
};

/** An RDMA global identifier. */
struct doca_rdma_gid {
	uint8_t raw[DOCA_GID_BYTE_LENGTH]; /**< its bytes, most significant first */
};

/**
 * @brief A client asks a listening context for a connection: accept or reject it, now or later.
 *
 * @param[in] rdma_connection the connection asked for
 * @param[in] ctx_user_data value set on the context
 */
typedef void (*doca_rdma_connection_request_cb_t)(struct doca_rdma_connection *rdma_connection,
						  union doca_data ctx_user_data);

/**
 * @brief A connection by address is established; runs on both sides.
 *
 * @param[in] rdma_connection the connection, ready for tasks
 * @param[in] connection_user_data value set on the connection
 * @param[in] ctx_user_data value set on the context
 */
typedef void (*doca_rdma_connection_established_cb_t)(struct doca_rdma_connection *rdma_connection,
						      union doca_data connection_user_data,
						      union doca_data ctx_user_data);

/**
 * @brief A connection by address did not come up: refused, failed or timed out.
 *
 * @param[in] rdma_connection the connection; can be read until the callback returns
 * @param[in] connection_user_data value set on the connection
 * @param[in] ctx_user_data value set on the context
 */
typedef void (*doca_rdma_connection_failure_cb_t)(struct doca_rdma_connection *rdma_connection,
						  union doca_data connection_user_data,
						  union doca_data ctx_user_data);

/**
 * @brief An established connection has ended, by either side or by a failure. Tasks on it end in
 * their error callback.
 *
 * @param[in] rdma_connection the connection; can be read until the callback returns
 * @param[in] connection_user_data value set on the connection
 * @param[in] ctx_user_data value set on the context
 */
typedef void (*doca_rdma_connection_disconnection_cb_t)(
	struct doca_rdma_connection *rdma_connection, union doca_data connection_user_data,
	union doca_data ctx_user_data);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_RDMA_TYPES_H_ */
