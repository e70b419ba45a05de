/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies that cannot be made. Each is accepted, ends in the error callback with IO_FAILED, leaves
 * its bufs as they were and takes its context along; try_submit refuses it instead.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/kit.h"
#include "dma/rig.h"

static struct rig rig;
static uint8_t memory[8192];
static struct doca_mmap *mmap_, *exported, *imported;

static void begin(void)
{
	struct rig_card card;

	rig_start(&rig);
	mmap_ = kit_mmap(rig.dev, memory, 4096, 0);
	exported = kit_mmap(rig.host, memory + 4096, 4096, RIG_HOST_PERMS);
	rig_export(&rig, exported, &card);
	imported = rig_import(&rig, &card);
}

static void end(void)
{
	T_OK(doca_mmap_destroy(imported));
	T_OK(doca_mmap_destroy(exported));
	T_OK(doca_mmap_destroy(mmap_));
	rig_close(&rig);
}

static struct doca_buf *good_src(void)
{
	return rig_data(&rig, mmap_, memory, 64);
}

static struct doca_buf *good_dst(void)
{
	return rig_room(&rig, mmap_, memory + 1000, 64);
}

static void back_to_running(void)
{
	RIG_UNTIL(&rig, rig_state(&rig) == DOCA_CTX_STATE_IDLE);
	T_EQ(rig.num_states, 3);
	T_EQ(rig.states[1], DOCA_CTX_STATE_STOPPING);
	rig.num_states = 0;
	T_OK(doca_ctx_start(rig.ctx));
}

/* `part` is in the line that says what is wrong. Takes the bufs. */
static void fails(struct doca_buf *src, struct doca_buf *dst, const char *part)
{
	size_t src_len = src == NULL ? 0 : rig_len(src), dst_len = dst == NULL ? 0 : rig_len(dst);
	uint32_t failed = rig.failed;
	const char *log;

	if (src != NULL)
		T_OK(doca_buf_inc_refcount(src, NULL));
	if (dst != NULL)
		T_OK(doca_buf_inc_refcount(dst, NULL));
	rig.num_states = 1;
	kit_log();
	T_ERR(rig_run(&rig, src, dst), DOCA_ERROR_IO_FAILED);
	T_EQ(rig.failed, failed + 1);
	log = kit_log();
	T_CONTAINS(log, part);
	T_EQ(kit_log_lines(log), 1);
	if (src != NULL)
		T_EQ(rig_len(src), src_len);
	if (dst != NULL)
		T_EQ(rig_len(dst), dst_len);
	rig_drop(src);
	rig_drop(dst);
	back_to_running();
}

/* What is found in the arguments: try_submit finds it, too. Takes the bufs. */
static void is_refused(struct doca_buf *src, struct doca_buf *dst, const char *part)
{
	struct doca_dma_task_memcpy *task = rig_task(&rig, src, dst, 0);
	size_t inflight;

	kit_log();
	T_ERR(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)), DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(kit_log(), part);
	T_OK(doca_ctx_get_num_inflight_tasks(rig.ctx, &inflight));
	T_EQ(inflight, 0);
	T_EQ(rig_state(&rig), DOCA_CTX_STATE_RUNNING);
	doca_task_free(doca_dma_task_memcpy_as_task(task));
	fails(src, dst, part);
}

T_CASE(an_empty_source)
{
	begin();
	is_refused(rig_room(&rig, mmap_, memory, 64), good_dst(), "has no data");
	is_refused(rig_room(&rig, imported, memory + 4096, 64), good_dst(), "has no data");
	end();
}

T_CASE(no_bufs)
{
	begin();
	is_refused(NULL, good_dst(), "NULL");
	is_refused(good_src(), NULL, "NULL");
	is_refused(NULL, NULL, "NULL");
	end();
}

