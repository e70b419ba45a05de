/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the other side of a window may get wrong, by intent or not: requests, answers, descriptors,
 * staging memory; and systems that permit less than others.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/atomic.h"
#include "bus/process.h"
#include "bus/segment.h"
#include "bus/window_rig.h"
#include "bus/window_wire.h"
#include "t.h"

static struct rig_window window;

static void start_with(enum rig_memory memory)
{
	rig_start();
	rig_window(memory, 8192, RIG_PERMS, &window);
}

static void stop(void)
{
	rig_destroy();
	rig_stop();
}

T_CASE(keys_and_endpoints_that_lead_nowhere)
{
	char elsewhere[SDPU_ENDPOINT_MAX] = "a-0123456789abcdef0123456789abcdef";
	uint8_t key[SDPU_KEY_SIZE];
	struct sdpu_reach *reach;

	start_with(RIG_HEAP);
	memcpy(key, window.key, sizeof(key));
	key[3] ^= 1;
	T_ERR(sdpu_reach_import("test", window.endpoint, key, &reach), DOCA_ERROR_NOT_FOUND);
	T_ERR(sdpu_reach_import("test", elsewhere, window.key, &reach), DOCA_ERROR_NOT_FOUND);
	T_ERR(sdpu_reach_import("test", "../a", window.key, &reach), DOCA_ERROR_INVALID_VALUE);
	T_ERR(sdpu_reach_import("test", "", window.key, &reach), DOCA_ERROR_INVALID_VALUE);
	memset(elsewhere, 'a', sizeof(elsewhere));
	T_ERR(sdpu_reach_import("test", elsewhere, window.key, &reach), DOCA_ERROR_INVALID_VALUE);
	rig_destroy();
	T_ERR(sdpu_reach_import("test", window.endpoint, window.key, &reach), DOCA_ERROR_NOT_FOUND);
	rig_stop();
	T_ERR(sdpu_reach_import("test", window.endpoint, window.key, &reach), DOCA_ERROR_NOT_FOUND);
}

T_CASE(an_owner_that_does_not_answer)
{
	struct sdpu_reach *reach;
	pid_t owner = rig_start();
	int status;

	rig_window(RIG_HEAP, 8192, RIG_PERMS, &window);
	kill(owner, SIGSTOP);
	T_EQ(waitpid(owner, &status, WUNTRACED), owner);
	T_ERR(sdpu_reach_import("test", window.endpoint, window.key, &reach), DOCA_ERROR_TIME_OUT);
	kill(owner, SIGCONT);
	T_OK(sdpu_reach_import("test", window.endpoint, window.key, &reach));
	sdpu_reach_close(reach);
	stop();
}

T_CASE(forced_kinds)
{
	struct sdpu_reach *reach;

	start_with(RIG_HEAP);
	rig_force("maped");
	T_ERR(sdpu_reach_import("test", window.endpoint, window.key, &reach),
	      DOCA_ERROR_BAD_CONFIG);
	rig_force("");
	T_OK(sdpu_reach_import("test", window.endpoint, window.key, &reach));
	sdpu_reach_close(reach);
	stop();
}

/* Sends a first record to the owner's agent and waits until it has closed the connection. */
static void expect_refused(const void *bytes, size_t len, const int *fds, uint32_t num_fds)
{
	struct sdpu_record record;
	doca_error_t result;
	pid_t peer;
	int sock;

	T_OK(sdpu_agent_call(window.endpoint, bytes, len, fds, num_fds, &sock, &peer));
	T_EVENTUALLY((result = sdpu_sock_recv(sock, &record)) == DOCA_ERROR_CONNECTION_RESET,
		     10000);
	sdpu_fd_close(sock);
}

static struct window_request make_request(uint32_t op)
{
	struct window_request request;

	memset(&request, 0, sizeof(request));
	sdpu_hello_fill(&request.hello, SDPU_SERVICE_WINDOW);
	request.op = op;
	memcpy(request.key, window.key, SDPU_KEY_SIZE);
	return request;
}

