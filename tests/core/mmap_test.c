/* SPDX-License-Identifier: BSD-3-Clause
 * Mmaps of one process: configuration, life, devices, what they tell.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>

#include "core/kit.h"
#include "t.h"

static uint8_t memory[4096];

static struct doca_mmap *made(void)
{
	struct doca_mmap *mmap;

	T_OK(doca_mmap_create(&mmap));
	return mmap;
}

static struct doca_mmap *with_range(void)
{
	struct doca_mmap *mmap = made();

	T_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
	return mmap;
}

T_CASE(a_range_is_set_once)
{
	struct doca_mmap *mmap = made();
	void *addr = NULL;
	size_t len = 77;

	T_ERR(doca_mmap_get_memrange(mmap, &addr, &len), DOCA_ERROR_BAD_STATE);
	T_EQ(len, 77);
	T_ERR(doca_mmap_set_memrange(mmap, memory, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_set_memrange(mmap, NULL, 8), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_set_memrange(mmap, memory, SIZE_MAX), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_mmap_set_memrange(mmap, memory + 3, 11));
	T_ERR(doca_mmap_set_memrange(mmap, memory, 8), DOCA_ERROR_NOT_PERMITTED);
	T_OK(doca_mmap_get_memrange(mmap, &addr, &len));
	T_EQ(addr, memory + 3);
	T_EQ(len, 11);
	T_OK(doca_mmap_start(mmap));
	T_ERR(doca_mmap_set_memrange(mmap, memory, 8), DOCA_ERROR_BAD_STATE);
	T_OK(doca_mmap_destroy(mmap));
}

T_CASE(permissions)
{
	static const uint32_t good[] = {
		0,
		DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
		DOCA_ACCESS_FLAG_PCI_READ_ONLY,
		DOCA_ACCESS_FLAG_PCI_READ_WRITE | DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
			DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE |
			DOCA_ACCESS_FLAG_RDMA_ATOMIC,
		DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING | DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
	};
	static const uint32_t bad[] = {
		1 << 7,
		UINT32_MAX,
		DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE,
		DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING,
		DOCA_ACCESS_FLAG_PCI_READ_WRITE | DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING,
	};
	struct doca_mmap *mmap = with_range();

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		T_OK(doca_mmap_set_permissions(mmap, good[i]));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		T_ERR(doca_mmap_set_permissions(mmap, bad[i]), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_mmap_start(mmap));
	T_ERR(doca_mmap_set_permissions(mmap, good[1]), DOCA_ERROR_BAD_STATE);
	T_OK(doca_mmap_destroy(mmap));
}

T_CASE(start_stop_and_start_again)
{
	struct doca_mmap *mmap = made();

	kit_log();
	T_ERR(doca_mmap_start(mmap), DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(kit_log(), "no memory range");
	T_OK(doca_mmap_stop(mmap));
	T_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
	T_OK(doca_mmap_start(mmap));
	T_ERR(doca_mmap_start(mmap), DOCA_ERROR_NOT_PERMITTED);
	T_OK(doca_mmap_stop(mmap));
	T_OK(doca_mmap_stop(mmap));
	T_OK(doca_mmap_start(mmap));
	T_OK(doca_mmap_destroy(mmap));
}

static unsigned int num_freed;

static void freed(void *addr, size_t len, void *cookie)
{
	T_EQ(addr, memory);
	T_EQ(len, sizeof(memory));
	T_EQ(cookie, &num_freed);
	num_freed++;
}

T_CASE(the_free_callback_runs_once_if_it_was_started)
{
	struct doca_mmap *mmap = with_range();

	T_OK(doca_mmap_set_free_cb(mmap, freed, &num_freed));
	T_OK(doca_mmap_destroy(mmap));
	T_EQ(num_freed, 0);
	mmap = with_range();
	T_OK(doca_mmap_set_free_cb(mmap, freed, &num_freed));
	T_OK(doca_mmap_start(mmap));
	T_ERR(doca_mmap_set_free_cb(mmap, freed, NULL), DOCA_ERROR_BAD_STATE);
	T_OK(doca_mmap_stop(mmap));
	T_EQ(num_freed, 0);
	T_OK(doca_mmap_destroy(mmap));
	T_EQ(num_freed, 1);
}

T_CASE(memory_may_be_gone_before_stop_and_destroy)
{
	void *heap = malloc(100000);
	void *mapped = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct doca_mmap *of_heap = kit_mmap(NULL, heap, 100000, 0);
	struct doca_mmap *of_mapped = kit_mmap(NULL, mapped, 8192, 0);

	free(heap);
	munmap(mapped, 8192);
	T_OK(doca_mmap_stop(of_heap));
	T_OK(doca_mmap_destroy(of_heap));
	T_OK(doca_mmap_destroy(of_mapped));
}

T_CASE(user_data)
{
	struct doca_mmap *mmap = with_range();
	union doca_data data = {.u64 = 1};

	T_OK(doca_mmap_get_user_data(mmap, &data));
	T_EQ(data.u64, 0);
	data.ptr = memory;
	T_OK(doca_mmap_set_user_data(mmap, data));
	T_OK(doca_mmap_start(mmap));
	T_ERR(doca_mmap_set_user_data(mmap, data), DOCA_ERROR_BAD_STATE);
	data.ptr = NULL;
	T_OK(doca_mmap_get_user_data(mmap, &data));
	T_EQ(data.ptr, memory);
	T_OK(doca_mmap_destroy(mmap));
}

static struct doca_buf_inventory *inventory_of(size_t num)
{
	struct doca_buf_inventory *inventory;

	T_OK(doca_buf_inventory_create(num, &inventory));
	T_OK(doca_buf_inventory_start(inventory));
	return inventory;
}

static void stop_waits_for_bufs(struct doca_buf_inventory *inventory, struct doca_mmap *mmap)
{
	struct doca_buf *buf;
	uint32_t num;

	T_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &buf));
	T_OK(doca_mmap_get_num_bufs(mmap, &num));
	T_EQ(num, 1);
	kit_log();
	T_ERR(doca_mmap_stop(mmap), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_mmap_destroy(mmap), DOCA_ERROR_NOT_PERMITTED);
	T_CONTAINS(kit_log(), "doca_mmap_destroy: 1 bufs of it exist");
	T_ERR(doca_mmap_enable_thread_safety(mmap), DOCA_ERROR_NOT_PERMITTED);
	T_OK(doca_buf_dec_refcount(buf, NULL));
	T_OK(doca_mmap_stop(mmap));
	T_ERR(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &buf),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_mmap_destroy(mmap));
}

T_CASE(bufs_keep_the_mmap)
{
	struct doca_buf_inventory *inventory = inventory_of(1);

	stop_waits_for_bufs(inventory, kit_mmap(NULL, memory, sizeof(memory), 0));
	T_OK(doca_buf_inventory_destroy(inventory));
}

T_CASE(bufs_do_not_keep_a_thread_safe_mmap)
{
	struct doca_buf_inventory *inventory = inventory_of(2);
	struct doca_mmap *mmap = with_range();
	struct doca_buf *buf, *copy;
	uint32_t num = 77;

	T_OK(doca_mmap_enable_thread_safety(mmap));
	T_OK(doca_mmap_start(mmap));
	T_ERR(doca_mmap_enable_thread_safety(mmap), DOCA_ERROR_NOT_PERMITTED);
	T_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &buf));
	T_OK(doca_buf_inventory_buf_dup(inventory, buf, &copy));
	T_OK(doca_mmap_get_num_bufs(mmap, &num));
	T_EQ(num, 0);
	T_OK(doca_mmap_stop(mmap));
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_buf_dec_refcount(buf, NULL));
	T_OK(doca_buf_dec_refcount(copy, NULL));
	T_OK(doca_buf_inventory_destroy(inventory));
}

T_CASE(devices_are_added_before_start)
{
	struct doca_dev *dpu = kit_open(KIT_DPU), *host = kit_open(KIT_HOST);
	struct doca_mmap *mmap = with_range();

	T_ERR(doca_mmap_rm_dev(mmap, dpu), DOCA_ERROR_NOT_FOUND);
	T_OK(doca_mmap_add_dev(mmap, dpu));
	T_ERR(doca_mmap_add_dev(mmap, dpu), DOCA_ERROR_ALREADY_EXIST);
	T_OK(doca_mmap_add_dev(mmap, host));
	T_OK(doca_mmap_rm_dev(mmap, dpu));
	T_OK(doca_mmap_add_dev(mmap, dpu));
	T_OK(doca_mmap_start(mmap));
	T_ERR(doca_mmap_add_dev(mmap, dpu), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_mmap_rm_dev(mmap, dpu), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_dev_close(dpu), DOCA_ERROR_IN_USE);
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dev_close(dpu));
	T_OK(doca_dev_close(host));
}

T_CASE(the_number_of_devices_has_a_bound)
{
	struct doca_dev *dpu = kit_open(KIT_DPU), *host = kit_open(KIT_HOST);
	struct doca_mmap *mmap = with_range();
	uint32_t max;

	T_OK(doca_mmap_get_max_num_devices(mmap, &max));
	T_CHECK(max >= 1);
	T_ERR(doca_mmap_set_max_num_devices(mmap, 0), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_mmap_set_max_num_devices(mmap, 1));
	T_OK(doca_mmap_get_max_num_devices(mmap, &max));
	T_EQ(max, 1);
	T_OK(doca_mmap_add_dev(mmap, dpu));
	T_ERR(doca_mmap_add_dev(mmap, host), DOCA_ERROR_NO_MEMORY);
	T_OK(doca_mmap_set_max_num_devices(mmap, 2));
	T_OK(doca_mmap_add_dev(mmap, host));
	T_ERR(doca_mmap_set_max_num_devices(mmap, 1), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_mmap_start(mmap));
	T_ERR(doca_mmap_set_max_num_devices(mmap, 3), DOCA_ERROR_NOT_PERMITTED);
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dev_close(dpu));
	T_OK(doca_dev_close(host));
}

T_CASE(the_topology_can_lower_that_bound)
{
	struct doca_dev *dpu, *host;
	struct doca_mmap *mmap;

	kit_topology("{\"limits\": {\"mmap_max_devices\": 1}}");
	dpu = kit_open(KIT_DPU);
	host = kit_open(KIT_HOST);
	mmap = with_range();
	T_OK(doca_mmap_add_dev(mmap, dpu));
	T_ERR(doca_mmap_add_dev(mmap, host), DOCA_ERROR_NO_MEMORY);
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dev_close(dpu));
	T_OK(doca_dev_close(host));
}

T_CASE(keys_are_stable_and_differ)
{
	struct doca_dev *dpu = kit_open(KIT_DPU), *host = kit_open(KIT_HOST);
	struct doca_mmap *mmap = with_range(), *other = kit_mmap(dpu, memory, 8, 0);
	uint32_t a = 0, b = 0, c = 0, again = 0;

	T_OK(doca_mmap_add_dev(mmap, dpu));
	T_ERR(doca_mmap_get_mkey(mmap, dpu, &a), DOCA_ERROR_INVALID_VALUE);
	T_EQ(a, 0);
	T_OK(doca_mmap_add_dev(mmap, host));
	T_OK(doca_mmap_start(mmap));
	T_OK(doca_mmap_get_mkey(mmap, dpu, &a));
	T_OK(doca_mmap_get_mkey(mmap, dpu, &again));
	T_OK(doca_mmap_get_mkey(mmap, host, &b));
	T_OK(doca_mmap_get_mkey(other, dpu, &c));
	T_ERR(doca_mmap_get_mkey(other, host, &again), DOCA_ERROR_NOT_FOUND);
	T_EQ(a, again);
	T_CHECK(a != 0 && b != 0 && c != 0 && a != b && a != c && b != c);
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_mmap_destroy(other));
	T_OK(doca_dev_close(dpu));
	T_OK(doca_dev_close(host));
}

T_CASE(host_functions_export_over_pci_and_dpu_functions_import)
{
	struct doca_dev *dpu = kit_open(KIT_DPU), *host = kit_open(KIT_HOST);
	uint8_t yes = 77, no = 77;

	T_OK(doca_mmap_cap_is_export_pci_supported(doca_dev_as_devinfo(host), &yes));
	T_OK(doca_mmap_cap_is_export_pci_supported(doca_dev_as_devinfo(dpu), &no));
	T_EQ(yes, 1);
	T_EQ(no, 0);
	T_OK(doca_mmap_cap_is_create_from_export_pci_supported(doca_dev_as_devinfo(dpu), &yes));
	T_OK(doca_mmap_cap_is_create_from_export_pci_supported(doca_dev_as_devinfo(host), &no));
	T_EQ(yes, 1);
	T_EQ(no, 0);
	T_OK(doca_dev_close(dpu));
	T_OK(doca_dev_close(host));
}

T_CASE(memory_of_gpus_is_not_supported)
{
	struct doca_mmap *mmap = made();

	T_ERR(doca_mmap_set_dmabuf_memrange(mmap, 0, memory, 0, 8), DOCA_ERROR_NOT_SUPPORTED);
	T_ERR(doca_mmap_set_dmabuf_memrange(NULL, 0, memory, 0, 8), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_set_dmabuf_memrange(mmap, -1, memory, 0, 8), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_set_dmabuf_memrange(mmap, 0, memory, 0, 0), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_mmap_destroy(mmap));
}

T_CASE(handles_for_a_dpa_last_until_stop)
{
	struct doca_dev *dev = kit_open(KIT_DPU), *other = kit_open(KIT_DPU_1);
	struct doca_mmap *mmap = kit_mmap(dev, memory, sizeof(memory), 0);
	doca_dpa_dev_mmap_t handle = 0, again = 0;

	T_ERR(doca_mmap_dev_get_dpa_handle(NULL, dev, &handle), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_dev_get_dpa_handle(mmap, NULL, &handle), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_dev_get_dpa_handle(mmap, dev, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_dev_get_dpa_handle(mmap, other, &handle), DOCA_ERROR_NOT_FOUND);
	T_EQ(handle, 0);
	T_OK(doca_mmap_dev_get_dpa_handle(mmap, dev, &handle));
	T_OK(doca_mmap_dev_get_dpa_handle(mmap, dev, &again));
	T_CHECK(handle != 0 && handle == again);
	T_OK(doca_mmap_stop(mmap));
	T_ERR(doca_mmap_dev_get_dpa_handle(mmap, dev, &handle), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_mmap_start(mmap));
	T_OK(doca_mmap_dev_get_dpa_handle(mmap, dev, &again));
	T_CHECK(handle != again);
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dev_close(other));
	T_OK(doca_dev_close(dev));
}

T_CASE(a_device_without_a_dpa_gives_no_handle)
{
	doca_dpa_dev_mmap_t handle;
	struct doca_mmap *mmap;
	struct doca_dev *dev;

	kit_topology("{\"limits\": {\"dpa_cores\": 0}}");
	dev = kit_open(KIT_DPU);
	mmap = kit_mmap(dev, memory, sizeof(memory), 0);
	T_ERR(doca_mmap_dev_get_dpa_handle(mmap, dev, &handle), DOCA_ERROR_NOT_SUPPORTED);
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dev_close(dev));
}

T_CASE(handles_come_to_an_end)
{
	enum { HANDLES = 4096 };
	static struct doca_mmap *mmaps[HANDLES + 1];
	struct doca_dev *dev = kit_open(KIT_DPU);
	doca_dpa_dev_mmap_t handle;

	for (size_t i = 0; i <= HANDLES; i++)
		mmaps[i] = kit_mmap(dev, memory, sizeof(memory), 0);
	for (size_t i = 0; i < HANDLES; i++)
		T_OK(doca_mmap_dev_get_dpa_handle(mmaps[i], dev, &handle));
	T_ERR(doca_mmap_dev_get_dpa_handle(mmaps[HANDLES], dev, &handle), DOCA_ERROR_NO_MEMORY);
	T_OK(doca_mmap_stop(mmaps[7]));
	T_OK(doca_mmap_dev_get_dpa_handle(mmaps[HANDLES], dev, &handle));
	for (size_t i = 0; i <= HANDLES; i++)
		T_OK(doca_mmap_destroy(mmaps[i]));
	T_OK(doca_dev_close(dev));
}

#define PAGE 4096ul

/* Four pages of which the third has these protections; -1: it is not there. */
static uint8_t *pages(int third)
{
	uint8_t *at = kit_pages(4 * PAGE);

	if (third < 0)
		T_EQ(munmap(at + 2 * PAGE, PAGE), 0);
	else
		T_EQ(mprotect(at + 2 * PAGE, PAGE, third), 0);
	return at;
}

