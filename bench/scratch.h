/* SPDX-License-Identifier: BSD-3-Clause */
/* A runtime directory of our own, so that nothing else meets our servers and clients. */
#ifndef BENCH_SCRATCH_H
#define BENCH_SCRATCH_H

#include <stdbool.h>

/* Makes it and names it in the environment; false: has said why. */
bool scratch_make(void);
void scratch_remove(void);

#endif
