/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All reading of time and all giving up of the processor goes through here, so that a deterministic
 * schedule can be put underneath later.
 */
#ifndef SDPU_BASE_CLOCK_H
#define SDPU_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/compiler.h"

#define SDPU_MS 1000000ull
#define SDPU_SECOND 1000000000ull

/* Monotonic time in nanoseconds. */
SDPU_SHARED uint64_t sdpu_clock_now(void);

/* The same in steps of some milliseconds, for a few nanoseconds. */
SDPU_SHARED uint64_t sdpu_clock_coarse(void);

/* Time of day in microseconds since 1970, for display only. */
SDPU_SHARED uint64_t sdpu_clock_wall_us(void);

/* The system's clock with that number, for programs that ask for it; not used by the library
 * itself.
 */
SDPU_SHARED void sdpu_clock_get(clockid_t clock, struct timespec *time);

/* The processor's counter of cycles; monotonic nanoseconds where programs cannot read one. */
SDPU_SHARED uint64_t sdpu_clock_cycles(void);

/* Yields the processor. */
SDPU_SHARED void sdpu_clock_yield(void);

/* Sleeps; only for bounded waits of control paths, never on the data path. */
SDPU_SHARED void sdpu_clock_sleep(uint64_t ns);

#endif
