/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `softdpu run`: one program with the right library path, in whose place it comes; or a group of
 * programs in a runtime directory of its own (run_group.c).
 */
#include "command.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "place.h"
#include "run.h"

#define WAIT_S 5
#define MAX_SECONDS 1000000

static const struct command_option options[] = {
	{"dpu", "COMMAND", "a program on the DPU's side", WORDS_COMMAND, NULL},
	{"host", "COMMAND", "a program on the host's side", WORDS_COMMAND, NULL},
	{"on", "NAME COMMAND", "a program of this name, which sees both sides", WORDS_NONE, NULL},
	{"topology", "FILE", "devices from this file (SOFTDPU_TOPOLOGY)", WORDS_FILE, NULL},
	{"timeout", "S", "end the group after so many seconds, with status 124", WORDS_NONE, NULL},
	{"wait", "S", "start the next after so many seconds at the latest (5)", WORDS_NONE, NULL},
	{"gdb", "NAME", "run this one under gdb, which has the terminal", WORDS_LISTED, "dpu host"},
	{"valgrind", "NAME", "run this one under valgrind", WORDS_LISTED, "dpu host"},
	{"json", NULL, "print all that happens as JSON, one object a line", WORDS_NONE, NULL},
	OPTION_END,
};

struct request {
	const struct command *command;
	struct group *group;
	const char *named; /* of --on, until its command follows */
	const char *gdb, *valgrind;
	bool has_group_options;
};

static bool refuse(const struct request *request, const char *what, const char *value)
{
	options_refuse(request->command, "%s, but was given \"%s\"", what, value);
	return false;
}

static struct member *find_member(struct group *group, const char *name)
{
	size_t i;

	for (i = 0; i < group->num_members; i++)
		if (strcmp(group->members[i].name, name) == 0)
			return &group->members[i];
	return NULL;
}

/* "host", then "host2". */
static void choose_name(struct group *group, const char *side, char name[MEMBER_NAME_SIZE])
{
	int n = 1;

	snprintf(name, MEMBER_NAME_SIZE, "%s", side);
	while (find_member(group, name) != NULL)
		snprintf(name, MEMBER_NAME_SIZE, "%.8s%d", side, ++n);
}

static bool add_member(struct request *request, const char *name, const char *side,
		       const char *line)
{
	struct group *group = request->group;
	struct member *member = &group->members[group->num_members];

	if (group->num_members == MAX_MEMBERS)
		return refuse(request, "starts 16 programs at most", line);
	if (line[strspn(line, " \t\n")] == '\0')
		return refuse(request, "a program needs a command", line);
	snprintf(member->name, sizeof(member->name), "%s", name);
	member->command = line;
	member->side = side;
	member->color = (unsigned int)group->num_members;
	member->streams[0].fd = member->streams[1].fd = -1;
	group->num_members++;
	return true;
}

static bool add_on_side(struct request *request, const char *side, const char *line)
{
	char name[MEMBER_NAME_SIZE];

	choose_name(request->group, side, name);
	return add_member(request, name, side, line);
}

static bool check_name(const struct request *request, const char *name)
{
	size_t i, len = strlen(name);

	for (i = 0; i < len; i++)
		if (!isalnum((unsigned char)name[i]) && strchr("_-.", name[i]) == NULL)
			break;
	if (len == 0 || len >= MEMBER_NAME_SIZE || i < len)
		return refuse(request, "a name is 1 to 23 letters, digits, _, - and .", name);
	if (find_member(request->group, name) != NULL)
		return refuse(request, "each program needs a name of its own", name);
	return true;
}

static bool take_seconds(const struct request *request, const char *value, uint64_t *ms)
{
	char *end;
	double seconds = strtod(value, &end);

	if (*value == '\0' || *end != '\0' || !(seconds > 0 && seconds <= MAX_SECONDS))
		return refuse(request, "needs a number of seconds", value);
	*ms = (uint64_t)(seconds * 1000 + 0.5);
	return true;
}

/* For programs that run elsewhere, an absolute path. */
static bool take_topology(const struct request *request, const char *value)
{
	char path[PATH_MAX];

	if (realpath(value, path) == NULL || access(path, R_OK) != 0) {
		options_refuse(request->command, "cannot read %s: %s", value, strerror(errno));
		return false;
	}
	return setenv("SOFTDPU_TOPOLOGY", path, 1) == 0;
}

static bool take_on(struct request *request, const char *value)
{
	const char *name = request->named;

	if (name == NULL) {
		request->named = value;
		return check_name(request, value);
	}
	request->named = NULL;
	return add_member(request, name, NULL, value);
}

