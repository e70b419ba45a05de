/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Death watches: one sdpu_watched_process per process that somebody watches, with all its watches.
 * The death is reported by a pidfd while those are no more than one in eight of the descriptors
 * that we may have (so that 512 peers fit into 1024), else by polling every 50 ms. Belongs to the
 * agent: its lock guards everything here. A record ends with its last watch, or with the process.
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

#define POLL_INTERVAL (50 * SDPU_MS)

struct sdpu_watched_process {
	struct sdpu_list node;
	struct sdpu_list watches;
	pid_t pid;
	bool reported;		 /* being reported: off the list, freed by report() */
	uint64_t born;		 /* start time as the kernel counts it, against reuse of the pid */
	struct sdpu_watch pidfd; /* fd is -1 when we poll */
};

uint32_t sdpu_death_pidfd_share = 8;

/* Processes, by how their death is noticed. */
static struct sdpu_list by_pidfd = {.next = &by_pidfd, .prev = &by_pidfd};
static struct sdpu_list polled = {.next = &polled, .prev = &polled};
static uint32_t num_pidfds;
static uint32_t num_polled;
static uint64_t poll_at;

#define process_of(it) sdpu_container_of(it, struct sdpu_watched_process, node)

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

static bool process_is_alive(const struct sdpu_watched_process *process)
{
	if (process->pidfd.fd >= 0)
		return !pidfd_says_dead(process->pidfd.fd);
	return is_alive(process->pid, process->born);
}

/* Ends the observation; the record stays. */
static void process_unwatch(struct sdpu_watched_process *process)
{
	sdpu_list_remove(&process->node);
	if (process->pidfd.fd < 0) {
		num_polled--;
		return;
	}
	sdpu_agent_unwatch(&process->pidfd);
	sdpu_fd_close(process->pidfd.fd);
	num_pidfds--;
}

static void report(struct sdpu_watched_process *process)
{
	struct sdpu_list *it;

	process->reported = true;
	process_unwatch(process);
	/* A callback may take others off this list, and free anything but this record. */
	while ((it = sdpu_list_pop(&process->watches)) != NULL) {
		struct sdpu_death_watch *watch =
			sdpu_container_of(it, struct sdpu_death_watch, node);

		watch->process = NULL;
		watch->dead(watch);
	}
	free(process);
}

static void pidfd_ready(struct sdpu_watch *watch, uint32_t events)
{
	report(sdpu_container_of(watch, struct sdpu_watched_process, pidfd));
}

static bool may_open_pidfd(void)
{
	struct rlimit limit;

	/* Older versions of valgrind do not know the system call and warn each time. */
	if (sdpu_under_valgrind())
		return false;
	return sdpu_death_pidfd_share != 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
	       num_pidfds < limit.rlim_cur / sdpu_death_pidfd_share;
}

/* False: no descriptor to be had, or the kernel has no pidfds. */
static bool watch_pidfd(struct sdpu_watched_process *process)
{
	process->pidfd = (struct sdpu_watch){.fd = -1, .ready = pidfd_ready};
	if (may_open_pidfd())
		process->pidfd.fd = sdpu_fd_own((int)syscall(SYS_pidfd_open, process->pid, 0));
	if (process->pidfd.fd < 0)
		return false;
	if (sdpu_agent_watch(&process->pidfd, EPOLLIN) != DOCA_SUCCESS) {
		sdpu_fd_close(process->pidfd.fd);
		process->pidfd.fd = -1;
		return false;
	}
	return true;
}

static void process_watch(struct sdpu_watched_process *process)
{
	struct proc_stat stat;

	if (watch_pidfd(process)) {
		sdpu_list_append(&by_pidfd, &process->node);
		num_pidfds++;
		return;
	}
	if (read_stat(process->pid, &stat))
		process->born = stat.born;
	sdpu_list_append(&polled, &process->node);
	if (num_polled++ == 0)
		sdpu_agent_wake();
}

/* A record of that pid whose process is alive; the pid of a dead one may belong to another process
 * by now. */
static struct sdpu_watched_process *find_alive(const struct sdpu_list *processes, pid_t pid)
{
	struct sdpu_list *it;

	sdpu_list_for_each (it, processes)
		if (process_of(it)->pid == pid && process_is_alive(process_of(it)))
			return process_of(it);
	return NULL;
}

static doca_error_t process_open(pid_t pid, struct sdpu_watched_process **made)
{
	struct sdpu_watched_process *process = calloc(1, sizeof(*process));

	if (process == NULL)
		return DOCA_ERROR_NO_MEMORY;
	process->pid = pid;
	sdpu_list_init(&process->watches);
	process_watch(process);
	if (!process_is_alive(process)) {
		process_unwatch(process);
		free(process);
		return DOCA_ERROR_CONNECTION_RESET;
	}
	*made = process;
	return DOCA_SUCCESS;
}

static doca_error_t watch_death_locked(struct sdpu_death_watch *watch, pid_t pid)
{
	struct sdpu_watched_process *process = find_alive(&by_pidfd, pid);

	if (!sdpu_agent_is_running())
		return DOCA_ERROR_BAD_STATE;
	if (process == NULL)
		process = find_alive(&polled, pid);
	if (process == NULL) {
		doca_error_t result = process_open(pid, &process);

		if (result != DOCA_SUCCESS)
			return result;
	}
	watch->process = process;
	sdpu_list_append(&process->watches, &watch->node);
	return DOCA_SUCCESS;
}

doca_error_t sdpu_agent_watch_death(struct sdpu_death_watch *watch, pid_t pid)
{
	doca_error_t result;

	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	watch->process = NULL;
	sdpu_list_init(&watch->node);
	if (pid <= 0 || pid == getpid())
		return DOCA_SUCCESS;
	sdpu_agent_lock();
	result = watch_death_locked(watch, pid);
	sdpu_agent_unlock();
	return result;
}

void sdpu_agent_unwatch_death(struct sdpu_death_watch *watch)
{
	struct sdpu_watched_process *process;

	if (sdpu_process_inert())
		return;
	sdpu_agent_lock();
	process = watch->process;
	if (process != NULL) {
		watch->process = NULL;
		sdpu_list_remove(&watch->node);
		if (sdpu_list_empty(&process->watches) && !process->reported) {
			process_unwatch(process);
			free(process);
		}
	}
	sdpu_agent_unlock();
}

/* Each is polled once, unless a report changes the list: what is missed then is polled in the next
 * round. */
static void poll_all(void)
{
	for (uint32_t n = num_polled; n > 0 && !sdpu_list_empty(&polled); n--) {
		struct sdpu_watched_process *process = process_of(sdpu_list_pop(&polled));

		sdpu_list_append(&polled, &process->node);
		if (!is_alive(process->pid, process->born))
			report(process);
	}
}

uint64_t sdpu_death_tick(uint64_t now)
{
	if (num_polled == 0)
		return SDPU_NEVER;
	if (now >= poll_at) {
		poll_all();
		poll_at = now + POLL_INTERVAL;
	}
	return num_polled == 0 ? SDPU_NEVER : poll_at;
}
