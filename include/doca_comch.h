/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_comch.h
 * @brief Comch: messages between a host process and a DPU process over PCIe.
 *
 * A server runs on the DPU and listens under a name, for the one host function that its representor
 * stands for. A client runs on the host and connects to a server by that name. Each accepted client
 * is a connection, known to both ends by a handle of their own. It carries short control messages;
 * the fast path (doca_comch_producer.h, doca_comch_consumer.h) is opened on top of it.
 *
 * Life of a server: create, configure, doca_pe_connect_ctx(), doca_ctx_start() (DOCA_SUCCESS,
 * RUNNING at once), use, doca_ctx_stop(), progress until IDLE, destroy. Life of a client: the same,
 * but doca_ctx_start() returns DOCA_ERROR_IN_PROGRESS and the client becomes RUNNING under
 * doca_pe_progress() when the server has taken it, or falls back to IDLE when there is no such
 * server. A client whose server disconnects, stops or dies goes through STOPPING to IDLE, and may
 * be started again.
 *
 * Start needs the send tasks, the receive event and, on a server, the connection events configured,
 * else it fails with DOCA_ERROR_BAD_CONFIG. While a producer or consumer of a connection is
 * started, that connection's server or client cannot be stopped (DOCA_ERROR_IN_USE).
 *
 * Conventions of all Comch headers:
 * - Outputs are written on success only.
 * - "Legal in" names the states of the object's context in which a call may be made.
 * - Callbacks run inside doca_pe_progress() of the engine that the context is connected to; they
 *   may submit, free, stop and destroy, but not progress the same engine.
 * - Threads: an object, its engine and its tasks belong to one thread at a time, producers and
 *   consumers to other ones than their connection's if they like. Capability calls: any thread.
 */
#ifndef DOCA_COMCH_H_
#define DOCA_COMCH_H_

#include <doca_compat.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_pe.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_comch_server;    /* listens on the DPU side; a context */
struct doca_comch_client;    /* connects from the host side; a context */
struct doca_comch_task_send; /* sends one control message, for servers and clients */

/**
 * @brief One end of an established connection, the library's own. On a server it lives from its
 * connect callback to the end of its disconnect callback, or doca_comch_server_disconnect(); on a
 * client, from RUNNING to IDLE.
 */
struct doca_comch_connection;
/* Passed to the event callbacks; they carry nothing to read. */
struct doca_comch_event_msg_recv;
struct doca_comch_event_connection_status_changed;
struct doca_comch_event_consumer;

/** Counters of a connection; control messages only. */
enum doca_comch_counter {
	DOCA_COMCH_COUNTER_SENT_MESSAGES = 1, /**< messages sent */
	DOCA_COMCH_COUNTER_SENT_BYTES = 2,    /**< bytes in the messages sent */
	DOCA_COMCH_COUNTER_RECV_MESSAGES = 3, /**< messages received */
	DOCA_COMCH_COUNTER_RECV_BYTES = 4,    /**< bytes in the messages received */
};

/**
 * @brief A send task is done; one type serves success and error. Success means that the peer's
 * receive callback has had the message. The status is in doca_task_get_status().
 *
 * @param[in] task the task, owned by the program again: free it, submit it again, or keep it
 * @param[in] task_user_data value set on the task
 * @param[in] ctx_user_data value set on the context
 */
typedef void (*doca_comch_task_send_completion_cb_t)(struct doca_comch_task_send *task,
						     union doca_data task_user_data,
						     union doca_data ctx_user_data);

/**
 * @brief A control message came in. Those of one connection come in submission order.
 *
 * @param[in] event nothing to read in it
 * @param[in] recv_buffer the bytes; owned by the library, valid until the callback returns
 * @param[in] msg_len their number
 * @param[in] comch_connection this end of the connection
 */
typedef void (*doca_comch_event_msg_recv_cb_t)(struct doca_comch_event_msg_recv *event,
					       uint8_t *recv_buffer, uint32_t msg_len,
					       struct doca_comch_connection *comch_connection);

