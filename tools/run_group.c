/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A group from its start to its end: one loop that waits for signals, output and deadlines, and a
 * function for each thing that can happen. Contract in run.h.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run.h"

#define LOOK_EVERY_MS 20 /* at a member that does not listen yet */
#define NOTICE_MS 2000	 /* time for the others to notice that one has failed */
#define INTERRUPT_MS                                                                               \
	1000	      /* until SIGTERM follows SIGINT, which background jobs of a shell ignore */
#define END_MS 5000   /* from SIGTERM to SIGKILL */
#define KILL_MS 5000  /* for the kernel to end what was killed */
#define DRAIN_MS 5000 /* for the output of processes that are still there */

uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

#define for_each_member(member, group)                                                             \
	for ((member) = (group)->members; (member) < (group)->members + (group)->num_members;      \
	     (member)++)

static void group_enter(struct group *group, enum group_state state, uint64_t ms)
{
	group->state = state;
	group->deadline = now_ms() + ms;
}

static void group_fail(struct group *group, int status)
{
	if (group->status == 0)
		group->status = status;
}

/* Asks all to end; those not started yet will not be. */
static void group_end(struct group *group, int signal)
{
	struct member *member;

	for_each_member(member, group)
	{
		member_signal(member, signal);
		/* A stopped process does not handle signals. */
		member_signal(member, SIGCONT);
	}
	if (signal == SIGKILL)
		group_enter(group, GROUP_KILLS, KILL_MS);
	else if (signal == SIGINT)
		group_enter(group, GROUP_STOPS, INTERRUPT_MS);
	else
		group_enter(group, GROUP_ENDS, END_MS);
}

static bool is_over(const struct group *group)
{
	const struct member *member;

	if (group->state == GROUP_GIVES_UP)
		return true;
	for_each_member(member, group)
	{
		if (member->state == MEMBER_RUNS || member->state == MEMBER_READY)
			return false;
		if (member->state == MEMBER_WAITS && group->state == GROUP_STARTS)
			return false;
	}
	return true;
}

/* ---- starting ---- */

/* The member started last; NULL: none. */
static struct member *last_started(struct group *group, struct member **next)
{
	struct member *last = NULL;

	for_each_member(*next, group)
	{
		if ((*next)->state == MEMBER_WAITS)
			return last;
		last = *next;
	}
	*next = NULL;
	return last;
}

/* It may be time for the next; a member under a debugger is waited for as long as it takes. */
static bool is_passed(struct group *group, struct member *member)
{
	uint64_t now = now_ms();
	char by[1024];

	if (member == NULL || member->state != MEMBER_RUNS)
		return true;
	/* Whatever woke us: look at all processes. */
	if (now < group->next_look)
		return false;
	group->next_look = now + LOOK_EVERY_MS;
	if (member_listens(member, by, sizeof(by))) {
		member->state = MEMBER_READY;
		output_ready(group, member, by);
	} else if (member->tool != TOOL_GDB && now >= member->started + group->wait) {
		member->state = MEMBER_READY;
		output_note(group,
			    "%s does not listen to anything after %g s; what follows is started "
			    "all the same (--wait sets the time)",
			    member->name, (double)group->wait / 1000);
	}
	return member->state == MEMBER_READY;
}

static void group_start(struct group *group)
{
	struct member *next, *last;

	while (group->state == GROUP_STARTS) {
		last = last_started(group, &next);
		if (next == NULL) {
			group_enter(group, GROUP_RUNS, 0);
			group->deadline = UINT64_MAX;
		} else if (!is_passed(group, last)) {
			return;
		} else if (member_start(group, next)) {
			output_started(group, next);
		} else {
			group_fail(group, EXIT_CANNOT_RUN);
			group_end(group, SIGTERM);
		}
	}
}

/* ---- what happens ---- */

/* The usual mistake: the host's program named before the DPU's. */
static void tell_not_started(struct group *group)
{
	struct member *next;

	last_started(group, &next);
	if (next != NULL)
		output_note(group,
			    "%s was not started: programs are started in the order in which they "
			    "are named; name those first that others wait for",
			    next->name);
}

static void on_end(struct group *group, struct member *member)
{
	/* They end because they were asked to: no failure, and no message. */
	if (group->state >= GROUP_STOPS) {
		if (group->as_json)
			output_ended(group, member);
		return;
	}
	output_ended(group, member);
	if (member_status(member) == 0)
		return;
	group_fail(group, member_status(member));
	if (group->state == GROUP_STARTS)
		tell_not_started(group);
	if (group->state != GROUP_FAILS)
		group_enter(group, GROUP_FAILS, NOTICE_MS);
}

static struct member *member_of(struct group *group, pid_t pid)
{
	struct member *member;

