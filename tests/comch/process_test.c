/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fast path between two processes, both ways: the server sends back what the client sent, through
 * each kind of memory window, polling and asleep. Who sleeps does so without a time-out: a lost
 * event is a hang.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "comch/fast.h"

#define SLOTS 4
#define MIB ((size_t)1 << 20)

struct plan {
	const char *window; /* SOFTDPU_WINDOW of both; NULL: unset */
	bool shared;
	bool asleep;
	enum doca_pe_event_mode mode;
	size_t slot;
	const size_t *sizes;
	size_t num_sizes;
};

static struct plan plan;
static struct end end;
static struct receiver receiver;
static struct sender sender;

/* One turn of waiting: a progress, or a sleep that only an event ends. */
static void turn(void)
{
	struct pollfd handle = {.events = POLLIN};
	int n;

	if (!plan.asleep) {
		(void)doca_pe_progress(end.pe);
		return;
	}
	T_OK(doca_pe_get_notification_handle(end.pe, &handle.fd));
	T_OK(doca_pe_request_notification(end.pe));
	do {
		n = poll(&handle, 1, -1);
	} while (n < 0 && errno == EINTR);
	T_EQ(n, 1);
	if (plan.mode == DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE)
		T_OK(doca_pe_clear_notification(end.pe, handle.fd));
	end_drain(&end);
}

/* In its end everybody polls. */
static void poll_turn(void *arg)
{
	(void)arg;
	(void)doca_pe_progress(end.pe);
}

/* What lasts too long is ended with the case. */
#define UNTIL(cond)                                                                                \
	do {                                                                                       \
		while (!(cond))                                                                    \
			turn();                                                                    \
	} while (0)

/* A client that comes too early ends in IDLE; it tries again. */
static void connect_end(bool is_server)
{
	if (plan.window != NULL)
		setenv("SOFTDPU_WINDOW", plan.window, 1);
	end_create(&end, is_server);
	T_OK(doca_pe_set_event_mode(end.pe, plan.mode));
	end_start(&end);
	while (!is_server && end_state(&end) != DOCA_CTX_STATE_RUNNING) {
		if (end_state(&end) == DOCA_CTX_STATE_IDLE) {
			t_relax(100);
			end_start(&end);
		}
		turn();
	}
	UNTIL(!is_server || end.connects == 1);
}

/* A consumer and a producer of ours, and the peer's consumer. */
static void open_path(void)
{
	receiver_create(&receiver, &end, end.pe, SLOTS, plan.slot, plan.shared);
	T_ERR(doca_ctx_start(receiver.ctx), DOCA_ERROR_IN_PROGRESS);
	UNTIL(ctx_state(receiver.ctx) == DOCA_CTX_STATE_RUNNING && end.num_ids == 1);
	receiver.repost = true;
	receiver_post_all(&receiver);
	sender_open(&sender, &end, end.pe, SLOTS, SLOTS * plan.slot, plan.shared);
}

static void send_slot(size_t slot, size_t len, const uint8_t *imm, uint32_t imm_len)
{
	doca_error_t result;

	/* No receive is posted for a moment; there is no event for that. */
	T_EVENTUALLY((poll_turn(NULL), result = sender_try(&sender, end.ids[0], slot * plan.slot,
							   len, imm, imm_len)) == DOCA_SUCCESS,
		     20000);
}

/* The server */

static struct echo {
	size_t len;
	uint32_t imm_len;
	uint8_t imm[32];
} echoes[SLOTS];

static uint32_t num_come, num_echoed;

static void note_echo(struct receiver *r, struct doca_comch_consumer_task_post_recv *task)
{
	struct echo *echo = &echoes[num_come % SLOTS];

	(void)task;
	echo->len = r->len;
	echo->imm_len = r->imm_len;
	memcpy(echo->imm, r->imm, r->imm_len);
	if (r->len != 0)
		memcpy(sender.memory.base + num_come % SLOTS * plan.slot, r->data, r->len);
	num_come++;
}

static void send_echoes(void)
{
	for (; num_echoed != num_come; num_echoed++) {
		const struct echo *echo = &echoes[num_echoed % SLOTS];

		send_slot(num_echoed % SLOTS, echo->len, echo->imm, echo->imm_len);
	}
}

static int serve(void *arg)
{
	(void)arg;
	connect_end(true);
	receiver.on_message = note_echo;
	open_path();
	while (end.disconnects == 0) {
		turn();
		send_echoes();
	}
	T_EQ(sender.failed, 0);
	sender_close(&sender, poll_turn, NULL);
	receiver_close(&receiver, poll_turn, NULL);
	end_close(&end);
	return 0;
}

/* The client */

static void round_trip(size_t len, uint32_t imm_len, uint32_t number)
{
	static const uint8_t imm[] = "0123456789abcdef0123456789ABCDEF";
	size_t slot = number % SLOTS;

	pattern_fill(sender.memory.base + slot * plan.slot, len, (uint8_t)number);
	send_slot(slot, len, imm, imm_len);
	UNTIL(receiver.got == number + 1 && sender.done == number + 1);
	T_EQ(receiver.len, len);
	T_EQ(receiver.imm_len, imm_len);
	T_MEMEQ(receiver.imm, imm, imm_len);
	if (len != 0)
		pattern_check(receiver.data, len, (uint8_t)number);
}

