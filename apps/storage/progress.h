/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The line that tells a waiting human how far a run is. Shown on standard error, only when that
 * is a terminal, a few times a second, and wiped before anything else is printed.
 */
#ifndef STORAGE_PROGRESS_H
#define STORAGE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool enabled;
	bool shown; /* the line is on the screen */
	uint64_t started;
	uint64_t next;	/* when to show it again */
	uint64_t total; /* operations */
	uint32_t operation_size;
};

void progress_init(struct progress *progress, uint64_t total, uint32_t operation_size);

/* done operations of total are complete. */
void progress_update(struct progress *progress, uint64_t done);

void progress_wipe(struct progress *progress);

/* The text of the line; elapsed in nanoseconds. Apart from the rest for tests. */
void progress_format(const struct progress *progress, uint64_t done, uint64_t elapsed, char *text,
		     uint32_t size);

#endif
