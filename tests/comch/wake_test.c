/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A server that lives in epoll_wait without a time-out, with a producer and a consumer in the same
 * engine, learns of everything that a client can do, its death included. Whatever event is lost is
 * a hang, which the case's time-out reports.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "comch/fast.h"
#include "core/kit.h"

#define SLOT 4096

static struct end end;
static struct receiver receiver;
static struct sender sender;
static enum doca_pe_event_mode mode;
static doca_notification_handle_t handle;
static int epoll_fd;

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
	end_drain(&end);
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

static void open_sleeper(bool is_server)
{
	struct epoll_event event = {.events = EPOLLIN};

	end_create(&end, is_server);
	T_OK(doca_pe_set_event_mode(end.pe, mode));
	T_OK(doca_pe_get_notification_handle(end.pe, &handle));
	epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	T_EQ(epoll_ctl(epoll_fd, EPOLL_CTL_ADD, handle, &event), 0);
	end_start(&end);
}

static void turn(void *arg)
{
	(void)doca_pe_progress(((struct end *)arg)->pe);
}

/* Most likely the server is asleep again after that; nothing depends on it. */
static void let_it_sleep(void)
{
	usleep(10000);
}

static void connect_to_sleeper(struct end *client)
{
	end_create(client, false);
	end_start(client);
	T_EVENTUALLY((doca_pe_progress(client->pe),
		      end_state(client) == DOCA_CTX_STATE_IDLE ? end_start(client) : (void)0,
		      end_state(client) == DOCA_CTX_STATE_RUNNING),
		     10000);
}

/* One thing after the other, each when the server has seen the one before. */
static int client_main(void *arg)
{
	static struct end client;
	static struct receiver its_receiver;
	static struct sender its_sender;

	(void)arg;
	let_it_sleep();
	connect_to_sleeper(&client);
	let_it_sleep();
	end_send(&client, "m", 1);
	END_UNTIL(&client, client.received == 1);
	let_it_sleep();
	receiver_create(&its_receiver, &client, client.pe, 1, SLOT, false);
	receiver_start(&its_receiver, turn, &client);
	let_it_sleep();
	receiver_post_all(&its_receiver);
	END_UNTIL(&client, its_receiver.got == 1);
	let_it_sleep();
	receiver_close(&its_receiver, turn, &client);
	END_UNTIL(&client, client.num_ids == 1);
	let_it_sleep();
	sender_open(&its_sender, &client, client.pe, 1, SLOT, false);
	T_EVENTUALLY((turn(&client),
		      sender_try(&its_sender, client.ids[0], 0, SLOT, "i", 1) == DOCA_SUCCESS),
		     10000);
	END_UNTIL(&client, its_sender.done == 1);
	END_UNTIL(&client, client.expired == 1);
	let_it_sleep();
	kill(getpid(), SIGKILL);
	return 1;
}

/* A client comes and sends; what is sent to it completes. */
static void sleep_through_messages(void)
{
	SLEEP_UNTIL(end.connects == 1);
	SLEEP_UNTIL(end.received == 1);
	end_send(&end, "m", 1);
	SLEEP_UNTIL(end.sent == 1);
}

/* Its consumer comes, takes a message, and goes. */
static void sleep_through_its_consumer(void)
{
	SLEEP_UNTIL(end.num_ids == 1);
	sender_open(&sender, &end, end.pe, 1, SLOT, false);
	/* Nothing is posted before it takes its time: nobody rings for that. */
	T_EVENTUALLY(sender_try(&sender, end.ids[0], 0, SLOT, NULL, 0) == DOCA_SUCCESS, 10000);
	SLEEP_UNTIL(sender.done == 1);
	SLEEP_UNTIL(end.expired == 1);
}

/* Ours starts, takes a message, and gives back what is posted when it stops. */
static void sleep_through_our_consumer(void)
{
	receiver_create(&receiver, &end, end.pe, 2, SLOT, false);
	T_OK(doca_pe_request_notification(end.pe));
	T_ERR(doca_ctx_start(receiver.ctx), DOCA_ERROR_IN_PROGRESS);
	wait_and_progress();
	SLEEP_UNTIL(ctx_state(receiver.ctx) == DOCA_CTX_STATE_RUNNING);
	receiver_post_all(&receiver);
	SLEEP_UNTIL(receiver.got == 1);
	T_OK(doca_pe_request_notification(end.pe));
	T_ERR(doca_ctx_stop(receiver.ctx), DOCA_ERROR_IN_PROGRESS);
	wait_and_progress();
	SLEEP_UNTIL(ctx_state(receiver.ctx) == DOCA_CTX_STATE_IDLE);
	T_EQ(receiver.flushed, 1);
	receiver_close(&receiver, turn, &end);
}

static void sleep_through_it_all(void)
{
	pid_t pid = t_fork(client_main, NULL);

	open_sleeper(true);
	sleep_through_messages();
	sleep_through_its_consumer();
	sleep_through_our_consumer();
	SLEEP_UNTIL(end.disconnects == 1);
	sender_close(&sender, turn, &end);
	end_close(&end);
	T_EQ(t_wait(pid, 10000), 128 + SIGKILL);
}

T_CASE(a_sleeper_learns_of_everything_selective)
{
	mode = DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE;
	sleep_through_it_all();
}

T_CASE(a_sleeper_learns_of_everything_all)
{
	mode = DOCA_PE_EVENT_MODE_PROGRESS_ALL;
	sleep_through_it_all();
}

/* Its server is there, but nobody progresses it. */
T_CASE(a_sleeping_client_learns_that_its_server_does_not_answer)
{
	static const char line[] = "doca_ctx_start: server \"pair\" (pid ";
	static struct end silent;

	end_create(&silent, true);
	end_start(&silent);
	kit_log();
	mode = DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE;
	open_sleeper(false);
	while (strstr(kit_log(), line) == NULL)
		sleep_once();
	/* Once, and it goes on. */
	T_EQ(end_state(&end), DOCA_CTX_STATE_STARTING);
	end_drain(&end);
	T_STREQ(kit_log(), "");
	while (end_state(&end) != DOCA_CTX_STATE_RUNNING) {
		(void)doca_pe_progress(silent.pe);
		(void)doca_pe_progress(end.pe);
	}
	end_close(&end);
	END_UNTIL(&silent, silent.disconnects == 1);
	end_close(&silent);
}
