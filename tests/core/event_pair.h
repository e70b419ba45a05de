/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sync events of two processes: one exports, the other imports, and a line between the two. Both
 * processes of a round are fresh ones; a process has one device.
 */
#ifndef TESTS_CORE_EVENT_PAIR_H
#define TESTS_CORE_EVENT_PAIR_H

#include "core/event_kit.h"

#define NUM_WINDOWS 4
extern const char *const pair_windows[NUM_WINDOWS];

/* How the two sides of a round are made. */
struct event_plan {
	const char *exporter; /* devices */
	const char *importer;
	bool users_memory; /* the exporter's counter lies there */
	const char *window;
	void (*run)(const struct event_plan *plan);
};
extern const struct event_plan pair_to_dpu, pair_to_host;

/* Runs it in a fresh process for each kind of window and each place of the counter. */
void pair_each_window(struct event_plan plan, void (*run)(const struct event_plan *plan));

/* The other process of a round, and our end of the line to it. */
struct event_peer {
	const struct event_plan *plan;
	int (*fn)(const struct event_plan *plan, int fd);
	int fd;
	pid_t pid;
};
/* Before the library is used. */
struct event_peer pair_start(const struct event_plan *plan,
			     int (*fn)(const struct event_plan *plan, int fd));

void pair_put(int fd, const void *data, size_t len);
void pair_get(int fd, void *data, size_t len);
/* A word that says that it is the other's turn. */
void pair_tell(int fd);
void pair_hear(int fd);

extern struct doca_dev *pair_dev;
/* Exporter's; not started, not exported. */
struct doca_sync_event *pair_make(const struct event_plan *plan);
void pair_send_export(struct doca_sync_event *event, int fd);
/* Started, and its export sent. */
struct doca_sync_event *pair_exported(const struct event_plan *plan, int fd);
/* Of what the other side sends; not started. */
struct doca_sync_event *pair_imported(const struct event_plan *plan, int fd);
/* Stops and destroys one that was started synchronously. */
void pair_finish(struct doca_sync_event *event);

#endif
