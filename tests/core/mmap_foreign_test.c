/* SPDX-License-Identifier: BSD-3-Clause
 * Memory of another machine: descriptors whose exporter runs there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>

#include "core/desc.h"
#include "core/kit.h"
#include "core/mmap.h"
#include "t.h"

#define RDMA_PERMS (DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE)
#define PERMS (DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE | RDMA_PERMS)

static uint8_t memory[8192];
static int down[2], back[2];

/* An exporter with a runtime directory of its own, until it is told to end. */
static int other_machine(void *arg)
{
	struct desc pci = {0}, rdma = {0};
	struct doca_mmap *mmap;
	struct doca_dev *host;
	char dir[512];

	(void)arg;
	snprintf(dir, sizeof(dir), "%s/other", getenv("SOFTDPU_RUNTIME_DIR"));
	setenv("SOFTDPU_RUNTIME_DIR", dir, 1);
	host = kit_open(KIT_HOST);
	mmap = kit_mmap(host, memory, sizeof(memory), PERMS);
	desc_export_pci(mmap, host, &pci);
	desc_export_rdma(mmap, host, &rdma);
	desc_tell(down[1], &pci);
	desc_tell(down[1], &rdma);
	desc_hear(back[0], &pci);
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dev_close(host));
	return 0;
}

static pid_t open_other_machine(struct desc *pci, struct desc *rdma)
{
	pid_t pid;

	T_EQ(pipe(down), 0);
	T_EQ(pipe(back), 0);
	pid = t_fork(other_machine, NULL);
	desc_hear(down[0], pci);
	desc_hear(down[0], rdma);
	return pid;
}

static void close_other_machine(pid_t pid, const struct desc *desc)
{
	desc_tell(back[1], desc);
	T_EQ(t_wait(pid, 10000), 0);
}

static void check_what_it_tells(struct doca_mmap *mmap, struct doca_dev *dpu,
				const struct sdpu_blob *blob)
{
	const struct sdpu_blob *source = sdpu_mmap_source(mmap);
	uint8_t from_export;
	uint32_t mkey;
	void *addr;
	size_t len;

	T_CHECK(sdpu_mmap_started(mmap));
	T_EQ(sdpu_mmap_reach(mmap), 0);
	T_EQ(sdpu_mmap_window(mmap), 0);
	T_EQ(sdpu_mmap_permissions(mmap), PERMS);
	T_MEMEQ(source->key, blob->key, SDPU_KEY_SIZE);
	T_STREQ(source->owner, blob->owner);
	T_OK(doca_mmap_get_from_export(mmap, &from_export));
	T_EQ(from_export, 1);
	T_OK(doca_mmap_get_memrange(mmap, &addr, &len));
	T_EQ(addr, memory);
	T_EQ(len, sizeof(memory));
	T_OK(doca_mmap_get_mkey(mmap, dpu, &mkey));
	T_OK(doca_mmap_enable_thread_safety(mmap));
	T_ERR(doca_mmap_start(mmap), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_mmap_set_permissions(mmap, 0), DOCA_ERROR_NOT_PERMITTED);
}

T_CASE(an_rdma_descriptor_of_another_machine_gives_a_foreign_mmap)
{
	struct desc pci, rdma;
	pid_t pid = open_other_machine(&pci, &rdma);
	struct sdpu_blob blob = desc_blob(&rdma);
	struct doca_dev *dpu = kit_open(KIT_DPU);
	struct doca_mmap *mmap;

	T_OK(desc_import(&rdma, dpu, &mmap));
	check_what_it_tells(mmap, dpu, &blob);
	close_other_machine(pid, &rdma);
	/* nobody is asked, so that it makes no difference whether the exporter lives */
	T_OK(doca_mmap_stop(mmap));
	T_CHECK(!sdpu_mmap_started(mmap));
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dev_close(dpu));
}

