/* SPDX-License-Identifier: BSD-3-Clause
 * Exports and imports of mmaps: within a process, between two, and through a third one.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>

#include "base/bytes.h"
#include "bus/blob_wire.h"
#include "core/desc.h"
#include "core/kit.h"
#include "core/mmap.h"
#include "t.h"

/* What importers get, and what the owner sets. */
#define REMOTE_PERMS                                                                               \
	(DOCA_ACCESS_FLAG_PCI_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE)
#define PERMS (DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | REMOTE_PERMS)

static uint8_t memory[8192];

/* Copies to (PUT) or from (GET) the owner's memory, to the end. */
static doca_error_t copy(const struct doca_mmap *mmap, enum sdpu_copy_direction direction,
			 uint32_t need, void *owner_addr, void *local, size_t len)
{
	struct iovec iov = {.iov_base = local, .iov_len = len};
	struct sdpu_copy job = {
		.reach = sdpu_mmap_reach(mmap),
		.direction = direction,
		.need = need,
		.addr = (uintptr_t)owner_addr,
		.local = &iov,
		.num_local = 1,
		.len = len,
	};
	uint64_t deadline = t_deadline(10000);
	doca_error_t result;

	while ((result = sdpu_copy_run(&job, SDPU_WINDOW_CHUNK)) == DOCA_ERROR_IN_PROGRESS)
		if (t_expired(deadline))
			T_FAIL("a copy does not end");
	return result;
}

T_CASE(a_descriptor_is_constant_until_stop)
{
	struct doca_dev *host = kit_open(KIT_HOST);
	struct doca_mmap *mmap = kit_mmap(host, memory, sizeof(memory), PERMS);
	const void *pci, *again, *rdma;
	size_t len, again_len;
	uint8_t exported;

	T_OK(doca_mmap_get_exported(mmap, &exported));
	T_EQ(exported, 0);
	T_OK(doca_mmap_export_pci(mmap, host, &pci, &len));
	T_OK(doca_mmap_export_rdma(mmap, host, &rdma, &again_len));
	T_OK(doca_mmap_export_pci(mmap, host, &again, &again_len));
	T_EQ(pci, again);
	T_EQ(len, again_len);
	T_CHECK(pci != rdma);
	T_CHECK(len <= 1000);
	T_OK(doca_mmap_get_exported(mmap, &exported));
	T_EQ(exported, 1);
	T_OK(doca_mmap_stop(mmap));
	T_ERR(doca_mmap_start(mmap), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_mmap_add_dev(mmap, host), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_mmap_export_pci(mmap, host, &again, &again_len), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dev_close(host));
}

T_CASE(what_cannot_be_exported)
{
	struct doca_dev *host = kit_open(KIT_HOST), *dpu = kit_open(KIT_DPU);
	struct doca_mmap *idle, *plain = kit_mmap(host, memory, 8, 0),
				*dpu_side = kit_mmap(dpu, memory, 8, PERMS);
	const void *desc = NULL;
	size_t len = 77;

	T_OK(doca_mmap_create(&idle));
	T_OK(doca_mmap_add_dev(idle, host));
	T_ERR(doca_mmap_export_pci(idle, host, &desc, &len), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_export_pci(plain, host, &desc, &len), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_mmap_export_rdma(plain, host, &desc, &len), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_mmap_export_rdma(plain, dpu, &desc, &len), DOCA_ERROR_NOT_FOUND);
	T_ERR(doca_mmap_export_pci(dpu_side, dpu, &desc, &len), DOCA_ERROR_NOT_SUPPORTED);
	T_EQ(desc, 0);
	T_EQ(len, 77);
	T_OK(doca_mmap_export_rdma(dpu_side, dpu, &desc, &len));
	T_OK(doca_mmap_destroy(idle));
	T_OK(doca_mmap_destroy(plain));
	T_OK(doca_mmap_destroy(dpu_side));
	T_OK(doca_dev_close(dpu));
	T_OK(doca_dev_close(host));
}