/**
 * @brief A client connected to the server, or is gone.
 *
 * @param[in] event nothing to read in it
 * @param[in] comch_connection the connection. In a disconnect callback it and its user data can
 *         still be read, and die when the callback returns
 * @param[in] change_successful 1; 0: the connection did not come up, do not keep the handle
 */
typedef void (*doca_comch_event_connection_status_changed_cb_t)(
	struct doca_comch_event_connection_status_changed *event,
	struct doca_comch_connection *comch_connection, uint8_t change_successful);

/**
 * @brief A consumer of the peer became ready, or ceased to exist.
 *
 * @param[in] event nothing to read in it
 * @param[in] comch_connection this end of the connection
 * @param[in] id the consumer's id, which producers of this end address; never 0
 */
typedef void (*doca_comch_event_consumer_cb_t)(struct doca_comch_event_consumer *event,
					       struct doca_comch_connection *comch_connection,
					       uint32_t id);

/**
 * @brief Store a value on this end of a connection. Legal while the handle lives.
 *
 * @param[in] connection the connection
 * @param[in] user_data the value; zero until set
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: connection is NULL
 */
DOCA_STABLE
doca_error_t doca_comch_connection_set_user_data(struct doca_comch_connection *connection,
						 union doca_data user_data);

/**
 * @brief Read the value stored on this end of a connection. Legal while the handle lives, in every
 * callback that hands it out too.
 *
 * @param[in] connection the connection
 * @return the value; zero if none was stored or connection is NULL
 */
DOCA_STABLE
union doca_data doca_comch_connection_get_user_data(const struct doca_comch_connection *connection);

/**
 * @brief Find the server that a connection belongs to. Legal while the handle lives.
 *
 * @param[in] connection the connection
 * @return the server; NULL for a client's connection or for NULL
 */
DOCA_STABLE
struct doca_comch_server *
doca_comch_server_get_server_ctx(const struct doca_comch_connection *connection);

/**
 * @brief Find the client that a connection belongs to. Legal while the handle lives.
 *
 * @param[in] connection the connection
 * @return the client; NULL for a server's connection or for NULL
 */
DOCA_STABLE
struct doca_comch_client *
doca_comch_client_get_client_ctx(const struct doca_comch_connection *connection);

/**
 * @brief Take a snapshot of the connection's counters, for doca_comch_connection_get_counter().
 * Legal while the handle lives.
 *
 * @param[in] comch_connection the connection
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: comch_connection is NULL
 * @return DOCA_ERROR_CONNECTION_INPROGRESS: not yet established
 * @return DOCA_ERROR_CONNECTION_ABORTED: failed or closed
 */
DOCA_STABLE
doca_error_t doca_comch_connection_update_info(struct doca_comch_connection *comch_connection);

/**
 * @brief Read one counter as of the last snapshot. Legal while the handle lives.
 *
 * @param[in] comch_connection the connection
 * @param[in] counter_type which counter
 * @param[out] counter_value messages or bytes; 0 before the first snapshot
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the counter is unknown
 */
DOCA_STABLE
doca_error_t doca_comch_connection_get_counter(const struct doca_comch_connection *comch_connection,
					       enum doca_comch_counter counter_type,
					       uint64_t *counter_value);

/* ---- Capabilities: legal at any time, from any thread ---- */

