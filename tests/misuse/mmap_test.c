/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory, its exports and imports; what is taken from the other side stands in the same process.
 */
#include <string.h>
#include <sys/mman.h>

#include <doca_buf_inventory.h>
#include <doca_mmap.h>

#include "misuse/misuse.h"

#define PCI_WRITE (DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE)

static uint8_t memory[4096] __attribute__((aligned(64)));
static const union doca_data none;

static struct doca_dev *host, *dpu, *dpu_1;
static struct doca_mmap *mmap_, *imported, *out;
static const void *desc;
static size_t len;
static uint8_t bytes[1024];

static void on_free(void *addr, size_t size, void *opaque)
{
	(void)addr, (void)size, (void)opaque;
}

static void rig_open(void)
{
	host = kit_open(KIT_HOST);
	dpu = kit_open(KIT_DPU);
	dpu_1 = kit_open(KIT_DPU_1);
	T_OK(doca_mmap_create(&mmap_));
}

static void rig_close(void)
{
	T_OK(doca_mmap_destroy(mmap_));
	T_OK(doca_dev_close(dpu_1));
	T_OK(doca_dev_close(dpu));
	T_OK(doca_dev_close(host));
}

MISUSE_CASE(configuration)
{
	uint32_t mkey;
	size_t size;
	void *addr;

	rig_open();
	MISUSE(BAD_STATE, doca_mmap_get_memrange(mmap_, &addr, &size), "no range",
	       "doca_mmap_set_memrange()");
	MISUSE(INVALID_VALUE, doca_mmap_start(mmap_), "no memory range",
	       "doca_mmap_set_memrange()");
	MISUSE(INVALID_VALUE, doca_mmap_set_memrange(mmap_, memory, 0), "0 bytes at",
	       "needed: at least 1");
	MISUSE(INVALID_VALUE, doca_mmap_set_memrange(mmap_, memory, SIZE_MAX), "bytes at",
	       "needed: at least 1, all of them in the address space");
	T_OK(doca_mmap_set_memrange(mmap_, memory, sizeof(memory)));
	MISUSE(NOT_PERMITTED, doca_mmap_set_memrange(mmap_, memory, 8), "4096 bytes at",
	       "another mmap");
	MISUSE(INVALID_VALUE, doca_mmap_set_permissions(mmap_, 1u << 30), "0x40000000",
	       "unknown bits", "needed: bits of enum doca_access_flag");
	MISUSE(INVALID_VALUE,
	       doca_mmap_set_permissions(mmap_, DOCA_ACCESS_FLAG_PCI_READ_ONLY |
							DOCA_ACCESS_FLAG_PCI_READ_WRITE),
	       "of which one is possible", "needed: bits");
	MISUSE(INVALID_VALUE, doca_mmap_set_max_num_devices(mmap_, 0), "0;", "needed: at least 1");
	T_OK(doca_mmap_add_dev(mmap_, host));
	MISUSE(ALREADY_EXIST, doca_mmap_add_dev(mmap_, host), "3b:00.0 was added before",
	       "needed: each device once");
	MISUSE(NOT_FOUND, doca_mmap_rm_dev(mmap_, dpu), "03:00.0 is none of the mmap's",
	       "doca_mmap_add_dev()");
	T_OK(doca_mmap_set_max_num_devices(mmap_, 1));
	MISUSE(NO_MEMORY, doca_mmap_add_dev(mmap_, dpu), "one too many; at most 1",
	       "doca_mmap_set_max_num_devices()");
	MISUSE(INVALID_VALUE, doca_mmap_get_mkey(mmap_, host, &mkey), "the mmap is not started",
	       "doca_mmap_start()");
	T_OK(doca_mmap_start(mmap_));
	MISUSE(NOT_FOUND, doca_mmap_get_mkey(mmap_, dpu, &mkey), "is none of the mmap's",
	       "doca_mmap_add_dev()");
	rig_close();
}

MISUSE_CASE(memory_that_is_not_there)
{
	static const char constant[] = "a constant, which the program cannot write";
	void *at = kit_pages(4096);

	T_EQ(munmap(at, 4096), 0);
	rig_open();
	T_OK(doca_mmap_set_memrange(mmap_, at, 4096));
	MISUSE(INVALID_VALUE, doca_mmap_start(mmap_), "of the 4096 bytes at",
	       "begins with byte 0 is not mapped", "needed: memory that exists", "was it freed");
	T_OK(doca_mmap_destroy(mmap_));
	T_OK(doca_mmap_create(&mmap_));
	T_OK(doca_mmap_set_memrange(mmap_, (void *)(uintptr_t)constant, sizeof(constant)));
	MISUSE(INVALID_VALUE, doca_mmap_start(mmap_), "cannot be written",
	       "needed: memory that the program itself can write", "is it a constant");
	T_OK(doca_mmap_set_permissions(mmap_, DOCA_ACCESS_FLAG_PCI_READ_ONLY));
	T_OK(doca_mmap_start(mmap_));
	rig_close();
}

