/* SPDX-License-Identifier: BSD-3-Clause
 * Sources, loggers, and what doca_log() itself checks.
 */
#include "log_kit.h"

T_CASE(records_need_a_known_level_and_source)
{
	app_backend();
	T_ERR(doca_log(55, log_source, "f", 1, "f", "x"), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log(DOCA_LOG_LEVEL_DISABLE, log_source, "f", 1, "f", "x"),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log(UINT32_MAX, log_source, "f", 1, "f", "x"), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log(50, 0, "f", 1, "f", "x"), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log(50, -1, "f", 1, "f", "x"), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log(50, 9999, "f", 1, "f", "x"), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log(50, log_source, NULL, 1, "f", "x"), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log(50, log_source, "f", 1, NULL, "x"), DOCA_ERROR_INVALID_VALUE);
	T_EQ(app_records, 0);
}

T_CASE(sources_are_registered_once_per_name)
{
	int a = 0, b = 0, c = 0;

	T_OK(doca_log_register_source("A::B", &a));
	T_OK(doca_log_register_source("A::B", &b));
	T_OK(doca_log_register_source("A", &c));
	T_EQ(a, b);
	T_CHECK(a != c && a > 0 && c > 0);
	T_OK(doca_log_unregister_source(a));
	T_ERR(doca_log_unregister_source(0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log_unregister_source(12345), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log_register_source(NULL, &a), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log_register_source("x", NULL), DOCA_ERROR_INVALID_VALUE);
}

T_CASE(sources_are_bounded)
{
	doca_error_t result = DOCA_SUCCESS;
	char name[32];
	int source = 0, n = 0;

	for (; result == DOCA_SUCCESS && n < 100000; n++) {
		snprintf(name, sizeof(name), "SOURCE%d", n);
		result = doca_log_register_source(name, &source);
	}
	T_ERR(result, DOCA_ERROR_NO_MEMORY);
	T_CHECK(n > 1000);
	T_OK(doca_log_register_source("SOURCE0", &source));
}

static struct doca_logger *logger(const char *name)
{
	struct doca_logger **list;
	struct doca_logger *found;
	uint32_t n;

	T_OK(doca_logger_create_list(NULL, 255, &list, &n));
	found = doca_logger_find_by_name(list, name);
	T_OK(doca_logger_destroy_list(list));
	return found;
}

T_CASE(names_make_a_tree_of_loggers)
{
	struct doca_logger **list;
	char name[DOCA_LOGGER_NAME_SIZE];
	int source;
	uint32_t n;

	T_OK(doca_log_register_source("A::B::C", &source));
	T_OK(doca_log_register_source("A::D", &source));
	T_OK(doca_log_register_source("AB", &source));
	T_OK(doca_logger_create_list(NULL, 1, &list, &n));
	T_EQ(n, 3); /* TEST, A, AB */
	T_CHECK(doca_logger_find_by_name(list, "TEST") && doca_logger_find_by_name(list, "A"));
	T_CHECK(!doca_logger_find_by_name(list, "A::B"));
	T_OK(doca_logger_destroy_list(list));

	T_OK(doca_logger_create_list(logger("A"), 1, &list, &n));
	T_EQ(n, 2);
	T_OK(doca_logger_get_name(list[0], name));
	T_STREQ(name, "A::B");
	T_CHECK(doca_logger_find_by_name(list, "A::D") == list[1]);
	T_OK(doca_logger_destroy_list(list));

	T_OK(doca_logger_create_list(logger("A"), 2, &list, &n));
	T_EQ(n, 3);
	T_OK(doca_logger_destroy_list(list));

	T_OK(doca_logger_create_list(logger("A::D"), 9, &list, &n));
	T_EQ(n, 0);
	T_CHECK(doca_logger_find_by_name(list, "A") == NULL);
	T_OK(doca_logger_destroy_list(list));
}

T_CASE(long_source_names_are_cut)
{
	char name[300], cut[DOCA_LOGGER_NAME_SIZE];
	int source;

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	T_OK(doca_log_register_source(name, &source));
	name[DOCA_LOGGER_NAME_SIZE - 1] = '\0';
	T_CHECK(logger(name) != NULL);
	T_OK(doca_logger_get_name(logger(name), cut));
	T_STREQ(cut, name);
}

T_CASE(a_loggers_level_filters_before_the_backends)
{
	int level = 0, source;

	app_backend();
	T_OK(doca_logger_get_level(logger("TEST::LOG"), &level));
	T_EQ(level, DOCA_LOG_LEVEL_TRACE);
	T_OK(doca_logger_set_level(logger("TEST"), DOCA_LOG_LEVEL_ERROR, 0));
	T_STREQ(levels_delivered(), "CEWI");
	T_OK(doca_logger_set_level(logger("TEST"), DOCA_LOG_LEVEL_ERROR, 1));
	T_STREQ(levels_delivered(), "CE");
	T_OK(doca_logger_get_level(logger("TEST::LOG"), &level));
	T_EQ(level, DOCA_LOG_LEVEL_ERROR);
	T_OK(doca_logger_set_level(NULL, DOCA_LOG_LEVEL_WARNING, 1));
	T_STREQ(levels_delivered(), "CEW");
	T_OK(doca_log_register_source("TEST::LOG::LATER", &source));
	T_OK(doca_logger_get_level(logger("TEST::LOG::LATER"), &level));
	T_EQ(level, DOCA_LOG_LEVEL_WARNING);
}

T_CASE(logger_calls_refuse_what_is_no_logger)
{
	struct doca_logger *none = (struct doca_logger *)app_buf;
	struct doca_logger **list = NULL;
	char name[DOCA_LOGGER_NAME_SIZE];
	uint32_t n;
	int level;

	T_ERR(doca_logger_create_list(NULL, 1, NULL, &n), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_logger_create_list(NULL, 1, &list, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_logger_create_list(NULL, 0, &list, &n), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_logger_create_list(none, 1, &list, &n), DOCA_ERROR_NOT_FOUND);
	T_CHECK(list == NULL);
	T_ERR(doca_logger_destroy_list(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_logger_set_level(NULL, 50, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_logger_set_level(logger("TEST"), 51, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_logger_set_level(none, 50, 0), DOCA_ERROR_NOT_FOUND);
	T_ERR(doca_logger_get_level(NULL, &level), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_logger_get_level(logger("TEST"), NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_logger_get_level(none, &level), DOCA_ERROR_NOT_FOUND);
	T_ERR(doca_logger_get_name(NULL, name), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_logger_get_name(none, name), DOCA_ERROR_NOT_FOUND);
	T_CHECK(doca_logger_find_by_name(NULL, "x") == NULL);
}
