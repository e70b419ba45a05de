/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Statistics between two processes: many watchers, those that die, more objects than there is room
 * for, and processes that lie to who watches them.
 */
#include "t.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <softdpu.h>

#include "base/atomic.h"
#include "bus/agent.h"
#include "bus/stats.h"
#include "bus/process.h"
#include "bus/segment.h"
#include "bus/sock.h"

#define WATCH_MS 5000

static struct softdpu_watch *watch_open(void)
{
	struct softdpu_watch *watch;

	T_OK(softdpu_watch_open(sdpu_agent_endpoint(), WATCH_MS, &watch));
	return watch;
}

static uint32_t watchers(void)
{
	return sdpu_load(&sdpu_stats_watchers);
}

T_CASE(watchers_are_many_and_not_without_bound)
{
	struct softdpu_watch *watches[SDPU_STATS_WATCHERS], *more;
	struct softdpu_reading reading;

	T_OK(sdpu_agent_get());
	for (uint32_t i = 0; i < SDPU_STATS_WATCHERS; i++) {
		watches[i] = watch_open();
		T_EQ(watchers(), i + 1);
	}
	T_ERR(softdpu_watch_open(sdpu_agent_endpoint(), WATCH_MS, &more), DOCA_ERROR_AGAIN);
	for (uint32_t i = 0; i < SDPU_STATS_WATCHERS; i++)
		T_OK(softdpu_watch_read(watches[i], WATCH_MS, &reading));
	for (uint32_t i = 0; i < SDPU_STATS_WATCHERS; i++)
		softdpu_watch_close(watches[i]);
	T_EVENTUALLY(watchers() == 0, 10000);
	more = watch_open();
	softdpu_watch_close(more);
	sdpu_agent_put();
}

static int watch_and_stay(void *arg)
{
	struct softdpu_watch *watch;

	T_OK(softdpu_watch_open(arg, WATCH_MS, &watch));
	for (;;)
		pause();
	return 0;
}

T_CASE(a_killed_watcher_watches_no_more)
{
	char endpoint[SDPU_ENDPOINT_MAX];
	int to_child[2];
	pid_t child;

	/* A fork of a process that has anything open could not watch. */
	T_EQ(pipe(to_child), 0);
	child = fork();
	if (child == 0) {
		T_EQ(read(to_child[0], endpoint, sizeof(endpoint)), (ssize_t)sizeof(endpoint));
		_exit(watch_and_stay(endpoint));
	}
	T_OK(sdpu_agent_get());
	T_EQ(watchers(), 0);
	memset(endpoint, 0, sizeof(endpoint));
	snprintf(endpoint, sizeof(endpoint), "%s", sdpu_agent_endpoint());
	T_EQ(write(to_child[1], endpoint, sizeof(endpoint)), (ssize_t)sizeof(endpoint));
	T_EVENTUALLY(watchers() == 1, 10000);
	kill(child, SIGKILL);
	T_EQ(t_wait(child, 10000), 128 + SIGKILL);
	T_EVENTUALLY(watchers() == 0, 10000);
	sdpu_agent_put();
}

T_CASE(the_end_of_the_agent_ends_watches)
{
	struct softdpu_reading reading;
	struct softdpu_watch *watch;

	T_OK(sdpu_agent_get());
	watch = watch_open();
	sdpu_agent_put();
	T_EQ(watchers(), 0);
	T_ERR(softdpu_watch_read(watch, WATCH_MS, &reading), DOCA_ERROR_CONNECTION_RESET);
	softdpu_watch_close(watch);
}

