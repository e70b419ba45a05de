/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a strand does with a DPA thread: it waits for a trigger and runs the kernel; contract in
 * trigger.h. The list of triggers belongs to the strand while it polls, and to the host while that
 * attaches or detaches. The host asks for the list, and the strand gives it up at the next poll. A
 * strand that finds the list taken goes on, and is woken afterwards.
 */
#include "base/clock.h"
#include "base/log.h"
#include "core/pe.h"
#include "dpa/futex.h"
#include "dpa/strand_run.h"
#include "dpa/thread.h"

/* Polls before the strand goes to sleep: some 50 us, which is what a wake costs. */
#define POLLS 2000

enum look { LOOK_NOTHING, LOOK_DUE, LOOK_END };

static bool scan_try(struct doca_dpa_thread *thread)
{
	return sdpu_load(&thread->scan) == 0 && sdpu_swap(&thread->scan, 1) == 0;
}

static void scan_give(struct doca_dpa_thread *thread)
{
	sdpu_store_release(&thread->scan, 0);
}

/* Host's thread. */
static void scan_take(struct doca_dpa_thread *thread)
{
	(void)sdpu_fetch_add(&thread->wanted, 1);
	while (!scan_try(thread))
		sdpu_clock_yield();
	(void)sdpu_fetch_sub(&thread->wanted, 1);
}

/* For the strand: does it have the list, or keep it? It does not take the list for each poll, as
 * that would slow down each poll. */
static bool scan_keep(struct doca_dpa_thread *thread, bool kept)
{
	if (sdpu_likely(kept && sdpu_load(&thread->wanted) == 0))
		return true;
	if (kept)
		scan_give(thread);
	return sdpu_load(&thread->wanted) == 0 && scan_try(thread);
}

/* Moves the first that is due to the end of the list, so that each has its turn. */
static bool scan(struct doca_dpa_thread *thread)
{
	struct sdpu_list *node;
	bool due = false;

	sdpu_list_for_each (node, &thread->triggers) {
		struct sdpu_dpa_trigger *trigger =
			sdpu_container_of(node, struct sdpu_dpa_trigger, node);

		due = trigger->due(trigger);
		if (due)
			break;
	}
	if (due && node != thread->triggers.prev) {
		sdpu_list_remove(node);
		sdpu_list_append(&thread->triggers, node);
	}
	return due;
}

static enum look look(struct doca_dpa_thread *thread, const struct sdpu_dpa_strand *strand,
		      bool *kept)
{
	if (sdpu_unlikely(sdpu_load(&strand->ending) != 0))
		return LOOK_END;
	/* acquire: pairs with the release of run */
	if (sdpu_load_acquire(&thread->state) != DPA_THREAD_RUNNING)
		return LOOK_NOTHING;
	*kept = scan_keep(thread, *kept);
	return *kept && scan(thread) ? LOOK_DUE : LOOK_NOTHING;
}

/* Keeps the list when something is due. */
static enum look poll(struct doca_dpa_thread *thread, const struct sdpu_dpa_strand *strand,
		      uint32_t polls)
{
	bool kept = false;
	enum look found = look(thread, strand, &kept);

	while (found == LOOK_NOTHING && --polls != 0) {
		sdpu_spin_idle();
		found = look(thread, strand, &kept);
	}
	if (kept && found != LOOK_DUE)
		scan_give(thread);
	return found;
}

static enum look doze(struct doca_dpa_thread *thread, struct sdpu_dpa_strand *strand)
{
	enum look found;

	for (;;) {
		/* Full fence [F2]: pairs with that of whoever raises, attaches, runs or ends. */
		sdpu_publish_fenced(&strand->asleep, 1);
		found = poll(thread, strand, 1);
		if (found != LOOK_NOTHING)
			break;
		dpa_futex_wait(&strand->asleep, 1);
	}
	sdpu_store(&strand->asleep, 0);
	return found;
}

