/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Importing memory of another process that can be mapped: what it costs for each page until the
 * first copy out of it is done, beside mapping as many present pages of a file; and the page faults
 * of all copies after that one, of which there shall be none.
 */
#include "device.h"
#include "limits.h"
#include "rows.h"

#include <doca_ctx.h>
#include <doca_dma.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define WINDOW_BYTES ((size_t)16 << 20)
#define PAGE_BYTES 4096
#define PAGES (WINDOW_BYTES / PAGE_BYTES)
#define DESCRIPTOR_MAX 2048

/* In the arena: the owner's descriptor. */
struct offer {
	uint64_t len;
	uint8_t bytes[DESCRIPTOR_MAX];
};

struct importer {
	struct bench *bench;
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_dma *dma;
	struct memory local;
	struct doca_mmap *remote;
	bool done;
};

static void on_copied(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
		      union doca_data ctx_user_data)
{
	struct importer *importer = ctx_user_data.ptr;
	struct doca_task *base = doca_dma_task_memcpy_as_task(task);

	(void)task_user_data;
	importer->done = true;
	doca_ok(importer->bench, doca_task_get_status(base), "copy");
	doca_task_free(base);
}

static bool importer_open(struct bench *bench, struct importer *importer)
{
	const union doca_data data = {.ptr = importer};

	importer->bench = bench;
	return device_open(bench, DPU_PCI_ADDR, &importer->dev) &&
	       memory_open(bench, importer->dev, MEMORY_PRIVATE, WINDOW_BYTES,
			   DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, 2, &importer->local) &&
	       engine_open(bench, &importer->pe) &&
	       doca_ok(bench, doca_dma_create(importer->dev, &importer->dma), "doca_dma_create") &&
	       doca_ok(bench, doca_pe_connect_ctx(importer->pe, doca_dma_as_ctx(importer->dma)),
		       "doca_pe_connect_ctx") &&
	       doca_ok(bench, doca_ctx_set_user_data(doca_dma_as_ctx(importer->dma), data),
		       "doca_ctx_set_user_data") &&
	       doca_ok(bench, doca_dma_task_memcpy_set_conf(importer->dma, on_copied, on_copied, 1),
		       "doca_dma_task_memcpy_set_conf") &&
	       doca_ok(bench, doca_ctx_start(doca_dma_as_ctx(importer->dma)), "doca_ctx_start") &&
	       bench_sync(bench);
}

static bool import(struct importer *importer)
{
	const struct offer *offer = importer->bench->arena;

	return doca_ok(importer->bench,
		       doca_mmap_create_from_export(NULL, offer->bytes, offer->len, importer->dev,
						    &importer->remote),
		       "doca_mmap_create_from_export");
}

static bool run_copy(struct importer *importer, struct doca_buf *src, struct doca_buf *dst)
{
	struct bench *bench = importer->bench;
	struct doca_dma_task_memcpy *task;

	if (!doca_ok(bench,
		     doca_dma_task_memcpy_alloc_init(importer->dma, src, dst, (union doca_data){0},
						     &task),
		     "doca_dma_task_memcpy_alloc_init") ||
	    !doca_ok(bench, doca_task_submit(doca_dma_task_memcpy_as_task(task)), "copy"))
		return false;
	for (importer->done = false; !importer->done;) {
		if (!engine_turn(bench, importer->pe))
			return false;
	}
	return true;
}

/* Reads the first len bytes of the window. */
static bool copy_out(struct importer *importer, size_t len)
{
	struct bench *bench = importer->bench;
	struct doca_buf *src, *dst;
	void *base;
	size_t window;
	bool copied;

	if (!doca_ok(bench, doca_mmap_get_memrange(importer->remote, &base, &window),
		     "doca_mmap_get_memrange") ||
	    !doca_ok(bench,
		     doca_buf_inventory_buf_get_by_data(importer->local.inventory, importer->remote,
							base, len, &src),
		     "doca_buf_inventory_buf_get_by_data") ||
	    !memory_buf(bench, &importer->local, 0, len, 0, &dst))
		return false;
	copied = run_copy(importer, src, dst);
	doca_buf_dec_refcount(src, NULL);
	doca_buf_dec_refcount(dst, NULL);
	return copied;
}

static bool import_once(void *arg)
{
	struct importer *importer = arg;

	return import(importer) && copy_out(importer, SLOTS_LINE) &&
	       doca_ok(importer->bench, doca_mmap_destroy(importer->remote), "doca_mmap_destroy");
}

static enum bench_status import_again(struct bench *bench)
{
	struct importer importer = {0};

	return importer_open(bench, &importer) ? bench_repeat(bench, import_once, &importer, PAGES)
					       : bench_end(bench);
}

static long faults_so_far(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_minflt + usage.ru_majflt;
}

static enum bench_status count_faults(struct bench *bench)
{
	struct importer importer = {0};
	long before;

	if (!importer_open(bench, &importer) || !import(&importer) ||
	    !copy_out(&importer, SLOTS_LINE))
		return bench_end(bench);
	before = faults_so_far();
	if (!copy_out(&importer, WINDOW_BYTES))
		return bench_end(bench);
	bench_report(bench, (double)(faults_so_far() - before));
	bench_stop(bench);
	return BENCH_OK;
}

static enum bench_status own(struct bench *bench)
{
	const struct timespec tick = {.tv_nsec = 1000000};
	struct offer *offer = bench->arena;
	struct memory memory;
	struct doca_dev *dev;
	const void *descriptor;
	size_t len;

	if (!device_open(bench, HOST_PCI_ADDR, &dev) ||
	    !memory_open(bench, dev, MEMORY_SHARED, WINDOW_BYTES, DOCA_ACCESS_FLAG_PCI_READ_WRITE,
			 1, &memory) ||
	    !doca_ok(bench, doca_mmap_export_pci(memory.mmap, dev, &descriptor, &len),
		     "doca_mmap_export_pci"))
		return bench_end(bench);
	if (len > sizeof(offer->bytes))
		return bench_give_up(bench, BENCH_FAILED, "a descriptor has %zu bytes", len);
	memcpy(offer->bytes, descriptor, len);
	offer->len = len;
	if (bench_sync(bench)) {
		while (!bench_stopped(bench))
			nanosleep(&tick, NULL);
	}
	return bench_end(bench);
}

static bool map_once(void *arg)
{
	const int fd = *(const int *)arg;
	void *at =
		mmap(NULL, WINDOW_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);

	return at != MAP_FAILED && munmap(at, WINDOW_BYTES) == 0;
}

static enum bench_status map_again(struct bench *bench)
{
	int fd = memfd_create("softdpu-bench", MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, (off_t)WINDOW_BYTES) != 0)
		return bench_give_up(bench, BENCH_FAILED, "no memfd");
	return bench_repeat(bench, map_once, &fd, PAGES);
}

const struct bench_row rows_window[] = {
	{"window.import",
	 "ns",
	 1,
	 {.num_sides = 2, .side = {import_again, own}, .arena = sizeof(struct offer)},
	 {{.num_sides = 1, .side = {map_again}}}},
	{"window.faults",
	 "faults",
	 1,
	 {.num_sides = 2, .side = {count_faults, own}, .arena = sizeof(struct offer)},
	 {{0}}},
	{0},
};
