/* SPDX-License-Identifier: BSD-3-Clause */
#include "top_view.h"

#include <string.h>

/* What a key may change. */
struct press {
	struct top_view *view;
	struct top_model *model;
	struct top_list list;
	size_t height;
	size_t line; /* selected */
};

/* ---- typing ---- */

static void erase_character(char *text)
{
	size_t len = strlen(text);

	while (len > 0 && ((unsigned char)text[--len] & 0xc0) == 0x80)
		;
	text[len] = '\0';
}

static void type(struct top_view *view, int key)
{
	size_t len = strlen(view->filter);

	if (key == TOP_KEY_ESCAPE)
		view->filter[0] = '\0';
	if (key == TOP_KEY_ESCAPE || key == TOP_KEY_ENTER)
		view->is_typing = false;
	else if (key == TOP_KEY_BACKSPACE)
		erase_character(view->filter);
	else if (key >= ' ' && key < 256 && key != 127 && len + 1 < sizeof(view->filter)) {
		view->filter[len] = (char)key;
		view->filter[len + 1] = '\0';
	}
}

/* ---- moving ---- */

static void move(struct press *press, ptrdiff_t lines)
{
	ptrdiff_t line = (ptrdiff_t)press->line + lines, last = (ptrdiff_t)press->list.num - 1;

	if (line > last)
		line = last;
	if (line < 0)
		line = 0;
	press->line = (size_t)line;
	if (press->list.num > 0)
		press->view->selected = press->model->rows[press->list.rows[line]].own.id;
}

static void move_up(struct press *press)
{
	move(press, -1);
}

static void move_down(struct press *press)
{
	move(press, 1);
}

static void page_up(struct press *press)
{
	move(press, -(ptrdiff_t)press->height);
}

static void page_down(struct press *press)
{
	move(press, (ptrdiff_t)press->height);
}

static void move_home(struct press *press)
{
	move(press, -(ptrdiff_t)press->list.num);
}

static void move_end(struct press *press)
{
	move(press, (ptrdiff_t)press->list.num);
}

/* ---- expanding ---- */

static struct top_row *selected_row(struct press *press)
{
	return press->list.num == 0 ? NULL : &press->model->rows[press->list.rows[press->line]];
}

static void toggle(struct press *press)
{
	struct top_row *row = selected_row(press);

	if (row != NULL)
		row->is_collapsed = !row->is_collapsed;
}

static void expand(struct press *press)
{
	struct top_row *row = selected_row(press);

	if (row != NULL)
		row->is_collapsed = false;
}

/* What is collapsed already, or has nothing below it, leads to what is above. */
static void collapse(struct press *press)
{
	struct top_row *row = selected_row(press);
	size_t next = press->line + 1;

	if (row == NULL)
		return;
	if (row->parent != TOP_NO_ROW &&
	    (next >= press->list.num ||
	     press->model->rows[press->list.rows[next]].depth <= row->depth))
		press->view->selected = press->model->rows[row->parent].own.id;
	else
		row->is_collapsed = true;
}

static void set_all(struct press *press, bool is_collapsed)
{
	size_t i;

	for (i = 0; i < press->model->num; i++)
		press->model->rows[i].is_collapsed = is_collapsed;
}

static void expand_all(struct press *press)
{
	set_all(press, false);
}

static void collapse_all(struct press *press)
{
	struct top_row *row = selected_row(press);

	set_all(press, true);
	if (row != NULL)
		press->view->selected.number = 0;
}

/* ---- the rest ---- */

static void sort_left(struct press *press)
{
	if (press->view->sort > 0)
		press->view->sort--;
}

static void sort_right(struct press *press)
{
	if (press->view->sort + 1 < TOP_NUM_COLUMNS)
		press->view->sort++;
}

static void reverse(struct press *press)
{
	press->view->is_reversed = !press->view->is_reversed;
}

static void freeze(struct press *press)
{
	press->view->is_frozen = !press->view->is_frozen;
}

static void begin_filter(struct press *press)
{
	press->view->is_typing = true;
}

static void end_filter(struct press *press)
{
	press->view->filter[0] = '\0';
}

static void help(struct press *press)
{
	press->view->shows_help = true;
}

static const struct binding {
	int key;
	void (*act)(struct press *press);
} bindings[] = {
	{TOP_KEY_UP, move_up},
	{'k', move_up},
	{TOP_KEY_DOWN, move_down},
	{'j', move_down},
	{TOP_KEY_PAGE_UP, page_up},
	{TOP_KEY_PAGE_DOWN, page_down},
	{TOP_KEY_HOME, move_home},
	{'g', move_home},
	{TOP_KEY_END, move_end},
	{'G', move_end},
	{TOP_KEY_ENTER, toggle},
	{TOP_KEY_RIGHT, expand},
	{TOP_KEY_LEFT, collapse},
	{'+', expand_all},
	{'-', collapse_all},
	{'<', sort_left},
	{'>', sort_right},
	{'r', reverse},
	{'f', freeze},
	{' ', freeze},
	{'/', begin_filter},
	{TOP_KEY_ESCAPE, end_filter},
	{'h', help},
	{'?', help},
};

static void act(struct top_view *view, struct top_model *model, int key, size_t height)
{
	struct press press = {.view = view, .model = model, .height = height};
	size_t i;

	top_list_make(&press.list, model, view);
	press.line = top_list_selected(&press.list, model, view);
	for (i = 0; i < sizeof(bindings) / sizeof(bindings[0]); i++)
		if (bindings[i].key == key)
			bindings[i].act(&press);
	top_list_end(&press.list);
}

bool top_view_press(struct top_view *view, struct top_model *model, int key, size_t height)
{
	if (view->is_typing)
		type(view, key);
	else if (key == 'q')
		return false;
	else if (view->shows_help)
		view->shows_help = false;
	else
		act(view, model, key, height);
	return true;
}
