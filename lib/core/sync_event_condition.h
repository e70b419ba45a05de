/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What somebody waits for: a comparison of the masked counter with a value. Pure functions; any
 * thread.
 */
#ifndef SDPU_CORE_SYNC_EVENT_CONDITION_H
#define SDPU_CORE_SYNC_EVENT_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

enum sdpu_event_compare { SDPU_EVENT_GT, SDPU_EVENT_EQ, SDPU_EVENT_NEQ };

struct sdpu_event_condition {
	enum sdpu_event_compare compare;
	uint64_t value;
	uint64_t mask;
};

/* NULL, or why nobody can wait for it. */
const char *sdpu_event_condition_fault(const struct sdpu_event_condition *condition);
bool sdpu_event_condition_holds(const struct sdpu_event_condition *condition, uint64_t counter);

#endif