T_CASE(requests_that_make_no_sense)
{
	struct window_request request;
	struct sdpu_segment small, right;
	uint8_t long_one[1000] = {0};
	struct sdpu_reach *reach;
	int fds[2];

	start_with(RIG_HEAP);
	T_OK(sdpu_segment_create("small", 4096, 0, false, &small));
	T_OK(sdpu_segment_create("right", sizeof(struct stage), 0, false, &right));
	fds[0] = small.fd;
	fds[1] = small.fd;
	request = make_request(WINDOW_IMPORT);
	expect_refused(&request, sizeof(request) - 1, NULL, 0);
	expect_refused(&request, sizeof(request.hello), NULL, 0);
	expect_refused(&request, sizeof(request), fds, 1);
	memcpy(long_one, &request, sizeof(request));
	expect_refused(long_one, sizeof(long_one), NULL, 0);
	request = make_request(7);
	expect_refused(&request, sizeof(request), NULL, 0);
	request = make_request(WINDOW_STAGE);
	expect_refused(&request, sizeof(request), NULL, 0);
	expect_refused(&request, sizeof(request), fds, 2);
	expect_refused(&request, sizeof(request), fds, 1);
	/* The window's key is no grant's. */
	fds[0] = right.fd;
	expect_refused(&request, sizeof(request), fds, 1);
	T_OK(sdpu_reach_import("test", window.endpoint, window.key, &reach));
	sdpu_reach_close(reach);
	sdpu_segment_unmap(&small);
	sdpu_segment_unmap(&right);
	stop();
}

/* A grant of a window of our own, as a peer would get it, to be spoiled. */
struct offered {
	struct sdpu_window *window;
	struct sdpu_grant *grant;
	struct sdpu_grant_msg msg;
	int fds[SDPU_GRANT_FDS];
	uint32_t num_fds;
};

static void offer(void *memory, size_t len, struct offered *offered)
{
	T_OK(sdpu_window_create(memory, len, RIG_PERMS, &offered->window));
	T_OK(sdpu_window_grant(offered->window, getpid(), &offered->msg, offered->fds,
			       &offered->num_fds, &offered->grant));
}

static void withdraw(struct offered *offered)
{
	sdpu_grant_revoke(offered->grant);
	sdpu_window_destroy(offered->window);
}

/* Opens what was offered after `spoil` has changed it. */
static void expect_open(void (*spoil)(struct offered *offered), doca_error_t expected)
{
	static uint8_t memory[4096];
	struct sdpu_reach *reach;
	struct offered offered;

	offer(memory, sizeof(memory), &offered);
	spoil(&offered);
	T_ERR(sdpu_reach_open(&offered.msg, offered.fds, offered.num_fds, getpid(), &reach),
	      expected);
	if (expected == DOCA_SUCCESS)
		sdpu_reach_close(reach);
	withdraw(&offered);
}

static void spoil_nothing(struct offered *offered)
{
}

static void spoil_kinds(struct offered *offered)
{
	offered->msg.kinds |= 1u << 5;
}

static void spoil_no_kinds(struct offered *offered)
{
	offered->msg.kinds = 0;
}

static void spoil_promise(struct offered *offered)
{
	offered->msg.kinds |= 1u << SDPU_WINDOW_MAPPED;
}

static void spoil_count(struct offered *offered)
{
	sdpu_fd_close(offered->fds[--offered->num_fds]);
}

static void spoil_range(struct offered *offered)
{
	offered->msg.len = UINT64_MAX;
}

static void spoil_empty(struct offered *offered)
{
	offered->msg.len = 0;
}

static void spoil_endpoint(struct offered *offered)
{
	memset(offered->msg.endpoint, 'a', sizeof(offered->msg.endpoint));
}

static void spoil_page(struct offered *offered)
{
	sdpu_fd_close(offered->fds[0]);
	offered->fds[0] = sdpu_fd_own(open("/dev/zero", O_RDWR | O_CLOEXEC));
}

T_CASE(messages_that_are_no_grants)
{
	uint32_t fds;

	T_OK(sdpu_agent_get());
	fds = t_count_entries("/proc/self/fd");
	expect_open(spoil_nothing, DOCA_SUCCESS);
	expect_open(spoil_kinds, DOCA_ERROR_INVALID_VALUE);
	expect_open(spoil_no_kinds, DOCA_ERROR_INVALID_VALUE);
	expect_open(spoil_promise, DOCA_ERROR_INVALID_VALUE);
	expect_open(spoil_count, DOCA_ERROR_INVALID_VALUE);
	expect_open(spoil_range, DOCA_ERROR_INVALID_VALUE);
	expect_open(spoil_empty, DOCA_ERROR_INVALID_VALUE);
	expect_open(spoil_endpoint, DOCA_ERROR_INVALID_VALUE);
	expect_open(spoil_page, DOCA_ERROR_INVALID_VALUE);
	T_EVENTUALLY(t_count_entries("/proc/self/fd") == fds, 10000);
	sdpu_agent_put();
}

