/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `softdpu explain`: what an error code, a variable of the environment or a capability means here,
 * and what to do about it; or which codes a function returns.
 */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain.h"
#include "json_out.h"
#include "options.h"
#include "text.h"

enum { FLAG_CALLS, FLAG_NAMES, FLAG_JSON, NUM_FLAGS };

static const struct command_option options[] = {
	[FLAG_CALLS] = {"calls", NULL, "all calls that return the error, and when", WORDS_NONE,
			NULL},
	[FLAG_NAMES] = {"names", NULL, "list what can be explained", WORDS_NONE, NULL},
	[FLAG_JSON] = OPTION_JSON,
	OPTION_END,
};

static const struct {
	const char *name;
	const char *title;
	const char *page;
} kinds[] = {
	[EXPLAIN_ERROR] = {"error", "Error codes", "7 softdpu-errors"},
	[EXPLAIN_VARIABLE] = {"variable", "Variables of the environment", "7 softdpu-environment"},
	[EXPLAIN_CAPABILITY] = {"capability", "Capabilities", "7 softdpu-capabilities"},
	[EXPLAIN_STATUS] = {"status", "Exit statuses of softdpu run", "1 softdpu"},
};

static bool is_call_of(const struct explain_call *call, const struct explain_topic *topic)
{
	return topic->kind == EXPLAIN_ERROR && (int)call->code == atoi(topic->value);
}

/* ---- text ---- */

static void print_indented(const char *lead, const char *text)
{
	fputs(lead, stdout);
	text_print((int)strlen(lead), text);
}

static void print_call(const char *function, const char *when)
{
	printf("  %s()%s\n", function, *when != '\0' ? ":" : "");
	if (*when != '\0')
		print_indented("      ", when);
}

static void print_lines(const char *title, const struct explain_line *line)
{
	const char *last = "";

	if (line == NULL)
		return;
	printf("\n%s\n", title);
	for (; line->text != NULL; line++) {
		if (*line->function == '\0')
			print_indented("  - ", line->text);
		else if (strcmp(line->function, last) == 0)
			print_indented("      ", line->text);
		else
			print_call(line->function, line->text);
		last = line->function;
	}
}

static void print_calls(const struct explain_topic *topic)
{
	const struct explain_call *call;

	printf("\nReturned by, as the headers say:\n");
	for (call = explain_calls; call->function != NULL; call++) {
		if (is_call_of(call, topic))
			print_call(call->function, call->when);
	}
}

static void print_head(const struct explain_topic *topic)
{
	const char *set;

	if (topic->kind != EXPLAIN_ERROR) {
		printf("%s: %s\n", topic->name, topic->value);
	} else {
		printf("%s (%s): %s\n", topic->name, topic->value, explain_descr(topic));
	}
	if (topic->kind == EXPLAIN_VARIABLE) {
		set = getenv(topic->name);
		printf("Here: %s\n", set == NULL ? "not set" : set);
	}
	putchar('\n');
}

static void print_topic(const struct explain_topic *topic, bool with_calls)
{
	print_head(topic);
	text_print(0, topic->means);
	if (with_calls && topic->kind == EXPLAIN_ERROR)
		print_calls(topic);
	else
		print_lines("It comes from:", topic->calls);
	print_lines("It is told by:", topic->asked);
	print_lines("What to do:", topic->cures);
	printf("\nMore: man %s\n", kinds[topic->kind].page);
}

static void print_names(bool with_titles)
{
	const struct explain_topic *topic;
	int last = -1;

	for (topic = explain_topics; topic->name != NULL; topic++) {
		if (with_titles && (int)topic->kind != last)
			printf("%s%s:\n", last < 0 ? "" : "\n", kinds[topic->kind].title);
		last = topic->kind;
		if (with_titles)
			printf("  %-32s %s\n", topic->name, topic->value);
		else
			puts(topic->name);
	}
}

/* ---- JSON ---- */

static struct json_object *call_as_json(const char *key, const char *value, const char *when)
{
	struct json_object *object = json_object_new_object();

	json_add_text(object, key, value);
	json_add_text(object, "when", when);
	return object;
}

static void add_lines(struct json_object *object, const char *key, const struct explain_line *line)
{
	struct json_object *array = json_add_array(object, key);

	for (; line != NULL && line->text != NULL; line++) {
		if (*line->function == '\0' || *line->text == '\0') {
			const char *text = *line->function == '\0' ? line->text : line->function;

			json_object_array_add(array, json_text(text, strlen(text)));
			continue;
		}
		json_object_array_add(array, call_as_json("function", line->function, line->text));
	}
}

