/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Deadlines; contract in deadline.h. The agent's lock guards the list.
 */
#include "bus/deadline.h"

#include "base/clock.h"
#include "bus/agent_parts.h"
#include "bus/process.h"

static struct sdpu_list to_come = {.next = &to_come, .prev = &to_come}; /* the soonest first */

#define deadline_of(it) sdpu_container_of(it, struct sdpu_deadline, node)

/* Searches from the end, as most deadlines are as far away as the previous one. */
static void deadline_insert(struct sdpu_deadline *deadline)
{
	struct sdpu_list *next = &to_come;

	while (next->prev != &to_come && deadline_of(next->prev)->at > deadline->at)
		next = next->prev;
	sdpu_list_append(next, &deadline->node);
}

void sdpu_deadline_open(struct sdpu_deadline *deadline, struct sdpu_bell *bell, uint32_t ms)
{
	if (sdpu_process_inert())
		return;
	sdpu_agent_lock();
	*deadline = (struct sdpu_deadline){.bell = bell, .at = sdpu_clock_now() + ms * SDPU_MS};
	deadline_insert(deadline);
	if (to_come.next == &deadline->node)
		sdpu_agent_wake();
	sdpu_agent_unlock();
}

void sdpu_deadline_close(struct sdpu_deadline *deadline)
{
	if (deadline->bell == NULL || sdpu_process_inert())
		return;
	sdpu_agent_lock();
	sdpu_list_remove(&deadline->node);
	deadline->bell = NULL;
	sdpu_store(&deadline->passed, 0);
	sdpu_agent_unlock();
}

uint64_t sdpu_deadline_tick(uint64_t now)
{
	while (!sdpu_list_empty(&to_come)) {
		struct sdpu_deadline *deadline = deadline_of(to_come.next);

		if (deadline->at > now)
			return deadline->at;
		sdpu_list_remove(&deadline->node);
		/* Release: pairs with the acquire in sdpu_deadline_has_passed(). */
		sdpu_store_release(&deadline->passed, 1);
		sdpu_bell_attend(deadline->bell);
	}
	return SDPU_NEVER;
}
