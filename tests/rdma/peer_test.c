/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ends in several processes: traffic, responders that sleep, memory of a third process, and peers
 * that die or stop.
 */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "core/kit.h"
#include "rdma/rig.h"

static struct rig_end a;
static struct rig_card card_a, card_b;
static int link_fd; /* to the other process */

/* Answers each message with its bytes, until an empty one comes. */
static bool echo_done;

static void echo(struct rig_end *end, struct doca_task *task, const struct rig_event *event)
{
	struct doca_buf *buf;

	if (event->kind == RIG_SEND) {
		buf = (struct doca_buf *)doca_rdma_task_send_get_src_buf((void *)task);
		doca_task_free(task);
		if (buf == NULL) {
			echo_done = true;
			return;
		}
		T_OK(doca_buf_reset_data_len(buf));
		rig_receive(end, buf, 1);
		return;
	}
	T_CHECK(event->ok);
	buf = doca_rdma_task_receive_get_dst_buf((void *)task);
	doca_task_free(task);
	if (event->len != 0) {
		rig_send(end, buf, 1);
		return;
	}
	T_OK(doca_buf_dec_refcount(buf, NULL));
	rig_send(end, NULL, 1);
}

static int echo_peer(void *arg)
{
	static struct rig_end b;
	int fd = *(int *)arg;

	rig_init(&b);
	rig_open(&b);
	b.keep_tasks = true;
	b.on_event = echo;
	T_OK(doca_ctx_start(b.ctx));
	rig_swap(&b, fd, &card_b);
	rig_receive(&b, rig_room(&b, 0, RIG_SIZE), 1);
	RIG_ALONE(&b, echo_done);
	b.keep_tasks = false;
	rig_close(&b);
	return 0;
}

static void echo_size(size_t len)
{
	uint32_t before = a.ok[RIG_RECEIVE];

	rig_fill(a.memory, len, (uint32_t)len);
	rig_receive(&a, rig_room(&a, RIG_SIZE, len), 1);
	rig_send(&a, rig_data(&a, 0, len), 1);
	RIG_ALONE(&a, a.ok[RIG_RECEIVE] == before + 1);
	rig_expect(a.memory + RIG_SIZE, len, (uint32_t)len);
}

static void access_size(size_t len)
{
	uint32_t before = a.ok[RIG_READ];

	rig_fill(a.memory, len, (uint32_t)len + 3);
	memset(a.memory + RIG_SIZE, 0, len);
	rig_write(&a, rig_data(&a, 0, len), rig_remote_room(&a, &card_b, RIG_SIZE - len, len), 1);
	rig_read(&a, rig_remote_data(&a, &card_b, RIG_SIZE - len, len), rig_room(&a, RIG_SIZE, len),
		 1);
	RIG_ALONE(&a, a.ok[RIG_READ] == before + 1);
	rig_expect(a.memory + RIG_SIZE, len, (uint32_t)len + 3);
}

T_CASE(traffic)
{
	static const size_t sizes[] = {1, 64, 112, 113, 4096, 16384, 16385, 300000, 524288};
	pid_t pid;

	pid = rig_peer(echo_peer, &link_fd);
	rig_init(&a);
	a.size = 2 * RIG_SIZE;
	rig_open(&a);
	T_OK(doca_ctx_start(a.ctx));
	rig_swap(&a, link_fd, &card_b);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		echo_size(sizes[i]);
		access_size(sizes[i]);
	}
	rig_receive(&a, NULL, 1);
	rig_send(&a, NULL, 1);
	RIG_ALONE(&a, rig_last(&a, RIG_RECEIVE)->len == 0);
	T_EQ(t_wait(pid, 10000), 0);
	rig_close(&a);
}

/* O5: the responder's only thread sleeps from before the connection is up. */
static int sleeping_peer(void *arg)
{
	static struct rig_end b;
	int fd = *(int *)arg;

	rig_start(&b);
	rig_swap(&b, fd, &card_b);
	rig_say(fd, 'c');
	(void)rig_hear(fd);
	rig_expect(b.memory + 100, 5000, 7);
	rig_close(&b);
	return 0;
}

