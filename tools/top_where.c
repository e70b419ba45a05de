/* SPDX-License-Identifier: BSD-3-Clause */
#include "top.h"

#include <string.h>

#include <softdpu.h>

#include "groups.h"

static size_t tell_of_nobody(pid_t pid, char text[TOP_WHERE_SIZE])
{
	char who[32] = "No process has a";

	if (pid != 0)
		snprintf(who, sizeof(who), "Process %d has no", (int)pid);
	return (size_t)snprintf(text, TOP_WHERE_SIZE, "%s device open in %s.\n", who,
				softdpu_registry_path());
}

void top_where_tell(const struct top_loop *loop, char text[TOP_WHERE_SIZE])
{
	bool is_empty = loop->model.num == 0;
	size_t len = 0;

	text[0] = '\0';
	if (is_empty)
		len = tell_of_nobody(loop->request->pid, text);
	if ((is_empty || !groups_is_directory_chosen()) && len < TOP_WHERE_SIZE)
		groups_describe("softdpu top", text + len, TOP_WHERE_SIZE - len);
}
