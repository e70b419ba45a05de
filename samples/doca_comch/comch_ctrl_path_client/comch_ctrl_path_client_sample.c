/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The host side of a control channel: connect, say something, wait for the answer, leave.
 */
#include <doca_log.h>

#include "../comch_ctrl_path_common.h"

DOCA_LOG_REGISTER(COMCH_CTRL_PATH_CLIENT);

struct client {
	struct ctrl_path path; /* first, so that both have one address */
	bool has_answer;
};

static void on_message(struct ctrl_path *path, const uint8_t *msg, uint32_t len)
{
	DOCA_LOG_INFO("Received from the server: %.*s", (int)len, (const char *)msg);
	((struct client *)path)->has_answer = true;
}

static bool has_talked(void *arg)
{
	struct client *client = arg;

	return client->has_answer && client->path.num_in_flight == 0;
}

doca_error_t ctrl_path_client_run(const struct sample_config *config)
{
	const struct ctrl_path_events events = {.message = on_message};
	struct client client = {.has_answer = false};
	doca_error_t result;

	result = ctrl_path_start_client(&client.path, CTRL_PATH_SERVER_NAME, config, &events);
	if (result == DOCA_SUCCESS)
		result = ctrl_path_send(&client.path, config->text, strlen(config->text));
	if (result == DOCA_SUCCESS)
		result = ctrl_path_wait(&client.path, has_talked, &client, SAMPLE_STEP_SECONDS);
	if (result == DOCA_SUCCESS)
		result = ctrl_path_stop(&client.path);
	ctrl_path_close(&client.path);
	return result;
}
