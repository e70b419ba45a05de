/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every function of doca_comch.h against every error that it documents, and what it says in each
 * state. Nothing is written on failure.
 */
#include <string.h>

#include "comch/pair.h"
#include "comch/refused.h"

static struct pair pair;
static struct end *const server = &pair.server;
static struct end *const client = &pair.client;

static union doca_data none;

static void task_cb(struct doca_comch_task_send *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	doca_task_free(doca_comch_task_send_as_task(task));
}

static void recv_cb(struct doca_comch_event_msg_recv *event, uint8_t *buffer, uint32_t len,
		    struct doca_comch_connection *connection)
{
	(void)event;
	(void)buffer;
	(void)len;
	(void)connection;
}

static void connection_cb(struct doca_comch_event_connection_status_changed *event,
			  struct doca_comch_connection *connection, uint8_t successful)
{
	(void)event;
	(void)connection;
	(void)successful;
}

static void consumer_cb(struct doca_comch_event_consumer *event,
			struct doca_comch_connection *connection, uint32_t id)
{
	(void)event;
	(void)connection;
	(void)id;
}

/* Capabilities */

static struct doca_devinfo *info_of(const struct end *end)
{
	return doca_dev_as_devinfo(end->dev);
}

typedef doca_error_t (*cap_fn)(const struct doca_devinfo *devinfo, uint32_t *value);

static uint32_t cap(cap_fn fn, const struct end *end)
{
	uint32_t value;

	T_OK(fn(info_of(end), &value));
	return value;
}

