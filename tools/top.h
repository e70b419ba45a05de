/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `softdpu top`: takes readings of all processes (source), and shows the model made of them: as a
 * table at each interval, as JSON, as a file for Prometheus, or on a terminal with keys.
 *
 * The one thread of the command owns everything. Processes that come are found at the next reading,
 * and those that have ended are dropped. A stopped process is waited for once, then asked without
 * waiting.
 */
#ifndef TOOLS_TOP_H_
#define TOOLS_TOP_H_

#include <stdio.h>

#include <doca_error.h>

#include "top_model.h"
#include "top_view.h"

/* top_source.c. */
struct top_source;
struct top_source *top_source_begin(pid_t pid); /* 0: all processes */
/* Replaces the reading. An error: the runtime directory cannot be read. */
doca_error_t top_source_read(struct top_source *source, struct top_reading *reading);
void top_source_end(struct top_source *source);

/* top_objects.c: adds the objects that a process has reported to the reading. */
void top_objects_take(pid_t pid, const struct softdpu_reading *from, struct top_reading *to);

/* top_table.c: the table as plain text. */
void top_table_print(const struct top_model *model, const struct top_view *view, FILE *out);

/* top_json.c: one line. */
void top_json_print(const struct top_model *model, const struct top_view *view);

/* top_prometheus.c: replaces the whole file atomically. False: failed, with a message. */
void top_prometheus_print(const struct top_model *model, const struct top_view *view, FILE *out);
bool top_prometheus_write(const struct top_model *model, const struct top_view *view,
			  const char *path);

/* What the command line asks for. */
struct top_request {
	pid_t pid;	     /* 0: all */
	double interval;     /* s */
	unsigned long count; /* 0: without end */
	bool as_json;
	const char *prometheus; /* file; NULL: none */
	struct top_view view;
};

/* top_loop.c: a reading at each interval. */
struct top_loop {
	const struct top_request *request;
	struct top_source *source;
	struct top_reading reading;
	struct top_model model;
	uint64_t next; /* when the next one is due; monotonic, ns */
};
void top_loop_begin(struct top_loop *loop, const struct top_request *request);
doca_error_t top_loop_update(struct top_loop *loop);
/* Skips the reading that is due. */
void top_loop_skip(struct top_loop *loop);
void top_loop_end(struct top_loop *loop);
uint64_t top_now(void);

/* top_where.c: lines that say whose processes these are if not the usual ones, which groups of
 * softdpu run there are, and why a table is empty. */
#define TOP_WHERE_SIZE 4096
void top_where_tell(const struct top_loop *loop, char text[TOP_WHERE_SIZE]);

/* top_screen.c: can it use standard output as a terminal? False: no, with a message. */
bool top_screen_is_able(void);
/* Until the user quits, count is reached, or a signal ends the program. Returns the result of the
 * last reading. */
doca_error_t top_screen_run(struct top_loop *loop, struct top_view *view);

#endif /* TOOLS_TOP_H_ */
