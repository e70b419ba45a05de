/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a user is told when nothing happens: in the log of the SDK, once, and with what helps.
 */
#include <doca_log.h>

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include "comch/path.h"
#include "forbid.h"

static struct path path;
static struct end *const server = &path.pair.server;
static struct end *const client = &path.pair.client;

static char line[4096];
static char told[1 << 16];

/* Any thread of ours; the agent's has nothing to say here. */
static void hear(char *buffer)
{
	if (strlen(told) + strlen(buffer) < sizeof(told))
		strcat(told, buffer);
}

static void listen_to_sdk(void)
{
	struct doca_log_backend *backend;

	T_OK(doca_log_backend_create_with_buf_sdk(line, sizeof(line), hear, &backend));
}

static uint32_t times(const char *part)
{
	uint32_t n = 0;

	for (const char *at = told; (at = strstr(at, part)) != NULL; at++)
		n++;
	return n;
}

static void wait_ms(unsigned int ms)
{
	struct timespec ts = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};

	nanosleep(&ts, NULL);
}

/* Who else is there, and where it was looked for. */
T_CASE(failed_connect_lists_servers_and_directory)
{
	listen_to_sdk();
	server->name = "others there";
	end_create(server, true);
	end_start(server);
	end_create(client, false);
	end_start(client);
	PATH_UNTIL(&path, end_state(client) == DOCA_CTX_STATE_IDLE);
	T_CONTAINS(told, "no connection to server \"" PAIR_NAME "\"");
	T_CONTAINS(told, "0000:3b:00.0");
	T_CONTAINS(told, "(not there); needed: one of the same name, and with the representor of");
	T_CONTAINS(told, "\"others%20there\" for 0000:3b:00.0");
	T_CONTAINS(told, getenv("SOFTDPU_RUNTIME_DIR"));
	path_close(&path);
}

T_CASE(failed_connect_says_when_there_is_no_server)
{
	listen_to_sdk();
	end_create(client, false);
	end_start(client);
	END_UNTIL(client, end_state(client) == DOCA_CTX_STATE_IDLE);
	T_CONTAINS(told, "none");
	path_close(&path);
}

static double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* One try; `pause` ms until the next, as programs do it. */
static void try_in_vain(unsigned int pause)
{
	T_ERR(sender_try(&path.sender, path.receiver.id, 0, 64, NULL, 0), DOCA_ERROR_AGAIN);
	if (pause != 0)
		wait_ms(pause);
}

static void check_again(unsigned int pause)
{
	static const char ago[] = "its engine last progressed ";
	double start;

	path_open(&path, 4, 64, false);
	listen_to_sdk();
	for (uint32_t round = 1; round <= 2; round++) {
		start = now_s();
		T_EVENTUALLY((try_in_vain(pause), times("AGAIN for") == round), 10000);
		T_CHECK(now_s() - start >= 1);
		for (start = now_s(); now_s() - start < 1.2;)
			try_in_vain(pause);
		T_EQ(times("AGAIN for"), round);
		/* Once it has worked it may be told again. */
		receiver_post(&path.receiver, 0);
		T_OK(sender_try(&path.sender, path.receiver.id, 0, 64, NULL, 0));
	}
	T_CONTAINS(told, "consumer 1 has no posted receive");
	/* It has hardly been idle yet, and began some seconds ago. */
	T_CONTAINS(told, ago);
	T_CHECK(strtod(strstr(told, ago) + strlen(ago), NULL) < 60);
	path_close(&path);
}

T_CASE(again_for_a_second_says_who_does_not_post)
{
	check_again(0);
}

T_CASE(again_with_pauses_between_says_so_too)
{
	check_again(1);
}

T_CASE(stopping_for_two_seconds_says_what_it_waits_for)
{
	path_open(&path, 4, 64, false);
	sender_close(&path.sender, path_turn, &path);
	receiver_close(&path.receiver, path_turn, &path);
	listen_to_sdk();
	client->keep_tasks = true;
	end_send(client, "x", 1);
	PATH_UNTIL(&path, client->sent == 1);
	T_ERR(doca_ctx_stop(client->ctx), DOCA_ERROR_IN_PROGRESS);
	T_EVENTUALLY((path_turn(&path), times("STOPPING for") == 1), 6000);
	T_CONTAINS(told, "doca_comch_client: STOPPING for 2 s");
	T_CONTAINS(told, "0 tasks in flight and 1 more that were not freed");
	doca_task_free(client->last_task);
	PATH_UNTIL(&path, end_state(client) == DOCA_CTX_STATE_IDLE);
	T_EQ(times("STOPPING for"), 1);
	path_close(&path);
}

/* It tries again and again, as it would when the consumer were not there yet. */
T_CASE(refused_second_producer_is_told_once)
{
	static struct sender second;

	path_open(&path, 4, 64, false);
	receiver_post_all(&path.receiver);
	T_OK(sender_try(&path.sender, path.receiver.id, 0, 64, NULL, 0));
	sender_open(&second, client, client->pe, 4, 256, false);
	listen_to_sdk();
	if (!forbid_call(SYS_membarrier))
		T_SKIP("no seccomp filters here");
	for (int i = 0; i < 100; i++)
		T_ERR(sender_try(&second, path.receiver.id, 0, 64, NULL, 0), DOCA_ERROR_NOT_FOUND);
	T_EQ(times("a second producer"), 1);
	T_CONTAINS(told, "allow it, or use one producer");
	T_EQ(times("does not have"), 0);
	PATH_UNTIL(&path, path.receiver.got == 1);
	sender_close(&second, path_turn, &path);
	path_close(&path);
}

static void try_in_vain_with(uint32_t consumer, size_t len, doca_error_t result)
{
	for (int i = 0; i < 100; i++)
		T_ERR(sender_try(&path.sender, consumer, 0, len, NULL, 0), result);
}

/* Each reason once, whichever consumer, until a send is accepted. */
T_CASE(refused_sends_are_told_once)
{
	path_open(&path, 4, 64, false);
	receiver_post_all(&path.receiver);
	listen_to_sdk();
	for (uint32_t round = 1; round <= 2; round++) {
		try_in_vain_with(4711, 64, DOCA_ERROR_NOT_FOUND);
		try_in_vain_with(path.receiver.id, 65, DOCA_ERROR_INVALID_VALUE);
		try_in_vain_with(4712, 64, DOCA_ERROR_NOT_FOUND);
		T_EQ(times("to consumer 4711, which"), round);
		T_EQ(times("of 65 bytes"), round);
		T_EQ(times("to consumer 4712, which"), 0);
		T_OK(sender_try(&path.sender, path.receiver.id, 0, 64, NULL, 0));
		PATH_UNTIL(&path, path.receiver.got == round);
	}
	path_close(&path);
}
