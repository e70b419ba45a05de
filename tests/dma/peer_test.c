/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two processes, as published samples have it: the host exports its memory and sleeps in read(),
 * the DPU imports it and copies. Through every kind of window; and hosts that die.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/kit.h"
#include "dma/rig.h"

#define SIZE (3u << 20)

static struct rig rig;

struct offer {
	struct rig_card card;
	uint64_t addr;
};

static uint8_t *memory_for(const char *window, size_t size)
{
	void *at;

	if (window != NULL && strcmp(window, "mapped") == 0)
		return t_map_file(t_memory_file(size, F_SEAL_SHRINK), size);
	at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	T_CHECK(at != MAP_FAILED);
	return at;
}

/* What the hosts are to be, before they are started. */
static const char *host_window;
static size_t host_size = SIZE;
static bool host_forks; /* and its child outlives it */

/* Each byte that comes is a seed: it expects the DPU to have filled its memory so, and answers with
 * the next one after having filled it itself. 0: the end. */
static int be_host(void *arg)
{
	int fd = *(int *)arg;
	struct doca_dev *dev = kit_open(KIT_HOST);
	uint8_t *memory = memory_for(host_window, host_size);
	struct doca_mmap *mmap = kit_mmap(dev, memory, host_size, RIG_HOST_PERMS);
	struct offer offer = {.addr = (uintptr_t)memory};
	uint8_t seed;

	rig.host = dev;
	rig_export(&rig, mmap, &offer.card);
	rig_put(fd, &offer, sizeof(offer));
	if (host_forks && fork() == 0) {
		close(fd);
		alarm(30);
		pause();
		_exit(0);
	}
	for (rig_get(fd, &seed, 1); seed != 0; rig_get(fd, &seed, 1)) {
		rig_expect(memory, host_size, seed);
		rig_fill(memory, host_size, ++seed);
		rig_put(fd, &seed, 1);
	}
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dev_close(dev));
	return 0;
}

/* A host, as the DPU sees it. */
struct host {
	pid_t pid;
	int fd;
	void *base;
	struct doca_mmap *imported;
};

/* Before the library is used. */
static void host_start(struct host *host, const char *window)
{
	int fds[2];

	host_window = window;
	if (window != NULL)
		setenv("SOFTDPU_WINDOW", window, 1);
	T_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
	host->pid = t_fork(be_host, &fds[1]);
	close(fds[1]);
	host->fd = fds[0];
}

static void host_meet(struct host *host)
{
	struct offer offer;

	rig_get(host->fd, &offer, sizeof(offer));
	host->base = (void *)(uintptr_t)offer.addr;
	host->imported = rig_import(&rig, &offer.card);
}

/* Its memory has been filled with seed; it checks that, and fills it with the next one. */
static void host_turn(const struct host *host, uint8_t *seed)
{
	rig_put(host->fd, seed, 1);
	rig_get(host->fd, seed, 1);
}

static void host_end(struct host *host)
{
	const uint8_t over = 0;

	T_OK(doca_mmap_destroy(host->imported));
	rig_put(host->fd, &over, 1);
	T_EQ(t_wait(host->pid, 10000), 0);
}

static struct doca_buf *host_data(const struct host *host)
{
	return rig_data(&rig, host->imported, host->base, host_size);
}

static struct doca_buf *host_room(const struct host *host)
{
	return rig_room(&rig, host->imported, host->base, host_size);
}

static uint8_t *own;
static struct doca_mmap *own_mmap;

static void begin(void)
{
	rig_start(&rig);
	own = memory_for(NULL, host_size);
	own_mmap = kit_mmap(rig.dev, own, host_size, 0);
}

static void end(void)
{
	T_OK(doca_mmap_destroy(own_mmap));
	rig_close(&rig);
}

static struct doca_buf *own_data(void)
{
	return rig_data(&rig, own_mmap, own, host_size);
}

static struct doca_buf *own_room(void)
{
	return rig_room(&rig, own_mmap, own, host_size);
}

/* Rule 6: all the while the host does nothing but read(). */
static void there_and_back(const char *window)
{
	struct host host;

	host_start(&host, window);
	begin();
	host_meet(&host);
	for (uint8_t seed = 1; seed < 9; seed++) {
		rig_fill(own, host_size, seed);
		T_OK(rig_run(&rig, own_data(), host_room(&host)));
		host_turn(&host, &seed);
		T_OK(rig_run(&rig, host_data(&host), own_room()));
		rig_expect(own, host_size, seed);
	}
	host_end(&host);
	end();
}

T_CASE(there_and_back_mapped)
{
	there_and_back("mapped");
}

T_CASE(there_and_back_cross)
{
	there_and_back("cross");
}

T_CASE(there_and_back_handed)
{
	there_and_back("handed");
}

T_CASE(there_and_back_served)
{
	there_and_back("served");
}

