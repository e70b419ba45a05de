/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_rdma.h
 * @brief RDMA: messages and remote memory access between contexts.
 *
 * Life of a context: create, set properties, configure tasks, doca_pe_connect_ctx(),
 * doca_ctx_start() (DOCA_SUCCESS, RUNNING at once, also with no task configured), connect, use,
 * doca_ctx_stop(), progress until IDLE, destroy. Stop ends every connection and completes submitted
 * tasks through their error callbacks; IDLE is reached when all tasks have been freed.
 *
 * A connection is made in one of two ways. By export: each side calls doca_rdma_export(), the
 * program swaps the details by any means, each side calls doca_rdma_connect(). By address: one side
 * listens to a port, the other connects to it, callbacks report the outcome.
 *
 * Tasks: receives belong to the context, all others name a connection, on which they take effect
 * and complete in the order of their submission. An operation on a connection that is not joined
 * yet, and a message for which no receive is posted, wait.
 *
 * Status of a failed task, from doca_task_get_status():
 * - DOCA_ERROR_INVALID_VALUE: a local buffer does not suit the operation
 * - DOCA_ERROR_NOT_PERMITTED: the remote range or its permissions forbid the access
 * - DOCA_ERROR_IO_FAILED: the message was longer than the receive; the connection is broken
 * - DOCA_ERROR_CONNECTION_RESET: the peer is gone
 * - DOCA_ERROR_SHUTDOWN: the context was stopped, or this side has ended the connection
 *
 * Conventions: outputs are written on success only. "Legal in" names the states of the context in
 * which a call may be made. Callbacks run inside doca_pe_progress(), and may do anything but
 * progress the same engine. A context, its engine, connections and tasks belong to one thread at a
 * time; capability calls and addresses are free of that.
 */
#ifndef DOCA_RDMA_H_
#define DOCA_RDMA_H_

#include <doca_compat.h>
#include <doca_dev.h>
#include <doca_dpa_dev_handles.h>
#include <doca_error.h>
#include <doca_pe.h>
#include <doca_rdma_property.h>
#include <doca_rdma_task_atomic.h>
#include <doca_rdma_task_memory.h>
#include <doca_rdma_task_message.h>
#include <doca_rdma_task_sync_event.h>
#include <doca_rdma_types.h>
#include <doca_types.h>

/** Room for the name of an RDMA device, as <rdma/ib_user_verbs.h> has it; programs rely on it. */
#ifndef IB_DEVICE_NAME_MAX
#define IB_DEVICE_NAME_MAX 64
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct doca_dpa_completion;
struct rdma_cm_id;

/* ---- Context ---- */

/**
 * @brief Create a context, in state IDLE.
 *
 * @param[in] dev the device; stays the caller's and must outlive the context
 * @param[out] rdma the context, owned by the caller
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 * @return DOCA_ERROR_INITIALIZATION: a lock could not be made
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_create(struct doca_dev *dev, struct doca_rdma **rdma);

/**
 * @brief Destroy a context and the tasks left in its pools. Legal in: IDLE, also inside its own
 * IDLE callback.
 *
 * @param[in] rdma the context; on failure it stays usable
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: rdma is NULL
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_destroy(struct doca_rdma *rdma);

/**
 * @brief View the context as a generic one, to connect, start and stop it. Legal in: every state.
 *
 * @param[in] rdma the context
 * @return the generic context, which lives as long; NULL for NULL
 */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_rdma_as_ctx(struct doca_rdma *rdma);

/* ---- Connections by export: details swapped by the program ---- */

/**
 * @brief Make a connection object and the details by which a peer can join it. Legal in: STARTING,
 * RUNNING.
 *
 * @param[in] rdma the context
 * @param[out] local_rdma_conn_details opaque bytes, the library's, valid as long as the connection.
 *         Whoever has them can connect
 * @param[out] local_rdma_conn_details_size their number
 * @param[out] rdma_connection the connection, the library's; tasks may be submitted to it before it
 *         is joined, and wait
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: not started
 * @return DOCA_ERROR_FULL: as many connections as doca_rdma_set_max_num_connections() allows exist
 * @return DOCA_ERROR_CONNECTION_ABORTED: the details could not be made
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_export(struct doca_rdma *rdma, const void **local_rdma_conn_details,
			      size_t *local_rdma_conn_details_size,
			      struct doca_rdma_connection **rdma_connection);

/**
 * @brief Join an exported connection to the peer's end of it. Either side may be first. Legal in:
 * STARTING, RUNNING.
 *
 * @param[in] rdma the context
 * @param[in] remote_rdma_conn_details what doca_rdma_export() gave the peer; may be discarded
 *         afterwards
 * @param[in] remote_rdma_conn_details_size its number of bytes
 * @param[in] rdma_connection the connection that this side's doca_rdma_export() made
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, the size is 0, or the connection is not of
 *         this context
 * @return DOCA_ERROR_BAD_STATE: not started, or joined already
 * @return DOCA_ERROR_CONNECTION_ABORTED: the details are damaged, out of date, or of something else
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_connect(struct doca_rdma *rdma, const void *remote_rdma_conn_details,
			       size_t remote_rdma_conn_details_size,
			       struct doca_rdma_connection *rdma_connection);

/* ---- Connections by address ---- */

