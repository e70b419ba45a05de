/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The engine's side of the doorbell; bell.h describes protocol, owner and threads. Harm that peers
 * can do: garbage in the ready page makes the engine poll in vain, records on the socket wake it up
 * in vain. A dead peer's socket is taken out of the handle here; the agent reports the death.
 */
#include "bus/bell.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/membarrier.h"
#include "bus/process.h"

/* Bounds for one disarming, of sockets and of rings read from each: what is left wakes the handle
 * once more. */
#define DRAIN_EVENTS 64
#define DRAIN_ROUNDS 16
#define DRAIN_RINGS 64

static doca_error_t handle_add(struct sdpu_bell *bell, int fd)
{
	struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};

	if (epoll_ctl(bell->epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0) {
		sdpu_log_err("doorbell: epoll_ctl of descriptor %d: %s", fd, strerror(errno));
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	return DOCA_SUCCESS;
}

static doca_error_t open_handle(struct sdpu_bell *bell)
{
	bell->epoll_fd = sdpu_fd_own(epoll_create1(EPOLL_CLOEXEC));
	bell->kick_fd = sdpu_fd_own(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
	if (bell->epoll_fd < 0 || bell->kick_fd < 0) {
		sdpu_log_err("doorbell: epoll or eventfd: %s", strerror(errno));
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	return handle_add(bell, bell->kick_fd);
}

static doca_error_t open_pages(struct sdpu_bell *bell)
{
	doca_error_t result = sdpu_segment_create("softdpu-armed", SDPU_BELL_PAGE, SDPU_BELL_PAGE,
						  true, &bell->armed_seg);

	if (result == DOCA_SUCCESS)
		result = sdpu_segment_create("softdpu-ready", SDPU_BELL_PAGE, SDPU_BELL_PAGE, false,
					     &bell->ready_seg);
	bell->armed = bell->armed_seg.base;
	bell->ready = bell->ready_seg.base;
	if (result == DOCA_SUCCESS)
		sdpu_store(&bell->armed->armed, bell->awake);
	return result;
}

doca_error_t sdpu_bell_create(struct sdpu_bell *bell)
{
	doca_error_t result;

	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	*bell = (struct sdpu_bell){.epoll_fd = -1, .kick_fd = -1, .timer_fd = -1};
	bell->registered = sdpu_membarrier_register(SDPU_MEMBARRIER_MACHINE);
	bell->awake =
		sdpu_membarrier_fence(SDPU_MEMBARRIER_MACHINE) ? SDPU_AWAKE : SDPU_AWAKE_FENCE;
	result = open_pages(bell);
	if (result == DOCA_SUCCESS)
		result = open_handle(bell);
	if (result != DOCA_SUCCESS)
		sdpu_bell_destroy(bell);
	return result;
}

void sdpu_bell_destroy(struct sdpu_bell *bell)
{
	/* Pages come first and go last: a zeroed or destroyed bell has none, and no descriptors. */
	if (bell->armed_seg.base == NULL || sdpu_process_inert())
		return;
	sdpu_fd_close(bell->timer_fd);
	sdpu_fd_close(bell->kick_fd);
	sdpu_fd_close(bell->epoll_fd);
	sdpu_segment_unmap(&bell->ready_seg);
	sdpu_segment_unmap(&bell->armed_seg);
	*bell = (struct sdpu_bell){.epoll_fd = -1, .kick_fd = -1, .timer_fd = -1};
}

void sdpu_bell_fds(const struct sdpu_bell *bell, int fds[SDPU_BELL_FDS])
{
	fds[0] = bell->armed_seg.fd;
	fds[1] = bell->ready_seg.fd;
}

doca_error_t sdpu_bell_add(struct sdpu_bell *bell, int sock)
{
	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	return handle_add(bell, sock);
}

void sdpu_bell_remove(struct sdpu_bell *bell, int sock)
{
	if (!sdpu_process_inert())
		epoll_ctl(bell->epoll_fd, EPOLL_CTL_DEL, sock, NULL);
}

doca_error_t sdpu_bell_take_bit(struct sdpu_bell *bell, uint32_t *bit)
{
	for (uint32_t w = 0; w < SDPU_READY_WORDS; w++) {
		uint32_t i;

		if (bell->used[w] == UINT64_MAX)
			continue;
		i = (uint32_t)__builtin_ctzll(~bell->used[w]);
		bell->used[w] |= 1ull << i;
		*bit = w * 64 + i;
		return DOCA_SUCCESS;
	}
	return DOCA_ERROR_FULL;
}

void sdpu_bell_give_bit(struct sdpu_bell *bell, uint32_t bit)
{
	if (bit < SDPU_READY_BITS)
		bell->used[bit / 64] &= ~(1ull << (bit % 64));
}

/* Of an eventfd or a timerfd. */
static void drain_counter(int fd)
{
	uint64_t count;

	if (read(fd, &count, sizeof(count)) < 0)
		return;
}

/* Length of the first record, 0 at the end of the connection, -1 when there is nothing. */
static ssize_t peek(int sock, uint8_t *first)
{
	ssize_t len = recv(sock, first, 1, MSG_PEEK | MSG_TRUNC | MSG_DONTWAIT);

	/* The kernel returns this once, before it delivers what the peer had sent (see sock.c). */
	if (len < 0 && errno == ECONNRESET)
		len = recv(sock, first, 1, MSG_PEEK | MSG_TRUNC | MSG_DONTWAIT);
	return len;
}

/* Leaves mail in the socket. A socket at its end leaves the handle, which would be ready for ever
 * otherwise. */
static void drain_rings(struct sdpu_bell *bell, int sock)
{
	uint8_t first = 0;

	for (int i = 0; i < DRAIN_RINGS; i++) {
		ssize_t len = peek(sock, &first);

		if (len == 0)
			sdpu_bell_remove(bell, sock);
		if (len != 1 || first != SDPU_RING_BYTE)
			return;
		if (recv(sock, &first, 1, MSG_DONTWAIT) < 0)
			return;
	}
}

static void drain(struct sdpu_bell *bell)
{
	struct epoll_event events[DRAIN_EVENTS];

	for (int round = 0; round < DRAIN_ROUNDS; round++) {
		int n = epoll_wait(bell->epoll_fd, events, DRAIN_EVENTS, 0);

		for (int i = 0; i < n; i++) {
			int fd = events[i].data.fd;

			if (fd == bell->kick_fd || fd == bell->timer_fd)
				drain_counter(fd);
			else
				drain_rings(bell, fd);
		}
		if (n < DRAIN_EVENTS)
			return;
	}
}

/* 0: never. */
static void set_timer(const struct sdpu_bell *bell, uint64_t ns)
{
	const struct itimerspec when = {.it_value.tv_sec = (time_t)(ns / SDPU_SECOND),
					.it_value.tv_nsec = (long)(ns % SDPU_SECOND)};

	if (bell->timer_fd >= 0)
		timerfd_settime(bell->timer_fd, 0, &when, NULL);
}

/*
 * The program has forbidden itself the system call meanwhile (seccomp). Senders that see the word
 * fence from now on; a store of one that has not seen it leaves its processor's buffer in far less
 * than a millisecond.
 */
static void lose_fence(struct sdpu_bell *bell)
{
	bell->awake = SDPU_AWAKE_FENCE;
	if (sdpu_load(&bell->armed->armed) < SDPU_ASLEEP)
		sdpu_store(&bell->armed->armed, SDPU_AWAKE_FENCE);
	sdpu_fence_full();
	sdpu_clock_sleep(SDPU_MS);
}

void sdpu_bell_fence(struct sdpu_bell *bell)
{
	if (sdpu_process_inert())
		return;
	if (bell->awake == SDPU_AWAKE_FENCE)
		sdpu_fence_full();
	else if (!sdpu_membarrier_fence(SDPU_MEMBARRIER_MACHINE))
		lose_fence(bell);
}

void sdpu_bell_arm(struct sdpu_bell *bell)
{
	if (sdpu_process_inert())
		return;
	/* Still armed: the program did not clear its notification. A ring for that sleep must not
	 * wake this one. */
	if (sdpu_load(&bell->armed->armed) >= SDPU_ASLEEP)
		drain(bell);
	if (++bell->sleep < SDPU_ASLEEP)
		bell->sleep = SDPU_ASLEEP;
	/* Pairs with F1 of the senders: they see this number, or the caller now sees their work. */
	sdpu_store_release(&bell->armed->armed, bell->sleep);
	sdpu_bell_fence(bell);
	bell->may_rouse = true;
}

void sdpu_bell_disarm(struct sdpu_bell *bell)
{
	if (sdpu_process_inert())
		return;
	sdpu_store(&bell->armed->armed, bell->awake);
	bell->may_rouse = false;
	set_timer(bell, 0);
	drain(bell);
}

void sdpu_bell_kick(struct sdpu_bell *bell)
{
	uint64_t one = 1;

	/* A write fails only when the counter is full, and then the handle is ready. */
	if (!sdpu_process_inert() && write(bell->kick_fd, &one, sizeof(one)) < 0)
		return;
}

static bool have_timer(struct sdpu_bell *bell)
{
	int fd;

	if (bell->timer_fd >= 0)
		return true;
	fd = sdpu_fd_own(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC));
	if (fd >= 0 && handle_add(bell, fd) == DOCA_SUCCESS)
		bell->timer_fd = fd;
	else
		sdpu_fd_close(fd);
	return bell->timer_fd >= 0;
}

void sdpu_bell_kick_after(struct sdpu_bell *bell, uint64_t ns)
{
	if (sdpu_process_inert())
		return;
	if (have_timer(bell))
		set_timer(bell, ns);
	else
		sdpu_bell_kick(bell);
}

void sdpu_bell_attend(struct sdpu_bell *bell)
{
	if (sdpu_process_inert())
		return;
	/* F1 of the same protocol as between processes, a full one as it is rare; release: what the
	 * engine shall find was written before */
	sdpu_publish_fenced(&bell->attention, 1);
	if (sdpu_load(&bell->armed->armed) >= SDPU_ASLEEP)
		sdpu_bell_kick(bell);
}
