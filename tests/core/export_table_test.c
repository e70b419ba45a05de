/* SPDX-License-Identifier: BSD-3-Clause
 * Table of RDMA exports: by itself, under threads, and as mmaps fill it.
 */
#include <pthread.h>
#include <string.h>

#include <doca_types.h>

#include "base/atomic.h"
#include "bus/agent.h"
#include "core/desc.h"
#include "core/export_table.h"
#include "core/kit.h"
#include "core/mmap.h"
#include "t.h"

#define PERMS                                                                                      \
	(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE |                     \
	 DOCA_ACCESS_FLAG_RDMA_READ)
#define REMOTE_PERMS (DOCA_ACCESS_FLAG_PCI_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ)

static uint8_t memory[4096];

/* Of the same chain: the first byte is the same. */
static struct sdpu_export example(uint8_t last)
{
	struct sdpu_export e = {
		.key = {9, [SDPU_KEY_SIZE - 1] = last},
		.owner = "a-0123",
		.perms = DOCA_ACCESS_FLAG_RDMA_READ,
		.addr = 0x1000u + last,
		.len = 100,
	};

	return e;
}

static bool is_there(const struct sdpu_export *e)
{
	struct sdpu_export found;

	return sdpu_export_find(e->key, &found);
}

T_CASE(what_was_added_is_found)
{
	struct sdpu_export a = example(1), b = example(2), c = example(3), found = {.len = 77};

	T_CHECK(!sdpu_export_find(a.key, &found));
	T_EQ(found.len, 77);
	T_OK(sdpu_export_add(&a));
	T_OK(sdpu_export_add(&b));
	T_OK(sdpu_export_add(&c));
	T_CHECK(sdpu_export_find(b.key, &found));
	T_MEMEQ(found.key, b.key, SDPU_KEY_SIZE);
	T_STREQ(found.owner, "a-0123");
	T_EQ(found.perms, b.perms);
	T_EQ(found.addr, b.addr);
	T_EQ(found.len, b.len);
	sdpu_export_remove(b.key);
	T_CHECK(is_there(&a) && !is_there(&b) && is_there(&c));
	sdpu_export_remove(b.key);
	sdpu_export_remove(a.key);
	T_CHECK(!is_there(&a) && is_there(&c));
	sdpu_export_remove(c.key);
	T_CHECK(!is_there(&c));
}

T_CASE(additions_of_one_key_are_counted)
{
	struct sdpu_export e = example(1);

	for (int i = 0; i < 3; i++)
		T_OK(sdpu_export_add(&e));
	sdpu_export_remove(e.key);
	sdpu_export_remove(e.key);
	T_CHECK(is_there(&e));
	sdpu_export_remove(e.key);
	T_CHECK(!is_there(&e));
}

#define THREADS 4
#define ROUNDS 2000

static bool over;

/* Adds and removes a key of its own and one that all share. */
static void *churn(void *arg)
{
	struct sdpu_export own = example((uint8_t)(uintptr_t)arg), shared = example(100);

	for (int i = 0; i < ROUNDS; i++) {
		T_OK(sdpu_export_add(&own));
		T_OK(sdpu_export_add(&shared));
		T_CHECK(is_there(&own) && is_there(&shared));
		sdpu_export_remove(own.key);
		T_CHECK(!is_there(&own) && is_there(&shared));
		sdpu_export_remove(shared.key);
	}
	return NULL;
}

static void *look(void *arg)
{
	struct sdpu_export want = example(100), found;

	(void)arg;
	while (!sdpu_load(&over))
		if (sdpu_export_find(want.key, &found))
			T_EQ(found.addr, want.addr);
	return NULL;
}

T_CASE(threads)
{
	struct sdpu_export shared = example(100);
	pthread_t looker, thread[THREADS];

	T_EQ(pthread_create(&looker, NULL, look, NULL), 0);
	for (uintptr_t i = 0; i < THREADS; i++)
		T_EQ(pthread_create(&thread[i], NULL, churn, (void *)(i + 1)), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	sdpu_store(&over, true);
	pthread_join(looker, NULL);
	T_CHECK(!is_there(&shared));
}

T_CASE(an_mmap_is_in_it_while_it_is_exported)
{
	struct doca_dev *host = kit_open(KIT_HOST), *dpu = kit_open(KIT_DPU);
	struct doca_mmap *mmap;
	struct sdpu_export found;
	struct sdpu_blob blob;
	struct desc desc = {0};
	uint32_t stops;

	T_OK(doca_mmap_create(&mmap));
	T_OK(doca_mmap_add_dev(mmap, host));
	T_OK(doca_mmap_add_dev(mmap, dpu));
	T_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
	T_OK(doca_mmap_set_permissions(mmap, PERMS));
	T_OK(doca_mmap_start(mmap));
	desc_export_pci(mmap, host, &desc);
	blob = desc_blob(&desc);
	/* an export by PCI is none by RDMA */
	T_CHECK(!sdpu_export_find(blob.key, &found));
	desc_export_rdma(mmap, host, &desc);
	desc_export_rdma(mmap, host, &desc);
	desc_export_rdma(mmap, dpu, &desc);
	T_CHECK(sdpu_export_find(blob.key, &found));
	T_EQ(found.addr, (uintptr_t)memory);
	T_EQ(found.len, sizeof(memory));
	T_EQ(found.perms, PERMS);
	T_STREQ(found.owner, sdpu_agent_endpoint());
	stops = sdpu_load(&sdpu_mmap_stops);
	T_OK(doca_mmap_stop(mmap));
	T_CHECK(!sdpu_export_find(blob.key, &found));
	T_CHECK(sdpu_load(&sdpu_mmap_stops) != stops);
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dev_close(dpu));
	T_OK(doca_dev_close(host));
}

T_CASE(an_import_is_in_it_under_its_owners_key)
{
	struct doca_dev *host = kit_open(KIT_HOST), *dpu = kit_open(KIT_DPU);
	struct doca_mmap *mmap = kit_mmap(host, memory, sizeof(memory), PERMS), *a, *b;
	struct sdpu_export found;
	struct sdpu_blob blob;
	struct desc desc = {0};

	desc_export_pci(mmap, host, &desc);
	blob = desc_blob(&desc);
	T_OK(desc_import(&desc, dpu, &a));
	T_OK(desc_import(&desc, dpu, &b));
	T_CHECK(!sdpu_export_find(blob.key, &found));
	desc_export_rdma(a, dpu, &desc);
	desc_export_rdma(b, dpu, &desc);
	T_CHECK(sdpu_export_find(blob.key, &found));
	T_EQ(found.addr, (uintptr_t)memory);
	T_EQ(found.perms, REMOTE_PERMS);
	T_STREQ(found.owner, blob.owner);
	T_OK(doca_mmap_stop(a));
	T_CHECK(sdpu_export_find(blob.key, &found));
	T_OK(doca_mmap_destroy(b));
	T_CHECK(!sdpu_export_find(blob.key, &found));
	T_OK(doca_mmap_destroy(a));
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dev_close(dpu));
	T_OK(doca_dev_close(host));
}
