/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Readings of `softdpu top` as tests want them: no process tells of anything here. What a function
 * makes belongs to the test, which ends soon.
 */
#ifndef TESTS_TOOLS_KIT_H
#define TESTS_TOOLS_KIT_H

#include "top_format.h"
#include "top_model.h"
#include "top_view.h"

#define KIT_SECOND 1000000000ull

#define KIT_HAS(metric) (1u << (metric))

/* An empty reading, taken so many seconds after the first one could be. */
struct top_reading kit_reading(double seconds);

/* number 0: a process. It has no numbers yet. */
struct top_object *kit_add(struct top_reading *reading, pid_t pid, uint64_t number, uint64_t parent,
			   const char *name);

/* Counts of something that sends. */
struct top_object *kit_add_sender(struct top_reading *reading, pid_t pid, uint64_t number,
				  uint64_t parent, const char *name, uint64_t sent);
struct top_object *kit_add_engine(struct top_reading *reading, pid_t pid, uint64_t number,
				  uint64_t age, bool has_work);

const struct top_row *kit_row(const struct top_model *model, pid_t pid, uint64_t number);

/* Names of the lines, a blank between. */
const char *kit_lines(const struct top_model *model, const struct top_view *view);

/*
 * Two processes, seen twice: 10 has the connections "ten" (numbers 2, of 1 the engine) and below it
 * "red" and "blue", which send 100 and 300 a second; 20 has "green", 200 a second.
 */
struct top_model kit_model(void);

#endif
