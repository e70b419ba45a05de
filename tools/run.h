/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `softdpu run` of several programs: a group of members in a runtime directory of their own.
 *
 * Owner of everything is the one thread of the command. Members are processes that lead process
 * groups of their own; the command is the one to which orphans of theirs are given, so that nothing
 * of them outlives it unseen. Should it be killed, the shells of its members get SIGTERM.
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
#define LINE_SIZE 8192 /* of output; what is longer is cut into lines of this */

/* Exit statuses of the command besides those of its members; as timeout(1) and env(1) have them. */
#define EXIT_LEFT_OVERS 123
#define EXIT_TIMED_OUT 124
#define EXIT_CANNOT_RUN 125

enum member_state {
	MEMBER_WAITS, /* for its turn to start */
	MEMBER_RUNS,  /* started; not seen to listen */
	MEMBER_READY, /* it listens, or is taken to be ready */
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
	unsigned int num_left; /* files of the dead that its end added */
	bool is_excused;       /* that it left something: it was ended, or a signal ended it */
	unsigned int color;
	struct stream streams[2]; /* not of one under gdb, which has the terminal */
};

enum group_state {
	GROUP_STARTS,	/* members wait for the ones before */
	GROUP_RUNS,	/* all are started */
	GROUP_FAILS,	/* one has failed; the others may notice, until the deadline */
	GROUP_STOPS,	/* members have got SIGINT; from here on none can fail */
	GROUP_ENDS,	/* members have got SIGTERM */
	GROUP_KILLS,	/* members are being killed */
	GROUP_GIVES_UP, /* what was killed does not go away, and is waited for no more */
};

struct group {
	struct member members[MAX_MEMBERS];
	size_t num_members;
	enum group_state state;
	uint64_t deadline;  /* of the state; ms, UINT64_MAX: none */
	uint64_t timeout;   /* when the whole group is to be over; the same */
	uint64_t next_look; /* at a member that does not listen yet; ms */
	uint64_t wait;	    /* ms for which one that does not listen is waited for */
	int status;	    /* first that was not 0 */
	bool as_json;
	unsigned int num_dead;	  /* files of the dead at the last end of a member */
	char directory[PATH_MAX]; /* runtime directory */
	int directory_fd;
};

/* run_group.c. Runs it to its end; the status for the command to end with. */
int group_run(struct group *group);
uint64_t now_ms(void);

/* run_member.c. False: it cannot be started, which was told. */
bool member_start(struct group *group, struct member *member);
void member_signal(const struct member *member, int signal);
/* What wait() said of it. */
void member_end(struct member *member, int wait_status);
/* Of one that has ended, as a shell has it. */
int member_status(const struct member *member);

/* run_ready.c. Looks whether it listens, and says by what; false: not yet. */
bool member_listens(const struct member *member, char *by, size_t size);

/* run_output.c. */
void output_begin(const struct group *group);
/* Reads what there is; closes the stream at its end. */
void output_read(const struct group *group, const struct member *member, struct stream *stream);
/* Rest of a line that will not be finished. */
void output_flush(const struct group *group, const struct member *member, struct stream *stream);
void output_directory(const struct group *group);
void output_started(const struct group *group, const struct member *member);
void output_ready(const struct group *group, const struct member *member, const char *by);
void output_ended(const struct group *group, const struct member *member);
void output_left(const struct group *group, const char *kind, const char *what);
void output_note(const struct group *group, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void output_over(const struct group *group);

/* run_watch.c. What those that live are at; takes a moment. */
void members_tell(const struct group *group);

/* run_leftover.c. Members are over: reports and removes what they left; false: some of it is no
 * matter of course, as none is of members that could not help it. */
bool leftovers_clear(const struct group *group);
/* These have just ended. */
void leftovers_note(struct group *group, struct member *const *ended, size_t num);
/* Notes what is there before. */
void leftovers_begin(void);

/* run_directory.c: runtime directories of groups, /tmp/softdpu-UID-run.XXXXXX. */
/* Makes one, which is in use as long as anybody has this descriptor open. -1: cannot be, as told.
 */
int run_directory_make(char path[PATH_MAX]);
/* In a child: whatever it executes has the descriptor, too. */
void run_directory_inherit(int fd);
void run_directory_remove(const char *path);
/* Calls fn for each that nobody uses any more; nobody else does meanwhile, if it is to remove it.
 */
typedef void (*run_directory_fn)(const char *path, void *arg);
void run_directory_each_abandoned(bool to_remove, run_directory_fn fn, void *arg);
/* The same for each in which a group runs. */
void run_directory_each_used(run_directory_fn fn, void *arg);

#endif /* TOOLS_RUN_H_ */
