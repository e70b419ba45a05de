/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The DPU side of a control channel: wait for a client, answer what it says, wait until it leaves.
 */
#include <doca_log.h>

#include "../comch_ctrl_path_common.h"

DOCA_LOG_REGISTER(COMCH_CTRL_PATH_SERVER);

struct server {
	struct ctrl_path path; /* first, so that both have one address */
	const char *text;
	bool has_answered;
};

static void on_message(struct ctrl_path *path, const uint8_t *msg, uint32_t len)
{
	struct server *server = (struct server *)path;

	DOCA_LOG_INFO("Received from the client: %.*s", (int)len, (const char *)msg);
	server->has_answered =
		ctrl_path_send(path, server->text, strlen(server->text)) == DOCA_SUCCESS;
}

static bool client_has_answer(void *arg)
{
	struct server *server = arg;

	return server->has_answered && server->path.num_in_flight == 0;
}

static doca_error_t serve_client(struct server *server)
{
	doca_error_t result;

	result = ctrl_path_wait_connected(&server->path);
	if (result == DOCA_SUCCESS)
		result = ctrl_path_wait(&server->path, client_has_answer, server,
					SAMPLE_STEP_SECONDS);
	if (result == DOCA_SUCCESS)
		result = ctrl_path_wait_gone(&server->path);
	if (result == DOCA_SUCCESS)
		result = ctrl_path_stop(&server->path);
	return result;
}

doca_error_t ctrl_path_server_run(const struct sample_config *config)
{
	const struct ctrl_path_events events = {.message = on_message};
	struct server server = {.text = config->text};
	doca_error_t result;

	result = ctrl_path_start_server(&server.path, CTRL_PATH_SERVER_NAME, config, &events);
	if (result == DOCA_SUCCESS)
		result = serve_client(&server);
	ctrl_path_close(&server.path);
	return result;
}
