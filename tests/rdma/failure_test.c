/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Peers that are killed, stopped, cut off, of another time, or take their memory away: what the
 * other side is told, how soon, and that nothing is left over from them.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/kit.h"
#include "rdma/rig.h"

#define ROUNDS 5
#define LINE 4 /* tasks of submit_line() */

static struct rig_end end;
static struct rig_card card; /* the peer's */

/* Peers of all rounds; the library is not used before. */
static pid_t pids[ROUNDS];
static int fds[ROUNDS];

static void fork_peers(int (*fn)(void *arg), int num)
{
	for (int i = 0; i < num; i++)
		pids[i] = rig_peer(fn, &fds[i]);
}

static void bury(int i)
{
	T_EQ(t_wait(pids[i], 5000), 128 + SIGKILL);
	close(fds[i]);
}

/* ---- What a process holds ---- */

struct holdings {
	unsigned int files, threads, mappings;
};

static unsigned int lines_of(const char *path)
{
	FILE *file = fopen(path, "re");
	unsigned int num = 0;
	int c;

	T_CHECK(file != NULL);
	while ((c = getc(file)) != EOF)
		num += c == '\n';
	fclose(file);
	return num;
}

static struct holdings holdings(void)
{
	return (struct holdings){t_count_entries("/proc/self/fd"),
				 t_count_entries("/proc/self/task"), lines_of("/proc/self/maps")};
}

/* The allocator may map some more, now and then; what is lost is lost in every round. */
static bool holds_more(const struct holdings *before)
{
	struct holdings now = holdings();

	return now.files > before->files || now.threads > before->threads ||
	       (!T_WITH_ASAN && !T_WITH_TSAN && now.mappings >= before->mappings + ROUNDS - 1);
}

/* The first round makes what stays: agents and their like. Each has a peer that dies, whose end
 * must be noticed in time when nothing else keeps the machine busy, and ends with bury(). */
static void in_rounds(void (*round)(int i))
{
	struct holdings before;

	round(0);
	before = holdings();
	for (int i = 1; i < ROUNDS; i++)
		round(i);
	T_CHECK(rig_quickest_notice() <= rig_notice_ms());
	before.files -= ROUNDS - 1; /* the buried ones' */
	T_EVENTUALLY(!holds_more(&before), 5000);
}

/* ---- Killed ---- */

static int living(void *arg)
{
	struct rig_card unused;
	int fd = *(int *)arg;

	rig_start(&end);
	rig_swap(&end, fd, &unused);
	rig_say(fd, 'c');
	pause();
	return 1;
}

static void join(int i)
{
	rig_start(&end);
	rig_swap(&end, fds[i], &card);
	T_EQ(rig_hear(fds[i]), 'c');
	rig_write(&end, rig_data(&end, 0, 64), rig_remote_room(&end, &card, 0, 64), 0);
	RIG_ALONE(&end, end.ok[RIG_WRITE] == 1);
}

/* What waits for its turn behind a message that nobody receives. */
static void submit_line(void)
{
	end.num_events = 0;
	rig_send(&end, rig_data(&end, 0, 64), 0);
	rig_write(&end, rig_data(&end, 0, 100000), rig_remote_room(&end, &card, 0, 100000), 1);
	rig_read(&end, rig_remote_data(&end, &card, 0, 64), rig_room(&end, 0, 64), 2);
	rig_fetch_add(&end, rig_remote_room(&end, &card, 0, 8), rig_room(&end, 0, 8), 1, 3);
	rig_idle(&end, &end);
	T_EQ(end.num_events, 0);
}

/* In order. Accesses behind the message may have been done before the peer went. */
static void expect_reset(void)
{
	T_EQ(end.num_events, LINE);
	for (uint32_t i = 0; i < LINE; i++) {
		T_EQ(end.events[i].number, i);
		if (i == 0 || !end.events[i].ok)
			T_EQ(end.events[i].status, DOCA_ERROR_CONNECTION_RESET);
	}
	rig_write(&end, rig_data(&end, 0, 64), rig_remote_room(&end, &card, 0, 64), LINE);
	RIG_ALONE(&end, end.num_events == LINE + 1);
	T_EQ(end.events[LINE].status, DOCA_ERROR_CONNECTION_RESET);
}