/**
 * @brief Get the length of the longest server name.
 *
 * @param[in] devinfo the device asked about
 * @param[out] max_name_len bytes, the terminating zero counted
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_comch_cap_get_max_name_len(const struct doca_devinfo *devinfo,
					     uint32_t *max_name_len);

/**
 * @brief Get the size of the largest control message.
 *
 * @param[in] devinfo the device asked about
 * @param[out] size bytes
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_comch_cap_get_max_msg_size(const struct doca_devinfo *devinfo, uint32_t *size);

/**
 * @brief Get the size of the largest receive queue.
 *
 * @param[in] devinfo the device asked about
 * @param[out] size messages
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_comch_cap_get_max_recv_queue_size(const struct doca_devinfo *devinfo,
						    uint32_t *size);

/**
 * @brief Get the largest number of send tasks that one server or client can have.
 *
 * @param[in] devinfo the device asked about
 * @param[out] max_send_tasks tasks
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_comch_cap_get_max_send_tasks(const struct doca_devinfo *devinfo,
					       uint32_t *max_send_tasks);

/**
 * @brief Get the largest number of clients that one server can hold at a time. A client beyond it
 * is refused and falls back to IDLE.
 *
 * @param[in] devinfo the device asked about
 * @param[out] num_clients clients
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_comch_cap_get_max_clients(const struct doca_devinfo *devinfo,
					    uint32_t *num_clients);

/**
 * @brief Ask whether a server may run on a device.
 *
 * @param[in] devinfo the device asked about
 * @return DOCA_SUCCESS: it may
 * @return DOCA_ERROR_INVALID_VALUE: devinfo is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: the device is not on the DPU side
 */
DOCA_STABLE
doca_error_t doca_comch_cap_server_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Ask whether a client may run on a device.
 *
 * @param[in] devinfo the device asked about
 * @return DOCA_SUCCESS: it may
 * @return DOCA_ERROR_INVALID_VALUE: devinfo is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: the device is not on the host side
 */
DOCA_STABLE
doca_error_t doca_comch_cap_client_is_supported(const struct doca_devinfo *devinfo);

/* ---- Server ---- */

/**
 * @brief Create a server, in state IDLE. When the name is taken on that device and representor,
 * doca_ctx_start() fails with DOCA_ERROR_ALREADY_EXIST.
 *
 * @param[in] dev DPU-side device; stays the caller's and must outlive the server
 * @param[in] repr representor of the host function whose clients may connect; as dev
 * @param[in] name what clients ask for; copied
 * @param[out] comch_server the server, owned by the caller
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the name is empty or too long
 * @return DOCA_ERROR_NOT_SUPPORTED: the device cannot run a server
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 * @return DOCA_ERROR_INITIALIZATION: a lock could not be made
 */
DOCA_STABLE
doca_error_t doca_comch_server_create(struct doca_dev *dev, struct doca_dev_rep *repr,
				      const char *name, struct doca_comch_server **comch_server);

/**
 * @brief Destroy a server. Legal in: IDLE, also inside its own IDLE callback.
 *
 * @param[in] comch_server the server; on failure it stays usable
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: comch_server is NULL
 * @return DOCA_ERROR_IN_USE: not IDLE
 */
DOCA_STABLE
doca_error_t doca_comch_server_destroy(struct doca_comch_server *comch_server);

/**
 * @brief Set the largest message size; clients that set another are refused. Legal in: IDLE.
 *
 * @param[in] comch_server the server
 * @param[in] size bytes, 1 to doca_comch_cap_get_max_msg_size()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: comch_server is NULL, or size is out of range
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_STABLE
doca_error_t doca_comch_server_set_max_msg_size(struct doca_comch_server *comch_server,
						uint32_t size);

/**
 * @brief Get the size of the largest control message. Legal in: every state.
 *
 * @param[in] comch_server the server
 * @param[out] size bytes; the default if none was set
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_comch_server_get_max_msg_size(const struct doca_comch_server *comch_server,
						uint32_t *size);

/**
 * @brief Set how many messages per connection may wait to be received. When the queue is full, the
 * peer's sends wait; none is lost. Legal in: IDLE.
 *
 * @param[in] comch_server the server
 * @param[in] size messages, 1 to doca_comch_cap_get_max_recv_queue_size()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: comch_server is NULL, or size is out of range
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_STABLE
doca_error_t doca_comch_server_set_recv_queue_size(struct doca_comch_server *comch_server,
						   uint32_t size);

/**
 * @brief Get the size of the receive queue. Legal in: every state.
 *
 * @param[in] comch_server the server
 * @param[out] size messages; the default if none was set
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_comch_server_get_recv_queue_size(const struct doca_comch_server *comch_server,
						   uint32_t *size);

/**
 * @brief Get the device that the server was created on. Legal in: every state.
 *
 * @param[in] comch_server the server
 * @param[out] dev the device; stays its opener's
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_comch_server_get_device(const struct doca_comch_server *comch_server,
					  struct doca_dev **dev);

/**
 * @brief Get the representor that the server was created with. Legal in: every state.
 *
 * @param[in] comch_server the server
 * @param[out] rep the representor; stays its opener's
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_comch_server_get_device_rep(const struct doca_comch_server *comch_server,
					      struct doca_dev_rep **rep);

/**
 * doca_comch_server_get_device_rep() as 2.7 spelled it; the same in every respect.
 * @copydetails doca_comch_server_get_device_rep
 */
