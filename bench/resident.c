/* SPDX-License-Identifier: BSD-3-Clause */
#include "resident.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Sums up Rss over the mappings that are wanted. */
static size_t sum(bool only_shared)
{
	FILE *smaps = fopen("/proc/self/smaps", "r");
	bool wanted = false;
	char line[512];
	unsigned long start, end, kib;
	size_t total = 0;

	if (smaps == NULL)
		return 0;
	while (fgets(line, sizeof(line), smaps) != NULL) {
		if (sscanf(line, "%lx-%lx ", &start, &end) == 2)
			wanted = !only_shared || strstr(line, "/memfd:") != NULL;
		else if (wanted && sscanf(line, "Rss: %lu kB", &kib) == 1)
			total += kib << 10;
	}
	fclose(smaps);
	return total;
}

size_t resident_all(void)
{
	return sum(false);
}

size_t resident_shared(void)
{
	return sum(true);
}