static void responder_is_killed(int i)
{
	join(i);
	submit_line();
	kill(pids[i], SIGKILL);
	RIG_NOTICED(&end, end.disconnects == 1, "a killed responder");
	expect_reset();
	rig_close(&end);
	bury(i);
}

T_CASE(a_killed_responder)
{
	fork_peers(living, ROUNDS);
	in_rounds(responder_is_killed);
}

static void write_again(struct rig_end *at, struct doca_task *task, const struct rig_event *event)
{
	(void)task;
	if (event->ok)
		rig_write(at, rig_data(at, 0, 4096), rig_remote_room(at, &card, 0, 4096),
			  event->number);
}

static void write_for_ever(void)
{
	static const struct rig_event begin = {.ok = true};

	end.on_event = write_again;
	for (int i = 0; i < 8; i++)
		write_again(&end, NULL, &begin);
}

static int writing(void *arg)
{
	rig_start(&end);
	rig_swap(&end, *(int *)arg, &card);
	end.memory[0] = 1;
	write_for_ever();
	for (;;)
		rig_turn(&end);
	return 1;
}

static void requester_is_killed(int i)
{
	rig_start(&end);
	rig_swap(&end, fds[i], &card);
	/* The peer may write before this end has the turn that makes it connected. */
	rig_write(&end, rig_data(&end, 8192, 64), rig_remote_room(&end, &card, 8192, 64), 0);
	RIG_ALONE(&end, end.ok[RIG_WRITE] == 1);
	end.num_events = 0;
	rig_receive(&end, rig_room(&end, 8192, 64), 1);
	RIG_ALONE(&end, *(volatile uint8_t *)end.memory == 1);
	kill(pids[i], SIGKILL);
	RIG_NOTICED(&end, end.disconnects == 1, "a killed requester");
	T_EQ(end.num_events, 0);
	rig_close(&end);
	bury(i);
}

T_CASE(a_killed_requester)
{
	fork_peers(writing, ROUNDS);
	in_rounds(requester_is_killed);
}

/* ---- Stopped ---- */

static int receiving(void *arg)
{
	int fd = *(int *)arg;

	rig_start(&end);
	rig_swap(&end, fd, &card);
	rig_receive(&end, rig_room(&end, 0, 64), 1);
	rig_say(fd, 'c');
	RIG_ALONE(&end, end.ok[RIG_RECEIVE] == 1);
	RIG_ALONE(&end, end.disconnects == 1);
	rig_close(&end);
	return 0;
}

/* Its kernel lives. */
T_CASE(a_stopped_peer_is_not_dead)
{
	uint64_t over;

	fork_peers(receiving, 1);
	join(0);
	kill(pids[0], SIGSTOP);
	rig_send(&end, rig_data(&end, 0, 64), 1);
	over = t_deadline(rig_notice_ms() + 1000);
	RIG_ALONE(&end, t_expired(over));
	T_EQ(end.disconnects, 0);
	T_EQ(end.failed[RIG_SEND], 0);
	kill(pids[0], SIGCONT);
	RIG_ALONE(&end, end.ok[RIG_SEND] == 1);
	rig_close(&end);
	T_EQ(t_wait(pids[0], 5000), 0);
}

/* ---- Nonsense, and what is out of date ---- */

static void make_garbage(struct rig_card *bad)
{
	uint8_t *at = (uint8_t *)bad;

	for (size_t i = 0; i < sizeof(*bad); i++)
		at[i] = (uint8_t)rand();
	bad->details_len = 1 + (size_t)rand() % sizeof(bad->details);
	bad->memory_len = 1 + (size_t)rand() % sizeof(bad->memory);
}

