/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_COMCH_REFUSED_H
#define TESTS_COMCH_REFUSED_H

#include <string.h>

#include "t.h"

/* A call that is refused with a code, and leaves its output as it was. */
#define REFUSED(code, type, out, call)                                                             \
	do {                                                                                       \
		type before;                                                                       \
		memset(&before, 0x5a, sizeof(before));                                             \
		memset(&(out), 0x5a, sizeof(out));                                                 \
		T_ERR(call, code);                                                                 \
		T_MEMEQ(&(out), &before, sizeof(before));                                          \
	} while (0)

#endif