static doca_error_t start_of(void *addr, size_t len, uint32_t perms)
{
	struct doca_mmap *mmap = made();
	doca_error_t result;

	T_OK(doca_mmap_set_memrange(mmap, addr, len));
	T_OK(doca_mmap_set_permissions(mmap, perms));
	result = doca_mmap_start(mmap);
	T_OK(doca_mmap_destroy(mmap));
	return result;
}

T_CASE(memory_that_is_not_there_does_not_start)
{
	const uint32_t read_only = DOCA_ACCESS_FLAG_PCI_READ_ONLY;
	const uint32_t write = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
	uint8_t *hole = pages(-1), *constant = pages(PROT_READ), *none = pages(PROT_NONE);

	kit_log();
	T_ERR(start_of(hole, 4 * PAGE, read_only), DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(kit_log(),
		   "what begins with byte 8192 is not mapped; needed: memory that exists");
	T_ERR(start_of(hole + 2 * PAGE, 1, write), DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(kit_log(), "what begins with byte 0 is not mapped");
	T_ERR(start_of(hole + PAGE, PAGE + 1, write), DOCA_ERROR_INVALID_VALUE);
	T_OK(start_of(hole + 1, 2 * PAGE - 1, write));
	T_OK(start_of(hole + 3 * PAGE, PAGE, write));
	/* Behind all that there is. */
	T_ERR(start_of((void *)(UINTPTR_MAX - PAGE), PAGE, read_only), DOCA_ERROR_INVALID_VALUE);
	kit_log();
	T_ERR(start_of(constant, 4 * PAGE, write), DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(kit_log(), "what begins with byte 8192 cannot be written");
	T_OK(start_of(constant, 4 * PAGE, read_only));
	T_ERR(start_of(none, 4 * PAGE, read_only), DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(kit_log(), "what begins with byte 8192 cannot be read");
}

/* Nothing is touched, and it costs the same whatever the length is. */
T_CASE(memory_that_is_reserved_only_starts)
{
	size_t len = 1ul << 40;
	void *at = mmap(NULL, len, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (at == MAP_FAILED)
		t_skip("no terabyte of addresses");
	T_OK(start_of(at, len, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	T_EQ(munmap(at, len), 0);
}

T_CASE(memory_that_is_freed_between_stop_and_start_does_not_start)
{
	struct doca_mmap *mmap = made();
	uint8_t *at = pages(PROT_READ | PROT_WRITE);

	T_OK(doca_mmap_set_memrange(mmap, at, 4 * PAGE));
	T_OK(doca_mmap_start(mmap));
	T_OK(doca_mmap_stop(mmap));
	T_EQ(munmap(at + 3 * PAGE, PAGE), 0);
	T_ERR(doca_mmap_start(mmap), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_mmap_destroy(mmap));
	T_EQ(munmap(at, 3 * PAGE), 0);
}

static struct doca_mmap *parent_mmap;

static void child_is_inert(void)
{
	struct doca_mmap *mmap;

	T_ERR(doca_mmap_create(&mmap), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_mmap_set_permissions(parent_mmap, 0), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_mmap_start(parent_mmap), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_mmap_stop(parent_mmap), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_mmap_destroy(parent_mmap), DOCA_ERROR_BAD_STATE);
}

T_CASE(a_forked_child_is_inert)
{
	struct doca_dev *dev = kit_open(KIT_DPU);

	parent_mmap = kit_mmap(dev, memory, sizeof(memory), 0);
	kit_in_child(child_is_inert);
	T_OK(doca_mmap_destroy(parent_mmap));
	T_OK(doca_dev_close(dev));
}

T_CASE(null_is_refused)
{
	struct doca_mmap *mmap = with_range();
	struct doca_dev *dev = kit_open(KIT_DPU);
	union doca_data data = {0};
	const void *desc;
	void *addr;
	size_t len;
	uint32_t u32;
	uint8_t u8;

	T_ERR(doca_mmap_create(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_start(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_stop(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_add_dev(mmap, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_rm_dev(NULL, dev), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_set_max_num_devices(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_get_max_num_devices(mmap, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_set_memrange(NULL, memory, 8), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_get_memrange(mmap, NULL, &len), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_get_memrange(mmap, &addr, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_set_permissions(NULL, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_set_free_cb(mmap, NULL, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_set_user_data(NULL, data), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_get_user_data(mmap, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_get_num_bufs(mmap, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_get_exported(mmap, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_get_from_export(NULL, &u8), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_export_pci(NULL, dev, &desc, &len), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_export_pci(mmap, NULL, &desc, &len), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_export_rdma(mmap, dev, NULL, &len), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_export_rdma(mmap, dev, &desc, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_create_from_export(NULL, NULL, 8, dev, &mmap), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_create_from_export(NULL, memory, 8, NULL, &mmap), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_create_from_export(NULL, memory, 8, dev, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_enable_thread_safety(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_get_mkey(mmap, dev, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_get_mkey(NULL, dev, &u32), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_cap_is_export_pci_supported(NULL, &u8), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dev_close(dev));
}
