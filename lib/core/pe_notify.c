/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Event mode of an engine: nothing that is published before or after the request is lost
 * (bus/bell.h). Between request and clear all sources progress, in both modes: more than SELECTIVE
 * promises, and never less.
 */
#include <doca_pe.h>

#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "core/ctx_state.h"
#include "core/source.h"

static bool pe_has_work(const struct doca_pe *pe)
{
	return !sdpu_list_empty(&pe->done) || !sdpu_list_empty(&pe->woken) ||
	       sdpu_load_acquire(&pe->bell.attention) != 0 ||
	       sdpu_load_acquire(&pe->bell.ready->summary) != 0 || sdpu_source_any_pending(pe);
}

/* When the handle shall become ready whether or not somebody rings. */
static uint64_t pe_wake_in(struct doca_pe *pe)
{
	/* Nobody progresses while the program sleeps, and it may sleep for ever on a stop. */
	uint64_t explain_in = sdpu_pe_explain(pe);
	uint64_t look_in = sdpu_source_look_in(pe);

	return look_in < explain_in ? look_in : explain_in;
}

doca_error_t doca_pe_get_notification_handle(const struct doca_pe *pe,
					     doca_notification_handle_t *handle)
{
	if (sdpu_any_null(__func__, pe, handle))
		return DOCA_ERROR_INVALID_VALUE;
	/* Closed there, and the number perhaps given to a file of the program's. */
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	*handle = pe->bell.epoll_fd;
	return DOCA_SUCCESS;
}

doca_error_t doca_pe_request_notification(struct doca_pe *pe)
{
	uint64_t wake_in;

	if (sdpu_any_null(__func__, pe))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	/* A request takes back the one before it, so that in PROGRESS_ALL nobody needs to clear. */
	sdpu_bell_disarm(&pe->bell);
	sdpu_bell_arm(&pe->bell);
	if (pe_has_work(pe))
		sdpu_bell_kick(&pe->bell);
	wake_in = pe_wake_in(pe);
	if (wake_in != UINT64_MAX)
		sdpu_bell_kick_after(&pe->bell, wake_in);
	return DOCA_SUCCESS;
}

doca_error_t doca_pe_clear_notification(struct doca_pe *pe, doca_notification_handle_t handle)
{
	(void)handle;
	if (sdpu_any_null(__func__, pe))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	sdpu_bell_disarm(&pe->bell);
	return DOCA_SUCCESS;
}

doca_error_t doca_pe_set_notification_handle(struct doca_pe *pe, doca_notification_handle_t handle,
					     union doca_data completion_key)
{
	(void)handle;
	(void)completion_key;
	if (sdpu_any_null(__func__, pe))
		return DOCA_ERROR_INVALID_VALUE;
	sdpu_log_err("doca_pe_set_notification_handle: an engine has a handle of its own on Linux; "
		     "needed: that one; call doca_pe_get_notification_handle()");
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_pe_set_event_mode(struct doca_pe *pe, enum doca_pe_event_mode mode)
{
	if (sdpu_any_null(__func__, pe))
		return DOCA_ERROR_INVALID_VALUE;
	if (mode != DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE &&
	    mode != DOCA_PE_EVENT_MODE_PROGRESS_ALL) {
		sdpu_log_err("doca_pe_set_event_mode: mode %d; needed: one of enum "
			     "doca_pe_event_mode",
			     (int)mode);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (sdpu_pe_in_callback(pe)) {
		sdpu_log_err("doca_pe_set_event_mode: called inside a callback; return first");
		return DOCA_ERROR_BAD_STATE;
	}
	/* Both are served alike, see above. */
	return DOCA_SUCCESS;
}
