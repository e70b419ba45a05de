/* SPDX-License-Identifier: BSD-3-Clause */
#include "consumer_ids.h"

#include <string.h>

static uint32_t consumer_ids_find(const struct consumer_ids *ids, uint32_t id)
{
	uint32_t i = 0;

	while (i < ids->count && ids->ids[i] != id)
		i++;
	return i;
}

enum consumer_ids_change consumer_ids_add(struct consumer_ids *ids, uint32_t id)
{
	if (consumer_ids_find(ids, id) < ids->count)
		return CONSUMER_IDS_DUPLICATE;
	if (ids->count == CONSUMER_IDS_MAX)
		return CONSUMER_IDS_FULL;
	ids->ids[ids->count++] = id;
	return CONSUMER_IDS_DONE;
}

enum consumer_ids_change consumer_ids_remove(struct consumer_ids *ids, uint32_t id)
{
	const uint32_t at = consumer_ids_find(ids, id);

	if (at == ids->count)
		return CONSUMER_IDS_UNKNOWN;
	ids->count--;
	memmove(ids->ids + at, ids->ids + at + 1, (ids->count - at) * sizeof(ids->ids[0]));
	return CONSUMER_IDS_DONE;
}
