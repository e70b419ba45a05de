/* SPDX-License-Identifier: BSD-3-Clause
 * The log: backends of both tiers, limits, sources, loggers, format. The SDK's records are made by
 * misusing the library. Every case has a process, hence a log, of its own.
 */
#include "log_kit.h"

#include <doca_version.h>

#include <pthread.h>
#include <stdarg.h>
#include <syslog.h>

T_CASE(level_numbers)
{
	T_EQ(DOCA_LOG_LEVEL_DISABLE, 10);
	T_EQ(DOCA_LOG_LEVEL_CRIT, 20);
	T_EQ(DOCA_LOG_LEVEL_ERROR, 30);
	T_EQ(DOCA_LOG_LEVEL_WARNING, 40);
	T_EQ(DOCA_LOG_LEVEL_INFO, 50);
	T_EQ(DOCA_LOG_LEVEL_DEBUG, 60);
	T_EQ(DOCA_LOG_LEVEL_TRACE, 70);
}

T_CASE(without_a_backend_records_go_nowhere)
{
	DOCA_LOG_CRIT("nobody hears this");
	sdk_say();
	T_EQ(app_records + sdk_records, 0);
}

T_CASE(a_program_record_is_one_line_in_the_published_form)
{
	app_backend();
	DOCA_LOG_WARN("value %d of %s", 7, "this");
	matches(app_text,
		"^\\[[0-9]{2}:[0-9]{2}:[0-9]{2}:[0-9]{6}\\]\\[[0-9]+\\]\\[DOCA\\]\\[WRN\\]"
		"\\[log_test\\.c:[0-9]+\\]"
		"\\[t_run_a_program_record_is_one_line_in_the_published_form\\] "
		"value 7 of this\n$");
}

T_CASE(an_sdk_record_has_no_function)
{
	sdk_backend();
	sdk_text[0] = '\0';
	sdk_say();
	matches(sdk_text, "^\\[[0-9:]{15}\\]\\[[0-9]+\\]\\[DOCA\\]\\[ERR\\]"
			  "\\[log_level\\.c:[0-9]+\\] [^\n]*1234[^\n]*\n$");
}

T_CASE(every_level_has_its_mark)
{
	app_backend();
	T_OK(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_TRACE));
	DOCA_LOG_CRIT("a");
	DOCA_LOG_ERR("a");
	DOCA_LOG_WARN("a");
	DOCA_LOG_INFO("a");
	DOCA_LOG_DBG("a");
	DOCA_LOG(DOCA_LOG_LEVEL_TRACE, "a");
	matches(app_text,
		"^.*\\[CRT\\].*\n.*\\[ERR\\].*\n.*\\[WRN\\].*\n.*\\[INF\\].*\n.*\\[DBG\\].*\n"
		".*\\[TRC\\].*\n$");
}

T_CASE(trace_macro_is_empty_unless_built_in)
{
	int evaluated = 0;

	app_backend();
	T_OK(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_TRACE));
	DOCA_LOG_TRC("%d", evaluated++);
	T_EQ(evaluated, 0);
	T_EQ(app_records, 0);
}

T_CASE(arguments_are_evaluated_though_filtered)
{
	int evaluated = 0;

	DOCA_LOG_DBG("%d", evaluated++);
	T_EQ(evaluated, 1);
}

T_CASE(the_tiers_are_apart)
{
	app_backend();
	sdk_backend();
	sdk_text[0] = '\0';
	DOCA_LOG_ERR("program");
	sdk_say();
	T_CONTAINS(app_text, "program");
	T_CHECK(!strstr(app_text, "1234"));
	T_CONTAINS(sdk_text, "1234");
	T_CHECK(!strstr(sdk_text, "program"));
}

T_CASE(the_first_sdk_backend_is_greeted_with_the_version)
{
	sdk_backend();
	T_EQ(sdk_records, 1);
	T_CONTAINS(sdk_text, "[INF]");
	T_CONTAINS(sdk_text, "] DOCA version " DOCA_VER_STRING "\n");
	sdk_backend();
	T_EQ(sdk_records, 1);
}

T_CASE(file_backends)
{
	struct doca_log_backend *backend;
	int fd;
	FILE *file = capture(&fd);

	T_OK(doca_log_backend_create_with_file(file, &backend));
	DOCA_LOG_INFO("to a stream");
	T_CONTAINS(captured(fd), "to a stream\n");
	T_OK(doca_log_backend_create_with_file_sdk(file, &backend));
	T_CONTAINS(captured(fd), "DOCA version");
	fclose(file);
}