/*
 * Server: listen, then accept or reject what the request callback brings, inside it or later.
 * Client: connect. The established callback runs on both sides, before any task of the connection
 * completes; or the failure callback does on both, as far as the server has heard of the request.
 * An end that was established ends with the disconnection callback, after all of its tasks. None of
 * them runs for what doca_ctx_stop() ends.
 *
 * An address of the built-in or configured devices, or of this machine, leads to the context on
 * this machine that listens there; others lead to another machine.
 */

/**
 * @brief Make an address to connect to. Legal at any time, in any thread.
 *
 * @param[in] addr_type form of the text
 * @param[in] address the text, numeric ("10.0.0.1", "fe80::1"); copied
 * @param[in] port the port, in host order
 * @param[out] addr the address, owned by the caller
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, the form is unknown, or the text is not of
 *         it
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_addr_create(enum doca_rdma_addr_type addr_type, const char *address,
				   uint16_t port, struct doca_rdma_addr **addr);

/**
 * @brief Destroy an address. Legal once no connection is being made to it; connections that were
 * made go on, and still show it.
 *
 * @param[in] addr the address; made by doca_rdma_addr_create()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: addr is NULL
 * @return DOCA_ERROR_BAD_STATE: a connection is being made to it, whose established or failure
 *         callback has not run
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_addr_destroy(struct doca_rdma_addr *addr);

/**
 * @brief Read an address back. Legal while it exists.
 *
 * @param[in] addr the address
 * @param[out] addr_type form of the text
 * @param[out] address the text; belongs to the address
 * @param[out] port the port, in host order; 0 for that of a client
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_addr_get_params(struct doca_rdma_addr *addr,
				       enum doca_rdma_addr_type *addr_type, const char **address,
				       uint16_t *port);

/**
 * @brief Take connection requests on a port; each comes as a request callback. A context may listen
 * to several ports. Requests beyond doca_rdma_set_max_num_connections() are refused and not heard
 * of. Legal in: RUNNING; ends with the stop of the context.
 *
 * @param[in] rdma the context
 * @param[in] port the port, in host order
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: rdma is NULL
 * @return DOCA_ERROR_BAD_STATE: not RUNNING, or no request callback was set
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 * @return DOCA_ERROR_CONNECTION_ABORTED: the port is 0, or listened to already
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_start_listen_to_port(struct doca_rdma *rdma, uint16_t port);

/**
 * @brief Take no more connection requests on a port; connections made through it stay, and requests
 * that were heard of can still be answered. Legal in: RUNNING.
 *
 * @param[in] rdma the context
 * @param[in] port the port, in host order
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: rdma is NULL
 * @return DOCA_ERROR_BAD_STATE: not RUNNING; a stop has ended listening
 * @return DOCA_ERROR_CONNECTION_ABORTED: the port is not listened to
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_stop_listen_to_port(struct doca_rdma *rdma, uint16_t port);

/**
 * @brief Begin a connection to a listening peer; it appears in the established or the failure
 * callback, the latter at the latest after doca_rdma_set_connection_request_timeout(). Legal in:
 * RUNNING, also inside callbacks.
 *
 * @param[in] rdma the context
 * @param[in] addr the address; stays the caller's and must live until that callback
 * @param[in] connection_user_data value handed to the connection's callbacks
 * @return DOCA_SUCCESS: begun; that nobody listens there is told by the failure callback
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: not RUNNING, or no callbacks were set
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 * @return DOCA_ERROR_CONNECTION_ABORTED: the context has as many connections as it may have, or the
 *         system lacks what a connection needs
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_connect_to_addr(struct doca_rdma *rdma, struct doca_rdma_addr *addr,
				       union doca_data connection_user_data);

/**
 * @brief Accept a connection request. Legal once, from its request callback on.
 *
 * @param[in] rdma_connection the connection
 * @param[in] private_data bytes for the client, copied; NULL for none. This interface has no call
 *         that reads them there
 * @param[in] private_data_len their number
 * @return DOCA_SUCCESS: the established or the failure callback follows
 * @return DOCA_ERROR_INVALID_VALUE: rdma_connection is NULL, or private_data is NULL and its length
 *         is not 0
 * @return DOCA_ERROR_NO_MEMORY: out of memory; the request can still be answered
 * @return DOCA_ERROR_CONNECTION_ABORTED: the client has gone away (the failure callback follows, or
 *         has run), or it is no request that waits for an answer
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_connection_accept(struct doca_rdma_connection *rdma_connection,
					 void *private_data, uint8_t private_data_len);

/**
 * @brief Refuse a connection request; the object is dead afterwards, its tasks end with
 * DOCA_ERROR_SHUTDOWN. Legal once, from its request callback on.
 *
 * @param[in] rdma_connection the connection
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: rdma_connection is NULL
 * @return DOCA_ERROR_CONNECTION_ABORTED: the client has gone away, or it is no request that waits
 *         for an answer
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_connection_reject(struct doca_rdma_connection *rdma_connection);

/**
 * @brief Begin the orderly end of a connection; both sides get the disconnection callback. Tasks
 * that were submitted end through their error callbacks before it, with DOCA_ERROR_SHUTDOWN here
 * and DOCA_ERROR_CONNECTION_RESET there. Legal once established; harmless when it has ended already
 * and inside that callback.
 *
 * @param[in] rdma_connection the connection, by address or by export
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: rdma_connection is NULL
 * @return DOCA_ERROR_CONNECTION_ABORTED: the connection is not established
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_connection_disconnect(struct doca_rdma_connection *rdma_connection);

/**
 * @brief Set the callbacks of connections by address. Of those by export only the last two run, and
 * none is needed. Legal in: IDLE.
 *
 * @param[in] rdma the context
 * @param[in] doca_rdma_connect_request_cb runs when a client asks for a connection; NULL on a
 *         context that never listens
 * @param[in] doca_rdma_connect_established_cb runs when a connection is established
 * @param[in] doca_rdma_connect_failure_cb runs when a connection did not come up
 * @param[in] doca_rdma_disconnect_cb runs when a connection has ended
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer other than the request callback is NULL
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_connection_state_callbacks(
	struct doca_rdma *rdma, doca_rdma_connection_request_cb_t doca_rdma_connect_request_cb,
	doca_rdma_connection_established_cb_t doca_rdma_connect_established_cb,
	doca_rdma_connection_failure_cb_t doca_rdma_connect_failure_cb,
	doca_rdma_connection_disconnection_cb_t doca_rdma_disconnect_cb);

/**
 * @brief Get the address of a connection by address: the one that a client has connected to, or
 * that of a server's client. Legal while the connection lives.
 *
 * @param[in] rdma_connection the connection
 * @param[out] addr the address; not to be destroyed unless the caller made it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the connection was made by export
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_connection_get_addr(const struct doca_rdma_connection *rdma_connection,
					   struct doca_rdma_addr **addr);

/* ---- Any connection ---- */

