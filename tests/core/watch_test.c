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

#define TIMEOUT_MS 5000

struct wanted {
	pid_t pid;
	char name[64];
};

static void find(const struct softdpu_entry *entry, void *user_data)
{
	struct wanted *wanted = user_data;

	if (entry->kind == SOFTDPU_ENTRY_PROCESS && entry->is_alive && entry->pid == wanted->pid)
		snprintf(wanted->name, sizeof(wanted->name), "%s", entry->name);
}

static doca_error_t watch_pid(pid_t pid, struct softdpu_watch **watch)
{
	struct wanted wanted = {.pid = pid};

	T_OK(softdpu_registry_look(find, &wanted));
	T_CHECK(wanted.name[0] != '\0');
	return softdpu_watch_open(wanted.name, TIMEOUT_MS, watch);
}

static struct softdpu_watch *watch_self(void)
{
	struct softdpu_watch *watch;

	T_OK(watch_pid(getpid(), &watch));
	return watch;
}

static struct softdpu_reading read_all(struct softdpu_watch *watch)
{
	struct softdpu_reading reading;

	T_OK(softdpu_watch_read(watch, TIMEOUT_MS, &reading));
	return reading;
}

/* The nth of that kind; NULL: there are fewer. */
static const struct softdpu_object *object_at(const struct softdpu_reading *reading,
					      enum softdpu_object_kind kind, uint32_t nth)
{
	for (uint32_t i = 0; i < reading->num_objects; i++)
		if (reading->objects[i].kind == kind && nth-- == 0)
			return &reading->objects[i];
	return NULL;
}

static struct softdpu_object read_one(struct softdpu_watch *watch, enum softdpu_object_kind kind,
				      uint32_t nth)
{
	struct softdpu_reading reading = read_all(watch);
	const struct softdpu_object *object = object_at(&reading, kind, nth);

	T_CHECK(object != NULL);
	return *object;
}

static uint64_t num_latencies(const struct softdpu_object *object)
{
	uint64_t num = 0;

	for (int i = 0; i < SOFTDPU_LATENCY_BUCKETS; i++)
		num += object->latency[i];
	return num;
}

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

	T_EQ(read_all(watch).num_objects, 0);
	end_create(&server, true);
	object = read_one(watch, SOFTDPU_OBJECT_SERVER, 0);
	T_EQ(object.state, SOFTDPU_STATE_IDLE);
	T_EQ(object.engine, read_one(watch, SOFTDPU_OBJECT_ENGINE, 0).id);
	end_start(&server);
	T_EQ(read_one(watch, SOFTDPU_OBJECT_SERVER, 0).state, SOFTDPU_STATE_RUNNING);
	end_close(&server);
	T_EQ(read_all(watch).num_objects, 0);
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
	end_send(&pair.client, "one", 3);
	object = read_one(watch, SOFTDPU_OBJECT_CLIENT, 0);
	T_EQ(object.submitted, 1);
	T_EQ(object.completed, 0);
	PAIR_UNTIL(&pair, pair.client.sent == 1);
	object = read_one(watch, SOFTDPU_OBJECT_CLIENT, 0);
	T_EQ(object.submitted, 1);
	T_EQ(object.completed, 1);
	T_EQ(object.failed, 0);
	T_EQ(num_latencies(&object), 1);
	for (int i = 1; i < 300; i++) {
		end_send(&pair.client, "more", 4);
		PAIR_UNTIL(&pair, pair.client.sent == (uint32_t)i + 1);
	}
	object = read_one(watch, SOFTDPU_OBJECT_CLIENT, 0);
	T_EQ(object.completed, 300);
	T_EQ(num_latencies(&object), 5);
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
	reading = read_all(watch);
	/* Not since it is watched. */
	T_CHECK(object_at(&reading, SOFTDPU_OBJECT_ENGINE, 0)->progressed_ns < reading.watched_ns);
	T_EVENTUALLY((doca_pe_progress(server.pe),
		      read_one(watch, SOFTDPU_OBJECT_ENGINE, 0).progressed_ns > reading.watched_ns),
		     5000);
	T_OK(doca_pe_request_notification(server.pe));
	engine = read_one(watch, SOFTDPU_OBJECT_ENGINE, 0);
	T_EQ(engine.is_asleep, 1);
	T_OK(doca_pe_clear_notification(server.pe, 0));
	T_EQ(read_one(watch, SOFTDPU_OBJECT_ENGINE, 0).is_asleep, 0);
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
	T_EQ(read_one(watch, SOFTDPU_OBJECT_SERVER, 0).state, SOFTDPU_STATE_RUNNING);
	kill(child, SIGSTOP);
	T_EVENTUALLY(softdpu_watch_read(watch, 20, &reading) == DOCA_ERROR_TIME_OUT, 10000);
	T_ERR(softdpu_watch_read(watch, 0, &reading), DOCA_ERROR_TIME_OUT);
	kill(child, SIGCONT);
	T_EQ(read_one(watch, SOFTDPU_OBJECT_SERVER, 0).state, SOFTDPU_STATE_RUNNING);
	kill(child, SIGKILL);
	T_EQ(t_wait(child, 10000), 128 + SIGKILL);
	T_ERR(softdpu_watch_read(watch, TIMEOUT_MS, &reading), DOCA_ERROR_CONNECTION_RESET);
	softdpu_watch_close(watch);
	T_OK(softdpu_registry_reap());
}