T_CASE(an_import_is_ready_at_once_and_cannot_be_configured)
{
	struct doca_dev *host = kit_open(KIT_HOST), *dpu = kit_open(KIT_DPU);
	struct doca_mmap *mmap = kit_mmap(host, memory, sizeof(memory), PERMS), *imported;
	union doca_data data = {.u64 = 9};
	struct desc desc = {0};
	uint8_t from_export;
	uint32_t mkey;
	void *addr;
	size_t len;

	desc_export_pci(mmap, host, &desc);
	T_OK(doca_mmap_create_from_export(&data, desc.bytes, sizeof(desc.bytes), dpu, &imported));
	T_OK(doca_mmap_get_from_export(imported, &from_export));
	T_EQ(from_export, 1);
	T_OK(doca_mmap_get_memrange(imported, &addr, &len));
	T_EQ(addr, memory);
	T_EQ(len, sizeof(memory));
	data.u64 = 0;
	T_OK(doca_mmap_get_user_data(imported, &data));
	T_EQ(data.u64, 9);
	T_EQ(sdpu_mmap_permissions(imported), REMOTE_PERMS);
	T_EQ(sdpu_mmap_window(imported), 0);
	T_CHECK(sdpu_mmap_has_function(imported, dpu));
	T_OK(doca_mmap_get_mkey(imported, dpu, &mkey));
	T_ERR(doca_mmap_start(imported), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_mmap_set_memrange(imported, memory, 8), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_mmap_set_permissions(imported, 0), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_mmap_set_user_data(imported, data), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_mmap_add_dev(imported, host), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_mmap_rm_dev(imported, dpu), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_mmap_set_max_num_devices(imported, 2), DOCA_ERROR_NOT_PERMITTED);
	T_OK(doca_mmap_enable_thread_safety(imported));
	T_OK(doca_mmap_destroy(imported));
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dev_close(dpu));
	T_OK(doca_dev_close(host));
}

T_CASE(imports_work_in_the_exporting_process)
{
	struct doca_dev *host = kit_open(KIT_HOST), *dpu = kit_open(KIT_DPU);
	struct doca_mmap *mmap = kit_mmap(host, memory, sizeof(memory), PERMS), *a, *b;
	uint8_t there[] = "there", back[6];
	struct desc desc = {0};

	desc_export_pci(mmap, host, &desc);
	T_OK(desc_import(&desc, dpu, &a));
	T_OK(desc_import(&desc, dpu, &b));
	T_CHECK(a != b);
	T_OK(copy(a, SDPU_COPY_PUT, DOCA_ACCESS_FLAG_PCI_READ_WRITE, memory + 100, there, 6));
	T_STREQ((char *)memory + 100, "there");
	T_OK(doca_mmap_destroy(a));
	T_OK(copy(b, SDPU_COPY_GET, DOCA_ACCESS_FLAG_PCI_READ_WRITE, memory + 100, back, 6));
	T_STREQ((char *)back, "there");
	T_OK(doca_mmap_stop(mmap));
	T_ERR(copy(b, SDPU_COPY_GET, DOCA_ACCESS_FLAG_PCI_READ_WRITE, memory + 100, back, 6),
	      DOCA_ERROR_NOT_PERMITTED);
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_mmap_stop(b));
	T_OK(doca_mmap_destroy(b));
	T_OK(doca_dev_close(dpu));
	T_OK(doca_dev_close(host));
}

