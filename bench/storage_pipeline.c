/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The storage pipeline as a user runs it: target, bridge and initiator, one thread each, on two
 * cores, 64 transactions under way, no validation, as the initiator counts them.  The target, which
 * moves the data, has a core of its own; the two that pass messages on share the other one.
 * Operations of 4 KiB a second beside the bare two-hop ring, bytes a second of 64 KiB beside one
 * copy, and how much longer than the median one in a hundred takes.
 */
#include "limits.h"
#include "rows.h"

#include <errno.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BYTES_PER_SECOND_HOPED_FOR 8192000000u
#define START_NS 15000000000ull
#define MAX_ARGUMENTS 24

/* As in bench_kernel.variant. */
enum storage_variant {
	STORAGE_READ = 0,
	STORAGE_WRITE = 1,
	STORAGE_SHARED = 2,
	STORAGE_BYTES = 4, /* reports bytes a second */
	STORAGE_TAIL = 8,  /* reports p99 / p50 */
};

enum program { TARGET, BRIDGE, INITIATOR, NUM_PROGRAMS };

static const char *const program_names[NUM_PROGRAMS] = {"target_rdma", "comch_to_rdma",
							"initiator_comch"};

struct pipeline {
	struct bench *bench;
	pid_t pids[NUM_PROGRAMS];
	char directory[512]; /* of this program; the others are beside it */
	char log[256];	     /* what the three print */
	char stats[256];     /* the initiator's JSON file */
	char port[8];
	char storage_server[32];
	char operations[16];
	char size[16];
	char cpu[2][8];
};

static void program_path(const struct pipeline *pipeline, enum program program, char *path,
			 size_t size)
{
	snprintf(path, size, "%s/../apps/storage/doca_storage_zero_copy_%s", pipeline->directory,
		 program_names[program]);
}

static bool find_programs(struct pipeline *pipeline)
{
	ssize_t len =
		readlink("/proc/self/exe", pipeline->directory, sizeof(pipeline->directory) - 1);
	char path[1024];
	char *slash;

	if (len < 0)
		return false;
	pipeline->directory[len] = '\0';
	slash = strrchr(pipeline->directory, '/');
	if (slash != NULL)
		*slash = '\0';
	program_path(pipeline, INITIATOR, path, sizeof(path));
	if (access(path, X_OK) == 0)
		return true;
	bench_give_up(pipeline->bench, BENCH_UNABLE, "%s: %s", path, strerror(errno));
	return false;
}

/* A port that was free a moment ago. */
static bool choose_port(struct pipeline *pipeline)
{
	struct sockaddr_in addr = {.sin_family = AF_INET};
	socklen_t len = sizeof(addr);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool found;

	found = fd >= 0 && bind(fd, (struct sockaddr *)&addr, sizeof(addr)) == 0 &&
		getsockname(fd, (struct sockaddr *)&addr, &len) == 0;
	if (fd >= 0)
		close(fd);
	if (!found) {
		bench_give_up(pipeline->bench, BENCH_UNABLE, "no TCP port: %s", strerror(errno));
		return false;
	}
	snprintf(pipeline->port, sizeof(pipeline->port), "%u", ntohs(addr.sin_port));
	snprintf(pipeline->storage_server, sizeof(pipeline->storage_server), "127.0.0.1:%s",
		 pipeline->port);
	return true;
}

static void prepare_texts(struct pipeline *pipeline)
{
	const char *runtime_dir = getenv("SOFTDPU_RUNTIME_DIR");
	const struct bench *bench = pipeline->bench;
	uint64_t operations =
		bench->duration * (BYTES_PER_SECOND_HOPED_FOR / bench->kernel->size) / 1000000000u;

	snprintf(pipeline->log, sizeof(pipeline->log), "%s/pipeline.log", runtime_dir);
	snprintf(pipeline->stats, sizeof(pipeline->stats), "%s/initiator.json", runtime_dir);
	snprintf(pipeline->operations, sizeof(pipeline->operations), "%lu",
		 (unsigned long)operations);
	snprintf(pipeline->size, sizeof(pipeline->size), "%u", bench->kernel->size);
	for (unsigned i = 0; i < 2; i++)
		snprintf(pipeline->cpu[i], sizeof(pipeline->cpu[i]), "%d", bench_core(i));
}

