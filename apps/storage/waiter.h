/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the control thread of a program waits. Every wait of all three programs goes through
 * waiter_wait(): a loop of turns until a condition holds. A turn progresses the engines that the
 * control thread owns at the time and looks after the peers; it raises the program's fault when
 * one of them is gone or reports a failure. The wait also ends when a data path thread has raised
 * the fault, on a signal, and on its time limit,
 * so that no wait is without an end that the user or the peer can bring about.
 *
 * Only the control thread uses a waiter.
 */
#ifndef STORAGE_WAITER_H
#define STORAGE_WAITER_H

#include "fault.h"

#include <stdbool.h>
#include <stdint.h>

struct waiter {
	/* One turn. Sets *busy when something happened. An error is final: the fault is raised. */
	doca_error_t (*turn)(struct waiter *waiter, bool *busy);
	struct fault *fault;
	bool ignore_signals; /* set once the program is already on its orderly way out */
};

/* No time limit; the peer's death and signals still end the wait. */
#define WAITER_NO_LIMIT 0

/*
 * Takes turns until ready(arg) is true. what says, for error texts, what is waited for.
 * DOCA_ERROR_TIME_OUT after limit seconds: no fault is raised, the caller knows better words.
 * Any other error: the fault is raised.
 */
doca_error_t waiter_wait(struct waiter *waiter, bool (*ready)(void *arg), void *arg, uint32_t limit,
			 const char *what);

#endif
