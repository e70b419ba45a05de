/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Watchers of this process, as its agent serves them. Everything runs in the agent's thread with
 * its lock held (sdpu_stats_stop(): after it has ended), and never blocks: a watcher that does not
 * read its answers is disconnected.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "base/clock.h"
#include "base/log.h"
#include "bus/agent_parts.h"
#include "bus/stats.h"
#include "bus/process.h"
#include "bus/segment.h"

#define PAGES_SIZE (SDPU_STATS_ROWS * sizeof(struct softdpu_object))

struct watcher {
	struct sdpu_list node;
	struct sdpu_watch conn;
	struct sdpu_segment pages;
};

static struct sdpu_list watchers = {.next = &watchers, .prev = &watchers};
static uint64_t watched_since;

uint32_t sdpu_stats_watchers;
uint32_t sdpu_stats_look;

static void watchers_set(uint32_t num)
{
	sdpu_store(&sdpu_stats_watchers, num);
	if (num == 0)
		sdpu_store(&sdpu_stats_look, 0);
}

static void look_begin(void)
{
	static uint32_t last;

	if (++last == 0)
		last = 1;
	sdpu_store(&sdpu_stats_look, last);
}

static void watcher_end(struct watcher *watcher)
{
	sdpu_agent_unwatch(&watcher->conn);
	sdpu_fd_close(watcher->conn.fd);
	sdpu_segment_unmap(&watcher->pages);
	sdpu_list_remove(&watcher->node);
	watchers_set(sdpu_stats_watchers - 1);
	free(watcher);
}

static doca_error_t watcher_answer(struct watcher *watcher, int fd)
{
	struct sdpu_stats_answer answer = {
		.result = DOCA_SUCCESS,
		.watched_ns = watched_since,
	};

	look_begin();
	sdpu_stats_snapshot(watcher->pages.base, SDPU_STATS_ROWS, &answer);
	return sdpu_sock_send(watcher->conn.fd, &answer, sizeof(answer), &fd, fd < 0 ? 0 : 1);
}

static bool is_request(const struct sdpu_record *record)
{
	struct sdpu_stats_request request;

	if (record->len != sizeof(request) || record->num_fds != 0)
		return false;
	memcpy(&request, record->bytes, sizeof(request));
	return request.hello.service == SDPU_SERVICE_STATS;
}

static void watcher_ready(struct sdpu_watch *conn, uint32_t events)
{
	struct watcher *watcher = sdpu_container_of(conn, struct watcher, conn);
	struct sdpu_record record;
	doca_error_t result = sdpu_sock_recv(conn->fd, &record);

	if (result == DOCA_ERROR_AGAIN)
		return;
	if (result == DOCA_SUCCESS) {
		bool good = is_request(&record);

		sdpu_record_drop(&record);
		if (good && watcher_answer(watcher, -1) == DOCA_SUCCESS)
			return;
	}
	watcher_end(watcher);
}

/* Takes sock over in every outcome. */
static doca_error_t watcher_begin(int sock, struct watcher **made)
{
	struct watcher *watcher = calloc(1, sizeof(*watcher));
	doca_error_t result = DOCA_ERROR_NO_MEMORY;

	if (watcher != NULL)
		result = sdpu_segment_create("softdpu-stats", PAGES_SIZE, 0, true, &watcher->pages);
	if (result != DOCA_SUCCESS) {
		sdpu_fd_close(sock);
		free(watcher);
		return result;
	}
	if (sdpu_list_empty(&watchers))
		watched_since = sdpu_clock_now();
	watcher->conn = (struct sdpu_watch){.fd = sock, .ready = watcher_ready};
	sdpu_list_append(&watchers, &watcher->node);
	watchers_set(sdpu_stats_watchers + 1);
	*made = watcher;
	return DOCA_SUCCESS;
}

static void refuse(int sock, pid_t peer)
{
	struct sdpu_stats_answer answer = {.result = DOCA_ERROR_AGAIN};

	sdpu_log_warn("pid %d wants to watch this process, as %d do already: refused", (int)peer,
		      SDPU_STATS_WATCHERS);
	/* If this fails, the watcher sees the closed connection. */
	(void)sdpu_sock_send(sock, &answer, sizeof(answer), NULL, 0);
	sdpu_fd_close(sock);
}

static void admit(int sock, pid_t peer, struct sdpu_record *record)
{
	struct watcher *watcher;
	doca_error_t result;

	if (!is_request(record)) {
		sdpu_log_err("request of pid %d to watch this process is malformed: refused",
			     (int)peer);
		sdpu_fd_close(sock);
		return;
	}
	if (sdpu_stats_watchers >= SDPU_STATS_WATCHERS) {
		refuse(sock, peer);
		return;
	}
	if (watcher_begin(sock, &watcher) != DOCA_SUCCESS)
		return;
	result = watcher_answer(watcher, watcher->pages.fd);
	sdpu_segment_close_fd(&watcher->pages);
	if (result == DOCA_SUCCESS)
		result = sdpu_agent_watch(&watcher->conn, EPOLLIN | EPOLLRDHUP);
	if (result != DOCA_SUCCESS)
		watcher_end(watcher);
}

void sdpu_stats_stop(void)
{
	while (!sdpu_list_empty(&watchers))
		watcher_end(sdpu_container_of(watchers.next, struct watcher, node));
}

__attribute__((constructor)) static void offer_service(void)
{
	sdpu_agent_register(SDPU_SERVICE_STATS, admit);
}