static void try_garbage(const struct rig_card *bad)
{
	struct doca_mmap *mmap;

	T_ERR(rig_connect(&end, bad), DOCA_ERROR_CONNECTION_ABORTED);
	T_ERR(doca_mmap_create_from_export(NULL, bad->memory, bad->memory_len, end.dev, &mmap),
	      DOCA_ERROR_INVALID_VALUE);
}

T_CASE(garbage)
{
	struct rig_card mine, bad;
	struct holdings before;

	rig_start(&end);
	rig_export(&end, &mine);
	before = holdings();
	for (int i = 0; i < 300; i++) {
		make_garbage(&bad);
		try_garbage(&bad);
	}
	/* Behind a beginning that is right. */
	for (size_t n = 1; n < mine.details_len && n < mine.memory_len; n += 3) {
		make_garbage(&bad);
		memcpy(bad.details, mine.details, n);
		memcpy(bad.memory, mine.memory, n);
		bad.details_len = mine.details_len;
		bad.memory_len = mine.memory_len;
		try_garbage(&bad);
	}
	T_EQ(end.num_news, 0);
	T_CHECK(!holds_more(&before));
	rig_close(&end);
}

/* Lives until it is told of the end. */
static int told(void *arg)
{
	int fd = *(int *)arg;

	rig_start(&end);
	rig_swap(&end, fd, &card);
	rig_say(fd, 'c');
	RIG_ALONE(&end, end.failures + end.disconnects == 1);
	rig_say(fd, 'd');
	rig_close(&end);
	return 0;
}

static int past(void *arg)
{
	struct rig_card mine;

	rig_start(&end);
	rig_export(&end, &mine);
	rig_put(*(int *)arg, &mine, sizeof(mine));
	rig_close(&end);
	return 0;
}

/* Of a process that has gone; another one is there now. On this machine both are known at once. */
T_CASE(exports_of_another_run)
{
	struct rig_card old, mine;
	struct doca_mmap *mmap;

	pids[0] = rig_peer(past, &fds[0]);
	pids[1] = rig_peer(told, &fds[1]);
	rig_get(fds[0], &old, sizeof(old));
	T_EQ(t_wait(pids[0], 5000), 0);
	rig_start(&end);
	rig_export(&end, &mine);
	if (rig_connect(&end, &old) == DOCA_SUCCESS) {
		rig_send(&end, rig_data(&end, 0, 64), 1);
		RIG_NOTICED(&end, end.failures == 1, "details of another run");
		T_EQ(end.failed[RIG_SEND], 1);
	}
	T_EQ(end.disconnects, 0);
	rig_swap(&end, fds[1], &card);
	T_EQ(rig_hear(fds[1]), 'c');
	if (doca_mmap_create_from_export(NULL, old.memory, old.memory_len, end.dev, &mmap) ==
	    DOCA_SUCCESS) {
		T_OK(doca_mmap_destroy(end.peer));
		end.peer = mmap;
		rig_write(&end, rig_data(&end, 0, 64), rig_remote_room(&end, &old, 0, 64), 1);
		RIG_ALONE(&end, end.failed[RIG_WRITE] == 1);
		T_EQ(rig_last(&end, RIG_WRITE)->status, DOCA_ERROR_NOT_PERMITTED);
	}
	T_EQ(end.disconnects, 0);
	rig_close(&end);
	T_EQ(t_wait(pids[1], 5000), 0);
}

/* ---- Memory that is taken away ---- */

static uint8_t snapshot[RIG_SIZE];

