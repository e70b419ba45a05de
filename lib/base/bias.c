/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/bias.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"

#define FENCE_TRIES 100
#define OWNER_YIELDS 100

static bool bias_fence_all(int command)
{
	return syscall(SYS_membarrier, command, 0, 0) == 0;
}

void sdpu_bias_init(struct sdpu_bias *bias)
{
	bias->owner = NULL;
	bias->busy = 0;
	/* Needed once in a process, and cheap after that. */
	bias->shared = bias_fence_all(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) ? SDPU_BIAS_ALONE
										 : SDPU_BIAS_NEVER;
}

/* The kernel may be short of memory for a moment; a refusal stays one. */
static bool bias_fence_owner(void)
{
	bool done = bias_fence_all(MEMBARRIER_CMD_PRIVATE_EXPEDITED);

	for (int i = 0; !done && errno == ENOMEM && i < FENCE_TRIES; i++) {
		sdpu_clock_sleep(SDPU_MS);
		done = bias_fence_all(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
	}
	return done;
}

/* It is inside for some instructions; if it was preempted there it may need our processor. */
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

	/* What an owner before us did is ours: the cas acquires what its leaving released. */
	if (sdpu_cas(&bias->owner, &owner, user) || owner == user)
		return true;
	if (sdpu_load(&bias->shared) == SDPU_BIAS_NEVER)
		return true;
	sdpu_store_release(&bias->shared, SDPU_BIAS_SHARED);
	if (!bias_fence_owner())
		return false;
	bias_await_owner(bias);
	return true;
}

void sdpu_bias_leave(struct sdpu_bias *bias, const void *user)
{
	if (sdpu_load(&bias->owner) == user)
		sdpu_store_release(&bias->owner, NULL);
}