T_CASE(fd_backends)
{
	struct doca_log_backend *backend;
	int fd;
	FILE *file = capture(&fd);

	T_OK(doca_log_backend_create_with_fd(fileno(file), &backend));
	DOCA_LOG_INFO("to a descriptor");
	T_CONTAINS(captured(fd), "to a descriptor\n");
	T_OK(doca_log_backend_create_with_fd_sdk(fileno(file), &backend));
	T_CONTAINS(captured(fd), "DOCA version");
	fclose(file);
	DOCA_LOG_INFO("to a closed descriptor: lost, and no harm");
}

/* In the place of the C library's, visible to the shared libraries: what the backend asks for. */
static char syslog_ident[64], syslog_text[512];
static int syslog_priority;

__attribute__((visibility("default"))) void openlog(const char *ident, int option, int facility)
{
	snprintf(syslog_ident, sizeof(syslog_ident), "%s", ident);
}

__attribute__((visibility("default"))) void syslog(int priority, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(syslog_text, sizeof(syslog_text), format, ap);
	va_end(ap);
	syslog_priority = priority;
}

T_CASE(syslog_backends)
{
	struct doca_log_backend *backend;
	char name[] = "prog";

	T_OK(doca_log_backend_create_with_syslog(name, &backend));
	name[0] = 'x';
	DOCA_LOG_ERR("to syslog");
	T_STREQ(syslog_ident, "prog");
	T_EQ(syslog_priority, LOG_ERR);
	matches(syslog_text, "^\\[DOCA\\]\\[ERR\\].* to syslog$");
	T_OK(doca_log_backend_create_with_syslog_sdk("sdk", &backend));
	T_STREQ(syslog_ident, "sdk");
	T_EQ(syslog_priority, LOG_INFO);
	DOCA_LOG_CRIT("x");
	T_EQ(syslog_priority, LOG_CRIT);
	DOCA_LOG_WARN("x");
	T_EQ(syslog_priority, LOG_WARNING);
	T_OK(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_DEBUG));
	DOCA_LOG_DBG("x");
	T_EQ(syslog_priority, LOG_DEBUG);
}

T_CASE(a_buf_backend_drops_what_does_not_fit)
{
	struct doca_log_backend *backend;
	char text[200];

	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	T_OK(doca_log_backend_create_with_buf(app_buf, 150, app_flush, &backend));
	DOCA_LOG_INFO("%s", text);
	T_EQ(app_records, 0);
	DOCA_LOG_INFO("short");
	T_EQ(app_records, 1);
	T_CHECK(strncmp(app_buf, app_text, strlen(app_text)) == 0);
}

static void flush_logs(char *buf)
{
	app_flush(buf);
	DOCA_LOG_INFO("from the handler");
}

T_CASE(a_flush_handler_may_log)
{
	struct doca_log_backend *backend;
	int fd;
	FILE *file = capture(&fd);

	T_OK(doca_log_backend_create_with_buf(app_buf, sizeof(app_buf), flush_logs, &backend));
	T_OK(doca_log_backend_create_with_file(file, &backend));
	DOCA_LOG_INFO("once");
	T_EQ(app_records, 1);
	T_CONTAINS(captured(fd), "from the handler");
	T_CONTAINS(captured(fd), "once");
	fclose(file);
}

T_CASE(long_records_are_cut)
{
	char *text = malloc(20001);

	memset(text, 'x', 20000);
	text[20000] = '\0';
	app_backend();
	DOCA_LOG_INFO("%s", text);
	T_EQ(app_records, 1);
	T_CONTAINS(app_text, "xxx [cut]\n");
	app_text[0] = '\0';
	DOCA_LOG_INFO("%.4080s", text);
	T_CHECK(!strstr(app_text, "[cut]"));
	free(text);
}

T_CASE(errno_is_kept)
{
	app_backend();
	errno = ENOENT;
	DOCA_LOG_INFO("why: %m");
	T_EQ(errno, ENOENT);
	T_CONTAINS(app_text, "why: No such file or directory");
}