static void host_to_host(const char *window)
{
	struct host first, second;
	uint8_t seed = 1;

	host_start(&first, window);
	host_start(&second, window);
	begin();
	host_meet(&first);
	host_meet(&second);
	rig_fill(own, host_size, seed);
	T_OK(rig_run(&rig, own_data(), host_room(&first)));
	host_turn(&first, &seed);
	T_OK(rig_run(&rig, host_data(&first), host_room(&second)));
	host_turn(&second, &seed);
	host_end(&first);
	host_end(&second);
	end();
}

T_CASE(host_to_host_mapped)
{
	host_to_host("mapped");
}

T_CASE(host_to_host_cross)
{
	host_to_host("cross");
}

T_CASE(host_to_host_handed)
{
	host_to_host("handed");
}

T_CASE(host_to_host_served)
{
	host_to_host("served");
}

/* Copies back and forth until something fails. */
static void copy_on(struct rig *at, struct doca_dma_task_memcpy *task)
{
	const struct host *host = at->arg;

	(void)task;
	if (rig_state(at) != DOCA_CTX_STATE_RUNNING)
		return;
	if (at->ok % 2)
		rig_copy(at, own_data(), host_room(host), 0);
	else
		rig_copy(at, host_data(host), own_room(), 0);
}

/* The context has stopped by itself, in time, and runs again. */
static void dma_survives(void)
{
	T_EVENTUALLY((doca_pe_progress(rig.pe), rig_state(&rig) == DOCA_CTX_STATE_IDLE), 1000);
	T_CHECK(rig.failed >= 1);
	rig.on_task = NULL;
	T_OK(doca_ctx_start(rig.ctx));
	T_OK(rig_run(&rig, own_data(), own_room()));
}

static void killed(const char *window, bool forks)
{
	struct host host;

	host_size = 16u << 20;
	host_forks = forks;
	host_start(&host, window);
	begin();
	host_meet(&host);
	rig.arg = &host;
	rig.on_task = copy_on;
	for (int i = 0; i < 4; i++)
		rig_copy(&rig, host_data(&host), own_room(), 0);
	RIG_UNTIL(&rig, rig.ok > 6);
	doca_pe_progress(rig.pe);
	T_EQ(kill(host.pid, SIGKILL), 0);
	dma_survives();
	T_OK(doca_mmap_destroy(host.imported));
	T_EQ(t_wait(host.pid, 10000), 128 + SIGKILL);
	end();
}

T_CASE(a_host_is_killed_mapped)
{
	killed("mapped", false);
}

T_CASE(a_host_is_killed_cross)
{
	killed("cross", false);
}

T_CASE(a_host_is_killed_handed)
{
	killed("handed", false);
}

T_CASE(a_host_is_killed_served)
{
	killed("served", false);
}

T_CASE(a_host_that_has_forked_is_killed_mapped)
{
	killed("mapped", true);
}

T_CASE(a_host_that_has_forked_is_killed_served)
{
	killed("served", true);
}

/* All its threads have come to a halt when this returns. */
static void host_halt(const struct host *host)
{
	int status;

	T_EQ(kill(host->pid, SIGSTOP), 0);
	T_EQ(waitpid(host->pid, &status, WUNTRACED), host->pid);
	T_CHECK(WIFSTOPPED(status));
}

/* It is stopped with a request under way, and nothing of it is heard any more. */
T_CASE(a_host_that_is_stopped_is_killed)
{
	struct host host;

	host_start(&host, "served");
	begin();
	host_meet(&host);
	host_halt(&host);
	rig_copy(&rig, host_data(&host), own_room(), 0);
	for (int i = 0; i < 1000; i++)
		doca_pe_progress(rig.pe);
	T_EQ(rig.ok + rig.failed, 0);
	/* It holds up its own copies only, and those behind them. */
	T_EQ(kill(host.pid, SIGKILL), 0);
	dma_survives();
	T_OK(doca_mmap_destroy(host.imported));
	T_EQ(t_wait(host.pid, 10000), 128 + SIGKILL);
	end();
}

/* A stop needs nothing of a host that does not answer. */
T_CASE(stop_under_a_host_that_is_stopped)
{
	struct host host;

	host_start(&host, "served");
	begin();
	host_meet(&host);
	host_halt(&host);
	rig_copy(&rig, host_data(&host), own_room(), 0);
	doca_pe_progress(rig.pe);
	T_ERR(doca_ctx_stop(rig.ctx), DOCA_ERROR_IN_PROGRESS);
	RIG_UNTIL(&rig, rig_state(&rig) == DOCA_CTX_STATE_IDLE);
	T_ERR(rig.status, DOCA_ERROR_SHUTDOWN);
	T_EQ(kill(host.pid, SIGCONT), 0);
	host_end(&host);
	end();
}
