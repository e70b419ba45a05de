/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See sync_event_condition.h.
 */
#include "core/sync_event_condition.h"

#include <stddef.h>

#include "base/compiler.h"

/* 0, or 1, 2, 4 or 8 neighbouring bytes. */
static bool is_mask(uint64_t mask)
{
	static const uint64_t ones[] = {0xff, 0xffff, 0xffffffff, UINT64_MAX};

	if (mask == 0)
		return true;
	mask >>= __builtin_ctzll(mask) / 8 * 8;
	for (size_t i = 0; i < SDPU_ARRAY_SIZE(ones); i++)
		if (mask == ones[i])
			return true;
	return false;
}

/* A condition that can never hold. */
static bool is_hopeless(const struct sdpu_event_condition *condition)
{
	if (condition->compare == SDPU_EVENT_GT)
		return condition->value == condition->mask;
	return condition->compare == SDPU_EVENT_NEQ && condition->mask == 0;
}

const char *sdpu_event_condition_fault(const struct sdpu_event_condition *condition)
{
	if (!is_mask(condition->mask))
		return "a mask of 0, or of 1, 2, 4 or 8 neighbouring bytes of 0xff";
	if ((condition->value & ~condition->mask) != 0)
		return "a value without bits outside the mask";
	if (is_hopeless(condition))
		return "a condition that some counter can satisfy";
	return NULL;
}

bool sdpu_event_condition_holds(const struct sdpu_event_condition *condition, uint64_t counter)
{
	uint64_t found = counter & condition->mask;

	switch (condition->compare) {
	case SDPU_EVENT_GT:
		return found > condition->value;
	case SDPU_EVENT_EQ:
		return found == condition->value;
	case SDPU_EVENT_NEQ:
		return found != condition->value;
	}
	return false;
}
