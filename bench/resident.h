/* SPDX-License-Identifier: BSD-3-Clause */
/* What this process has in memory, as the kernel counts it; bytes. */
#ifndef BENCH_RESIDENT_H
#define BENCH_RESIDENT_H

#include <stddef.h>

size_t resident_all(void);
/* Pages of files in memory only (memfd), which is what processes share. */
size_t resident_shared(void);

#endif
