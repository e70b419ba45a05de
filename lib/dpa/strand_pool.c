/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The life of strands, and the way of jobs to them and back; contract in strand_pool.h.
 */
#include "dpa/strand_pool.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/refuse.h"
#include "dpa/fault.h"
#include "dpa/host_thread.h"
#include "dpa/strand.h"
#include "dpa/trigger.h"

/* Enough for a kernel and for what formats its log; a kernel of the card has 1 KiB or so. */
#define STRAND_STACK ((size_t)256 << 10)
/* How long a kernel may go on when its thread or its context is stopped. */
#define GRACE (100 * SDPU_MS)
#define DRAIN_NAP (50 * SDPU_MS / 1000)
/* How long after a kill a kernel is waited for. */
#define PATIENCE (5 * SDPU_SECOND)

static struct sdpu_dpa_strand *strand_of(struct sdpu_list *node)
{
	return sdpu_container_of(node, struct sdpu_dpa_strand, node);
}

static struct dpa_job *strand_next(struct dpa_pool *pool, struct sdpu_dpa_strand *strand)
{
	struct dpa_job *job;

	pthread_mutex_lock(&pool->lock);
	while (strand->job == NULL && !pool->closing)
		dpa_cond_wait(&strand->wake, &pool->lock, DPA_FOREVER);
	job = strand->job;
	pthread_mutex_unlock(&pool->lock);
	return job;
}

static void strand_done(struct dpa_pool *pool, struct sdpu_dpa_strand *strand, struct dpa_job *job)
{
	pthread_mutex_lock(&pool->lock);
	sdpu_list_remove(&strand->node);
	if (!strand->abandoned)
		sdpu_list_append(&pool->idle, &strand->node);
	strand->job = NULL;
	sdpu_store(&strand->ending, 0);
	sdpu_store(&strand->killed, 0);
	sdpu_store(&strand->overdue, 0);
	job->ended = true;
	pthread_cond_broadcast(&pool->ended);
	pthread_mutex_unlock(&pool->lock);
}

static void *strand_main(void *arg)
{
	struct sdpu_dpa_strand *strand = arg;
	struct dpa_pool *pool = strand->pool;
	struct dpa_job *job;

	sdpu_mmap_pins_add(&strand->pins);
	dpa_fault_enter(strand);
	while ((job = strand_next(pool, strand)) != NULL) {
		job->run(job, strand);
		strand_done(pool, strand, job);
	}
	dpa_fault_leave(strand);
	sdpu_mmap_pins_remove(&strand->pins);
	return NULL;
}

static void strand_free(struct sdpu_dpa_strand *strand)
{
	pthread_cond_destroy(&strand->wake);
	free(strand->signal_stack);
	free(strand);
}

static doca_error_t strand_make(struct dpa_pool *pool, const char *call,
				struct sdpu_dpa_strand **out)
{
	struct sdpu_dpa_strand *strand = calloc(1, sizeof(*strand));
	doca_error_t result;

	if (strand == NULL)
		return sdpu_no_memory(call);
	strand->dpa = pool->dpa;
	strand->pool = pool;
	sdpu_list_init(&strand->node);
	dpa_cond_init(&strand->wake);
	strand->signal_stack = malloc(DPA_SIGNAL_STACK);
	result = strand->signal_stack == NULL
			 ? sdpu_no_memory(call)
			 : dpa_host_thread_start(&strand->pthread, "sdpu-dpa", STRAND_STACK,
						 strand_main, strand);
	if (result != DOCA_SUCCESS)
		strand_free(strand);
	else
		*out = strand;
	return result;
}

static doca_error_t pool_take(struct dpa_pool *pool, const char *call,
			      struct sdpu_dpa_strand **strand)
{
	struct sdpu_list *node;

	if (pool->closing) {
		sdpu_log_err("doca_dpa: the context is being stopped; it runs nothing more");
		return DOCA_ERROR_BAD_STATE;
	}
	node = sdpu_list_pop(&pool->idle);
	if (node == NULL)
		return strand_make(pool, call, strand);
	*strand = strand_of(node);
	return DOCA_SUCCESS;
}

doca_error_t dpa_pool_submit(struct dpa_pool *pool, struct dpa_job *job, const char *call)
{
	struct sdpu_dpa_strand *strand = NULL;
	doca_error_t result;

	pthread_mutex_lock(&pool->lock);
	result = pool_take(pool, call, &strand);
	if (result == DOCA_SUCCESS) {
		job->ended = false;
		job->strand = strand;
		strand->job = job;
		sdpu_list_append(&pool->busy, &strand->node);
		pthread_cond_signal(&strand->wake);
	}
	pthread_mutex_unlock(&pool->lock);
	return result;
}

static bool job_is_lost(const struct dpa_job *job)
{
	return !job->ended && job->strand != NULL && job->strand->abandoned;
}

/* Under the lock. */
static bool pool_wait_locked(struct dpa_pool *pool, const struct dpa_job *job, uint64_t ns)
{
	uint64_t until = dpa_deadline(ns);

	while (!job->ended && !job_is_lost(job) && sdpu_clock_now() < until)
		dpa_cond_wait(&pool->ended, &pool->lock, until);
	return job->ended;
}

bool dpa_pool_wait(struct dpa_pool *pool, const struct dpa_job *job)
{
	bool ended;

	pthread_mutex_lock(&pool->lock);
	ended = pool_wait_locked(pool, job, DPA_FOREVER);
	pthread_mutex_unlock(&pool->lock);
	return ended;
}

/* Under the lock: the strand has a job. */
static void strand_ask(struct sdpu_dpa_strand *strand)
{
	sdpu_store(&strand->ending, 1);
	sdpu_dpa_thread_wake(&strand->asleep);
}

