/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How long kernels have run; contract in watchdog.h. A strand counts the beginnings and ends of
 * kernels; the watchdog measures for how long a count stays the same odd number. So kernels need
 * not read a clock.
 */
#include "dpa/watchdog.h"

#include <stdlib.h>

#include "base/log.h"
#include "dpa/crash.h"
#include "dpa/dpa_object.h"
#include "dpa/host_thread.h"
#include "dpa/strand.h"

/* How often it looks within the time limit of a kernel. */
#define LOOKS 8
#define PERIOD_MIN (5 * SDPU_MS)

static uint64_t watchdog_period(const struct dpa_watchdog *watchdog)
{
	uint64_t period = watchdog->limit / LOOKS;

	return period < PERIOD_MIN ? PERIOD_MIN : period;
}

struct look {
	uint64_t elapsed;
	uint64_t limit;
	bool found;
};

static void report(struct sdpu_dpa_strand *strand, uint64_t ran)
{
	char who[64];

	dpa_crash_describe(strand, who, sizeof(who));
	sdpu_log_err("doca_dpa: kernel %s (%s) has run for %.3f s; a kernel may take "
		     "doca_dpa_get_kernel_max_run_time(), or SOFTDPU_DPA_RUN_TIME_MS; it is ended, "
		     "and its context with it",
		     sdpu_load(&strand->kernel)->name, who, (double)ran / (double)SDPU_SECOND);
}

/* Under the pool's lock: the strand has a job, whose thread is there. */
static void look_at(struct sdpu_dpa_strand *strand, void *arg)
{
	struct dpa_clocked *clocked = &strand->clocked;
	struct look *look = arg;
	/* acquire: pairs with the release of dpa_strand_run() */
	uint32_t turn = sdpu_load_acquire(&strand->turn);

	if (turn != clocked->turn || turn % 2 == 0) {
		*clocked = (struct dpa_clocked){.turn = turn};
		return;
	}
	clocked->ran += look->elapsed;
	if (clocked->ran < look->limit || sdpu_load(&strand->killed) != 0)
		return;
	report(strand, clocked->ran);
	sdpu_store(&strand->overdue, (uint32_t)(clocked->ran / SDPU_MS));
	look->found = true;
}

/* Time in which this thread could not look either does not count. */
static uint64_t elapsed_since(uint64_t before, uint64_t period)
{
	uint64_t elapsed = sdpu_clock_now() - before;

	return elapsed < 2 * period ? elapsed : 2 * period;
}

static void look_once(struct dpa_watchdog *watchdog)
{
	struct look look = {
		.elapsed = elapsed_since(watchdog->seen_at, watchdog_period(watchdog)),
		.limit = watchdog->limit,
	};

	watchdog->seen_at = sdpu_clock_now();
	dpa_pool_each(&watchdog->dpa->pool, look_at, &look);
	if (look.found)
		dpa_fail(watchdog->dpa);
}

static void *watchdog_main(void *arg)
{
	struct dpa_watchdog *watchdog = arg;

	pthread_mutex_lock(&watchdog->lock);
	while (!watchdog->closing) {
		dpa_cond_wait(&watchdog->wake, &watchdog->lock,
			      watchdog->seen_at + watchdog_period(watchdog));
		if (watchdog->closing ||
		    sdpu_clock_now() < watchdog->seen_at + watchdog_period(watchdog))
			continue;
		pthread_mutex_unlock(&watchdog->lock);
		look_once(watchdog);
		pthread_mutex_lock(&watchdog->lock);
	}
	pthread_mutex_unlock(&watchdog->lock);
	return NULL;
}

static uint64_t watchdog_limit(const struct doca_dpa *dpa)
{
	uint64_t limit = dpa_limits(dpa)->dpa_kernel_max_run_time * SDPU_SECOND;
	const char *text = getenv("SOFTDPU_DPA_RUN_TIME_MS");
	unsigned long ms;
	char *end;

	if (text == NULL)
		return limit;
	ms = strtoul(text, &end, 10);
	if (*text != '\0' && *end == '\0' && ms > 0 && ms * SDPU_MS <= limit)
		return ms * SDPU_MS;
	sdpu_log_warn("SOFTDPU_DPA_RUN_TIME_MS=%s: needed is a number from 1 to %llu; it is not "
		      "used",
		      text, (unsigned long long)(limit / SDPU_MS));
	return limit;
}

doca_error_t dpa_watchdog_open(struct dpa_watchdog *watchdog, struct doca_dpa *dpa)
{
	doca_error_t result;

	watchdog->dpa = dpa;
	watchdog->closing = false;
	watchdog->limit = watchdog_limit(dpa);
	watchdog->seen_at = sdpu_clock_now();
	pthread_mutex_init(&watchdog->lock, NULL);
	dpa_cond_init(&watchdog->wake);
	result = dpa_host_thread_start(&watchdog->pthread, "sdpu-dpa-watch", 0, watchdog_main,
				       watchdog);
	if (result != DOCA_SUCCESS) {
		pthread_cond_destroy(&watchdog->wake);
		pthread_mutex_destroy(&watchdog->lock);
	}
	return result;
}

void dpa_watchdog_close(struct dpa_watchdog *watchdog)
{
	pthread_mutex_lock(&watchdog->lock);
	watchdog->closing = true;
	pthread_cond_signal(&watchdog->wake);
	pthread_mutex_unlock(&watchdog->lock);
	pthread_join(watchdog->pthread, NULL);
	pthread_cond_destroy(&watchdog->wake);
	pthread_mutex_destroy(&watchdog->lock);
}
