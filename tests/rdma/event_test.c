/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Both ends live in epoll_wait without a time-out, in processes of their own: whatever event is
 * lost is a hang, which the case's time-out reports.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "rdma/rig.h"

#define ROUNDS 1500

static struct rig_end end;
static struct rig_card peer_card;
static int epoll_fd, link_fd;
static enum doca_pe_event_mode mode = DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE;
static doca_notification_handle_t handle;

static void open_sleeper(void)
{
	struct epoll_event event = {.events = EPOLLIN};

	rig_init(&end);
	rig_open(&end);
	T_OK(doca_pe_set_event_mode(end.pe, mode));
	T_OK(doca_pe_get_notification_handle(end.pe, &handle));
	epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	T_EQ(epoll_ctl(epoll_fd, EPOLL_CTL_ADD, handle, &event), 0);
	T_OK(doca_ctx_start(end.ctx));
}

static void wait_and_progress(void)
{
	struct epoll_event event;
	int n;

	do {
		n = epoll_wait(epoll_fd, &event, 1, -1);
	} while (n < 0 && errno == EINTR);
	T_EQ(n, 1);
	if (mode == DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE)
		T_OK(doca_pe_clear_notification(end.pe, handle));
	while (rig_turn(&end))
		;
}

static void sleep_once(void)
{
	T_OK(doca_pe_request_notification(end.pe));
	wait_and_progress();
}

#define SLEEP_UNTIL(cond)                                                                          \
	do {                                                                                       \
		while (!(cond))                                                                    \
			sleep_once();                                                              \
	} while (0)

/* What both do: answer each message, of lengths that take all the ways there are. */
static size_t length_of(uint32_t round)
{
	static const size_t lengths[] = {0, 64, 113, 64, 16384, 64, 20000, 64};

	return lengths[round % 8];
}

static void play(uint32_t round)
{
	size_t len = length_of(round);

	rig_send(&end, len == 0 ? NULL : rig_data(&end, 0, len), round);
}

static int answer(void *arg)
{
	int fd = *(int *)arg;

	open_sleeper();
	rig_swap(&end, fd, &peer_card);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		rig_receive(&end, rig_room(&end, 100000, 32768), i);
		SLEEP_UNTIL(end.ok[RIG_RECEIVE] == i + 1);
		T_EQ(rig_last(&end, RIG_RECEIVE)->len, length_of(i));
		play(i);
	}
	SLEEP_UNTIL(end.ok[RIG_SEND] == ROUNDS);
	rig_close(&end);
	return 0;
}

static void ask(void)
{
	pid_t pid = rig_peer(answer, &link_fd);

	open_sleeper();
	rig_swap(&end, link_fd, &peer_card);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		/* Now and then posted only after the answer may have come. */
		if (i % 3 != 0)
			rig_receive(&end, rig_room(&end, 100000, 32768), i);
		play(i);
		SLEEP_UNTIL(end.ok[RIG_SEND] == i + 1);
		if (i % 3 == 0)
			rig_receive(&end, rig_room(&end, 100000, 32768), i);
		SLEEP_UNTIL(end.ok[RIG_RECEIVE] == i + 1);
	}
	T_EQ(t_wait(pid, 10000), 0);
	rig_close(&end);
}

T_CASE_TIMEOUT(messages_wake, 60)
{
	ask();
}

T_CASE_TIMEOUT(messages_wake_in_progress_all, 60)
{
	mode = DOCA_PE_EVENT_MODE_PROGRESS_ALL;
	ask();
}

/*
 * Nothing goes back but what confirms, and whoever works beside the program has long fallen asleep
 * when the message is taken: what confirms it may not wait for something else to happen.
 */
#define CONFIRMED 100

static int take_late(void *arg)
{
	int fd = *(int *)arg;

	open_sleeper();
	rig_swap(&end, fd, &peer_card);
	for (uint32_t i = 0; i < CONFIRMED; i++) {
		T_EQ(rig_hear(fd), 's');
		usleep(5000);
		rig_receive(&end, rig_room(&end, 100000, 64), i);
		SLEEP_UNTIL(end.ok[RIG_RECEIVE] == i + 1);
	}
	SLEEP_UNTIL(end.disconnects == 1);
	rig_close(&end);
	return 0;
}

T_CASE_TIMEOUT(a_sleeper_confirms_what_it_took, 10)
{
	pid_t pid = rig_peer(take_late, &link_fd);

	open_sleeper();
	rig_swap(&end, link_fd, &peer_card);
	for (uint32_t i = 0; i < CONFIRMED; i++) {
		rig_send(&end, rig_data(&end, 0, 64), i);
		rig_say(link_fd, 's');
		SLEEP_UNTIL(end.ok[RIG_SEND] == i + 1);
	}
	rig_close(&end);
	T_EQ(t_wait(pid, 10000), 0);
}

/* One side connects and sleeps long before the other does; what it has submitted goes out then. */
static int late(void *arg)
{
	struct rig_card mine;
	int fd = *(int *)arg;

	open_sleeper();
	rig_export(&end, &mine);
	rig_put(fd, &mine, sizeof(mine));
	rig_get(fd, &peer_card, sizeof(peer_card));
	rig_receive(&end, NULL, 1);
	usleep(50000);
	T_OK(rig_connect(&end, &peer_card));
	SLEEP_UNTIL(end.ok[RIG_RECEIVE] == 1);
	SLEEP_UNTIL(end.disconnects == 1);
	rig_close(&end);
	return 0;
}

