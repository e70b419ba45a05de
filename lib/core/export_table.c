/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Table of RDMA exports: chains by the first byte of the key, which is random; contract in
 * export_table.h.
 */
#include "core/export_table.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	struct entry *next;
	uint32_t count;
	struct sdpu_export what;
};

/* guards the chains and all entries on them */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *chains[256];

/* Where the chain leads to the entry of that key; leads to NULL when there is none. Locked. */
static struct entry **place_of(const uint8_t key[SDPU_KEY_SIZE])
{
	struct entry **at = &chains[key[0]];

	while (*at != NULL && memcmp((*at)->what.key, key, SDPU_KEY_SIZE) != 0)
		at = &(*at)->next;
	return at;
}

/* Counts one more of an entry, or takes over the new one. Locked. True: taken over. */
static bool enter(struct entry *made)
{
	struct entry **at = place_of(made->what.key);

	if (*at != NULL) {
		(*at)->count++;
		return false;
	}
	*at = made;
	return true;
}

doca_error_t sdpu_export_add(const struct sdpu_export *e)
{
	struct entry *made = malloc(sizeof(*made));
	bool taken;

	if (made == NULL)
		return DOCA_ERROR_NO_MEMORY;
	*made = (struct entry){.count = 1, .what = *e};
	pthread_mutex_lock(&lock);
	taken = enter(made);
	pthread_mutex_unlock(&lock);
	if (!taken)
		free(made);
	return DOCA_SUCCESS;
}

/* The entry taken off its chain, if it was the last of its key. Locked. */
static struct entry *leave(const uint8_t key[SDPU_KEY_SIZE])
{
	struct entry **at = place_of(key), *last = *at;

	if (last == NULL || --last->count != 0)
		return NULL;
	*at = last->next;
	return last;
}

void sdpu_export_remove(const uint8_t key[SDPU_KEY_SIZE])
{
	struct entry *last;

	pthread_mutex_lock(&lock);
	last = leave(key);
	pthread_mutex_unlock(&lock);
	free(last);
}

bool sdpu_export_find(const uint8_t key[SDPU_KEY_SIZE], struct sdpu_export *found)
{
	const struct entry *entry;

	pthread_mutex_lock(&lock);
	entry = *place_of(key);
	if (entry != NULL)
		*found = entry->what;
	pthread_mutex_unlock(&lock);
	return entry != NULL;
}
