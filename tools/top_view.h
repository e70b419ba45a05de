/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How somebody looks at the model of `softdpu top`: in which order, at which part. A view is
 * changed by keys only; the list that it makes of a model belongs to whoever asked for it, and is
 * good until the model or the view changes. No terminal is needed, and none is touched. One thread.
 */
#ifndef TOOLS_TOP_VIEW_H_
#define TOOLS_TOP_VIEW_H_

#include "top_model.h"

#define TOP_FILTER_SIZE 64

/* The order of columns. */
enum top_column {
	TOP_COLUMN_NAME,
	TOP_COLUMN_SENT,
	TOP_COLUMN_RECEIVED,
	TOP_COLUMN_SENT_BYTES,
	TOP_COLUMN_RECEIVED_BYTES,
	TOP_COLUMN_QUEUED,
	TOP_COLUMN_POSTED,
	TOP_COLUMN_AGAIN,
	TOP_COLUMN_RDMA,
	TOP_COLUMN_P50,
	TOP_COLUMN_P99,
	TOP_COLUMN_AGE,
	TOP_COLUMN_MODE,
	TOP_NUM_COLUMNS,
};

struct top_view {
	enum top_column sort;
	bool is_reversed; /* numbers ascending, names descending */
	bool is_typing;	  /* the filter */
	bool is_frozen;
	bool shows_help;
	char filter[TOP_FILTER_SIZE];
	struct top_id selected;
	size_t first; /* first visible line of the list */
};

struct top_list {
	size_t *rows; /* indices of model rows, in the order of lines */
	size_t num;
};

/* Siblings sorted; rows that match the filter, all below them, and their ancestors. */
void top_list_make(struct top_list *list, const struct top_model *model,
		   const struct top_view *view);
void top_list_end(struct top_list *list);

/* Line of the selected row; the first if that row is not in the list. */
size_t top_list_selected(const struct top_list *list, const struct top_model *model,
			 const struct top_view *view);

/* Scrolls so that the selected line is among the visible ones. */
void top_view_scroll(struct top_view *view, size_t selected, size_t num, size_t height);

/* Bytes of characters are keys as they are. */
enum top_key {
	TOP_KEY_BACKSPACE = 8,
	TOP_KEY_TAB = 9,
	TOP_KEY_ENTER = 13,
	TOP_KEY_ESCAPE = 27,
	TOP_KEY_UP = 256,
	TOP_KEY_DOWN,
	TOP_KEY_LEFT,
	TOP_KEY_RIGHT,
	TOP_KEY_HOME,
	TOP_KEY_END,
	TOP_KEY_PAGE_UP,
	TOP_KEY_PAGE_DOWN,
};

/* height: visible lines of the list. False: the key to quit. */
bool top_view_press(struct top_view *view, struct top_model *model, int key, size_t height);

#endif /* TOOLS_TOP_VIEW_H_ */
