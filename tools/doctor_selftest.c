/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Check of Comch and RDMA between two processes, in the runtime directory and with the topology
 * that programs would use. They are this command again, as a sub-command that nobody sees.
 */
#include "command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doctor.h"
#include "options.h"
#include "run.h"
#include "selftest.h"

#define SELF "/proc/self/exe"
#define CURE                                                                                       \
	"SOFTDPU_LOG_LEVEL=50 softdpu doctor tells more; report it with that, if nothing else "    \
	"helps"

struct half {
	pid_t pid;
	int out;
	char text[2048];
};

static bool start(struct half *half, char *const argv[])
{
	pid_t parent = getpid();
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) != 0)
		return false;
	half->out = fds[0];
	half->pid = fork();
	if (half->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(EXIT_FAILURE);
		/* Each half has its own side. */
		unsetenv("SOFTDPU_SIDE");
		dup2(fds[1], STDOUT_FILENO);
		dup2(fds[1], STDERR_FILENO);
		execv(SELF, argv);
		_exit(EXIT_FAILURE);
	}
	close(fds[1]);
	return half->pid > 0;
}

/* Until it has said `word`, or NULL: until it has ended; false: it has not. */
static bool hear(struct half *half, const char *word)
{
	uint64_t deadline = now_ms() + SELFTEST_LIMIT_S * 1000;
	size_t len = strlen(half->text);

	while (word == NULL || strstr(half->text, word) == NULL ||
	       strchr(strstr(half->text, word), '\n') == NULL) {
		struct pollfd ready = {.fd = half->out, .events = POLLIN};
		uint64_t now = now_ms();
		ssize_t got;

		if (now >= deadline || poll(&ready, 1, (int)(deadline - now)) <= 0 ||
		    len + 1 >= sizeof(half->text))
			return false;
		got = read(half->out, half->text + len, sizeof(half->text) - 1 - len);
		if (got <= 0)
			return got == 0 && word == NULL;
		len += (size_t)got;
		half->text[len] = '\0';
	}
	return true;
}

static bool end(struct half *half, bool in_time)
{
	int status = -1;

	if (!in_time)
		kill(half->pid, SIGKILL);
	waitpid(half->pid, &status, 0);
	close(half->out);
	half->text[strcspn(half->text, "\n")] = '\0';
	return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

static enum verdict judge(struct finding *finding, const struct half *dpu, const struct half *host,
			  bool good)
{
	if (good)
		return finding_good(finding, "%s", host->text);
	return finding_bad(finding, CURE, "%s%s%s",
			   host->text[0] ? host->text : "the host's half does not answer; ",
			   host->text[0] ? "; " : "", dpu->text);
}

enum verdict doctor_selftest(const char *program, struct finding *finding)
{
	static struct half dpu, host;
	char name[32], pci[16] = "";
	char *serve[] = {(char *)"softdpu", (char *)"self-test", name, NULL};
	char *join[] = {(char *)"softdpu", (char *)"self-test", name, pci, NULL};
	bool heard, good;

	snprintf(name, sizeof(name), "softdpu-doctor-%d", (int)getpid());
	if (!start(&dpu, serve))
		return finding_bad(finding, CURE, "a process cannot be started: %m");
	if (!hear(&dpu, "listening ") ||
	    sscanf(strstr(dpu.text, "listening "), "listening %15s", pci) != 1) {
		end(&dpu, false);
		return finding_bad(finding, CURE, "%s", dpu.text[0] ? dpu.text : "no answer");
	}
	if (!start(&host, join)) {
		end(&dpu, false);
		return finding_bad(finding, CURE, "a second process cannot be started: %m");
	}
	heard = hear(&host, NULL);
	good = end(&host, heard);
	/* The DPU's half ends when the host's has gone. */
	good = end(&dpu, good && hear(&dpu, NULL)) && good;
	return judge(finding, &dpu, &host, good);
}

/* ---- the sub-command ---- */

static const struct command_option options[] = {OPTION_END};

static int selftest_run(const struct command *command, int argc, char **argv)
{
	int status;
	int first = options_parse(command, argc, argv, NULL, NULL, &status);

	if (first < 0)
		return status;
	alarm(2 * SELFTEST_LIMIT_S); /* whatever becomes of doctor */
	if (argc - first == 1)
		selftest_serve(argv[first]);
	if (argc - first == 2)
		selftest_connect(argv[first], argv[first + 1]);
	return options_refuse(command, "is for softdpu doctor");
}

const struct command command_selftest = {
	.name = "self-test",
	.operands = "NAME [PCI-ADDRESS]",
	.summary = "one half of the test that doctor makes",
	.example = "  softdpu doctor\n",
	.options = options,
	.is_hidden = true,
	.run = selftest_run,
};
