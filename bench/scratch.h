/* SPDX-License-Identifier: BSD-3-Clause */
/* A runtime directory of our own, so that nothing else meets our servers and clients. */
#ifndef BENCH_SCRATCH_H
#define BENCH_SCRATCH_H

/* Runs run(arg) with it named in the environment, and removes it. What run() returns; 1: it cannot
 * be made, which was said. */
int scratch_run(int (*run)(void *arg), void *arg);

#endif
