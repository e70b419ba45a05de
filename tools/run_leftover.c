/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a group leaves behind: processes that outlive their member (they have become our children),
 * files of the runtime directory, and named shared memory. Rings and windows have no name and
 * vanish with the last process. Processes and files are removed. One line reports those of members
 * that ended by themselves; a member that was killed had no chance to tidy up, so it is not
 * reported.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
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

/* Waits for its end. False: it still runs at the deadline. */
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

/* ---- whose it is ---- */

static void count_dead(const struct softdpu_entry *entry, void *user_data)
{
	unsigned int *num = user_data;

	*num += !entry->is_alive;
}

/* Also if a shell reports that a signal ended its child. */
static bool is_ended_by_signal(const struct member *member)
{
	int status = member_status(member);

	return status > 128 && status <= 128 + SIGRTMAX;
}

/* Files do not say whose they were. Of several that ended together, blame one that was killed. */
void leftovers_note(struct group *group, struct member *const *ended, size_t num)
{
	unsigned int num_dead = 0;
	size_t whose = 0, i;

	for (i = 0; i < num; i++) {
		ended[i]->is_excused = group->state >= GROUP_STOPS || is_ended_by_signal(ended[i]);
		if (ended[i]->is_excused)
			whose = i;
	}
	if (num == 0 || softdpu_registry_look(count_dead, &num_dead) != DOCA_SUCCESS)
		return;
	if (num_dead > group->num_dead)
		ended[whose]->num_left = num_dead - group->num_dead;
	group->num_dead = num_dead;
}

static bool are_all_excused(const struct group *group)
{
	size_t i;

	for (i = 0; i < group->num_members; i++)
		if (group->members[i].state == MEMBER_ENDED && !group->members[i].is_excused)
			return false;
	return true;
}

/* A process that has left its member's process group cannot be attributed. */
static bool is_process_excused(const struct group *group, pid_t pid)
{
	size_t i;

	for (i = 0; i < group->num_members; i++)
		if (process_belongs(pid, group->members[i].pid))
			return group->members[i].is_excused;
	return are_all_excused(group);
}

/* Some may appear after their member: children of a shell end a little later than the shell. */
static unsigned int count_inexcusable(const struct group *group, unsigned int num_files)
{
	bool is_any_excused = false;
	unsigned int num = 0;
	size_t i;

	for (i = 0; i < group->num_members; i++) {
		if (group->members[i].is_excused)
			is_any_excused = true;
		else
			num += group->members[i].num_left;
	}
	return is_any_excused && num < num_files ? num : num_files;
}

/* ---- processes and files ---- */

struct report {
	const struct group *group;
	unsigned int num_files, num_processes;
	char processes[256]; /* that are told */
};

static void report_process(struct report *report, pid_t pid)
{
	char name[PROCESS_NAME_SIZE], what[PROCESS_NAME_SIZE + 32];
	size_t len = strlen(report->processes);

	process_name(pid, name);
	snprintf(what, sizeof(what), "%d (%s)", (int)pid, name);
	output_left(report->group, "process", what);
	if (is_process_excused(report->group, pid))
		return;
	report->num_processes++;
	snprintf(report->processes + len, sizeof(report->processes) - len, "%sprocess %s",
		 len > 0 ? ", " : "", what);
}

/* Ends one child, unless it has ended by itself. False: it cannot be ended. */
static bool end_one(struct report *report, uint64_t deadline)
{
	pid_t pid = process_find(is_child, NULL);

	if (pid == 0)
		return false;
	if (waitpid(pid, NULL, WNOHANG) != 0)
		return true;
	report_process(report, pid);
	kill(pid, SIGKILL);
	if (wait_for(pid, deadline))
		return true;
	output_note(report->group, "process %d was left over and cannot be ended", (int)pid);
	return false;
}

static void end_processes(struct report *report)
{
	uint64_t deadline = now_ms() + PATIENCE_MS;

	/* The children of one that is killed become ours. */
	while (end_one(report, deadline) && now_ms() < deadline)
		;
}

static void report_entry(const struct softdpu_entry *entry, void *user_data)
{
	struct report *report = user_data;
	char words[ENTRY_WORDS_SIZE];

	entry_describe(entry, words);
	if (entry->is_alive) {
		/* Not one of our children: another process uses the directory of the group. */
		output_note(report->group, "%s is of process %d, which lives on", words,
			    (int)entry->pid);
		return;
	}
	output_left(report->group, "file", words);
	report->num_files++;
}

static void report_stubborn(const struct softdpu_entry *entry, void *user_data)
{
	const struct report *report = user_data;
	char words[ENTRY_WORDS_SIZE];

	if (entry->is_alive)
		return;
	entry_describe(entry, words);
	output_note(report->group, "the file of %s was left over and cannot be removed", words);
}

static void end_files(struct report *report)
{
	if (softdpu_registry_look(report_entry, report) != DOCA_SUCCESS)
		return;
	if (report->num_files > 0) {
		(void)softdpu_registry_reap();
		(void)softdpu_registry_look(report_stubborn, report);
	}
	report->num_files = count_inexcusable(report->group, report->num_files);
}

/* ---- report ---- */

/* Members that left something; if that is not known, all that may have. */
static void name_members(const struct group *group, char *text, size_t size)
{
	bool only_known = false;
	size_t len = 0, i;

	for (i = 0; i < group->num_members; i++)
		only_known |= !group->members[i].is_excused && group->members[i].num_left > 0;
	text[0] = '\0';
	for (i = 0; i < group->num_members && len < size; i++) {
		const struct member *member = &group->members[i];

		if (member->state != MEMBER_ENDED || member->is_excused ||
		    (only_known && member->num_left == 0))
			continue;
		len += (size_t)snprintf(text + len, size - len, "%s%s", len > 0 ? " and " : "",
					member->name);
	}
}

/* One line, so that it does not hide the cause of a failure above it. */
static void sum_up(const struct report *report)
{
	char names[256], files[32] = "";

	if (report->group->as_json)
		return;
	name_members(report->group, names, sizeof(names));
	if (report->num_files > 0)
		snprintf(files, sizeof(files), "%u file%s%s", report->num_files,
			 report->num_files == 1 ? "" : "s", report->num_processes > 0 ? ", " : "");
	output_note(report->group, "removed what %s left behind: %s%s", names, files,
		    report->processes);
}

/* Made by this user while the group ran; perhaps, but not surely, by the group. */
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
	struct report report = {.group = group};
	bool any;

	end_processes(&report);
	end_files(&report);
	any = report.num_files > 0 || report.num_processes > 0;
	if (any)
		sum_up(&report);
	note_shared_memory(group);
	return !any;
}
