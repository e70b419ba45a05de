/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes of one measurement; contract in harness.h.  The parent owns the shared pages and reaps
 * every child before it unmaps them.  It sleeps meanwhile, so that both cores belong to the sides;
 * a child that hangs is killed after GRACE_NS, a child that dies takes its siblings along.
 */
#include "harness.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GRACE_NS 20000000000ull /* for set-up and tear-down, beside the time to measure */
#define STEPS_PER_BLOCK 16
#define MAX_BLOCKS 65536
#define PAGE 4096

static int cores[CPU_SETSIZE];
static unsigned num_cores;
static cpu_set_t all_cores;
static char last_why[200];

uint64_t bench_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

const char *bench_why(void)
{
	return last_why;
}

int bench_core(unsigned i)
{
	return cores[i % num_cores];
}

static void find_cores(void)
{
	CPU_ZERO(&all_cores);
	if (sched_getaffinity(0, sizeof(all_cores), &all_cores) != 0)
		CPU_SET(0, &all_cores);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (CPU_ISSET(cpu, &all_cores))
			cores[num_cores++] = cpu;
	}
}

/* Blocked, so that wait_for_sides() can wait for it with a time-out. */
static void mask_child_signal(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(how, &set, NULL);
}

void bench_init(void)
{
	find_cores();
	mask_child_signal(SIG_BLOCK);
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

void bench_unpin(void)
{
	sched_setaffinity(0, sizeof(all_cores), &all_cores);
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

double bench_median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), compare_doubles);
	return count % 2 != 0 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

double bench_percentile(double *values, size_t count, unsigned percent)
{
	qsort(values, count, sizeof(*values), compare_doubles);
	return values[count * percent / 100];
}

void bench_arrive(struct bench *bench)
{
	bench->syncs++;
	__atomic_fetch_add(&bench->shared->arrived, 1, __ATOMIC_ACQ_REL);
}

static unsigned num_lanes(const struct bench *bench)
{
	return bench->kernel->threads > 1 ? bench->kernel->threads : 1;
}

bool bench_all_arrived(const struct bench *bench)
{
	return __atomic_load_n(&bench->shared->arrived, __ATOMIC_ACQUIRE) >=
	       bench->syncs * bench->kernel->num_sides * num_lanes(bench);
}

bool bench_sync(struct bench *bench)
{
	bench_arrive(bench);
	while (!bench_all_arrived(bench)) {
		if (bench_stopped(bench))
			return false;
		sched_yield();
	}
	return true;
}

void bench_stop(struct bench *bench)
{
	__atomic_store_n(&bench->shared->stop, 1, __ATOMIC_RELAXED);
}

void bench_report(struct bench *bench, double value)
{
	bench->value = value;
}

enum bench_status bench_give_up(struct bench *bench, enum bench_status status, const char *format,
				...)
{
	va_list args;

	if (bench->shared->status == BENCH_OK) {
		bench->shared->status = status;
		va_start(args, format);
		vsnprintf(bench->shared->why, sizeof(bench->shared->why), format, args);
		va_end(args);
	}
	bench_stop(bench);
	bench->status = status;
	return status;
}

enum bench_status bench_end(const struct bench *bench)
{
	if (bench_stopped(bench) && bench->shared->status == BENCH_OK)
		return BENCH_OK;
	return bench->status;
}

enum bench_status bench_report_bytes(struct bench *bench, uint64_t messages, uint64_t ns)
{
	bench_stop(bench);
	bench_report(bench, (double)messages * bench->kernel->size * 1e9 / (double)ns);
	return bench_end(bench);
}

static bool time_block(bool (*step)(void *), void *arg, double *ns)
{
	uint64_t start = bench_now();

	for (int i = 0; i < STEPS_PER_BLOCK; i++) {
		if (!step(arg))
			return false;
	}
	*ns = (double)(bench_now() - start) / STEPS_PER_BLOCK;
	return true;
}

enum bench_status bench_repeat(struct bench *bench, bool (*step)(void *), void *arg,
			       unsigned operations)
{
	static double blocks[MAX_BLOCKS];
	size_t count = 0;
	uint64_t end = bench_now() + bench->duration;

	/* The first block warms up and is overwritten. */
	if (!time_block(step, arg, &blocks[0]))
		return bench_give_up(bench, BENCH_FAILED, "ended before anything was done");
	do {
		if (!time_block(step, arg, &blocks[count]))
			break;
		count++;
	} while (count < MAX_BLOCKS && bench_now() < end);
	bench_stop(bench);
	if (count == 0)
		return BENCH_FAILED;
	bench_report(bench, bench_median(blocks, count) / operations);
	return BENCH_OK;
}

static size_t arena_size(const struct bench_kernel *kernel)
{
	return kernel->arena > 0 ? kernel->arena : 1;
}

