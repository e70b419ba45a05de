/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations of every kind that are cut short: the context stops, the program frees them with all
 * that they work on, the peer is killed.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/event_kit.h"
#include "rdma/rig.h"

static struct rig_end a, b;
static struct rig_card card_b;
static struct doca_sync_event *event;		  /* b's */
static struct doca_sync_event_remote_net *remote; /* a's view of it */
static struct event_blob blob;

static void open_event(void)
{
	event = event_make_net(b.dev);
	T_OK(doca_sync_event_start(event));
	event_export_net(event, &blob);
}

static void import_event(void)
{
	T_OK(doca_sync_event_remote_net_create_from_export(a.dev, blob.bytes, blob.len, &remote));
}

static void pair(void)
{
	rig_init(&a);
	rig_init(&b);
	rig_raise(&a, &b, NULL, &card_b);
	open_event();
	import_event();
	RIG_UNTIL(&a, &b, !rig_progress(&a, &b));
}

static void close_pair(void)
{
	if (remote != NULL)
		T_OK(doca_sync_event_remote_net_destroy(remote));
	T_OK(doca_sync_event_stop(event));
	T_OK(doca_sync_event_destroy(event));
	rig_close(&a);
	rig_close(&b);
}

/* One of each kind; the first ones are long, so that those behind them wait. */
#define KINDS 9

static void submit_all(void)
{
	rig_write(&a, rig_data(&a, 0, 600000), rig_remote_room(&a, &card_b, 0, 600000), 0);
	rig_read(&a, rig_remote_data(&a, &card_b, 0, 600000), rig_room(&a, 0, 600000), 1);
	rig_fetch_add(&a, rig_remote_room(&a, &card_b, 700000, 8), rig_room(&a, 700000, 8), 1, 2);
	rig_cmp_swp(&a, rig_remote_room(&a, &card_b, 700008, 8), rig_room(&a, 700008, 8), 0, 1, 3);
	rig_event_get(&a, remote, rig_room(&a, 700016, 8), 4);
	rig_event_set(&a, remote, rig_data(&a, 700024, 8), 5);
	rig_event_add(&a, remote, rig_room(&a, 700032, 8), 1, 6);
	rig_write_imm(&a, rig_data(&a, 0, 64), rig_remote_room(&a, &card_b, 800000, 64), 1, 7);
	rig_send_imm(&a, rig_data(&a, 0, 64), 1, 8);
}

/* How many progresses of its own the requester gets before it is cut short. */
#define MAX_STEPS 40

static void stop_after(uint32_t steps)
{
	pair();
	submit_all();
	for (uint32_t i = 0; i < steps; i++)
		(void)doca_pe_progress(a.pe);
	T_ERR(doca_ctx_stop(a.ctx), DOCA_ERROR_IN_PROGRESS);
	RIG_ALONE(&a, rig_state(&a) == DOCA_CTX_STATE_IDLE);
	T_EQ(a.num_events, KINDS);
	for (uint32_t i = 0; i < KINDS; i++) {
		T_EQ(a.events[i].number, i);
		if (!a.events[i].ok)
			T_ERR(a.events[i].status, DOCA_ERROR_SHUTDOWN);
		/* What had not begun did not overtake. */
		T_CHECK(i == 0 || a.events[i - 1].ok || !a.events[i].ok);
	}
	close_pair();
}

T_CASE_TIMEOUT(stop_at_every_step, 120)
{
	for (uint32_t steps = 0; steps < MAX_STEPS; steps++)
		stop_after(steps);
}

T_CASE_TIMEOUT(stop_at_every_step_of_served_memory, 120)
{
	setenv("SOFTDPU_WINDOW", "served", 1);
	for (uint32_t steps = 0; steps < MAX_STEPS; steps++)
		stop_after(steps);
}

static void drop(struct doca_buf *buf)
{
	T_OK(doca_buf_dec_refcount(buf, NULL));
}

/* Tasks, bufs, mmap and event: all is given back while the operations are under way. */
static void free_after(uint32_t steps)
{
	struct doca_buf *data, *to, *from, *room, *word, *value;
	struct doca_task *tasks[4];

	pair();
	a.keep_tasks = true;
	data = rig_data(&a, 0, 600000);
	to = rig_remote_room(&a, &card_b, 0, 600000);
	from = rig_remote_data(&a, &card_b, 0, 600000);
	room = rig_room(&a, 0, 600000);
	word = rig_remote_room(&a, &card_b, 700000, 8);
	value = rig_room(&a, 700000, 8);
	tasks[0] = rig_fetch_add(&a, word, value, 1, 0);
	tasks[1] = rig_event_add(&a, remote, value, 1, 1);
	tasks[2] = rig_write(&a, data, to, 2);
	tasks[3] = rig_read(&a, from, room, 3);
	for (uint32_t i = 0; i < steps; i++)
		(void)doca_pe_progress(a.pe);
	for (uint32_t i = 0; i < 4; i++)
		doca_task_free(tasks[i]);
	drop(data);
	drop(to);
	drop(from);
	drop(room);
	drop(word);
	drop(value);
	T_OK(doca_mmap_destroy(a.peer));
	a.peer = NULL;
	T_OK(doca_sync_event_remote_net_destroy(remote));
	remote = NULL;
	/* The connection is of use as before. */
	a.keep_tasks = false;
	a.num_events = 0;
	rig_receive(&b, NULL, 1);
	rig_send_imm(&a, NULL, 7, 1);
	RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == 1 && a.ok[RIG_SEND_IMM] == 1);
	close_pair();
}

