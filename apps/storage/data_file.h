/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The initiator's --data-file. For a write the buffers are filled from it before the run; for a
 * read they are saved to it after the run. It is opened and checked before anything else, so that
 * a file that cannot be used costs no run. Owned by the initiator object, control thread only.
 */
#ifndef STORAGE_DATA_FILE_H
#define STORAGE_DATA_FILE_H

#include "fault.h"
#include "plan.h"

struct data_file {
	const char *path; /* NULL: there is none */
	int fd;
	uint64_t length; /* bytes to fill from or to save */
	bool unfinished; /* made by us, and not saved yet: does not survive a failure */
};

void data_file_init(struct data_file *file, const char *path);

/* Opens an existing file whose whole content goes into the buffers. */
doca_error_t data_file_open_input(struct data_file *file, const struct plan *plan,
				  struct fault *fault);

/* Opens or makes the file; length 0 means all buffers. What it holds stays until the save. */
doca_error_t data_file_open_output(struct data_file *file, const struct plan *plan, uint64_t length,
				   struct fault *fault);

/* Copies the file to memory; what follows in memory is left as it is. */
doca_error_t data_file_fill(struct data_file *file, uint8_t *memory, struct fault *fault);

/* Replaces the content of the file by the first length bytes of memory. */
doca_error_t data_file_save(struct data_file *file, const uint8_t *memory, struct fault *fault);

void data_file_close(struct data_file *file);

#endif
