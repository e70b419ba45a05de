/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of `softdpu top` as lines of text: which columns fit, what stands in them. Constant tables
 * and pure functions; a line has no newline.
 */
#ifndef TOOLS_TOP_FORMAT_H_
#define TOOLS_TOP_FORMAT_H_

#include "top_view.h"

#define TOP_LINE_SIZE 512
#define TOP_NUMBER_SIZE 24
#define TOP_AGE_GRAIN_NS 5e6 /* engines read a clock with steps of 4 ms */

struct top_column_info {
	const char *title; /* at most as wide as the column */
	const char *key;   /* its name in JSON, and for --sort */
	const char *help;
	int metric;	/* -1: text */
	int width;	/* without the blank before it; of the name the least */
	int importance; /* the columns with the lowest are left out of a narrow table */
};

extern const struct top_column_info top_columns[TOP_NUM_COLUMNS];

struct top_layout {
	unsigned int shown; /* columns, a bit for each */
	int name_width;
	int width; /* of all */
};

/* width: of the terminal; 0: as wide as need be. */
void top_layout_choose(struct top_layout *layout, int width);

/* Where the column begins; -1: it is not shown. */
int top_layout_place(const struct top_layout *layout, enum top_column column);

void top_format_heading(const struct top_layout *layout, char line[TOP_LINE_SIZE]);
void top_format_row(const struct top_layout *layout, const struct top_row *row,
		    char line[TOP_LINE_SIZE]);

/* "3 processes, 12 objects, every 1 s", and how they are looked at. */
void top_format_summary(const struct top_model *model, const struct top_view *view,
			char line[TOP_LINE_SIZE]);
void top_format_status(const struct top_layout *layout, const struct top_view *view,
		       char line[TOP_LINE_SIZE]);

/* The n-th line of what explains keys and columns; false: there are no more. */
bool top_format_help(size_t n, char line[TOP_LINE_SIZE]);

/* In three digits: "1.23k"; of a time in ns: "1.23us". NAN: "-". */
void top_format_number(double value, char text[TOP_NUMBER_SIZE]);
void top_format_time(double ns, char text[TOP_NUMBER_SIZE]);

/* Bytes of a text that fit into so many characters. */
size_t top_text_fit(const char *text, int width);

const char *top_mode_name(enum top_mode mode);

#endif /* TOOLS_TOP_FORMAT_H_ */
