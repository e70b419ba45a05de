/* SPDX-License-Identifier: BSD-3-Clause */
#include "top_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

#define NS 1e9

/* ---- readings ---- */

struct top_object *top_reading_add(struct top_reading *reading)
{
	struct top_object *object;

	if (reading->num == reading->capacity) {
		reading->capacity = reading->capacity == 0 ? 64 : 2 * reading->capacity;
		reading->objects = memory_need(
			realloc(reading->objects, reading->capacity * sizeof(*reading->objects)));
	}
	object = &reading->objects[reading->num++];
	memset(object, 0, sizeof(*object));
	return object;
}

void top_reading_end(struct top_reading *reading)
{
	free(reading->objects);
	*reading = (struct top_reading){0};
}

/* ---- rows by id ---- */

static int compare_ids(const struct top_id *a, const struct top_id *b)
{
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

static int compare_rows(const void *a, const void *b)
{
	return compare_ids(&((const struct top_row *)a)->own.id,
			   &((const struct top_row *)b)->own.id);
}

static int compare_key(const void *key, const void *row)
{
	return compare_ids(key, &((const struct top_row *)row)->own.id);
}

size_t top_model_find(const struct top_model *model, struct top_id id)
{
	const struct top_row *row;

	if (model->num == 0)
		return TOP_NO_ROW;
	row = bsearch(&id, model->rows, model->num, sizeof(*row), compare_key);
	return row == NULL ? TOP_NO_ROW : (size_t)(row - model->rows);
}

/* The object in the previous reading; NULL: it was not there. */
static const struct top_row *row_before(const struct top_model *before, struct top_id id)
{
	size_t at = top_model_find(before, id);

	return at == TOP_NO_ROW || before->rows[at].is_gone ? NULL : &before->rows[at];
}

/* ---- what one object did between two readings ---- */

/* A counter that went backwards belongs to another process with the same pid. */
static double rate_of(uint64_t now, uint64_t then, double ns)
{
	return now < then ? NAN : (double)(now - then) / ns * NS;
}

static double gauge_of(const struct top_object *object, enum top_metric metric, uint64_t value)
{
	return object->has & 1u << metric ? (double)value : NAN;
}

static void take_gauges(struct top_row *row)
{
	const struct top_object *own = &row->own;

	row->values[TOP_QUEUED] = gauge_of(own, TOP_QUEUED, own->queued);
	row->values[TOP_POSTED] = gauge_of(own, TOP_POSTED, own->posted);
	row->values[TOP_AGE] = gauge_of(own, TOP_AGE, own->age);
	row->mode = own->mode;
	row->is_stuck = own->has & 1u << TOP_AGE && own->has_work && own->age > TOP_STUCK_NS;
}

/* A new object of a known process began at zero. */
static void take_rates(struct top_row *row, const struct top_model *before)
{
	static const struct top_object zero;
	const struct top_row *then = row_before(before, row->own.id);
	const struct top_row *process = row_before(before, (struct top_id){row->own.id.pid, 0});
	const struct top_object *from = then != NULL ? &then->own : &zero;
	bool is_known = process != NULL && row->own.taken > process->own.taken;
	size_t i;

	for (i = 0; i < TOP_NUM_COUNTERS; i++)
		row->values[i] = row->own.has & 1u << i && is_known
					 ? rate_of(row->own.counts[i], from->counts[i],
						   (double)(row->own.taken - process->own.taken))
					 : NAN;
	for (i = 0; i < TOP_BUCKETS && is_known && row->own.has & 1u << TOP_P50; i++)
		row->latency[i] = row->own.latency[i] - from->latency[i];
	row->is_collapsed = then != NULL && then->is_collapsed;
}

static void make_row(struct top_row *row, const struct top_object *object,
		     const struct top_model *before)
{
	*row = (struct top_row){.own = *object};
	take_gauges(row);
	take_rates(row, before);
}

/* ---- the tree ---- */

static size_t parent_of(const struct top_model *model, size_t at)
{
	struct top_id id = model->rows[at].own.id;

	if (id.number == 0)
		return TOP_NO_ROW;
	id.number = model->rows[at].own.parent;
	return top_model_find(model, id);
}

/* Processes say what the parents are: these may be missing, or form a cycle. */
static void find_parent(struct top_model *model, size_t at)
{
	struct top_row *row = &model->rows[at];
	size_t up = parent_of(model, at);

	row->parent = up;
	for (row->depth = 0; up != TOP_NO_ROW && row->depth <= TOP_MAX_DEPTH; row->depth++)
		up = parent_of(model, up);
	if (row->own.id.number != 0 && (row->depth == 0 || row->depth > TOP_MAX_DEPTH)) {
		row->parent = top_model_find(model, (struct top_id){row->own.id.pid, 0});
		row->depth = row->parent == TOP_NO_ROW ? 0 : 1;
	}
}

static void sort_by_depth(struct top_model *model)
{
	unsigned int depth;
	size_t used = 0, i;

	model->order = memory_need(calloc(model->num + 1, sizeof(*model->order)));
	for (depth = 0; depth <= TOP_MAX_DEPTH; depth++)
		for (i = 0; i < model->num; i++)
			if (model->rows[i].depth == depth)
				model->order[used++] = i;
}

/* ---- sums ---- */

static void add_value(double *sum, double value)
{
	if (!isnan(value))
		*sum = isnan(*sum) ? value : *sum + value;
}

/* Objects show the age of the engine that progresses them. */
static void take_engine(struct top_model *model, size_t at)
{
	struct top_row *row = &model->rows[at];
	size_t engine = top_model_find(model, (struct top_id){row->own.id.pid, row->own.engine});

	if (row->own.engine == 0 || engine == TOP_NO_ROW || row->is_gone)
		return;
	row->values[TOP_AGE] = model->rows[engine].values[TOP_AGE];
	row->mode = model->rows[engine].mode;
	row->is_stuck = model->rows[engine].is_stuck;
}

/* Of several engines: the one that is stuck longest, else the one that progressed last. */
static bool is_worth_more(const struct top_row *row, const struct top_row *than)
{
	double age = row->values[TOP_AGE], other = than->values[TOP_AGE];

	if (isnan(age) || isnan(other))
		return !isnan(age);
	if (row->is_stuck != than->is_stuck)
		return row->is_stuck;
	return row->is_stuck ? age > other : age < other;
}

static void add_to_parent(struct top_row *parent, const struct top_row *row)
{
	size_t i;

	for (i = 0; i < TOP_P50; i++)
		add_value(&parent->values[i], row->values[i]);
	for (i = 0; i < TOP_BUCKETS; i++)
		parent->latency[i] += row->latency[i];
	if (!(parent->own.has & 1u << TOP_AGE) && is_worth_more(row, parent)) {
		parent->values[TOP_AGE] = row->values[TOP_AGE];
		parent->mode = row->mode;
		parent->is_stuck = row->is_stuck;
	}
}

/* Lower bound of a bucket of half an octave; ns. */
static double bucket_begin(int bucket)
{
	return bucket == 0 ? 0 : ldexp(bucket % 2 == 0 ? 1 : 1.5, bucket / 2);
}

/* Percentile, assuming that times are spread evenly within a bucket. */
static double percentile(const uint64_t latency[TOP_BUCKETS], double part)
{
	double total = 0, below = 0;
	int i;

	for (i = 0; i < TOP_BUCKETS; i++)
		total += (double)latency[i];
	for (i = 0; i < TOP_BUCKETS && total > 0; i++) {
		double in = (double)latency[i], begin = bucket_begin(i);

		if (in > 0 && below + in >= part * total)
			return begin + (bucket_begin(i + 1) - begin) * (part * total - below) / in;
		below += in;
	}
	return NAN;
}

static void sum_up(struct top_model *model)
{
	size_t i;

	for (i = model->num; i-- > 0;) {
		struct top_row *row = &model->rows[model->order[i]];

		if (row->is_gone)
			continue; /* shows what it showed */
		row->values[TOP_P50] = percentile(row->latency, 0.5);
		row->values[TOP_P99] = percentile(row->latency, 0.99);
		if (row->parent != TOP_NO_ROW)
			add_to_parent(&model->rows[row->parent], row);
	}
}

/* ---- update ---- */

/* Objects of the previous reading that are missing in this one. */
static void keep_gone(struct top_model *model, const struct top_model *before)
{
	size_t num = model->num, i;

	for (i = 0; i < before->num; i++) {
		struct top_model now = {.rows = model->rows, .num = num};
		struct top_row *row = &model->rows[model->num];

		if (before->rows[i].is_gone ||
		    top_model_find(&now, before->rows[i].own.id) != TOP_NO_ROW)
			continue;
		*row = before->rows[i];
		row->is_gone = true;
		row->is_stuck = false;
		model->num++;
	}
}

static void sort_rows(struct top_model *model)
{
	qsort(model->rows, model->num, sizeof(*model->rows), compare_rows);
}

void top_model_update(struct top_model *model, const struct top_reading *reading)
{
	struct top_model before = *model;
	size_t i;

	*model = (struct top_model){.taken = reading->taken, .interval = NAN};
	if (before.taken != 0)
		model->interval = (double)(reading->taken - before.taken) / NS;
	model->rows = memory_need(calloc(reading->num + before.num + 1, sizeof(*model->rows)));
	for (i = 0; i < reading->num; i++)
		make_row(&model->rows[i], &reading->objects[i], &before);
	model->num = reading->num;
	sort_rows(model);
	keep_gone(model, &before);
	sort_rows(model);
	for (i = 0; i < model->num; i++)
		find_parent(model, i);
	for (i = 0; i < model->num; i++)
		take_engine(model, i);
	sort_by_depth(model);
	sum_up(model);
	top_model_end(&before);
}

void top_model_end(struct top_model *model)
{
	free(model->rows);
	free(model->order);
	*model = (struct top_model){0};
}

void top_model_count(const struct top_model *model, size_t *processes, size_t *objects)
{
	size_t i;

	*processes = *objects = 0;
	for (i = 0; i < model->num; i++)
		if (!model->rows[i].is_gone)
			++*(model->rows[i].own.id.number == 0 ? processes : objects);
}
