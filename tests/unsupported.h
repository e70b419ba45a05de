/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a function must do that is declared but not built: say NOT_SUPPORTED when all its pointers
 * are set, INVALID_VALUE when any one of them is NULL, and write nothing either way. p() stands for
 * each required pointer in a call; the call is repeated with each of them NULL in turn.
 */
#ifndef TESTS_UNSUPPORTED_H
#define TESTS_UNSUPPORTED_H

#include <string.h>

#include <doca_types.h>

#include "t.h"

#define OBJECT_FILL 0x5a

static unsigned char object[256];
static unsigned int pointers_seen, null_at;

static const union doca_data none = {0};

/* The order in which arguments are evaluated does not matter: each one is NULL once. */
static inline void *p(void)
{
	return ++pointers_seen == null_at ? NULL : object;
}

static inline void check_untouched(const char *call)
{
	for (size_t i = 0; i < sizeof(object); i++) {
		if (object[i] != OBJECT_FILL)
			T_FAIL("%s wrote to byte %zu", call, i);
	}
}

#define REFUSED(call, code)                                                                        \
	do {                                                                                       \
		memset(object, OBJECT_FILL, sizeof(object));                                       \
		pointers_seen = null_at = 0;                                                       \
		T_ERR(call, code);                                                                 \
		for (null_at = pointers_seen; null_at > 0; null_at--) {                            \
			pointers_seen = 0;                                                         \
			T_ERR(call, DOCA_ERROR_INVALID_VALUE);                                     \
		}                                                                                  \
		check_untouched(#call);                                                            \
	} while (0)

#define UNSUPPORTED(call) REFUSED(call, DOCA_ERROR_NOT_SUPPORTED)
/* A handle for device code: no context is on a device's data path. */
#define OFF_DATA_PATH(call) REFUSED(call, DOCA_ERROR_BAD_STATE)

#endif