/* Probes that must fail: another key is there, or nothing, or a file that is no process's memory.
 */
static void spoil_key(struct offered *offered)
{
	offered->msg.key[0] ^= 1;
}

static void spoil_probe(struct offered *offered)
{
	offered->msg.probe_addr = 8;
}

static void spoil_probe_far(struct offered *offered)
{
	offered->msg.probe_addr = UINT64_MAX - 3;
}

static void spoil_mem(struct offered *offered)
{
	sdpu_fd_close(offered->fds[1]);
	offered->fds[1] = sdpu_fd_own(open("/dev/zero", O_RDWR | O_CLOEXEC));
}

static void spoil_mem_proc(struct offered *offered)
{
	sdpu_fd_close(offered->fds[1]);
	offered->fds[1] = sdpu_fd_own(open("/proc/self/maps", O_RDONLY | O_CLOEXEC));
}

static void spoil_agent(struct offered *offered)
{
	offered->msg.endpoint[5] ^= 1;
}

static void spoil_only_served(struct offered *offered)
{
	sdpu_fd_close(offered->fds[1]);
	offered->num_fds = 1;
	offered->msg.kinds = 1u << SDPU_WINDOW_SERVED;
	spoil_agent(offered);
}

T_CASE(promises_that_do_not_hold)
{
	T_OK(sdpu_agent_get());
	rig_force("cross");
	expect_open(spoil_key, DOCA_ERROR_NOT_SUPPORTED);
	expect_open(spoil_probe, DOCA_ERROR_NOT_SUPPORTED);
	expect_open(spoil_probe_far, DOCA_ERROR_NOT_SUPPORTED);
	rig_force("handed");
	expect_open(spoil_key, DOCA_ERROR_NOT_SUPPORTED);
	expect_open(spoil_probe, DOCA_ERROR_NOT_SUPPORTED);
	expect_open(spoil_probe_far, DOCA_ERROR_NOT_SUPPORTED);
	expect_open(spoil_mem, DOCA_ERROR_NOT_SUPPORTED);
	expect_open(spoil_mem_proc, DOCA_ERROR_NOT_SUPPORTED);
	rig_force("served");
	expect_open(spoil_agent, DOCA_ERROR_NOT_SUPPORTED);
	rig_force(NULL);
	expect_open(spoil_only_served, DOCA_ERROR_NOT_SUPPORTED);
	sdpu_agent_put();
}

/* Files that a peer could shrink, or that are shorter than it says, are not mapped. */
static void expect_not_mapped(int seals, off_t size)
{
	int fd = t_memory_file((size_t)size, seals);
	static uint8_t memory[4096];
	struct sdpu_reach *reach;
	struct offered offered;

	offer(memory, sizeof(memory), &offered);
	offered.fds[2] = offered.fds[1];
	offered.fds[1] = sdpu_fd_own(fd);
	offered.num_fds = 3;
	offered.msg.kinds |= 1u << SDPU_WINDOW_MAPPED;
	offered.msg.file_offset = 4096;
	T_OK(sdpu_reach_open(&offered.msg, offered.fds, 3, getpid(), &reach));
	T_CHECK(sdpu_reach_kind(reach) != SDPU_WINDOW_MAPPED);
	sdpu_reach_close(reach);
	withdraw(&offered);
}

T_CASE(files_that_cannot_be_trusted)
{
	T_OK(sdpu_agent_get());
	expect_not_mapped(F_SEAL_GROW, 8192);
	expect_not_mapped(F_SEAL_SHRINK, 8191);
	expect_not_mapped(F_SEAL_SHRINK | F_SEAL_WRITE, 8192);
	sdpu_agent_put();
}

T_CASE(a_withdrawn_grant_cannot_be_opened)
{
	static uint8_t memory[4096];
	struct sdpu_reach *reach;
	struct offered offered;

	T_OK(sdpu_agent_get());
	offer(memory, sizeof(memory), &offered);
	sdpu_window_destroy(offered.window);
	T_ERR(sdpu_reach_open(&offered.msg, offered.fds, offered.num_fds, getpid(), &reach),
	      DOCA_ERROR_NOT_PERMITTED);
	sdpu_grant_revoke(offered.grant);
	sdpu_agent_put();
}

