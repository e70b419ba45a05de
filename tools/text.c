/* SPDX-License-Identifier: BSD-3-Clause */
#include "text.h"

#include <stdbool.h>
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

size_t text_utf8_length(const char *chars, size_t len)
{
	const unsigned char *text = (const unsigned char *)chars;
	static const unsigned char least[] = {0x00, 0x00, 0x80, 0xa0, 0x90};
	size_t n = text[0] < 0x80   ? 1
		   : text[0] < 0xc2 ? 0
		   : text[0] < 0xe0 ? 2
		   : text[0] < 0xf0 ? 3
		   : text[0] < 0xf5 ? 4
				    : 0;
	size_t i;

	if (n == 0 || n > len)
		return 0;
	for (i = 1; i < n; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	if (((text[0] == 0xe0 || text[0] == 0xf0) && text[1] < least[n]) ||
	    (text[0] == 0xed && text[1] > 0x9f) || (text[0] == 0xf4 && text[1] > 0x8f))
		return 0;
	return n;
}

/* Of a character of this length; among two bytes there are those that some terminals obey. */
static bool is_control(const char *text, size_t len)
{
	unsigned char first = (unsigned char)text[0];

	return len == 1 ? first < ' ' || first == 0x7f
			: first == 0xc2 && (unsigned char)text[1] < 0xa0;
}

void text_make_safe(const char *text, char *safe, size_t size)
{
	size_t left = strlen(text), used = 0;

	while (left > 0) {
		size_t n = text_utf8_length(text, left);
		bool good = n > 0 && !is_control(text, n);

		if (used + (good ? n : 3) >= size)
			break;
		if (good) {
			memcpy(safe + used, text, n);
		} else {
			n = 1;
			snprintf(safe + used, 4, "%%%02x", (unsigned char)*text);
		}
		used += good ? n : 3;
		text += n;
		left -= n;
	}
	safe[used] = '\0';
}