T_CASE_TIMEOUT(freed_at_every_step, 120)
{
	for (uint32_t steps = 0; steps < MAX_STEPS; steps += 3)
		free_after(steps);
}

T_CASE_TIMEOUT(freed_at_every_step_of_served_memory, 120)
{
	setenv("SOFTDPU_WINDOW", "served", 1);
	for (uint32_t steps = 0; steps < MAX_STEPS; steps += 3)
		free_after(steps);
}

/* What those have used that were freed is of use to the others. */
static void free_many(void)
{
	struct doca_buf *bufs[3];
	struct doca_task *tasks[3];

	bufs[0] = rig_data(&a, 0, 100000);
	bufs[1] = rig_remote_room(&a, &card_b, 200000, 100000);
	bufs[2] = rig_room(&a, 400000, 8);
	tasks[0] = rig_event_add(&a, remote, bufs[2], 1, 0);
	tasks[1] = rig_write(&a, bufs[0], bufs[1], 1);
	tasks[2] = rig_fetch_add(&a, bufs[1], bufs[2], 1, 2);
	for (uint32_t i = 0; i < 3; i++) {
		(void)doca_pe_progress(a.pe);
		doca_task_free(tasks[i]);
	}
	for (uint32_t i = 0; i < 3; i++)
		drop(bufs[i]);
}

T_CASE(operations_behind_many_that_were_freed)
{
	setenv("SOFTDPU_WINDOW", "served", 1);
	pair();
	a.keep_tasks = true;
	for (uint32_t i = 0; i < 20; i++)
		free_many();
	a.keep_tasks = false;
	a.num_events = 0;
	submit_all();
	rig_receive(&b, NULL, 1);
	rig_receive(&b, rig_room(&b, 0, 64), 1);
	RIG_UNTIL(&a, &b, a.num_events == KINDS);
	for (uint32_t i = 0; i < KINDS; i++)
		T_OK(a.events[i].status);
	close_pair();
}

/* The peer is another process. */
static int responder(void *arg)
{
	int fd = *(int *)arg;
	struct rig_card mine, theirs;
	char over;

	rig_start(&b);
	open_event();
	rig_export(&b, &mine);
	rig_put(fd, &mine, sizeof(mine));
	rig_put(fd, &blob, sizeof(blob));
	rig_get(fd, &theirs, sizeof(theirs));
	T_OK(rig_connect(&b, &theirs));
	rig_put(fd, "c", 1);
	rig_get(fd, &over, 1);
	return 0;
}

static pid_t start_responder(void)
{
	struct rig_card mine;
	int fds[2];
	pid_t pid;
	char word;

	T_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	pid = t_fork(responder, &fds[1]);
	rig_start(&a);
	rig_export(&a, &mine);
	rig_get(fds[0], &card_b, sizeof(card_b));
	rig_get(fds[0], &blob, sizeof(blob));
	rig_put(fds[0], &mine, sizeof(mine));
	T_OK(rig_connect(&a, &card_b));
	rig_import(&a, &card_b);
	import_event();
	rig_get(fds[0], &word, 1);
	/* A connection that is not joined yet does not end, but fails. */
	rig_write(&a, rig_data(&a, 0, 64), rig_remote_room(&a, &card_b, 0, 64), 0);
	RIG_ALONE(&a, a.ok[RIG_WRITE] == 1);
	a.num_events = 0;
	return pid;
}

/* It is stopped first, so that what needs it is under way. */
static void kill_after(uint32_t steps)
{
	pid_t pid = start_responder();

	kill(pid, SIGSTOP);
	submit_all();
	for (uint32_t i = 0; i < steps; i++)
		(void)doca_pe_progress(a.pe);
	kill(pid, SIGKILL);
	RIG_ALONE(&a, a.disconnects == 1);
	T_EQ(a.num_events, KINDS);
	for (uint32_t i = 0; i < KINDS; i++) {
		T_EQ(a.events[i].number, i);
		if (!a.events[i].ok)
			T_ERR(a.events[i].status, DOCA_ERROR_CONNECTION_RESET);
	}
	/* Messages, which nobody received. */
	T_CHECK(!a.events[7].ok && !a.events[8].ok);
	T_EQ(t_wait(pid, 10000), 128 + SIGKILL);
	T_OK(doca_sync_event_remote_net_destroy(remote));
	rig_close(&a);
}

T_CASE(killed_at_once)
{
	kill_after(0);
}

T_CASE(killed_under_way)
{
	kill_after(3);
}

T_CASE(killed_when_all_waits)
{
	kill_after(200);
}

T_CASE(killed_under_way_of_served_memory)
{
	setenv("SOFTDPU_WINDOW", "served", 1);
	kill_after(3);
}
