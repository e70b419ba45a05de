/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The log itself.
 */
#include <doca_log.h>

#include "misuse/misuse.h"

static char room[64];

static void on_flush(char *buffer)
{
	(void)buffer;
}

MISUSE_CASE(backends)
{
	struct doca_log_backend *backend, *sdk;

	MISUSE(INVALID_VALUE, doca_log_backend_create_with_fd(-1, &backend),
	       "-1 is no open descriptor", "needed: one that stays open");
	MISUSE(INVALID_VALUE, doca_log_backend_create_with_fd_sdk(-1, &backend),
	       "-1 is no open descriptor", "needed: one that stays open");
	MISUSE(INVALID_VALUE, doca_log_backend_create_with_buf(room, 0, on_flush, &backend),
	       "capacity is 0", "needed: at least 1");
	MISUSE(INVALID_VALUE, doca_log_backend_create_with_buf_sdk(room, 0, on_flush, &backend),
	       "capacity is 0", "needed: at least 1");
	T_OK(doca_log_backend_create_with_buf(room, sizeof(room), on_flush, &backend));
	T_OK(doca_log_backend_create_with_buf_sdk(room, sizeof(room), on_flush, &sdk));
	MISUSE(INVALID_VALUE, doca_log_backend_set_level_lower_limit(backend, 11), "level 11",
	       "needed: 10 (disable), 20");
	MISUSE(INVALID_VALUE, doca_log_backend_set_level_upper_limit(backend, 11), "level 11",
	       "needed: 10 (disable), 20");
	MISUSE(INVALID_VALUE, doca_log_backend_set_level_lower_limit(sdk, 30),
	       "is no log backend of the program tier", "needed: what");
	MISUSE(INVALID_VALUE, doca_log_backend_set_level_upper_limit(sdk, 30),
	       "is no log backend of the program tier", "needed: what");
	MISUSE(INVALID_VALUE, doca_log_backend_set_level_lower_limit_strict(sdk),
	       "is no log backend of the program tier", "needed: what");
	MISUSE(INVALID_VALUE, doca_log_backend_set_level_upper_limit_strict(sdk),
	       "is no log backend of the program tier", "needed: what");
	MISUSE(INVALID_VALUE, doca_log_backend_set_sdk_level(backend, 30),
	       "is no log backend of the SDK tier", "needed: what");
	MISUSE(INVALID_VALUE, doca_log_backend_set_sdk_level(sdk, 31), "level 31",
	       "needed: 10 (disable), 20");
}

MISUSE_CASE(levels)
{
	MISUSE(INVALID_VALUE, doca_log_level_set_global_lower_limit(0), "level 0", "needed: 10");
	MISUSE(INVALID_VALUE, doca_log_level_set_global_upper_limit(0), "level 0", "needed: 10");
	MISUSE(INVALID_VALUE, doca_log_level_set_global_sdk_limit(0), "level 0", "needed: 10");
}

MISUSE_CASE(backends_are_all_taken)
{
	struct doca_log_backend *backend;
	int fd = 2;

	for (uint32_t i = 0; i < doca_log_get_max_num_backends(); i++)
		T_OK(doca_log_backend_create_with_fd(fd, &backend));
	MISUSE(NO_MEMORY, doca_log_backend_create_with_fd(fd, &backend), "64 log backends exist",
	       "needed: fewer");
	MISUSE(NO_MEMORY, doca_log_backend_create_with_file(stderr, &backend),
	       "64 log backends exist", "needed: fewer");
	MISUSE(NO_MEMORY, doca_log_backend_create_with_buf(room, sizeof(room), on_flush, &backend),
	       "64 log backends exist", "needed: fewer");
	MISUSE(NO_MEMORY, doca_log_backend_create_with_syslog("misuse", &backend),
	       "64 log backends exist", "needed: fewer");
	MISUSE(NO_MEMORY, doca_log_backend_create_standard(), "64 log backends exist",
	       "needed: fewer");
}

MISUSE_CASE(loggers)
{
	struct doca_logger *strange = (struct doca_logger *)(void *)room, **list;
	char name[DOCA_LOGGER_NAME_SIZE];
	uint32_t num;
	int level;

	MISUSE(INVALID_VALUE, doca_log_unregister_source(4711), "there is no source 4711",
	       "doca_log_register_source()");
	MISUSE(INVALID_VALUE, doca_log(11, 4711, "f.c", 1, "f", "x"), "level 11, source 4711",
	       "needed: a level of 20 to 70");
	MISUSE(INVALID_VALUE, doca_logger_create_list(NULL, 0, &list, &num), "depth is 0",
	       "needed: at least 1");
	MISUSE(NOT_FOUND, doca_logger_create_list(strange, 1, &list, &num), "is no logger",
	       "doca_logger_create_list()");
	MISUSE(INVALID_VALUE, doca_logger_set_level(NULL, 11, 1), "level 11",
	       "needed: a level of 10 to 70");
	MISUSE(INVALID_VALUE, doca_logger_set_level(NULL, 30, 0), "level 30",
	       "propagation for the root");
	MISUSE(NOT_FOUND, doca_logger_set_level(strange, 30, 0), "is no logger",
	       "doca_logger_create_list()");
	MISUSE(NOT_FOUND, doca_logger_get_level(strange, &level), "is no logger",
	       "doca_logger_create_list()");
	MISUSE(NOT_FOUND, doca_logger_get_name(strange, name), "is no logger",
	       "doca_logger_create_list()");
}
