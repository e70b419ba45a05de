/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The list of the process's objects, and how it is read; contract in stats.h.
 */
#include "bus/stats.h"

#include <pthread.h>
#include <string.h>

#include "base/clock.h"
#include "bus/process.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sdpu_list all_stats = {.next = &all_stats, .prev = &all_stats};
static uint32_t last_id;

void sdpu_stats_register(struct sdpu_stats *stats, enum softdpu_object_kind kind,
			 void (*show)(const struct sdpu_stats *stats, struct softdpu_object *row))
{
	stats->kind = kind;
	stats->show = show;
	pthread_mutex_lock(&lock);
	stats->id = ++last_id;
	stats->is_listed = true;
	sdpu_list_append(&all_stats, &stats->node);
	pthread_mutex_unlock(&lock);
}

void sdpu_stats_unregister(struct sdpu_stats *stats)
{
	/* The mutex of a forked child may be held for ever. */
	if (!stats->is_listed || sdpu_process_inert())
		return;
	stats->is_listed = false;
	pthread_mutex_lock(&lock);
	sdpu_list_remove(&stats->node);
	pthread_mutex_unlock(&lock);
}

void sdpu_stats_share(struct sdpu_stats *stats, const void *memory)
{
	if (sdpu_process_inert())
		return;
	pthread_mutex_lock(&lock);
	stats->memory = memory;
	pthread_mutex_unlock(&lock);
}

static void copy_one(const struct sdpu_stats *stats, struct softdpu_object *row)
{
	memset(row, 0, sizeof(*row));
	row->id = stats->id;
	row->kind = stats->kind;
	row->parent = sdpu_load(&stats->parent);
	if (stats->show != NULL)
		stats->show(stats, row);
}

void sdpu_stats_snapshot(struct softdpu_object *rows, uint32_t max,
			 struct sdpu_stats_answer *answer)
{
	struct sdpu_list *it;

	answer->num_rows = 0;
	answer->num_unlisted = 0;
	answer->taken_ns = sdpu_clock_now();
	pthread_mutex_lock(&lock);
	sdpu_list_for_each (it, &all_stats) {
		if (answer->num_rows < max)
			copy_one(sdpu_container_of(it, struct sdpu_stats, node),
				 &rows[answer->num_rows++]);
		else
			answer->num_unlisted++;
	}
	pthread_mutex_unlock(&lock);
}

doca_error_t sdpu_stats_answer_read(const void *bytes, uint32_t len,
				    struct sdpu_stats_answer *answer)
{
	struct sdpu_stats_answer copy;

	if (len != sizeof(copy))
		return DOCA_ERROR_INVALID_VALUE;
	memcpy(&copy, bytes, sizeof(copy));
	if (copy.num_rows > SDPU_STATS_ROWS || copy.watched_ns > copy.taken_ns)
		return DOCA_ERROR_INVALID_VALUE;
	*answer = copy;
	return DOCA_SUCCESS;
}

/* Checks values that readers use as indices, and that texts end. Any other number is harmless. */
doca_error_t sdpu_stats_row_read(const struct softdpu_object *shared, struct softdpu_object *row)
{
	memcpy(row, shared, sizeof(*row));
	/* Check the copy: without this the compiler may read from the shared page again, which can
	 * change. */
	sdpu_compiler_barrier();
	if (row->id == 0 || row->kind >= SOFTDPU_OBJECT_KINDS || row->state >= SOFTDPU_STATES)
		return DOCA_ERROR_INVALID_VALUE;
	/* The two counters were read one after the other: no reader shall compute a negative number
	 * in flight. */
	if (row->completed > row->submitted)
		row->completed = row->submitted;
	row->device[sizeof(row->device) - 1] = '\0';
	row->how[sizeof(row->how) - 1] = '\0';
	row->name[sizeof(row->name) - 1] = '\0';
	return DOCA_SUCCESS;
}