static int exit_at_once(void *arg)
{
	return 0;
}

T_CASE(a_dead_process_gets_no_grant)
{
	pid_t pid = t_fork(exit_at_once, NULL);
	static uint8_t memory[4096];
	struct offered offered;

	T_EQ(t_wait(pid, 10000), 0);
	T_OK(sdpu_agent_get());
	T_OK(sdpu_window_create(memory, sizeof(memory), RIG_PERMS, &offered.window));
	T_ERR(sdpu_window_grant(offered.window, pid, &offered.msg, offered.fds, &offered.num_fds,
				&offered.grant),
	      DOCA_ERROR_CONNECTION_RESET);
	sdpu_window_destroy(offered.window);
	sdpu_agent_put();
}

/* An importer that speaks to the agent itself, and keeps to none of the rules. */
struct raw {
	int conn;
	int sock;
	struct stage *stage;
	struct sdpu_segment staging;
};

static void raw_open(struct raw *raw, size_t size)
{
	struct window_request request = make_request(WINDOW_IMPORT);
	struct window_reply reply;
	struct sdpu_record record;
	pid_t peer;

	T_OK(sdpu_agent_call(window.endpoint, &request, sizeof(request), NULL, 0, &raw->conn,
			     &peer));
	T_EVENTUALLY(sdpu_sock_recv(raw->conn, &record) == DOCA_SUCCESS, 10000);
	memcpy(&reply, record.bytes, sizeof(reply));
	sdpu_record_drop(&record);
	T_OK(sdpu_segment_create("staging", size, 0, false, &raw->staging));
	raw->stage = raw->staging.base;
	request = make_request(WINDOW_STAGE);
	memcpy(request.key, reply.msg.key, SDPU_KEY_SIZE);
	T_OK(sdpu_agent_call(window.endpoint, &request, sizeof(request), &raw->staging.fd, 1,
			     &raw->sock, &peer));
}

static void raw_close(struct raw *raw)
{
	sdpu_fd_close(raw->sock);
	sdpu_fd_close(raw->conn);
	sdpu_segment_unmap(&raw->staging);
}

static bool raw_is_closed(const struct raw *raw)
{
	struct sdpu_record record;

	return sdpu_sock_recv(raw->sock, &record) == DOCA_ERROR_CONNECTION_RESET;
}

static doca_error_t raw_ask(struct raw *raw, uint32_t slot, uint32_t op, uint64_t addr,
			    uint32_t len)
{
	struct stage_slot *at = &raw->stage->slot[slot];
	uint32_t request = sdpu_load(&at->request) + 1;

	sdpu_store(&at->ask.op, op);
	sdpu_store(&at->ask.addr, addr);
	sdpu_store(&at->ask.len, len);
	sdpu_store_release(&at->request, request);
	T_OK(sdpu_sock_send(raw->sock, "", 1, NULL, 0));
	T_EVENTUALLY(sdpu_load_acquire(&at->complete) == request, 10000);
	return (doca_error_t)sdpu_load(&at->status);
}