	for_each_member(member, group)
	{
		if (member->pid == pid && member->state != MEMBER_ENDED)
			return member;
	}
	return NULL;
}

static void reap(struct group *group)
{
	struct member *ended[MAX_MEMBERS], *member;
	size_t num = 0, i;
	int status;
	pid_t pid;

	/* Orphans of members, too. */
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		member = member_of(group, pid);
		if (member == NULL)
			continue;
		member_end(member, status);
		ended[num++] = member;
	}
	leftovers_note(group, ended, num);
	for (i = 0; i < num; i++)
		on_end(group, ended[i]);
}

static void on_interrupt(struct group *group, int signal)
{
	group_fail(group, 128 + signal);
	/* The user asks for the second time. */
	group_end(group, group->state >= GROUP_STOPS ? SIGKILL : signal);
}

static void on_signal(struct group *group, int signals)
{
	struct signalfd_siginfo info;

	while (read(signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			reap(group);
		else
			on_interrupt(group, (int)info.ssi_signo);
	}
}

static void on_deadlines(struct group *group)
{
	uint64_t now = now_ms();

	if (now >= group->timeout) {
		group->timeout = UINT64_MAX;
		output_note(group, "time is over (--timeout)");
		members_tell(group);
		group_fail(group, EXIT_TIMED_OUT);
		group_end(group, SIGTERM);
	}
	if (now < group->deadline)
		return;
	if (group->state == GROUP_FAILS || group->state == GROUP_STOPS) {
		group_end(group, SIGTERM);
	} else if (group->state == GROUP_ENDS) {
		group_end(group, SIGKILL);
	} else if (group->state == GROUP_KILLS) {
		output_note(group, "what was killed does not go away; it is left to the kernel");
		group->state = GROUP_GIVES_UP;
	}
}

/* ---- the loop ---- */

static int wait_ms(const struct group *group)
{
	uint64_t until = group->deadline < group->timeout ? group->deadline : group->timeout;
	uint64_t now = now_ms();

	if (group->state == GROUP_STARTS && until > group->next_look)
		until = group->next_look;
	if (until <= now)
		return 0;
	return until - now > 1000000 ? 1000000 : (int)(until - now);
}

static size_t fill_polls(struct group *group, int signals, struct pollfd *polls)
{
	struct member *member;
	size_t n = 0, i;

	polls[n++] = (struct pollfd){.fd = signals, .events = POLLIN};
	for_each_member(member, group) for (i = 0; i < 2; i++) polls[n++] =
		(struct pollfd){.fd = member->streams[i].fd, .events = POLLIN};
	return n;
}

static void read_streams(struct group *group, const struct pollfd *polls)
{
	struct member *member;
	size_t n = 1, i;

	for_each_member(member, group) for (i = 0; i < 2; i++) if (polls[n++].revents != 0 &&
								   member->streams[i].fd >= 0)
		output_read(group, member, &member->streams[i]);
}

static void turn(struct group *group, int signals, int ms)
{
	struct pollfd polls[1 + 2 * MAX_MEMBERS];
	size_t n = fill_polls(group, signals, polls);

	if (poll(polls, n, ms) < 0)
		return;
	read_streams(group, polls);
	if (polls[0].revents != 0)
		on_signal(group, signals);
}

/* What members wrote before they ended, and unfinished lines. */
static void drain(struct group *group)
{
	struct pollfd polls[1 + 2 * MAX_MEMBERS];
	struct member *member;
	size_t n = fill_polls(group, -1, polls), i;
	uint64_t deadline = now_ms() + DRAIN_MS;

	while (poll(polls, n, 0) > 0 && now_ms() < deadline) {
		read_streams(group, polls);
		n = fill_polls(group, -1, polls);
	}
	for_each_member(member, group)
	{
		for (i = 0; i < 2; i++) {
			if (member->streams[i].fd < 0)
				continue;
			output_flush(group, member, &member->streams[i]);
			close(member->streams[i].fd);
		}
	}
}

static int signals_take(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

int group_run(struct group *group)
{
	int signals = signals_take();

	if (signals < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) {
		fprintf(stderr, "softdpu run: cannot watch processes: %m\n");
		return EXIT_CANNOT_RUN;
	}
	output_begin(group);
	output_directory(group);
	leftovers_begin();
	group_enter(group, GROUP_STARTS, 0);
	group->deadline = UINT64_MAX;
	for (group_start(group); !is_over(group); group_start(group)) {
		turn(group, signals, wait_ms(group));
		on_deadlines(group);
	}
	if (!leftovers_clear(group))
		group_fail(group, EXIT_LEFT_OVERS);
	drain(group);
	output_over(group);
	close(signals);
	return group->status;
}
