/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Launches: made and freed here, run by the launcher's thread; contract in launch.h.
 */
#include "dpa/launch.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/refuse.h"
#include "core/sync_event.h"
#include "dpa/dpa_object.h"
#include "dpa/host_thread.h"
#include "dpa/strand_run.h"

#define MAX_WAITING 1024
#define MAX_THRESHOLD 254 /* of wait events, as on the card */

/* How long the launcher sleeps between two looks at an event: the longer, the longer it waits. */
#define NAP_MIN (20 * SDPU_MS / 1000)
#define NAP_MAX SDPU_MS

struct update {
	struct doca_sync_event *event; /* NULL: none */
	enum sdpu_atomic_kind kind;
	uint64_t count;
};

struct launch;

struct rank {
	struct dpa_job job;
	struct launch *launch;
	uint32_t rank;
};

struct launch {
	uint8_t frame[SOFTDPU_DPA_FRAME_SIZE] __attribute__((aligned(SOFTDPU_DPA_FRAME_ALIGN)));
	struct sdpu_list node;
	struct doca_dpa *device; /* that was called */
	const struct softdpu_dpa_kernel *kernel;
	struct doca_sync_event *wait_event; /* NULL: none */
	uint64_t threshold;
	struct update update;
	uint32_t num_threads;
	struct rank ranks[];
};

static size_t launch_size(uint32_t num_threads)
{
	size_t size = sizeof(struct launch) + num_threads * sizeof(struct rank);

	return (size + SOFTDPU_DPA_FRAME_ALIGN - 1) / SOFTDPU_DPA_FRAME_ALIGN *
	       SOFTDPU_DPA_FRAME_ALIGN;
}

/* Both may be destroyed by the program while the launch waits. */
static void launch_hold(struct launch *launch)
{
	(void)sdpu_event_hold(launch->wait_event);
	(void)sdpu_event_hold(launch->update.event);
}

static void launch_free(struct launch *launch)
{
	sdpu_event_release(launch->wait_event);
	sdpu_event_release(launch->update.event);
	free(launch);
}

static void rank_run(struct dpa_job *job, struct sdpu_dpa_strand *strand)
{
	struct rank *rank = sdpu_container_of(job, struct rank, job);
	struct launch *launch = rank->launch;

	dpa_strand_set_role(strand, NULL, rank->rank, launch->num_threads);
	strand->device = launch->device;
	(void)dpa_strand_run(strand, launch->kernel, launch->frame);
}

/* Under the lock, which it leaves meanwhile. */
static doca_error_t look_at_event(struct dpa_launcher *launcher, const struct launch *launch,
				  bool *there)
{
	doca_error_t result;
	uint64_t value;

	pthread_mutex_unlock(&launcher->lock);
	result = sdpu_event_operate(launch->wait_event, SDPU_ATOMIC_LOAD, 0, &value);
	pthread_mutex_lock(&launcher->lock);
	*there = result == DOCA_SUCCESS && value >= launch->threshold;
	return result;
}

/* Under the lock, which it leaves meanwhile. SUCCESS: the launch can begin; else it never will. */
static doca_error_t wait_for_event(struct dpa_launcher *launcher, const struct launch *launch)
{
	bool there = launch->wait_event == NULL;
	uint64_t nap = NAP_MIN;
	doca_error_t result;

	while (!launcher->closing && sdpu_dpa_running(launcher->dpa)) {
		if (there)
			return DOCA_SUCCESS;
		result = look_at_event(launcher, launch, &there);
		if (result != DOCA_SUCCESS)
			return result;
		if (there)
			continue;
		dpa_cond_wait(&launcher->wake, &launcher->lock, dpa_deadline(nap));
		nap = 2 * nap < NAP_MAX ? 2 * nap : NAP_MAX;
	}
	return DOCA_ERROR_SHUTDOWN;
}

/* Returns how many were begun: all, unless a strand cannot be had. */
static uint32_t begin_ranks(struct dpa_pool *pool, struct launch *launch)
{
	for (uint32_t i = 0; i < launch->num_threads; i++) {
		struct rank *rank = &launch->ranks[i];

		*rank = (struct rank){.job.run = rank_run, .launch = launch, .rank = i};
		if (dpa_pool_submit(pool, &rank->job, "doca_dpa kernel launch") != DOCA_SUCCESS)
			return i;
	}
	return launch->num_threads;
}