T_CASE(served_requests_beyond_the_window)
{
	struct raw raw;

	start_with(RIG_HEAP);
	raw_open(&raw, sizeof(struct stage));
	T_OK(raw_ask(&raw, 0, SDPU_COPY_GET, window.addr, 8192));
	T_EQ(raw.stage->data[0][8191], rig_pattern(1, 8191));
	T_OK(raw_ask(&raw, 3, SDPU_COPY_PUT, window.addr, 0));
	T_ERR(raw_ask(&raw, 1, SDPU_COPY_GET, window.addr, 8193), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(raw_ask(&raw, 1, SDPU_COPY_PUT, window.addr - 1, 1), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(raw_ask(&raw, 1, SDPU_COPY_PUT, window.addr + 8192, 1), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(raw_ask(&raw, 1, SDPU_COPY_PUT, UINT64_MAX, 2), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(raw_ask(&raw, 1, SDPU_COPY_PUT, window.addr, UINT32_MAX), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(raw_ask(&raw, 1, 6, window.addr, 1), DOCA_ERROR_NOT_PERMITTED);
	rig_expect(1, 0, 8192);
	raw_close(&raw);
	stop();
}

static doca_error_t raw_atomic(struct raw *raw, uint32_t kind, uint64_t addr, uint64_t operand)
{
	struct stage_slot *at = &raw->stage->slot[2];

	sdpu_store(&at->ask.operand, operand);
	sdpu_store(&at->ask.compare, 0);
	return raw_ask(raw, 2, STAGE_ATOMIC + kind, addr, UINT32_MAX);
}

/* The importer's library would have asked for none of these. */
T_CASE(served_atomics_beyond_the_window)
{
	uint64_t word;
	struct raw raw;

	start_with(RIG_STATIC);
	word = (window.addr + 7) / 8 * 8;
	raw_open(&raw, sizeof(struct stage));
	for (uint32_t kind = 0; kind < 4; kind++) {
		T_ERR(raw_atomic(&raw, kind, word + 1, 1), DOCA_ERROR_INVALID_VALUE);
		T_ERR(raw_atomic(&raw, kind, word - 8, 1), DOCA_ERROR_NOT_PERMITTED);
		T_ERR(raw_atomic(&raw, kind, word + 8192, 1), DOCA_ERROR_NOT_PERMITTED);
		T_ERR(raw_atomic(&raw, kind, window.addr + 8192 - 4, 1), DOCA_ERROR_NOT_PERMITTED);
		T_ERR(raw_atomic(&raw, kind, UINT64_MAX - 7, 1), DOCA_ERROR_NOT_PERMITTED);
	}
	T_ERR(raw_atomic(&raw, 4, word, 1), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(raw_atomic(&raw, 32, word, 1), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(raw_atomic(&raw, UINT32_MAX, word, 1), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(raw_atomic(&raw, UINT32_MAX - 1, word, 1), DOCA_ERROR_NOT_PERMITTED);
	rig_expect(1, 0, 8192);
	T_OK(raw_atomic(&raw, SDPU_ATOMIC_STORE, word, 7));
	T_OK(raw_atomic(&raw, SDPU_ATOMIC_FETCH_ADD, word, 1));
	T_EQ(sdpu_load(&raw.stage->slot[2].result), 7);
	raw_close(&raw);
	stop();
}

T_CASE(served_atomics_without_permission)
{
	struct raw raw;
	uint64_t word;

	rig_start();
	rig_window(RIG_STATIC, 8192,
		   DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_WRITE, &window);
	word = (window.addr + 7) / 8 * 8;
	raw_open(&raw, STAGE_HEAD_SIZE);
	T_ERR(raw_atomic(&raw, SDPU_ATOMIC_LOAD, word, 1), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(raw_atomic(&raw, SDPU_ATOMIC_FETCH_ADD, word, 1), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(raw_atomic(&raw, SDPU_ATOMIC_CMP_SWP, word, 1), DOCA_ERROR_NOT_PERMITTED);
	rig_expect(1, 0, 8192);
	T_OK(raw_atomic(&raw, SDPU_ATOMIC_STORE, word, 1));
	raw_close(&raw);
	stop();
}

/* Its head is enough for atomics, and holds no copies. */
T_CASE(staging_without_room)
{
	struct raw raw;

	start_with(RIG_STATIC);
	raw_open(&raw, STAGE_HEAD_SIZE);
	T_OK(raw_atomic(&raw, SDPU_ATOMIC_STORE, (window.addr + 7) / 8 * 8, 7));
	T_OK(raw_ask(&raw, 3, STAGE_GET, window.addr, 0));
	T_ERR(raw_ask(&raw, 3, STAGE_GET, window.addr, 1), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(raw_ask(&raw, 0, STAGE_PUT, window.addr, 1), DOCA_ERROR_NOT_PERMITTED);
	raw_close(&raw);
	raw_open(&raw, STAGE_HEAD_SIZE + 4096);
	T_EVENTUALLY(raw_is_closed(&raw), 10000);
	raw_close(&raw);
	raw_open(&raw, sizeof(struct stage) + 4096);
	T_EVENTUALLY(raw_is_closed(&raw), 10000);
	raw_close(&raw);
	stop();
}

/* Anything anywhere, at any time: the owner goes on, and so does everybody else's traffic. */
T_CASE(staging_full_of_garbage)
{
	struct sdpu_reach *reach;
	struct raw raw;
	uint32_t random = 1;
	uint8_t byte;

	start_with(RIG_STATIC);
	raw_open(&raw, sizeof(struct stage));
	for (int i = 0; i < 3000; i++) {
		uint32_t *words = (uint32_t *)(void *)raw.stage->slot;
		size_t num_words = sizeof(raw.stage->slot) / 4;

		for (size_t w = 0; w < num_words; w++) {
			random = random * 1664525 + 1013904223;
			sdpu_store(&words[w], random);
		}
		/* Now and then it is an operation. */
		for (uint32_t slot = 0; slot < STAGE_SLOTS; slot++)
			sdpu_store(&raw.stage->slot[slot].ask.op, (random >> (8 + slot)) % 8);
		/* Full is fine too. */
		sdpu_sock_send(raw.sock, words, 1 + random % 1000, NULL, 0);
	}
	rig_expect(1, 0, 8192);
	rig_force("served");
	T_OK(sdpu_reach_import("test", window.endpoint, window.key, &reach));
	T_OK(rig_copy(reach, SDPU_COPY_GET, window.addr + 7, &byte, 1));
	T_EQ(byte, rig_pattern(1, 7));
	sdpu_reach_close(reach);
	raw_close(&raw);
	stop();
}

/* From now on this process may not use process_vm_*, as in many a container. */
static void forbid_cross_memory(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_writev, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {.len = 5, .filter = code};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		T_SKIP("no seccomp filters here");
}

T_CASE(importer_without_cross_memory)
{
	struct sdpu_reach *reach;
	uint8_t byte;

	start_with(RIG_HEAP);
	forbid_cross_memory();
	T_OK(sdpu_reach_import("test", window.endpoint, window.key, &reach));
	T_EQ(sdpu_reach_kind(reach), SDPU_WINDOW_HANDED);
	T_OK(rig_copy(reach, SDPU_COPY_GET, window.addr + 7, &byte, 1));
	T_EQ(byte, rig_pattern(1, 7));
	sdpu_reach_close(reach);
	rig_force("cross");
	T_ERR(sdpu_reach_import("test", window.endpoint, window.key, &reach),
	      DOCA_ERROR_NOT_SUPPORTED);
	stop();
}

T_CASE(owner_without_cross_memory)
{
	struct sdpu_reach *reach;
	uint8_t byte = 99;

	forbid_cross_memory();
	start_with(RIG_PRIVATE);
	rig_force("served");
	T_OK(sdpu_reach_import("test", window.endpoint, window.key, &reach));
	T_OK(rig_copy(reach, SDPU_COPY_GET, window.addr + 7, &byte, 1));
	T_EQ(byte, rig_pattern(1, 7));
	byte = rig_pattern(2, 9);
	T_OK(rig_copy(reach, SDPU_COPY_PUT, window.addr + 9, &byte, 1));
	rig_expect(2, 9, 1);
	rig_unmap();
	T_ERR(rig_copy(reach, SDPU_COPY_GET, window.addr, &byte, 1), DOCA_ERROR_IO_FAILED);
	sdpu_reach_close(reach);
	stop();
}

/* In a forked child everything is inert, on both sides, and the parent's goes on. */
static struct sdpu_reach *inherited_reach;
static struct sdpu_window *inherited_window;

static int use_inherited(void *arg)
{
	uint8_t byte = 0;
	struct sdpu_window *made;
	struct sdpu_reach *reach;

	T_ERR(rig_copy(inherited_reach, SDPU_COPY_GET, window.addr, &byte, 1),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(sdpu_window_create(&byte, 1, RIG_PERMS, &made), DOCA_ERROR_BAD_STATE);
	T_ERR(sdpu_reach_import("test", window.endpoint, window.key, &reach), DOCA_ERROR_BAD_STATE);
	sdpu_reach_close(inherited_reach);
	sdpu_window_destroy(inherited_window);
	/* Without the leak checker: what the parent had is out of our reach. */
	_exit(0);
}

T_CASE(forked_children_are_inert)
{
	static uint8_t memory[4096];
	uint8_t byte;

	start_with(RIG_SHARED);
	T_OK(sdpu_window_create(memory, sizeof(memory), RIG_PERMS, &inherited_window));
	T_OK(sdpu_reach_import("test", window.endpoint, window.key, &inherited_reach));
	T_EQ(t_wait(t_fork(use_inherited, NULL), 10000), 0);
	T_OK(rig_copy(inherited_reach, SDPU_COPY_GET, window.addr, &byte, 1));
	sdpu_reach_close(inherited_reach);
	sdpu_window_destroy(inherited_window);
	stop();
}
