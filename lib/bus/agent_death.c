/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Mourners: one *grave* per process that somebody watches, with all its mourners. It is told by a
 * pidfd while those are no more than one in eight of the descriptors that we may have (so that 512
 * peers fit into 1024), else by asking every 50 ms. Belongs to the agent: its lock guards
 * everything here. A grave ends with its last mourner, or with the process.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/valgrind.h"
#include "bus/agent_parts.h"
#include "bus/process.h"

#define ASK_EVERY (50 * SDPU_MS)

struct sdpu_grave {
	struct sdpu_list node;
	struct sdpu_list mourners;
	pid_t pid;
	bool told;		 /* being reported: off the list, freed by who reports */
	uint64_t born;		 /* start time as the kernel counts it, against reuse of the pid */
	struct sdpu_watch watch; /* on the pidfd; fd is -1 when we ask */
};

uint32_t sdpu_death_pidfd_share = 8;

static struct sdpu_list watched = {.next = &watched, .prev = &watched}; /* by pidfd */
static struct sdpu_list asked = {.next = &asked, .prev = &asked};
static uint32_t num_watched;
static uint32_t num_asked;
static uint64_t ask_at;

#define grave_of(it) sdpu_container_of(it, struct sdpu_grave, node)

struct proc_stat {
	char state;
	long threads;
	unsigned long long born;
};

/* Fields 3, 20 and 22 of /proc/PID/stat, counted from behind the command, which may hold anything.
 */
static bool read_stat(pid_t pid, struct proc_stat *stat)
{
	char path[32], line[1024];
	char *at;
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	len = read(fd, line, sizeof(line) - 1);
	close(fd);
	if (len < 0)
		return false;
	line[len] = '\0';
	at = strrchr(line, ')');
	return at != NULL && sscanf(at + 1,
				    " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
				    "%*s %*s %ld %*s %llu",
				    &stat->state, &stat->threads, &stat->born) == 3;
}

/* A zombie leader is alive as long as others of its threads are. */
static bool is_alive(pid_t pid, uint64_t born)
{
	struct proc_stat stat;

	if (kill(pid, 0) != 0 && errno == ESRCH)
		return false;
	if (!read_stat(pid, &stat))
		return true;
	if ((stat.state == 'Z' || stat.state == 'X') && stat.threads <= 1)
		return false;
	return born == 0 || stat.born == born;
}

static bool pidfd_says_dead(int pidfd)
{
	struct pollfd poll_fd = {.fd = pidfd, .events = POLLIN};

	return poll(&poll_fd, 1, 0) > 0;
}

static bool grave_is_alive(const struct sdpu_grave *grave)
{
	if (grave->watch.fd >= 0)
		return !pidfd_says_dead(grave->watch.fd);
	return is_alive(grave->pid, grave->born);
}

/* Ends the observation, not the grave. */
static void stop_looking(struct sdpu_grave *grave)
{
	sdpu_list_remove(&grave->node);
	if (grave->watch.fd < 0) {
		num_asked--;
		return;
	}
	sdpu_agent_unwatch(&grave->watch);
	sdpu_fd_close(grave->watch.fd);
	num_watched--;
}

static void report(struct sdpu_grave *grave)
{
	struct sdpu_list *it;

	grave->told = true;
	stop_looking(grave);
	/* A callback may take others off this list, and free whatever it likes but the grave. */
	while ((it = sdpu_list_pop(&grave->mourners)) != NULL) {
		struct sdpu_mourner *mourner = sdpu_container_of(it, struct sdpu_mourner, node);

		mourner->grave = NULL;
		mourner->dead(mourner);
	}
	free(grave);
}

static void pidfd_ready(struct sdpu_watch *watch, uint32_t events)
{
	report(sdpu_container_of(watch, struct sdpu_grave, watch));
}

static bool may_open_pidfd(void)
{
	struct rlimit limit;

	/* Older valgrinds do not know the system call, and complain each time. */
	if (sdpu_under_valgrind())
		return false;
	return sdpu_death_pidfd_share != 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
	       num_watched < limit.rlim_cur / sdpu_death_pidfd_share;
}