/**
 * @brief Set the value that later callbacks of a connection get. Legal while the connection lives.
 *
 * @param[in] rdma_connection the connection
 * @param[in] connection_user_data the value; zero until set
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: rdma_connection is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_connection_set_user_data(struct doca_rdma_connection *rdma_connection,
						union doca_data connection_user_data);

/**
 * @brief Read the value set on a connection. Legal while the connection lives.
 *
 * @param[in] rdma_connection the connection
 * @param[out] connection_user_data the value
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_connection_get_user_data(const struct doca_rdma_connection *rdma_connection,
						union doca_data *connection_user_data);

/**
 * @brief Get the number of a connection. Legal while the connection lives.
 *
 * @param[in] rdma_connection the connection
 * @param[out] connection_id unique in its context, from 0 upward
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_connection_get_id(const struct doca_rdma_connection *rdma_connection,
					 uint32_t *connection_id);

/* ---- Connections of a connection manager that the program runs ---- */

/**
 * @brief Make a connection of a connection manager's id, for a program with a listener of its own.
 * Legal in: RUNNING.
 *
 * @param[in] rdma the context
 * @param[in] cm_id the id; the library's on success, the caller's on failure
 * @param[out] rdma_connection the connection, the library's
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: not RUNNING
 * @return DOCA_ERROR_FULL: the connection limit is reached
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 * @return DOCA_ERROR_NOT_SUPPORTED: no RDMA connection manager here
 * @return DOCA_ERROR_CONNECTION_ABORTED: the id is of no use
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_bridge_prepare_connection(struct doca_rdma *rdma, struct rdma_cm_id *cm_id,
						 struct doca_rdma_connection **rdma_connection);

/**
 * @brief Accept a connection that was prepared. Legal in: RUNNING.
 *
 * @param[in] rdma the context
 * @param[in] private_data bytes for the client, copied; NULL for none
 * @param[in] private_data_len their number
 * @param[in] rdma_connection the prepared connection
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: rdma or rdma_connection is NULL, or private_data is NULL and
 *         its length is not 0
 * @return DOCA_ERROR_BAD_STATE: not RUNNING, or not prepared
 * @return DOCA_ERROR_NOT_SUPPORTED: no RDMA connection manager here
 * @return DOCA_ERROR_CONNECTION_ABORTED: the client has gone away
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_bridge_accept(struct doca_rdma *rdma, void *private_data,
				     uint8_t private_data_len,
				     struct doca_rdma_connection *rdma_connection);

/**
 * @brief Say that the handshake of a prepared connection has ended well. Legal in: RUNNING.
 *
 * @param[in] rdma the context
 * @param[in] rdma_connection the accepted connection
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: no RDMA connection manager here
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_bridge_established(struct doca_rdma *rdma,
					  struct doca_rdma_connection *rdma_connection);

/* ---- Capabilities: legal at any time, from any thread ---- */