MISUSE_CASE(started)
{
	rig_open();
	T_OK(doca_mmap_set_memrange(mmap_, memory, sizeof(memory)));
	T_OK(doca_mmap_start(mmap_));
	MISUSE(NOT_PERMITTED, doca_mmap_start(mmap_), "is started", "needed: a new one");
	MISUSE(BAD_STATE, doca_mmap_set_memrange(mmap_, memory, 8), "the mmap is started",
	       "before doca_mmap_start()");
	MISUSE(BAD_STATE, doca_mmap_set_permissions(mmap_, 0), "the mmap is started",
	       "before doca_mmap_start()");
	MISUSE(BAD_STATE, doca_mmap_set_free_cb(mmap_, on_free, NULL), "the mmap is started",
	       "before doca_mmap_start()");
	MISUSE(BAD_STATE, doca_mmap_set_user_data(mmap_, none), "the mmap is started",
	       "before doca_mmap_start()");
	MISUSE(NOT_PERMITTED, doca_mmap_add_dev(mmap_, host), "the mmap is started",
	       "before doca_mmap_start()");
	MISUSE(NOT_PERMITTED, doca_mmap_rm_dev(mmap_, host), "the mmap is started",
	       "before doca_mmap_start()");
	MISUSE(NOT_PERMITTED, doca_mmap_set_max_num_devices(mmap_, 4), "was started",
	       "before doca_mmap_start()");
	MISUSE(NOT_PERMITTED, doca_mmap_enable_thread_safety(mmap_), "the mmap is started",
	       "before doca_mmap_start()");
	rig_close();
}

MISUSE_CASE(bufs_are_out)
{
	struct doca_buf_inventory *inventory;
	struct doca_buf *buf;

	rig_open();
	T_OK(doca_mmap_set_memrange(mmap_, memory, sizeof(memory)));
	T_OK(doca_mmap_start(mmap_));
	T_OK(doca_buf_inventory_create(1, &inventory));
	T_OK(doca_buf_inventory_start(inventory));
	T_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap_, memory, 8, &buf));
	MISUSE(NOT_PERMITTED, doca_mmap_stop(mmap_), "1 bufs of it exist",
	       "doca_buf_dec_refcount()");
	MISUSE(NOT_PERMITTED, doca_mmap_destroy(mmap_), "1 bufs of it exist",
	       "doca_buf_dec_refcount()");
	T_OK(doca_buf_dec_refcount(buf, NULL));
	T_OK(doca_buf_inventory_destroy(inventory));
	rig_close();
}

MISUSE_CASE(exports)
{
	rig_open();
	T_OK(doca_mmap_set_memrange(mmap_, memory, sizeof(memory)));
	T_OK(doca_mmap_add_dev(mmap_, dpu));
	MISUSE(INVALID_VALUE, doca_mmap_export_pci(mmap_, dpu, &desc, &len),
	       "the mmap is not started", "doca_mmap_start()");
	MISUSE(INVALID_VALUE, doca_mmap_export_rdma(mmap_, dpu, &desc, &len),
	       "the mmap is not started", "doca_mmap_start()");
	T_OK(doca_mmap_start(mmap_));
	MISUSE(NOT_FOUND, doca_mmap_export_pci(mmap_, host, &desc, &len), "is none of the mmap's",
	       "doca_mmap_add_dev()");
	MISUSE(NOT_FOUND, doca_mmap_export_rdma(mmap_, host, &desc, &len), "is none of the mmap's",
	       "doca_mmap_add_dev()");
	MISUSE(NOT_PERMITTED, doca_mmap_export_pci(mmap_, dpu, &desc, &len), "the permissions are",
	       "needed: DOCA_ACCESS_FLAG_PCI_READ_ONLY", "doca_mmap_set_permissions()");
	MISUSE(NOT_PERMITTED, doca_mmap_export_rdma(mmap_, dpu, &desc, &len), "the permissions are",
	       "needed: DOCA_ACCESS_FLAG_RDMA_READ", "doca_mmap_set_permissions()");
	T_OK(doca_mmap_stop(mmap_));
	T_OK(doca_mmap_set_permissions(mmap_, PCI_WRITE));
	T_OK(doca_mmap_start(mmap_));
	MISUSE(NOT_SUPPORTED, doca_mmap_export_pci(mmap_, dpu, &desc, &len),
	       "0000:03:00.0 is DPU side", "only host devices export over PCIe");
	rig_close();
}