DOCA_STABLE
doca_error_t doca_comch_server_get_device_repr(const struct doca_comch_server *comch_server,
					       struct doca_dev_rep **rep);

/**
 * @brief View the server as a context, to connect, start and stop it. Legal in: every state.
 *
 * @param[in] comch_server the server
 * @return the context, which lives as long as the server; NULL for NULL
 */
DOCA_STABLE
struct doca_ctx *doca_comch_server_as_ctx(struct doca_comch_server *comch_server);

/**
 * @brief Close one connection and tell its client. On success the handle is dead at return and the
 * server's own disconnect callback does not run for it; messages submitted before still arrive.
 * Legal in: RUNNING, inside callbacks too (a connect callback may turn a client away so). Not to be
 * called while another thread progresses the server.
 *
 * @param[in] comch_server the server
 * @param[in] connection the connection; on failure it stays open
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the connection is not this server's
 * @return DOCA_ERROR_IN_USE: a producer or consumer on it is still started
 * @return DOCA_ERROR_AGAIN: the notice cannot be queued now; call again later
 */
DOCA_STABLE
doca_error_t doca_comch_server_disconnect(struct doca_comch_server *comch_server,
					  struct doca_comch_connection *connection);

/**
 * @brief Set the callbacks and the number of send tasks; needed before start. Legal in: IDLE.
 *
 * @param[in] comch_server the server
 * @param[in] task_completion_cb runs when a message was delivered
 * @param[in] task_error_cb runs when a message could not be delivered; may be the same function
 * @param[in] num_send_tasks pool size, 1 to doca_comch_cap_get_max_send_tasks()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or num_send_tasks is out of range
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_STABLE
doca_error_t
doca_comch_server_task_send_set_conf(struct doca_comch_server *comch_server,
				     doca_comch_task_send_completion_cb_t task_completion_cb,
				     doca_comch_task_send_completion_cb_t task_error_cb,
				     uint32_t num_send_tasks);

/**
 * @brief Take a send task from the pool and fill it in. Legal in: RUNNING.
 *
 * @param[in] comch_server the server
 * @param[in] peer connection to send on
 * @param[in] msg the bytes, in any memory; may be reused once doca_task_submit() has returned
 * @param[in] len their number, 1 to the server's largest message
 * @param[out] task the task; the caller's until submitted, and again from its callback on. Given
 *         back with doca_task_free()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, the connection is not this server's, or len
 *         is out of range
 * @return DOCA_ERROR_BAD_STATE: not RUNNING
 * @return DOCA_ERROR_NO_MEMORY: every task is in use
 */
DOCA_STABLE
doca_error_t doca_comch_server_task_send_alloc_init(struct doca_comch_server *comch_server,
						    struct doca_comch_connection *peer,
						    const void *msg, uint32_t len,
						    struct doca_comch_task_send **task);

