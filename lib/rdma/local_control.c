/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Control connections; contract in local_control.h.
 */
#include "rdma/local_control.h"

#include <string.h>
#include <sys/epoll.h>

#include "base/clock.h"
#include "bus/process.h"

#define TRY_WITHIN (2 * SDPU_SECOND)

static void control_tell(struct local_control *control)
{
	/* Release: pairs with the acquire in local_control_has_event(). */
	sdpu_store_release(&control->event, 1);
	sdpu_bell_attend(control->bell);
}

/* Told once: it stays readable until the engine has read it. */
static void control_ready(struct sdpu_watch *watch, uint32_t events)
{
	sdpu_agent_unwatch(watch);
	control_tell(sdpu_container_of(watch, struct local_control, watch));
}

static void control_dead(struct sdpu_death_watch *watch)
{
	control_tell(sdpu_container_of(watch, struct local_control, death_watch));
}

bool local_try_again(uint64_t since)
{
	if (sdpu_clock_now() >= since + TRY_WITHIN)
		return false;
	sdpu_clock_sleep(SDPU_MS);
	return true;
}

doca_error_t local_control_attach(struct local_control *control, struct sdpu_bell *bell, int sock,
				  pid_t peer)
{
	doca_error_t result;

	memset(control, 0, sizeof(*control));
	control->bell = bell;
	control->peer = peer;
	control->watch.fd = sock;
	control->watch.ready = control_ready;
	control->death_watch.dead = control_dead;
	result = sdpu_agent_watch(&control->watch, EPOLLIN | EPOLLRDHUP);
	if (result == DOCA_SUCCESS)
		result = sdpu_agent_watch_death(&control->death_watch, peer);
	if (result == DOCA_SUCCESS)
		return result;
	(void)local_control_take(control);
	local_control_close(control);
	return result;
}

/* Watched first: what needs memory comes before the peer knows of us. */
static doca_error_t control_call(struct local_control *control, struct sdpu_bell *bell,
				 const char *endpoint, const void *hello, size_t len,
				 const int *fds, uint32_t num_fds)
{
	doca_error_t result;
	pid_t peer;
	int sock;

	result = sdpu_agent_dial(endpoint, &sock, &peer);
	if (result != DOCA_SUCCESS)
		return result;
	result = local_control_attach(control, bell, sock, peer);
	if (result != DOCA_SUCCESS) {
		sdpu_fd_close(sock);
		return result;
	}
	result = sdpu_sock_send(sock, hello, len, fds, num_fds);
	if (result != DOCA_SUCCESS)
		local_control_close(control);
	return result;
}

doca_error_t local_control_open(struct local_control *control, struct sdpu_bell *bell,
				const char *endpoint, const void *hello, size_t len, const int *fds,
				uint32_t num_fds)
{
	uint64_t since = sdpu_clock_now();
	doca_error_t result;

	do
		result = control_call(control, bell, endpoint, hello, len, fds, num_fds);
	while (result == DOCA_ERROR_AGAIN && local_try_again(since));
	return result;
}

int local_control_take(struct local_control *control)
{
	int sock = control->watch.fd;

	if (control->bell == NULL)
		return -1;
	sdpu_agent_unwatch(&control->watch);
	control->watch.fd = -1;
	return sock;
}

void local_control_close(struct local_control *control)
{
	if (control->bell == NULL)
		return;
	sdpu_fd_close(local_control_take(control));
	sdpu_agent_unwatch_death(&control->death_watch);
	control->bell = NULL;
}