/* False: a kernel cannot be ended, and still uses the launch. */
static bool wait_for_ranks(struct dpa_pool *pool, const struct launch *launch, uint32_t begun)
{
	bool ended = true;

	for (uint32_t i = 0; i < begun; i++)
		ended = dpa_pool_wait(pool, &launch->ranks[i].job) && ended;
	return ended;
}

static void apply_update(const struct launch *launch)
{
	const struct update *update = &launch->update;
	doca_error_t result;

	if (update->event == NULL)
		return;
	result = sdpu_event_operate(update->event, update->kind, update->count, NULL);
	if (result != DOCA_SUCCESS)
		sdpu_log_err("doca_dpa: the launch of kernel %s is done; its event could not be "
			     "updated: %s",
			     launch->kernel->name, sdpu_event_fault(result));
}

static void run_launch(struct dpa_launcher *launcher, struct launch *launch)
{
	struct dpa_pool *pool = &launcher->dpa->pool;
	uint32_t begun = begin_ranks(pool, launch);

	if (!wait_for_ranks(pool, launch, begun))
		return;
	if (begun == launch->num_threads && sdpu_dpa_running(launcher->dpa))
		apply_update(launch);
	launch_free(launch);
}

/* Under the lock. The context does not run any more: drops all launches that have not begun. */
static void drop_all(struct dpa_launcher *launcher, struct launch *first)
{
	struct sdpu_list *node;

	sdpu_log_err("doca_dpa: the launch of kernel %s is dropped, with %u behind it: its context "
		     "has failed or is stopped",
		     first->kernel->name, launcher->num_waiting);
	launch_free(first);
	while ((node = sdpu_list_pop(&launcher->waiting)) != NULL)
		launch_free(sdpu_container_of(node, struct launch, node));
	launcher->num_waiting = 0;
}

/* Under the lock, which it leaves meanwhile. */
static void take_launch(struct dpa_launcher *launcher, struct launch *launch)
{
	doca_error_t result = wait_for_event(launcher, launch);

	if (result == DOCA_ERROR_SHUTDOWN) {
		drop_all(launcher, launch);
		return;
	}
	pthread_mutex_unlock(&launcher->lock);
	if (result == DOCA_SUCCESS) {
		run_launch(launcher, launch);
	} else {
		sdpu_log_err("doca_dpa: the launch of kernel %s is dropped: %s",
			     launch->kernel->name, sdpu_event_fault(result));
		launch_free(launch);
	}
	pthread_mutex_lock(&launcher->lock);
}

static void *launcher_main(void *arg)
{
	struct dpa_launcher *launcher = arg;
	struct sdpu_list *node;

	pthread_mutex_lock(&launcher->lock);
	while (!launcher->closing || !sdpu_list_empty(&launcher->waiting)) {
		node = sdpu_list_pop(&launcher->waiting);
		if (node == NULL) {
			dpa_cond_wait(&launcher->wake, &launcher->lock, DPA_FOREVER);
			continue;
		}
		launcher->num_waiting--;
		take_launch(launcher, sdpu_container_of(node, struct launch, node));
	}
	pthread_mutex_unlock(&launcher->lock);
	return NULL;
}

void dpa_launcher_init(struct dpa_launcher *launcher, struct doca_dpa *dpa)
{
	launcher->dpa = dpa;
	launcher->closing = true;
	sdpu_list_init(&launcher->waiting);
	pthread_mutex_init(&launcher->lock, NULL);
	dpa_cond_init(&launcher->wake);
}

void dpa_launcher_fini(struct dpa_launcher *launcher)
{
	pthread_cond_destroy(&launcher->wake);
	pthread_mutex_destroy(&launcher->lock);
}

doca_error_t dpa_launcher_open(struct dpa_launcher *launcher)
{
	launcher->closing = false;
	return dpa_host_thread_start(&launcher->pthread, "sdpu-dpa-launch", 0, launcher_main,
				     launcher);
}

void dpa_launcher_shut(struct dpa_launcher *launcher)
{
	pthread_mutex_lock(&launcher->lock);
	launcher->closing = true;
	pthread_cond_signal(&launcher->wake);
	pthread_mutex_unlock(&launcher->lock);
}

void dpa_launcher_close(struct dpa_launcher *launcher)
{
	dpa_launcher_shut(launcher);
	pthread_join(launcher->pthread, NULL);
}

void dpa_launcher_wake(struct dpa_launcher *launcher)
{
	pthread_mutex_lock(&launcher->lock);
	pthread_cond_signal(&launcher->wake);
	pthread_mutex_unlock(&launcher->lock);
}

