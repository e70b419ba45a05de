/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared segments: see segment.h for ownership. No state of its own; any thread, one object by one
 * thread.
 */
#include "bus/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/log.h"
#include "bus/process.h"

/* Newer than some C libraries that we are built with. */
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008u
#endif
#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif

#define SIZE_SEALS (F_SEAL_SHRINK | F_SEAL_GROW)

/* MFD_NOEXEC_SEAL is demanded by some systems and unknown to others. */
static int memfd_open(const char *name)
{
	unsigned int flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
	int fd = memfd_create(name, flags | MFD_NOEXEC_SEAL);

	if (fd < 0 && errno == EINVAL)
		fd = memfd_create(name, flags);
	return sdpu_fd_own(fd);
}

/*
 * Page tables are filled now, so that the data path takes no faults. Kernels before 5.14 do not
 * know how: by touching. Any other failure costs speed only, and touching then might be fatal.
 */
static void populate_pages(const struct sdpu_segment *segment, size_t len,
			   enum sdpu_segment_access access)
{
	int advice = access == SDPU_SEGMENT_WRITE ? MADV_POPULATE_WRITE : MADV_POPULATE_READ;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const volatile uint8_t *at = segment->base;

	if (len > segment->size)
		len = segment->size;
	if (len == 0 || madvise(segment->base, len, advice) == 0 || errno != EINVAL)
		return;
	for (size_t i = 0; i < len; i += page)
		(void)at[i];
}

static doca_error_t map_pages(int fd, size_t size, enum sdpu_segment_access access, void **base)
{
	int prot = access == SDPU_SEGMENT_WRITE ? PROT_READ | PROT_WRITE : PROT_READ;
	void *at = mmap(NULL, size, prot, MAP_SHARED, fd, 0);

	if (at == MAP_FAILED)
		return errno == ENOMEM ? DOCA_ERROR_NO_MEMORY : DOCA_ERROR_INVALID_VALUE;
	if (madvise(at, size, MADV_DONTFORK) != 0) {
		munmap(at, size);
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	*base = at;
	return DOCA_SUCCESS;
}

/* Sized, mapped and sealed in the order that the seals allow. */
static doca_error_t make_in(int fd, size_t size, bool owner_only, void **base)
{
	doca_error_t result;
	void *at;

	if (ftruncate(fd, (off_t)size) != 0)
		return DOCA_ERROR_NO_MEMORY;
	result = map_pages(fd, size, SDPU_SEGMENT_WRITE, &at);
	if (result != DOCA_SUCCESS)
		return result;
	if (fcntl(fd, F_ADD_SEALS,
		  SIZE_SEALS | F_SEAL_SEAL | (owner_only ? F_SEAL_FUTURE_WRITE : 0)) != 0) {
		munmap(at, size);
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	*base = at;
	return DOCA_SUCCESS;
}

doca_error_t sdpu_segment_create(const char *name, size_t size, size_t populate, bool owner_only,
				 struct sdpu_segment *segment)
{
	struct sdpu_segment made = {.size = size, .fd = -1};
	doca_error_t result;

	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	if (size == 0 || size > INTPTR_MAX)
		return DOCA_ERROR_INVALID_VALUE;
	made.fd = memfd_open(name);
	if (made.fd < 0) {
		sdpu_log_err("segment %s: memfd_create: %s", name, strerror(errno));
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	result = make_in(made.fd, size, owner_only, &made.base);
	if (result != DOCA_SUCCESS) {
		sdpu_log_err("segment %s: cannot make %zu bytes of shared memory (%s); needs %s",
			     name, size, strerror(errno),
			     owner_only ? "memory and Linux 5.1 (F_SEAL_FUTURE_WRITE)" : "memory");
		sdpu_fd_close(made.fd);
		return result;
	}
	populate_pages(&made, populate, SDPU_SEGMENT_WRITE);
	*segment = made;
	return DOCA_SUCCESS;
}

/*
 * A descriptor of which the peer cannot take away what we map: memory in a tmpfs (huge pages may
 * fault when there are none), its size sealed. Answers the size, or 0.
 */
static size_t check_promise(int fd, size_t size, size_t max)
{
	struct stat st;
	struct statfs fs;
	int seals = fcntl(fd, F_GET_SEALS);

	if (seals < 0 || (seals & SIZE_SEALS) != SIZE_SEALS)
		return 0;
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size <= 0)
		return 0;
	if (fstatfs(fd, &fs) != 0 || fs.f_type != TMPFS_MAGIC)
		return 0;
	if (size != 0 ? (uint64_t)st.st_size != size : (uint64_t)st.st_size > max)
		return 0;
	return (size_t)st.st_size;
}

doca_error_t sdpu_segment_map(int fd, size_t size, size_t max, enum sdpu_segment_access access,
			      size_t populate, struct sdpu_segment *segment)
{
	struct sdpu_segment made = {.fd = -1};
	doca_error_t result = DOCA_ERROR_INVALID_VALUE;

	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	made.size = fd < 0 ? 0 : check_promise(fd, size, max);
	if (made.size != 0)
		result = map_pages(fd, made.size, access, &made.base);
	sdpu_fd_close(fd);
	if (result != DOCA_SUCCESS) {
		sdpu_log_err(
			"segment of a peer refused: needs sealed shared memory of %s %zu bytes, %s",
			size != 0 ? "exactly" : "at most", size != 0 ? size : max,
			access == SDPU_SEGMENT_WRITE ? "writable" : "readable");
		return result;
	}
	populate_pages(&made, populate, access);
	*segment = made;
	return DOCA_SUCCESS;
}

void sdpu_segment_close_fd(struct sdpu_segment *segment)
{
	if (segment->base == NULL)
		return;
	sdpu_fd_close(segment->fd);
	segment->fd = -1;
}

void sdpu_segment_unmap(struct sdpu_segment *segment)
{
	/* A forked child does not have the mapping; what lies at this address there is its own. */
	if (segment->base == NULL || sdpu_process_inert())
		return;
	sdpu_segment_close_fd(segment);
	munmap(segment->base, segment->size);
	segment->base = NULL;
	segment->size = 0;
}
