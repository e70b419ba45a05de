/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/event_pair.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

const char *const pair_windows[NUM_WINDOWS] = {"mapped", "cross", "handed", "served"};

struct doca_dev *pair_dev;
static _Alignas(8) uint64_t own_word;

const struct event_plan pair_to_dpu = {.exporter = KIT_HOST, .importer = KIT_DPU};
const struct event_plan pair_to_host = {.exporter = KIT_DPU, .importer = KIT_HOST};

void pair_put(int fd, const void *data, size_t len)
{
	T_EQ(write(fd, data, len), len);
}

void pair_get(int fd, void *data, size_t len)
{
	T_EQ(recv(fd, data, len, MSG_WAITALL), len);
}

void pair_tell(int fd)
{
	pair_put(fd, ".", 1);
}

void pair_hear(int fd)
{
	char word;

	pair_get(fd, &word, 1);
}

static int run_peer(void *arg)
{
	struct event_peer *peer = arg;

	return peer->fn(peer->plan, peer->fd);
}

struct event_peer pair_start(const struct event_plan *plan,
			     int (*fn)(const struct event_plan *plan, int fd))
{
	struct event_peer peer = {.plan = plan, .fn = fn};
	int fds[2];

	T_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
	peer.fd = fds[1];
	peer.pid = t_fork(run_peer, &peer);
	close(fds[1]);
	peer.fd = fds[0];
	return peer;
}

static int run_round(void *arg)
{
	const struct event_plan *plan = arg;

	setenv("SOFTDPU_WINDOW", plan->window, 1);
	plan->run(plan);
	return 0;
}

void pair_each_window(struct event_plan plan, void (*run)(const struct event_plan *plan))
{
	plan.run = run;
	for (int i = 0; i < 2 * NUM_WINDOWS; i++) {
		plan.window = pair_windows[i / 2];
		plan.users_memory = i % 2 != 0;
		if (t_wait(t_fork(run_round, &plan), 20000) != 0)
			T_FAIL("with %s memory, window %s", plan.users_memory ? "own" : "default",
			       plan.window);
	}
}

struct doca_sync_event *pair_make(const struct event_plan *plan)
{
	struct doca_sync_event *event;

	pair_dev = kit_open(plan->exporter);
	event = event_make_pci(pair_dev);
	if (plan->users_memory)
		T_OK(doca_sync_event_set_addr(event, &own_word));
	return event;
}

void pair_send_export(struct doca_sync_event *event, int fd)
{
	struct event_blob blob = {0};

	event_export_pci(event, pair_dev, &blob);
	pair_put(fd, &blob, sizeof(blob));
}

struct doca_sync_event *pair_exported(const struct event_plan *plan, int fd)
{
	struct doca_sync_event *event = pair_make(plan);

	T_OK(doca_sync_event_start(event));
	pair_send_export(event, fd);
	return event;
}

struct doca_sync_event *pair_imported(const struct event_plan *plan, int fd)
{
	struct doca_sync_event *event;
	struct event_blob blob;

	pair_get(fd, &blob, sizeof(blob));
	pair_dev = kit_open(plan->importer);
	T_OK(event_import(&blob, pair_dev, &event));
	return event;
}

void pair_finish(struct doca_sync_event *event)
{
	T_OK(doca_sync_event_stop(event));
	T_OK(doca_sync_event_destroy(event));
	T_OK(doca_dev_close(pair_dev));
}