T_CASE(a_sleeping_responder)
{
	pid_t pid = rig_peer(sleeping_peer, &link_fd);

	rig_start(&a);
	rig_swap(&a, link_fd, &card_b);
	T_EQ(rig_hear(link_fd), 'c');
	rig_fill(a.memory, 5000, 7);
	rig_write(&a, rig_data(&a, 0, 5000), rig_remote_room(&a, &card_b, 100, 5000), 1);
	rig_read(&a, rig_remote_data(&a, &card_b, 100, 5000), rig_room(&a, 10000, 5000), 1);
	RIG_ALONE(&a, a.ok[RIG_READ] == 1 && a.ok[RIG_WRITE] == 1);
	rig_expect(a.memory + 10000, 5000, 7);
	rig_say(link_fd, 'e');
	T_EQ(t_wait(pid, 10000), 0);
	rig_close(&a);
}

/* A3: memory of a host process, exported over PCIe to a DPU process, which exports it on to us.
 * Both sleep, and the addresses are those of the first. */
static int host_process(void *arg)
{
	static uint8_t memory[65536];
	int fd = *(int *)arg;
	struct rig_card card = {.addr = (uintptr_t)memory, .size = sizeof(memory)};
	struct doca_dev *dev = kit_open(KIT_HOST);
	struct doca_mmap *mmap =
		kit_mmap(dev, memory, sizeof(memory), RIG_ALL | DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	const void *bytes;

	T_OK(doca_mmap_export_pci(mmap, dev, &bytes, &card.memory_len));
	memcpy(card.memory, bytes, card.memory_len);
	rig_put(fd, &card, sizeof(card));
	(void)rig_hear(fd);
	rig_expect(memory + 4096, 30000, 9);
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dev_close(dev));
	return 0;
}

static int dpu_process(void *arg)
{
	static struct rig_end b;
	int fd = *(int *)arg;
	struct rig_card host, mine;
	const void *bytes;
	void *range;
	size_t len;

	rig_get(fd, &host, sizeof(host));
	rig_init(&b);
	b.num_tasks = 0;
	rig_open(&b);
	T_OK(doca_ctx_start(b.ctx));
	T_OK(doca_mmap_create_from_export(NULL, host.memory, host.memory_len, b.dev, &b.peer));
	T_OK(doca_mmap_get_memrange(b.peer, &range, &len));
	T_EQ((uintptr_t)range, host.addr);
	rig_export(&b, &mine);
	T_OK(doca_mmap_export_rdma(b.peer, b.dev, &bytes, &mine.memory_len));
	memcpy(mine.memory, bytes, mine.memory_len);
	mine.addr = host.addr;
	rig_put(fd, &mine, sizeof(mine));
	rig_get(fd, &mine, sizeof(mine));
	T_OK(rig_connect(&b, &mine));
	(void)rig_hear(fd);
	rig_close(&b);
	return 0;
}

T_CASE(memory_of_a_third_process)
{
	pid_t host = rig_peer(host_process, &link_fd);
	int host_fd = link_fd;
	pid_t dpu = rig_peer(dpu_process, &link_fd);

	rig_get(host_fd, &card_b, sizeof(card_b));
	rig_put(link_fd, &card_b, sizeof(card_b));
	rig_init(&a);
	a.permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
	rig_open(&a);
	T_OK(doca_ctx_start(a.ctx));
	rig_export(&a, &card_a);
	rig_get(link_fd, &card_b, sizeof(card_b));
	T_OK(rig_connect(&a, &card_b));
	rig_import(&a, &card_b);
	rig_put(link_fd, &card_a, sizeof(card_a));
	rig_fill(a.memory, 30000, 9);
	rig_write(&a, rig_data(&a, 0, 30000), rig_remote_room(&a, &card_b, 4096, 30000), 1);
	rig_read(&a, rig_remote_data(&a, &card_b, 4096, 30000), rig_room(&a, 40000, 30000), 1);
	RIG_ALONE(&a, a.ok[RIG_WRITE] == 1 && a.ok[RIG_READ] == 1);
	rig_expect(a.memory + 40000, 30000, 9);
	rig_say(host_fd, 'e');
	T_EQ(t_wait(host, 10000), 0);
	/* Its memory is gone with it; the connection is not. */
	rig_write(&a, rig_data(&a, 0, 64), rig_remote_room(&a, &card_b, 0, 64), 1);
	RIG_ALONE(&a, a.failed[RIG_WRITE] == 1);
	T_EQ(a.disconnects, 0);
	rig_say(link_fd, 'e');
	T_EQ(t_wait(dpu, 10000), 0);
	rig_close(&a);
}

