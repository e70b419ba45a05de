/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Watching a process: what it shows is what it has and did; who watches, and who has gone.
 */
#include "t.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <softdpu.h>

#include "comch/pair.h"
#include "core/kit.h"
#include "core/watch_kit.h"

T_CASE(arguments_are_checked)
{
	struct doca_dev *dev = kit_open(KIT_DPU);
	struct softdpu_watch *watch = watch_self();
	struct softdpu_reading reading;

	T_ERR(softdpu_watch_open(NULL, 1, &watch), DOCA_ERROR_INVALID_VALUE);
	T_ERR(softdpu_watch_open("a-0", 1, &watch), DOCA_ERROR_INVALID_VALUE);
	T_ERR(softdpu_watch_open("a-0123456789abcdef0123456789abcdef", 1, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(softdpu_watch_open("a-0123456789abcdef0123456789abcdef", 1, &watch),
	      DOCA_ERROR_NOT_FOUND);
	T_ERR(softdpu_watch_read(NULL, 1, &reading), DOCA_ERROR_INVALID_VALUE);
	T_ERR(softdpu_watch_read(watch, 1, NULL), DOCA_ERROR_INVALID_VALUE);
	softdpu_watch_close(watch);
	softdpu_watch_close(NULL);
	T_OK(doca_dev_close(dev));
}

T_CASE(objects_come_and_go)
{
	struct doca_dev *dev = kit_open(KIT_DPU);
	struct softdpu_watch *watch = watch_self();
	struct end server = {0};
	struct softdpu_object object;

	T_EQ(watch_all(watch).num_objects, 0);
	end_create(&server, true);
	object = watch_one(watch, SOFTDPU_OBJECT_SERVER, 0);
	T_EQ(object.state, SOFTDPU_STATE_IDLE);
	T_EQ(object.engine, watch_one(watch, SOFTDPU_OBJECT_ENGINE, 0).id);
	end_start(&server);
	T_EQ(watch_one(watch, SOFTDPU_OBJECT_SERVER, 0).state, SOFTDPU_STATE_RUNNING);
	end_close(&server);
	T_EQ(watch_all(watch).num_objects, 0);
	softdpu_watch_close(watch);
	T_OK(doca_dev_close(dev));
}

T_CASE(tasks_are_counted)
{
	struct softdpu_object object;
	struct softdpu_watch *watch;
	struct pair pair = {0};

	pair_open(&pair);
	watch = watch_self();
	doca_pe_progress(pair.client.pe); /* sees that somebody watches */
	end_send(&pair.client, "one", 3);
	object = watch_one(watch, SOFTDPU_OBJECT_CLIENT, 0);
	T_EQ(object.submitted, 1);
	T_EQ(object.completed, 0);
	PAIR_UNTIL(&pair, pair.client.sent == 1);
	object = watch_one(watch, SOFTDPU_OBJECT_CLIENT, 0);
	T_EQ(object.submitted, 1);
	T_EQ(object.completed, 1);
	T_EQ(object.failed, 0);
	T_EQ(watch_latencies(&object), 1);
	for (int i = 1; i < 300; i++) {
		end_send(&pair.client, "more", 4);
		PAIR_UNTIL(&pair, pair.client.sent == (uint32_t)i + 1);
	}
	object = watch_one(watch, SOFTDPU_OBJECT_CLIENT, 0);
	T_EQ(object.completed, 300);
	/* All of them, or fewer and fewer: it depends on how fast they come. */
	T_CHECK(watch_latencies(&object) >= 6 && watch_latencies(&object) <= 300);
	softdpu_watch_close(watch);
	pair_close(&pair);
}

T_CASE(progress_and_sleep_show)
{
	struct end server = {0};
	struct softdpu_reading reading;
	struct softdpu_object engine;
	struct softdpu_watch *watch;

	end_create(&server, true);
	doca_pe_progress(server.pe);
	watch = watch_self();
	reading = watch_all(watch);
	/* Not since it is watched. */
	T_CHECK(watch_nth(&reading, SOFTDPU_OBJECT_ENGINE, 0)->progressed_ns < reading.watched_ns);
	T_EVENTUALLY(
		(doca_pe_progress(server.pe),
		 watch_one(watch, SOFTDPU_OBJECT_ENGINE, 0).progressed_ns > reading.watched_ns),
		5000);
	T_OK(doca_pe_request_notification(server.pe));
	engine = watch_one(watch, SOFTDPU_OBJECT_ENGINE, 0);
	T_EQ(engine.is_asleep, 1);
	T_OK(doca_pe_clear_notification(server.pe, 0));
	T_EQ(watch_one(watch, SOFTDPU_OBJECT_ENGINE, 0).is_asleep, 0);
	softdpu_watch_close(watch);
	end_close(&server);
}

T_CASE(a_turn_after_a_look_is_dated)
{
	struct end server = {0};
	struct softdpu_reading reading;
	struct softdpu_watch *watch;
	uint64_t taken;

	end_create(&server, true);
	watch = watch_self();
	/* So many in a row that few of them read the clock, and then a single one. */
	for (int i = 0; i < 10000; i++)
		doca_pe_progress(server.pe);
	taken = watch_all(watch).taken_ns;
	usleep(30000); /* longer than the coarse clock stands still */
	doca_pe_progress(server.pe);
	reading = watch_all(watch);
	T_CHECK(watch_nth(&reading, SOFTDPU_OBJECT_ENGINE, 0)->progressed_ns > taken);
	softdpu_watch_close(watch);
	end_close(&server);
}

/* Has a device open until it is killed. */
static int stay(void *arg)
{
	uint32_t *is_up = arg;
	struct end server = {0};

	end_create(&server, true);
	end_start(&server);
	__atomic_store_n(is_up, 1, __ATOMIC_RELEASE);
	for (;;)
		pause();
	return 0;
}

static pid_t other_process(void)
{
	uint32_t *is_up = mmap(NULL, sizeof(*is_up), PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t child = t_fork(stay, is_up);

	T_EVENTUALLY(__atomic_load_n(is_up, __ATOMIC_ACQUIRE) == 1, 10000);
	return child;
}

T_CASE(other_process_is_watched_stopped_and_killed)
{
	pid_t child = other_process();
	struct softdpu_reading reading;
	struct softdpu_watch *watch;

	T_OK(watch_pid(child, &watch));
	T_EQ(watch_one(watch, SOFTDPU_OBJECT_SERVER, 0).state, SOFTDPU_STATE_RUNNING);
	kill(child, SIGSTOP);
	T_EVENTUALLY(softdpu_watch_read(watch, 20, &reading) == DOCA_ERROR_TIME_OUT, 10000);
	T_ERR(softdpu_watch_read(watch, 0, &reading), DOCA_ERROR_TIME_OUT);
	kill(child, SIGCONT);
	T_EQ(watch_one(watch, SOFTDPU_OBJECT_SERVER, 0).state, SOFTDPU_STATE_RUNNING);
	kill(child, SIGKILL);
	T_EQ(t_wait(child, 10000), 128 + SIGKILL);
	T_ERR(softdpu_watch_read(watch, WATCH_MS, &reading), DOCA_ERROR_CONNECTION_RESET);
	softdpu_watch_close(watch);
	T_OK(softdpu_registry_reap());
}