static void run(void)
{
	pid_t pid = t_fork(serve, NULL);
	uint32_t number = 0;

	connect_end(false);
	open_path();
	for (size_t i = 0; i < plan.num_sizes; i++) {
		round_trip(plan.sizes[i], 32, number++);
		if (plan.sizes[i] != 0)
			round_trip(plan.sizes[i], 0, number++);
	}
	T_EQ(sender.failed, 0);
	sender_close(&sender, poll_turn, NULL);
	receiver_close(&receiver, poll_turn, NULL);
	end_close(&end);
	T_EQ(t_wait(pid, 10000), 0);
}

#define ARRAY(array) (array), sizeof(array) / sizeof((array)[0])

static void run_sizes(const char *window, bool shared, bool asleep, enum doca_pe_event_mode mode)
{
	static const size_t sizes[] = {0,	1,     79,     80,     81,     112,    113,
				       4096,	65536, 131072, 131073, 262144, 262145, 500000,
				       MIB - 1, MIB,   64,     0,      MIB};

	plan = (struct plan){window, shared, asleep, mode, MIB, ARRAY(sizes)};
	run();
}

#define SELECTIVE DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE
#define ALL DOCA_PE_EVENT_MODE_PROGRESS_ALL

#define T_WINDOW(window)                                                                           \
	T_CASE(window##_private)                                                                   \
	{                                                                                          \
		run_sizes(#window, false, false, SELECTIVE);                                       \
	}                                                                                          \
	T_CASE(window##_shared)                                                                    \
	{                                                                                          \
		run_sizes(#window, true, false, SELECTIVE);                                        \
	}                                                                                          \
	T_CASE(window##_asleep_selective)                                                          \
	{                                                                                          \
		run_sizes(#window, false, true, SELECTIVE);                                        \
	}                                                                                          \
	T_CASE(window##_asleep_all)                                                                \
	{                                                                                          \
		run_sizes(#window, true, true, ALL);                                               \
	}                                                                                          \
	T_CASE_TIMEOUT(window##_long_copies_asleep, 60)                                            \
	{                                                                                          \
		run_long(#window);                                                                 \
	}

/* Continued chunk by chunk by engines that sleep whenever they may. */
static void run_long(const char *window)
{
	static const size_t sizes[] = {16 * MIB, 1, 16 * MIB};

	plan = (struct plan){window, false, true, SELECTIVE, 16 * MIB, ARRAY(sizes)};
	run();
}

T_WINDOW(mapped)
T_WINDOW(cross)
T_WINDOW(handed)
T_WINDOW(served)

/* Small ones, thousands of times: each is an event that must not be lost. */
static void run_small(bool asleep, enum doca_pe_event_mode mode)
{
	static size_t sizes[1500];

	for (size_t i = 0; i < 1500; i++)
		sizes[i] = 1 + i % 200;
	plan = (struct plan){NULL, false, asleep, mode, 4096, ARRAY(sizes)};
	run();
}

T_CASE(small_ones_polled)
{
	run_small(false, SELECTIVE);
}

T_CASE(small_ones_asleep_selective)
{
	run_small(true, SELECTIVE);
}

T_CASE(small_ones_asleep_all)
{
	run_small(true, ALL);
}

/* A peer that dies while a long send is on its way: that one fails, and so do those behind it. */
static int receive_nothing(void *arg)
{
	(void)arg;
	connect_end(true);
	receiver_create(&receiver, &end, end.pe, SLOTS, plan.slot, plan.shared);
	T_ERR(doca_ctx_start(receiver.ctx), DOCA_ERROR_IN_PROGRESS);
	UNTIL(ctx_state(receiver.ctx) == DOCA_CTX_STATE_RUNNING);
	receiver_post_all(&receiver);
	for (;;)
		pause();
	return 0;
}

static void run_death(const char *window, bool shared)
{
	pid_t pid;

	plan = (struct plan){window, shared, false, SELECTIVE, 16 * MIB, NULL, 0};
	pid = t_fork(receive_nothing, NULL);
	connect_end(false);
	UNTIL(end.num_ids == 1);
	sender_open(&sender, &end, end.pe, SLOTS, 16 * MIB, shared);
	T_EVENTUALLY(sender_try(&sender, end.ids[0], 0, 16 * MIB, NULL, 0) == DOCA_SUCCESS, 10000);
	T_OK(sender_try(&sender, end.ids[0], 0, 8, NULL, 0));
	T_OK(sender_try(&sender, end.ids[0], 0, 4096, NULL, 0));
	kill(pid, SIGKILL);
	T_EQ(t_wait(pid, 10000), 128 + SIGKILL);
	/* Word of it has come before the long one goes on. */
	T_EVENTUALLY(sender_try(&sender, 0, 0, 8, NULL, 0) == DOCA_ERROR_NOT_CONNECTED, 10000);
	UNTIL(end_state(&end) == DOCA_CTX_STATE_IDLE && sender.done + sender.failed == 3);
	T_EQ(sender.failed, 3);
	T_ERR(sender_try(&sender, end.ids[0], 0, 8, NULL, 0), DOCA_ERROR_NOT_CONNECTED);
	sender_close(&sender, poll_turn, NULL);
	end_close(&end);
}

T_CASE(death_during_a_long_send_mapped)
{
	run_death("mapped", true);
}

T_CASE(death_during_a_long_send_cross)
{
	run_death("cross", false);
}

T_CASE(death_during_a_long_send_served)
{
	run_death("served", false);
}