/* A peer that lives until it is killed. How far it gets is told by a word. */
static char how_far;

static int victim(void *arg)
{
	static struct rig_end b;
	struct rig_card mine, theirs;
	int fd = *(int *)arg;

	rig_start(&b);
	rig_export(&b, &mine);
	rig_put(fd, &mine, sizeof(mine));
	rig_get(fd, &theirs, sizeof(theirs));
	if (how_far != 'e') {
		T_OK(rig_connect(&b, &theirs));
		rig_import(&b, &theirs);
	}
	rig_say(fd, how_far);
	if (how_far == 'f' && fork() == 0)
		pause();
	while (how_far == 'p' || how_far == 'f')
		rig_turn(&b);
	pause();
	return 1;
}

/* Over the network one that died before it was joined is as good as one that never was. */
static void expect_gone(doca_error_t status)
{
	if (rig_is_fabric() && a.failures == 1)
		T_CHECK(status == DOCA_ERROR_CONNECTION_RESET ||
			status == DOCA_ERROR_CONNECTION_ABORTED);
	else
		T_EQ(status, DOCA_ERROR_CONNECTION_RESET);
}

static void kill_and_see(char phase, bool connect_first)
{
	pid_t pid;

	how_far = phase;
	pid = rig_peer(victim, &link_fd);
	rig_start(&a);
	rig_export(&a, &card_a);
	rig_get(link_fd, &card_b, sizeof(card_b));
	if (connect_first)
		T_OK(rig_connect(&a, &card_b));
	rig_put(link_fd, &card_a, sizeof(card_a));
	T_EQ(rig_hear(link_fd), phase);
	if (!connect_first && phase != 'e')
		T_OK(rig_connect(&a, &card_b));
	rig_receive(&a, rig_room(&a, 0, 64), 1);
	for (uint64_t i = 0; i < 5; i++)
		rig_send(&a, rig_data(&a, 0, i == 3 ? 100000 : 64), i);
	for (int i = 0; i < 100; i++)
		rig_turn(&a);
	kill(pid, SIGKILL);
	T_EQ(t_wait(pid, 5000), 128 + SIGKILL);
	if (a.connection != NULL && phase == 'e' && !connect_first) {
		T_ERR(rig_connect(&a, &card_b), DOCA_ERROR_CONNECTION_ABORTED);
		T_EQ(a.num_events, 0);
	} else {
		T_EVENTUALLY((rig_turn(&a), a.disconnects + a.failures == 1),
			     rig_notice_ms() + 1000);
		T_EQ(a.failed[RIG_SEND], 5);
		for (uint32_t i = 0; i < 5; i++)
			expect_gone(a.events[i].status);
	}
	T_EQ(a.failed[RIG_RECEIVE], 0);
	T_EQ(rig_state(&a), DOCA_CTX_STATE_RUNNING);
	rig_close(&a);
}

T_CASE(killed_after_export_before_anybody_connects)
{
	kill_and_see('e', false);
}

T_CASE(killed_before_it_connects)
{
	kill_and_see('e', true);
}

T_CASE(killed_when_connected)
{
	kill_and_see('c', true);
}

T_CASE(killed_when_connected_first)
{
	kill_and_see('c', false);
}

T_CASE(killed_while_it_progresses)
{
	kill_and_see('p', true);
}

T_CASE(killed_after_it_has_forked)
{
	kill_and_see('f', false);
}

