/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Deadline: tells an engine, polling or asleep, that a time has passed. The agent keeps all
 * deadlines and waits for the first: polls need no clock, and a deadline needs neither a descriptor
 * nor memory.
 *
 * Owner: the object that embeds it, in the engine's thread; `passed` is set by the agent's. Ends
 * with sdpu_deadline_close().
 */
#ifndef SDPU_BUS_DEADLINE_H
#define SDPU_BUS_DEADLINE_H

#include "base/atomic.h"
#include "base/list.h"
#include "bus/bell.h"

struct sdpu_deadline {
	struct sdpu_bell *bell; /* NULL: not open */
	uint32_t passed;	/* atomic */
	/* Under the agent's lock. */
	uint64_t at;
	struct sdpu_list node; /* of those that have not passed */
};

/* Passes in `ms` from now. Agent running. */
SDPU_SHARED void sdpu_deadline_open(struct sdpu_deadline *deadline, struct sdpu_bell *bell,
				    uint32_t ms);
/* Afterwards it does not pass. Harmless on one that is not open. */
SDPU_SHARED void sdpu_deadline_close(struct sdpu_deadline *deadline);

static inline bool sdpu_deadline_has_passed(const struct sdpu_deadline *deadline)
{
	/* Acquire: pairs with the release in sdpu_deadline_tick(). */
	return sdpu_load_acquire(&deadline->passed) != 0;
}

#endif