T_CASE(bufs_of_an_import_have_the_owners_addresses)
{
	struct doca_dev *host = kit_open(KIT_HOST), *dpu = kit_open(KIT_DPU);
	struct doca_mmap *mmap = kit_mmap(host, memory, sizeof(memory), PERMS), *imported;
	struct doca_buf_inventory *inventory;
	struct doca_buf *buf;
	struct desc desc = {0};
	uint32_t num;

	desc_export_pci(mmap, host, &desc);
	T_OK(desc_import(&desc, dpu, &imported));
	T_OK(doca_buf_inventory_create(1, &inventory));
	T_OK(doca_buf_inventory_start(inventory));
	T_ERR(doca_buf_inventory_buf_get_by_data(inventory, imported, memory, sizeof(memory) + 1,
						 &buf),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_buf_inventory_buf_get_by_data(inventory, imported, memory, sizeof(memory), &buf));
	T_OK(doca_mmap_get_num_bufs(imported, &num));
	T_EQ(num, 1);
	T_ERR(doca_mmap_stop(imported), DOCA_ERROR_NOT_PERMITTED);
	T_OK(doca_mmap_stop(mmap));
	T_OK(doca_buf_dec_refcount(buf, NULL));
	T_OK(doca_mmap_stop(imported));
	T_ERR(doca_mmap_start(imported), DOCA_ERROR_NOT_PERMITTED);
	T_OK(doca_buf_inventory_destroy(inventory));
	T_OK(doca_mmap_destroy(imported));
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dev_close(dpu));
	T_OK(doca_dev_close(host));
}

T_CASE(pci_exports_are_for_the_dpu_and_rdma_exports_for_both)
{
	struct doca_dev *host = kit_open(KIT_HOST), *dpu = kit_open(KIT_DPU);
	struct doca_mmap *mmap = kit_mmap(host, memory, sizeof(memory), PERMS), *imported = NULL;
	struct desc desc = {0};

	desc_export_pci(mmap, host, &desc);
	T_ERR(desc_import(&desc, host, &imported), DOCA_ERROR_NOT_SUPPORTED);
	T_EQ(imported, 0);
	desc_export_rdma(mmap, host, &desc);
	T_OK(desc_import(&desc, host, &imported));
	T_OK(doca_mmap_destroy(imported));
	T_OK(desc_import(&desc, dpu, &imported));
	T_OK(doca_mmap_destroy(imported));
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dev_close(dpu));
	T_OK(doca_dev_close(host));
}

T_CASE_TIMEOUT(damaged_descriptors_are_refused, 120)
{
	struct doca_dev *host = kit_open(KIT_HOST), *dpu = kit_open(KIT_DPU);
	struct doca_mmap *mmap = kit_mmap(host, memory, sizeof(memory), PERMS), *imported = NULL;
	struct desc desc, bad;
	doca_error_t result;

	desc_export_pci(mmap, host, &desc);
	for (size_t i = 0; i < desc.len; i++) {
		bad = desc;
		bad.bytes[i] ^= 0xff;
		T_ERR(desc_import(&bad, dpu, &imported), DOCA_ERROR_INVALID_VALUE);
		/* and if somebody set the checksum right: what is between the fields is free */
		desc_resum(&bad);
		result = desc_import(&bad, dpu, &imported);
		if (result == DOCA_SUCCESS)
			T_OK(doca_mmap_destroy(imported));
		else
			T_CHECK(result == DOCA_ERROR_INVALID_VALUE || result == DOCA_ERROR_DRIVER);
		imported = NULL;
	}
	for (size_t len = 0; len < desc.len; len++)
		T_ERR(doca_mmap_create_from_export(NULL, desc.bytes, len, dpu, &imported),
		      DOCA_ERROR_INVALID_VALUE);
	T_EQ(imported, 0);
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dev_close(dpu));
	T_OK(doca_dev_close(host));
}