T_CASE(what_finds_no_room_is_counted)
{
	struct sdpu_stats *all_stats = calloc(SDPU_STATS_ROWS + 3, sizeof(*all_stats));
	struct softdpu_reading reading;
	struct softdpu_watch *watch;

	T_OK(sdpu_agent_get());
	watch = watch_open();
	for (uint32_t i = 0; i < SDPU_STATS_ROWS + 3; i++)
		sdpu_stats_register(&all_stats[i], SOFTDPU_OBJECT_CONTEXT, NULL);
	T_OK(softdpu_watch_read(watch, WATCH_MS, &reading));
	T_EQ(reading.num_objects, SDPU_STATS_ROWS);
	T_EQ(reading.num_unlisted, 3);
	T_EQ(reading.objects[0].id + SDPU_STATS_ROWS - 1, reading.objects[SDPU_STATS_ROWS - 1].id);
	for (uint32_t i = 0; i < SDPU_STATS_ROWS + 3; i++)
		sdpu_stats_unregister(&all_stats[i]);
	sdpu_stats_unregister(&all_stats[0]);
	T_OK(softdpu_watch_read(watch, WATCH_MS, &reading));
	T_EQ(reading.num_objects, 0);
	softdpu_watch_close(watch);
	sdpu_agent_put();
	free(all_stats);
}

/* ---- a process that lies ---- */

/* What it answers, and the pages that it hands out; a watcher asks once to open, and once to read.
 */
static struct {
	int listener;
	struct sdpu_segment pages;
	struct sdpu_stats_answer first, second;
	uint32_t first_len, second_len;
} liar;

static const char *const liar_name = "a-00000000000000000000000000000000";

static void liar_prepare(void)
{
	T_OK(sdpu_sock_listen(liar_name, &liar.listener));
	T_OK(sdpu_segment_create("liar", SDPU_STATS_ROWS * sizeof(struct softdpu_object), 0, false,
				 &liar.pages));
	liar.first_len = liar.second_len = sizeof(struct sdpu_stats_answer);
}

static int liar_accept(void)
{
	int sock = -1;

	T_EVENTUALLY((sock = accept4(liar.listener, NULL, NULL, SOCK_NONBLOCK)) >= 0, 10000);
	return sdpu_fd_own(sock);
}

static void liar_answer(int sock, const void *answer, uint32_t len, int fd)
{
	struct sdpu_record record;
	doca_error_t result;

	T_EVENTUALLY((result = sdpu_sock_recv(sock, &record)) != DOCA_ERROR_AGAIN, 10000);
	T_OK(result);
	sdpu_record_drop(&record);
	T_OK(sdpu_sock_send(sock, answer, len, &fd, fd < 0 ? 0 : 1));
}

static void *liar_main(void *arg)
{
	int sock = liar_accept();

	liar_answer(sock, &liar.first, liar.first_len, liar.pages.fd);
	if (arg != NULL)
		liar_answer(sock, &liar.second, liar.second_len, -1);
	sdpu_fd_close(sock);
	return NULL;
}

static pthread_t liar_start(bool reads)
{
	pthread_t thread;

	T_EQ(pthread_create(&thread, NULL, liar_main, reads ? &liar : NULL), 0);
	return thread;
}

static void liar_end(void)
{
	char path[512];

	sdpu_segment_unmap(&liar.pages);
	sdpu_fd_close(liar.listener);
	snprintf(path, sizeof(path), "%s/%s", getenv("SOFTDPU_RUNTIME_DIR"), liar_name);
	T_EQ(unlink(path), 0);
}

static void open_is_refused(void)
{
	pthread_t thread = liar_start(false);
	struct softdpu_watch *watch;

	T_ERR(softdpu_watch_open(liar_name, WATCH_MS, &watch), DOCA_ERROR_INVALID_VALUE);
	pthread_join(thread, NULL);
}

static doca_error_t read_from_liar(struct softdpu_reading *reading, struct softdpu_watch **watch)
{
	pthread_t thread = liar_start(true);
	doca_error_t result;

	T_OK(softdpu_watch_open(liar_name, WATCH_MS, watch));
	result = softdpu_watch_read(*watch, WATCH_MS, reading);
	pthread_join(thread, NULL);
	return result;
}

static void read_is_refused(void)
{
	struct softdpu_reading reading;
	struct softdpu_watch *watch;

	T_ERR(read_from_liar(&reading, &watch), DOCA_ERROR_INVALID_VALUE);
	softdpu_watch_close(watch);
}

