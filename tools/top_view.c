/* SPDX-License-Identifier: BSD-3-Clause */
#include "top_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "top_format.h"

/* Why a row is in the list. */
enum match {
	MATCH_NONE,
	MATCH_BELOW, /* something below it matches */
	MATCH_SELF,  /* it matches, or an ancestor does */
};

/* While one list is made. */
struct making {
	const struct top_model *model;
	const struct top_view *view;
	enum match *matches; /* of each row */
	size_t *sorted;	     /* rows: siblings side by side, in order */
	size_t *first_below; /* of each row: index in sorted of its first child */
	struct top_list *list;
};

/* ---- filter ---- */

static bool is_match(const struct top_row *row, const char *filter)
{
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", (int)row->own.id.pid);
	return strcasestr(row->own.name, filter) != NULL ||
	       strcasestr(row->own.kind, filter) != NULL ||
	       (row->own.id.number == 0 && strcmp(pid, filter) == 0);
}

static void find_matches(struct making *making)
{
	const struct top_model *model = making->model;
	enum match *matches = making->matches;
	size_t i;

	for (i = 0; i < model->num; i++) {
		size_t at = model->order[i], parent = model->rows[at].parent;

		if ((parent != TOP_NO_ROW && matches[parent] == MATCH_SELF) ||
		    is_match(&model->rows[at], making->view->filter))
			matches[at] = MATCH_SELF;
	}
	for (i = model->num; i-- > 0;) {
		size_t at = model->order[i], parent = model->rows[at].parent;

		if (parent != TOP_NO_ROW && matches[at] != MATCH_NONE &&
		    matches[parent] == MATCH_NONE)
			matches[parent] = MATCH_BELOW;
	}
}

/* ---- order ---- */

static int compare_values(double a, double b)
{
	return a < b ? 1 : a > b ? -1 : 0;
}

/* Rows without a value come last in both directions. */
static int compare_column(const struct top_row *a, const struct top_row *b,
			  const struct top_view *view)
{
	int metric = top_columns[view->sort].metric, order;

	if (view->sort == TOP_COLUMN_NAME) {
		order = strcmp(a->own.name, b->own.name);
	} else if (view->sort == TOP_COLUMN_MODE) {
		order = compare_values(a->mode, b->mode);
	} else if (isnan(a->values[metric]) || isnan(b->values[metric])) {
		return isnan(a->values[metric]) - isnan(b->values[metric]);
	} else {
		order = compare_values(a->values[metric], b->values[metric]);
	}
	return view->is_reversed ? -order : order;
}

static int compare_siblings(const void *left, const void *right, void *arg)
{
	const struct making *making = arg;
	const struct top_row *rows = making->model->rows;
	size_t a = *(const size_t *)left, b = *(const size_t *)right;
	int order;

	if (rows[a].parent != rows[b].parent)
		return rows[a].parent < rows[b].parent ? -1 : 1;
	order = compare_column(&rows[a], &rows[b], making->view);
	return order != 0 ? order : a < b ? -1 : a > b;
}

static void sort_siblings(struct making *making)
{
	const struct top_model *model = making->model;
	size_t i;

	for (i = 0; i < model->num; i++) {
		making->sorted[i] = i;
		making->first_below[i] = model->num;
	}
	qsort_r(making->sorted, model->num, sizeof(size_t), compare_siblings, making);
	for (i = model->num; i-- > 0;) {
		size_t parent = model->rows[making->sorted[i]].parent;

		if (parent != TOP_NO_ROW)
			making->first_below[parent] = i;
	}
}

/* ---- the list ---- */

/* Adds all siblings from an index in sorted on, each with all below it. */
static void list_siblings(struct making *making, size_t at, size_t parent)
{
	const struct top_model *model = making->model;

	for (; at < model->num && model->rows[making->sorted[at]].parent == parent; at++) {
		size_t row = making->sorted[at];

		if (making->matches[row] == MATCH_NONE)
			continue;
		making->list->rows[making->list->num++] = row;
		if (!model->rows[row].is_collapsed || making->matches[row] == MATCH_BELOW)
			list_siblings(making, making->first_below[row], row);
	}
}

static size_t first_process(const struct making *making)
{
	size_t at = 0;

	while (at < making->model->num &&
	       making->model->rows[making->sorted[at]].parent != TOP_NO_ROW)
		at++;
	return at;
}

void top_list_make(struct top_list *list, const struct top_model *model,
		   const struct top_view *view)
{
	struct making making = {.model = model, .view = view, .list = list};
	size_t capacity = model->num + 1;

	list->rows = memory_need(calloc(capacity, sizeof(*list->rows)));
	list->num = 0;
	making.matches = memory_need(calloc(capacity, sizeof(*making.matches)));
	making.sorted = memory_need(calloc(capacity, sizeof(*making.sorted)));
	making.first_below = memory_need(calloc(capacity, sizeof(*making.first_below)));
	find_matches(&making);
	sort_siblings(&making);
	list_siblings(&making, first_process(&making), TOP_NO_ROW);
	free(making.first_below);
	free(making.sorted);
	free(making.matches);
}

void top_list_end(struct top_list *list)
{
	free(list->rows);
	*list = (struct top_list){0};
}

size_t top_list_selected(const struct top_list *list, const struct top_model *model,
			 const struct top_view *view)
{
	size_t row = top_model_find(model, view->selected), line;

	for (line = 0; line < list->num; line++)
		if (list->rows[line] == row)
			return line;
	return 0;
}

void top_view_scroll(struct top_view *view, size_t selected, size_t num, size_t height)
{
	if (selected >= view->first + height)
		view->first = selected - height + 1;
	if (selected < view->first || height == 0)
		view->first = selected;
	if (view->first > 0 && view->first + height > num)
		view->first = num > height ? num - height : 0;
}
