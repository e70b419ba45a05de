/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What every public call may have to refuse, and the log line for it: a pointer that is NULL, a
 * number that is 0, no memory. No state, any thread. The checks cost as much as comparisons by
 * hand; cold functions make the lines.
 */
#ifndef SDPU_BASE_REFUSE_H
#define SDPU_BASE_REFUSE_H

#include <stdbool.h>
#include <stddef.h>

#include <doca_error.h>

#include "base/compiler.h"

/* INVALID_VALUE. `names` are the arguments of `call` that follow, separated by ", "; the line lists
 * those that are NULL. */
SDPU_SHARED SDPU_COLD doca_error_t sdpu_null_told(const char *call, const char *names, ...);

/* Is one of the pointers that `call` needs NULL? At most eight: sdpu_any_null(__func__, ctx, pe) */
#define sdpu_any_null(call, ...)                                                                   \
	(sdpu_has_null(__VA_ARGS__) &&                                                             \
	 sdpu_null_told(call, #__VA_ARGS__, __VA_ARGS__) != DOCA_SUCCESS)

/* The same in two steps, for calls of the data path that end in another one: what refuses is the
 * last thing as well, and nothing is kept on the stack for it. */
#define sdpu_has_null(...)                                                                         \
	sdpu_unlikely(SDPU_NULL_PICK(__VA_ARGS__, SDPU_NULL_8, SDPU_NULL_7, SDPU_NULL_6,           \
				     SDPU_NULL_5, SDPU_NULL_4, SDPU_NULL_3, SDPU_NULL_2,           \
				     SDPU_NULL_1)(__VA_ARGS__))
#define sdpu_refuse_null(call, ...) sdpu_null_told(call, #__VA_ARGS__, __VA_ARGS__)

#define SDPU_NULL_PICK(a, b, c, d, e, f, g, h, name, ...) name
#define SDPU_NULL_1(a) ((a) == NULL)
#define SDPU_NULL_2(a, ...) ((a) == NULL || SDPU_NULL_1(__VA_ARGS__))
#define SDPU_NULL_3(a, ...) ((a) == NULL || SDPU_NULL_2(__VA_ARGS__))
#define SDPU_NULL_4(a, ...) ((a) == NULL || SDPU_NULL_3(__VA_ARGS__))
#define SDPU_NULL_5(a, ...) ((a) == NULL || SDPU_NULL_4(__VA_ARGS__))
#define SDPU_NULL_6(a, ...) ((a) == NULL || SDPU_NULL_5(__VA_ARGS__))
#define SDPU_NULL_7(a, ...) ((a) == NULL || SDPU_NULL_6(__VA_ARGS__))
#define SDPU_NULL_8(a, ...) ((a) == NULL || SDPU_NULL_7(__VA_ARGS__))

/* Is the number 0, where `call` needs at least 1? */
#define sdpu_is_zero(call, number) (sdpu_unlikely((number) == 0) && sdpu_zero_told(call, #number))
SDPU_SHARED SDPU_COLD bool sdpu_zero_told(const char *call, const char *name); /* always true */

/* NO_MEMORY, of the heap of this process. */
SDPU_SHARED SDPU_COLD doca_error_t sdpu_no_memory(const char *call);

#endif
