/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What programs of other libraries report of themselves: fi_pingpong (libfabric) over the loopback
 * interface and over shared memory, ucx_perftest (UCX) likewise.  Side 1 becomes the server, side 0
 * runs the client and reads what it prints.
 */
#include "limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TRIES 100 /* until the server listens, TRY_NS apart */
#define TRY_NS 50000000

struct tool {
	const char *program;
	const char *package; /* of Debian, for who misses it */
	const char *server;  /* %u: port */
	const char *client;
	const char *mark; /* begins the line of the result */
	int column;	  /* of it: the figure */
	double scale; /* makes it what we report: ns there and back, messages or bytes a second */
};

#define LATENCY 2e3 /* us of one way */

#define FI_PINGPONG(provider, endpoint)                                                            \
	{                                                                                          \
		"fi_pingpong", "libfabric-bin",                                                    \
			"exec timeout -k 1 15 fi_pingpong -p " provider " -e " endpoint            \
			" -S 64 -I 20000 -B %u",                                                   \
			"timeout -k 1 15 fi_pingpong -p " provider " -e " endpoint                 \
			" -S 64 -I 20000 -P %u 127.0.0.1",                                         \
			"64 ", 7, LATENCY                                                          \
	}

#define UCX_PERFTEST(settings, test, column, scale)                                                \
	{                                                                                          \
		"ucx_perftest", "ucx-utils", settings " exec timeout -k 1 15 ucx_perftest -p %u",  \
			settings " timeout -k 1 15 ucx_perftest 127.0.0.1 " test " -p %u",         \
			"Final:", column, scale                                                    \
	}

#define UCX_TCP "UCX_TLS=tcp UCX_NET_DEVICES=lo"
#define UCX_SHARED "UCX_TLS=posix,self"

static const struct tool tools[] = {
	[PEER_FI_TCP] = FI_PINGPONG("tcp", "msg"),
	[PEER_FI_SHARED] = FI_PINGPONG("shm", "rdm"),
	[PEER_UCX_TCP] = UCX_PERFTEST(UCX_TCP, "-t tag_lat -s 64 -n 20000", 3, LATENCY),
	[PEER_UCX_SHARED] = UCX_PERFTEST(UCX_SHARED, "-t tag_lat -s 64 -n 300000", 3, LATENCY),
	[PEER_UCX_RATE] = UCX_PERFTEST(UCX_SHARED, "-t tag_bw -s 64 -n 1000000", 9, 1),
	[PEER_UCX_BYTES] = UCX_PERFTEST(UCX_SHARED, "-t tag_bw -s 65536 -n 20000", 9, 65536),
};

static const struct tool *tool_of(struct bench *bench)
{
	const struct tool *tool = &tools[bench->kernel->variant];
	char command[64];

	snprintf(command, sizeof(command), "command -v %s >/dev/null", tool->program);
	if (system(command) == 0)
		return tool;
	bench_give_up(bench, BENCH_UNABLE, "%s is not here (package %s)", tool->program,
		      tool->package);
	return NULL;
}

/* Both sides agree on a port that their parent did not know: any that is seldom used, below those
 * that the kernel gives out. */
static unsigned port_of(const struct bench *bench)
{
	return 20000 + (unsigned)*(const uint32_t *)bench->arena % 12000;
}

enum bench_status peer_tool_server(struct bench *bench)
{
	const struct tool *tool = tool_of(bench);
	char command[160];

	if (tool == NULL || !bench_sync(bench))
		return bench_end(bench);
	snprintf(command, sizeof(command), tool->server, port_of(bench));
	if (freopen("/dev/null", "w", stdout) == NULL || freopen("/dev/null", "w", stderr) == NULL)
		return bench_give_up(bench, BENCH_FAILED, "no /dev/null");
	execl("/bin/sh", "sh", "-c", command, NULL);
	return BENCH_FAILED;
}

/* The number in that column of a line; negative: there is none. */
static double number_of(char *line, int column)
{
	char *rest = line;
	char *word = NULL;

	for (int i = 0; i < column; i++) {
		word = strtok_r(i == 0 ? line : NULL, " \t\n", &rest);
		if (word == NULL)
			return -1;
	}
	return strtod(word, NULL);
}

static double run_client(const struct tool *tool, unsigned port)
{
	char command[200], with_port[160], line[256];
	double figure = -1;
	FILE *output;

	snprintf(with_port, sizeof(with_port), tool->client, port);
	snprintf(command, sizeof(command), "%s 2>/dev/null", with_port);
	output = popen(command, "r");
	if (output == NULL)
		return -1;
	while (fgets(line, sizeof(line), output) != NULL) {
		if (strncmp(line, tool->mark, strlen(tool->mark)) == 0)
			figure = number_of(line, tool->column);
	}
	pclose(output);
	return figure;
}

enum bench_status peer_tool_client(struct bench *bench)
{
	const struct timespec pause = {.tv_nsec = TRY_NS};
	const struct tool *tool = tool_of(bench);
	double figure = -1;

	*(uint32_t *)bench->arena = (uint32_t)bench_now();
	if (tool == NULL || !bench_sync(bench))
		return bench_end(bench);
	for (int i = 0; i < TRIES && figure <= 0; i++) {
		nanosleep(&pause, NULL);
		figure = run_client(tool, port_of(bench));
	}
	if (figure <= 0)
		return bench_give_up(bench, BENCH_FAILED, "%s printed no result", tool->program);
	bench_report(bench, figure * tool->scale);
	return BENCH_OK;
}
