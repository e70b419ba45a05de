/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The terminal is curses' from screen_open() to screen_close(). Signals that end the program are
 * blocked but while it waits, so that it always puts the terminal in order before it goes; those of
 * size and of job control are curses' own.
 */
#include "top.h"

#include <curses.h>
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

#include "memory.h"
#include "top_format.h"

#define NUM_TOP_LINES 3 /* summary, status, heading */
#define COLOR_PAIR_STUCK 1

static volatile sig_atomic_t ended_by;

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

#define NUM_ENDING (sizeof(ending) / sizeof(ending[0]))

struct screen {
	struct top_loop *loop;
	struct top_view *view;
	SCREEN *terminal;
	sigset_t waiting; /* signals that stay blocked while it waits */
};

/* ---- the terminal ---- */

static void note_signal(int number)
{
	ended_by = number;
}

static void take_signals(struct screen *screen)
{
	struct sigaction action = {.sa_handler = note_signal};
	sigset_t blocked;
	size_t i;

	sigemptyset(&blocked);
	for (i = 0; i < NUM_ENDING; i++) {
		sigaddset(&blocked, ending[i]);
		sigaction(ending[i], &action, NULL);
	}
	sigprocmask(SIG_BLOCK, &blocked, &screen->waiting);
}

/* Restores the default action and raises the signal again. */
static void die_of(int number)
{
	sigset_t one;

	signal(number, SIG_DFL);
	sigemptyset(&one);
	sigaddset(&one, number);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &one, NULL);
}

static void refuse_terminal(void)
{
	const char *term = getenv("TERM");

	if (term == NULL || *term == '\0')
		fputs("softdpu top: TERM is not set, so the terminal's type is not known", stderr);
	else
		fprintf(stderr,
			"softdpu top: terminals of type \"%s\" (TERM) are not known, or "
			"too simple",
			term);
	fputs(";\nset it (TERM=xterm is mostly right), or have plain tables: softdpu top | cat\n",
	      stderr);
}

/* setupterm() tells; newterm() would end the program. */
bool top_screen_is_able(void)
{
	bool is_able = false;
	int problem;

	if (setupterm(NULL, STDOUT_FILENO, &problem) == OK) {
		is_able = cursor_address != NULL && clear_screen != NULL;
		del_curterm(cur_term);
	}
	if (!is_able)
		refuse_terminal();
	return is_able;
}

static void set_colors(void)
{
	if (!has_colors())
		return;
	start_color();
	use_default_colors();
	init_pair(COLOR_PAIR_STUCK, COLOR_RED, -1);
}

static void put_in_order(void)
{
	endwin();
}

static void screen_open(struct screen *screen)
{
	setlocale(LC_CTYPE, "");
	take_signals(screen);
	screen->terminal = newterm(NULL, stdout, stdin);
	memory_before_end(put_in_order);
	set_colors();
	cbreak();
	noecho();
	nonl();
	curs_set(0);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(25);
}

static void screen_close(struct screen *screen)
{
	endwin();
	memory_before_end(NULL);
	delscreen(screen->terminal);
}

/* ---- drawing ---- */

static size_t list_height(void)
{
	return LINES > NUM_TOP_LINES ? (size_t)(LINES - NUM_TOP_LINES) : 0;
}

static void draw_line(int y, const char *line, attr_t attributes)
{
	attrset(attributes);
	mvaddnstr(y, 0, line, (int)top_text_fit(line, COLS));
	attrset(A_NORMAL);
}

static attr_t stuck_attributes(void)
{
	return A_BOLD | (has_colors() ? COLOR_PAIR(COLOR_PAIR_STUCK) : A_STANDOUT);
}

static void draw_heading(const struct screen *screen, const struct top_layout *layout)
{
	int place = top_layout_place(layout, screen->view->sort);
	char line[TOP_LINE_SIZE];

	top_format_heading(layout, line);
	draw_line(2, line, A_BOLD);
	if (place >= 0)
		mvchgat(2, place,
			screen->view->sort == TOP_COLUMN_NAME
				? layout->name_width
				: top_columns[screen->view->sort].width,
			A_BOLD | A_REVERSE, 0, NULL);
}

static void draw_row(const struct top_layout *layout, const struct top_row *row, int y,
		     bool is_selected)
{
	int place = top_layout_place(layout, TOP_COLUMN_AGE);
	attr_t attributes = (row->is_gone ? A_DIM : A_NORMAL) | (is_selected ? A_REVERSE : 0);
	char line[TOP_LINE_SIZE];

	top_format_row(layout, row, line);
	draw_line(y, line, attributes);
	if (row->is_stuck && place >= 0)
		mvchgat(y, place, top_columns[TOP_COLUMN_AGE].width,
			stuck_attributes() | (is_selected ? A_REVERSE : 0),
			has_colors() ? COLOR_PAIR_STUCK : 0, NULL);
}

