/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hash table from 32-bit keys to 64-bit values, for device code. Owner: the user; it holds its DPA
 * context. One DPA thread at a time, as all objects of device code: nothing here is atomic but the
 * kind. A key stands at the first free place from where its hash points to; a removal moves those
 * behind it up, so that a search ends at the first free place. Half of the places stay free. A kill
 * waits for the end of a change, as another thread may go on using the table.
 */
#include <stdlib.h>

#include <doca_dpa.h>
#include <doca_dpa_dev.h>

#include "base/refuse.h"
#include "dpa/dpa.h"
#include "dpa/handle.h"
#include "dpa/member.h"
#include "dpa/strand.h"

struct entry {
	uint64_t value;
	uint32_t key;
	uint32_t taken;
};

struct doca_dpa_hash_table {
	struct sdpu_dpa_head head;
	struct doca_dpa *dpa; /* joined */
	uint32_t capacity;    /* entries; a power of two */
	uint32_t used;
	struct entry *entries; /* places: twice the capacity */
};

doca_error_t doca_dpa_hash_table_create(struct doca_dpa *dpa, unsigned int num_entries,
					struct doca_dpa_hash_table **ht)
{
	struct doca_dpa_hash_table *made;
	doca_error_t result;
	uint32_t capacity;

	if (sdpu_any_null(__func__, dpa, ht))
		return DOCA_ERROR_INVALID_VALUE;
	result = dpa_queue_size(__func__, num_entries, &capacity);
	if (result == DOCA_SUCCESS)
		result = sdpu_dpa_check_running(dpa, __func__);
	if (result == DOCA_SUCCESS)
		result = sdpu_dpa_join(dpa, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	made = calloc(1, sizeof(*made));
	if (made != NULL)
		made->entries = calloc(2 * (size_t)capacity, sizeof(*made->entries));
	if (made == NULL || made->entries == NULL) {
		free(made);
		sdpu_dpa_leave(dpa);
		return sdpu_no_memory(__func__);
	}
	made->dpa = dpa;
	made->capacity = capacity;
	(void)sdpu_dpa_handle_give(&made->head, SDPU_DPA_KIND_HASH_TABLE);
	*ht = made;
	return DOCA_SUCCESS;
}

doca_error_t doca_dpa_hash_table_destroy(struct doca_dpa_hash_table *ht)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, ht))
		return DOCA_ERROR_INVALID_VALUE;
	if (!sdpu_dpa_may_destroy_member(ht->dpa, __func__, &result))
		return result;
	sdpu_dpa_drain(ht->dpa);
	sdpu_dpa_handle_withdraw(&ht->head);
	free(ht->entries);
	sdpu_dpa_retire_member(ht->dpa, ht);
	return result;
}

doca_error_t doca_dpa_hash_table_get_dpa_handle(struct doca_dpa_hash_table *ht,
						doca_dpa_dev_hash_table_t *ht_handle)
{
	if (sdpu_any_null(__func__, ht, ht_handle))
		return DOCA_ERROR_INVALID_VALUE;
	*ht_handle = (uintptr_t)&ht->head;
	return DOCA_SUCCESS;
}

static uint32_t place_after(const struct doca_dpa_hash_table *ht, uint32_t place)
{
	return (place + 1) & (2 * ht->capacity - 1);
}

/* The home of a key: its place in an empty table. */
static uint32_t home_of(const struct doca_dpa_hash_table *ht, uint32_t key)
{
	uint32_t hash = key * 2654435769u; /* 2^32 / golden ratio: spreads neighbours */

	return (hash ^ hash >> 16) & (2 * ht->capacity - 1);
}

/* The place of a key, or the free one where it belongs. */
static uint32_t find(const struct doca_dpa_hash_table *ht, uint32_t key)
{
	uint32_t place = home_of(ht, key);

	while (ht->entries[place].taken && ht->entries[place].key != key)
		place = place_after(ht, place);
	return place;
}

static struct doca_dpa_hash_table *open_table(const char *call, doca_dpa_dev_hash_table_t handle)
{
	(void)sdpu_dpa_strand_enter(call);
	return sdpu_dpa_handle_open(call, handle, SDPU_DPA_KIND_HASH_TABLE);
}

void doca_dpa_dev_hash_table_add(doca_dpa_dev_hash_table_t ht_handle, uint32_t key, uint64_t value)
{
	struct doca_dpa_hash_table *ht = open_table(__func__, ht_handle);
	struct entry *entry = &ht->entries[find(ht, key)];

	if (!entry->taken && ht->used == ht->capacity)
		sdpu_dpa_fatal("doca_dpa_dev_hash_table_add: all %u entries are taken; create the "
			       "table for more",
			       ht->capacity);
	sdpu_dpa_guard_enter(sdpu_dpa_strand_self());
	ht->used += !entry->taken;
	*entry = (struct entry){.value = value, .key = key, .taken = 1};
	sdpu_dpa_guard_leave(sdpu_dpa_strand_self());
}

/* May the key at `place` move to the free one at `hole`? Not if its home lies behind `hole`. */
static bool may_move(const struct doca_dpa_hash_table *ht, uint32_t place, uint32_t hole)
{
	uint32_t mask = 2 * ht->capacity - 1;

	return ((place - home_of(ht, ht->entries[place].key)) & mask) >= ((place - hole) & mask);
}

static void remove_at(struct doca_dpa_hash_table *ht, uint32_t hole)
{
	for (uint32_t i = place_after(ht, hole); ht->entries[i].taken; i = place_after(ht, i)) {
		if (!may_move(ht, i, hole))
			continue;
		ht->entries[hole] = ht->entries[i];
		hole = i;
	}
	ht->entries[hole].taken = 0;
	ht->used--;
}

void doca_dpa_dev_hash_table_remove(doca_dpa_dev_hash_table_t ht_handle, uint32_t key)
{
	struct doca_dpa_hash_table *ht = open_table(__func__, ht_handle);
	uint32_t place = find(ht, key);

	if (!ht->entries[place].taken)
		return;
	sdpu_dpa_guard_enter(sdpu_dpa_strand_self());
	remove_at(ht, place);
	sdpu_dpa_guard_leave(sdpu_dpa_strand_self());
}

int doca_dpa_dev_hash_table_find(doca_dpa_dev_hash_table_t ht_handle, uint32_t key, uint64_t *value)
{
	const struct doca_dpa_hash_table *ht = open_table(__func__, ht_handle);
	const struct entry *entry = &ht->entries[find(ht, key)];

	if (!entry->taken)
		return 0;
	*value = entry->value;
	return 1;
}