T_CASE(descriptors_that_lie_are_refused)
{
	struct doca_dev *host = kit_open(KIT_HOST), *dpu = kit_open(KIT_DPU);
	struct doca_mmap *mmap = kit_mmap(host, memory + 64, 64, PERMS), *imported = NULL;
	struct desc desc, bad;

	desc_export_pci(mmap, host, &desc);
	bad = desc;
	sdpu_put_u64(bad.bytes + BLOB_AT_SIZE, 65);
	desc_resum(&bad);
	T_ERR(desc_import(&bad, dpu, &imported), DOCA_ERROR_INVALID_VALUE);
	bad = desc;
	sdpu_put_u64(bad.bytes + BLOB_AT_ADDR, (uintptr_t)memory);
	desc_resum(&bad);
	T_ERR(desc_import(&bad, dpu, &imported), DOCA_ERROR_INVALID_VALUE);
	bad = desc;
	bad.bytes[BLOB_AT_KEY] ^= 1;
	desc_resum(&bad);
	T_ERR(desc_import(&bad, dpu, &imported), DOCA_ERROR_INVALID_VALUE);
	bad = desc;
	bad.bytes[BLOB_AT_MACHINE_ID] ^= 1;
	desc_resum(&bad);
	kit_log();
	T_ERR(desc_import(&bad, dpu, &imported), DOCA_ERROR_DRIVER);
	T_CONTAINS(kit_log(), "another machine");
	T_EQ(imported, 0);
	/* more permissions than the owner gave are none */
	bad = desc;
	sdpu_put_u32(bad.bytes + BLOB_AT_PERMS, 0x7f);
	desc_resum(&bad);
	T_OK(desc_import(&bad, dpu, &imported));
	T_EQ(sdpu_mmap_permissions(imported), REMOTE_PERMS);
	T_OK(doca_mmap_destroy(imported));
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dev_close(dpu));
	T_OK(doca_dev_close(host));
}

T_CASE(descriptors_of_stopped_mmaps_are_void)
{
	struct doca_dev *host = kit_open(KIT_HOST), *dpu = kit_open(KIT_DPU);
	struct doca_mmap *mmap = kit_mmap(host, memory, 64, PERMS), *imported = NULL;
	struct desc desc = {0};

	desc_export_pci(mmap, host, &desc);
	T_OK(doca_mmap_stop(mmap));
	kit_log();
	T_ERR(desc_import(&desc, dpu, &imported), DOCA_ERROR_INVALID_VALUE);
	T_EQ(kit_log_lines(kit_log()), 1);
	T_EQ(imported, 0);
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dev_close(dpu));
	T_OK(doca_dev_close(host));
}

/* Between processes: descriptors go down one pipe, a word of release comes back through another. */
static int down[2], back[2];

static void pipes(void)
{
	T_EQ(pipe(down), 0);
	T_EQ(pipe(back), 0);
}

/* A host that exports its memory and, when it is told, finds "from afar" in it. */
static int host_process(void *arg)
{
	struct doca_dev *host = kit_open(KIT_HOST);
	char *heap = calloc(1, 100000);
	struct doca_mmap *mmap = kit_mmap(host, heap, 100000, PERMS);
	struct desc desc = {0};

	(void)arg;
	strcpy(heap, "from the host");
	desc_export_pci(mmap, host, &desc);
	desc_tell(down[1], &desc);
	desc_hear(back[0], &desc);
	T_STREQ(heap + 50000, "from afar");
	T_OK(doca_mmap_destroy(mmap));
	free(heap);
	T_OK(doca_dev_close(host));
	return 0;
}

/* Reads and writes the host's memory through an import. */
static void visit(struct doca_mmap *imported, uint32_t need_read, uint32_t need_write)
{
	char text[16] = "";
	void *addr;
	size_t len;

	T_OK(doca_mmap_get_memrange(imported, &addr, &len));
	T_EQ(len, 100000);
	T_OK(copy(imported, SDPU_COPY_GET, need_read, addr, text, 14));
	T_STREQ(text, "from the host");
	T_OK(copy(imported, SDPU_COPY_PUT, need_write, (uint8_t *)addr + 50000, "from afar", 10));
	T_ERR(copy(imported, SDPU_COPY_GET, need_read, (uint8_t *)addr + 99990, text, 14),
	      DOCA_ERROR_NOT_PERMITTED);
	T_ERR(copy(imported, SDPU_COPY_GET, DOCA_ACCESS_FLAG_RDMA_ATOMIC, addr, text, 14),
	      DOCA_ERROR_NOT_PERMITTED);
}

