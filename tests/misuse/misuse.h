/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows of misuses: a call, the code that it answers, and parts of the one line that it logs.
 *
 *	MISUSE_CASE(running_context)
 *	{
 *		rig_start(&rig);
 *		MISUSE(BAD_STATE, doca_ctx_start(rig.ctx), "is RUNNING", "needed: IDLE");
 *		QUIET(IN_PROGRESS, doca_ctx_stop(rig.ctx));
 *	}
 *
 * A row of MISUSE holds when the call answers DOCA_ERROR_<code> and logs exactly one line, an error
 * or a warning, that begins with the function's name, says in a part of its own what is needed or
 * to be done, and contains all of the parts. A row of QUIET answers the code without a word: it is
 * an answer, or happens all the time. A row of ENDS waits until `cond` is true of a task that was
 * submitted behind misuse_begin(), and looks at its status and at the line, which begins with the
 * name of the task.
 *
 * The function stands first in the row, so that tests/docs/misuse_test.py can compare the rows with
 * what the headers and softdpu explain say. All rows of a case are run; those that do not hold fail
 * it at its end.
 */
#ifndef TESTS_MISUSE_MISUSE_H
#define TESTS_MISUSE_MISUSE_H

#include <stddef.h>

#include <doca_error.h>

#include "core/kit.h"
#include "t.h"

#define MISUSE_CASE(name)                                                                          \
	static void misuse_rows_##name(void);                                                      \
	T_CASE_TIMEOUT(name, 60)                                                                   \
	{                                                                                          \
		misuse_rows_##name();                                                              \
		misuse_end();                                                                      \
	}                                                                                          \
	static void misuse_rows_##name(void)

#define MISUSE(code, call, ...)                                                                    \
	do {                                                                                       \
		misuse_begin();                                                                    \
		misuse_check(                                                                      \
			&(const struct misuse){                                                    \
				__FILE__, __LINE__, #call, DOCA_ERROR_##code, {__VA_ARGS__}},      \
			(call));                                                                   \
	} while (0)

#define QUIET(code, call) MISUSE(code, call, MISUSE_NO_LINE)

#define ENDS(code, what, cond, status, ...)                                                        \
	do {                                                                                       \
		T_EVENTUALLY((cond), 10000);                                                       \
		misuse_check(                                                                      \
			&(const struct misuse){                                                    \
				__FILE__, __LINE__, #what, DOCA_ERROR_##code, {__VA_ARGS__}},      \
			(status));                                                                 \
	} while (0)

/* The only part of a row whose call says nothing. */
extern const char misuse_no_line[];
#define MISUSE_NO_LINE misuse_no_line

struct misuse {
	const char *file;
	int line;
	const char *call; /* as it stands in the row */
	doca_error_t code;
	const char *parts[6]; /* NULL behind the last */
};

/* Forgets what was logged before. */
void misuse_begin(void);
/* Judges what the call answered and what was logged since misuse_begin(). */
void misuse_check(const struct misuse *row, doca_error_t got);
/* Fails the case when a row did not hold. */
void misuse_end(void);

#endif
