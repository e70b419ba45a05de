/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of a DPA, as the host handles it.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_dpa_dev.h>

#include "dma/rig.h"
#include "dpa/kit.h"

#define INVALID(call) T_ERR(call, DOCA_ERROR_INVALID_VALUE)
#define SIZE 10000

static struct doca_dpa *dpa;
static uint8_t bytes[SIZE], back[SIZE];

static doca_dpa_dev_uintptr_t allocate(size_t size)
{
	doca_dpa_dev_uintptr_t at;

	T_OK(doca_dpa_mem_alloc(dpa, size, &at));
	T_CHECK(at != 0 && at % 16 == 0);
	return at;
}

/* One page that nobody may touch. */
static void *hole(void)
{
	void *at = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	T_CHECK(at != MAP_FAILED);
	return at;
}

T_CASE(null_and_nothing_are_refused)
{
	doca_dpa_dev_uintptr_t at = 7;
	struct doca_buf *no_buf = NULL;

	dpa = kit_dpa(KIT_DPU);
	INVALID(doca_dpa_mem_alloc(NULL, 8, &at));
	T_EQ(at, 0);
	at = 7;
	INVALID(doca_dpa_mem_alloc(dpa, 0, &at));
	T_EQ(at, 0);
	INVALID(doca_dpa_mem_alloc(dpa, 8, NULL));
	at = allocate(8);
	INVALID(doca_dpa_mem_free(NULL, at));
	INVALID(doca_dpa_mem_free(dpa, 0));
	INVALID(doca_dpa_h2d_memcpy(NULL, at, bytes, 8));
	INVALID(doca_dpa_h2d_memcpy(dpa, 0, bytes, 8));
	INVALID(doca_dpa_h2d_memcpy(dpa, at, NULL, 8));
	INVALID(doca_dpa_d2h_memcpy(NULL, bytes, at, 8));
	INVALID(doca_dpa_d2h_memcpy(dpa, bytes, 0, 8));
	INVALID(doca_dpa_d2h_memcpy(dpa, NULL, at, 8));
	INVALID(doca_dpa_h2d_buf_memcpy(dpa, at, no_buf, 8));
	INVALID(doca_dpa_d2h_buf_memcpy(dpa, no_buf, at, 8));
	INVALID(doca_dpa_memset(NULL, at, 0, 8));
	INVALID(doca_dpa_memset(dpa, 0, 0, 8));
	T_OK(doca_dpa_mem_free(dpa, at));
	kit_dpa_end(dpa);
}

T_CASE(the_context_is_started)
{
	struct doca_dev *dev = kit_open(KIT_DPU);
	doca_dpa_dev_uintptr_t at = 7;

	T_OK(doca_dpa_create(dev, &dpa));
	T_ERR(doca_dpa_mem_alloc(dpa, 8, &at), DOCA_ERROR_BAD_STATE);
	T_EQ(at, 0);
	T_ERR(doca_dpa_mem_free(dpa, 8), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_h2d_memcpy(dpa, 8, bytes, 8), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_d2h_memcpy(dpa, bytes, 8, 8), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_memset(dpa, 8, 0, 8), DOCA_ERROR_BAD_STATE);
	T_OK(doca_dpa_destroy(dpa));
	T_OK(doca_dev_close(dev));
}

/* The sum of the bytes of an allocation, and each is 1 more afterwards. */
KIT_RPC(sum_up)
{
	uint8_t *at = (uint8_t *)arg;
	uint64_t sum = 0;

	for (size_t i = 0; i < SIZE; i++)
		sum += at[i]++;
	return sum;
}

T_CASE(kernels_and_the_host_share_it)
{
	doca_dpa_dev_uintptr_t at;
	uint64_t sum = 0;

	dpa = kit_dpa(KIT_DPU);
	at = allocate(SIZE);
	for (size_t i = 0; i < SIZE; i++)
		sum += bytes[i] = (uint8_t)(i * 7 % 250);
	T_OK(doca_dpa_h2d_memcpy(dpa, at, bytes, SIZE));
	T_EQ(kit_rpc(dpa, KIT_FUNC(sum_up), at), sum);
	T_OK(doca_dpa_d2h_memcpy(dpa, back, at, SIZE));
	for (size_t i = 0; i < SIZE; i++)
		T_EQ(back[i], bytes[i] + 1);
	T_OK(doca_dpa_memset(dpa, at, 3, SIZE));
	T_EQ(kit_rpc(dpa, KIT_FUNC(sum_up), at), 3 * SIZE);
	T_OK(doca_dpa_memset(dpa, at + 5000, 0x155, 1));
	T_OK(doca_dpa_d2h_memcpy(dpa, back, at + 4999, 3));
	T_CHECK(back[0] == 4 && back[1] == 0x55 && back[2] == 4);
	T_OK(doca_dpa_mem_free(dpa, at));
	kit_dpa_end(dpa);
}