static void add_calls(struct json_object *object, const struct explain_topic *topic)
{
	struct json_object *array = json_add_array(object, "returned_by");
	const struct explain_call *call;

	for (call = explain_calls; call->function != NULL; call++) {
		if (is_call_of(call, topic))
			json_object_array_add(array,
					      call_as_json("function", call->function, call->when));
	}
}

static struct json_object *topic_as_json(const struct explain_topic *topic, bool with_calls)
{
	struct json_object *object = json_object_new_object();

	json_add_text(object, "kind", kinds[topic->kind].name);
	json_add_text(object, "name", topic->name);
	if (topic->kind == EXPLAIN_ERROR)
		json_add_int(object, "number", atoi(topic->value));
	else
		json_add_text(object, "value", topic->value);
	if (topic->kind == EXPLAIN_VARIABLE)
		json_add_text(object, "set_to", getenv(topic->name));
	json_add_text(object, "means", topic->means);
	add_lines(object, "comes_from", topic->calls);
	add_lines(object, "told_by", topic->asked);
	add_lines(object, "cures", topic->cures);
	if (with_calls)
		add_calls(object, topic);
	return object;
}

static void print_all_json(void)
{
	struct json_object *array = json_object_new_array();
	const struct explain_topic *topic;

	for (topic = explain_topics; topic->name != NULL; topic++)
		json_object_array_add(array, topic_as_json(topic, false));
	json_print(array);
}

/* ---- the command ---- */

static int tell_unknown(const char *name)
{
	const char *near[3];
	size_t i, n = explain_suggest(name, near, 3);

	fprintf(stderr, "softdpu explain: nothing is known of \"%s\"; ", name);
	if (n == 0)
		fputs("softdpu explain lists what is\n", stderr);
	for (i = 0; i < n; i++)
		fprintf(stderr, "%s%s%s",
			i == 0	    ? "is it "
			: i < n - 1 ? ", "
				    : " or ",
			near[i], i == n - 1 ? "?\n" : "");
	return EXIT_FAILURE;
}

static void list_all(const bool *flags)
{
	if (flags[FLAG_JSON])
		print_all_json();
	else
		print_names(!flags[FLAG_NAMES]);
}

/* False: nothing of this name is known. */
static bool explain_one(const char *name, const bool *flags)
{
	const struct explain_topic *topic = explain_find(name);
	const struct explain_page *page = explain_find_page(name);

	if (topic == NULL && page == NULL)
		return false;
	if (topic == NULL)
		(flags[FLAG_JSON] ? explain_page_print_json : explain_page_print)(page);
	else if (flags[FLAG_JSON])
		json_print(topic_as_json(topic, flags[FLAG_CALLS]));
	else
		print_topic(topic, flags[FLAG_CALLS]);
	return true;
}

/* Several words are one text, as programs print it: `softdpu explain Invalid input`. */
static int explain_text(const struct command *command, int argc, char **argv, const bool *flags)
{
	char text[256] = "";
	size_t len = 0;
	int i;

	if (argc == 1)
		return explain_one(argv[0], flags) ? EXIT_SUCCESS : tell_unknown(argv[0]);
	for (i = 0; i < argc && len < sizeof(text); i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s", i > 0 ? " " : "",
					argv[i]);
	if (len < sizeof(text) && explain_one(text, flags))
		return EXIT_SUCCESS;
	return options_refuse(command, "explains one thing at a time");
}

static int explain_run(const struct command *command, int argc, char **argv)
{
	bool flags[NUM_FLAGS] = {false};
	int status;
	int first = options_parse_flags(command, argc, argv, flags, &status);

	if (first < 0)
		return status;
	if (first < argc)
		return explain_text(command, argc - first, argv + first, flags);
	list_all(flags);
	return EXIT_SUCCESS;
}

const struct command command_explain = {
	.name = "explain",
	.operands = "[NAME|NUMBER|TEXT]",
	.summary = "say what an error, variable, capability or function means",
	.details = "A name may be given without DOCA_ERROR_ or SOFTDPU_, and in small letters;\n"
		   "an error also by its number, or as programs print it (\"Not connected\").\n"
		   "For a function its error codes are listed, for a header its functions. A\n"
		   "number over 31 is an exit status of softdpu run. Without a name all names\n"
		   "are listed. Exit status 1: the name is not known.\n",
	.example = "  softdpu explain AGAIN\n"
		   "  softdpu explain SOFTDPU_POLL\n"
		   "  softdpu explain doca_comch_server_create\n",
	.options = options,
	.kind = WORDS_TOPIC,
	.run = explain_run,
};