/* False: no descriptor to be had, or the kernel has no pidfds. */
static bool watch_pidfd(struct sdpu_grave *grave)
{
	grave->watch = (struct sdpu_watch){.fd = -1, .ready = pidfd_ready};
	if (may_open_pidfd())
		grave->watch.fd = sdpu_fd_own((int)syscall(SYS_pidfd_open, grave->pid, 0));
	if (grave->watch.fd < 0)
		return false;
	if (sdpu_agent_watch(&grave->watch, EPOLLIN) != DOCA_SUCCESS) {
		sdpu_fd_close(grave->watch.fd);
		grave->watch.fd = -1;
		return false;
	}
	return true;
}

static void start_looking(struct sdpu_grave *grave)
{
	struct proc_stat stat;

	if (watch_pidfd(grave)) {
		sdpu_list_append(&watched, &grave->node);
		num_watched++;
		return;
	}
	if (read_stat(grave->pid, &stat))
		grave->born = stat.born;
	sdpu_list_append(&asked, &grave->node);
	if (num_asked++ == 0)
		sdpu_agent_wake();
}

/* A grave of that pid whose process lives; the pid of a dead one may belong to somebody else by
 * now. */
static struct sdpu_grave *find_alive(const struct sdpu_list *graves, pid_t pid)
{
	struct sdpu_list *it;

	sdpu_list_for_each (it, graves)
		if (grave_of(it)->pid == pid && grave_is_alive(grave_of(it)))
			return grave_of(it);
	return NULL;
}

static doca_error_t dig(pid_t pid, struct sdpu_grave **made)
{
	struct sdpu_grave *grave = calloc(1, sizeof(*grave));

	if (grave == NULL)
		return DOCA_ERROR_NO_MEMORY;
	grave->pid = pid;
	sdpu_list_init(&grave->mourners);
	start_looking(grave);
	if (!grave_is_alive(grave)) {
		stop_looking(grave);
		free(grave);
		return DOCA_ERROR_CONNECTION_RESET;
	}
	*made = grave;
	return DOCA_SUCCESS;
}

static doca_error_t mourn_locked(struct sdpu_mourner *mourner, pid_t pid)
{
	struct sdpu_grave *grave = find_alive(&watched, pid);

	if (!sdpu_agent_is_running())
		return DOCA_ERROR_BAD_STATE;
	if (grave == NULL)
		grave = find_alive(&asked, pid);
	if (grave == NULL) {
		doca_error_t result = dig(pid, &grave);

		if (result != DOCA_SUCCESS)
			return result;
	}
	mourner->grave = grave;
	sdpu_list_append(&grave->mourners, &mourner->node);
	return DOCA_SUCCESS;
}

doca_error_t sdpu_agent_mourn(struct sdpu_mourner *mourner, pid_t pid)
{
	doca_error_t result;

	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	mourner->grave = NULL;
	sdpu_list_init(&mourner->node);
	if (pid <= 0 || pid == getpid())
		return DOCA_SUCCESS;
	sdpu_agent_lock();
	result = mourn_locked(mourner, pid);
	sdpu_agent_unlock();
	return result;
}

void sdpu_agent_unmourn(struct sdpu_mourner *mourner)
{
	struct sdpu_grave *grave;

	if (sdpu_process_inert())
		return;
	sdpu_agent_lock();
	grave = mourner->grave;
	if (grave != NULL) {
		mourner->grave = NULL;
		sdpu_list_remove(&mourner->node);
		if (sdpu_list_empty(&grave->mourners) && !grave->told) {
			stop_looking(grave);
			free(grave);
		}
	}
	sdpu_agent_unlock();
}

/* Each is asked once, unless a report changes the list: what is missed then is asked in the next
 * round. */
static void ask_all(void)
{
	for (uint32_t n = num_asked; n > 0 && !sdpu_list_empty(&asked); n--) {
		struct sdpu_grave *grave = grave_of(sdpu_list_pop(&asked));

		sdpu_list_append(&asked, &grave->node);
		if (!is_alive(grave->pid, grave->born))
			report(grave);
	}
}

uint64_t sdpu_death_tick(uint64_t now)
{
	if (num_asked == 0)
		return SDPU_NEVER;
	if (now >= ask_at) {
		ask_all();
		ask_at = now + ASK_EVERY;
	}
	return num_asked == 0 ? SDPU_NEVER : ask_at;
}
