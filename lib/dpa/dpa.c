/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DPA context: its states, its members, its bytes; contract in dpa.h and dpa_object.h.
 */
#include <stdlib.h>

#include "base/log.h"
#include "bus/process.h"
#include "dpa/dpa_object.h"

static const char *const state_name[SDPU_DPA_STATES] = {"not started", "started",
							"failed (a kernel did)", "destroyed"};

/* legal[from] has bit (1 << to) for each move that there is. */
static const uint8_t legal[SDPU_DPA_STATES] = {
	[SDPU_DPA_IDLE] = 1 << SDPU_DPA_STARTED | 1 << SDPU_DPA_GONE,
	[SDPU_DPA_STARTED] = 1 << SDPU_DPA_IDLE | 1 << SDPU_DPA_FATAL | 1 << SDPU_DPA_GONE,
	[SDPU_DPA_FATAL] = 1 << SDPU_DPA_GONE,
};

bool dpa_move(struct doca_dpa *dpa, enum sdpu_dpa_state next)
{
	uint32_t state = sdpu_load(&dpa->base.state);

	/* release: pairs with the acquire of sdpu_dpa_state() */
	while (legal[state] & 1 << next) {
		if (sdpu_cas(&dpa->base.state, &state, (uint32_t)next))
			return true;
	}
	return false;
}

void dpa_fail(struct doca_dpa *dpa)
{
	if (!dpa_move(dpa, SDPU_DPA_FATAL))
		return;
	dpa_launcher_wake(&dpa->launcher);
	dpa_pool_kill_all(&dpa->pool);
}

struct doca_dpa *dpa_make(struct doca_dev *dev)
{
	struct doca_dpa *dpa = calloc(1, sizeof(*dpa));

	if (dpa == NULL)
		return NULL;
	dpa->base.dev = dev;
	dpa->base.root = &dpa->base;
	dpa->refs = 1;
	dpa->log_level = DOCA_DPA_DEV_LOG_LEVEL_INFO;
	dpa_heap_init(&dpa->heap);
	dpa_pool_init(&dpa->pool, dpa);
	dpa_launcher_init(&dpa->launcher, dpa);
	sdpu_dev_hold(dev);
	return dpa;
}

void dpa_unref(struct doca_dpa *dpa)
{
	if (sdpu_fetch_sub(&dpa->refs, 1) != 1)
		return;
	sdpu_dpa_retired_clear(&dpa->retired);
	dpa_launcher_fini(&dpa->launcher);
	dpa_pool_fini(&dpa->pool);
	dpa_heap_fini(&dpa->heap);
	/* Kernels of another context may have its handle. */
	sdpu_dpa_handle_retire(dpa);
}

static doca_error_t refuse(const struct doca_dpa *dpa, const char *call, const char *needed)
{
	sdpu_log_err("%s: the DPA context is %s; %s", call,
		     sdpu_process_inert() ? "another process's" : state_name[sdpu_dpa_state(dpa)],
		     needed);
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t sdpu_dpa_check_there(const struct doca_dpa *dpa, const char *call)
{
	if (sdpu_dpa_state(dpa) != SDPU_DPA_GONE && !sdpu_process_inert())
		return DOCA_SUCCESS;
	return refuse(dpa, call, "needed: one that is there; destroy what lives in one before it");
}

void sdpu_dpa_retire_member(struct doca_dpa *dpa, void *memory)
{
	sdpu_dpa_retire(dpa, memory);
	sdpu_dpa_leave(dpa);
}

bool sdpu_dpa_may_destroy_member(const struct doca_dpa *dpa, const char *call, doca_error_t *result)
{
	*result = sdpu_dpa_check_there(dpa, call);
	return !sdpu_process_inert();
}

doca_error_t sdpu_dpa_check_running(const struct doca_dpa *dpa, const char *call)
{
	if (sdpu_dpa_running(dpa) && !sdpu_process_inert())
		return DOCA_SUCCESS;
	return refuse(dpa, call, "needed: one that doca_dpa_start() started");
}

doca_error_t dpa_check_configurable(const struct doca_dpa *dpa, const char *call)
{
	if (dpa_is_extended(dpa)) {
		sdpu_log_err("%s: the DPA context is extended; needed: its base; configure that",
			     call);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	if (sdpu_dpa_state(dpa) == SDPU_DPA_IDLE && !sdpu_process_inert())
		return DOCA_SUCCESS;
	return refuse(dpa, call, "needed: one that is not; configure it before its start");
}

void sdpu_dpa_drain(struct doca_dpa *dpa)
{
	/* A forked child has no strands, and perhaps a lock that nobody gives back. */
	if (!sdpu_process_inert())
		dpa_pool_drain(&dpa_root(dpa)->pool);
}

void sdpu_dpa_retire(struct doca_dpa *dpa, void *memory)
{
	sdpu_dpa_retired_add(&dpa_root(dpa)->retired, memory);
}

doca_error_t sdpu_dpa_join(struct doca_dpa *dpa, const char *call)
{
	enum sdpu_dpa_state state = sdpu_dpa_state(dpa);

	if (state == SDPU_DPA_FATAL || state == SDPU_DPA_GONE || sdpu_process_inert())
		return refuse(dpa, call, "needed: one in which something new can be made");
	(void)sdpu_fetch_add(&dpa->refs, 1);
	(void)sdpu_fetch_add(&dpa->members, 1);
	return DOCA_SUCCESS;
}

void sdpu_dpa_leave(struct doca_dpa *dpa)
{
	(void)sdpu_fetch_sub(&dpa->members, 1);
	dpa_unref(dpa);
}
