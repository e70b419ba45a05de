/* SPDX-License-Identifier: BSD-3-Clause */
#include "watch_words.h"

const char *watch_state_word(enum softdpu_object_state state)
{
	static const char *const words[SOFTDPU_STATES] = {
		[SOFTDPU_STATE_IDLE] = "idle",	     [SOFTDPU_STATE_STARTING] = "starting",
		[SOFTDPU_STATE_RUNNING] = "running", [SOFTDPU_STATE_STOPPING] = "stopping",
		[SOFTDPU_STATE_ENDED] = "ended",
	};

	return words[state];
}

const char *watch_answer(doca_error_t result)
{
	switch (result) {
	case DOCA_SUCCESS:
		return "listed";
	case DOCA_ERROR_TIME_OUT:
		return "no answer: it is stopped, or in a debugger";
	case DOCA_ERROR_AGAIN:
		return "too many look at it already";
	case DOCA_ERROR_NOT_FOUND:
	case DOCA_ERROR_CONNECTION_RESET:
		return "it ends, begins, or is of another version of softdpu";
	default:
		return doca_error_get_descr(result);
	}
}
