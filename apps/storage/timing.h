/* SPDX-License-Identifier: BSD-3-Clause */
/* Monotonic time in nanoseconds, and deadlines made of it. */
#ifndef STORAGE_TIMING_H
#define STORAGE_TIMING_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define NSEC_PER_SEC UINT64_C(1000000000)
#define NSEC_PER_MSEC UINT64_C(1000000)

static inline uint64_t timing_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

static inline uint64_t timing_deadline(uint32_t seconds)
{
	return timing_now() + seconds * NSEC_PER_SEC;
}

static inline void timing_sleep(uint64_t nsec)
{
	const struct timespec ts = {
		.tv_sec = (time_t)(nsec / NSEC_PER_SEC),
		.tv_nsec = (long)(nsec % NSEC_PER_SEC),
	};

	/* A signal may cut the sleep short: every caller looks at its condition again anyway. */
	nanosleep(&ts, NULL);
}

#endif
