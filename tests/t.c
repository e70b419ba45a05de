/* SPDX-License-Identifier: BSD-3-Clause */
#include "t.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	EXIT_FAILED = 1,
	EXIT_SKIPPED = 77,
};

static struct t_case *cases;
static struct t_case **cases_end = &cases;

/* What the process of a case tells: it may also exit somewhere in the middle, with success. */
static struct {
	bool reached_end;
	char skip_reason[256];
} * shared;

void t_register(struct t_case *c)
{
	*cases_end = c;
	cases_end = &c->next;
}

static unsigned int timeout_scale(void)
{
	const char *text = getenv("T_TIMEOUT_SCALE");
	int scale = text ? atoi(text) : 1;

	return scale > 0 ? (unsigned int)scale : 1;
}

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

uint64_t t_deadline(unsigned int ms)
{
	return now_ms() + (uint64_t)ms * timeout_scale();
}

bool t_expired(uint64_t deadline)
{
	return now_ms() >= deadline;
}

void t_relax(unsigned int turn)
{
	unsigned int us = turn < 100 ? turn : 100;
	struct timespec ts = {.tv_nsec = (long)us * 1000};

	nanosleep(&ts, NULL);
}

void t_fail(const char *file, int line, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	/* One write, and no exit handlers: other threads are still running. */
	fflush(stdout);
	dprintf(STDOUT_FILENO, "# %s:%d: %s\n", file, line, text);
	_exit(EXIT_FAILED);
}

void t_skip(const char *reason)
{
	snprintf(shared->skip_reason, sizeof(shared->skip_reason), "%s", reason);
	fflush(stdout);
	_exit(EXIT_SKIPPED);
}

void t_eq(const char *file, int line, const char *a, const char *b, long long x, long long y)
{
	if (x != y)
		t_fail(file, line, "%s is %lld (0x%llx), not %s = %lld (0x%llx)", a, x, x, b, y, y);
}

void t_streq(const char *file, int line, const char *a, const char *b, const char *x, const char *y)
{
	if (!x || !y || strcmp(x, y) != 0)
		t_fail(file, line, "%s is \"%s\", not %s = \"%s\"", a, x ? x : "(null)", b,
		       y ? y : "(null)");
}

void t_contains(const char *file, int line, const char *name, const char *text, const char *part)
{
	if (!text || !strstr(text, part))
		t_fail(file, line, "%s is \"%s\", without \"%s\"", name, text ? text : "(null)",
		       part);
}

void t_memeq(const char *file, int line, const char *a, const char *b, const void *x, const void *y,
	     size_t n)
{
	const uint8_t *p = x, *q = y;

	for (size_t i = 0; i < n; i++)
		if (p[i] != q[i])
			t_fail(file, line, "%s and %s differ at byte %zu of %zu: 0x%02x, 0x%02x", a,
			       b, i, n, p[i], q[i]);
}

void t_result(const char *file, int line, const char *expr, doca_error_t got, doca_error_t want)
{
	if (got != want)
		t_fail(file, line, "%s: %s, not %s", expr, doca_error_get_name(got),
		       doca_error_get_name(want));
}

unsigned int t_count_entries(const char *path)
{
	DIR *dir = opendir(path);
	unsigned int num = 0;

	T_CHECK(dir != NULL);
	while (readdir(dir) != NULL)
		num++;
	closedir(dir);
	return num;
}

int t_memory_file(size_t size, int seals)
{
	int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	T_CHECK(fd >= 0);
	T_EQ(ftruncate(fd, (off_t)size), 0);
	T_EQ(fcntl(fd, F_ADD_SEALS, seals), 0);
	return fd;
}

void *t_map_file(int fd, size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	T_CHECK(memory != MAP_FAILED);
	return memory;
}

pid_t t_fork(int (*fn)(void *arg), void *arg)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		T_FAIL("fork: %s", strerror(errno));
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		exit(fn(arg));
	}
	return pid;
}

/* True when the process ended within the time. */
static bool wait_ended(pid_t pid, unsigned int ms)
{
	uint64_t deadline = t_deadline(ms);
	siginfo_t info = {0};

	for (unsigned int turn = 0;; turn++) {
		if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
		    info.si_pid == pid)
			return true;
		if (t_expired(deadline))
			return false;
		t_relax(turn);
	}
}