/* Its memory goes with it: an access in the midst ends. */
T_CASE(killed_in_the_midst_of_a_long_access)
{
	pid_t pid;

	how_far = 'c';
	pid = rig_peer(victim, &link_fd);
	rig_start(&a);
	rig_swap(&a, link_fd, &card_b);
	(void)rig_hear(link_fd);
	rig_read(&a, rig_remote_data(&a, &card_b, 0, 64), rig_room(&a, 0, 64), 1);
	RIG_ALONE(&a, a.ok[RIG_READ] == 1);
	rig_write(&a, rig_data(&a, 0, RIG_SIZE), rig_remote_room(&a, &card_b, 0, RIG_SIZE), 1);
	kill(pid, SIGKILL);
	RIG_ALONE(&a, a.ok[RIG_WRITE] + a.failed[RIG_WRITE] == 1);
	/* Until it is dead it can be read. */
	RIG_ALONE(&a, a.disconnects == 1);
	rig_read(&a, rig_remote_data(&a, &card_b, 0, 64), rig_room(&a, 0, 64), 1);
	RIG_ALONE(&a, a.failed[RIG_READ] == 1);
	T_EQ(rig_last(&a, RIG_READ)->status, DOCA_ERROR_CONNECTION_RESET);
	T_EQ(t_wait(pid, 5000), 128 + SIGKILL);
	rig_close(&a);
}

/* A peer that is merely stopped delays its own traffic, and memory accesses not even that. */
T_CASE(a_stopped_peer_delays)
{
	pid_t pid = rig_peer(echo_peer, &link_fd);

	rig_start(&a);
	rig_swap(&a, link_fd, &card_b);
	rig_receive(&a, rig_room(&a, 0, 64), 1);
	rig_send(&a, rig_data(&a, 64, 64), 1);
	RIG_ALONE(&a, a.ok[RIG_RECEIVE] == 1);
	kill(pid, SIGSTOP);
	rig_receive(&a, rig_room(&a, 0, 64), 2);
	rig_send(&a, rig_data(&a, 64, 64), 2);
	rig_idle(&a, &a);
	T_EQ(a.ok[RIG_RECEIVE], 1);
	T_EQ(a.failed[RIG_SEND], 0);
	kill(pid, SIGCONT);
	RIG_ALONE(&a, a.ok[RIG_RECEIVE] == 2 && a.ok[RIG_SEND] == 2);
	rig_receive(&a, NULL, 1);
	rig_send(&a, NULL, 1);
	RIG_ALONE(&a, a.ok[RIG_RECEIVE] == 3);
	T_EQ(t_wait(pid, 10000), 0);
	rig_close(&a);
}

/* A forked child has nothing of the library. */
static int inert_child(void *arg)
{
	struct doca_rdma_addr *addr;
	union doca_data none = {0};
	const void *details;
	struct doca_rdma_connection *connection;
	struct doca_rdma *rdma;
	size_t size;

	(void)arg;
	T_ERR(doca_rdma_export(a.rdma, &details, &size, &connection), DOCA_ERROR_BAD_STATE);
	T_ERR(rig_connect(&a, &card_b), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_rdma_create(a.dev, &rdma), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_rdma_destroy(a.rdma), DOCA_ERROR_BAD_STATE);
	T_OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", 1, &addr));
	T_ERR(doca_rdma_connect_to_addr(a.rdma, addr, none), DOCA_ERROR_BAD_STATE);
	T_OK(doca_rdma_addr_destroy(addr));
	T_ERR(doca_rdma_start_listen_to_port(a.rdma, 1), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_rdma_stop_listen_to_port(a.rdma, 1), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_rdma_connection_accept(a.connection, NULL, 0), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_rdma_connection_reject(a.connection), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_rdma_connection_disconnect(a.connection), DOCA_ERROR_BAD_STATE);
	return 0;
}

T_CASE(a_forked_child_is_inert)
{
	rig_start(&a);
	rig_export(&a, &card_a);
	card_b = card_a;
	T_EQ(t_wait(t_fork(inert_child, NULL), 5000), 0);
	rig_close(&a);
}
