/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Times from submit to completion of some tasks of a context, while somebody watches the process:
 * one at a time, all of them where they come seldom, and some thousand a second where they come
 * fast. Embedded in the context; its engine's thread writes, the agent's reads the buckets.
 *
 * Submits are many: they compare a number, which the engine sets when it notices that a watcher has
 * looked, and which is out of reach when nobody watches. The task that is timed is told by a watch
 * of its own, so that the others pay nothing for it; one that is watched already (a graph's) is not
 * timed, nor is a receive, which would keep the place for as long as nothing comes.
 */
#ifndef SDPU_CORE_SAMPLE_H
#define SDPU_CORE_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include <softdpu.h>

#include "core/task.h"

#define SDPU_SAMPLE_NONE UINT64_MAX

struct sdpu_sample {
	uint64_t next;		      /* number of the submit to begin at; NONE: at none, for now */
	struct sdpu_task_watch watch; /* of the task that is timed; never called */
	bool is_running;
	uint64_t since; /* the task was submitted */
	uint64_t ended; /* the one before */
	uint32_t every; /* how many may be submitted from the end of one to the next */
	uint32_t buckets[SOFTDPU_LATENCY_BUCKETS];
};

void sdpu_sample_init(struct sdpu_sample *sample);
/* A watcher has looked: the next submit is timed. */
void sdpu_sample_look(struct sdpu_sample *sample);
/* Begins to time a task that is about to be submitted, unless it has a watch already. */
void sdpu_sample_begin(struct sdpu_sample *sample, struct doca_task *task);
/* The submit was refused: undoes begin. Harmless on other tasks. */
void sdpu_sample_drop(struct sdpu_sample *sample, struct doca_task *task);
/* It has completed. Harmless on other tasks. */
void sdpu_sample_end(struct sdpu_sample *sample, struct doca_task *task);

/* Any thread. */
void sdpu_sample_show(const struct sdpu_sample *sample, struct softdpu_object *row);

#endif
