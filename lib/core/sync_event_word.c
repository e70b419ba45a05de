/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The counter of a sync event; contract in sync_event_word.h.
 */
#include "core/sync_event_word.h"

#include <unistd.h>

#include "base/error_text.h"
#include "base/log.h"
#include "bus/agent.h"
#include "bus/atomic_op.h"
#include "core/sync_event.h"

static bool is_of_library(const struct sdpu_event_word *word)
{
	return word->place == SDPU_EVENT_PLACE_LIBRARY;
}

static doca_error_t make_memory(struct sdpu_event_word *word)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	doca_error_t result =
		sdpu_segment_create("softdpu-event", page, page, false, &word->segment);

	word->at = word->segment.base;
	return result;
}

/* Importers ask our agent for it by its key. */
static doca_error_t open_to_others(struct sdpu_event_word *word, uint32_t perms)
{
	doca_error_t result = sdpu_agent_get();

	if (result != DOCA_SUCCESS)
		return result;
	result = sdpu_window_create(word->at, SDPU_EVENT_WORD_SIZE, perms, &word->window);
	word->agent = result == DOCA_SUCCESS;
	if (result != DOCA_SUCCESS)
		sdpu_agent_put();
	return result;
}

doca_error_t sdpu_event_word_open(struct sdpu_event_word *word, uint32_t perms)
{
	doca_error_t result = DOCA_SUCCESS;

	if (word->place == SDPU_EVENT_PLACE_REMOTE)
		return DOCA_SUCCESS;
	if (is_of_library(word))
		result = make_memory(word);
	if (result == DOCA_SUCCESS && perms != 0)
		result = open_to_others(word, perms);
	else if (result == DOCA_SUCCESS && !is_of_library(word))
		result = sdpu_window_create(word->at, SDPU_EVENT_WORD_SIZE,
					    DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, &word->window);
	/* The window has taken a descriptor of its own. */
	if (is_of_library(word))
		sdpu_segment_close_fd(&word->segment);
	if (result != DOCA_SUCCESS)
		sdpu_event_word_close(word);
	return result;
}

void sdpu_event_word_close(struct sdpu_event_word *word)
{
	sdpu_window_destroy(word->window);
	word->window = NULL;
	if (word->agent)
		sdpu_agent_put();
	word->agent = false;
	if (is_of_library(word)) {
		sdpu_segment_unmap(&word->segment);
		word->at = NULL;
	}
}

struct sdpu_atomic sdpu_event_word_op(const struct sdpu_event_word *word,
				      enum sdpu_atomic_kind kind, uint64_t operand)
{
	struct sdpu_atomic op = {
		.reach = word->reach,
		.kind = kind,
		.addr = (uintptr_t)word->at,
		.operand = operand,
	};

	return op;
}

doca_error_t sdpu_event_word_run(struct sdpu_event_word *word, struct sdpu_atomic *op)
{
	if (word->window != NULL)
		return sdpu_window_atomic(word->window, op);
	if (word->reach != NULL)
		return sdpu_atomic_run(op);
	sdpu_atomic_op(word->at, op);
	return DOCA_SUCCESS;
}

void sdpu_event_word_cancel(struct sdpu_event_word *word, struct sdpu_atomic *op)
{
	if (word->reach != NULL)
		sdpu_atomic_cancel(op);
}

const char *sdpu_event_fault(doca_error_t result)
{
	switch (result) {
	case DOCA_ERROR_BAD_STATE:
		return "the event is not started";
	case DOCA_ERROR_CONNECTION_RESET:
		return "the process that exported the event has died";
	case DOCA_ERROR_NOT_PERMITTED:
		return "the exporter has stopped the event, or started it anew; import a new "
		       "export of it";
	case DOCA_ERROR_IO_FAILED:
		return "the memory of the counter is gone; it must outlive the event";
	default:
		return sdpu_error_descr(result);
	}
}

void sdpu_event_word_explain(const char *call, doca_error_t result)
{
	sdpu_log_err("%s: the counter cannot be reached; %s", call, sdpu_event_fault(result));
}
