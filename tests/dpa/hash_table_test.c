/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hash tables: against a plain array of what they should hold.
 */
#include <doca_dpa_dev.h>

#include "dpa/kit.h"

#define NULL_REFUSED(call) T_ERR(call, DOCA_ERROR_INVALID_VALUE)
#define KEYS 512 /* possible ones, of which the table holds ENTRIES at most */
#define ENTRIES 128

static struct doca_dpa_hash_table *table;
static doca_dpa_dev_hash_table_t handle;
static struct {
	bool there;
	uint64_t value;
} expected[KEYS];

static struct doca_dpa *open_table(unsigned int entries)
{
	struct doca_dpa *dpa = kit_dpa(KIT_DPU);

	T_OK(doca_dpa_hash_table_create(dpa, entries, &table));
	T_OK(doca_dpa_hash_table_get_dpa_handle(table, &handle));
	return dpa;
}

static void close_table(struct doca_dpa *dpa)
{
	T_OK(doca_dpa_hash_table_destroy(table));
	kit_dpa_end(dpa);
}

T_CASE(null_is_refused)
{
	struct doca_dpa *dpa = open_table(8);
	struct doca_dpa_hash_table *other = NULL;

	NULL_REFUSED(doca_dpa_hash_table_create(NULL, 8, &other));
	NULL_REFUSED(doca_dpa_hash_table_create(dpa, 8, NULL));
	NULL_REFUSED(doca_dpa_hash_table_create(dpa, 0, &other));
	NULL_REFUSED(doca_dpa_hash_table_destroy(NULL));
	NULL_REFUSED(doca_dpa_hash_table_get_dpa_handle(NULL, &handle));
	NULL_REFUSED(doca_dpa_hash_table_get_dpa_handle(table, NULL));
	T_CHECK(other == NULL);
	close_table(dpa);
}

T_CASE(the_context_is_started_and_there)
{
	struct doca_dev *dev = kit_open(KIT_DPU);
	struct doca_dpa *dpa;

	T_OK(doca_dpa_create(dev, &dpa));
	T_ERR(doca_dpa_hash_table_create(dpa, 8, &table), DOCA_ERROR_BAD_STATE);
	T_OK(doca_dpa_destroy(dpa));
	T_OK(doca_dev_close(dev));
	dpa = open_table(8);
	kit_dpa_end(dpa);
	T_ERR(doca_dpa_hash_table_destroy(table), DOCA_ERROR_BAD_STATE);
}

/* Keys that are apart by a power of two meet in a bad table. */
static uint32_t key_of(uint32_t index)
{
	return index * 4096;
}

static void check_all(void)
{
	uint64_t value = 7;

	for (uint32_t i = 0; i < KEYS; i++) {
		T_EQ(doca_dpa_dev_hash_table_find(handle, key_of(i), &value), expected[i].there);
		if (expected[i].there)
			T_EQ(value, expected[i].value);
	}
}

/* One random change. */
static void change(uint32_t random, uint32_t *used)
{
	uint32_t i = random % KEYS;

	if (random & 1 << 20) {
		*used -= expected[i].there;
		expected[i].there = false;
		doca_dpa_dev_hash_table_remove(handle, key_of(i));
	} else if (*used < ENTRIES || expected[i].there) {
		*used += !expected[i].there;
		expected[i].there = true;
		expected[i].value = random;
		doca_dpa_dev_hash_table_add(handle, key_of(i), random);
	}
}

KIT_RPC(change_much)
{
	uint32_t random = 12345, used = 0;

	for (int i = 0; i < 20000; i++) {
		random = random * 1664525 + 1013904223;
		change(random >> 3, &used);
		if (i % 500 == 0)
			check_all();
	}
	check_all();
	return used;
}

T_CASE(it_holds_what_was_added_and_not_removed)
{
	struct doca_dpa *dpa = open_table(ENTRIES - 1);

	T_CHECK(kit_rpc(dpa, KIT_FUNC(change_much), 0) > ENTRIES / 2);
	close_table(dpa);
}

KIT_RPC(fill)
{
	for (uint32_t i = 0; i < arg; i++)
		doca_dpa_dev_hash_table_add(handle, i, i);
	return 0;
}

T_CASE(one_entry_too_many_ends_the_kernel)
{
	struct doca_dpa *dpa = open_table(5);
	uint64_t result;

	kit_rpc(dpa, KIT_FUNC(fill), 8);
	kit_log();
	T_ERR(doca_dpa_rpc(dpa, KIT_FUNC(fill), &result, (uint64_t)9), DOCA_ERROR_DRIVER);
	T_CONTAINS(kit_log(), "all 8 entries are taken");
	kit_crash();
	close_table(dpa);
}
