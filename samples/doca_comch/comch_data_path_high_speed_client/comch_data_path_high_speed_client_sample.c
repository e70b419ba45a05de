/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The host side of the fast path: connect, exchange texts with the server, leave.
 */
#include "../comch_data_path_high_speed_common.h"

doca_error_t data_path_client_run(const struct sample_config *config)
{
	struct data_path path = {.peer_consumer = 0};
	doca_error_t result;

	result = ctrl_path_start_client(&path.ctrl, DATA_PATH_SERVER_NAME, config,
					&data_path_events);
	if (result == DOCA_SUCCESS)
		result = data_path_exchange(&path, config->text);
	if (result == DOCA_SUCCESS)
		result = ctrl_path_stop(&path.ctrl);
	ctrl_path_close(&path.ctrl);
	return result;
}
