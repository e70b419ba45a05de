/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One side of a pair of full fences for both: the kernel puts it into the threads of the other side
 * (membarrier(2)), which do with the compiler's half and pay nothing.
 *
 * Owner: nobody, there is no state here; any thread. Registering lasts as long as the process; its
 * forked children inherit it.
 */
#ifndef SDPU_BASE_MEMBARRIER_H
#define SDPU_BASE_MEMBARRIER_H

#include <stdbool.h>

#include "base/compiler.h"

enum sdpu_membarrier {
	SDPU_MEMBARRIER_PROCESS, /* the threads of this process */
	SDPU_MEMBARRIER_MACHINE, /* of every process that has registered for it */
};

/* The threads of this process are reached from now on. Costs the kernel some 20 ms the first time,
 * unless there is one thread only. False: it has no such call, or it is forbidden. */
SDPU_SHARED bool sdpu_membarrier_register(enum sdpu_membarrier scope);
/*
 * A full fence here and in all running threads within that scope; those that do not run had one.
 * Microseconds, and as many in each thread that is interrupted for it; 100 ms at most where the
 * kernel is short of memory. False: it is refused.
 */
SDPU_SHARED bool sdpu_membarrier_fence(enum sdpu_membarrier scope);

#endif
