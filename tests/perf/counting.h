/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the instructions of the calling thread are counted, under callgrind; at first they are
 * not. */
#ifndef PERF_COUNTING_H
#define PERF_COUNTING_H

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_ZERO_STATS ((void)0)
#define CALLGRIND_TOGGLE_COLLECT ((void)0)
#define CALLGRIND_DUMP_STATS_AT(name) ((void)(name))
#endif

#endif