T_CASE(a_destination_that_is_too_small)
{
	struct doca_buf *dst;

	begin();
	is_refused(good_src(), rig_room(&rig, mmap_, memory + 1000, 63), "too little room");
	dst = good_dst();
	T_OK(doca_buf_set_data(dst, memory + 1000, 1));
	is_refused(good_src(), dst, "too little room");
	dst = good_dst();
	T_OK(doca_buf_set_data(dst, memory + 1001, 0));
	is_refused(good_src(), dst, "too little room");
	dst = rig_room(&rig, mmap_, memory + 1000, 30);
	T_OK(doca_buf_chain_list(dst, rig_room(&rig, imported, memory + 4096, 33)));
	is_refused(good_src(), dst, "too little room");
	end();
}

static struct doca_buf *list_of(uint32_t num, size_t len)
{
	struct doca_buf *list = rig_data(&rig, mmap_, memory, len);

	for (uint32_t i = 1; i < num; i++)
		T_OK(doca_buf_chain_list(list, rig_data(&rig, mmap_, memory, len)));
	return list;
}

T_CASE(lists_that_are_too_long)
{
	struct doca_buf *dst;

	begin();
	T_OK(rig_run(&rig, list_of(64, 1), good_dst()));
	is_refused(list_of(65, 1), good_dst(), "max_buf_list_len");
	dst = rig_room(&rig, mmap_, memory, 1);
	for (int i = 1; i < 65; i++)
		T_OK(doca_buf_chain_list(dst, rig_room(&rig, mmap_, memory, 1)));
	is_refused(good_src(), dst, "max_buf_list_len");
	end();
}

T_CASE(more_than_one_task_can_copy)
{
	kit_topology("{\"limits\": {\"dma_max_buf_size\": 100}}");
	begin();
	T_OK(rig_run(&rig, list_of(2, 50), rig_room(&rig, mmap_, memory + 1000, 200)));
	is_refused(list_of(3, 34), rig_room(&rig, mmap_, memory + 1000, 200), "max_buf_size");
	end();
}

