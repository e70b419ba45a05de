/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The file that holds the target's storage (--storage-file). It is opened and locked when the
 * program starts, so that most of what can be wrong with it is said at once, and brought to its
 * size when the initiator has told how much it needs. One shared mapping of it serves all
 * threads. It is never shrunk. Owned by the target object, control thread only.
 */
#ifndef STORAGE_STORAGE_FILE_H
#define STORAGE_STORAGE_FILE_H

#include "fault.h"
#include "memory.h"

struct storage_file {
	const char *path; /* NULL: storage is plain memory */
	int fd;
	struct memory_region region;
};

void storage_file_init(struct storage_file *file, const char *path);

/* Opens the file, making it if it is missing; refuses what cannot hold storage. */
doca_error_t storage_file_open(struct storage_file *file, struct fault *fault);

/* Grows the file to at least size bytes, space reserved, and maps that many. */
doca_error_t storage_file_map(struct storage_file *file, size_t size, struct fault *fault);

/* Writes everything back to the device. For the orderly end. */
doca_error_t storage_file_sync(struct storage_file *file, struct fault *fault);

void storage_file_close(struct storage_file *file);

#endif