/**
 * @brief Get the size of the largest receive queue.
 *
 * @param[in] devinfo the device asked about
 * @param[out] max_recv_queue_size receives
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_get_max_recv_queue_size(const struct doca_devinfo *devinfo,
						   uint32_t *max_recv_queue_size);

/**
 * @brief Get the size of the largest send queue.
 *
 * @param[in] devinfo the device asked about
 * @param[out] max_send_queue_size operations
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_get_max_send_queue_size(const struct doca_devinfo *devinfo,
						   uint32_t *max_send_queue_size);

/**
 * @brief Get the length of the longest local buffer list that can be sent, written or read into.
 *
 * @param[in] devinfo the device asked about
 * @param[out] max_send_buf_list_len elements
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_get_max_send_buf_list_len(const struct doca_devinfo *devinfo,
						     uint32_t *max_send_buf_list_len);

/**
 * @brief Get the size of the largest message.
 *
 * @param[in] devinfo the device asked about
 * @param[out] max_message_size bytes
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_get_max_message_size(const struct doca_devinfo *devinfo,
						uint32_t *max_message_size);

/**
 * @brief Get the number of GIDs of a device.
 *
 * @param[in] devinfo the device asked about
 * @param[out] gid_table_size entries
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_get_gid_table_size(const struct doca_devinfo *devinfo,
					      uint32_t *gid_table_size);

/**
 * @brief Copy part of the table of a device's GIDs.
 *
 * @param[in] devinfo the device asked about
 * @param[in] start_index first entry, from 0
 * @param[in] num_entries number of entries
 * @param[out] gid_array room for so many entries
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the part leaves the table
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_get_gid(const struct doca_devinfo *devinfo, uint32_t start_index,
				   uint32_t num_entries, struct doca_rdma_gid *gid_array);

/**
 * @brief Ask whether a device has a transport.
 *
 * @param[in] devinfo the device asked about
 * @param[in] transport_type the transport
 * @return DOCA_SUCCESS: it has
 * @return DOCA_ERROR_INVALID_VALUE: devinfo is NULL, or the transport is unknown
 * @return DOCA_ERROR_NOT_SUPPORTED: it has not
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_cap_transport_type_is_supported(const struct doca_devinfo *devinfo,
					  enum doca_rdma_transport_type transport_type);

/* ---- DPA and GPU data path ---- */

/**
 * @brief Get the handle by which DPA code names the context. Legal in: RUNNING, on the DPA data
 * path.
 *
 * @param[in] rdma the context
 * @param[out] dpa_rdma the handle; void once the context is stopped
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: not started, or not on the DPA data path
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_dpa_handle(struct doca_rdma *rdma, doca_dpa_dev_rdma_t *dpa_rdma);

/**
 * @brief Get the handle by which GPU code names the context. Legal in: RUNNING, on the GPU data
 * path.
 *
 * @param[in] rdma the context
 * @param[out] gpu_rdma the handle; void once the context is stopped
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: not started, or not on the GPU data path
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_gpu_handle(struct doca_rdma *rdma, struct doca_gpu_dev_rdma **gpu_rdma);

/**
 * @brief Direct completions to a DPA completion context. Legal in: IDLE, on the DPA data path.
 *
 * @param[in] rdma the context
 * @param[in] dpa_comp a started completion context; stays the caller's and must outlive rdma
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: not IDLE, or not on the DPA data path
 * @return DOCA_ERROR_NOT_SUPPORTED: no DPA data path here
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_dpa_completion_attach(struct doca_rdma *rdma,
					     struct doca_dpa_completion *dpa_comp);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_RDMA_H_ */
