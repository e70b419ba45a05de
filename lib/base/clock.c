/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The only callers of the system's clock, yield and sleep. No state; any thread.
 */
#include "base/clock.h"

#include <errno.h>
#include <sched.h>

#ifdef __x86_64__
#include <x86intrin.h>
#endif

static uint64_t clock_read(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * SDPU_SECOND + (uint64_t)ts.tv_nsec;
}

uint64_t sdpu_clock_now(void)
{
	return clock_read(CLOCK_MONOTONIC);
}

uint64_t sdpu_clock_coarse(void)
{
	return clock_read(CLOCK_MONOTONIC_COARSE);
}

uint64_t sdpu_clock_wall_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * 1000000 + (uint64_t)ts.tv_nsec / 1000;
}

void sdpu_clock_get(clockid_t clock, struct timespec *time)
{
	clock_gettime(clock, time);
}

uint64_t sdpu_clock_cycles(void)
{
#ifdef __x86_64__
	return __rdtsc();
#else
	return sdpu_clock_now();
#endif
}

void sdpu_clock_yield(void)
{
	sched_yield();
}

void sdpu_clock_sleep(uint64_t ns)
{
	struct timespec left = {
		.tv_sec = (time_t)(ns / SDPU_SECOND),
		.tv_nsec = (long)(ns % SDPU_SECOND),
	};

	/* Sleeps on after a signal handler of the user. */
	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) == EINTR)
		;
}
