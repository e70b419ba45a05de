/* SPDX-License-Identifier: BSD-3-Clause */
#include "text.h"

#include <stdio.h>
#include <string.h>

#define WIDTH 80

void text_print(const char *lead, const char *text)
{
	size_t indent = strlen(lead), column = indent;

	fputs(lead, stdout);
	while (*text != '\0') {
		size_t len = strcspn(text, " ");

		if (column > indent && column + 1 + len > WIDTH) {
			printf("\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			putchar(' ');
			column++;
		}
		fwrite(text, 1, len, stdout);
		column += len;
		text += len;
		text += strspn(text, " ");
	}
	putchar('\n');
}
