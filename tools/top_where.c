/* SPDX-License-Identifier: BSD-3-Clause */
#include "top.h"

#include <string.h>

#include <softdpu.h>

#include "groups.h"

void top_where_tell(bool is_empty, char text[TOP_WHERE_SIZE])
{
	size_t len = 0;

	text[0] = '\0';
	if (is_empty)
		len = (size_t)snprintf(text, TOP_WHERE_SIZE,
				       "No process has a device open in %s.\n",
				       softdpu_registry_path());
	if ((is_empty || !groups_is_directory_chosen()) && len < TOP_WHERE_SIZE)
		groups_describe("softdpu top", text + len, TOP_WHERE_SIZE - len);
}