static doca_error_t check_event(const char *call, const char *which, struct doca_sync_event *event)
{
	doca_error_t result;
	uint64_t value;

	if (event == NULL)
		return DOCA_SUCCESS;
	result = sdpu_event_operate(event, SDPU_ATOMIC_LOAD, 0, &value);
	if (result != DOCA_SUCCESS)
		sdpu_log_err("%s: the %s event cannot be used; %s", call, which,
			     sdpu_event_fault(result));
	return result == DOCA_SUCCESS ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t check_launch(const char *call, struct doca_dpa *dpa,
				 const struct launch *wanted)
{
	uint32_t max = dpa_limits(dpa)->dpa_max_threads_per_kernel;
	doca_error_t result = sdpu_dpa_check_running(dpa, call);

	if (result != DOCA_SUCCESS)
		return result;
	if (wanted->num_threads == 0 || wanted->num_threads > max) {
		sdpu_log_err("%s: %u threads; needed: 1 to %u", call, wanted->num_threads, max);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (wanted->wait_event != NULL && wanted->threshold > MAX_THRESHOLD) {
		sdpu_log_err("%s: a threshold of %llu; needed: at most %u", call,
			     (unsigned long long)wanted->threshold, MAX_THRESHOLD);
		return DOCA_ERROR_INVALID_VALUE;
	}
	result = check_event(call, "wait", wanted->wait_event);
	return result == DOCA_SUCCESS ? check_event(call, "completion", wanted->update.event)
				      : result;
}

static doca_error_t put_in_line(const char *call, struct dpa_launcher *launcher,
				struct launch *launch)
{
	doca_error_t result = DOCA_SUCCESS;

	pthread_mutex_lock(&launcher->lock);
	if (launcher->num_waiting < MAX_WAITING) {
		sdpu_list_append(&launcher->waiting, &launch->node);
		launcher->num_waiting++;
		pthread_cond_signal(&launcher->wake);
	} else {
		sdpu_log_err("%s: %u launches wait already; wait for the event of an earlier one",
			     call, MAX_WAITING);
		result = DOCA_ERROR_DRIVER;
	}
	pthread_mutex_unlock(&launcher->lock);
	return result;
}

static doca_error_t launch(const char *call, const struct launch *wanted, doca_dpa_func_t *func,
			   va_list *args)
{
	const struct softdpu_dpa_kernel *kernel;
	const struct doca_dpa *dpa = wanted->device;
	struct launch *launch;
	doca_error_t result;

	if (sdpu_any_null(call, dpa, func))
		return DOCA_ERROR_INVALID_VALUE;
	result = check_launch(call, wanted->device, wanted);
	if (result == DOCA_SUCCESS)
		result = dpa_app_find(wanted->device, call, func, SOFTDPU_DPA_KERNEL_GLOBAL,
				      &kernel);
	if (result != DOCA_SUCCESS)
		return result;
	launch = aligned_alloc(SOFTDPU_DPA_FRAME_ALIGN, launch_size(wanted->num_threads));
	if (launch == NULL)
		return sdpu_no_memory(call);
	*launch = *wanted;
	launch_hold(launch);
	launch->kernel = kernel;
	sdpu_list_init(&launch->node);
	kernel->pack(launch->frame, args);
	result = put_in_line(call, &dpa_root(wanted->device)->launcher, launch);
	if (result != DOCA_SUCCESS)
		launch_free(launch);
	return result;
}

#define LAUNCH(name, kind_)                                                                        \
	doca_error_t name(struct doca_dpa *dpa, struct doca_sync_event *wait_event,                \
			  uint64_t wait_threshold, struct doca_sync_event *comp_event,             \
			  uint64_t comp_count, unsigned int num_threads, doca_dpa_func_t *func,    \
			  ...)                                                                     \
	{                                                                                          \
		const struct launch wanted = {                                                     \
			.device = dpa,                                                             \
			.wait_event = wait_event,                                                  \
			.threshold = wait_threshold,                                               \
			.update = {comp_event, kind_, comp_count},                                 \
			.num_threads = num_threads,                                                \
		};                                                                                 \
		doca_error_t result;                                                               \
		va_list args;                                                                      \
                                                                                                   \
		va_start(args, func);                                                              \
		result = launch(#name, &wanted, func, &args);                                      \
		va_end(args);                                                                      \
		return result;                                                                     \
	}

LAUNCH(doca_dpa_kernel_launch_update_set, SDPU_ATOMIC_STORE)
LAUNCH(doca_dpa_kernel_launch_update_add, SDPU_ATOMIC_FETCH_ADD)