T_CASE(creators_refuse_what_they_cannot_use)
{
	struct doca_log_backend *backend = NULL;
	char buf[8];

	T_ERR(doca_log_backend_create_with_file(NULL, &backend), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log_backend_create_with_file(stderr, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log_backend_create_with_file_sdk(NULL, &backend), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log_backend_create_with_fd(-1, &backend), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log_backend_create_with_fd(9999, &backend), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log_backend_create_with_fd(2, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log_backend_create_with_fd_sdk(-1, &backend), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log_backend_create_with_buf(NULL, 8, app_flush, &backend),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log_backend_create_with_buf(buf, 0, app_flush, &backend),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log_backend_create_with_buf(buf, 8, NULL, &backend), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log_backend_create_with_buf(buf, 8, app_flush, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log_backend_create_with_buf_sdk(buf, 0, app_flush, &backend),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log_backend_create_with_syslog(NULL, &backend), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log_backend_create_with_syslog("x", NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log_backend_create_with_syslog_sdk(NULL, &backend), DOCA_ERROR_INVALID_VALUE);
	T_CHECK(backend == NULL);
}

T_CASE(backends_are_bounded)
{
	struct doca_log_backend *backend = NULL;
	uint32_t max = doca_log_get_max_num_backends();

	for (uint32_t i = 0; i < max - 1; i++)
		app_backend();
	T_ERR(doca_log_backend_create_standard(), DOCA_ERROR_NO_MEMORY);
	app_backend();
	T_ERR(doca_log_backend_create_with_file(stderr, &backend), DOCA_ERROR_NO_MEMORY);
	T_ERR(doca_log_backend_create_with_syslog("x", &backend), DOCA_ERROR_NO_MEMORY);
	T_CHECK(backend == NULL);
	for (uint32_t i = 0; i < doca_log_get_max_num_backends_sdk(); i++)
		sdk_backend();
	T_ERR(doca_log_backend_create_with_fd_sdk(2, &backend), DOCA_ERROR_NO_MEMORY);
}

/* Replaces a standard stream by a file to look at. */
static int standard_captured(int stream)
{
	int fd;

	fclose(capture(&fd));
	T_CHECK(dup2(fd, stream) == stream);
	return fd;
}

T_CASE(standard_backends_split_at_warning)
{
	int out = standard_captured(STDOUT_FILENO), err = standard_captured(STDERR_FILENO);

	T_OK(doca_log_backend_create_standard());
	T_OK(doca_log_backend_create_standard());
	DOCA_LOG_INFO("info once");
	DOCA_LOG_WARN("warning");
	DOCA_LOG_DBG("debug");
	matches(captured(out), "^[^\n]*info once\n$");
	matches(captured(err), "^[^\n]*warning\n$");
	T_OK(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_DEBUG));
	DOCA_LOG_DBG("more");
	T_CONTAINS(captured(out), "more\n");
	T_OK(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_ERROR));
	DOCA_LOG_INFO("unheard");
	DOCA_LOG_WARN("unheard");
	DOCA_LOG_ERR("error");
	matches(captured(err), "^[^\n]*warning\n[^\n]*error\n$");
	T_CHECK(!strstr(captured(out), "unheard"));
}

T_CASE(default_limits)
{
	T_EQ(doca_log_level_get_global_lower_limit(), DOCA_LOG_LEVEL_INFO);
	T_EQ(doca_log_level_get_global_upper_limit(), DOCA_LOG_LEVEL_CRIT);
	T_EQ(doca_log_level_get_global_sdk_limit(), DOCA_LOG_LEVEL_INFO);
	app_backend();
	T_STREQ(levels_delivered(), "CEWI");
}

T_CASE(global_limits_reach_present_and_future_backends)
{
	app_backend();
	T_OK(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_DEBUG));
	T_EQ(doca_log_level_get_global_lower_limit(), DOCA_LOG_LEVEL_DEBUG);
	T_STREQ(levels_delivered(), "CEWID");
	T_OK(doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_WARNING));
	T_EQ(doca_log_level_get_global_upper_limit(), DOCA_LOG_LEVEL_WARNING);
	T_STREQ(levels_delivered(), "WID");
	app_records = 0;
	app_backend();
	DOCA_LOG_DBG("two backends");
	T_EQ(app_records, 2);
	DOCA_LOG_ERR("none");
	T_EQ(app_records, 2);
}

T_CASE(disable_silences_the_program_tier)
{
	app_backend();
	T_OK(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_DISABLE));
	T_STREQ(levels_delivered(), "");
}

T_CASE(a_backends_own_limit_lasts_until_the_next_global_one)
{
	struct doca_log_backend *backend = app_backend();

	T_OK(doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_WARNING));
	T_STREQ(levels_delivered(), "CEW");
	T_OK(doca_log_backend_set_level_upper_limit(backend, DOCA_LOG_LEVEL_ERROR));
	T_STREQ(levels_delivered(), "EW");
	T_OK(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_DEBUG));
	T_STREQ(levels_delivered(), "EWID");
	T_OK(doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_INFO));
	T_STREQ(levels_delivered(), "ID");
}

T_CASE(strict_limits_do_not_follow)
{
	struct doca_log_backend *backend = app_backend();

	T_OK(doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_WARNING));
	T_OK(doca_log_backend_set_level_lower_limit_strict(backend));
	T_OK(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_TRACE));
	T_STREQ(levels_delivered(), "CEW");
	T_OK(doca_log_backend_set_level_upper_limit_strict(backend));
	T_OK(doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_WARNING));
	T_STREQ(levels_delivered(), "CEW");
	T_OK(doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_INFO));
	T_STREQ(levels_delivered(), "CEWI");
}

