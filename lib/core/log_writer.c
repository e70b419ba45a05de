/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The kinds of backend. Each function writes one line, called with the backend's lock held; what
 * cannot be written is lost, since there is nobody to tell.
 */
#include "core/log.h"

#include <errno.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

void sdpu_log_write_file(struct doca_log_backend *backend, const struct sdpu_log_line *line)
{
	fwrite(line->text, 1, line->len, backend->to.file);
	/* flushed, in case the program crashes next */
	fflush(backend->to.file);
}

void sdpu_log_write_fd(struct doca_log_backend *backend, const struct sdpu_log_line *line)
{
	const char *text = line->text;
	size_t left = line->len;

	while (left > 0) {
		ssize_t n = write(backend->to.fd, text, left);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		text += n;
		left -= (size_t)n;
	}
}

void sdpu_log_write_buf(struct doca_log_backend *backend, const struct sdpu_log_line *line)
{
	if (line->len + 1 > backend->to.buf.capacity)
		return;
	memcpy(backend->to.buf.start, line->text, line->len + 1);
	backend->to.buf.handler(backend->to.buf.start);
}

static int syslog_priority(int level)
{
	switch (level) {
	case DOCA_LOG_LEVEL_CRIT:
		return LOG_CRIT;
	case DOCA_LOG_LEVEL_ERROR:
		return LOG_ERR;
	case DOCA_LOG_LEVEL_WARNING:
		return LOG_WARNING;
	case DOCA_LOG_LEVEL_INFO:
		return LOG_INFO;
	default:
		return LOG_DEBUG;
	}
}

void sdpu_log_write_syslog(struct doca_log_backend *backend, const struct sdpu_log_line *line)
{
	size_t len = line->len - line->body - 1;

	/* The process has one ident; backends of several names take turns. */
	pthread_mutex_lock(&sdpu_log_config);
	openlog(backend->to.ident, LOG_PID, LOG_USER);
	syslog(syslog_priority(line->level), "%.*s", (int)len, line->text + line->body);
	pthread_mutex_unlock(&sdpu_log_config);
}
