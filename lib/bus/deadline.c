/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Deadlines; contract in deadline.h.
 */
#include "bus/deadline.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>

#include "base/error_text.h"
#include "base/log.h"
#include "bus/process.h"

static void deadline_ready(struct sdpu_watch *watch, uint32_t events)
{
	struct sdpu_deadline *deadline = sdpu_container_of(watch, struct sdpu_deadline, watch);

	sdpu_agent_unwatch(watch);
	/* Release: pairs with the acquire in sdpu_deadline_has_passed(). */
	sdpu_store_release(&deadline->passed, 1);
	sdpu_bell_attend(deadline->bell);
}

static int deadline_timer(uint32_t ms)
{
	/* All zeroes would mean never. */
	struct itimerspec when = {.it_value = {ms / 1000, ms % 1000 * 1000000L + 1}};
	int fd = sdpu_fd_own(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC));

	if (fd >= 0 && timerfd_settime(fd, 0, &when, NULL) == 0)
		return fd;
	sdpu_log_err("no timer for a connection that is to be made: %s", strerror(errno));
	sdpu_fd_close(fd);
	return -1;
}

doca_error_t sdpu_deadline_open(struct sdpu_deadline *deadline, struct sdpu_bell *bell, uint32_t ms)
{
	int fd = deadline_timer(ms);
	doca_error_t result;

	if (fd < 0)
		return DOCA_ERROR_OPERATING_SYSTEM;
	memset(deadline, 0, sizeof(*deadline));
	deadline->bell = bell;
	deadline->watch.fd = fd;
	deadline->watch.ready = deadline_ready;
	result = sdpu_agent_watch(&deadline->watch, EPOLLIN);
	if (result == DOCA_SUCCESS)
		return DOCA_SUCCESS;
	sdpu_deadline_close(deadline);
	if (result == DOCA_ERROR_NO_MEMORY)
		return result;
	sdpu_log_err("no timer for a connection that is to be made: %s", sdpu_error_descr(result));
	return DOCA_ERROR_OPERATING_SYSTEM;
}

void sdpu_deadline_close(struct sdpu_deadline *deadline)
{
	if (deadline->bell == NULL)
		return;
	sdpu_agent_unwatch(&deadline->watch);
	sdpu_fd_close(deadline->watch.fd);
	deadline->bell = NULL;
	sdpu_store(&deadline->passed, 0);
}
