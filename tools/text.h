/* SPDX-License-Identifier: BSD-3-Clause */
/* Running text for a terminal. No state; any thread. */
#ifndef TOOLS_TEXT_H_
#define TOOLS_TEXT_H_

/*
 * Prints text in lines of 80 columns at most. The cursor stands at column `indent`, where the
 * lines that follow begin, too.
 */
void text_print(int indent, const char *text);

#endif /* TOOLS_TEXT_H_ */