T_CASE(joining_wakes)
{
	pid_t pid = rig_peer(late, &link_fd);

	open_sleeper();
	rig_swap(&end, link_fd, &peer_card);
	rig_send(&end, NULL, 1);
	SLEEP_UNTIL(end.ok[RIG_SEND] == 1);
	rig_close(&end);
	T_EQ(t_wait(pid, 10000), 0);
}

static int dying(void *arg)
{
	open_sleeper();
	rig_swap(&end, *(int *)arg, &peer_card);
	pause();
	return 0;
}

static void sleep_until_it_dies(void)
{
	pid_t pid = rig_peer(dying, &link_fd);

	open_sleeper();
	rig_swap(&end, link_fd, &peer_card);
	rig_send(&end, NULL, 1);
	kill(pid, SIGKILL);
	SLEEP_UNTIL(end.failed[RIG_SEND] == 1);
	SLEEP_UNTIL(end.disconnects + end.failures == 1);
	rig_close(&end);
}

T_CASE(death_wakes)
{
	sleep_until_it_dies();
}

T_CASE(death_wakes_in_progress_all)
{
	mode = DOCA_PE_EVENT_MODE_PROGRESS_ALL;
	sleep_until_it_dies();
}

/* A long access is continued although nothing comes from outside. */
static int owner(void *arg)
{
	int fd = *(int *)arg;

	open_sleeper();
	rig_swap(&end, fd, &peer_card);
	rig_say(fd, 'c');
	(void)rig_hear(fd);
	rig_close(&end);
	return 0;
}

static void meet_owner(void)
{
	open_sleeper();
	rig_swap(&end, link_fd, &peer_card);
	T_EQ(rig_hear(link_fd), 'c');
}

T_CASE(long_accesses_continue)
{
	pid_t pid = rig_peer(owner, &link_fd);

	meet_owner();
	rig_write(&end, rig_data(&end, 0, RIG_SIZE), rig_remote_room(&end, &peer_card, 0, RIG_SIZE),
		  1);
	SLEEP_UNTIL(end.ok[RIG_WRITE] == 1);
	rig_say(link_fd, 'e');
	T_EQ(t_wait(pid, 10000), 0);
	rig_close(&end);
}

/*
 * A program that waits for other things as well submits after its request: that wakes it, too,
 * though nothing comes from outside.
 */
T_CASE(accesses_submitted_after_the_request_wake)
{
	static const size_t lengths[] = {0, 64, 100000, RIG_SIZE};
	pid_t pid = rig_peer(owner, &link_fd);

	meet_owner();
	for (uint32_t i = 0; i < 4; i++) {
		size_t len = lengths[i];

		while (rig_turn(&end))
			;
		T_OK(doca_pe_request_notification(end.pe));
		rig_write(&end, len == 0 ? NULL : rig_data(&end, 0, len),
			  len == 0 ? NULL : rig_remote_room(&end, &peer_card, 0, len), i);
		wait_and_progress();
		SLEEP_UNTIL(end.ok[RIG_WRITE] == i + 1);
	}
	rig_say(link_fd, 'e');
	T_EQ(t_wait(pid, 10000), 0);
	rig_close(&end);
}

static int speaker(void *arg)
{
	int fd = *(int *)arg;

	open_sleeper();
	rig_swap(&end, fd, &peer_card);
	rig_send(&end, NULL, 1);
	rig_say(fd, 's');
	SLEEP_UNTIL(end.ok[RIG_SEND] == 1);
	(void)rig_hear(fd);
	rig_close(&end);
	return 0;
}

/* The message was there before, the receive comes after the request. */
T_CASE(a_receive_posted_after_the_request_wakes)
{
	pid_t pid = rig_peer(speaker, &link_fd);

	open_sleeper();
	rig_swap(&end, link_fd, &peer_card);
	(void)rig_hear(link_fd);
	/* Joined, and the message is seen and left. */
	rig_idle(&end, &end);
	T_OK(doca_pe_request_notification(end.pe));
	rig_receive(&end, NULL, 1);
	wait_and_progress();
	SLEEP_UNTIL(end.ok[RIG_RECEIVE] == 1);
	rig_say(link_fd, 'e');
	T_EQ(t_wait(pid, 10000), 0);
	rig_close(&end);
}

/* Tasks that a stop gives back, the stop itself, and the last task freed. */
static void stop_asleep(void)
{
	pid_t pid = rig_peer(owner, &link_fd);
	struct doca_task *kept;

	meet_owner();
	end.keep_tasks = true;
	kept = rig_receive(&end, NULL, 1);
	while (rig_turn(&end))
		;
	T_OK(doca_pe_request_notification(end.pe));
	T_ERR(doca_ctx_stop(end.ctx), DOCA_ERROR_IN_PROGRESS);
	wait_and_progress();
	SLEEP_UNTIL(end.failed[RIG_RECEIVE] == 1);
	T_EQ(rig_state(&end), DOCA_CTX_STATE_STOPPING);
	T_OK(doca_pe_request_notification(end.pe));
	doca_task_free(kept);
	wait_and_progress();
	SLEEP_UNTIL(rig_state(&end) == DOCA_CTX_STATE_IDLE);
	rig_say(link_fd, 'e');
	T_EQ(t_wait(pid, 10000), 0);
	rig_close(&end);
}

T_CASE(stopping_wakes)
{
	stop_asleep();
}

T_CASE(stopping_wakes_in_progress_all)
{
	mode = DOCA_PE_EVENT_MODE_PROGRESS_ALL;
	stop_asleep();
}