/* The program's main thread may run on both cores; its worker goes where --cpu says. */
static void become(const struct pipeline *pipeline, enum program program, char **arguments)
{
	char path[1024];
	cpu_set_t set;

	prctl(PR_SET_PDEATHSIG, SIGKILL); /* the harness may lose its patience with our parent */
	CPU_ZERO(&set);
	CPU_SET(bench_core(0), &set);
	CPU_SET(bench_core(1), &set);
	sched_setaffinity(0, sizeof(set), &set);
	program_path(pipeline, program, path, sizeof(path));
	if (freopen(pipeline->log, "a", stdout) == NULL || dup2(STDOUT_FILENO, STDERR_FILENO) < 0)
		_exit(126);
	execv(path, arguments);
	_exit(127);
}

static bool start(struct pipeline *pipeline, enum program program, char **arguments)
{
	pid_t pid = fork();

	if (pid == 0)
		become(pipeline, program, arguments);
	if (pid < 0) {
		bench_give_up(pipeline->bench, BENCH_FAILED, "fork: %s", strerror(errno));
		return false;
	}
	pipeline->pids[program] = pid;
	return true;
}

static bool start_target(struct pipeline *pipeline)
{
	char *arguments[] = {"target",	     "-d",    "03:00.0",	"--listen-port",
			     pipeline->port, "--cpu", pipeline->cpu[1], NULL};

	return start(pipeline, TARGET, arguments);
}

static bool start_bridge(struct pipeline *pipeline)
{
	char *arguments[] = {"bridge",
			     "-d",
			     "03:00.0",
			     "-r",
			     "3b:00.0",
			     "--storage-server",
			     pipeline->storage_server,
			     "--cpu",
			     pipeline->cpu[0],
			     NULL};

	return start(pipeline, BRIDGE, arguments);
}

static bool start_initiator(struct pipeline *pipeline)
{
	const int variant = pipeline->bench->kernel->variant;
	char *arguments[] = {
		"initiator",
		"-d",
		"3b:00.0",
		"--operation",
		variant & STORAGE_WRITE ? "write" : "read",
		"--run-limit-operation-count",
		pipeline->operations,
		"--buffer-size",
		pipeline->size,
		"--io-memory",
		variant & STORAGE_SHARED ? "shared" : "private",
		"--stats-json",
		pipeline->stats,
		"--cpu",
		pipeline->cpu[0],
		NULL,
	};

	return start(pipeline, INITIATOR, arguments);
}

/* The programs find each other by trying again, but half a second apart: too long for us. */
static bool await_listener(const struct pipeline *pipeline)
{
	const struct timespec tick = {.tv_nsec = 5000000};
	const uint64_t deadline = bench_now() + START_NS;
	unsigned port, state;
	char line[256];
	bool listening = false;
	FILE *table;

	while (!listening && bench_now() < deadline) {
		table = fopen("/proc/net/tcp", "r");
		if (table == NULL)
			return true;
		while (!listening && fgets(line, sizeof(line), table) != NULL)
			listening = sscanf(line, " %*u: %*x:%x %*x:%*x %x", &port, &state) == 2 &&
				    port == (unsigned)atoi(pipeline->port) && state == 0x0a;
		fclose(table);
		nanosleep(&tick, NULL);
	}
	if (!listening)
		bench_give_up(pipeline->bench, BENCH_FAILED, "%s does not listen",
			      program_names[TARGET]);
	return listening;
}

static bool last_line(const char *path, char *line, size_t size)
{
	char next[256];
	FILE *file = fopen(path, "r");

	if (file == NULL)
		return false;
	line[0] = '\0';
	while (fgets(next, sizeof(next), file) != NULL)
		snprintf(line, size, "%.*s", (int)strcspn(next, "\n"), next);
	fclose(file);
	return line[0] != '\0';
}

static bool await_end(struct pipeline *pipeline, enum program program)
{
	char line[150] = "";
	int status;

	if (waitpid(pipeline->pids[program], &status, 0) < 0)
		status = -1;
	pipeline->pids[program] = 0;
	if (status == 0)
		return true;
	last_line(pipeline->log, line, sizeof(line));
	bench_give_up(pipeline->bench, BENCH_FAILED, "%s ended with 0x%x: %s",
		      program_names[program], (unsigned)status, line);
	return false;
}

