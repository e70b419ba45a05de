/* SPDX-License-Identifier: BSD-3-Clause */
/* What is found by watching processes, in words. Constant tables. */
#ifndef TOOLS_WATCH_WORDS_H_
#define TOOLS_WATCH_WORDS_H_

#include <doca_error.h>
#include <softdpu.h>

/* "stopping"; NULL: the object has no states. */
const char *watch_state_word(enum softdpu_object_state state);

/* What became of asking a process what it has: "listed", or why it is not known. */
const char *watch_answer(doca_error_t result);

#endif /* TOOLS_WATCH_WORDS_H_ */