T_CASE(pages_that_are_not_as_promised_are_refused)
{
	struct sdpu_segment good;

	liar_prepare();
	liar.first_len--;
	open_is_refused();
	liar.first_len++;
	liar.first.num_rows = SDPU_STATS_ROWS + 1;
	open_is_refused();
	liar.first.num_rows = 0;
	liar.first.watched_ns = 1;
	open_is_refused();
	liar.first.watched_ns = 0;
	good = liar.pages;
	T_OK(sdpu_segment_create("small", 4096, 0, false, &liar.pages));
	open_is_refused();
	sdpu_segment_unmap(&liar.pages);
	liar.pages = good;
	liar_end();
}

T_CASE(rows_that_make_no_sense_are_refused)
{
	struct softdpu_object *rows;

	liar_prepare();
	rows = liar.pages.base;
	liar.second.num_rows = 1;
	read_is_refused(); /* no id */
	rows[0].id = 1;
	rows[0].kind = SOFTDPU_OBJECT_KINDS;
	read_is_refused();
	rows[0].kind = 0;
	rows[0].state = SOFTDPU_STATES;
	read_is_refused();
	rows[0].state = 0;
	liar.second.num_rows = UINT32_MAX;
	read_is_refused();
	liar.second.num_rows = 0;
	liar.second_len = 3;
	read_is_refused();
	liar_end();
}

T_CASE(texts_that_do_not_end_are_cut)
{
	struct softdpu_reading reading;
	struct softdpu_watch *watch;
	struct softdpu_object *rows;

	liar_prepare();
	rows = liar.pages.base;
	memset(&rows[0], 0xff, sizeof(rows[0]));
	rows[0].id = 1;
	rows[0].kind = 0;
	rows[0].state = 0;
	liar.second.num_rows = 1;
	T_OK(read_from_liar(&reading, &watch));
	T_EQ(strlen(reading.objects[0].name), sizeof(reading.objects[0].name) - 1);
	T_EQ(strlen(reading.objects[0].how), sizeof(reading.objects[0].how) - 1);
	T_EQ(strlen(reading.objects[0].device), sizeof(reading.objects[0].device) - 1);
	softdpu_watch_close(watch);
	liar_end();
}

T_CASE(no_more_is_completed_than_submitted)
{
	struct softdpu_reading reading;
	struct softdpu_watch *watch;
	struct softdpu_object *rows;

	liar_prepare();
	rows = liar.pages.base;
	rows[0] = (struct softdpu_object){.id = 1, .submitted = 5, .completed = 7};
	rows[1] = (struct softdpu_object){.id = 2, .submitted = 7, .completed = 5};
	liar.second.num_rows = 2;
	T_OK(read_from_liar(&reading, &watch));
	T_EQ(reading.objects[0].completed, 5);
	T_EQ(reading.objects[1].completed, 5);
	softdpu_watch_close(watch);
	liar_end();
}

T_CASE(a_process_that_says_nothing_is_waited_for_so_long)
{
	struct softdpu_watch *watch;

	liar_prepare();
	T_ERR(softdpu_watch_open(liar_name, 20, &watch), DOCA_ERROR_TIME_OUT);
	liar_end();
}

/* ---- requests that make no sense ---- */

static void send_request(const struct sdpu_stats_request *request, size_t len)
{
	struct sdpu_record record;
	doca_error_t result;
	pid_t peer;
	int sock;

	T_OK(sdpu_agent_call(sdpu_agent_endpoint(), request, len, NULL, 0, &sock, &peer));
	T_EVENTUALLY((result = sdpu_sock_recv(sock, &record)) != DOCA_ERROR_AGAIN, 10000);
	T_ERR(result, DOCA_ERROR_CONNECTION_RESET);
	sdpu_fd_close(sock);
}

T_CASE(malformed_requests_are_refused)
{
	union {
		struct sdpu_stats_request request;
		uint8_t bytes[sizeof(struct sdpu_stats_request) + 8];
	} long_one = {0};

	T_OK(sdpu_agent_get());
	sdpu_hello_fill(&long_one.request.hello, SDPU_SERVICE_STATS);
	send_request(&long_one.request, sizeof(long_one));
	T_EQ(watchers(), 0);
	sdpu_agent_put();
}
