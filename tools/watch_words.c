/* SPDX-License-Identifier: BSD-3-Clause */
#include "watch_words.h"

const struct watch_kind *watch_kind(uint32_t kind)
{
	static const struct watch_kind kinds[SOFTDPU_OBJECT_KINDS] = {
		[SOFTDPU_OBJECT_CONTEXT] = {"context", "context", "context"},
		[SOFTDPU_OBJECT_ENGINE] = {"engine", "engine", NULL},
		[SOFTDPU_OBJECT_SERVER] = {"server", "server", "server"},
		[SOFTDPU_OBJECT_CLIENT] = {"client", "client", "client"},
		[SOFTDPU_OBJECT_CONNECTION] = {"connection", "connection", NULL},
		[SOFTDPU_OBJECT_PRODUCER] = {"producer", "producer", "producer"},
		[SOFTDPU_OBJECT_CONSUMER] = {"consumer", "consumer", "consumer"},
		[SOFTDPU_OBJECT_MSGQ] = {"msgq", "msgq", "MsgQ"},
		[SOFTDPU_OBJECT_RDMA] = {"rdma", "rdma", "RDMA context"},
		[SOFTDPU_OBJECT_RDMA_CONNECTION] = {"rdma_connection", "rdma connection", NULL},
		[SOFTDPU_OBJECT_DMA] = {"dma", "dma", "DMA context"},
		[SOFTDPU_OBJECT_WINDOW] = {"window", NULL, NULL},
		[SOFTDPU_OBJECT_REACH] = {"reach", NULL, NULL},
	};

	return kind < SOFTDPU_OBJECT_KINDS ? &kinds[kind] : NULL;
}

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
