/* SPDX-License-Identifier: BSD-3-Clause */
#include "top.h"

#include <string.h>

#include "top_format.h"

/* Without the blanks with which a line may end. */
static void print_line(FILE *out, const char *line)
{
	int len = (int)strlen(line);

	while (len > 0 && line[len - 1] == ' ')
		len--;
	fprintf(out, "%.*s\n", len, line);
}

void top_table_print(const struct top_model *model, const struct top_view *view, FILE *out)
{
	char line[TOP_LINE_SIZE];
	struct top_layout layout;
	struct top_list list;
	size_t i;

	top_layout_choose(&layout, 0);
	top_list_make(&list, model, view);
	top_format_summary(model, view, line);
	print_line(out, line);
	top_format_heading(&layout, line);
	print_line(out, line);
	for (i = 0; i < list.num; i++) {
		top_format_row(&layout, &model->rows[list.rows[i]], line);
		print_line(out, line);
	}
	if (list.num == 0 && model->num > 0)
		fputs("Nothing has this text.\n", out);
	fputc('\n', out);
	top_list_end(&list);
}