T_CASE(capabilities)
{
	static const struct {
		cap_fn fn;
		uint32_t value;
	} caps[] = {
		{doca_comch_cap_get_max_name_len, 120},
		{doca_comch_cap_get_max_msg_size, 4080},
		{doca_comch_cap_get_max_recv_queue_size, 8192},
		{doca_comch_cap_get_max_send_tasks, 8192},
		{doca_comch_cap_get_max_clients, 512},
	};
	uint32_t value;

	end_open_dev(server, true);
	end_open_dev(client, false);
	for (size_t i = 0; i < sizeof(caps) / sizeof(caps[0]); i++) {
		T_EQ(cap(caps[i].fn, server), caps[i].value);
		T_EQ(cap(caps[i].fn, client), caps[i].value);
		REFUSED(DOCA_ERROR_INVALID_VALUE, uint32_t, value, caps[i].fn(NULL, &value));
		T_ERR(caps[i].fn(info_of(client), NULL), DOCA_ERROR_INVALID_VALUE);
	}
	T_OK(doca_comch_cap_server_is_supported(info_of(server)));
	T_OK(doca_comch_cap_client_is_supported(info_of(client)));
	T_ERR(doca_comch_cap_server_is_supported(info_of(client)), DOCA_ERROR_NOT_SUPPORTED);
	T_ERR(doca_comch_cap_client_is_supported(info_of(server)), DOCA_ERROR_NOT_SUPPORTED);
	T_ERR(doca_comch_cap_server_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_cap_client_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
	pair_close(&pair);
}

/* Creation */

T_CASE(server_create)
{
	struct doca_comch_server *made;

	end_open_dev(server, true);
	end_open_dev(client, false);
	REFUSED(DOCA_ERROR_INVALID_VALUE, void *, made,
		doca_comch_server_create(NULL, server->rep, "x", &made));
	REFUSED(DOCA_ERROR_INVALID_VALUE, void *, made,
		doca_comch_server_create(server->dev, NULL, "x", &made));
	REFUSED(DOCA_ERROR_INVALID_VALUE, void *, made,
		doca_comch_server_create(server->dev, server->rep, NULL, &made));
	T_ERR(doca_comch_server_create(server->dev, server->rep, "x", NULL),
	      DOCA_ERROR_INVALID_VALUE);
	REFUSED(DOCA_ERROR_INVALID_VALUE, void *, made,
		doca_comch_server_create(server->dev, server->rep, "", &made));
	REFUSED(DOCA_ERROR_NOT_SUPPORTED, void *, made,
		doca_comch_server_create(client->dev, server->rep, "x", &made));
	T_ERR(doca_comch_server_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	pair_close(&pair);
}

T_CASE(client_create)
{
	struct doca_comch_client *made;

	end_open_dev(server, true);
	end_open_dev(client, false);
	REFUSED(DOCA_ERROR_INVALID_VALUE, void *, made, doca_comch_client_create(NULL, "x", &made));
	REFUSED(DOCA_ERROR_INVALID_VALUE, void *, made,
		doca_comch_client_create(client->dev, NULL, &made));
	T_ERR(doca_comch_client_create(client->dev, "x", NULL), DOCA_ERROR_INVALID_VALUE);
	REFUSED(DOCA_ERROR_INVALID_VALUE, void *, made,
		doca_comch_client_create(client->dev, "", &made));
	REFUSED(DOCA_ERROR_NOT_SUPPORTED, void *, made,
		doca_comch_client_create(server->dev, "x", &made));
	T_ERR(doca_comch_client_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	pair_close(&pair);
}

/* The longest name works, whatever its characters; one more is too long. */
T_CASE(names_up_to_the_capability)
{
	static char name[130];

	for (int i = 0; i < 119; i++)
		name[i] = (char)(i % 3 == 0 ? '/' : i % 3 == 1 ? ' ' : 0xe4);
	server->name = name;
	client->name = name;
	pair_open(&pair);
	pair_close(&pair);
	name[119] = 'x';
	end_open_dev(server, true);
	end_open_dev(client, false);
	T_ERR(doca_comch_server_create(server->dev, server->rep, name, &server->server),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_client_create(client->dev, name, &client->client),
	      DOCA_ERROR_INVALID_VALUE);
	memset(name, 'x', 129);
	T_ERR(doca_comch_client_create(client->dev, name, &client->client),
	      DOCA_ERROR_INVALID_VALUE);
	pair_close(&pair);
}

/* The name is the library's copy. */
T_CASE(name_may_go_after_create)
{
	char name[] = "for a moment";

	server->name = name;
	end_create(server, true);
	client->name = name;
	end_create(client, false);
	memset(name, 'z', sizeof(name) - 1);
	end_start(server);
	end_start(client);
	PAIR_UNTIL(&pair, end_state(client) == DOCA_CTX_STATE_RUNNING);
	pair_close(&pair);
}

/* What server and client have in common, in IDLE and while they run. */
#define T_KIND(kind)                                                                               \
	static void kind##_getters(void)                                                           \
	{                                                                                          \
		struct doca_dev *dev;                                                              \
		uint32_t size;                                                                     \
                                                                                                   \
		T_OK(doca_comch_##kind##_get_device(kind->kind, &dev));                            \
		T_EQ(dev, kind->dev);                                                              \
		REFUSED(DOCA_ERROR_INVALID_VALUE, void *, dev,                                     \
			doca_comch_##kind##_get_device(NULL, &dev));                               \
		T_ERR(doca_comch_##kind##_get_device(kind->kind, NULL), DOCA_ERROR_INVALID_VALUE); \
		T_OK(doca_comch_##kind##_get_max_msg_size(kind->kind, &size));                     \
		T_EQ(size, 1000);                                                                  \
		REFUSED(DOCA_ERROR_INVALID_VALUE, uint32_t, size,                                  \
			doca_comch_##kind##_get_max_msg_size(NULL, &size));                        \
		T_ERR(doca_comch_##kind##_get_max_msg_size(kind->kind, NULL),                      \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		T_OK(doca_comch_##kind##_get_recv_queue_size(kind->kind, &size));                  \
		T_EQ(size, 10);                                                                    \
		REFUSED(DOCA_ERROR_INVALID_VALUE, uint32_t, size,                                  \
			doca_comch_##kind##_get_recv_queue_size(NULL, &size));                     \
		T_ERR(doca_comch_##kind##_get_recv_queue_size(kind->kind, NULL),                   \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
	}                                                                                          \
                                                                                                   \
	static void kind##_setters(doca_error_t legal)                                             \
	{                                                                                          \
		T_ERR(doca_comch_##kind##_set_max_msg_size(kind->kind, 1000), legal);              \
		T_ERR(doca_comch_##kind##_set_recv_queue_size(kind->kind, 10), legal);             \
		T_ERR(doca_comch_##kind##_task_send_set_conf(kind->kind, task_cb, task_cb, 5),     \
		      legal);                                                                      \
		T_ERR(doca_comch_##kind##_event_msg_recv_register(kind->kind, recv_cb), legal);    \
		T_ERR(doca_comch_##kind##_event_consumer_register(kind->kind, consumer_cb,         \
								  consumer_cb),                    \
		      legal);                                                                      \
		T_ERR(doca_ctx_set_user_data(kind->ctx, none), legal);                             \
		T_ERR(doca_pe_connect_ctx(kind->pe, kind->ctx),                                    \
		      legal == DOCA_SUCCESS ? DOCA_ERROR_NOT_PERMITTED : legal);                   \
	}                                                                                          \
                                                                                                   \
	T_CASE(kind##_values_out_of_bounds)                                                        \
	{                                                                                          \
		static const uint32_t sizes[] = {0, 4081, UINT32_MAX};                             \
		static const uint32_t queues[] = {0, 8193, UINT32_MAX};                            \
		uint32_t size;                                                                     \
                                                                                                   \
		end_create(kind, kind == server);                                                  \
		/* Defaults: usable as they are. */                                                \
		T_OK(doca_comch_##kind##_get_max_msg_size(kind->kind, &size));                     \
		T_CHECK(size >= 1024 && size <= 4080);                                             \
		T_OK(doca_comch_##kind##_get_recv_queue_size(kind->kind, &size));                  \
		T_CHECK(size >= 1 && size <= 8192);                                                \
		for (int i = 0; i < 3; i++) {                                                      \
			T_ERR(doca_comch_##kind##_set_max_msg_size(kind->kind, sizes[i]),          \
			      DOCA_ERROR_INVALID_VALUE);                                           \
			T_ERR(doca_comch_##kind##_set_recv_queue_size(kind->kind, queues[i]),      \
			      DOCA_ERROR_INVALID_VALUE);                                           \
			T_ERR(doca_comch_##kind##_task_send_set_conf(kind->kind, task_cb, task_cb, \
								     queues[i]),                   \
			      DOCA_ERROR_INVALID_VALUE);                                           \
		}                                                                                  \
		T_ERR(doca_comch_##kind##_task_send_set_conf(kind->kind, NULL, task_cb, 5),        \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		T_ERR(doca_comch_##kind##_task_send_set_conf(kind->kind, task_cb, NULL, 5),        \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		T_ERR(doca_comch_##kind##_event_msg_recv_register(kind->kind, NULL),               \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		T_ERR(doca_comch_##kind##_event_consumer_register(kind->kind, NULL, consumer_cb),  \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		T_ERR(doca_comch_##kind##_event_consumer_register(kind->kind, consumer_cb, NULL),  \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		T_OK(doca_comch_##kind##_set_max_msg_size(kind->kind, 1));                         \
		T_OK(doca_comch_##kind##_set_max_msg_size(kind->kind, 4080));                      \
		T_OK(doca_comch_##kind##_set_recv_queue_size(kind->kind, 1));                      \
		T_OK(doca_comch_##kind##_set_recv_queue_size(kind->kind, 8192));                   \
		T_OK(doca_comch_##kind##_task_send_set_conf(kind->kind, task_cb, task_cb, 8192));  \
		pair_close(&pair);                                                                 \
	}                                                                                          \
                                                                                                   \
	T_CASE(kind##_without_object)                                                              \
	{                                                                                          \
		T_EQ(doca_comch_##kind##_as_ctx(NULL), NULL);                                      \
		T_ERR(doca_comch_##kind##_set_max_msg_size(NULL, 64), DOCA_ERROR_INVALID_VALUE);   \
		T_ERR(doca_comch_##kind##_set_recv_queue_size(NULL, 64),                           \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		T_ERR(doca_comch_##kind##_task_send_set_conf(NULL, task_cb, task_cb, 5),           \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		T_ERR(doca_comch_##kind##_event_msg_recv_register(NULL, recv_cb),                  \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		T_ERR(doca_comch_##kind##_event_consumer_register(NULL, consumer_cb, consumer_cb), \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
	}                                                                                          \
                                                                                                   \
	T_CASE(kind##_setters_only_while_idle_getters_always)                                      \
	{                                                                                          \
		end_create(server, true);                                                          \
		end_create(client, false);                                                         \
		kind##_setters(DOCA_SUCCESS);                                                      \
		T_OK(doca_ctx_set_user_data(kind->ctx, (union doca_data){.ptr = kind}));           \
		T_OK(doca_comch_##kind##_set_max_msg_size(kind->kind, 1000));                      \
		kind##_getters();                                                                  \
		end_start(server);                                                                 \
		end_start(client);                                                                 \
		/* The client is on its way. */                                                    \
		kind##_setters(DOCA_ERROR_BAD_STATE);                                              \
		kind##_getters();                                                                  \
		PAIR_UNTIL(&pair, end_state(client) == DOCA_CTX_STATE_RUNNING);                    \
		kind##_setters(DOCA_ERROR_BAD_STATE);                                              \
		kind##_getters();                                                                  \
		(void)doca_ctx_stop(kind->ctx);                                                    \
		END_UNTIL(kind, end_state(kind) == DOCA_CTX_STATE_IDLE);                           \
		kind##_setters(DOCA_SUCCESS);                                                      \
		T_OK(doca_ctx_set_user_data(kind->ctx, (union doca_data){.ptr = kind}));           \
		kind##_getters();                                                                  \
		pair_close(&pair);                                                                 \
	}                                                                                          \
                                                                                                   \
	T_CASE(kind##_sends_only_while_running)                                                    \
	{                                                                                          \
		struct doca_comch_task_send *task;                                                 \
                                                                                                   \
		pair_open(&pair);                                                                  \
		REFUSED(DOCA_ERROR_INVALID_VALUE, void *, task,                                    \
			doca_comch_##kind##_task_send_alloc_init(NULL, kind->connection, "x", 1,   \
								 &task));                          \
		REFUSED(DOCA_ERROR_INVALID_VALUE, void *, task,                                    \
			doca_comch_##kind##_task_send_alloc_init(kind->kind, NULL, "x", 1,         \
								 &task));                          \
		REFUSED(DOCA_ERROR_INVALID_VALUE, void *, task,                                    \
			doca_comch_##kind##_task_send_alloc_init(kind->kind, kind->connection,     \
								 NULL, 1, &task));                 \
		T_ERR(doca_comch_##kind##_task_send_alloc_init(kind->kind, kind->connection, "x",  \
							       1, NULL),                           \
		      DOCA_ERROR_INVALID_VALUE);                                                   \
		REFUSED(DOCA_ERROR_INVALID_VALUE, void *, task,                                    \
			doca_comch_##kind##_task_send_alloc_init(kind->kind, kind->connection,     \
								 "x", 0, &task));                  \
		REFUSED(DOCA_ERROR_INVALID_VALUE, void *, task,                                    \
			doca_comch_##kind##_task_send_alloc_init(kind->kind, kind->connection,     \
								 "x", 4081, &task));               \
		for (int i = 0; i < 16; i++)                                                       \
			T_OK(doca_comch_##kind##_task_send_alloc_init(                             \
				kind->kind, kind->connection, "x", 1, &task));                     \
		T_EQ(doca_task_get_ctx(doca_comch_task_send_as_task(task)), kind->ctx);            \
		REFUSED(DOCA_ERROR_NO_MEMORY, void *, task,                                        \
			doca_comch_##kind##_task_send_alloc_init(kind->kind, kind->connection,     \
								 "x", 1, &task));                  \
		/* They die with the process; stop would wait for them. */                         \
		T_ERR(doca_ctx_stop(kind->ctx), DOCA_ERROR_IN_PROGRESS);                           \
		REFUSED(DOCA_ERROR_BAD_STATE, void *, task,                                        \
			doca_comch_##kind##_task_send_alloc_init(kind->kind, kind->connection,     \
								 "x", 1, &task));                  \
		T_EQ(doca_comch_task_send_as_task(NULL), NULL);                                    \
	}

T_KIND(server)
T_KIND(client)

/* Incomplete configuration */

T_CASE(server_start_needs_its_callbacks)
{
	end_open_dev(server, true);
	T_OK(doca_pe_create(&server->pe));
	T_OK(doca_comch_server_create(server->dev, server->rep, PAIR_NAME, &server->server));
	server->ctx = doca_comch_server_as_ctx(server->server);
	T_ERR(doca_ctx_start(server->ctx), DOCA_ERROR_NOT_CONNECTED);
	T_OK(doca_pe_connect_ctx(server->pe, server->ctx));
	T_ERR(doca_ctx_start(server->ctx), DOCA_ERROR_BAD_CONFIG);
	T_OK(doca_comch_server_task_send_set_conf(server->server, task_cb, task_cb, 1));
	T_ERR(doca_ctx_start(server->ctx), DOCA_ERROR_BAD_CONFIG);
	T_OK(doca_comch_server_event_msg_recv_register(server->server, recv_cb));
	T_ERR(doca_ctx_start(server->ctx), DOCA_ERROR_BAD_CONFIG);
	T_EQ(end_state(server), DOCA_CTX_STATE_IDLE);
	T_OK(doca_comch_server_event_connection_status_changed_register(
		server->server, connection_cb, connection_cb));
	T_OK(doca_ctx_start(server->ctx));
	T_ERR(doca_ctx_start(server->ctx), DOCA_ERROR_BAD_STATE);
	T_OK(doca_ctx_stop(server->ctx));
	T_OK(doca_ctx_stop(server->ctx));
	end_close(server);
}

T_CASE(client_start_needs_its_callbacks)
{
	end_open_dev(client, false);
	T_OK(doca_pe_create(&client->pe));
	T_OK(doca_comch_client_create(client->dev, PAIR_NAME, &client->client));
	client->ctx = doca_comch_client_as_ctx(client->client);
	T_ERR(doca_ctx_start(client->ctx), DOCA_ERROR_NOT_CONNECTED);
	T_OK(doca_pe_connect_ctx(client->pe, client->ctx));
	T_ERR(doca_ctx_start(client->ctx), DOCA_ERROR_BAD_CONFIG);
	T_OK(doca_comch_client_event_msg_recv_register(client->client, recv_cb));
	T_ERR(doca_ctx_start(client->ctx), DOCA_ERROR_BAD_CONFIG);
	T_OK(doca_comch_client_task_send_set_conf(client->client, task_cb, task_cb, 1));
	T_ERR(doca_ctx_start(client->ctx), DOCA_ERROR_IN_PROGRESS);
	T_ERR(doca_ctx_start(client->ctx), DOCA_ERROR_BAD_STATE);
	end_close(client);
}

/* What only a server has */

static void server_events(doca_error_t legal)
{
	T_ERR(doca_comch_server_event_connection_status_changed_register(
		      server->server, connection_cb, connection_cb),
	      legal);
	T_ERR(doca_comch_server_event_connection_register(server->server, connection_cb,
							  connection_cb),
	      legal);
}

T_CASE(server_connection_events_by_both_names)
{
	end_create(server, true);
	T_ERR(doca_comch_server_event_connection_status_changed_register(NULL, connection_cb,
									 connection_cb),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_server_event_connection_status_changed_register(server->server, NULL,
									 connection_cb),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_server_event_connection_status_changed_register(server->server,
									 connection_cb, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_server_event_connection_register(NULL, connection_cb, connection_cb),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_server_event_connection_register(server->server, NULL, connection_cb),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_server_event_connection_register(server->server, connection_cb, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	server_events(DOCA_SUCCESS);
	end_start(server);
	server_events(DOCA_ERROR_BAD_STATE);
	end_close(server);
}

T_CASE(server_representor_by_both_names)
{
	struct doca_dev_rep *rep;

	end_create(server, true);
	T_OK(doca_comch_server_get_device_rep(server->server, &rep));
	T_EQ(rep, server->rep);
	rep = NULL;
	T_OK(doca_comch_server_get_device_repr(server->server, &rep));
	T_EQ(rep, server->rep);
	REFUSED(DOCA_ERROR_INVALID_VALUE, void *, rep,
		doca_comch_server_get_device_rep(NULL, &rep));
	REFUSED(DOCA_ERROR_INVALID_VALUE, void *, rep,
		doca_comch_server_get_device_repr(NULL, &rep));
	T_ERR(doca_comch_server_get_device_rep(server->server, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_server_get_device_repr(server->server, NULL), DOCA_ERROR_INVALID_VALUE);
	end_close(server);
}

/* The device and the representor are held while a server refers to them. */
T_CASE(device_outlives_its_server)
{
	end_create(server, true);
	T_ERR(doca_dev_close(server->dev), DOCA_ERROR_IN_USE);
	T_ERR(doca_dev_rep_close(server->rep), DOCA_ERROR_IN_USE);
	end_close(server);
}

/* What only a client has, and the connection */

T_CASE(client_get_connection)
{
	struct doca_comch_connection *connection;

	pair_open(&pair);
	T_ERR(doca_comch_client_get_connection(client->client, NULL), DOCA_ERROR_INVALID_VALUE);
	REFUSED(DOCA_ERROR_INVALID_VALUE, void *, connection,
		doca_comch_client_get_connection(NULL, &connection));
	(void)doca_ctx_stop(client->ctx);
	PAIR_UNTIL(&pair, end_state(client) == DOCA_CTX_STATE_IDLE);
	REFUSED(DOCA_ERROR_BAD_STATE, void *, connection,
		doca_comch_client_get_connection(client->client, &connection));
	pair_close(&pair);
}

T_CASE(connection_of_nobody)
{
	uint64_t value;

	T_EQ(doca_comch_server_get_server_ctx(NULL), NULL);
	T_EQ(doca_comch_client_get_client_ctx(NULL), NULL);
	T_EQ(doca_comch_connection_get_user_data(NULL).u64, 0);
	T_ERR(doca_comch_connection_set_user_data(NULL, none), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_connection_update_info(NULL), DOCA_ERROR_INVALID_VALUE);
	REFUSED(DOCA_ERROR_INVALID_VALUE, uint64_t, value,
		doca_comch_connection_get_counter(NULL, DOCA_COMCH_COUNTER_SENT_BYTES, &value));
}

static void look_at_ended(struct end *end, struct doca_comch_connection *connection)
{
	const union doca_data data = {.u64 = 7};

	(void)end;
	T_EQ(doca_comch_server_get_server_ctx(connection), server->server);
	T_EQ(doca_comch_connection_get_user_data(connection).u64, 5);
	T_OK(doca_comch_connection_set_user_data(connection, data));
	T_ERR(doca_comch_connection_update_info(connection), DOCA_ERROR_CONNECTION_ABORTED);
	T_ERR(end_try_send(server, connection, "x", 1), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_comch_server_disconnect(server->server, connection));
}

T_CASE(connection_in_its_disconnect_callback)
{
	struct doca_comch_connection *connection;

	pair_open(&pair);
	connection = server->connection;
	T_OK(doca_comch_connection_set_user_data(connection, (union doca_data){.u64 = 5}));
	server->on_disconnect = look_at_ended;
	(void)doca_ctx_stop(client->ctx);
	PAIR_UNTIL(&pair, server->disconnects == 1);
	T_ERR(doca_comch_server_disconnect(server->server, connection), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_comch_connection_update_info(connection), DOCA_ERROR_CONNECTION_ABORTED);
	pair_close(&pair);
}

/* The connection of another server is foreign. */
T_CASE(disconnect_of_another_servers_connection)
{
	struct end other = {.name = "other"};

	pair_open(&pair);
	end_create(&other, true);
	end_start(&other);
	T_ERR(doca_comch_server_disconnect(other.server, server->connection),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(end_try_send(&other, server->connection, "x", 1), DOCA_ERROR_INVALID_VALUE);
	end_close(&other);
	pair_close(&pair);
}

/* A progress engine is destroyed last. */
T_CASE(engine_outlives_its_contexts)
{
	end_create(server, true);
	T_ERR(doca_pe_destroy(server->pe), DOCA_ERROR_IN_USE);
	end_start(server);
	T_ERR(doca_pe_destroy(server->pe), DOCA_ERROR_IN_USE);
	T_ERR(doca_comch_server_destroy(server->server), DOCA_ERROR_IN_USE);
	end_close(server);
}
