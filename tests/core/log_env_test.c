/* SPDX-License-Identifier: BSD-3-Clause
 * What the environment says about the SDK tier. It is read when the library is loaded, so that each
 * case runs this program again.
 */
#include "log_kit.h"

/* What this program writes to standard error when it runs `name` again with a variable set. */
static const char *stderr_with(const char *name, const char *variable, const char *value)
{
	int fd;
	pid_t pid;

	fclose(capture(&fd));
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		dup2(fd, STDERR_FILENO);
		close(STDOUT_FILENO);
		setenv(variable, value, 1);
		setenv("LOG_TEST_CHILD", "1", 1);
		execl(program_invocation_name, "log_test", name, NULL);
		_exit(127);
	}
	T_EQ(t_wait(pid, 10000), 0);
	return captured(fd);
}

static bool in_child(void)
{
	return getenv("LOG_TEST_CHILD") != NULL;
}

T_CASE(softdpu_log_level_makes_the_sdk_speak_without_a_backend)
{
	const char *self = "softdpu_log_level_makes_the_sdk_speak_without_a_backend";
	const char *text;

	if (in_child()) {
		sdk_say();
		sdk_backend();
		sdk_say();
		T_CHECK(strstr(sdk_text, "1234"));
		return;
	}
	text = stderr_with(self, "SOFTDPU_LOG_LEVEL", "30");
	matches(text, "^[^\n]*\\[ERR\\][^\n]*1234[^\n]*\n$");
	T_STREQ(stderr_with(self, "SOFTDPU_LOG_LEVEL", ""), "");
	text = stderr_with(self, "SOFTDPU_LOG_LEVEL", "loud");
	T_CONTAINS(text, "SOFTDPU_LOG_LEVEL is \"loud\"; needed: 10");
	T_CONTAINS(text, "1234");
}

T_CASE(softdpu_log_level_overrides_what_the_program_sets)
{
	if (in_child()) {
		struct doca_log_backend *backend;

		T_OK(doca_log_backend_create_with_file_sdk(stderr, &backend));
		T_OK(doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_DISABLE));
		sdk_say();
		return;
	}
	T_CONTAINS(stderr_with("softdpu_log_level_overrides_what_the_program_sets",
			       "SOFTDPU_LOG_LEVEL", "60"),
		   "1234");
}

T_CASE(doca_log_level_sdk_is_the_first_global_limit)
{
	const char *self = "doca_log_level_sdk_is_the_first_global_limit";

	if (in_child()) {
		struct doca_log_backend *backend;

		fprintf(stderr, "limit %u\n", doca_log_level_get_global_sdk_limit());
		T_OK(doca_log_backend_create_with_file_sdk(stderr, &backend));
		T_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_ERROR));
		return;
	}
	T_STREQ(stderr_with(self, "DOCA_LOG_LEVEL_SDK", "40"), "limit 40\n");
	matches(stderr_with(self, "DOCA_LOG_LEVEL_SDK", "41"),
		"^limit 50\n[^\n]*DOCA version[^\n]*\n[^\n]*DOCA_LOG_LEVEL_SDK is \"41\"[^\n]*\n$");
}
