/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Log and trace of device code.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doca_dpa_dev.h>

#include "dpa/kit.h"

KIT_RPC(say)
{
	DOCA_DPA_DEV_LOG_ERR("bad %d\n", (int)arg);
	DOCA_DPA_DEV_LOG_WARN("odd %d", (int)arg);
	DOCA_DPA_DEV_LOG_INFO("news %d\n", (int)arg);
	DOCA_DPA_DEV_LOG_DBG("detail %d\n", (int)arg);
	return 0;
}

KIT_RPC(trace)
{
	doca_dpa_dev_trace(1, 2, 3, 4, UINT64_MAX);
	if (arg)
		doca_dpa_dev_trace_flush();
	return 0;
}

static char path[64];
static struct doca_dev *dev;

static struct doca_dpa *open_with_file(void)
{
	struct doca_dpa *dpa;
	int fd;

	strcpy(path, "/tmp/dpa_log_test.XXXXXX");
	fd = mkstemp(path);
	T_CHECK(fd >= 0);
	close(fd);
	dev = kit_open(KIT_DPU);
	T_OK(doca_dpa_create(dev, &dpa));
	T_OK(doca_dpa_set_app(dpa, kit_app()));
	return dpa;
}

static const char *content(void)
{
	static char text[1 << 16];
	FILE *file = fopen(path, "re");

	T_CHECK(file != NULL);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	return text;
}

static void close_with_file(struct doca_dpa *dpa)
{
	T_OK(doca_dpa_destroy(dpa));
	T_OK(doca_dev_close(dev));
	T_EQ(unlink(path), 0);
}

T_CASE(goes_to_the_file_of_the_hosts_choice)
{
	struct doca_dpa *dpa = open_with_file();

	T_OK(doca_dpa_log_file_set_path(dpa, path));
	T_OK(doca_dpa_start(dpa));
	kit_rpc(dpa, KIT_FUNC(say), 5);
	T_STREQ(content(), "[DPA][ERR][say:0] bad 5\n[DPA][WRN][say:0] odd 5\n"
			   "[DPA][INF][say:0] news 5\n");
	close_with_file(dpa);
}

static void says(doca_dpa_dev_log_level_t level, const char *text)
{
	struct doca_dpa *dpa = open_with_file();
	doca_dpa_dev_log_level_t got;

	T_OK(doca_dpa_log_file_set_path(dpa, path));
	T_OK(doca_dpa_set_log_level(dpa, level));
	T_OK(doca_dpa_get_log_level(dpa, &got));
	T_EQ(got, level);
	T_OK(doca_dpa_start(dpa));
	kit_rpc(dpa, KIT_FUNC(say), 5);
	T_STREQ(content(), text);
	close_with_file(dpa);
}

T_CASE(levels)
{
	says(DOCA_DPA_DEV_LOG_LEVEL_DISABLE, "");
	says(DOCA_DPA_DEV_LOG_LEVEL_ERROR, "[DPA][ERR][say:0] bad 5\n");
	says(DOCA_DPA_DEV_LOG_LEVEL_DEBUG,
	     "[DPA][ERR][say:0] bad 5\n[DPA][WRN][say:0] odd 5\n[DPA][INF][say:0] news 5\n"
	     "[DPA][DBG][say:0] detail 5\n");
}

T_CASE(traces)
{
	const char *line = "[DPA][TRC][trace:0] 0x1 0x2 0x3 0x4 0xffffffffffffffff\n";
	struct doca_dpa *dpa = open_with_file();

	T_OK(doca_dpa_trace_file_set_path(dpa, path));
	T_OK(doca_dpa_start(dpa));
	kit_rpc(dpa, KIT_FUNC(trace), false);
	T_STREQ(content(), "");
	kit_rpc(dpa, KIT_FUNC(trace), true);
	T_CONTAINS(content(), line);
	close_with_file(dpa);
}

/* Both files are set alike. */
static void names(doca_error_t (*set)(struct doca_dpa *, const char *),
		  doca_error_t (*get)(struct doca_dpa *, char *, uint32_t *))
{
	struct doca_dpa *dpa = open_with_file();
	char got[64];
	uint32_t len = sizeof(got);

	T_OK(get(dpa, got, &len));
	T_STREQ(got, "stdout");
	T_OK(set(dpa, path));
	len = sizeof(got);
	T_OK(get(dpa, got, &len));
	T_STREQ(got, path);
	T_EQ(len, strlen(path) + 1);
	len--;
	T_ERR(get(dpa, got, &len), DOCA_ERROR_INVALID_VALUE);
	kit_log();
	T_ERR(set(dpa, "/nonexistent/file"), DOCA_ERROR_OPERATING_SYSTEM);
	T_CONTAINS(kit_log(), "/nonexistent/file cannot be opened (No such file or directory)");
	T_ERR(set(NULL, path), DOCA_ERROR_INVALID_VALUE);
	T_ERR(set(dpa, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(get(NULL, got, &len), DOCA_ERROR_INVALID_VALUE);
	T_ERR(get(dpa, NULL, &len), DOCA_ERROR_INVALID_VALUE);
	T_ERR(get(dpa, got, NULL), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_dpa_start(dpa));
	T_ERR(set(dpa, path), DOCA_ERROR_BAD_STATE);
	close_with_file(dpa);
}

T_CASE(names_of_files)
{
	names(doca_dpa_log_file_set_path, doca_dpa_log_file_get_path);
	names(doca_dpa_trace_file_set_path, doca_dpa_trace_file_get_path);
}

T_CASE(refusals)
{
	doca_dpa_dev_log_level_t level;
	struct doca_dpa *dpa = kit_dpa(KIT_DPU);

	T_ERR(doca_dpa_set_log_level(NULL, DOCA_DPA_DEV_LOG_LEVEL_INFO), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_set_log_level(dpa, (doca_dpa_dev_log_level_t)20), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_set_log_level(dpa, DOCA_DPA_DEV_LOG_LEVEL_INFO), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_get_log_level(NULL, &level), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_get_log_level(dpa, NULL), DOCA_ERROR_INVALID_VALUE);
	kit_dpa_end(dpa);
}