/**
 * @brief Set the callback for incoming control messages; needed before start. Legal in: IDLE.
 *
 * @param[in] comch_server the server
 * @param[in] recv_event_cb runs once per message, for all connections of the server
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_STABLE
doca_error_t
doca_comch_server_event_msg_recv_register(struct doca_comch_server *comch_server,
					  doca_comch_event_msg_recv_cb_t recv_event_cb);

/**
 * @brief Set the callbacks for clients that come and go; needed before start. The connect callback
 * runs before the first message of its connection. Legal in: IDLE.
 *
 * @param[in] comch_server the server
 * @param[in] connect_event_cb runs when a client has connected
 * @param[in] disconnect_event_cb runs when a client stopped or died; not after
 *         doca_comch_server_disconnect()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_STABLE
doca_error_t doca_comch_server_event_connection_status_changed_register(
	struct doca_comch_server *comch_server,
	doca_comch_event_connection_status_changed_cb_t connect_event_cb,
	doca_comch_event_connection_status_changed_cb_t disconnect_event_cb);

/**
 * @brief doca_comch_server_event_connection_status_changed_register() as 2.7 spelled it.
 * @copydetails doca_comch_server_event_connection_status_changed_register
 */
DOCA_STABLE
doca_error_t doca_comch_server_event_connection_register(
	struct doca_comch_server *comch_server,
	doca_comch_event_connection_status_changed_cb_t connect_event_cb,
	doca_comch_event_connection_status_changed_cb_t disconnect_event_cb);

/**
 * @brief Set the callbacks for consumers of the peers; needed to learn their ids. Legal in: IDLE.
 *
 * @param[in] comch_server the server
 * @param[in] new_consumer_event_cb runs when a consumer of a client is ready
 * @param[in] expired_consumer_event_cb runs when such a consumer stopped; its id is void then
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_STABLE
doca_error_t
doca_comch_server_event_consumer_register(struct doca_comch_server *comch_server,
					  doca_comch_event_consumer_cb_t new_consumer_event_cb,
					  doca_comch_event_consumer_cb_t expired_consumer_event_cb);

/* ---- Client ---- */

/**
 * @brief Create a client, in state IDLE. The server need not exist before doca_ctx_start().
 *
 * @param[in] dev host-side device; stays the caller's and must outlive the client
 * @param[in] name name of the server; copied
 * @param[out] comch_client the client, owned by the caller
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the name is empty or too long
 * @return DOCA_ERROR_NOT_SUPPORTED: the device cannot run a client
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 * @return DOCA_ERROR_INITIALIZATION: a lock could not be made
 */
DOCA_STABLE
doca_error_t doca_comch_client_create(struct doca_dev *dev, const char *name,
				      struct doca_comch_client **comch_client);

/**
 * @brief Destroy a client. Legal in: IDLE, also inside its own IDLE callback.
 *
 * @param[in] comch_client the client; on failure it stays usable
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: comch_client is NULL
 * @return DOCA_ERROR_IN_USE: not IDLE
 */
DOCA_STABLE
doca_error_t doca_comch_client_destroy(struct doca_comch_client *comch_client);

/**
 * @brief Set the size of the largest control message; must equal the server's. Legal in: IDLE.
 *
 * @param[in] comch_client the client
 * @param[in] size bytes, 1 to doca_comch_cap_get_max_msg_size()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: comch_client is NULL, or size is out of range
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_STABLE
doca_error_t doca_comch_client_set_max_msg_size(struct doca_comch_client *comch_client,
						uint32_t size);

/**
 * @brief Get the size of the largest control message. Legal in: every state.
 *
 * @param[in] comch_client the client
 * @param[out] size bytes; the default if none was set
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_comch_client_get_max_msg_size(const struct doca_comch_client *comch_client,
						uint32_t *size);

/**
 * @brief Set how many messages may wait to be received. When the queue is full, the server's sends
 * wait; none is lost. Legal in: IDLE.
 *
 * @param[in] comch_client the client
 * @param[in] size messages, 1 to doca_comch_cap_get_max_recv_queue_size()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: comch_client is NULL, or size is out of range
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_STABLE
doca_error_t doca_comch_client_set_recv_queue_size(struct doca_comch_client *comch_client,
						   uint32_t size);

/**
 * @brief Get the size of the receive queue. Legal in: every state.
 *
 * @param[in] comch_client the client
 * @param[out] size messages; the default if none was set
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_comch_client_get_recv_queue_size(const struct doca_comch_client *comch_client,
						   uint32_t *size);

/**
 * @brief Get the device that the client was created on. Legal in: every state.
 *
 * @param[in] comch_client the client
 * @param[out] dev the device; stays its opener's
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_comch_client_get_device(const struct doca_comch_client *comch_client,
					  struct doca_dev **dev);

/**
 * @brief View the client as a context, to connect, start and stop it. Legal in: every state.
 *
 * @param[in] comch_client the client
 * @return the context, which lives as long as the client; NULL for NULL
 */
