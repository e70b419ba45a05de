/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A consumer that closes while a message to it is published: the send waits until it is known what
 * became of the message, and no longer than somebody is there to say so.
 *
 * The moment is brought about by a page fault: the producer's view of the entry cannot be written,
 * and who handles that says that the consumer is closed.
 */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "bus/process.h"
#include "comch/consumer.h"
#include "comch/liar.h"
#include "comch/producer.h"

#define NUM 64
#define PAGE 4096
/* Its entry is in a page behind that of the head. */
#define FIRST 40

static struct comch_remote *remote;
static void *page;

static void close_in_between(int number)
{
	(void)number;
	sdpu_store(&remote->rings.head->closed, 1);
	(void)mprotect(page, PAGE, PROT_READ | PROT_WRITE);
}

static void catch_faults(void)
{
	struct sigaction action = {.sa_handler = close_in_between};

	T_EQ(sigaction(SIGSEGV, &action, NULL), 0);
}

static void turns(int num)
{
	for (int i = 0; i < num; i++)
		path_turn(&path);
}

static doca_error_t send_one(void)
{
	return sender_try(&path.sender, path.sender.end->ids[0], 0, 64, NULL, 0);
}

static void send_first(void)
{
	for (uint32_t i = 0; i < FIRST; i++)
		T_OK(send_one());
	PATH_UNTIL(&path, path.sender.done == FIRST);
	remote = path.sender.producer->last;
}

static struct comch_filled *next_entry(void)
{
	return &remote->rings.filled[remote->filled & remote->rings.mask];
}

static const struct doca_comch_producer_task_send *in_doubt(void)
{
	return (const struct doca_comch_producer_task_send *)path.sender.producer->moving.first;
}

static void send_into_doubt(void)
{
	page = (void *)((uintptr_t)next_entry() & ~(uintptr_t)(PAGE - 1));
	T_EQ(mprotect(page, PAGE, PROT_READ), 0);
	T_OK(send_one());
	T_CHECK(in_doubt() != NULL);
	T_EQ(in_doubt()->position, FIRST);
}

static void open_doubt(void)
{
	catch_faults();
	path_open(&path, NUM, 64, false);
	receiver_post_all(&path.receiver);
	send_first();
	send_into_doubt();
	turns(100);
	T_EQ(path.sender.done + path.sender.failed, FIRST);
}

/* What the consumer would say. */
static void say(uint64_t judged)
{
	sdpu_store_release(&remote->rings.head->judged, judged);
}

/* It was not closed in truth, and can be. */
static void close_doubt(void)
{
	sdpu_store(&remote->rings.head->closed, 0);
	path_close(&path);
}

static void expect_end(doca_error_t status)
{
	PATH_UNTIL(&path, path.sender.done + path.sender.failed == FIRST + 1);
	T_EQ(path.sender.last_status, status);
	T_EQ(path.sender.done, FIRST + (status == DOCA_SUCCESS));
}

T_CASE(taken_before_the_end)
{
	open_doubt();
	say(FIRST + 2);
	expect_end(DOCA_SUCCESS);
	close_doubt();
}

T_CASE(kept_at_the_end)
{
	open_doubt();
	sdpu_store(&remote->rings.filled[FIRST].seq, comch_kept_seq(FIRST));
	say(FIRST + 1);
	expect_end(DOCA_SUCCESS);
	close_doubt();
}

T_CASE(not_kept)
{
	open_doubt();
	say(FIRST + 1);
	expect_end(DOCA_ERROR_NOT_FOUND);
	close_doubt();
}

/* Later ones wait behind it, and keep the order. */
T_CASE(sends_behind_it)
{
	open_doubt();
	sdpu_store(&remote->rings.head->closed, 0);
	T_OK(send_one());
	turns(100);
	T_EQ(path.sender.done + path.sender.failed, FIRST);
	say(FIRST + 1);
	PATH_UNTIL(&path, path.sender.done + path.sender.failed == FIRST + 2);
	T_EQ(path.sender.failed, 1);
	T_EQ(path.sender.last_status, DOCA_SUCCESS);
	close_doubt();
}

T_CASE(freed_while_in_doubt)
{
	struct doca_buf *buf;

	open_doubt();
	buf = (struct doca_buf *)(uintptr_t)in_doubt()->buf;
	doca_task_free(path.sender.producer->moving.first);
	T_OK(doca_buf_dec_refcount(buf, NULL));
	say(FIRST + 2);
	PATH_UNTIL(&path, in_doubt() == NULL);
	turns(10);
	T_EQ(path.sender.done + path.sender.failed, FIRST);
	close_doubt();
}

T_CASE(stop_of_the_producer_waits_for_the_word)
{
	open_doubt();
	T_ERR(doca_ctx_stop(path.sender.ctx), DOCA_ERROR_IN_PROGRESS);
	turns(10);
	say(FIRST + 2);
	expect_end(DOCA_SUCCESS);
	close_doubt();
}

T_CASE(stop_of_the_producer_ends_it)
{
	open_doubt();
	T_ERR(doca_ctx_stop(path.sender.ctx), DOCA_ERROR_IN_PROGRESS);
	expect_end(DOCA_ERROR_SHUTDOWN);
	close_doubt();
}

static void *say_later(void *arg)
{
	t_relax(20000);
	say(FIRST + 2);
	return arg;
}

/* Nobody rings when it is said. */
T_CASE(an_engine_asleep)
{
	struct pollfd handle = {.events = POLLIN};
	pthread_t thread;

	open_doubt();
	T_OK(doca_pe_get_notification_handle(client->pe, &handle.fd));
	T_EQ(pthread_create(&thread, NULL, say_later, NULL), 0);
	while (path.sender.done == FIRST) {
		T_OK(doca_pe_request_notification(client->pe));
		T_EQ(poll(&handle, 1, 10000), 1);
		T_OK(doca_pe_clear_notification(client->pe, handle.fd));
		end_drain(client);
	}
	T_EQ(pthread_join(thread, NULL), 0);
	T_EQ(path.sender.last_status, DOCA_SUCCESS);
	close_doubt();
}

/* In a process of its own. */
static int consume(void *arg)
{
	(void)arg;
	liar_connect();
	receiver_create(&path.receiver, client, client->pe, NUM, 64, false);
	T_ERR(doca_ctx_start(path.receiver.ctx), DOCA_ERROR_IN_PROGRESS);
	END_UNTIL(client, ctx_state(path.receiver.ctx) == DOCA_CTX_STATE_RUNNING);
	receiver_post_all(&path.receiver);
	for (;;)
		(void)doca_pe_progress(client->pe);
	return 0;
}

T_CASE(death_of_the_consumer_ends_it)
{
	pid_t pid = t_fork(consume, NULL);
	uint32_t sent = 0;

	catch_faults();
	end_create(server, true);
	end_start(server);
	END_UNTIL(server, server->num_ids == 1);
	sender_open(&path.sender, server, server->pe, NUM, 4096, false);
	while (sent < FIRST) {
		sent += send_one() == DOCA_SUCCESS;
		(void)doca_pe_progress(server->pe);
	}
	END_UNTIL(server, path.sender.done == FIRST);
	remote = path.sender.producer->last;
	send_into_doubt();
	T_EQ(kill(pid, SIGKILL), 0);
	END_UNTIL(server, path.sender.failed == 1);
	T_EQ(path.sender.last_status, DOCA_ERROR_CONNECTION_RESET);
	T_EQ(waitpid(pid, NULL, 0), pid);
	sender_close(&path.sender, path_turn, &path);
	END_UNTIL(server, server->disconnects == 1);
	end_close(server);
}
