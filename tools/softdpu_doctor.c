/* SPDX-License-Identifier: BSD-3-Clause */
/* `softdpu doctor`: runs the checks and stops at the first that is bad. */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "doctor.h"
#include "json_out.h"
#include "options.h"
#include "text.h"

static const struct {
	const char *name;
	check_fn look;
} checks[] = {
	{"libraries", doctor_library},		 {"program", doctor_program},
	{"environment", doctor_environment},	 {"directory", doctor_directory},
	{"topology", doctor_topology},		 {"memory access", doctor_access},
	{"shared memory", doctor_shared_memory}, {"limits", doctor_limits},
	{"processors", doctor_processors},	 {"network", doctor_fabric},
	{"self-test", doctor_selftest},
};

#define NUM_CHECKS (sizeof(checks) / sizeof(checks[0]))

static const char *const verdicts[] = {"good", "note", "BAD"};
static const char *const colors[] = {"\033[32m", "\033[33m", "\033[31m"};

static const struct command_option options[] = {OPTION_JSON, OPTION_END};

#define INDENT 20 /* of what was found */

static void print_check(const char *name, enum verdict verdict, const struct finding *finding)
{
	const char *color = isatty(STDOUT_FILENO) ? colors[verdict] : "";

	printf("%s%-4s%s %-14s ", color, verdicts[verdict], *color ? "\033[0m" : "", name);
	text_print(INDENT, finding->found);
	if (verdict == VERDICT_GOOD)
		return;
	printf("%*s", INDENT, "cure: ");
	text_print(INDENT, finding->cure);
}

static void add_check(struct json_object *array, const char *name, enum verdict verdict,
		      const struct finding *finding)
{
	struct json_object *object = json_object_new_object();

	json_add_text(object, "name", name);
	json_add_text(object, "verdict", verdict == VERDICT_BAD ? "bad" : verdicts[verdict]);
	json_add_text(object, "found", finding->found);
	json_add_text(object, "cure", verdict == VERDICT_GOOD ? NULL : finding->cure);
	json_object_array_add(array, object);
}

/* array: NULL for text. True: nothing is bad. */
static bool run_checks(const char *program, struct json_object *array, unsigned int *num_notes)
{
	enum verdict verdict;
	size_t i;

	for (i = 0; i < NUM_CHECKS; i++) {
		struct finding finding = {0};

		verdict = checks[i].look(program, &finding);
		if (verdict == VERDICT_NONE)
			continue;
		if (array != NULL)
			add_check(array, checks[i].name, verdict, &finding);
		else
			print_check(checks[i].name, verdict, &finding);
		fflush(stdout);
		*num_notes += verdict == VERDICT_NOTE;
		if (verdict == VERDICT_BAD)
			return false;
	}
	return true;
}

static void sum_up(bool good, unsigned int num_notes)
{
	const char *color = isatty(STDOUT_FILENO) ? colors[VERDICT_GOOD] : "";

	if (!good)
		return;
	printf("%sAll is well%s%s\n", color, *color ? "\033[0m" : "",
	       num_notes > 0 ? "; the notes tell what could be better." : ".");
}

static int doctor_run(const struct command *command, int argc, char **argv)
{
	struct json_object *object = NULL, *array = NULL;
	bool as_json = false, good;
	unsigned int num_notes = 0;
	int status;
	int first = options_parse_flags(command, argc, argv, &as_json, &status);

	if (first < 0)
		return status;
	if (argc - first > 1)
		return options_refuse(command, "looks at one program at a time");
	if (as_json) {
		object = json_object_new_object();
		array = json_add_array(object, "checks");
	}
	good = run_checks(first < argc ? argv[first] : NULL, array, &num_notes);
	if (as_json) {
		json_add_bool(object, "healthy", good);
		json_print(object);
	} else {
		sum_up(good, num_notes);
	}
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

const struct command command_doctor = {
	.name = "doctor",
	.operands = "[PROGRAM]",
	.summary = "check whether programs can run here, and what to do",
	.details =
		"Checks what programs need, one thing after the other: libraries, environment,\n"
		"runtime directory, devices, memory, limits, processors, network. The last check\n"
		"runs Comch and RDMA between two processes, for one second. It stops at the first\n"
		"that is BAD, and prints a cure. A note is about what works, but could be better.\n"
		"With PROGRAM it also checks which libraries that would load; the program itself "
		"is\n"
		"not executed. Exit status 1: something is bad.\n",
	.example = "  softdpu doctor\n"
		   "  softdpu doctor ./server\n",
	.options = options,
	.kind = WORDS_FILE,
	.run = doctor_run,
};
