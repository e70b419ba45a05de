/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls without the pointers that they need.
 */
#include <doca_argp.h>

#include "misuse/misuse.h"

MISUSE_CASE(argp_without_pointers)
{
	MISUSE(INVALID_VALUE, doca_argp_param_create(NULL), "param is NULL");
	MISUSE(INVALID_VALUE, doca_argp_param_destroy(NULL), "param is NULL");
	MISUSE(INVALID_VALUE, doca_argp_register_param(NULL), "input_param is NULL");
	MISUSE(INVALID_VALUE, doca_argp_register_version_callback(NULL), "callback is NULL");
	MISUSE(INVALID_VALUE, doca_argp_register_validation_callback(NULL), "callback is NULL");
	MISUSE(INVALID_VALUE, doca_argp_start(1, NULL), "argc is 0, or argv has a hole");
	MISUSE(INVALID_VALUE, doca_argp_get_log_level(NULL), "log_level is NULL");
	MISUSE(INVALID_VALUE, doca_argp_get_sdk_log_level(NULL), "log_level is NULL");
	MISUSE(INVALID_VALUE, doca_argp_cmd_create(NULL), "cmd is NULL");
	MISUSE(INVALID_VALUE, doca_argp_cmd_register_param(NULL, NULL), "cmd or param is NULL");
	MISUSE(INVALID_VALUE, doca_argp_cmd_register_cmd(NULL, NULL), "cmd or inner_cmd is NULL");
	MISUSE(INVALID_VALUE, doca_argp_register_cmd(NULL), "cmd is NULL");
	MISUSE(INVALID_VALUE, doca_argp_cmd_destroy(NULL), "cmd is NULL");
	MISUSE(INVALID_VALUE, doca_argp_register_dev_open_callback(NULL, NULL), "callback is NULL");
	MISUSE(INVALID_VALUE, doca_argp_register_logger_callback(NULL), "callback is NULL");
}
