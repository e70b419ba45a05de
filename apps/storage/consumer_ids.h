/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The consumers of the peer, in the order in which the library announced them. The i-th of them
 * belongs to the peer's thread i, because both sides create theirs in thread order.
 * Owned by the comch control channel; control thread only.
 */
#ifndef STORAGE_CONSUMER_IDS_H
#define STORAGE_CONSUMER_IDS_H

#include <stdbool.h>
#include <stdint.h>

/* Far above any machine's number of threads, and above the consumers of one connection. */
#define CONSUMER_IDS_MAX 1024

struct consumer_ids {
	uint32_t ids[CONSUMER_IDS_MAX];
	uint32_t count;
};

enum consumer_ids_change {
	CONSUMER_IDS_DONE,
	CONSUMER_IDS_DUPLICATE, /* add: known already, left where it is */
	CONSUMER_IDS_UNKNOWN,	/* remove: never announced */
	CONSUMER_IDS_FULL,	/* add: no place left */
};

enum consumer_ids_change consumer_ids_add(struct consumer_ids *ids, uint32_t id);
enum consumer_ids_change consumer_ids_remove(struct consumer_ids *ids, uint32_t id);

#endif
