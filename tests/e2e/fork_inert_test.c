/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A process with a live pair forks: in the child everything of the library is inert, and whatever
 * the child does, its end included, does not disturb the parent.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "comch/fast.h"

static struct pair pair;
static struct receiver receiver;
static struct sender sender;
static struct doca_task *task; /* of the client, not submitted */

static void turn(void *arg)
{
	(void)arg;
	(void)pair_progress(&pair);
}

static void open_all(void)
{
	struct doca_comch_task_send *send;

	pair_open(&pair);
	receiver_create(&receiver, &pair.server, pair.server.pe, 8, 256, false);
	receiver_start(&receiver, turn, NULL);
	PAIR_UNTIL(&pair, pair.client.num_ids == 1);
	sender_open(&sender, &pair.client, pair.client.pe, 8, 256, false);
	receiver.repost = true;
	receiver_post_all(&receiver);
	T_OK(doca_comch_client_task_send_alloc_init(pair.client.client, pair.client.connection, "x",
						    1, &send));
	task = doca_comch_task_send_as_task(send);
}

static void close_all(void)
{
	doca_task_free(task);
	sender_close(&sender, turn, NULL);
	receiver_close(&receiver, turn, NULL);
	pair_close(&pair);
}

static void exchange(uint32_t messages)
{
	const uint32_t fast = receiver.got, control = pair.server.received;

	for (uint32_t i = 1; i <= messages; i++) {
		end_send(&pair.client, &i, sizeof(i));
		T_OK(sender_try(&sender, receiver.id, 0, 200, &i, sizeof(i)));
		PAIR_UNTIL(&pair, receiver.got == fast + i && pair.server.received == control + i);
		T_MEMEQ(receiver.imm, &i, sizeof(i));
		T_MEMEQ(pair.server.message, &i, sizeof(i));
	}
}

/* --- in the child --- */

static void check_engines_and_contexts(void)
{
	struct doca_pe *pe;

	T_EQ(doca_pe_progress(pair.server.pe), 0);
	T_EQ(doca_pe_progress(pair.client.pe), 0);
	T_ERR(doca_pe_request_notification(pair.client.pe), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_pe_clear_notification(pair.client.pe, -1), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_pe_create(&pe), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_task_submit(task), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_ctx_start(pair.server.ctx), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_ctx_stop(pair.server.ctx), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_ctx_stop(pair.client.ctx), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_ctx_stop(receiver.ctx), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_ctx_stop(sender.ctx), DOCA_ERROR_BAD_STATE);
}

static void check_comch(void)
{
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
	struct doca_comch_server *server;
	struct doca_comch_client *client;

	T_ERR(doca_comch_server_create(pair.server.dev, pair.server.rep, "other", &server),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_client_create(pair.client.dev, "other", &client), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_producer_create(pair.client.connection, &producer), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_consumer_create(pair.server.connection, receiver.memory.mmap, &consumer),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_server_disconnect(pair.server.server, pair.server.connection),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_server_destroy(pair.server.server), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_client_destroy(pair.client.client), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_producer_destroy(sender.producer), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_comch_consumer_destroy(receiver.consumer), DOCA_ERROR_BAD_STATE);
}

static void check_memory_and_devices(void)
{
	struct doca_dev *dev;
	const void *blob;
	size_t len;

	T_ERR(doca_mmap_export_pci(receiver.memory.mmap, pair.server.dev, &blob, &len),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_mmap_stop(receiver.memory.mmap), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_mmap_destroy(receiver.memory.mmap), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dev_open(doca_dev_as_devinfo(pair.server.dev), &dev), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dev_close(pair.server.dev), DOCA_ERROR_BAD_STATE);
}

static int child_calls(void *arg)
{
	(void)arg;
	check_engines_and_contexts();
	check_comch();
	check_memory_and_devices();
	return 0;
}

T_CASE(calls_of_a_child_are_refused)
{
	open_all();
	T_EQ(t_wait(t_fork(child_calls, NULL), 10000), 0);
	exchange(100);
	close_all();
}

/* --- descriptors --- */

#define FDS 128
static bool before[FDS], after[FDS];

static void note_fds(bool fds[FDS])
{
	for (int fd = 0; fd < FDS; fd++)
		fds[fd] = fcntl(fd, F_GETFD) >= 0;
}

static int child_has_none(void *arg)
{
	(void)arg;
	for (int fd = 0; fd < FDS; fd++) {
		if (after[fd] && !before[fd])
			T_EQ(fcntl(fd, F_GETFD), -1);
		else if (before[fd])
			T_CHECK(fcntl(fd, F_GETFD) >= 0);
	}
	return 0;
}

T_CASE(a_child_has_none_of_the_descriptors)
{
	note_fds(before);
	open_all();
	note_fds(after);
	T_EQ(t_wait(t_fork(child_has_none, NULL), 10000), 0);
	close_all();
}

/* --- ends --- */

static int child_ends(void *arg)
{
	if (arg == NULL)
		return 0; /* by exit(), through every destructor */
	_exit(0);
}

static int child_dies(void *arg)
{
	(void)arg;
	abort();
}

/* Somebody new finds the server as before: what the parent has in the runtime directory is there.
 */
static void expect_found(void)
{
	struct end late = {0};

	end_create(&late, false);
	end_start(&late);
	T_EVENTUALLY(
		(turn(NULL), doca_pe_progress(late.pe), end_state(&late) == DOCA_CTX_STATE_RUNNING),
		10000);
	(void)doca_ctx_stop(late.ctx);
	T_EVENTUALLY(
		(turn(NULL), doca_pe_progress(late.pe), end_state(&late) == DOCA_CTX_STATE_IDLE),
		10000);
	end_close(&late);
}

T_CASE(the_end_of_a_child_disturbs_nobody)
{
	open_all();
	for (int i = 0; i < 5; i++) {
		T_EQ(t_wait(t_fork(child_ends, NULL), 10000), 0);
		exchange(20);
		T_EQ(t_wait(t_fork(child_ends, &pair), 10000), 0);
		exchange(20);
		T_EQ(t_wait(t_fork(child_dies, NULL), 10000), 128 + SIGABRT);
		exchange(20);
	}
	T_EQ(pair.server.disconnects, 0);
	expect_found();
	close_all();
}

static int child_stays(void *arg)
{
	struct pollfd fd = {.fd = *(int *)arg, .events = POLLIN};

	/* Until the parent closes its end, or dies. */
	poll(&fd, 1, -1);
	return 0;
}

T_CASE(traffic_goes_on_beside_a_child)
{
	int ends[2];
	pid_t pid;

	open_all();
	T_EQ(pipe2(ends, O_CLOEXEC), 0);
	pid = t_fork(child_stays, &ends[0]);
	exchange(200);
	expect_found();
	close_all();
	T_EQ(write(ends[1], "x", 1), 1);
	T_EQ(t_wait(pid, 10000), 0);
}

static int child_uses(void *arg)
{
	(void)arg;
	open_all();
	exchange(10);
	close_all();
	return 0;
}

T_CASE(a_child_of_a_process_without_the_library_may_use_it)
{
	T_EQ(t_wait(t_fork(child_uses, NULL), 10000), 0);
}