static bool take_option(const char *name, const char *value, void *arg)
{
	struct request *request = arg;
	struct group *group = request->group;

	if (strcmp(name, "topology") == 0)
		return take_topology(request, value);
	request->has_group_options = true;
	if (strcmp(name, "dpu") == 0 || strcmp(name, "host") == 0)
		return add_on_side(request, name, value);
	if (strcmp(name, "on") == 0)
		return take_on(request, value);
	if (strcmp(name, "timeout") == 0)
		return take_seconds(request, value, &group->timeout);
	if (strcmp(name, "wait") == 0)
		return take_seconds(request, value, &group->wait);
	if (strcmp(name, "gdb") == 0)
		request->gdb = value;
	else if (strcmp(name, "valgrind") == 0)
		request->valgrind = value;
	else
		group->as_json = true;
	return true;
}

static bool use_tool(const struct request *request, const char *name, enum member_tool tool)
{
	struct member *member;

	if (name == NULL)
		return true;
	member = find_member(request->group, name);
	if (member == NULL)
		return refuse(request,
			      "--gdb and --valgrind take the name of a program of the group: dpu, "
			      "host or that of --on",
			      name);
	if (member->tool != TOOL_NONE)
		return refuse(request, "a program runs under gdb or under valgrind", name);
	member->tool = tool;
	return true;
}

/* What is started finds our libraries and, by their bare names, our programs. */
static bool set_paths(void)
{
	struct place place;

	return place_find("softdpu run", &place) &&
	       place_prepend(&place, PLACE_LIB, "LD_LIBRARY_PATH") &&
	       place_prepend(&place, PLACE_PROGRAMS, "PATH");
}

static int run_alone(char **argv)
{
	int error;

	if (!set_paths())
		return EXIT_CANNOT_RUN;
	execvp(argv[0], argv);
	error = errno;
	fprintf(stderr, "softdpu run: %s: %s\n", argv[0], strerror(error));
	return error == ENOENT ? 127 : 126;
}

/* Whether a second word is an argument or another program, nobody can tell. */
static int refuse_bare(const struct command *command, char *const *words)
{
	bool are_two = words[1] != NULL;

	return options_refuse(command,
			      "needs -- in front of one program: softdpu run -- %s%s%s; two, "
			      "together, are: softdpu run --dpu '%s' --host '%s'",
			      words[0], are_two ? " " : "", are_two ? words[1] : "", words[0],
			      are_two ? words[1] : "PROGRAM");
}

static int run_together(struct group *group)
{
	int status;

	if (!set_paths())
		return EXIT_CANNOT_RUN;
	group->directory_fd = run_directory_make(group->directory);
	if (group->directory_fd < 0)
		return EXIT_CANNOT_RUN;
	setenv("SOFTDPU_RUNTIME_DIR", group->directory, 1);
	if (group->timeout != UINT64_MAX)
		group->timeout += now_ms();
	status = group_run(group);
	run_directory_remove(group->directory);
	return status;
}

static int run_run(const struct command *command, int argc, char **argv)
{
	static struct group group = {.timeout = UINT64_MAX, .wait = WAIT_S * 1000};
	struct request request = {.command = command, .group = &group};
	int status;
	int first = options_parse(command, argc, argv, take_option, &request, &status);

	if (first < 0)
		return status;
	if (group.num_members == 0 && request.has_group_options)
		return options_refuse(
			command, "these options are for a group; it needs --dpu, --host or --on");
	if (group.num_members == 0 && first == argc)
		return options_refuse(command, "needs --dpu and --host, or one program after --");
	if (group.num_members == 0 && strcmp(argv[first - 1], "--") != 0)
		return refuse_bare(command, argv + first);
	if (group.num_members == 0)
		return run_alone(argv + first);
	if (first < argc)
		return options_refuse(command, "a group has no use for \"%s\"", argv[first]);
	if (!use_tool(&request, request.gdb, TOOL_GDB) ||
	    !use_tool(&request, request.valgrind, TOOL_VALGRIND))
		return EXIT_USAGE;
	return run_together(&group);
}

const struct command command_run = {
	.name = "run",
	.operands = "[-- PROGRAM [ARGUMENT...]]",
	.summary = "run a program, or programs of DPU and host together",
	.details = "With -- one program is executed in place of this command, with our libraries\n"
		   "and programs in front of LD_LIBRARY_PATH and PATH.\n"
		   "\n"
		   "With --dpu, --host or --on a group of programs runs in a runtime directory of\n"
		   "its own. They start in the order in which they are named, each when the one\n"
		   "before listens (to Comch, RDMA or TCP) or has ended with status 0. The group\n"
		   "is over when all have ended. When one fails, or at Ctrl-C, the others are\n"
		   "ended. The exit status is that of the first that failed. Processes and files\n"
		   "that are left over at the end are reported and removed; the status is then\n"
		   "123. softdpu explain STATUS says more.\n",
	.example = "  softdpu run --dpu doca_comch_ctrl_path_server \\\n"
		   "              --host 'doca_comch_ctrl_path_client -t \"Hello\"' --timeout 10\n",
	.options = options,
	.kind = WORDS_PROGRAM,
	.run = run_run,
};
