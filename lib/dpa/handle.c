/* SPDX-License-Identifier: BSD-3-Clause */
#include "dpa/handle.h"

#include "dpa/dpa.h"

static const char *kind_name(uint32_t kind)
{
	static const char *const names[] = {
		"a DPA context",
		"a completion",
		"an element of a completion",
		"a notification completion",
		"a queue of asynchronous operations",
		"a hash table",
		"an array of buffers",
		"a sync event",
		"a Comch consumer",
		"a consumer completion",
		"an element of a consumer completion",
		"a Comch producer",
	};
	uint32_t index = kind - SDPU_DPA_KIND_CONTEXT;

	return index < SDPU_ARRAY_SIZE(names) ? names[index] : "nothing that is started";
}

void sdpu_dpa_handle_refuse(const char *call, uint64_t handle, enum sdpu_dpa_kind kind)
{
	const struct sdpu_dpa_head *head = (const struct sdpu_dpa_head *)(uintptr_t)handle;

	if (handle == 0)
		sdpu_dpa_fatal("%s: the handle is 0; needed is %s", call, kind_name(kind));
	if (handle % _Alignof(struct sdpu_dpa_head) != 0)
		sdpu_dpa_fatal("%s: 0x%llx is no handle at all; needed is %s", call,
			       (unsigned long long)handle, kind_name(kind));
	sdpu_dpa_fatal("%s: 0x%llx is the handle of %s; needed is %s", call,
		       (unsigned long long)handle, kind_name(sdpu_load(&head->kind)),
		       kind_name(kind));
}