T_CASE(what_goes_beyond_an_allocation_is_refused)
{
	doca_dpa_dev_uintptr_t at;

	dpa = kit_dpa(KIT_DPU);
	at = allocate(100);
	T_OK(doca_dpa_h2d_memcpy(dpa, at + 50, bytes, 50));
	kit_log();
	INVALID(doca_dpa_h2d_memcpy(dpa, at + 50, bytes, 51));
	T_CONTAINS(kit_log(), "51 bytes");
	INVALID(doca_dpa_d2h_memcpy(dpa, back, at, 101));
	INVALID(doca_dpa_memset(dpa, at + 99, 0, 2));
	INVALID(doca_dpa_memset(dpa, at, 0, SIZE_MAX));
	T_OK(doca_dpa_h2d_memcpy(dpa, at, bytes, 0));
	T_OK(doca_dpa_mem_free(dpa, at));
	kit_dpa_end(dpa);
}

T_CASE(what_is_not_there_is_an_error_and_no_crash)
{
	doca_dpa_dev_uintptr_t at;
	void *nothing = hole();

	dpa = kit_dpa(KIT_DPU);
	at = allocate(100);
	kit_log();
	INVALID(doca_dpa_h2d_memcpy(dpa, at, nothing, 100));
	T_CONTAINS(kit_log(), "are not there");
	INVALID(doca_dpa_d2h_memcpy(dpa, nothing, at, 100));
	INVALID(doca_dpa_h2d_memcpy(dpa, (uintptr_t)nothing, bytes, 100));
	INVALID(doca_dpa_memset(dpa, (uintptr_t)nothing, 1, 100));
	T_OK(doca_dpa_mem_free(dpa, at));
	kit_dpa_end(dpa);
}

T_CASE(only_what_was_allocated_is_freed_and_once)
{
	doca_dpa_dev_uintptr_t at;

	dpa = kit_dpa(KIT_DPU);
	at = allocate(100);
	kit_log();
	INVALID(doca_dpa_mem_free(dpa, at + 16));
	INVALID(doca_dpa_mem_free(dpa, (uintptr_t)bytes));
	T_CONTAINS(kit_log(), "is nothing that is allocated");
	T_OK(doca_dpa_mem_free(dpa, at));
	INVALID(doca_dpa_mem_free(dpa, at));
	kit_dpa_end(dpa);
}

T_CASE(the_heap_has_an_end)
{
	const size_t half = (size_t)1 << 29;
	doca_dpa_dev_uintptr_t first, at = 7;

	dpa = kit_dpa(KIT_DPU);
	T_ERR(doca_dpa_mem_alloc(dpa, 2 * half + 1, &at), DOCA_ERROR_NO_MEMORY);
	T_EQ(at, 0);
	T_ERR(doca_dpa_mem_alloc(dpa, SIZE_MAX, &at), DOCA_ERROR_NO_MEMORY);
	first = allocate(half);
	T_ERR(doca_dpa_mem_alloc(dpa, half + 1, &at), DOCA_ERROR_NO_MEMORY);
	T_OK(doca_dpa_mem_free(dpa, first));
	first = allocate(half + 1);
	T_OK(doca_dpa_mem_free(dpa, first));
	kit_dpa_end(dpa);
}

/* A checker for leaks sees that. */
T_CASE(what_is_not_freed_goes_with_the_context)
{
	dpa = kit_dpa(KIT_DPU);
	for (size_t size = 1; size < SIZE; size *= 3)
		T_OK(doca_dpa_memset(dpa, allocate(size), 1, size));
	kit_dpa_end(dpa);
}

static uint64_t of_device_code[4];

KIT_RPC(where_it_lies)
{
	return (uintptr_t)of_device_code;
}

T_CASE(variables_of_device_code)
{
	uint64_t values[4] = {1, 2, 3, 4};
	doca_dpa_dev_uintptr_t at;

	dpa = kit_dpa(KIT_DPU);
	at = kit_rpc(dpa, KIT_FUNC(where_it_lies), 0);
	T_OK(doca_dpa_h2d_memcpy(dpa, at, values, sizeof(values)));
	T_EQ(of_device_code[2], 3);
	kit_dpa_end(dpa);
}

static struct rig rig;

