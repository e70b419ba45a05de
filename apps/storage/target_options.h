/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of the target. */
#ifndef STORAGE_TARGET_OPTIONS_H
#define STORAGE_TARGET_OPTIONS_H

#include "options.h"

struct target_options {
	struct options_common common; /* first: see options.h */
	uint16_t listen_port;
	char storage_file[PATH_MAX]; /* empty: storage is plain memory */
};

void target_options_init(struct target_options *options);
doca_error_t target_options_register(void);

/* common: that of the options. Returns the number of faults, prints a line for each to out. */
unsigned int target_options_check(const struct options_common *common, FILE *out);

void target_options_print(const struct options_common *common);

#endif
