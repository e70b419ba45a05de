/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a group leaves behind: processes that outlive their member (they are our children by then),
 * files of the runtime directory, and shared memory with a name. Rings and windows have none: they
 * vanish with the last process. Processes and files are removed, once told.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "entry.h"
#include "run.h"

#define SHARED_MEMORY "/dev/shm"
#define PATIENCE_MS 2000

static struct timespec begun;

void leftovers_begin(void)
{
	clock_gettime(CLOCK_REALTIME_COARSE, &begun);
}

static bool is_child(pid_t pid, void *arg)
{
	(void)arg;
	return process_parent(pid) == getpid();
}

/* Takes note of its end; false: it has not come by the deadline. */
static bool wait_for(pid_t pid, uint64_t deadline)
{
	static const struct timespec nap = {.tv_nsec = 1000000};

	while (waitpid(pid, NULL, WNOHANG) == 0) {
		if (now_ms() >= deadline)
			return false;
		nanosleep(&nap, NULL);
	}
	return true;
}

/* Ends one child and tells of it, unless it has ended by itself; false: no more can be done. */
static bool end_one(const struct group *group, uint64_t deadline, bool *any)
{
	pid_t pid = process_find(is_child, NULL);
	char name[PROCESS_NAME_SIZE], what[PROCESS_NAME_SIZE + 32];

	if (pid == 0)
		return false;
	if (waitpid(pid, NULL, WNOHANG) != 0)
		return true;
	process_name(pid, name);
	snprintf(what, sizeof(what), "%d (%s)", (int)pid, name);
	output_left(group, "process", what);
	*any = true;
	kill(pid, SIGKILL);
	return wait_for(pid, deadline);
}

static bool end_processes(const struct group *group)
{
	uint64_t deadline = now_ms() + PATIENCE_MS;
	bool any = false;

	/* The children of one that is killed become ours. */
	while (end_one(group, deadline, &any) && now_ms() < deadline)
		;
	return any;
}

struct report {
	const struct group *group;
	bool any;
};

static void report_entry(const struct softdpu_entry *entry, void *user_data)
{
	struct report *report = user_data;
	char words[ENTRY_WORDS_SIZE];

	entry_describe(entry, words);
	if (entry->is_alive) {
		/* None of our children: somebody came into the group's directory. */
		output_note(report->group, "%s is of process %d, which lives on", words,
			    (int)entry->pid);
		return;
	}
	output_left(report->group, "file", words);
	report->any = true;
}

static bool end_files(const struct group *group)
{
	struct report report = {group, false};

	if (softdpu_registry_look(report_entry, &report) == DOCA_SUCCESS)
		(void)softdpu_registry_reap();
	return report.any;
}

/* Made while the group ran, by this user; whether by the group, nobody can tell. */
static bool is_new(int dirfd, const char *name)
{
	struct stat st;

	return fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
	       st.st_uid == geteuid() &&
	       (st.st_ctim.tv_sec > begun.tv_sec ||
		(st.st_ctim.tv_sec == begun.tv_sec && st.st_ctim.tv_nsec >= begun.tv_nsec));
}

static void note_shared_memory(const struct group *group)
{
	DIR *dir = opendir(SHARED_MEMORY);
	const struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (is_new(dirfd(dir), entry->d_name))
			output_note(group,
				    SHARED_MEMORY "/%s came while this ran, and is still there",
				    entry->d_name);
	}
	if (dir != NULL)
		closedir(dir);
}

bool leftovers_clear(const struct group *group)
{
	bool any = end_processes(group);

	any |= end_files(group);
	note_shared_memory(group);
	return !any;
}
