/* SPDX-License-Identifier: BSD-3-Clause */
/* What checks share: how they say what they found, and how they run other programs. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doctor.h"
#include "run.h"

#define ASK_MS 15000

#define FILL(finding, fmt)                                                                         \
	do {                                                                                       \
		va_list args_;                                                                     \
		va_start(args_, fmt);                                                              \
		vsnprintf((finding)->found, sizeof((finding)->found), fmt, args_);                 \
		va_end(args_);                                                                     \
	} while (0)

enum verdict finding_good(struct finding *finding, const char *fmt, ...)
{
	FILL(finding, fmt);
	return VERDICT_GOOD;
}

enum verdict finding_note(struct finding *finding, const char *cure, const char *fmt, ...)
{
	FILL(finding, fmt);
	snprintf(finding->cure, sizeof(finding->cure), "%s", cure);
	return VERDICT_NOTE;
}

enum verdict finding_bad(struct finding *finding, const char *cure, const char *fmt, ...)
{
	FILL(finding, fmt);
	snprintf(finding->cure, sizeof(finding->cure), "%s", cure);
	return VERDICT_BAD;
}

static void become(char *const argv[], char *const env[], int out)
{
	int null = open("/dev/null", O_RDONLY);
	size_t i;

	dup2(null, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	for (i = 0; env[i] != NULL; i++)
		putenv(env[i]);
	execv(argv[0], argv);
	_exit(127);
}

/* Until the other end is closed; false: time is over. */
static bool read_all(int fd, char *text, size_t size)
{
	uint64_t deadline = now_ms() + ASK_MS;
	size_t len = 0;

	text[0] = '\0';
	for (;;) {
		struct pollfd ready = {.fd = fd, .events = POLLIN};
		uint64_t now = now_ms();
		char rest[512];
		ssize_t got;

		if (now >= deadline || poll(&ready, 1, (int)(deadline - now)) <= 0)
			return false;
		if (len + 1 < size)
			got = read(fd, text + len, size - 1 - len);
		else
			got = read(fd, rest, sizeof(rest));
		if (got <= 0)
			return got == 0;
		if (len + 1 < size)
			len += (size_t)got;
		text[len] = '\0';
	}
}

int doctor_ask(char *const argv[], char *const env[], char *text, size_t size)
{
	bool in_time;
	int fds[2], status;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) != 0)
		return -1;
	pid = fork();
	if (pid == 0)
		become(argv, env, fds[1]);
	close(fds[1]);
	in_time = pid > 0 && read_all(fds[0], text, size);
	close(fds[0]);
	if (pid < 0)
		return -1;
	if (!in_time)
		kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return in_time && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