/* After the stop nothing lands any more; later it is exported anew. */
static int revoking(void *arg)
{
	int fd = *(int *)arg;
	const void *bytes;

	rig_start(&end);
	rig_swap(&end, fd, &card);
	rig_say(fd, 'c');
	T_EQ(rig_hear(fd), 's');
	T_OK(doca_mmap_stop(end.mmap));
	memcpy(snapshot, end.memory, RIG_SIZE);
	rig_say(fd, 'd');
	T_EQ(rig_hear(fd), 'e');
	T_MEMEQ(snapshot, end.memory, RIG_SIZE);
	T_OK(doca_mmap_destroy(end.mmap));
	end.mmap = kit_mmap(end.dev, end.memory, end.size, RIG_ALL);
	T_OK(doca_mmap_export_rdma(end.mmap, end.dev, &bytes, &card.memory_len));
	memcpy(card.memory, bytes, card.memory_len);
	card.addr = (uintptr_t)end.memory;
	rig_put(fd, &card, sizeof(card));
	(void)rig_hear(fd);
	rig_expect(end.memory, 4096, 7);
	rig_close(&end);
	return 0;
}

T_CASE(a_revoked_key)
{
	uint32_t written;

	fork_peers(revoking, 1);
	join(0);
	end.num_events = 0;
	write_for_ever();
	RIG_ALONE(&end, end.ok[RIG_WRITE] > 20);
	rig_say(fds[0], 's');
	RIG_NOTICED(&end, end.failed[RIG_WRITE] == 8, "a revoked key");
	end.on_event = NULL;
	T_EQ(rig_last(&end, RIG_WRITE)->status, DOCA_ERROR_NOT_PERMITTED);
	T_EQ(rig_hear(fds[0]), 'd');
	for (uint64_t i = 0; i < 8; i++)
		rig_write(&end, rig_data(&end, 0, 4096), rig_remote_room(&end, &card, 0, 4096), i);
	RIG_ALONE(&end, end.failed[RIG_WRITE] == 16);
	rig_say(fds[0], 'e');
	/* The connection has not suffered. */
	T_EQ(end.disconnects, 0);
	T_OK(doca_mmap_destroy(end.peer));
	end.peer = NULL;
	rig_get(fds[0], &card, sizeof(card));
	rig_import(&end, &card);
	rig_fill(end.memory, 4096, 7);
	written = end.ok[RIG_WRITE];
	rig_write(&end, rig_data(&end, 0, 4096), rig_remote_room(&end, &card, 0, 4096), 1);
	RIG_ALONE(&end, end.ok[RIG_WRITE] == written + 1);
	rig_say(fds[0], 'x');
	RIG_ALONE(&end, end.disconnects == 1);
	T_EQ(t_wait(pids[0], 5000), 0);
	rig_close(&end);
}

/* ---- The cable ---- */

/* With nothing under way at first, and something then. Both ends are told. */
static void cable_is_cut(int i)
{
	join(i);
	if (i % 2 != 0)
		submit_line();
	rig_cut_cable();
	RIG_NOTICED(&end, end.disconnects == 1, "a cut cable");
	if (i % 2 != 0)
		expect_reset();
	T_EQ(rig_hear(fds[i]), 'd');
	T_EQ(t_wait(pids[i], 5000), 0);
	rig_mend_cable();
	close(fds[i]);
	rig_close(&end);
}

T_CASE_TIMEOUT(a_cut_cable, 60)
{
	if (!rig_has_machines())
		T_SKIP("one machine has no cable");
	fork_peers(told, ROUNDS);
	in_rounds(cable_is_cut);
}

/* Its details say that it is there, and so does its address. */
T_CASE(a_cable_that_was_cut_before)
{
	struct rig_card mine;

	if (!rig_has_machines())
		T_SKIP("one machine has no cable");
	fork_peers(living, 1);
	rig_init(&end);
	end.by_address = true;
	end.timeout = 500;
	rig_open(&end);
	T_OK(doca_ctx_start(end.ctx));
	rig_export(&end, &mine);
	rig_get(fds[0], &card, sizeof(card));
	rig_cut_cable();
	RIG_NOTICED(&end, rig_connect(&end, &card) == DOCA_ERROR_CONNECTION_ABORTED,
		    "details of a peer that is cut off");
	rig_dial(&end, rig_port(), 0);
	RIG_NOTICED(&end, end.failures == 1, "an address that is cut off");
	rig_mend_cable();
	rig_close(&end);
	kill(pids[0], SIGKILL);
	bury(0);
}
