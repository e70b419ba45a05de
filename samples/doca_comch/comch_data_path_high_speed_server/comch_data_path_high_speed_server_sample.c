/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The DPU side of the fast path: wait for a client, exchange texts with it, wait until it leaves.
 */
#include "../comch_data_path_high_speed_common.h"

doca_error_t data_path_server_run(const struct sample_config *config)
{
	struct data_path path = {.peer_consumer = 0};
	doca_error_t result;

	result = ctrl_path_start_server(&path.ctrl, DATA_PATH_SERVER_NAME, config,
					&data_path_events);
	if (result == DOCA_SUCCESS)
		result = ctrl_path_wait_connected(&path.ctrl);
	if (result == DOCA_SUCCESS)
		result = data_path_exchange(&path, config->text);
	if (result == DOCA_SUCCESS)
		result = ctrl_path_wait_gone(&path.ctrl);
	if (result == DOCA_SUCCESS)
		result = ctrl_path_stop(&path.ctrl);
	ctrl_path_close(&path.ctrl);
	return result;
}