DOCA_STABLE
struct doca_ctx *doca_comch_client_as_ctx(struct doca_comch_client *comch_client);

/**
 * @brief Get the client's one connection. Legal in: RUNNING, from inside the RUNNING callback on.
 *
 * @param[in] comch_client the client
 * @param[out] connection the same handle that receive callbacks get; dies when the client is IDLE
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: not RUNNING
 */
DOCA_STABLE
doca_error_t doca_comch_client_get_connection(const struct doca_comch_client *comch_client,
					      struct doca_comch_connection **connection);

/**
 * @brief Set the callbacks and the number of send tasks; needed before start. Legal in: IDLE.
 *
 * @param[in] comch_client the client
 * @param[in] task_completion_cb runs when a message was delivered
 * @param[in] task_error_cb runs when a message could not be delivered; may be the same function
 * @param[in] num_send_tasks pool size, 1 to doca_comch_cap_get_max_send_tasks()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or num_send_tasks is out of range
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_STABLE
doca_error_t
doca_comch_client_task_send_set_conf(struct doca_comch_client *comch_client,
				     doca_comch_task_send_completion_cb_t task_completion_cb,
				     doca_comch_task_send_completion_cb_t task_error_cb,
				     uint32_t num_send_tasks);

/**
 * @brief Take a send task from the pool and fill it in. Legal in: RUNNING.
 *
 * @param[in] comch_client the client
 * @param[in] peer the client's own connection
 * @param[in] msg the bytes, in any memory; may be reused once doca_task_submit() has returned
 * @param[in] len their number, 1 to the client's largest message
 * @param[out] task the task; the caller's until submitted, and again from its callback on. Given
 *         back with doca_task_free()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, the connection is not this client's, or len
 *         is out of range
 * @return DOCA_ERROR_BAD_STATE: not RUNNING
 * @return DOCA_ERROR_NO_MEMORY: every task is in use
 */
DOCA_STABLE
doca_error_t doca_comch_client_task_send_alloc_init(struct doca_comch_client *comch_client,
						    struct doca_comch_connection *peer,
						    const void *msg, uint32_t len,
						    struct doca_comch_task_send **task);

/**
 * @brief Set the callback for incoming control messages; needed before start. Legal in: IDLE.
 *
 * @param[in] comch_client the client
 * @param[in] recv_event_cb runs once per message
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_STABLE
doca_error_t
doca_comch_client_event_msg_recv_register(struct doca_comch_client *comch_client,
					  doca_comch_event_msg_recv_cb_t recv_event_cb);

/**
 * @brief Set the callbacks for the server's consumers; needed to learn their ids. Legal in: IDLE.
 *
 * @param[in] comch_client the client
 * @param[in] new_consumer_event_cb runs when a consumer of the server's end is ready
 * @param[in] expired_consumer_event_cb runs when such a consumer stopped; its id is void then
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: not IDLE
 */
DOCA_STABLE
doca_error_t
doca_comch_client_event_consumer_register(struct doca_comch_client *comch_client,
					  doca_comch_event_consumer_cb_t new_consumer_event_cb,
					  doca_comch_event_consumer_cb_t expired_consumer_event_cb);

/**
 * @brief View a send task as a generic task, to submit and free it, and to read its status.
 * Submitting returns DOCA_ERROR_AGAIN when the send queue is full; the task then stays the
 * caller's. Legal in: every state.
 *
 * @param[in] task the send task
 * @return the same task; NULL for NULL
 */
DOCA_STABLE
struct doca_task *doca_comch_task_send_as_task(struct doca_comch_task_send *task);

#ifdef __cplusplus
}
#endif
#endif /* DOCA_COMCH_H_ */
