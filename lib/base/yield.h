/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Yielding the processor, and finding out whether anybody took it. State is the calling thread's
 * own; any thread.
 *
 * A thread that polls must know whether it has its processor for itself. The kernel tells, without
 * a system call: it clears a word of the thread's restartable sequence (rseq) area when it hands
 * the processor to another thread. Where it does not (old kernels and valgrind have no such area,
 * and new ones may leave it alone in system calls), the time that the yield took has to do: twice
 * the shortest one ever seen means that somebody ran.
 */
#ifndef SDPU_BASE_YIELD_H
#define SDPU_BASE_YIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"

/* For how long others had the processor, ns; 0: nobody wanted it. The first one of a process sleeps
 * for a moment, to find out which way it is. */
SDPU_SHARED uint64_t sdpu_yield(void);

/* Is time used for that, in this thread? */
bool sdpu_yield_guesses(void);

#endif