T_CASE(two_processes)
{
	struct doca_mmap *imported;
	struct doca_dev *dpu;
	struct desc desc = {0};
	pid_t host;

	pipes();
	host = t_fork(host_process, NULL);
	desc_hear(down[0], &desc);
	dpu = kit_open(KIT_DPU);
	T_OK(desc_import(&desc, dpu, &imported));
	visit(imported, DOCA_ACCESS_FLAG_PCI_READ_WRITE, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	desc_tell(back[1], &desc);
	T_EQ(t_wait(host, 10000), 0);
	T_OK(doca_mmap_stop(imported));
	T_OK(doca_mmap_destroy(imported));
	T_OK(doca_dev_close(dpu));
}

/* A DPU that exports the host's memory again. */
static int down2[2], back2[2];

static int bridge_process(void *arg)
{
	struct doca_dev *dpu = kit_open(KIT_DPU);
	struct doca_mmap *imported;
	struct desc desc = {0};

	(void)arg;
	desc_hear(down[0], &desc);
	T_OK(desc_import(&desc, dpu, &imported));
	desc_export_rdma(imported, dpu, &desc);
	desc_tell(down2[1], &desc);
	desc_hear(back2[0], &desc);
	T_OK(doca_mmap_stop(imported));
	T_OK(doca_mmap_destroy(imported));
	T_OK(doca_dev_close(dpu));
	return 0;
}

T_CASE(an_import_is_exported_again_to_a_third_process)
{
	struct doca_mmap *imported;
	struct doca_dev *dpu;
	struct sdpu_blob blob;
	struct desc desc = {0};
	pid_t host, bridge;

	pipes();
	T_EQ(pipe(down2), 0);
	T_EQ(pipe(back2), 0);
	host = t_fork(host_process, NULL);
	bridge = t_fork(bridge_process, NULL);
	desc_hear(down2[0], &desc);
	blob = desc_blob(&desc);
	T_CHECK(blob.reexporter[0] != '\0' && strcmp(blob.reexporter, blob.owner) != 0);
	dpu = kit_open(KIT_DPU_1);
	T_OK(desc_import(&desc, dpu, &imported));
	visit(imported, DOCA_ACCESS_FLAG_RDMA_READ, DOCA_ACCESS_FLAG_RDMA_WRITE);
	desc_tell(back2[1], &desc);
	T_EQ(t_wait(bridge, 10000), 0);
	/* the first owner serves, whoever passed the descriptor on */
	visit(imported, DOCA_ACCESS_FLAG_RDMA_READ, DOCA_ACCESS_FLAG_RDMA_WRITE);
	desc_tell(back[1], &desc);
	T_EQ(t_wait(host, 10000), 0);
	T_OK(doca_mmap_destroy(imported));
	T_OK(doca_dev_close(dpu));
}

T_CASE(a_dead_exporter)
{
	struct doca_mmap *imported, *late = NULL;
	struct doca_dev *dpu;
	struct desc desc = {0};
	void *addr;
	size_t len;
	char text[8];
	pid_t host;

	pipes();
	host = t_fork(host_process, NULL);
	desc_hear(down[0], &desc);
	dpu = kit_open(KIT_DPU);
	T_OK(desc_import(&desc, dpu, &imported));
	T_OK(doca_mmap_get_memrange(imported, &addr, &len));
	kill(host, SIGKILL);
	T_EQ(t_wait(host, 10000), 128 + SIGKILL);
	T_EVENTUALLY(!sdpu_reach_live(sdpu_mmap_reach(imported)), 10000);
	T_ERR(copy(imported, SDPU_COPY_GET, DOCA_ACCESS_FLAG_PCI_READ_WRITE, addr, text, 8),
	      DOCA_ERROR_CONNECTION_RESET);
	T_ERR(desc_import(&desc, dpu, &late), DOCA_ERROR_INVALID_VALUE);
	T_EQ(late, 0);
	T_OK(doca_mmap_stop(imported));
	T_OK(doca_mmap_destroy(imported));
	T_OK(doca_dev_close(dpu));
}
