/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bias: lets one thread use something without locked instructions as long as no other thread of the
 * process uses it.
 *
 * Owner: whoever embeds it. Each user joins before it uses the thing for the first time. The first
 * one has it alone, and says by `busy` when it is inside; the second one makes it shared, for good:
 * it sets `shared`, has the kernel put a full fence into every running thread, and waits until the
 * owner is outside. Either the owner has seen `shared` by then or is seen inside
 * (tests/model/bias.pml). Where the kernel has no such call it is shared from the beginning. The
 * threads are of one process: none dies inside alone.
 *
 *   if (sdpu_bias_enter(bias)) { plain loads and stores; sdpu_bias_exit(bias); }
 *   else { the same with read-modify-write }
 */
#ifndef SDPU_BASE_BIAS_H
#define SDPU_BASE_BIAS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/atomic.h"
#include "base/compiler.h"

enum sdpu_bias_kind {
	SDPU_BIAS_ALONE,
	SDPU_BIAS_SHARED, /* never taken back */
	SDPU_BIAS_NEVER,  /* shared from the beginning: there was never a single owner */
};

struct sdpu_bias {
	const void *owner; /* the first user; NULL: none is there */
	uint32_t busy;	   /* written by the owner only */
	uint32_t shared;   /* enum sdpu_bias_kind */
};

SDPU_SHARED void sdpu_bias_init(struct sdpu_bias *bias);
/* Joining takes a system call, and waits for the owner to be outside; 100 ms at most where the
 * kernel is short of memory. False: the kernel refuses the fence, as where the program has
 * forbidden itself such calls; a thread that could not join must not use it. */
SDPU_SHARED bool sdpu_bias_join(struct sdpu_bias *bias, const void *user);
/* The next one to join may become the single owner. */
SDPU_SHARED void sdpu_bias_leave(struct sdpu_bias *bias, const void *user);

/* Is this thread the single owner until exit? Between the two: a few instructions, no calls. */
static inline bool sdpu_bias_enter(struct sdpu_bias *bias)
{
	if (sdpu_unlikely(sdpu_load(&bias->shared) != SDPU_BIAS_ALONE))
		return false;
	sdpu_store(&bias->busy, 1);
	/* The processor's part of this fence is in sdpu_bias_join(). */
	sdpu_compiler_barrier();
	if (sdpu_likely(sdpu_load(&bias->shared) == SDPU_BIAS_ALONE))
		return true;
	sdpu_store_release(&bias->busy, 0);
	return false;
}

static inline void sdpu_bias_exit(struct sdpu_bias *bias)
{
	/* Pairs with the acquire in sdpu_bias_join(). */
	sdpu_store_release(&bias->busy, 0);
}

#endif
