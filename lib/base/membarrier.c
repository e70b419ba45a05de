/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/membarrier.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"

#define FENCE_TRIES 100

static bool membarrier(int command)
{
	return syscall(SYS_membarrier, command, 0, 0) == 0;
}

bool sdpu_membarrier_register(enum sdpu_membarrier scope)
{
	return membarrier(scope == SDPU_MEMBARRIER_PROCESS
				  ? MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED
				  : MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED);
}

bool sdpu_membarrier_fence(enum sdpu_membarrier scope)
{
	const int command = scope == SDPU_MEMBARRIER_PROCESS ? MEMBARRIER_CMD_PRIVATE_EXPEDITED
							     : MEMBARRIER_CMD_GLOBAL_EXPEDITED;
	bool done = membarrier(command);

	/* The kernel may be short of memory for a moment; a refusal stays one. */
	for (int i = 0; !done && errno == ENOMEM && i < FENCE_TRIES; i++) {
		sdpu_clock_sleep(SDPU_MS);
		done = membarrier(command);
	}
	return done;
}
