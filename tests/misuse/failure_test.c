/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes that no call answers at rest: a peer that dies, memory that goes, an object that another
 * thread stops, launches that wait without end. Which calls answer them tells data/explain.txt.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doca_mmap.h>

#include "core/event_kit.h"
#include "dpa/kit.h"
#include "misuse/misuse.h"

struct exports {
	struct event_blob event;
	size_t mmap_len;
	uint8_t mmap[1024];
};

static uint8_t exported[4096];
static int line[2];

/* Of a host's process, which then waits to be killed. */
static int export_all(void *arg)
{
	struct exports *exports = arg;
	struct doca_dev *dev = kit_open(KIT_HOST);
	struct doca_mmap *mmap =
		kit_mmap(dev, exported, sizeof(exported), DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	struct doca_sync_event *event = event_make_pci(dev);
	const void *bytes;

	T_OK(doca_sync_event_start(event));
	event_export_pci(event, dev, &exports->event);
	T_OK(doca_mmap_export_pci(mmap, dev, &bytes, &exports->mmap_len));
	T_CHECK(exports->mmap_len <= sizeof(exports->mmap));
	memcpy(exports->mmap, bytes, exports->mmap_len);
	T_EQ(write(line[1], exports, sizeof(*exports)), sizeof(*exports));
	for (;;)
		pause();
}

static pid_t exporter_start(struct exports *exports)
{
	pid_t pid;

	T_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, line), 0);
	pid = t_fork(export_all, exports);
	T_EQ(read(line[0], exports, sizeof(*exports)), sizeof(*exports));
	return pid;
}

static void exporter_end(pid_t pid)
{
	T_EQ(kill(pid, SIGKILL), 0);
	(void)t_wait(pid, 10000);
}

MISUSE_CASE(event_of_a_process_that_has_died)
{
	struct exports exports;
	pid_t pid = exporter_start(&exports);
	struct doca_dev *dev = kit_open(KIT_DPU);
	struct doca_sync_event *event;
	uint64_t value;

	T_OK(event_import(&exports.event, dev, &event));
	T_OK(doca_sync_event_start(event));
	exporter_end(pid);
	/* This one waits until the agent has noticed. */
	MISUSE(CONNECTION_RESET, doca_sync_event_wait_gt(event, 1, ALL),
	       "the process that exported the event has died");
	MISUSE(CONNECTION_RESET, doca_sync_event_get(event, &value), "has died");
	MISUSE(CONNECTION_RESET, doca_sync_event_update_add(event, 1, &value), "has died");
	MISUSE(CONNECTION_RESET, doca_sync_event_update_set(event, 1), "has died");
	MISUSE(CONNECTION_RESET, doca_sync_event_wait_eq_yield(event, 1, ALL), "has died");
	T_OK(doca_sync_event_destroy(event));
	T_OK(doca_dev_close(dev));
}

/* It is there, and answers nobody. */
MISUSE_CASE(exports_of_a_process_that_is_stopped)
{
	struct exports exports;
	pid_t pid = exporter_start(&exports);
	struct doca_dev *dev = kit_open(KIT_DPU);
	struct doca_sync_event *event;
	struct doca_mmap *mmap;
	int status;

	T_EQ(kill(pid, SIGSTOP), 0);
	T_EQ(waitpid(pid, &status, WUNTRACED), pid);
	MISUSE(DRIVER,
	       doca_mmap_create_from_export(NULL, exports.mmap, exports.mmap_len, dev, &mmap),
	       "cannot be asked", "is it stopped");
	MISUSE(DRIVER,
	       doca_sync_event_create_from_export(dev, exports.event.bytes, exports.event.len,
						  &event),
	       "cannot be asked", "is it stopped");
	exporter_end(pid);
	T_OK(doca_dev_close(dev));
}

MISUSE_CASE(event_whose_memory_is_gone)
{
	struct doca_dev *dev = kit_open(KIT_DPU);
	struct doca_sync_event *event = event_make(dev);
	uint64_t *word = event_memory(), value;

	T_OK(doca_sync_event_set_addr(event, word));
	T_OK(doca_sync_event_start(event));
	event_memory_gone(word);
	MISUSE(IO_FAILED, doca_sync_event_get(event, &value),
	       "the memory of the counter is gone; it must outlive the event");
	MISUSE(IO_FAILED, doca_sync_event_update_add(event, 1, &value), "is gone");
	MISUSE(IO_FAILED, doca_sync_event_update_set(event, 1), "is gone");
	MISUSE(IO_FAILED, doca_sync_event_wait_gt(event, 1, ALL), "is gone");
	T_OK(doca_sync_event_destroy(event));
	T_OK(doca_dev_close(dev));
}

static void *stop_soon(void *arg)
{
	for (unsigned int turn = 0; turn < 100; turn++)
		t_relax(100);
	T_OK(doca_sync_event_stop(arg));
	return NULL;
}

MISUSE_CASE(event_that_another_thread_stops)
{
	struct doca_dev *dev = kit_open(KIT_DPU);
	struct doca_sync_event *event = event_make(dev);
	pthread_t thread;

	T_OK(doca_sync_event_start(event));
	T_EQ(pthread_create(&thread, NULL, stop_soon, event), 0);
	MISUSE(SHUTDOWN, doca_sync_event_wait_gt(event, 1, ALL), "was stopped by another thread",
	       "needed: one that stays started");
	T_EQ(pthread_join(thread, NULL), 0);
	T_OK(doca_sync_event_start(event));
	T_EQ(pthread_create(&thread, NULL, stop_soon, event), 0);
	MISUSE(SHUTDOWN, doca_sync_event_wait_neq_yield(event, 0, ALL), "was stopped");
	T_EQ(pthread_join(thread, NULL), 0);
	T_OK(doca_sync_event_destroy(event));
	T_OK(doca_dev_close(dev));
}

KIT_GLOBAL(nothing)
{
}

MISUSE_CASE(launches_without_end)
{
	struct doca_dpa *dpa = kit_dpa(KIT_DPU);
	struct doca_dev *dev = kit_open(KIT_DPU);
	struct doca_sync_event *event;

	T_OK(doca_sync_event_create(&event));
	T_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
	T_OK(doca_sync_event_add_subscriber_location_dpa(event, dpa));
	T_OK(doca_sync_event_start(event));
	/* The launcher has one in hand. */
	for (int i = 0; i < 1024; i++)
		T_OK(doca_dpa_kernel_launch_update_set(dpa, event, 1, NULL, 0, 1, KIT_FUNC(nothing),
						       0ull));
	(void)doca_dpa_kernel_launch_update_set(dpa, event, 1, NULL, 0, 1, KIT_FUNC(nothing), 0ull);
	MISUSE(DRIVER,
	       doca_dpa_kernel_launch_update_set(dpa, event, 1, NULL, 0, 1, KIT_FUNC(nothing),
						 0ull),
	       "1024 launches wait already", "wait for the event of an earlier one");
	T_OK(doca_sync_event_destroy(event));
	kit_dpa_end(dpa);
	T_OK(doca_dev_close(dev));
}
