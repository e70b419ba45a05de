/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/bias.h"

#include <linux/membarrier.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"

static bool bias_fence_all(int command)
{
	return syscall(SYS_membarrier, command, 0, 0) == 0;
}

void sdpu_bias_init(struct sdpu_bias *bias)
{
	bias->owner = NULL;
	bias->busy = 0;
	/* Needed once in a process, and cheap after that. */
	bias->shared = !bias_fence_all(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
}

void sdpu_bias_join(struct sdpu_bias *bias, const void *user)
{
	const void *owner = NULL;

	/* What an owner before us did is ours: the cas acquires what its leaving released. */
	if (sdpu_cas(&bias->owner, &owner, user) || owner == user)
		return;
	sdpu_store_release(&bias->shared, 1);
	/* Cannot fail once the process is registered. */
	(void)bias_fence_all(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
	while (sdpu_load_acquire(&bias->busy) != 0)
		sdpu_clock_yield();
}

void sdpu_bias_leave(struct sdpu_bias *bias, const void *user)
{
	if (sdpu_load(&bias->owner) == user)
		sdpu_store_release(&bias->owner, NULL);
}
