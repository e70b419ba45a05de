/* SPDX-License-Identifier: BSD-3-Clause */
/* Running text for a terminal. No state; any thread. */
#ifndef TOOLS_TEXT_H_
#define TOOLS_TEXT_H_

/*
 * Prints text in lines of 80 columns at most. The first begins with `lead`, the others below the
 * end of that.
 */
void text_print(const char *lead, const char *text);

#endif /* TOOLS_TEXT_H_ */