/* A number of the initiator's flat JSON object. */
static bool read_number(const char *path, const char *key, double *value)
{
	char text[4096];
	const char *found;
	size_t len;
	FILE *file = fopen(path, "r");

	if (file == NULL)
		return false;
	len = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[len] = '\0';
	found = strstr(text, key);
	return found != NULL && sscanf(found + strlen(key), "\" : %lf", value) == 1;
}

static bool read_result(struct pipeline *pipeline, const char *key, double *value)
{
	if (read_number(pipeline->stats, key, value))
		return true;
	bench_give_up(pipeline->bench, BENCH_FAILED, "no %s in %s", key, pipeline->stats);
	return false;
}

static bool report_result(struct pipeline *pipeline)
{
	const struct bench_kernel *kernel = pipeline->bench->kernel;
	double rate, p50, p99;

	if (!read_result(pipeline, "operations_per_second", &rate) ||
	    !read_result(pipeline, "latency_p50_us", &p50) ||
	    !read_result(pipeline, "latency_p99_us", &p99))
		return false;
	if (kernel->variant & STORAGE_TAIL)
		bench_report(pipeline->bench, p99 / p50);
	else
		bench_report(pipeline->bench,
			     kernel->variant & STORAGE_BYTES ? rate * kernel->size : rate);
	return true;
}

static bool run_pipeline(struct pipeline *pipeline)
{
	return start_target(pipeline) && await_listener(pipeline) && start_bridge(pipeline) &&
	       start_initiator(pipeline) && await_end(pipeline, INITIATOR) &&
	       await_end(pipeline, BRIDGE) && await_end(pipeline, TARGET) &&
	       report_result(pipeline);
}

static enum bench_status run(struct bench *bench)
{
	struct pipeline pipeline = {.bench = bench};
	bool done;

	if (!find_programs(&pipeline) || !choose_port(&pipeline))
		return bench_end(bench);
	prepare_texts(&pipeline);
	done = run_pipeline(&pipeline);
	for (int i = 0; i < NUM_PROGRAMS; i++) {
		if (pipeline.pids[i] > 0)
			kill(pipeline.pids[i], SIGKILL);
	}
	return done ? BENCH_OK : bench_end(bench);
}

#define PIPELINE(bytes, how)                                                                       \
	{                                                                                          \
		.num_sides = 1, .side = {run}, .size = (bytes), .variant = (how)                   \
	}

#define RATE(name, how)                                                                            \
	{                                                                                          \
		"storage." name, "M/s", 1e6, PIPELINE(4 << 10, how),                               \
		{                                                                                  \
			LIMIT_HOP2(64)                                                             \
		}                                                                                  \
	}

#define BANDWIDTH(name, how)                                                                       \
	{                                                                                          \
		"storage." name, "GB/s", 1e9, PIPELINE(64 << 10, (how) | STORAGE_BYTES),           \
		{                                                                                  \
			LIMIT_PUSH(64 << 10, 16, LIMIT_COPY_MEMCPY),                               \
				LIMIT_PUSH(64 << 10, 16, LIMIT_COPY_NON_TEMPORAL)                  \
		}                                                                                  \
	}

#define TAIL(name, how)                                                                            \
	{                                                                                          \
		"storage.tail." name, "x", 1, PIPELINE(4 << 10, (how) | STORAGE_TAIL),             \
		{                                                                                  \
			{                                                                          \
				0                                                                  \
			}                                                                          \
		}                                                                                  \
	}

const struct bench_row rows_storage[] = {
	RATE("write.4KiB", STORAGE_WRITE),
	RATE("read.4KiB", STORAGE_READ),
	RATE("write.4KiB.shared", STORAGE_WRITE | STORAGE_SHARED),
	RATE("read.4KiB.shared", STORAGE_READ | STORAGE_SHARED),
	TAIL("write.4KiB", STORAGE_WRITE),
	TAIL("read.4KiB", STORAGE_READ),
	TAIL("write.4KiB.shared", STORAGE_WRITE | STORAGE_SHARED),
	TAIL("read.4KiB.shared", STORAGE_READ | STORAGE_SHARED),
	BANDWIDTH("write.64KiB", STORAGE_WRITE),
	BANDWIDTH("read.64KiB", STORAGE_READ),
	BANDWIDTH("write.64KiB.shared", STORAGE_WRITE | STORAGE_SHARED),
	BANDWIDTH("read.64KiB.shared", STORAGE_READ | STORAGE_SHARED),
	{0},
};