/* Whose processes these are; lines that find no place are left out. */
static void draw_where(const struct screen *screen, int y)
{
	char text[TOP_WHERE_SIZE];
	char *line, *rest = text;

	top_where_tell(screen->loop, text);
	while ((line = strsep(&rest, "\n")) != NULL && y < LINES)
		draw_line(y++, line, A_NORMAL);
}

static void draw_list(const struct screen *screen, const struct top_layout *layout)
{
	const struct top_model *model = &screen->loop->model;
	struct top_view *view = screen->view;
	size_t height = list_height(), selected, line;
	struct top_list list;

	top_list_make(&list, model, view);
	selected = top_list_selected(&list, model, view);
	top_view_scroll(view, selected, list.num, height);
	for (line = view->first; line < list.num && line < view->first + height; line++)
		draw_row(layout, &model->rows[list.rows[line]],
			 NUM_TOP_LINES + (int)(line - view->first), line == selected);
	if (list.num == 0 && model->num > 0)
		draw_line(NUM_TOP_LINES, "Nothing has this text.", A_NORMAL);
	else
		draw_where(screen, NUM_TOP_LINES + (int)(line - view->first) + 1 - (list.num == 0));
	top_list_end(&list);
}

static void draw_help(void)
{
	char line[TOP_LINE_SIZE];
	int y;

	for (y = 0; top_format_help((size_t)y, line); y++)
		draw_line(y, line, A_NORMAL);
}

static void draw(const struct screen *screen)
{
	char line[TOP_LINE_SIZE];
	struct top_layout layout;

	erase();
	top_layout_choose(&layout, COLS);
	if (screen->view->shows_help) {
		draw_help();
	} else {
		top_format_summary(&screen->loop->model, screen->view, line);
		draw_line(0, line, A_NORMAL);
		top_format_status(&layout, screen->view, line);
		draw_line(1, line, A_NORMAL);
		draw_heading(screen, &layout);
		draw_list(screen, &layout);
	}
	refresh();
}

/* ---- keys ---- */

static int key_of(int code)
{
	static const struct {
		int code, key;
	} keys[] = {
		{KEY_UP, TOP_KEY_UP},
		{KEY_DOWN, TOP_KEY_DOWN},
		{KEY_LEFT, TOP_KEY_LEFT},
		{KEY_RIGHT, TOP_KEY_RIGHT},
		{KEY_HOME, TOP_KEY_HOME},
		{KEY_END, TOP_KEY_END},
		{KEY_PPAGE, TOP_KEY_PAGE_UP},
		{KEY_NPAGE, TOP_KEY_PAGE_DOWN},
		{KEY_ENTER, TOP_KEY_ENTER},
		{'\n', TOP_KEY_ENTER},
		{KEY_BACKSPACE, TOP_KEY_BACKSPACE},
		{127, TOP_KEY_BACKSPACE},
	};
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (keys[i].code == code)
			return keys[i].key;
	return code < 256 ? code : 0;
}

/* All keys that have come, a change of size among them. */
static bool take_keys(struct screen *screen)
{
	int code;

	while ((code = getch()) != ERR) {
		if (!top_view_press(screen->view, &screen->loop->model, key_of(code),
				    list_height()))
			return false;
	}
	return true;
}

/* ---- the loop ---- */

/* Until a key, a signal, or the next interval; false: the terminal is gone. */
static bool wait_news(const struct screen *screen)
{
	uint64_t now = top_now(), next = screen->loop->next;
	uint64_t ns = next > now ? next - now : 0;
	struct timespec timeout = {.tv_sec = (time_t)(ns / 1000000000u),
				   .tv_nsec = (long)(ns % 1000000000u)};
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};

	if (ppoll(&input, 1, &timeout, &screen->waiting) < 0)
		return errno == EINTR;
	return !(input.revents & (POLLHUP | POLLERR | POLLNVAL));
}

static bool is_due(const struct screen *screen)
{
	return top_now() >= screen->loop->next;
}

/* False: it is over. */
static bool turn(struct screen *screen, unsigned long *left, doca_error_t *result)
{
	draw(screen);
	if (!wait_news(screen) || ended_by != 0 || !take_keys(screen))
		return false;
	if (!is_due(screen))
		return true;
	if (screen->view->is_frozen) {
		top_loop_skip(screen->loop);
		return true;
	}
	*result = top_loop_update(screen->loop);
	return *result == DOCA_SUCCESS && (*left == 0 || --*left > 0);
}

doca_error_t top_screen_run(struct top_loop *loop, struct top_view *view)
{
	struct screen screen = {.loop = loop, .view = view};
	unsigned long left = loop->request->count;
	doca_error_t result = DOCA_SUCCESS;

	screen_open(&screen);
	while (turn(&screen, &left, &result))
		;
	screen_close(&screen);
	if (ended_by != 0)
		die_of(ended_by);
	return result;
}
