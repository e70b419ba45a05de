/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/bias.h"

#include <stddef.h>

#include "base/clock.h"
#include "base/membarrier.h"

#define OWNER_YIELDS 100

void sdpu_bias_init(struct sdpu_bias *bias)
{
	bias->owner = NULL;
	bias->busy = 0;
	/* Needed once in a process, and cheap after that. */
	bias->shared = sdpu_membarrier_register(SDPU_MEMBARRIER_PROCESS) ? SDPU_BIAS_ALONE
									 : SDPU_BIAS_NEVER;
}

/* The owner is inside for some instructions only; if it was preempted there, it may need our
 * processor. */
static void bias_await_owner(const struct sdpu_bias *bias)
{
	for (int i = 0; sdpu_load_acquire(&bias->busy) != 0; i++) {
		if (i < OWNER_YIELDS)
			sdpu_clock_yield();
		else
			sdpu_clock_sleep(SDPU_MS);
	}
}

bool sdpu_bias_join(struct sdpu_bias *bias, const void *user)
{
	const void *owner = NULL;

	/* The cas acquires what the previous owner released when it left. */
	if (sdpu_cas(&bias->owner, &owner, user) || owner == user)
		return true;
	if (sdpu_load(&bias->shared) == SDPU_BIAS_NEVER)
		return true;
	sdpu_store_release(&bias->shared, SDPU_BIAS_SHARED);
	if (!sdpu_membarrier_fence(SDPU_MEMBARRIER_PROCESS))
		return false;
	bias_await_owner(bias);
	return true;
}

void sdpu_bias_leave(struct sdpu_bias *bias, const void *user)
{
	if (sdpu_load(&bias->owner) == user)
		sdpu_store_release(&bias->owner, NULL);
}
