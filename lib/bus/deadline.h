/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Deadline: tells an engine, polling or asleep, that a time is over. Kept by the agent, so that a
 * poll reads no clock.
 *
 * Owner: the object that embeds it, in the engine's thread; `passed` is set by the agent's. Ends
 * with sdpu_deadline_close().
 */
#ifndef SDPU_BUS_DEADLINE_H
#define SDPU_BUS_DEADLINE_H

#include "bus/agent.h"
#include "bus/bell.h"

struct sdpu_deadline {
	struct sdpu_bell *bell; /* NULL: not open */
	uint32_t passed;	/* atomic */
	struct sdpu_watch watch;
};

/* In `ms` from now. OPERATING_SYSTEM (logged): no descriptor for it; NO_MEMORY. */
SDPU_SHARED doca_error_t sdpu_deadline_open(struct sdpu_deadline *deadline, struct sdpu_bell *bell,
					    uint32_t ms);
/* It has not passed then. Harmless on one that is not open. */
SDPU_SHARED void sdpu_deadline_close(struct sdpu_deadline *deadline);

static inline bool sdpu_deadline_has_passed(const struct sdpu_deadline *deadline)
{
	/* Acquire: pairs with the release in deadline_ready(). */
	return sdpu_load_acquire(&deadline->passed) != 0;
}

#endif