int t_wait(pid_t pid, unsigned int ms)
{
	bool ended = wait_ended(pid, ms);
	int status;

	if (!ended)
		kill(pid, SIGKILL);
	if (waitpid(pid, &status, 0) != pid)
		T_FAIL("waitpid %d: %s", (int)pid, strerror(errno));
	if (!ended)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static unsigned int entries_left;

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	if (type != FTW_DP) {
		printf("# left behind: %s\n", path);
		entries_left++;
	}
	return remove(path);
}

static void rundir_make(char *path, size_t size)
{
	const char *above = getenv("SOFTDPU_RUNTIME_DIR");

	if (!above)
		above = getenv("TMPDIR");
	snprintf(path, size, "%s/case.XXXXXX", above ? above : "/tmp");
	if (!mkdtemp(path)) {
		perror(path);
		exit(EXIT_FAILED);
	}
}

/* True when nothing but directories had to be removed. */
static bool rundir_remove(const char *path)
{
	entries_left = 0;
	nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	return entries_left == 0;
}

static void case_run_child(const struct t_case *c, const char *rundir)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setpgid(0, 0);
	setenv("SOFTDPU_RUNTIME_DIR", rundir, 1);
	c->run();
	shared->reached_end = true;
	/* Exit handlers run: library destructors and the leak checker have their say. */
	exit(EXIT_SUCCESS);
}

/* Waits for the case, ends what it left running. True when it ended within its time. */
static bool case_finish(const struct t_case *c, pid_t pid, int *status)
{
	bool ended = wait_ended(pid, c->timeout_s * 1000);

	/* The zombie still holds the group's number, so this reaches nobody else. */
	kill(-pid, SIGKILL);
	waitpid(pid, status, 0);
	if (!ended)
		printf("# not finished after %u s\n", c->timeout_s * timeout_scale());
	else if (WIFSIGNALED(*status))
		printf("# killed by signal %d (%s)\n", WTERMSIG(*status),
		       strsignal(WTERMSIG(*status)));
	return ended;
}

/* Exit status of the case; EXIT_FAILED for every bad end. */
static int case_run(const struct t_case *c)
{
	char rundir[4096];
	int status;
	pid_t pid;

	rundir_make(rundir, sizeof(rundir));
	shared->reached_end = false;
	fflush(NULL);
	pid = fork();
	if (pid < 0) {
		perror("fork");
		exit(EXIT_FAILED);
	}
	if (pid == 0)
		case_run_child(c, rundir);
	setpgid(pid, pid);
	if (!case_finish(c, pid, &status) || !WIFEXITED(status))
		status = EXIT_FAILED;
	else
		status = WEXITSTATUS(status);
	if (status == EXIT_SUCCESS && !shared->reached_end) {
		printf("# exited before its end\n");
		status = EXIT_FAILED;
	}
	return rundir_remove(rundir) ? status : EXIT_FAILED;
}

static bool case_report(const struct t_case *c, unsigned int number, int status)
{
	bool good = status == EXIT_SUCCESS || status == EXIT_SKIPPED;

	if (!good)
		printf("# exit status %d\n", status);
	printf("%s %u - %s", good ? "ok" : "not ok", number, c->name);
	if (status == EXIT_SKIPPED)
		printf(" # SKIP %s", shared->skip_reason);
	printf("\n");
	return good;
}

static bool case_is_wanted(const struct t_case *c, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], c->name) == 0)
			return true;
	return argc <= 1;
}

static unsigned int cases_count(int argc, char **argv)
{
	unsigned int n = 0;

	for (const struct t_case *c = cases; c; c = c->next)
		n += case_is_wanted(c, argc, argv);
	return n;
}

int main(int argc, char **argv)
{
	bool in_place = getenv("T_NOFORK") != NULL;
	unsigned int number = 0, planned = cases_count(argc, argv);
	bool good = planned > 0;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	printf("1..%u\n", planned);
	for (const struct t_case *c = cases; c; c = c->next) {
		if (!case_is_wanted(c, argc, argv))
			continue;
		if (in_place)
			c->run();
		good &= case_report(c, ++number, in_place ? 0 : case_run(c));
	}
	return good ? EXIT_SUCCESS : EXIT_FAILED;
}
