/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Can a range be mapped by others? It can when it lies in a shared mapping of one memory file of
 * which this process holds a descriptor, and the file can never shrink under whoever maps it. What
 * the user has is looked at, never touched or changed. No state; any thread.
 */
#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "bus/mapping.h"
#include "bus/process.h"
#include "bus/window_parts.h"

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

#define NO_WRITE_SEALS (F_SEAL_WRITE | F_SEAL_FUTURE_WRITE)

/* `next` continues the same file where `first` would, had it been longer. */
static bool is_continued(const struct sdpu_mapping *first, const struct sdpu_mapping *next)
{
	return next->dev == first->dev && next->inode == first->inode &&
	       next->offset - first->offset == next->start - first->start;
}

/* Fills `first` with the mapping in which the range begins. */
static bool find_mapping(uint64_t addr, uint64_t len, struct sdpu_mapping *first)
{
	struct sdpu_mapping_walk walk;
	struct sdpu_mapping mapping;
	uint64_t at = addr;
	bool good = true;

	sdpu_mapping_open(&walk);
	while (good && at < addr + len && sdpu_mapping_next(&walk, at, &mapping)) {
		if (at == addr)
			*first = mapping;
		good = mapping.start <= at && mapping.shared && mapping.inode != 0 &&
		       is_continued(first, &mapping);
		at = mapping.end;
	}
	sdpu_mapping_close(&walk);
	return good && at >= addr + len;
}

bool sdpu_window_file_is_sealed(int fd, uint64_t end)
{
	int seals = fcntl(fd, F_GET_SEALS);
	struct statfs fs;
	struct stat st;

	/* Huge pages are out: touching one may fault when there is none left. */
	return seals >= 0 && (seals & F_SEAL_SHRINK) != 0 && fstatfs(fd, &fs) == 0 &&
	       fs.f_type == TMPFS_MAGIC && fstat(fd, &st) == 0 && st.st_size >= 0 &&
	       (uint64_t)st.st_size >= end;
}

static bool is_of(const struct stat *st, const struct sdpu_mapping *mapping)
{
	return st->st_dev == mapping->dev && st->st_ino == mapping->inode;
}

static int reopen(int fd, int flags)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return sdpu_fd_own(open(path, flags | O_CLOEXEC));
}

/*
 * Of one of the process's descriptors. The user may close it at any moment and the number lead
 * elsewhere: what counts is what the fresh descriptor leads to, and the other one is only asked by
 * its name, since it is not ours. Opening a memory file cannot block.
 */
static int try_descriptor(DIR *dir, const char *name, const struct sdpu_mapping *mapping,
			  uint64_t end)
{
	struct stat st;
	int fresh;

	if (fstatat(dirfd(dir), name, &st, 0) != 0 || !is_of(&st, mapping))
		return -1;
	fresh = sdpu_fd_own(openat(dirfd(dir), name, O_RDONLY | O_NONBLOCK | O_CLOEXEC));
	if (fresh >= 0 && fstat(fresh, &st) == 0 && is_of(&st, mapping) &&
	    sdpu_window_file_is_sealed(fresh, end))
		return fresh;
	sdpu_fd_close(fresh);
	return -1;
}

static int find_descriptor(const struct sdpu_mapping *mapping, uint64_t end)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;
	int found = -1;

	if (dir == NULL)
		return -1;
	while (found < 0 && (entry = readdir(dir)) != NULL)
		if (entry->d_name[0] != '.')
			found = try_descriptor(dir, entry->d_name, mapping, end);
	closedir(dir);
	return found;
}

/* A reader could open the file anew, for writing, if the file itself did not forbid it. */
static bool is_writable(int fd)
{
	int seals = fcntl(fd, F_GET_SEALS);

	return seals >= 0 && (seals & NO_WRITE_SEALS) == 0;
}

void sdpu_window_file_find(uint64_t addr, uint64_t len, struct window_file *file)
{
	struct sdpu_mapping first = {0};
	uint64_t end;

	*file = (struct window_file){.fd = -1};
	if (!find_mapping(addr, len, &first))
		return;
	file->offset = first.offset + (addr - first.start);
	if (!__builtin_add_overflow(file->offset, len, &end))
		file->fd = find_descriptor(&first, end);
	file->writable = file->fd >= 0 && is_writable(file->fd);
}

int sdpu_window_file_reopen(const struct window_file *file, bool writable)
{
	if (file->fd < 0 || is_writable(file->fd) != writable)
		return -1;
	return reopen(file->fd, writable ? O_RDWR : O_RDONLY);
}
