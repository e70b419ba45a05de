/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lines; contract in local_line.h.
 */
#include "rdma/local_line.h"

#include <string.h>
#include <sys/epoll.h>

#include "base/clock.h"
#include "bus/process.h"

#define TRY_WITHIN (2 * SDPU_SECOND)

static void line_tell(struct local_line *line)
{
	/* Release: pairs with the acquire in local_line_has_event(). */
	sdpu_store_release(&line->event, 1);
	sdpu_bell_attend(line->bell);
}

/* Told once: it stays readable until the engine has read it. */
static void line_ready(struct sdpu_watch *watch, uint32_t events)
{
	sdpu_agent_unwatch(watch);
	line_tell(sdpu_container_of(watch, struct local_line, watch));
}

static void line_dead(struct sdpu_death_watch *watch)
{
	line_tell(sdpu_container_of(watch, struct local_line, death_watch));
}

bool local_try_again(uint64_t since)
{
	if (sdpu_clock_now() >= since + TRY_WITHIN)
		return false;
	sdpu_clock_sleep(SDPU_MS);
	return true;
}

static doca_error_t line_call(const char *endpoint, const void *hello, size_t len, const int *fds,
			      uint32_t num_fds, int *sock, pid_t *peer)
{
	uint64_t since = sdpu_clock_now();
	doca_error_t result;

	do
		result = sdpu_agent_call(endpoint, hello, len, fds, num_fds, sock, peer);
	while (result == DOCA_ERROR_AGAIN && local_try_again(since));
	return result;
}

doca_error_t local_line_attach(struct local_line *line, struct sdpu_bell *bell, int sock,
			       pid_t peer)
{
	doca_error_t result;

	memset(line, 0, sizeof(*line));
	line->bell = bell;
	line->peer = peer;
	line->watch.fd = sock;
	line->watch.ready = line_ready;
	line->death_watch.dead = line_dead;
	result = sdpu_agent_watch(&line->watch, EPOLLIN | EPOLLRDHUP);
	if (result == DOCA_SUCCESS)
		result = sdpu_agent_watch_death(&line->death_watch, peer);
	if (result == DOCA_SUCCESS)
		return result;
	(void)local_line_take(line);
	local_line_close(line);
	return result;
}

doca_error_t local_line_open(struct local_line *line, struct sdpu_bell *bell, const char *endpoint,
			     const void *hello, size_t len, const int *fds, uint32_t num_fds)
{
	doca_error_t result;
	pid_t peer;
	int sock;

	result = line_call(endpoint, hello, len, fds, num_fds, &sock, &peer);
	if (result != DOCA_SUCCESS)
		return result;
	result = local_line_attach(line, bell, sock, peer);
	if (result != DOCA_SUCCESS)
		sdpu_fd_close(sock);
	return result;
}

int local_line_take(struct local_line *line)
{
	int sock = line->watch.fd;

	if (line->bell == NULL)
		return -1;
	sdpu_agent_unwatch(&line->watch);
	line->watch.fd = -1;
	return sock;
}

void local_line_close(struct local_line *line)
{
	if (line->bell == NULL)
		return;
	sdpu_fd_close(local_line_take(line));
	sdpu_agent_unwatch_death(&line->death_watch);
	line->bell = NULL;
}