/* False: the job is to end. True: it has the list. */
static bool wait_for_trigger(struct doca_dpa_thread *thread, struct sdpu_dpa_strand *strand)
{
	enum look found = LOOK_NOTHING;

	if (sdpu_load(&thread->state) == DPA_THREAD_RUNNING)
		found = poll(thread, strand, POLLS);
	if (found == LOOK_NOTHING)
		found = doze(thread, strand);
	sdpu_spin_worked();
	return found == LOOK_DUE;
}

void dpa_thread_run_job(struct dpa_job *job, struct sdpu_dpa_strand *strand)
{
	struct doca_dpa_thread *thread = sdpu_container_of(job, struct doca_dpa_thread, job);
	enum sdpu_dpa_end end = SDPU_DPA_END_RESCHEDULE;

	dpa_strand_set_role(strand, thread, thread->rank, thread->num_ranks);
	while (end == SDPU_DPA_END_RESCHEDULE && wait_for_trigger(thread, strand)) {
		strand->device = thread->dpa;
		/* Whoever takes the list next sees that a kernel runs, and can wait for it. */
		dpa_strand_begin(strand, thread->kernel);
		scan_give(thread);
		end = dpa_strand_finish(strand, &thread->arg);
	}
	if (end == SDPU_DPA_END_RETURN)
		sdpu_log_warn("doca_dpa: kernel %s of thread %u returned, and will not be run "
			      "again; it has to end with doca_dpa_dev_thread_reschedule(), or "
			      "..._finish()",
			      thread->kernel->name, thread->id);
}

void sdpu_dpa_thread_wake(uint32_t *asleep)
{
	if (sdpu_swap_fenced(asleep, 0) != 0)
		dpa_futex_wake(asleep);
}

doca_error_t sdpu_dpa_trigger_attach(struct sdpu_dpa_trigger *trigger,
				     struct doca_dpa_thread *thread, const char *call)
{
	doca_error_t result = sdpu_dpa_check_running(thread->dpa, call);
	uint32_t *asleep;

	if (result != DOCA_SUCCESS)
		return result;
	if (sdpu_load(&thread->state) == DPA_THREAD_IDLE) {
		sdpu_log_err("%s: DPA thread %u is not started; call doca_dpa_thread_start() "
			     "first",
			     call, thread->id);
		return DOCA_ERROR_BAD_STATE;
	}
	asleep = &thread->job.strand->asleep;
	scan_take(thread);
	trigger->thread = thread;
	sdpu_store(&trigger->asleep, asleep);
	sdpu_list_append(&thread->triggers, &trigger->node);
	scan_give(thread);
	sdpu_dpa_thread_wake(asleep);
	return DOCA_SUCCESS;
}

/* The list is the caller's. */
static void forget(struct sdpu_dpa_trigger *trigger)
{
	sdpu_store(&trigger->asleep, NULL);
	sdpu_list_remove(&trigger->node);
	trigger->thread = NULL;
}

static void scan_return(struct doca_dpa_thread *thread, uint32_t *asleep)
{
	scan_give(thread);
	/* The strand may have found the list taken: wake it. A context that is gone has no strands.
	 */
	if (sdpu_dpa_running(thread->dpa))
		sdpu_dpa_thread_wake(asleep);
}

void sdpu_dpa_trigger_detach(struct sdpu_dpa_trigger *trigger)
{
	struct doca_dpa_thread *thread = trigger->thread;
	uint32_t *asleep = trigger->asleep;

	if (thread == NULL)
		return;
	scan_take(thread);
	forget(trigger);
	scan_return(thread, asleep);
}

void sdpu_dpa_trigger_drain(struct sdpu_dpa_trigger *trigger, struct doca_dpa *dpa)
{
	struct doca_dpa_thread *thread = trigger->thread;

	if (thread != NULL) {
		scan_take(thread);
		scan_return(thread, trigger->asleep);
	}
	sdpu_dpa_drain(dpa);
}

void dpa_thread_drop_triggers(struct doca_dpa_thread *thread)
{
	struct sdpu_list *node, *next;

	scan_take(thread);
	sdpu_list_for_each_safe (node, next, &thread->triggers)
		forget(sdpu_container_of(node, struct sdpu_dpa_trigger, node));
	scan_give(thread);
}
