/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Watching another process: softdpu_watch_*(). A watch is a connection to that process's agent and
 * a read-only mapping of the pages that it lists its objects in; the list is copied out and checked
 * before anybody sees it, as the other side may write what and when it likes.
 *
 * Owner: the caller; one thread at a time. The other's death is noticed at the next read.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include <softdpu.h>

#include "base/clock.h"
#include "base/log.h"
#include "bus/stats.h"
#include "bus/process.h"
#include "bus/segment.h"

#define PAGES_SIZE (SDPU_STATS_ROWS * sizeof(struct softdpu_object))

struct softdpu_watch {
	int sock;
	bool asked; /* and not answered in time: that answer comes first */
	struct sdpu_segment pages;
	struct softdpu_object *objects;
};

static struct sdpu_stats_request request_make(void)
{
	struct sdpu_stats_request request;

	memset(&request, 0, sizeof(request));
	sdpu_hello_fill(&request.hello, SDPU_SERVICE_STATS);
	return request;
}

/* TIME_OUT, or what sdpu_sock_recv() says of a record that is there. */
static doca_error_t wait_record(int sock, uint64_t until, struct sdpu_record *record)
{
	doca_error_t result;

	while ((result = sdpu_sock_recv(sock, record)) == DOCA_ERROR_AGAIN) {
		struct pollfd ready = {.fd = sock, .events = POLLIN};
		uint64_t now = sdpu_clock_now();
		int ms = now >= until ? 0 : (int)((until - now + SDPU_MS - 1) / SDPU_MS);

		if (ms == 0)
			return DOCA_ERROR_TIME_OUT;
		if (poll(&ready, 1, ms) < 0 && errno != EINTR)
			return DOCA_ERROR_OPERATING_SYSTEM;
	}
	return result;
}

static doca_error_t wait_answer(struct softdpu_watch *watch, uint64_t until,
				struct sdpu_stats_answer *answer, int *fd)
{
	struct sdpu_record record;
	doca_error_t result = wait_record(watch->sock, until, &record);

	if (result != DOCA_SUCCESS)
		return result;
	result = sdpu_hello_check_answer("softdpu_watch_open", &record);
	if (result == DOCA_SUCCESS)
		result = sdpu_stats_answer_read(record.bytes, record.len, answer);
	if (result == DOCA_SUCCESS)
		*fd = sdpu_record_take_fd(&record, 0);
	sdpu_record_drop(&record);
	return result;
}

/* The first answer: room is made for all that the pages can hold. */
static doca_error_t accept_pages(struct softdpu_watch *watch, uint64_t until)
{
	struct sdpu_stats_answer answer;
	doca_error_t result;
	int fd;

	result = wait_answer(watch, until, &answer, &fd);
	if (result != DOCA_SUCCESS)
		return result;
	if (answer.result != DOCA_SUCCESS) {
		sdpu_fd_close(fd);
		return DOCA_ERROR_AGAIN;
	}
	result = sdpu_segment_map(fd, PAGES_SIZE, PAGES_SIZE, SDPU_SEGMENT_READ, 0, &watch->pages);
	if (result != DOCA_SUCCESS)
		return result;
	watch->objects = malloc(PAGES_SIZE);
	return watch->objects == NULL ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS;
}

static uint64_t deadline(uint32_t timeout_ms)
{
	return sdpu_clock_now() + timeout_ms * SDPU_MS;
}

doca_error_t softdpu_watch_open(const char *process, uint32_t timeout_ms,
				struct softdpu_watch **watch)
{
	struct sdpu_stats_request request = request_make();
	struct softdpu_watch *made;
	doca_error_t result;
	pid_t peer;

	if (process == NULL || watch == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	made = calloc(1, sizeof(*made));
	if (made == NULL)
		return DOCA_ERROR_NO_MEMORY;
	made->sock = -1;
	result = sdpu_agent_call(process, &request, sizeof(request), NULL, 0, &made->sock, &peer);
	if (result == DOCA_SUCCESS)
		result = accept_pages(made, deadline(timeout_ms));
	if (result != DOCA_SUCCESS) {
		softdpu_watch_close(made);
		return result;
	}
	*watch = made;
	return DOCA_SUCCESS;
}

/* One request at a time: the pages stand still from its answer to the next one. */
static doca_error_t ask(struct softdpu_watch *watch, uint64_t until,
			struct sdpu_stats_answer *answer)
{
	struct sdpu_stats_request request = request_make();
	doca_error_t result;
	int fd;

	if (!watch->asked) {
		result = sdpu_sock_send(watch->sock, &request, sizeof(request), NULL, 0);
		if (result != DOCA_SUCCESS)
			return result;
		watch->asked = true;
	}
	result = wait_answer(watch, until, answer, &fd);
	if (result != DOCA_SUCCESS)
		return result;
	watch->asked = false;
	sdpu_fd_close(fd);
	return answer->result == DOCA_SUCCESS ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t softdpu_watch_read(struct softdpu_watch *watch, uint32_t timeout_ms,
				struct softdpu_reading *reading)
{
	const struct softdpu_object *shared;
	struct sdpu_stats_answer answer;
	doca_error_t result;

	if (watch == NULL || reading == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	result = ask(watch, deadline(timeout_ms), &answer);
	if (result != DOCA_SUCCESS)
		return result;
	shared = watch->pages.base;
	for (uint32_t i = 0; i < answer.num_rows; i++) {
		result = sdpu_stats_row_read(&shared[i], &watch->objects[i]);
		if (result != DOCA_SUCCESS)
			return result;
	}
	*reading = (struct softdpu_reading){
		.taken_ns = answer.taken_ns,
		.watched_ns = answer.watched_ns,
		.num_objects = answer.num_rows,
		.num_unlisted = answer.num_unlisted,
		.objects = watch->objects,
	};
	return DOCA_SUCCESS;
}

void softdpu_watch_close(struct softdpu_watch *watch)
{
	if (watch == NULL)
		return;
	sdpu_fd_close(watch->sock);
	sdpu_segment_unmap(&watch->pages);
	free(watch->objects);
	free(watch);
}
