/* SPDX-License-Identifier: BSD-3-Clause */
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>

static void (*before_end)(void);

void memory_before_end(void (*restore)(void))
{
	before_end = restore;
}

void *memory_need(void *memory)
{
	if (memory == NULL) {
		if (before_end != NULL)
			before_end();
		fputs("softdpu: out of memory\n", stderr);
		exit(EXIT_FAILURE);
	}
	return memory;
}