static void *share(size_t len)
{
	void *mem = mmap(NULL, len, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	return mem == MAP_FAILED ? NULL : mem;
}

static void kill_sides(const pid_t *pids, unsigned num_sides)
{
	for (unsigned i = 0; i < num_sides; i++) {
		if (pids[i] > 0)
			kill(pids[i], SIGKILL);
	}
}

/* Reaps what has ended; false when one of them did not end well. */
static bool reap(pid_t *pids, unsigned num_sides, unsigned *left)
{
	bool well = true;
	int status;

	for (unsigned i = 0; i < num_sides; i++) {
		if (pids[i] <= 0 || waitpid(pids[i], &status, WNOHANG) != pids[i])
			continue;
		pids[i] = 0;
		(*left)--;
		well &= WIFEXITED(status) && WEXITSTATUS(status) == BENCH_OK;
	}
	return well;
}

static enum bench_status wait_for_sides(struct bench *bench, pid_t *pids)
{
	const unsigned num_sides = bench->kernel->num_sides;
	const struct timespec patience = {.tv_nsec = 100000000};
	const uint64_t deadline = bench_now() + bench->duration + GRACE_NS;
	unsigned left = num_sides;
	bool killed = false;
	sigset_t child_signal;

	sigemptyset(&child_signal);
	sigaddset(&child_signal, SIGCHLD);
	while (left > 0) {
		if (!reap(pids, num_sides, &left))
			bench_give_up(bench, BENCH_FAILED, "a process of the measurement failed");
		if (bench_now() >= deadline)
			bench_give_up(bench, BENCH_FAILED, "did not end in time");
		if (bench->shared->status != BENCH_OK && !killed) {
			kill_sides(pids, num_sides);
			killed = true;
		}
		if (left > 0)
			sigtimedwait(&child_signal, NULL, &patience);
	}
	return bench->shared->status;
}

static void *run_lane(void *arg)
{
	struct bench *bench = arg;

	pin(bench_core(bench->side % 2 + 2 * bench->lane));
	bench->status = bench->kernel->side[bench->side](bench);
	return NULL;
}

/* The caller is the first lane; one that cannot be started makes the others give up. */
static enum bench_status run_side(struct bench *bench)
{
	static struct bench lanes[BENCH_LANES];
	pthread_t threads[BENCH_LANES];
	unsigned started;
	double value = 0;

	for (started = 0; started < num_lanes(bench); started++) {
		lanes[started] = *bench;
		lanes[started].lane = started;
		if (started > 0 &&
		    pthread_create(&threads[started], NULL, run_lane, &lanes[started]) != 0) {
			bench_give_up(bench, BENCH_FAILED, "no thread");
			break;
		}
	}
	run_lane(&lanes[0]);
	bench->status = lanes[0].status;
	for (unsigned i = 1; i < started; i++) {
		pthread_join(threads[i], NULL);
		if (lanes[i].status != BENCH_OK)
			bench->status = lanes[i].status;
	}
	for (unsigned i = 0; i < started; i++)
		value += lanes[i].value;
	if (value > 0)
		bench->shared->value = value;
	return bench->status;
}

/* A fork maps shared memory anew: without this its first touches would be measured. */
static void touch_arena(const struct bench *bench)
{
	uint8_t *arena = bench->arena;

	/* Changes nothing, as a sibling may be at work already. */
	for (size_t i = 0; i < arena_size(bench->kernel); i += PAGE)
		__atomic_fetch_or(&arena[i], 0, __ATOMIC_RELAXED);
}

static bool fork_sides(struct bench *bench, pid_t *pids)
{
	for (unsigned i = 0; i < bench->kernel->num_sides; i++) {
		pids[i] = fork();
		if (pids[i] < 0) {
			bench_give_up(bench, BENCH_FAILED, "fork: %s", strerror(errno));
			return false;
		}
		if (pids[i] == 0) {
			bench->side = i;
			mask_child_signal(SIG_UNBLOCK);
			touch_arena(bench);
			exit(run_side(bench));
		}
	}
	return true;
}

static enum bench_status run_sides(struct bench *bench)
{
	pid_t pids[BENCH_SIDES] = {0};

	fflush(NULL);
	if (!fork_sides(bench, pids)) {
		kill_sides(pids, bench->kernel->num_sides);
		while (wait(NULL) > 0) {
		}
		return BENCH_FAILED;
	}
	return wait_for_sides(bench, pids);
}

enum bench_status bench_run(const struct bench_kernel *kernel, uint64_t duration, double *value)
{
	struct bench bench = {.kernel = kernel, .duration = duration, .status = BENCH_FAILED};
	enum bench_status status = BENCH_FAILED;

	snprintf(last_why, sizeof(last_why), "no memory");
	bench.shared = share(sizeof(*bench.shared));
	bench.arena = share(arena_size(kernel));
	bench.wake_fd = eventfd(0, EFD_CLOEXEC);
	if (bench.shared != NULL && bench.arena != NULL && bench.wake_fd >= 0) {
		status = run_sides(&bench);
		memcpy(last_why, bench.shared->why, sizeof(last_why));
		if (status == BENCH_OK)
			*value = bench.shared->value;
	}
	if (bench.wake_fd >= 0)
		close(bench.wake_fd);
	if (bench.arena != NULL)
		munmap(bench.arena, arena_size(kernel));
	if (bench.shared != NULL)
		munmap(bench.shared, sizeof(*bench.shared));
	return status;
}
