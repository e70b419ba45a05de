/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reaching a window of which only the key is known: the owner's agent is asked for a grant. The
 * connection stays open for as long as the grant: when either end closes it or dies, the other is
 * told.
 */
#include <poll.h>
#include <string.h>

#include "base/clock.h"
#include "base/error_text.h"
#include "base/log.h"
#include "bus/process.h"
#include "bus/reach_parts.h"
#include "bus/rundir.h"
#include "bus/window_check.h"

#define ANSWER_WITHIN (2 * SDPU_SECOND)
/* How often to check that the owner lives: a child of a dead one may hold its socket open. */
#define LOOK_EVERY_MS 20

doca_error_t sdpu_window_call(const char *endpoint, enum window_op op,
			      const uint8_t key[SDPU_KEY_SIZE], const int *fds, uint32_t num_fds,
			      int *sock, pid_t *peer)
{
	struct window_request request;

	memset(&request, 0, sizeof(request));
	sdpu_hello_fill(&request.hello, SDPU_SERVICE_WINDOW);
	request.op = op;
	memcpy(request.key, key, SDPU_KEY_SIZE);
	return sdpu_agent_call(endpoint, &request, sizeof(request), fds, num_fds, sock, peer);
}

static doca_error_t call_patiently(const char *endpoint, const uint8_t key[SDPU_KEY_SIZE],
				   int *sock, pid_t *peer)
{
	uint64_t deadline = sdpu_clock_now() + ANSWER_WITHIN;
	doca_error_t result;

	do {
		result = sdpu_window_call(endpoint, WINDOW_IMPORT, key, NULL, 0, sock, peer);
		if (result != DOCA_ERROR_AGAIN)
			return result;
		sdpu_clock_sleep(SDPU_MS);
	} while (sdpu_clock_now() < deadline);
	return DOCA_ERROR_TIME_OUT;
}

struct asked {
	struct sdpu_death_watch death_watch;
	uint32_t dead; /* atomic: the agent's thread sets it */
};

static void owner_died(struct sdpu_death_watch *watch)
{
	/* release: pairs with the acquire in wait_record() */
	sdpu_store_release(&sdpu_container_of(watch, struct asked, death_watch)->dead, 1);
}

/* Polls until there is a record, the connection or its owner has ended, or the time is over. */
static doca_error_t wait_record(int sock, struct asked *asked, struct sdpu_record *record)
{
	uint64_t deadline = sdpu_clock_now() + ANSWER_WITHIN;
	struct pollfd poll_fd = {.fd = sock, .events = POLLIN};

	for (;;) {
		bool late = sdpu_clock_now() >= deadline;
		bool dead = sdpu_load_acquire(&asked->dead) != 0;
		doca_error_t result = sdpu_sock_recv(sock, record);

		if (result != DOCA_ERROR_AGAIN)
			return result;
		if (dead)
			return DOCA_ERROR_CONNECTION_RESET;
		if (late)
			return DOCA_ERROR_TIME_OUT;
		poll(&poll_fd, 1, LOOK_EVERY_MS);
	}
}

static doca_error_t wait_answer(int sock, pid_t peer, struct sdpu_record *record)
{
	struct asked asked = {.death_watch = {.dead = owner_died}};
	doca_error_t result = sdpu_agent_watch_death(&asked.death_watch, peer);

	/* Dead already: no watch was set up. Its answer may be in the socket all the same. */
	if (result == DOCA_ERROR_CONNECTION_RESET)
		asked.dead = 1;
	else if (result != DOCA_SUCCESS)
		return result;
	result = wait_record(sock, &asked, record);
	sdpu_agent_unwatch_death(&asked.death_watch);
	return result;
}

/* The errors that an agent may answer with; any other number becomes UNEXPECTED. */
static doca_error_t refusal(uint32_t result)
{
	switch (result) {
	case DOCA_ERROR_NOT_FOUND:
	case DOCA_ERROR_NO_MEMORY:
	case DOCA_ERROR_OPERATING_SYSTEM:
		return (doca_error_t)result;
	default:
		return DOCA_ERROR_UNEXPECTED;
	}
}

/* Takes sock over. */
static doca_error_t open_answer(struct sdpu_record *record, int sock, pid_t peer,
				struct sdpu_reach **reach)
{
	struct window_reply reply;
	const char *fault =
		sdpu_window_reply_fault(record->bytes, record->len, record->num_fds, &reply);
	uint32_t num_fds = record->num_fds;
	int fds[SDPU_GRANT_FDS];
	doca_error_t result;

	if (fault == NULL && reply.result == DOCA_SUCCESS) {
		for (uint32_t i = 0; i < num_fds; i++)
			fds[i] = sdpu_record_take_fd(record, i);
		return sdpu_reach_open_conn(&reply.msg, fds, num_fds, peer, sock, reach);
	}
	sdpu_fd_close(sock);
	if (fault != NULL) {
		sdpu_log_err("answer of pid %d about a memory window refused: %s", (int)peer,
			     fault);
		return DOCA_ERROR_INVALID_VALUE;
	}
	result = refusal(reply.result);
	sdpu_log_info("pid %d does not give access to its memory window: %s", (int)peer,
		      result == DOCA_ERROR_NOT_FOUND ? "its mmap was stopped or destroyed"
						     : sdpu_error_descr(result));
	return result;
}

/* The caller logs the error for the user; this logs the details. */
static doca_error_t call_failed(const char *endpoint, doca_error_t result)
{
	if (result == DOCA_ERROR_NOT_FOUND)
		sdpu_log_info("memory window: no process at %.*s in %s; the exporter has ended, or "
			      "uses another SOFTDPU_RUNTIME_DIR",
			      SDPU_ENDPOINT_MAX, endpoint, sdpu_rundir_path());
	else
		sdpu_log_info("memory window: cannot ask the process at %.*s: %s",
			      SDPU_ENDPOINT_MAX, endpoint, sdpu_error_descr(result));
	return result;
}

doca_error_t sdpu_reach_import(const char *call, const char *endpoint,
			       const uint8_t key[SDPU_KEY_SIZE], struct sdpu_reach **reach)
{
	struct sdpu_record record;
	doca_error_t result;
	pid_t peer;
	int sock;

	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	result = call_patiently(endpoint, key, &sock, &peer);
	if (result != DOCA_SUCCESS)
		return call_failed(endpoint, result);
	result = wait_answer(sock, peer, &record);
	if (result != DOCA_SUCCESS) {
		sdpu_fd_close(sock);
		/* Closed without an answer: the owner was about to end, or is dead. */
		if (result == DOCA_ERROR_CONNECTION_RESET)
			result = DOCA_ERROR_NOT_FOUND;
		return call_failed(endpoint, result);
	}
	result = sdpu_hello_check_answer(call, &record);
	if (result == DOCA_SUCCESS)
		result = open_answer(&record, sock, peer, reach);
	else
		sdpu_fd_close(sock);
	sdpu_record_drop(&record);
	return result;
}
