/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Does a member listen? To Comch or RDMA, as the runtime directory tells, or to TCP, as the kernel
 * does: a program may have a control connection of its own. Its children are looked at as well.
 */
#include <stdio.h>

#include "entry.h"
#include "run.h"

struct search {
	const struct member *member;
	char *by;
	size_t size;
	bool found;
};

static void look_at_entry(const struct softdpu_entry *entry, void *user_data)
{
	char words[ENTRY_WORDS_SIZE];
	struct search *search = user_data;

	if (search->found || !entry->is_alive || entry->kind == SOFTDPU_ENTRY_PROCESS ||
	    !process_belongs(entry->pid, search->member->pid))
		return;
	entry_describe(entry, words);
	snprintf(search->by, search->size, "%s", words);
	search->found = true;
}

static bool look_at_process(pid_t pid, void *arg)
{
	struct search *search = arg;
	unsigned int port;

	if (!process_belongs(pid, search->member->pid))
		return false;
	port = process_tcp_port(pid);
	if (port == 0)
		return false;
	snprintf(search->by, search->size, "TCP port %u", port);
	return true;
}

bool member_listens(const struct member *member, char *by, size_t size)
{
	struct search search = {.member = member, .by = by, .size = size};

	/* If the directory cannot be read now, it may be the next time. */
	(void)softdpu_registry_look(look_at_entry, &search);
	return search.found || process_find(look_at_process, &search) != 0;
}