static void export_to(uint8_t *copy)
{
	T_OK(doca_mmap_set_memrange(mmap_, memory, sizeof(memory)));
	T_OK(doca_mmap_set_permissions(mmap_, PCI_WRITE));
	T_OK(doca_mmap_add_dev(mmap_, host));
	T_OK(doca_mmap_start(mmap_));
	T_OK(doca_mmap_export_pci(mmap_, host, &desc, &len));
	T_CHECK(len <= sizeof(bytes));
	memcpy(copy, desc, len);
}

MISUSE_CASE(imports)
{
	rig_open();
	export_to(bytes);
	MISUSE(NOT_SUPPORTED, doca_mmap_create_from_export(NULL, bytes, len, host, &out),
	       "0000:3b:00.0 is host side", "needed: a DPU device");
	MISUSE(INVALID_VALUE, doca_mmap_create_from_export(NULL, bytes, len - 1, dpu, &out),
	       "the export descriptor of", "needed: all bytes that the export gave, unchanged");
	bytes[len / 2] ^= 1;
	MISUSE(INVALID_VALUE, doca_mmap_create_from_export(NULL, bytes, len, dpu, &out),
	       "the export descriptor of", "needed: all bytes that the export gave, unchanged");
	bytes[len / 2] ^= 1;
	T_OK(doca_mmap_create_from_export(NULL, bytes, len, dpu, &imported));
	MISUSE(NOT_PERMITTED, doca_mmap_start(imported), "is imported", "needed: a new one");
	MISUSE(NOT_PERMITTED, doca_mmap_set_memrange(imported, memory, 8), "the mmap is imported",
	       "let its exporter configure it");
	MISUSE(NOT_PERMITTED, doca_mmap_set_permissions(imported, 0), "the mmap is imported",
	       "let its exporter configure it");
	MISUSE(NOT_PERMITTED, doca_mmap_set_free_cb(imported, on_free, NULL),
	       "the mmap is imported", "let its exporter configure it");
	MISUSE(NOT_PERMITTED, doca_mmap_set_user_data(imported, none), "the mmap is imported",
	       "let its exporter configure it");
	MISUSE(NOT_PERMITTED, doca_mmap_add_dev(imported, dpu_1), "imported",
	       "before doca_mmap_start()");
	MISUSE(NOT_PERMITTED, doca_mmap_rm_dev(imported, dpu), "imported",
	       "before doca_mmap_start()");
	MISUSE(NOT_PERMITTED, doca_mmap_set_max_num_devices(imported, 4), "is imported",
	       "before doca_mmap_start()");
	T_OK(doca_mmap_destroy(imported));
	T_OK(doca_mmap_stop(mmap_));
	MISUSE(NOT_PERMITTED, doca_mmap_start(mmap_), "was exported and stopped",
	       "needed: a new one");
	MISUSE(INVALID_VALUE, doca_mmap_create_from_export(NULL, bytes, len, dpu, &out),
	       "has stopped its memory", "needed: one that is alive", "SOFTDPU_RUNTIME_DIR");
	rig_close();
}

MISUSE_CASE(dpa_handles)
{
	doca_dpa_dev_mmap_t handle;

	kit_topology("{\"limits\": {\"dpa_cores\": 0}}");
	rig_open();
	T_OK(doca_mmap_set_memrange(mmap_, memory, sizeof(memory)));
	T_OK(doca_mmap_add_dev(mmap_, dpu));
	MISUSE(INVALID_VALUE, doca_mmap_dev_get_dpa_handle(mmap_, dpu, &handle),
	       "the mmap is not started", "doca_mmap_start()");
	T_OK(doca_mmap_start(mmap_));
	MISUSE(NOT_FOUND, doca_mmap_dev_get_dpa_handle(mmap_, host, &handle),
	       "is none of the mmap's", "doca_mmap_add_dev()");
	MISUSE(NOT_SUPPORTED, doca_mmap_dev_get_dpa_handle(mmap_, dpu, &handle), "has no DPA",
	       "doca_dpa_cap_is_supported()");
	rig_close();
}