/* The memory of a mmap: local, or imported by way of a reach. */
static void check_bufs(struct doca_mmap *mmap)
{
	struct doca_buf *data = rig_data(&rig, mmap, bytes, SIZE);
	struct doca_buf *room = rig_data(&rig, mmap, bytes + 1, 99);
	doca_dpa_dev_uintptr_t at = allocate(SIZE);

	rig_fill(bytes, SIZE, 1);
	T_OK(doca_dpa_h2d_buf_memcpy(dpa, at, data, SIZE));
	T_OK(doca_dpa_d2h_memcpy(dpa, back, at, SIZE));
	rig_expect(back, SIZE, 1);
	T_OK(doca_dpa_memset(dpa, at, 0xee, SIZE));
	T_OK(doca_dpa_d2h_buf_memcpy(dpa, room, at, 99));
	T_CHECK(bytes[1] == 0xee && bytes[99] == 0xee);
	T_MEMEQ(bytes + 100, back + 100, SIZE - 100);
	INVALID(doca_dpa_d2h_buf_memcpy(dpa, room, at, 100));
	INVALID(doca_dpa_h2d_buf_memcpy(dpa, at + 1, data, SIZE));
	rig_drop(room);
	rig_drop(data);
	T_OK(doca_dpa_mem_free(dpa, at));
}

T_CASE(bufs_of_local_memory)
{
	struct doca_mmap *mmap;

	rig_open(&rig);
	dpa = kit_dpa(KIT_DPU);
	mmap = kit_mmap(rig.dev, bytes, SIZE, 0);
	check_bufs(mmap);
	T_OK(doca_mmap_destroy(mmap));
	kit_dpa_end(dpa);
	rig_close(&rig);
}

T_CASE(bufs_of_imported_memory)
{
	struct doca_mmap *mmap, *imported;
	struct doca_buf *data;
	struct rig_card card;

	rig_open(&rig);
	dpa = kit_dpa(KIT_DPU);
	mmap = kit_mmap(rig.host, bytes, SIZE, RIG_HOST_PERMS);
	rig_export(&rig, mmap, &card);
	imported = rig_import(&rig, &card);
	check_bufs(imported);
	data = rig_data(&rig, imported, bytes, SIZE);
	INVALID(doca_dpa_h2d_buf_memcpy(dpa, (uintptr_t)back, data, SIZE));
	T_OK(doca_mmap_destroy(mmap));
	T_ERR(doca_dpa_h2d_buf_memcpy(dpa, allocate(SIZE), data, SIZE), DOCA_ERROR_DRIVER);
	rig_drop(data);
	T_OK(doca_mmap_destroy(imported));
	kit_dpa_end(dpa);
	rig_close(&rig);
}

T_CASE(an_mmap_over_the_heap)
{
	struct doca_dev *dev = kit_open(KIT_DPU), *other = kit_open(KIT_DPU_1);
	doca_dpa_dev_mmap_t handle;
	doca_dpa_dev_uintptr_t at;
	struct doca_mmap *mmap;

	dpa = kit_dpa(KIT_DPU);
	at = allocate(SIZE);
	T_OK(doca_mmap_create(&mmap));
	INVALID(doca_mmap_set_dpa_memrange(NULL, dpa, at, SIZE));
	INVALID(doca_mmap_set_dpa_memrange(mmap, NULL, at, SIZE));
	INVALID(doca_mmap_set_dpa_memrange(mmap, dpa, 0, SIZE));
	INVALID(doca_mmap_set_dpa_memrange(mmap, dpa, at, 0));
	T_OK(doca_mmap_set_dpa_memrange(mmap, dpa, at, SIZE));
	T_ERR(doca_mmap_set_dpa_memrange(mmap, dpa, at, SIZE), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_mmap_add_dev(mmap, other), DOCA_ERROR_NOT_PERMITTED);
	T_OK(doca_mmap_start(mmap));
	T_OK(doca_mmap_dev_get_dpa_handle(mmap, dev, &handle));
	T_ERR(doca_dpa_destroy(dpa), DOCA_ERROR_IN_USE);
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dpa_mem_free(dpa, at));
	kit_dpa_end(dpa);
	T_OK(doca_dev_close(other));
	T_OK(doca_dev_close(dev));
}

T_CASE(an_mmap_over_the_heap_of_an_idle_context)
{
	struct doca_dev *dev = kit_open(KIT_DPU);
	struct doca_mmap *mmap;

	T_OK(doca_dpa_create(dev, &dpa));
	T_OK(doca_mmap_create(&mmap));
	T_ERR(doca_mmap_set_dpa_memrange(mmap, dpa, 8, 8), DOCA_ERROR_BAD_STATE);
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dpa_destroy(dpa));
	T_OK(doca_dev_close(dev));
}
