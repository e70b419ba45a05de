/* SPDX-License-Identifier: BSD-3-Clause */
/* Running text for a terminal. No state; any thread. */
#ifndef TOOLS_TEXT_H_
#define TOOLS_TEXT_H_

#include <stddef.h>

/*
 * Prints text in lines of 80 columns at most. The cursor stands at column `indent`, where the
 * lines that follow begin, too.
 */
void text_print(int indent, const char *text);

/* Length of the UTF-8 character at text in bytes; 0: not valid UTF-8 (or overlong). */
size_t text_utf8_length(const char *text, size_t len);

/*
 * Copies text of others, cut to size, so that a terminal shows it and does not obey it: control
 * characters and bytes that are not UTF-8 become %XX.
 */
void text_make_safe(const char *text, char *safe, size_t size);

#endif /* TOOLS_TEXT_H_ */
