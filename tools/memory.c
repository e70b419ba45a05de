/* SPDX-License-Identifier: BSD-3-Clause */
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>

void *memory_need(void *memory)
{
	if (memory == NULL) {
		fputs("softdpu: out of memory\n", stderr);
		exit(EXIT_FAILURE);
	}
	return memory;
}
