/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The stop procedure for a context: stop; then progress its engine until nothing is in flight;
 * then free its tasks; then progress until it is IDLE. The one time limit keeps a broken context
 * from holding up the way out: it is reported and left behind.
 */
#ifndef STORAGE_CTX_STOP_H
#define STORAGE_CTX_STOP_H

#include "fault.h"

#include <doca_ctx.h>
#include <doca_pe.h>

struct ctx_stop {
	struct doca_ctx *ctx; /* NULL: nothing to do */
	struct doca_pe *pe;   /* the engine that ctx is connected to */
	const char *name;     /* for texts */
	/* Frees the tasks of ctx; called once nothing is in flight. NULL for none. */
	void (*free_tasks)(void *arg);
	void *arg;
};

/* Raises the fault when the context is not idle in the end. */
doca_error_t ctx_stop(const struct ctx_stop *stop, struct fault *fault);

#endif