T_CASE(limits_refuse_unknown_levels_and_backends)
{
	struct doca_log_backend *app = app_backend(), *sdk = sdk_backend();
	struct doca_log_backend *none = (struct doca_log_backend *)app_buf;
	const uint32_t bad[] = {0, 1, 15, 55, 80, UINT32_MAX};

	for (unsigned int i = 0; i < 6; i++) {
		T_ERR(doca_log_level_set_global_lower_limit(bad[i]), DOCA_ERROR_INVALID_VALUE);
		T_ERR(doca_log_level_set_global_upper_limit(bad[i]), DOCA_ERROR_INVALID_VALUE);
		T_ERR(doca_log_level_set_global_sdk_limit(bad[i]), DOCA_ERROR_INVALID_VALUE);
		T_ERR(doca_log_backend_set_level_lower_limit(app, bad[i]),
		      DOCA_ERROR_INVALID_VALUE);
		T_ERR(doca_log_backend_set_level_upper_limit(app, bad[i]),
		      DOCA_ERROR_INVALID_VALUE);
		T_ERR(doca_log_backend_set_sdk_level(sdk, bad[i]), DOCA_ERROR_INVALID_VALUE);
	}
	T_ERR(doca_log_backend_set_level_lower_limit(NULL, 50), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log_backend_set_level_upper_limit(NULL, 50), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log_backend_set_level_lower_limit_strict(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log_backend_set_level_upper_limit_strict(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log_backend_set_sdk_level(NULL, 50), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log_backend_set_level_lower_limit(none, 50), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log_backend_set_level_lower_limit(sdk, 50), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_log_backend_set_sdk_level(app, 50), DOCA_ERROR_INVALID_VALUE);
	T_STREQ(levels_delivered(), "CEWI");
}

T_CASE(a_backends_own_sdk_level_wins)
{
	struct doca_log_backend *backend = sdk_backend();

	T_CHECK(sdk_heard());
	T_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_CRIT));
	T_EQ(doca_log_level_get_global_sdk_limit(), DOCA_LOG_LEVEL_CRIT);
	T_CHECK(!sdk_heard());
	T_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_ERROR));
	T_CHECK(sdk_heard());
	T_OK(doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_DISABLE));
	T_CHECK(!sdk_heard());
	T_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_TRACE));
	T_CHECK(!sdk_heard());
	sdk_backend();
	T_CHECK(sdk_heard());
}

T_CASE(program_limits_leave_the_sdk_tier_alone)
{
	sdk_backend();
	T_OK(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_DISABLE));
	T_OK(doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_TRACE));
	T_CHECK(sdk_heard());
}

enum { THREADS = 4, RECORDS = 200 };

static void *log_many(void *arg)
{
	for (int i = 0; i < RECORDS; i++)
		DOCA_LOG_INFO("thread record that is not mixed with others");
	return arg;
}

T_CASE(threads_do_not_mix_records)
{
	pthread_t threads[THREADS];
	int pipe_fds[2];
	struct doca_log_backend *backend;
	FILE *reader;
	char line[256];

	T_EQ(pipe(pipe_fds), 0);
	T_OK(doca_log_backend_create_with_fd(pipe_fds[1], &backend));
	for (int i = 0; i < THREADS; i++)
		T_EQ(pthread_create(&threads[i], NULL, log_many, NULL), 0);
	reader = fdopen(pipe_fds[0], "r");
	for (int i = 0; i < THREADS * RECORDS; i++) {
		T_CHECK(fgets(line, sizeof(line), reader) != NULL);
		matches(line, "^\\[[^\n]*not mixed with others\n$");
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	fclose(reader);
	close(pipe_fds[1]);
}

static int log_in_child(void *arg)
{
	DOCA_LOG_INFO("child");
	_exit(0); /* exit handlers are not for a copy of a process that had threads */
}

static void *log_until(void *stop)
{
	while (!__atomic_load_n((int *)stop, __ATOMIC_RELAXED))
		DOCA_LOG_INFO("busy");
	return NULL;
}

T_CASE(a_forked_child_can_log)
{
	int stop = 0, null_fd = open("/dev/null", O_WRONLY);
	struct doca_log_backend *backend;
	pthread_t thread;

	T_OK(doca_log_backend_create_with_fd(null_fd, &backend));
	T_EQ(pthread_create(&thread, NULL, log_until, &stop), 0);
	for (int i = 0; i < 20; i++)
		T_EQ(t_wait(t_fork(log_in_child, NULL), 5000), 0);
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
}
