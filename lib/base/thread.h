/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads of the library's own. No state; any thread. Owner of a thread: whoever started it, who
 * joins it.
 */
#ifndef SDPU_BASE_THREAD_H
#define SDPU_BASE_THREAD_H

#include <pthread.h>
#include <stddef.h>

#include "base/compiler.h"

/*
 * All signals are blocked in it from its first instruction, so that no handler of the user's ever
 * runs there. stack: bytes; 0, or too few for the thread-local storage of the program: the default.
 * Returns 0, or the error number.
 */
SDPU_SHARED int sdpu_thread_start(pthread_t *thread, size_t stack, void *(*main)(void *arg),
				  void *arg);

#endif