T_CASE(a_pci_descriptor_of_another_machine_is_refused)
{
	struct desc pci, rdma;
	pid_t pid = open_other_machine(&pci, &rdma);
	struct doca_dev *dpu = kit_open(KIT_DPU);
	struct doca_mmap *mmap = NULL;

	kit_log();
	T_ERR(desc_import(&pci, dpu, &mmap), DOCA_ERROR_DRIVER);
	T_CONTAINS(kit_log(), "another machine");
	T_EQ(mmap, 0);
	close_other_machine(pid, &pci);
	T_OK(doca_dev_close(dpu));
}

T_CASE(a_foreign_mmap_is_not_exported_again)
{
	struct desc pci, rdma;
	pid_t pid = open_other_machine(&pci, &rdma);
	struct doca_dev *host = kit_open(KIT_HOST);
	const void *bytes = NULL;
	struct doca_mmap *mmap;
	size_t len = 77;

	T_OK(desc_import(&rdma, host, &mmap));
	kit_log();
	T_ERR(doca_mmap_export_rdma(mmap, host, &bytes, &len), DOCA_ERROR_NOT_PERMITTED);
	T_CONTAINS(kit_log(), "doca_mmap_export_rdma: the mmap was imported from another machine");
	T_ERR(doca_mmap_export_pci(mmap, host, &bytes, &len), DOCA_ERROR_NOT_PERMITTED);
	T_EQ(bytes, 0);
	T_EQ(len, 77);
	close_other_machine(pid, &rdma);
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dev_close(host));
}

T_CASE(bufs_of_a_foreign_mmap)
{
	struct desc pci, rdma;
	pid_t pid = open_other_machine(&pci, &rdma);
	struct doca_dev *dpu = kit_open(KIT_DPU);
	struct doca_buf_inventory *inventory;
	struct doca_mmap *mmap;
	struct doca_buf *buf;

	T_OK(desc_import(&rdma, dpu, &mmap));
	T_OK(doca_buf_inventory_create(1, &inventory));
	T_OK(doca_buf_inventory_start(inventory));
	T_ERR(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory + 1, sizeof(memory), &buf),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, sizeof(memory), &buf));
	T_ERR(doca_mmap_stop(mmap), DOCA_ERROR_NOT_PERMITTED);
	T_OK(doca_buf_dec_refcount(buf, NULL));
	close_other_machine(pid, &rdma);
	T_OK(doca_buf_inventory_destroy(inventory));
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dev_close(dpu));
}

/* This machine is asked for every window, and what is dead there is refused. */
T_CASE(a_machine_that_is_ours_is_asked)
{
	struct desc pci, rdma;
	pid_t pid = open_other_machine(&pci, &rdma);
	struct sdpu_blob blob = desc_blob(&rdma);
	struct doca_dev *dpu = kit_open(KIT_DPU);
	struct doca_mmap *mmap = NULL;

	T_OK(sdpu_machine_id(blob.machine_id));
	desc_of_blob(&rdma, &blob);
	T_ERR(desc_import(&rdma, dpu, &mmap), DOCA_ERROR_INVALID_VALUE);
	T_EQ(mmap, 0);
	close_other_machine(pid, &rdma);
	T_OK(doca_dev_close(dpu));
}

T_CASE(descriptors_of_sync_events_are_no_mmaps)
{
	struct doca_dev *dpu = kit_open(KIT_DPU);
	struct doca_mmap *local = kit_mmap(dpu, memory, sizeof(memory), PERMS), *mmap = NULL;
	struct sdpu_blob blob;
	struct desc desc;

	desc_export_rdma(local, dpu, &desc);
	blob = desc_blob(&desc);
	T_EQ(sdpu_mmap_source(local), 0);
	for (int kind = SDPU_BLOB_EVENT_PCI; kind <= SDPU_BLOB_EVENT_NET; kind++) {
		blob.kind = (enum sdpu_blob_kind)kind;
		desc_of_blob(&desc, &blob);
		kit_log();
		T_ERR(desc_import(&desc, dpu, &mmap), DOCA_ERROR_INVALID_VALUE);
		T_CONTAINS(kit_log(), "is of doca_sync_event_export_to_remote_");
	}
	T_EQ(mmap, 0);
	T_OK(doca_mmap_destroy(local));
	T_OK(doca_dev_close(dpu));
}
