/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Output of a group: each line of a member after its name, or everything as one JSON object per
 * line. What the command itself has to say goes to standard error, or is an event among the others.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "json_out.h"
#include "run.h"

static const char *const colors[] = {"\033[36m", "\033[33m", "\033[35m", "\033[32m", "\033[34m"};
#define NUM_COLORS (sizeof(colors) / sizeof(colors[0]))

static int name_width;
static bool is_colored[2]; /* standard output, standard error */

void output_begin(const struct group *group)
{
	size_t i;

	name_width = (int)strlen("softdpu");
	for (i = 0; i < group->num_members; i++)
		if ((int)strlen(group->members[i].name) > name_width)
			name_width = (int)strlen(group->members[i].name);
	is_colored[0] = isatty(STDOUT_FILENO);
	is_colored[1] = isatty(STDERR_FILENO);
	setvbuf(stdout, NULL, _IOLBF, 0);
}

static struct json_object *event(const char *name, const struct member *member)
{
	struct json_object *object = json_object_new_object();

	json_add_text(object, "event", name);
	if (member != NULL)
		json_add_text(object, "program", member->name);
	return object;
}

static void print_line(FILE *out, const char *name, const char *color, const char *line, size_t len)
{
	bool colored = is_colored[out == stderr] && color != NULL;

	fprintf(out, "%s%-*s |%s ", colored ? color : "", name_width, name,
		colored ? "\033[0m" : "");
	fwrite(line, 1, len, out);
	putc('\n', out);
}

static void print_output(const struct group *group, const struct member *member,
			 const struct stream *stream, size_t len)
{
	struct json_object *object;

	if (!group->as_json) {
		print_line(stream->is_err ? stderr : stdout, member->name,
			   colors[member->color % NUM_COLORS], stream->line, len);
		return;
	}
	object = event("output", member);
	json_add_text(object, "stream", stream->is_err ? "stderr" : "stdout");
	json_add(object, "line", json_text(stream->line, len));
	json_print_line(object);
}

/* Whole lines, and what fills the buffer without one. */
static void print_lines(const struct group *group, const struct member *member,
			struct stream *stream)
{
	const char *end;

	while ((end = memchr(stream->line, '\n', stream->len)) != NULL) {
		size_t len = (size_t)(end - stream->line);

		print_output(group, member, stream, len);
		stream->len -= len + 1;
		memmove(stream->line, end + 1, stream->len);
	}
	if (stream->len == sizeof(stream->line))
		output_flush(group, member, stream);
}

void output_flush(const struct group *group, const struct member *member, struct stream *stream)
{
	if (stream->len > 0)
		print_output(group, member, stream, stream->len);
	stream->len = 0;
}

void output_read(const struct group *group, const struct member *member, struct stream *stream)
{
	ssize_t got =
		read(stream->fd, stream->line + stream->len, sizeof(stream->line) - stream->len);

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got > 0) {
		stream->len += (size_t)got;
		print_lines(group, member, stream);
		return;
	}
	output_flush(group, member, stream);
	close(stream->fd);
	stream->fd = -1;
}

void output_note(const struct group *group, const char *fmt, ...)
{
	struct json_object *object;
	char text[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (!group->as_json) {
		print_line(stderr, "softdpu", "\033[1m", text, strlen(text));
		return;
	}
	object = event("note", NULL);
	json_add_text(object, "text", text);
	json_print_line(object);
}

void output_directory(const struct group *group)
{
	struct json_object *object;

	if (!group->as_json) {
		output_note(group, "the group's directory: SOFTDPU_RUNTIME_DIR=%s",
			    group->directory);
		return;
	}
	object = event("begin", NULL);
	json_add_text(object, "directory", group->directory);
	json_print_line(object);
}

void output_started(const struct group *group, const struct member *member)
{
	struct json_object *object;

	if (!group->as_json)
		return;
	object = event("start", member);
	json_add_text(object, "command", member->command);
	json_add_int(object, "pid", member->pid);
	json_print_line(object);
}

void output_ready(const struct group *group, const struct member *member, const char *by)
{
	uint64_t after = now_ms() - member->started;
	struct json_object *object;

	if (!group->as_json) {
		output_note(group, "%s is ready after %u.%02u s: %s", member->name,
			    (unsigned int)(after / 1000), (unsigned int)(after % 1000 / 10), by);
		return;
	}
	object = event("ready", member);
	json_add_text(object, "by", by);
	json_add_int(object, "after_ms", (int64_t)after);
	json_print_line(object);
}

void output_ended(const struct group *group, const struct member *member)
{
	int status = member_status(member);
	struct json_object *object;

	if (!group->as_json) {
		if (WIFSIGNALED(member->wait_status))
			output_note(group, "%s was ended by signal %d (%s)", member->name,
				    status - 128, strsignal(status - 128));
		else if (status != 0)
			output_note(group, "%s ended with status %d", member->name, status);
		return;
	}
	object = event("end", member);
	json_add_int(object, "status", status);
	json_print_line(object);
}

void output_left(const struct group *group, const char *kind, const char *what)
{
	struct json_object *object;

	if (!group->as_json)
		return;
	object = event("left", NULL);
	json_add_text(object, "kind", kind);
	json_add_text(object, "what", what);
	json_print_line(object);
}

void output_over(const struct group *group)
{
	struct json_object *object;

	if (!group->as_json)
		return;
	object = event("over", NULL);
	json_add_int(object, "status", group->status);
	json_print_line(object);
}
