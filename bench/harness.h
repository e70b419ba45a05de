/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measuring with processes.
 *
 * A kernel is a measurement by one to three processes ("sides").  The harness forks one process per
 * side before anything has opened a device, pins side i to core i modulo 2, lets all of them run to
 * their end and takes the value that one of them reported.  A side that fails, dies or does not end
 * in time makes the measurement fail; its siblings are then killed by their pids.
 *
 * Where a kernel has threads, each side runs in so many ("lanes"), whose pairs take a pair of cores
 * each as long as there are any; what the lanes of a side report is summed up.
 *
 * A row compares our kernel with the machine's limit: one kernel or the better of two.  They run
 * alternately, several times each; medians are reported.  So a machine that changes its speed
 * meanwhile changes both.
 */
#ifndef BENCH_HARNESS_H
#define BENCH_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BENCH_SIDES 3
#define BENCH_LIMITS 2
#define BENCH_LANES 8

/* Exit statuses of a side. */
enum bench_status {
	BENCH_OK = 0,
	BENCH_FAILED = 1,
	BENCH_UNABLE = 2, /* this machine or this library cannot do it: not a failure */
};

struct bench;

struct bench_kernel {
	unsigned num_sides; /* 0: there is no such kernel */
	enum bench_status (*side[BENCH_SIDES])(struct bench *bench);
	size_t arena;	  /* bytes of shared memory, zeroed before the fork, touched behind it */
	uint32_t size;	  /* of a message, where the kernel has one */
	uint32_t depth;	  /* messages under way */
	uint32_t batch;	  /* messages submitted between two looks at the engine */
	uint32_t count;	  /* of what the kernel has many of */
	uint32_t threads; /* of each side; 0: one */
	int variant;	  /* kernel's own */
};

struct bench_row {
	const char *name; /* NULL ends a table */
	const char *unit; /* says also whether less or more is better */
	double scale;	  /* reported values are divided by this */
	struct bench_kernel ours;
	struct bench_kernel limit[BENCH_LIMITS]; /* none: the value itself is judged */
};

/* Written by the sides, read by their parent and by each other. */
struct bench_shared {
	uint32_t arrived; /* sides that have come to bench_sync(), in all */
	uint32_t stop;
	double value;
	enum bench_status status; /* of the first side that gave up, with its reason */
	char why[200];
};

/* What one side sees of its run. */
struct bench {
	const struct bench_kernel *kernel;
	unsigned side;
	unsigned lane;	   /* which thread of the side */
	uint64_t duration; /* ns to measure */
	unsigned syncs;
	double value;		  /* what this lane reported */
	enum bench_status status; /* to end with when something went wrong */
	struct bench_shared *shared;
	void *arena;
	int wake_fd; /* an eventfd that all sides have */
};

/* Runs a kernel once.  value is in the kernel's own unit: ns, or events or bytes per second. */
enum bench_status bench_run(const struct bench_kernel *kernel, uint64_t duration, double *value);
/* The sentence of the last run that was not BENCH_OK. */
const char *bench_why(void);
/* Lets the caller and its future threads run on every core, not only on the one of its side. */
void bench_unpin(void);
/* Once, before the first run. */
void bench_init(void);
/* The i-th core of those that this program may use, modulo their number.  Sides run on the first
 * two, their further lanes on the next pairs. */
int bench_core(unsigned i);

uint64_t bench_now(void);
/* Both sort the values. */
double bench_median(double *values, size_t count);
double bench_percentile(double *values, size_t count, unsigned percent);

/* For sides.  Waits until all lanes of all sides have called it as often; false: they will not
 * come. */
bool bench_sync(struct bench *bench);
/* Its two halves, for sides that must do something meanwhile. */
void bench_arrive(struct bench *bench);
bool bench_all_arrived(const struct bench *bench);
void bench_stop(struct bench *bench);
void bench_report(struct bench *bench, double value);
/* Stops the siblings, reports bytes a second for so many messages in ns, and is how the side ends.
 */
enum bench_status bench_report_bytes(struct bench *bench, uint64_t messages, uint64_t ns);
/* Notes why, unless a sibling was first, stops all, and hands the status back. */
enum bench_status bench_give_up(struct bench *bench, enum bench_status status, const char *format,
				...) __attribute__((format(printf, 3, 4)));

/* How a side ends that found itself stopped or had given up. */
enum bench_status bench_end(const struct bench *bench);

static inline bool bench_stopped(const struct bench *bench)
{
	return __atomic_load_n(&bench->shared->stop, __ATOMIC_RELAXED) != 0;
}

/*
 * Repeats a step until the time is over and reports the median time of an operation, of which each
 * step does `operations`.  The median is over blocks of steps, so that reading the clock costs
 * nothing.  For sides of one lane.  Stops the siblings.  step returns false when it found itself
 * stopped.
 */
enum bench_status bench_repeat(struct bench *bench, bool (*step)(void *), void *arg,
			       unsigned operations);

#endif