static void strand_kill(struct sdpu_dpa_strand *strand)
{
	sdpu_store(&strand->killed, 1);
	strand_ask(strand);
	dpa_fault_interrupt(strand);
}

/* Its kernel cannot be ended, which a sanitizer that holds signals back can bring about. */
static void leave_behind(struct sdpu_dpa_strand *strand, void *arg)
{
	sdpu_log_crit("doca_dpa: kernel %s cannot be ended; its thread and its context are left "
		      "behind",
		      sdpu_load(&strand->kernel)->name);
	if (strand->abandoned)
		return;
	strand->abandoned = true;
	pthread_detach(strand->pthread);
	pthread_cond_broadcast(&strand->pool->ended);
}

bool dpa_pool_end(struct dpa_pool *pool, const struct dpa_job *job)
{
	bool ended;

	pthread_mutex_lock(&pool->lock);
	if (!job->ended)
		strand_ask(job->strand);
	ended = pool_wait_locked(pool, job, GRACE);
	if (!ended) {
		strand_kill(job->strand);
		ended = pool_wait_locked(pool, job, PATIENCE);
	}
	if (!ended)
		leave_behind(job->strand, NULL);
	pthread_mutex_unlock(&pool->lock);
	return ended;
}

void dpa_pool_each(struct dpa_pool *pool, void (*see)(struct sdpu_dpa_strand *strand, void *arg),
		   void *arg)
{
	struct sdpu_list *node;

	pthread_mutex_lock(&pool->lock);
	sdpu_list_for_each (node, &pool->busy)
		see(strand_of(node), arg);
	pthread_mutex_unlock(&pool->lock);
}

/* acquire: pairs with the release of dpa_strand_run(), for what the kernel did */
static uint32_t turn_of(const struct sdpu_dpa_strand *strand)
{
	return sdpu_load_acquire(&strand->turn);
}

static void mark_one(struct sdpu_dpa_strand *strand, void *arg)
{
	strand->marked = turn_of(strand);
}

static void see_marked(struct sdpu_dpa_strand *strand, void *arg)
{
	if (strand->marked % 2 == 1 && turn_of(strand) == strand->marked)
		*(bool *)arg = true;
}

void dpa_pool_drain(struct dpa_pool *pool)
{
	uint64_t until = dpa_deadline(GRACE);
	bool runs = true;

	dpa_pool_each(pool, mark_one, NULL);
	while (runs) {
		runs = false;
		dpa_pool_each(pool, see_marked, &runs);
		if (!runs || sdpu_clock_now() >= until)
			return;
		sdpu_clock_sleep(DRAIN_NAP);
	}
}

static void ask_one(struct sdpu_dpa_strand *strand, void *arg)
{
	strand_ask(strand);
}

static void kill_one(struct sdpu_dpa_strand *strand, void *arg)
{
	strand_kill(strand);
}

void dpa_pool_kill_all(struct dpa_pool *pool)
{
	dpa_pool_each(pool, kill_one, NULL);
}

static bool pool_wait_all(struct dpa_pool *pool, uint64_t ns)
{
	uint64_t until = dpa_deadline(ns);
	bool ended;

	pthread_mutex_lock(&pool->lock);
	while (!sdpu_list_empty(&pool->busy) && sdpu_clock_now() < until)
		dpa_cond_wait(&pool->ended, &pool->lock, until);
	ended = sdpu_list_empty(&pool->busy);
	pthread_mutex_unlock(&pool->lock);
	return ended;
}

static bool pool_end_all(struct dpa_pool *pool)
{
	dpa_pool_each(pool, ask_one, NULL);
	if (pool_wait_all(pool, GRACE))
		return true;
	dpa_pool_kill_all(pool);
	return pool_wait_all(pool, PATIENCE);
}

static struct sdpu_dpa_strand *pool_pop_idle(struct dpa_pool *pool)
{
	struct sdpu_dpa_strand *strand = NULL;
	struct sdpu_list *node;

	pthread_mutex_lock(&pool->lock);
	node = sdpu_list_pop(&pool->idle);
	if (node != NULL) {
		strand = strand_of(node);
		pthread_cond_signal(&strand->wake);
	}
	pthread_mutex_unlock(&pool->lock);
	return strand;
}

void dpa_pool_init(struct dpa_pool *pool, struct doca_dpa *dpa)
{
	pool->dpa = dpa;
	pool->closing = true;
	sdpu_list_init(&pool->idle);
	sdpu_list_init(&pool->busy);
	pthread_mutex_init(&pool->lock, NULL);
	dpa_cond_init(&pool->ended);
}

void dpa_pool_fini(struct dpa_pool *pool)
{
	pthread_cond_destroy(&pool->ended);
	pthread_mutex_destroy(&pool->lock);
}

static void pool_set_closing(struct dpa_pool *pool, bool closing)
{
	pthread_mutex_lock(&pool->lock);
	pool->closing = closing;
	pthread_mutex_unlock(&pool->lock);
}

void dpa_pool_open(struct dpa_pool *pool)
{
	pool_set_closing(pool, false);
}

bool dpa_pool_close(struct dpa_pool *pool)
{
	struct sdpu_dpa_strand *strand;
	bool ended;

	pool_set_closing(pool, true);
	ended = pool_end_all(pool);
	if (!ended)
		dpa_pool_each(pool, leave_behind, NULL);
	while ((strand = pool_pop_idle(pool)) != NULL) {
		pthread_join(strand->pthread, NULL);
		strand_free(strand);
	}
	return ended;
}
