/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DPA thread: a kernel that is run once for each trigger. Owner: the user, by one host thread at a
 * time; a member of its context. From start to stop it has a strand, which from run on asks the
 * attached triggers (trigger.h). When the context fails or is destroyed, the strand leaves the
 * thread, and nothing runs it any more.
 */
#ifndef SDPU_DPA_THREAD_H
#define SDPU_DPA_THREAD_H

#include "dpa/dpa_object.h"
#include "dpa/strand.h"
#include "dpa/trigger.h"

enum dpa_thread_state {
	DPA_THREAD_IDLE,
	DPA_THREAD_STARTED, /* can be triggered, but does not run yet */
	DPA_THREAD_RUNNING, /* from run on */
	DPA_THREAD_STATES
};

struct doca_dpa_eu_affinity {
	struct doca_dpa *dpa;
	bool is_set;
	uint32_t eu;
};

/* Owner: the user. Its threads name it, and know their rank. */
struct doca_dpa_tg {
	struct doca_dpa *dpa;
	bool started;
	uint32_t num_threads;
	struct doca_dpa_thread *threads[]; /* by rank; NULL: not set */
};

struct doca_dpa_thread {
	struct doca_dpa *dpa;
	uint32_t state; /* atomic: the strand reads; enum dpa_thread_state */
	uint32_t id;	/* from 1 in each context */
	doca_dpa_func_t *func;
	uint64_t arg; /* the kernel's frame: its one parameter */
	const struct softdpu_dpa_kernel *kernel;
	doca_dpa_dev_uintptr_t local_storage;
	const struct doca_dpa_eu_affinity *affinity;
	struct doca_dpa_tg *group;
	uint32_t rank;
	uint32_t num_ranks; /* rank in its group at the start; the group may be destroyed meanwhile
			     */
	struct dpa_job job;

	uint32_t scan;		   /* atomic: whoever set it may touch the list */
	uint32_t wanted;	   /* atomic: written by the host: who gets the list next */
	struct sdpu_list triggers; /* attached */
};

/* thread_run.c: the job. */
void dpa_thread_run_job(struct dpa_job *job, struct sdpu_dpa_strand *strand);
/* thread_run.c: all triggers are detached. */
void dpa_thread_drop_triggers(struct doca_dpa_thread *thread);

/* thread.c: BAD_STATE (logged): the context is gone, or the thread not idle. */
doca_error_t dpa_thread_check_configurable(const struct doca_dpa_thread *thread, const char *call);

#endif
