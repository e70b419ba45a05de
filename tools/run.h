/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `softdpu run` of several programs: a group of members in a runtime directory of their own.
 *
 * The one thread of the command owns everything. Each member leads a process group of its own. The
 * command is the subreaper of all, so that no process of a member outlives it unnoticed. If the
 * command is killed, the shells of its members get SIGTERM.
 */
#ifndef TOOLS_RUN_H_
#define TOOLS_RUN_H_

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "process.h"

#define MEMBER_NAME_SIZE 24
#define MAX_MEMBERS 16
#define LINE_SIZE 8192 /* of output; longer lines are split */

/* Exit statuses of the command besides those of its members; as of timeout(1) and env(1). */
#define EXIT_LEFT_OVERS 123
#define EXIT_TIMED_OUT 124
#define EXIT_CANNOT_RUN 125

enum member_state {
	MEMBER_WAITS, /* for its turn to start */
	MEMBER_RUNS,  /* started; does not listen yet */
	MEMBER_READY, /* listens, or is assumed to be ready */
	MEMBER_ENDED, /* wait_status is valid */
};

enum member_tool { TOOL_NONE, TOOL_GDB, TOOL_VALGRIND };

struct stream {
	int fd; /* -1: closed */
	bool is_err;
	size_t len;
	char line[LINE_SIZE];
};

struct member {
	char name[MEMBER_NAME_SIZE];
	const char *command;
	const char *side; /* for SOFTDPU_SIDE; NULL: both */
	enum member_tool tool;
	enum member_state state;
	pid_t pid;
	uint64_t started;      /* ms */
	int wait_status;       /* as wait() has it */
	unsigned int num_left; /* files of dead processes that its end added */
	bool is_excused; /* it may leave something: it was told to end, or a signal ended it */
	unsigned int color;
	struct stream streams[2]; /* not of one under gdb, which has the terminal */
};

enum group_state {
	GROUP_STARTS,	/* some members are not started yet */
	GROUP_RUNS,	/* all are started */
	GROUP_FAILS,	/* one has failed; the others may notice, until the deadline */
	GROUP_STOPS,	/* members have got SIGINT; ends are no failures any more */
	GROUP_ENDS,	/* members have got SIGTERM */
	GROUP_KILLS,	/* members are being killed */
	GROUP_GIVES_UP, /* killed members do not go away; they are not waited for */
};

struct group {
	struct member members[MAX_MEMBERS];
	size_t num_members;
	enum group_state state;
	uint64_t deadline;  /* of the state; ms, UINT64_MAX: none */
	uint64_t timeout;   /* of the whole group; the same */
	uint64_t next_look; /* when to see whether a member listens; ms */
	uint64_t wait;	    /* ms to wait for a member to listen */
	int status;	    /* first that was not 0 */
	bool as_json;
	unsigned int num_dead;	  /* files of dead processes when the last member ended */
	char directory[PATH_MAX]; /* runtime directory */
	int directory_fd;
};

/* run_group.c. Runs the group to its end; returns the exit status of the command. */
int group_run(struct group *group);
uint64_t now_ms(void);

/* run_member.c. False: it cannot be started, with a message. */
bool member_start(struct group *group, struct member *member);
void member_signal(const struct member *member, int signal);
/* Records the status of wait(). */
void member_end(struct member *member, int wait_status);
/* Exit status of an ended member, as a shell gives it. */
int member_status(const struct member *member);

/* run_ready.c. Does it listen, and by what? */
bool member_listens(const struct member *member, char *by, size_t size);

/* run_output.c. */
void output_begin(const struct group *group);
/* Reads what is there; closes the stream at its end. */
void output_read(const struct group *group, const struct member *member, struct stream *stream);
/* Prints the rest of an unfinished line. */
void output_flush(const struct group *group, const struct member *member, struct stream *stream);
void output_directory(const struct group *group);
void output_started(const struct group *group, const struct member *member);
void output_ready(const struct group *group, const struct member *member, const char *by);
void output_ended(const struct group *group, const struct member *member);
void output_left(const struct group *group, const char *kind, const char *what);
void output_note(const struct group *group, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void output_over(const struct group *group);

/* run_watch.c. Reports what living members are doing; takes a moment. */
void members_tell(const struct group *group);

/* run_leftover.c. After all members have ended: reports and removes what they left behind. False:
 * there was something, and not only of members that are excused. */
bool leftovers_clear(const struct group *group);
/* Members that have just ended. */
void leftovers_note(struct group *group, struct member *const *ended, size_t num);
/* Before the first member starts. */
void leftovers_begin(void);

/* run_directory.c: runtime directories of groups, /tmp/softdpu-UID-run.XXXXXX. */
/* Makes one, which is in use while somebody has the descriptor open. -1: failed, with a message. */
int run_directory_make(char path[PATH_MAX]);
/* In a child: lets the program that it executes inherit the descriptor. */
void run_directory_inherit(int fd);
void run_directory_remove(const char *path);
/* Calls fn for each that nobody uses any more, under a lock; an exclusive one if it is to remove.
 */
typedef void (*run_directory_fn)(const char *path, void *arg);
void run_directory_each_abandoned(bool to_remove, run_directory_fn fn, void *arg);
/* Calls fn for each in which a group runs. */
void run_directory_each_used(run_directory_fn fn, void *arg);

#endif /* TOOLS_RUN_H_ */
