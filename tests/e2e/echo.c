/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A whole Comch program. Built for the DPU role it serves one client and sends back what it gets;
 * built for the host role it sends its argument and prints what comes back. Each takes the first
 * device that can do it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <doca_comch.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_pe.h>

#define TRY(call) try_call(#call, call)

static int is_over;

static void try_call(const char *what, doca_error_t result)
{
	if (result == DOCA_SUCCESS || result == DOCA_ERROR_IN_PROGRESS)
		return;
	fprintf(stderr, "%s: %s\n", what, doca_error_get_descr(result));
	exit(1);
}

static struct doca_dev *open_first(doca_error_t (*can)(const struct doca_devinfo *))
{
	struct doca_devinfo **list;
	struct doca_dev *dev = NULL;
	uint32_t n, i;

	TRY(doca_devinfo_create_list(&list, &n));
	for (i = 0; i < n && dev == NULL; i++) {
		if (can(list[i]) == DOCA_SUCCESS)
			TRY(doca_dev_open(list[i], &dev));
	}
	TRY(doca_devinfo_destroy_list(list));
	TRY(dev != NULL ? DOCA_SUCCESS : DOCA_ERROR_NOT_FOUND);
	return dev;
}

static void on_sent(struct doca_comch_task_send *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	doca_task_free(doca_comch_task_send_as_task(task));
}

static void progress_to(struct doca_pe *pe, struct doca_ctx *ctx, enum doca_ctx_states wanted)
{
	enum doca_ctx_states state;

	do {
		doca_pe_progress(pe);
		TRY(doca_ctx_get_state(ctx, &state));
	} while (state != wanted && state != DOCA_CTX_STATE_IDLE);
	TRY(state == wanted ? DOCA_SUCCESS : DOCA_ERROR_NOT_CONNECTED);
}

#ifdef DOCA_ARCH_DPU

static void on_message(struct doca_comch_event_msg_recv *event, uint8_t *msg, uint32_t len,
		       struct doca_comch_connection *connection)
{
	struct doca_comch_server *server = doca_comch_server_get_server_ctx(connection);
	struct doca_comch_task_send *task;

	(void)event;
	TRY(doca_comch_server_task_send_alloc_init(server, connection, msg, len, &task));
	TRY(doca_task_submit(doca_comch_task_send_as_task(task)));
}

static void on_connect(struct doca_comch_event_connection_status_changed *event,
		       struct doca_comch_connection *connection, uint8_t ok)
{
	(void)event;
	(void)connection;
	printf("client %s\n", ok ? "connected" : "failed to connect");
}

static void on_disconnect(struct doca_comch_event_connection_status_changed *event,
			  struct doca_comch_connection *connection, uint8_t ok)
{
	(void)event;
	(void)connection;
	is_over = ok;
}

static void run(struct doca_pe *pe, const char *text)
{
	struct doca_dev *dev = open_first(doca_comch_cap_server_is_supported);
	struct doca_devinfo_rep **list;
	struct doca_comch_server *server;
	struct doca_dev_rep *rep;
	uint32_t n;

	(void)text;
	TRY(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET, &list, &n));
	TRY(n > 0 ? DOCA_SUCCESS : DOCA_ERROR_NOT_FOUND);
	TRY(doca_dev_rep_open(list[0], &rep));
	TRY(doca_devinfo_rep_destroy_list(list));

	TRY(doca_comch_server_create(dev, rep, "echo", &server));
	TRY(doca_pe_connect_ctx(pe, doca_comch_server_as_ctx(server)));
	TRY(doca_comch_server_task_send_set_conf(server, on_sent, on_sent, 16));
	TRY(doca_comch_server_event_msg_recv_register(server, on_message));
	TRY(doca_comch_server_event_connection_status_changed_register(server, on_connect,
								       on_disconnect));
	TRY(doca_ctx_start(doca_comch_server_as_ctx(server)));
	puts("listening");
	while (!is_over)
		doca_pe_progress(pe);
	TRY(doca_ctx_stop(doca_comch_server_as_ctx(server)));
	progress_to(pe, doca_comch_server_as_ctx(server), DOCA_CTX_STATE_IDLE);
	TRY(doca_comch_server_destroy(server));
	TRY(doca_dev_rep_close(rep));
	TRY(doca_dev_close(dev));
}

#else

static void on_message(struct doca_comch_event_msg_recv *event, uint8_t *msg, uint32_t len,
		       struct doca_comch_connection *connection)
{
	(void)event;
	(void)connection;
	printf("echo: %.*s\n", (int)len, (const char *)msg);
	is_over = 1;
}

static void run(struct doca_pe *pe, const char *text)
{
	struct doca_dev *dev = open_first(doca_comch_cap_client_is_supported);
	struct doca_comch_connection *connection;
	struct doca_comch_client *client;
	struct doca_comch_task_send *task;

	TRY(doca_comch_client_create(dev, "echo", &client));
	TRY(doca_pe_connect_ctx(pe, doca_comch_client_as_ctx(client)));
	TRY(doca_comch_client_task_send_set_conf(client, on_sent, on_sent, 16));
	TRY(doca_comch_client_event_msg_recv_register(client, on_message));
	TRY(doca_ctx_start(doca_comch_client_as_ctx(client)));
	progress_to(pe, doca_comch_client_as_ctx(client), DOCA_CTX_STATE_RUNNING);

	TRY(doca_comch_client_get_connection(client, &connection));
	TRY(doca_comch_client_task_send_alloc_init(client, connection, text, strlen(text), &task));
	TRY(doca_task_submit(doca_comch_task_send_as_task(task)));
	while (!is_over)
		doca_pe_progress(pe);
	TRY(doca_ctx_stop(doca_comch_client_as_ctx(client)));
	progress_to(pe, doca_comch_client_as_ctx(client), DOCA_CTX_STATE_IDLE);
	TRY(doca_comch_client_destroy(client));
	TRY(doca_dev_close(dev));
}

#endif

int main(int argc, char **argv)
{
	struct doca_pe *pe;

	setvbuf(stdout, NULL, _IOLBF, 0);
	alarm(60); /* nobody waits for ever, not even for a peer that was never started */
	TRY(doca_pe_create(&pe));
	run(pe, argc > 1 ? argv[1] : "hello");
	TRY(doca_pe_destroy(pe));
	return 0;
}
