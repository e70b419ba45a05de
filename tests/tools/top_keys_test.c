/* SPDX-License-Identifier: BSD-3-Clause */
/* How a user looks at the table of `softdpu top`: order, filter, what is collapsed, and the keys.
 */
#include "t.h"

#include <string.h>

#include "tools/kit.h"

#define HEIGHT 3

static struct top_model model;
static struct top_view view;

static const char *lines(void)
{
	return kit_lines(&model, &view);
}

static void press(int key)
{
	T_CHECK(top_view_press(&view, &model, key, HEIGHT));
}

static void press_all(const char *keys)
{
	for (; *keys != '\0'; keys++)
		press((unsigned char)*keys);
}

T_CASE(order_of_names)
{
	model = kit_model();
	T_STREQ(lines(), "ten engine link blue red twenty green");
	press('r');
	T_STREQ(lines(), "twenty green ten engine link red blue");
}

T_CASE(order_by_a_column)
{
	model = kit_model();
	press('<'); /* there is none to the left */
	press('>');
	T_EQ(view.sort, TOP_COLUMN_SENT);
	T_STREQ(lines(), "ten engine link blue red twenty green");
	press('r');
	T_STREQ(lines(), "twenty green ten engine link red blue");
	press('>'); /* received: nobody has that */
	T_STREQ(lines(), "ten engine link red blue twenty green");
	press_all("<<<");
	T_EQ(view.sort, TOP_COLUMN_NAME);
	press_all(">>>>>>>>>>>>>>>>>>>>");
	T_EQ(view.sort, TOP_COLUMN_MODE);
	press('r');
	T_STREQ(lines(), "ten engine link red blue twenty green");
}

T_CASE(a_filter_shows_what_leads_to_it)
{
	model = kit_model();
	press_all("/Bl");
	T_CHECK(view.is_typing);
	T_STREQ(lines(), "ten engine link blue");
	press('q'); /* a letter like others */
	T_STREQ(lines(), "");
	press(TOP_KEY_BACKSPACE);
	press(TOP_KEY_ENTER);
	T_CHECK(!view.is_typing);
	T_STREQ(view.filter, "Bl");
	press(TOP_KEY_ESCAPE);
	T_STREQ(view.filter, "");
	press_all("/link");
	T_STREQ(lines(), "ten engine link blue red");
	press(TOP_KEY_ESCAPE);
	T_CHECK(!view.is_typing);
	T_STREQ(view.filter, "");
	press_all("/20\r");
	T_STREQ(lines(), "twenty green");
	press(TOP_KEY_ESCAPE);
	press_all("/producer");
	T_STREQ(lines(), "ten engine link blue red twenty green");
}

T_CASE(a_filter_has_an_end)
{
	size_t i;

	model = kit_model();
	press('/');
	for (i = 0; i < 2 * TOP_FILTER_SIZE; i++)
		press('x');
	T_EQ(strlen(view.filter), TOP_FILTER_SIZE - 1);
	for (i = 0; i < 2 * TOP_FILTER_SIZE; i++)
		press(TOP_KEY_BACKSPACE);
	press_all("gr\xc3\xbc");
	press(TOP_KEY_BACKSPACE);
	T_STREQ(view.filter, "gr");
	press(TOP_KEY_UP);
	press(1);
	T_STREQ(view.filter, "gr");
}

T_CASE(lines_are_selected)
{
	model = kit_model();
	press(TOP_KEY_DOWN);
	T_EQ(view.selected.number, 1);
	press(TOP_KEY_PAGE_DOWN);
	T_EQ(view.selected.number, 3);
	press('G');
	T_EQ(view.selected.pid, 20);
	press('j');
	T_EQ(view.selected.number, 1);
	press('k');
	press(TOP_KEY_PAGE_UP);
	T_EQ(view.selected.number, 2);
	press(TOP_KEY_HOME);
	press(TOP_KEY_UP);
	T_EQ(view.selected.pid, 10);
	T_EQ(view.selected.number, 0);
}

T_CASE(lines_collapse_and_expand)
{
	model = kit_model();
	press_all("\r");
	T_STREQ(lines(), "ten twenty green");
	press(TOP_KEY_RIGHT);
	T_STREQ(lines(), "ten engine link blue red twenty green");
	press_all("-");
	T_STREQ(lines(), "ten twenty");
	press_all("/blue");
	T_STREQ(lines(), "ten engine link blue");
	press(TOP_KEY_ESCAPE);
	press('+');
	T_STREQ(lines(), "ten engine link blue red twenty green");
	press_all("jjj");
	press(TOP_KEY_LEFT); /* nothing is below: goes up */
	T_EQ(view.selected.number, 2);
	press(TOP_KEY_LEFT);
	T_STREQ(lines(), "ten engine link twenty green");
}

T_CASE(what_is_collapsed_stays_so)
{
	struct top_reading reading = kit_reading(2);

	model = kit_model();
	press('-');
	kit_add(&reading, 10, 0, 0, "ten");
	kit_add(&reading, 10, 2, 0, "link");
	kit_add(&reading, 30, 0, 0, "thirty");
	kit_add(&reading, 30, 1, 0, "new");
	top_model_update(&model, &reading);
	T_STREQ(lines(), "ten thirty new twenty");
	top_reading_end(&reading);
}

T_CASE(nothing_there_takes_every_key)
{
	int key;

	for (key = 0; key < TOP_KEY_PAGE_DOWN + 2; key++) {
		view = (struct top_view){0};
		T_EQ(top_view_press(&view, &model, key, 0), key != 'q');
		T_STREQ(lines(), "");
	}
}

T_CASE(freeze_help_quit)
{
	model = kit_model();
	press('f');
	T_CHECK(view.is_frozen);
	press(' ');
	T_CHECK(!view.is_frozen);
	press('?');
	T_CHECK(view.shows_help);
	press('f');
	T_CHECK(!view.shows_help);
	T_CHECK(!view.is_frozen);
	T_CHECK(!top_view_press(&view, &model, 'q', HEIGHT));
}

T_CASE(the_selected_line_is_seen)
{
	top_view_scroll(&view, 9, 10, 4);
	T_EQ(view.first, 6);
	top_view_scroll(&view, 7, 10, 4);
	T_EQ(view.first, 6);
	top_view_scroll(&view, 2, 10, 4);
	T_EQ(view.first, 2);
	top_view_scroll(&view, 9, 10, 4);
	top_view_scroll(&view, 9, 10, 20);
	T_EQ(view.first, 0);
	top_view_scroll(&view, 5, 10, 0);
	T_EQ(view.first, 5);
	top_view_scroll(&view, 0, 0, 4);
	T_EQ(view.first, 0);
}
