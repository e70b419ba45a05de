/* SPDX-License-Identifier: BSD-3-Clause */
#include "text.h"

#include <stdio.h>
#include <string.h>

#define WIDTH 80

void text_print(int indent, const char *text)
{
	int column = indent;

	while (*text != '\0') {
		int len = (int)strcspn(text, " ");

		if (column > indent && column + 1 + len > WIDTH) {
			printf("\n%*s", indent, "");
			column = indent;
		} else if (column > indent) {
			putchar(' ');
			column++;
		}
		fwrite(text, 1, (size_t)len, stdout);
		column += len;
		text += len;
		text += strspn(text, " ");
	}
	putchar('\n');
}
