/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of the initiator. */
#ifndef STORAGE_INITIATOR_OPTIONS_H
#define STORAGE_INITIATOR_OPTIONS_H

#include "io_message.h"
#include "memory.h"
#include "options.h"

#define INITIATOR_BATCH_SIZE_MAX 128

struct initiator_options {
	struct options_common common; /* first: see options.h */
	char operation_text[OPTIONS_NAME_SIZE];
	int run_limit;	  /* operations, of all threads together */
	int buffer_count; /* concurrent transactions of each thread */
	int buffer_size;  /* bytes of one transfer */
	int batch_size;	  /* 0: derived */
	bool validate_writes;
	char channel_name[OPTIONS_NAME_SIZE];
	char io_memory_text[OPTIONS_NAME_SIZE];
	char data_file[PATH_MAX];		  /* empty: none */
	char data_length_text[OPTIONS_NAME_SIZE]; /* empty: all */
};

void initiator_options_init(struct initiator_options *options);
doca_error_t initiator_options_register(void);

/* common: that of the options. Returns the number of faults, prints a line for each to out. */
unsigned int initiator_options_check(const struct options_common *common, FILE *out);

void initiator_options_print(const struct options_common *common);

/* The options in the form that the run needs. Call only after a check without faults. */
enum io_message_type initiator_options_operation(const struct initiator_options *options);
enum memory_kind initiator_options_io_memory(const struct initiator_options *options);
uint32_t initiator_options_batch_size(const struct initiator_options *options);

/* --data-length, or 0 when it was not given. False when the text is no number. */
bool initiator_options_data_length(const struct initiator_options *options, uint64_t *length);

#endif
