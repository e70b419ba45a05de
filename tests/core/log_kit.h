/* SPDX-License-Identifier: BSD-3-Clause
 * What the tests of the log share: backends that collect, records to send, streams to look into.
 */
#ifndef TESTS_LOG_KIT_H
#define TESTS_LOG_KIT_H

#include <doca_log.h>

#include <errno.h>
#include <fcntl.h>
#include <regex.h>
#include <unistd.h>

#include "t.h"

DOCA_LOG_REGISTER(TEST::LOG);

/* What reached the two collecting backends. */
static char app_buf[9000], sdk_buf[9000];
static char app_text[1 << 16], sdk_text[1 << 16];
static unsigned int app_records, sdk_records;

static inline void app_flush(char *buf)
{
	strcat(app_text, buf);
	app_records++;
}

static inline void sdk_flush(char *buf)
{
	strcat(sdk_text, buf);
	sdk_records++;
}

static inline struct doca_log_backend *app_backend(void)
{
	struct doca_log_backend *backend;

	T_OK(doca_log_backend_create_with_buf(app_buf, sizeof(app_buf), app_flush, &backend));
	return backend;
}

static inline struct doca_log_backend *sdk_backend(void)
{
	struct doca_log_backend *backend;

	T_OK(doca_log_backend_create_with_buf_sdk(sdk_buf, sizeof(sdk_buf), sdk_flush, &backend));
	return backend;
}

/* The SDK logs an error. */
static inline void sdk_say(void)
{
	T_ERR(doca_log_level_set_global_lower_limit(1234), DOCA_ERROR_INVALID_VALUE);
}

static inline void matches(const char *text, const char *pattern)
{
	regex_t re;

	T_EQ(regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB), 0);
	if (regexec(&re, text, 0, NULL, 0) != 0)
		T_FAIL("\"%s\" does not match %s", text, pattern);
	regfree(&re);
}

/* One letter per level that the backend delivers, most important first. */
static inline const char *levels_delivered(void)
{
	static char letters[8];
	static const struct {
		uint32_t level;
		char letter;
	} all[] = {{20, 'C'}, {30, 'E'}, {40, 'W'}, {50, 'I'}, {60, 'D'}, {70, 'T'}};
	unsigned int n = 0;

	for (unsigned int i = 0; i < 6; i++) {
		unsigned int before = app_records;

		T_OK(doca_log(all[i].level, log_source, "f.c", 1, "f", "x"));
		if (app_records > before)
			letters[n++] = all[i].letter;
	}
	letters[n] = '\0';
	return letters;
}

/* A stream as a backend's destination whose contents can be looked at. */
static inline FILE *capture(int *fd)
{
	char name[] = "/tmp/log_test.XXXXXX";

	*fd = mkstemp(name);
	T_CHECK(*fd >= 0);
	unlink(name);
	return fdopen(dup(*fd), "w");
}

static inline const char *captured(int fd)
{
	static char text[4096];
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	T_CHECK(n >= 0);
	text[n] = '\0';
	return text;
}

static inline bool sdk_heard(void)
{
	unsigned int before = sdk_records;

	sdk_say();
	return sdk_records > before;
}

#endif
