/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Times from submit to completion of some tasks of a context, while somebody watches the process:
 * one at a time, and at most one of 64. Embedded in the context; its engine's thread writes, the
 * agent's reads the buckets.
 *
 * The task that is timed is told by a watch of its own, so that the others pay nothing for it; one
 * that is watched already (a graph's) is not timed, nor is a receive, which would keep the place
 * for as long as nothing comes.
 */
#ifndef SDPU_CORE_SAMPLE_H
#define SDPU_CORE_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include <softdpu.h>

#include "core/task.h"

struct sdpu_sample {
	struct sdpu_task_watch watch; /* of the task that is timed; never called */
	bool is_running;
	uint64_t since;
	uint64_t next; /* number of the submit that may be timed next */
	uint32_t buckets[SOFTDPU_LATENCY_BUCKETS];
};

/* Is that submit one to begin at? Hardly any is, so that it is asked before the call. */
static inline bool sdpu_sample_is_due(const struct sdpu_sample *sample, uint64_t submitted)
{
	return submitted >= sample->next && !sample->is_running;
}
/* Due; about to be submitted. Not begun where somebody's watch is on it. */
void sdpu_sample_begin(struct sdpu_sample *sample, struct doca_task *task, uint64_t submitted);
/* It was refused: as if it had not begun. Harmless on other tasks. */
void sdpu_sample_drop(struct sdpu_sample *sample, struct doca_task *task);
/* It has completed. Harmless on other tasks. */
void sdpu_sample_end(struct sdpu_sample *sample, struct doca_task *task);

/* Any thread. */
void sdpu_sample_show(const struct sdpu_sample *sample, struct softdpu_object *row);

#endif
