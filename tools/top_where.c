/* SPDX-License-Identifier: BSD-3-Clause */
#include "top.h"

#include <string.h>

#include <softdpu.h>

#include "run.h"

static void add_group(const char *path, void *arg)
{
	char *text = arg;
	size_t len = strlen(text);

	snprintf(text + len, TOP_WHERE_SIZE - len,
		 "\nA group of softdpu run: SOFTDPU_RUNTIME_DIR=%s softdpu top", path);
}

/* Lines; groups have directories of their own, where nobody looks who does not know. */
void top_where_none(char text[TOP_WHERE_SIZE])
{
	snprintf(text, TOP_WHERE_SIZE, "No process has a device open in %s.",
		 softdpu_registry_path());
	room_each_used(add_group, text);
}
