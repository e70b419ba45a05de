/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Retired memory of what device code had handles of; contract in dpa_handle.h. Blocks go in in
 * turns and by exchanges, so that any thread may retire, in a forked child, too.
 */
#include <malloc.h>
#include <stdlib.h>

#include "core/dpa_handle.h"

#define BYTES_MAX ((size_t)64 << 20)

static struct sdpu_dpa_retired of_process;

static void exchange(struct sdpu_dpa_retired *retired, uint32_t place, void *memory)
{
	void *before;

	(void)sdpu_fetch_add(&retired->bytes, malloc_usable_size(memory));
	before = sdpu_swap(&retired->blocks[place % SDPU_DPA_RETIRED], memory);
	(void)sdpu_fetch_sub(&retired->bytes, malloc_usable_size(before));
	free(before);
}

void sdpu_dpa_retired_add(struct sdpu_dpa_retired *retired, void *memory)
{
	uint32_t place = sdpu_fetch_add(&retired->next, 1);

	exchange(retired, place, memory);
	for (uint32_t i = 1; i < SDPU_DPA_RETIRED && sdpu_load(&retired->bytes) > BYTES_MAX; i++)
		exchange(retired, place + i, NULL);
}

void sdpu_dpa_retired_clear(struct sdpu_dpa_retired *retired)
{
	for (uint32_t i = 0; i < SDPU_DPA_RETIRED; i++)
		exchange(retired, i, NULL);
}

void sdpu_dpa_handle_retire(void *memory)
{
	sdpu_dpa_retired_add(&of_process, memory);
}
