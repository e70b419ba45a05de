/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Devices, memory and engine of one side; contract in device.h.  Nothing here may be called before
 * the fork: library objects do not survive one.
 */
#include "device.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define TURNS_BETWEEN_CLOCKS 64

bool doca_ok(struct bench *bench, doca_error_t result, const char *what)
{
	if (result == DOCA_SUCCESS)
		return true;
	/* Once the measurement is over, a peer that has left already is no failure. */
	if (!bench_stopped(bench))
		bench_give_up(bench,
			      result == DOCA_ERROR_NOT_SUPPORTED ? BENCH_UNABLE : BENCH_FAILED,
			      "%s: %s", what, doca_error_get_descr(result));
	return false;
}

static bool open_matching(struct bench *bench, struct doca_devinfo **list, uint32_t count,
			  const char *pci_addr, struct doca_dev **dev)
{
	uint8_t equal;

	for (uint32_t i = 0; i < count; i++) {
		equal = 0;
		doca_devinfo_is_equal_pci_addr(list[i], pci_addr, &equal);
		if (equal)
			return doca_ok(bench, doca_dev_open(list[i], dev), "doca_dev_open");
	}
	bench_give_up(bench, BENCH_UNABLE, "there is no device %s", pci_addr);
	return false;
}

bool device_open(struct bench *bench, const char *pci_addr, struct doca_dev **dev)
{
	struct doca_devinfo **list;
	uint32_t count;
	bool opened;

	if (!doca_ok(bench, doca_devinfo_create_list(&list, &count), "doca_devinfo_create_list"))
		return false;
	opened = open_matching(bench, list, count, pci_addr, dev);
	doca_devinfo_destroy_list(list);
	return opened;
}

static bool open_matching_rep(struct bench *bench, struct doca_devinfo_rep **list, uint32_t count,
			      const char *pci_addr, struct doca_dev_rep **rep)
{
	uint8_t equal;

	for (uint32_t i = 0; i < count; i++) {
		equal = 0;
		doca_devinfo_rep_is_equal_pci_addr(list[i], pci_addr, &equal);
		if (equal)
			return doca_ok(bench, doca_dev_rep_open(list[i], rep), "doca_dev_rep_open");
	}
	bench_give_up(bench, BENCH_UNABLE, "there is no representor %s", pci_addr);
	return false;
}

bool device_rep_open(struct bench *bench, struct doca_dev *dev, const char *pci_addr,
		     struct doca_dev_rep **rep)
{
	struct doca_devinfo_rep **list;
	uint32_t count;
	bool opened;

	if (!doca_ok(bench,
		     doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET, &list, &count),
		     "doca_devinfo_rep_create_list"))
		return false;
	opened = open_matching_rep(bench, list, count, pci_addr, rep);
	doca_devinfo_rep_destroy_list(list);
	return opened;
}

static int sealed_file(size_t len)
{
	int fd = memfd_create("softdpu-bench", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0)
		return -1;
	if (ftruncate(fd, (off_t)len) != 0 ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* fd: the file behind shared memory, to be closed once the library knows the memory; or -1. */
static void *map_memory(enum memory_kind kind, size_t len, int *fd)
{
	const int private_flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE;

	*fd = -1;
	if (kind == MEMORY_PRIVATE)
		return mmap(NULL, len, PROT_READ | PROT_WRITE, private_flags, -1, 0);
	*fd = sealed_file(len);
	if (*fd < 0)
		return MAP_FAILED;
	return mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, *fd, 0);
}

static bool register_memory(struct bench *bench, struct doca_dev *dev, uint32_t permissions,
			    struct memory *memory)
{
	return doca_ok(bench, doca_mmap_create(&memory->mmap), "doca_mmap_create") &&
	       doca_ok(bench, doca_mmap_add_dev(memory->mmap, dev), "doca_mmap_add_dev") &&
	       doca_ok(bench, doca_mmap_set_memrange(memory->mmap, memory->base, memory->len),
		       "doca_mmap_set_memrange") &&
	       doca_ok(bench, doca_mmap_set_permissions(memory->mmap, permissions),
		       "doca_mmap_set_permissions") &&
	       doca_ok(bench, doca_mmap_start(memory->mmap), "doca_mmap_start");
}

bool memory_open(struct bench *bench, struct doca_dev *dev, enum memory_kind kind, size_t len,
		 uint32_t permissions, uint32_t num_bufs, struct memory *memory)
{
	int fd;
	void *base = map_memory(kind, len, &fd);
	bool registered;

	if (base == MAP_FAILED) {
		bench_give_up(bench, BENCH_FAILED, "mmap: %s", strerror(errno));
		return false;
	}
	*memory = (struct memory){.base = base, .len = len};
	registered = register_memory(bench, dev, permissions, memory);
	if (fd >= 0)
		close(fd);
	return registered &&
	       doca_ok(bench, doca_buf_inventory_create(num_bufs, &memory->inventory),
		       "doca_buf_inventory_create") &&
	       doca_ok(bench, doca_buf_inventory_start(memory->inventory),
		       "doca_buf_inventory_start");
}

bool memory_buf(struct bench *bench, struct memory *memory, size_t offset, size_t len,
		size_t data_len, struct doca_buf **buf)
{
	uint8_t *head = memory->base + offset;

	return doca_ok(bench,
		       doca_buf_inventory_buf_get_by_args(memory->inventory, memory->mmap, head,
							  len, head, data_len, buf),
		       "doca_buf_inventory_buf_get_by_args");
}

bool engine_open(struct bench *bench, struct doca_pe **pe)
{
	return doca_ok(bench, doca_pe_create(pe), "doca_pe_create");
}

uint64_t engine_run(struct bench *bench, struct doca_pe *pe, uint64_t duration)
{
	const uint64_t start = bench_now();
	uint64_t now = start;

	while (now - start < duration && !bench_stopped(bench)) {
		for (int i = 0; i < TURNS_BETWEEN_CLOCKS; i++)
			doca_pe_progress(pe);
		now = bench_now();
	}
	return now - start;
}

bool engine_sync(struct bench *bench, struct doca_pe *pe)
{
	bench_arrive(bench);
	return engine_until(bench, pe, bench_all_arrived(bench));
}
