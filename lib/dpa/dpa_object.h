/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DPA context, as its files know it: dpa.c (states), dpa_api.c (life), dpa_app.c (program),
 * dpa_file.c (log and trace), dpa_query.c, and what runs kernels: strand*, fault.c, crash.c,
 * watchdog.c, launch.c, rpc.c.
 *
 * Owner: the user; its calls come from one thread at a time. A kernel that fails makes it FATAL, on
 * the kernel's own thread, and ends all other kernels. All kernels of an extended context are run
 * by its base. The bytes stay until the last member has left.
 */
#ifndef SDPU_DPA_DPA_OBJECT_H
#define SDPU_DPA_DPA_OBJECT_H

#include <stdio.h>

#include <softdpu_dpa_app.h>

#include "core/dev.h"
#include "dpa/dpa.h"
#include "dpa/heap.h"
#include "dpa/launch.h"
#include "dpa/strand_pool.h"
#include "dpa/watchdog.h"

/* Where device code writes: a file of the user's choice, or the standard output. */
struct dpa_file {
	char *path;   /* NULL: standard output */
	FILE *stream; /* of path */
};

struct doca_dpa {
	struct sdpu_dpa_base base;
	uint32_t refs;	     /* atomic: the user, and each member */
	uint32_t members;    /* atomic: prevent stop */
	uint32_t extensions; /* prevent destroy, too */
	uint32_t threads;    /* atomic: DPA threads, bounded by the device */
	uint32_t last_id;    /* atomic: of threads */

	const struct doca_dpa_app *app;
	doca_dpa_dev_log_level_t log_level;
	struct dpa_file log;
	struct dpa_file trace;

	struct dpa_heap heap;		 /* of a base */
	struct sdpu_dpa_retired retired; /* of a base */

	bool has_runtime; /* what follows is open */
	struct dpa_pool pool;
	struct dpa_launcher launcher;
	struct dpa_watchdog watchdog;
};

static inline struct doca_dpa *dpa_root(const struct doca_dpa *dpa)
{
	return (struct doca_dpa *)(void *)dpa->base.root;
}

static inline bool dpa_is_extended(const struct doca_dpa *dpa)
{
	return dpa_root(dpa) != dpa;
}

static inline const struct sdpu_limits *dpa_limits(const struct doca_dpa *dpa)
{
	return sdpu_dev_function(dpa->base.dev)->limits;
}

/* dpa.c: a context in IDLE, without a program. NULL: no memory. */
struct doca_dpa *dpa_make(struct doca_dev *dev);
void dpa_unref(struct doca_dpa *dpa);
/* The one function that changes the state. False: not a legal move from the present state. */
bool dpa_move(struct doca_dpa *dpa, enum sdpu_dpa_state next);
/* A kernel of it has failed: FATAL, and all others are ended. Any thread. */
void dpa_fail(struct doca_dpa *dpa);
/* For setters. BAD_STATE (logged) after start; NOT_PERMITTED (logged) if it is extended. */
doca_error_t dpa_check_configurable(const struct doca_dpa *dpa, const char *call);

/* dpa_app.c: the kernel for which a function of the program stands. INVALID_VALUE (logged, with
 * those that exist): no kernel of that kind in the context's program. */
doca_error_t dpa_app_find(const struct doca_dpa *dpa, const char *call, doca_dpa_func_t *function,
			  enum softdpu_dpa_kernel_kind kind,
			  const struct softdpu_dpa_kernel **kernel);

static inline uint32_t dpa_num_eus(const struct doca_dpa *dpa)
{
	return dpa_limits(dpa)->dpa_cores * dpa_limits(dpa)->dpa_eus_per_core;
}

/* dpa_file.c */
static inline FILE *dpa_file_stream(const struct dpa_file *file)
{
	return file->stream != NULL ? file->stream : stdout;
}
void dpa_file_close(struct dpa_file *file);
/* *len: size of buf, then the length with NUL. INVALID_VALUE (logged): too short. */
doca_error_t dpa_text_give(const char *call, const char *text, char *buf, uint32_t *len);

#endif