T_CASE(permissions_that_are_missing)
{
	struct doca_mmap *mmap, *far;
	struct rig_card card;

	begin();
	mmap = kit_mmap(rig.dev, memory, 64, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	is_refused(good_src(), rig_room(&rig, mmap, memory, 64), "read only");
	T_OK(doca_mmap_destroy(mmap));
	mmap = kit_mmap(rig.dev, memory, 64, DOCA_ACCESS_FLAG_RDMA_WRITE);
	is_refused(good_src(), rig_room(&rig, mmap, memory, 64), "read only");
	T_OK(doca_mmap_destroy(mmap));
	mmap = kit_mmap(rig.host, memory, 64,
			DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	rig_export(&rig, mmap, &card);
	far = rig_import(&rig, &card);
	is_refused(good_src(), rig_room(&rig, far, memory, 64), "PCI_READ_WRITE");
	T_OK(rig_run(&rig, rig_data(&rig, far, memory, 64), good_dst()));
	T_OK(doca_mmap_destroy(far));
	T_OK(doca_mmap_destroy(mmap));
	end();
}

/* What was exported for RDMA only is out of reach for DMA. */
T_CASE(an_rdma_export)
{
	const uint32_t perms = DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE;
	struct doca_mmap *mmap, *far;
	struct rig_card card;
	const void *desc;

	begin();
	mmap = kit_mmap(rig.host, memory, 64, perms);
	T_OK(doca_mmap_export_rdma(mmap, rig.host, &desc, &card.len));
	memcpy(card.desc, desc, card.len);
	far = rig_import(&rig, &card);
	is_refused(rig_data(&rig, far, memory, 64), good_dst(), "PCI permission");
	is_refused(good_src(), rig_room(&rig, far, memory, 64), "PCI_READ_WRITE");
	T_OK(doca_mmap_destroy(far));
	T_OK(doca_mmap_destroy(mmap));
	end();
}

T_CASE(memory_of_another_device)
{
	struct doca_dev *other;
	struct doca_mmap *mmap;

	begin();
	other = kit_open(KIT_DPU_1);
	mmap = kit_mmap(other, memory, 64, 0);
	is_refused(rig_data(&rig, mmap, memory, 64), good_dst(), "has not the device");
	is_refused(good_src(), rig_room(&rig, mmap, memory, 64), "has not the device");
	T_OK(doca_mmap_destroy(mmap));
	mmap = kit_mmap(NULL, memory, 64, 0);
	is_refused(rig_data(&rig, mmap, memory, 64), good_dst(), "has not the device");
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dev_close(other));
	end();
}

/* Only an mmap that does not count its bufs can be stopped while there are some. */
T_CASE(memory_that_was_stopped)
{
	struct doca_mmap *mmap;
	struct doca_buf *src;

	begin();
	T_OK(doca_mmap_create(&mmap));
	T_OK(doca_mmap_add_dev(mmap, rig.dev));
	T_OK(doca_mmap_set_memrange(mmap, memory, 64));
	T_OK(doca_mmap_enable_thread_safety(mmap));
	T_OK(doca_mmap_start(mmap));
	src = rig_data(&rig, mmap, memory, 64);
	T_OK(doca_mmap_stop(mmap));
	is_refused(src, good_dst(), "stopped");
	T_OK(doca_mmap_destroy(mmap));
	end();
}

T_CASE(memory_that_its_exporter_stopped)
{
	begin();
	T_OK(doca_mmap_stop(exported));
	fails(good_src(), rig_room(&rig, imported, memory + 4096, 64), "stopped");
	fails(rig_data(&rig, imported, memory + 4096, 64), good_dst(), "stopped");
	end();
}

/* The kernel fills holes from above: what others map meanwhile is not in its lowest page. */
#define HOLE ((size_t)256 << 20)

static void freed_memory(const char *window)
{
	void *page = mmap(NULL, HOLE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct doca_mmap *mmap, *far;
	struct rig_card card;

	setenv("SOFTDPU_WINDOW", window, 1);
	begin();
	mmap = kit_mmap(rig.host, page, 4096, RIG_HOST_PERMS);
	rig_export(&rig, mmap, &card);
	far = rig_import(&rig, &card);
	T_EQ(munmap(page, HOLE), 0);
	fails(rig_data(&rig, far, page, 64), good_dst(), "gone");
	fails(good_src(), rig_room(&rig, far, page, 64), "gone");
	T_OK(doca_mmap_destroy(far));
	T_OK(doca_mmap_destroy(mmap));
	end();
}

T_CASE(memory_that_its_exporter_freed_cross)
{
	freed_memory("cross");
}

T_CASE(memory_that_its_exporter_freed_handed)
{
	freed_memory("handed");
}

T_CASE(memory_that_its_exporter_freed_served)
{
	freed_memory("served");
}

/* Rule 4: the others fail after it, in their order; none is copied. */
T_CASE(a_failure_flushes_the_rest)
{
	begin();
	memset(memory, 0x11, 64);
	rig_copy(&rig, good_src(), good_dst(), 0);
	rig_copy(&rig, rig_room(&rig, mmap_, memory, 64), good_dst(), 1);
	rig_copy(&rig, good_src(), rig_room(&rig, mmap_, memory + 2000, 64), 2);
	rig_copy(&rig, good_src(), rig_room(&rig, mmap_, memory + 3000, 64), 3);
	RIG_UNTIL(&rig, rig.ok + rig.failed == 4);
	T_EQ(rig.ok, 1);
	T_EQ(rig.failed, 3);
	T_ERR(rig.status, DOCA_ERROR_SHUTDOWN);
	for (uint64_t i = 0; i < 4; i++)
		T_EQ(rig.numbers[i], i);
	T_EQ(memory[1000], 0x11);
	T_EQ(memory[2000], 0);
	T_EQ(memory[3000], 0);
	back_to_running();
	T_OK(rig_run(&rig, good_src(), good_dst()));
	end();
}
