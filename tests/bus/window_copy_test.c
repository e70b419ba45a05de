/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies to and from windows of another process: the same body for each kind of access and of
 * memory.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/valgrind.h"
#include "bus/reach_parts.h"
#include "bus/window_rig.h"
#include "t.h"

static const enum rig_memory all_memory[] = {RIG_HEAP,	  RIG_STACK,  RIG_STATIC,
					     RIG_PRIVATE, RIG_SHARED, RIG_UNSEALED};

static enum sdpu_window_kind expected_kind(enum rig_memory memory, int forced)
{
	if (forced != 0)
		return (enum sdpu_window_kind)(forced + 1);
	return memory == RIG_SHARED ? SDPU_WINDOW_MAPPED : SDPU_WINDOW_CROSS;
}

/* All of it there and back. */
static void check_whole(struct sdpu_reach *reach, const struct rig_window *window)
{
	uint8_t *local = malloc(window->len);

	T_OK(rig_copy(reach, SDPU_COPY_GET, window->addr, local, window->len));
	for (size_t i = 0; i < window->len; i++)
		if (local[i] != rig_pattern(1, i))
			T_FAIL("byte %zu read is wrong", i);
	rig_pattern_fill(2, 0, local, window->len);
	T_OK(rig_copy(reach, SDPU_COPY_PUT, window->addr, local, window->len));
	rig_expect(2, 0, window->len);
	free(local);
}

/* Some of it, from pieces: empty ones among them, and more than fit into one system call. */
static void check_pieces(struct sdpu_reach *reach, const struct rig_window *window)
{
	size_t from = 4097, len = 0;
	struct iovec iov[40];
	uint8_t *local = malloc(40 * 300);
	struct sdpu_copy copy = {.reach = reach, .direction = SDPU_COPY_PUT, .local = iov};

	for (int i = 0; i < 40; i++) {
		iov[i].iov_base = local + len;
		iov[i].iov_len = i % 7 == 0 ? 0 : (size_t)(i * 7);
		len += iov[i].iov_len;
	}
	rig_pattern_fill(3, from, local, len);
	copy.num_local = 40;
	copy.addr = window->addr + from;
	copy.len = len;
	T_OK(rig_copy_run(&copy));
	T_EQ(copy.done, len);
	rig_expect(3, from, len);
	rig_expect(2, 0, from);
	rig_expect(2, from + len, window->len - from - len);

	memset(local, 0, len);
	copy.direction = SDPU_COPY_GET;
	copy.done = copy.index = 0;
	copy.offset = 0;
	T_OK(rig_copy_run(&copy));
	for (size_t i = 0; i < len; i++)
		T_EQ(local[i], rig_pattern(3, from + i));
	free(local);
}

/* The last and the first byte, and not one more. */
static void check_edges(struct sdpu_reach *reach, const struct rig_window *window)
{
	uint64_t end = window->addr + window->len;
	uint8_t two[2];

	T_OK(rig_copy(reach, SDPU_COPY_GET, end - 1, two, 1));
	T_OK(rig_copy(reach, SDPU_COPY_GET, window->addr, two, 1));
	T_OK(rig_copy(reach, SDPU_COPY_GET, window->addr, two, 0));
	T_ERR(rig_copy(reach, SDPU_COPY_GET, end - 1, two, 2), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(rig_copy(reach, SDPU_COPY_PUT, window->addr - 1, two, 2), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(rig_copy(reach, SDPU_COPY_GET, end, two, 1), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(rig_copy(reach, SDPU_COPY_GET, UINT64_MAX, two, 2), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(rig_copy(reach, SDPU_COPY_GET, window->addr, two, SIZE_MAX),
	      DOCA_ERROR_NOT_PERMITTED);
}

static void check_reach(struct sdpu_reach *reach, const struct rig_window *window)
{
	uint64_t addr, len;

	sdpu_reach_range(reach, &addr, &len);
	T_EQ(addr, window->addr);
	T_EQ(len, window->len);
	T_CHECK(sdpu_reach_live(reach));
	check_whole(reach, window);
	check_pieces(reach, window);
	check_edges(reach, window);
}

static void check_kind(int forced)
{
	struct rig_window window;
	struct sdpu_reach *reach;

	rig_start();
	rig_force(rig_kinds[forced]);
	for (size_t i = 0; i < sizeof(all_memory) / sizeof(all_memory[0]); i++) {
		rig_window(all_memory[i], RIG_SMALL, RIG_PERMS, &window);
		T_OK(sdpu_reach_import("test", window.endpoint, window.key, &reach));
		T_EQ(sdpu_reach_kind(reach), expected_kind(all_memory[i], forced));
		check_reach(reach, &window);
		sdpu_reach_close(reach);

		rig_fill(1);
		T_OK(rig_grant(&reach));
		T_EQ(sdpu_reach_kind(reach), expected_kind(all_memory[i], forced));
		check_reach(reach, &window);
		sdpu_reach_close(reach);
		rig_revoke();
		rig_destroy();
	}
	rig_stop();
}

T_CASE_TIMEOUT(mapped_or_else_cross, 60)
{
	check_kind(0);
}

T_CASE_TIMEOUT(cross, 60)
{
	check_kind(1);
}

T_CASE_TIMEOUT(handed, 60)
{
	check_kind(2);
}

T_CASE_TIMEOUT(served, 60)
{
	check_kind(3);
}

static void for_each_kind(void (*check)(int forced))
{
	rig_start();
	for (int forced = 0; forced < 4; forced++) {
		rig_force(rig_kinds[forced]);
		check(forced);
	}
	rig_stop();
}

/* Longer than any chunk: in parts, no part beyond the budget. */
static void check_long(int forced)
{
	size_t len = ((size_t)5 << 20) + 12345;
	uint8_t *local = malloc(len);
	struct iovec iov = {.iov_base = local, .iov_len = len};
	struct rig_window window;
	struct sdpu_copy copy = {.local = &iov, .num_local = 1, .len = len};
	doca_error_t result;
	size_t before;

	rig_window(forced == 0 ? RIG_SHARED : RIG_HEAP, len, RIG_PERMS, &window);
	T_OK(sdpu_reach_import("test", window.endpoint, window.key, &copy.reach));
	rig_pattern_fill(2, 0, local, len);
	copy.direction = SDPU_COPY_PUT;
	copy.addr = window.addr;
	do {
		before = copy.done;
		result = sdpu_copy_run(&copy, 100000);
		T_CHECK(copy.done - before <= 100000);
	} while (result == DOCA_ERROR_IN_PROGRESS);
	T_OK(result);
	rig_expect(2, 0, len);
	memset(local, 0, len);
	T_OK(rig_copy(copy.reach, SDPU_COPY_GET, window.addr, local, len));
	for (size_t i = 0; i < len; i++)
		if (local[i] != rig_pattern(2, i))
			T_FAIL("byte %zu read is wrong", i);
	sdpu_reach_close(copy.reach);
	rig_destroy();
	free(local);
}

T_CASE_TIMEOUT(long_copies, 60)
{
	for_each_kind(check_long);
}

/* Windows for reading only, in both senses: no such permission, and no such access by the kernel.
 */
static void check_readable(int forced)
{
	struct rig_window window;
	struct sdpu_reach *reach;
	uint8_t byte = 0;

	rig_window(forced == 0 ? RIG_READABLE : RIG_HEAP, 10000,
		   DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_ONLY, &window);
	T_OK(sdpu_reach_import("test", window.endpoint, window.key, &reach));
	T_EQ(sdpu_reach_kind(reach), forced + 1);
	T_EQ(sdpu_reach_perms(reach), DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	T_OK(rig_copy(reach, SDPU_COPY_GET, window.addr + 5, &byte, 1));
	T_EQ(byte, rig_pattern(1, 5));
	T_ERR(rig_copy(reach, SDPU_COPY_PUT, window.addr, &byte, 1), DOCA_ERROR_NOT_PERMITTED);
	sdpu_reach_close(reach);
	rig_destroy();
}

T_CASE(read_only_windows)
{
	for_each_kind(check_readable);
}

T_CASE(needed_permissions)
{
	struct rig_window window;
	uint8_t byte;
	struct iovec iov = {.iov_base = &byte, .iov_len = 1};
	struct sdpu_copy copy = {
		.direction = SDPU_COPY_GET, .local = &iov, .num_local = 1, .len = 1};

	rig_start();
	rig_window(RIG_HEAP, 4096, DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_PCI_READ_WRITE,
		   &window);
	T_OK(sdpu_reach_import("test", window.endpoint, window.key, &copy.reach));
	copy.addr = window.addr;
	copy.need = DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC;
	T_ERR(rig_copy_run(&copy), DOCA_ERROR_NOT_PERMITTED);
	copy.need = DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_ATOMIC;
	T_OK(rig_copy_run(&copy));
	sdpu_reach_close(copy.reach);
	rig_destroy();
	rig_stop();
}

/* A receive buffer: nobody may write it but the peer to whom the owner's library opened it. */
static void check_local_only(int forced)
{
	struct rig_window window;
	struct sdpu_reach *reach;
	uint8_t byte = rig_pattern(2, 0);

	rig_window(RIG_HEAP, 4096, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, &window);
	T_OK(rig_grant(&reach));
	T_OK(rig_copy(reach, SDPU_COPY_PUT, window.addr, &byte, 1));
	T_OK(rig_copy(reach, SDPU_COPY_GET, window.addr, &byte, 1));
	sdpu_reach_close(reach);
	rig_revoke();
	rig_expect(2, 0, 1);

	T_OK(sdpu_reach_import("test", window.endpoint, window.key, &reach));
	T_EQ(sdpu_reach_perms(reach), 0);
	T_ERR(rig_copy(reach, SDPU_COPY_PUT, window.addr, &byte, 1), DOCA_ERROR_NOT_PERMITTED);
	sdpu_reach_close(reach);
	rig_destroy();
}

T_CASE(local_permission_opens_for_a_channel_only)
{
	for_each_kind(check_local_only);
}

/* The side that has no memory is told from the other. */
static void check_bad_local(int forced)
{
	uint8_t *bad = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint8_t *fixed = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct rig_window window;
	struct sdpu_reach *reach;

	if (forced != 1 && forced != 2)
		return;
	T_CHECK(bad != MAP_FAILED && fixed != MAP_FAILED);
	T_EQ(mprotect(bad, 4096, PROT_READ | PROT_WRITE), 0);
	rig_window(RIG_HEAP, 8192, RIG_PERMS, &window);
	T_OK(sdpu_reach_import("test", window.endpoint, window.key, &reach));
	T_ERR(rig_copy(reach, SDPU_COPY_PUT, window.addr, bad, 8192), DOCA_ERROR_INVALID_VALUE);
	T_ERR(rig_copy(reach, SDPU_COPY_GET, window.addr, bad, 8192), DOCA_ERROR_INVALID_VALUE);
	T_ERR(rig_copy(reach, SDPU_COPY_GET, window.addr, fixed, 4096), DOCA_ERROR_INVALID_VALUE);
	T_OK(rig_copy(reach, SDPU_COPY_PUT, window.addr, fixed, 4096));
	sdpu_reach_close(reach);
	rig_destroy();
	munmap(bad, 8192);
	munmap(fixed, 4096);
}

T_CASE(local_memory_that_is_not_there)
{
	if (sdpu_under_valgrind())
		T_SKIP("valgrind rightly complains of what this does");
	for_each_kind(check_bad_local);
}

static void check_short_local(int forced)
{
	struct rig_window window;
	uint8_t bytes[10] = {0};
	struct iovec iov = {.iov_base = bytes, .iov_len = 10};
	struct sdpu_copy copy = {.local = &iov, .num_local = 1, .len = 11};

	rig_window(forced == 0 ? RIG_SHARED : RIG_HEAP, 4096, RIG_PERMS, &window);
	T_OK(sdpu_reach_import("test", window.endpoint, window.key, &copy.reach));
	copy.addr = window.addr;
	T_ERR(rig_copy_run(&copy), DOCA_ERROR_INVALID_VALUE);
	sdpu_reach_close(copy.reach);
	rig_destroy();
}

T_CASE(local_memory_that_is_too_short)
{
	for_each_kind(check_short_local);
}

/* What the user did with the memory is the user's; nobody crashes over it. */
static void check_freed(int forced)
{
	struct rig_window window;
	struct sdpu_reach *reach;
	uint8_t byte = 7;

	rig_window(forced == 0 ? RIG_SHARED : RIG_PRIVATE, 10000, RIG_PERMS, &window);
	T_OK(sdpu_reach_import("test", window.endpoint, window.key, &reach));
	rig_unmap();
	if (forced != 0) {
		T_ERR(rig_copy(reach, SDPU_COPY_GET, window.addr, &byte, 1), DOCA_ERROR_IO_FAILED);
		T_ERR(rig_copy(reach, SDPU_COPY_PUT, window.addr, &byte, 1), DOCA_ERROR_IO_FAILED);
	} else {
		/* The file is still there. */
		T_OK(rig_copy(reach, SDPU_COPY_GET, window.addr, &byte, 1));
	}
	sdpu_reach_close(reach);
	rig_destroy();
}

T_CASE(memory_freed_under_its_window)
{
	for_each_kind(check_freed);
}

/* Owner and importer may be one process. */
T_CASE(a_window_of_our_own)
{
	size_t len = 300000;
	uint8_t *ours = malloc(len), *local = malloc(len);
	struct sdpu_window *window;
	struct sdpu_reach *reach;

	T_OK(sdpu_agent_get());
	rig_pattern_fill(1, 0, ours, len);
	T_OK(sdpu_window_create(ours, len, RIG_PERMS, &window));
	for (int forced = 1; forced < 4; forced++) {
		rig_force(rig_kinds[forced]);
		T_OK(sdpu_reach_import("test", sdpu_agent_endpoint(), sdpu_window_key(window),
				       &reach));
		T_EQ(sdpu_reach_kind(reach), forced + 1);
		T_OK(rig_copy(reach, SDPU_COPY_GET, (uintptr_t)ours, local, len));
		T_MEMEQ(local, ours, len);
		sdpu_reach_close(reach);
	}
	sdpu_window_destroy(window);
	sdpu_agent_put();
	free(ours);
	free(local);
}

/* In the place of the reach's socket to the agent, whose duplicate is told, comes one that takes
 * nothing. */
static int deafen(struct sdpu_reach *reach, int *other)
{
	int sock = dup(reach->staging.sock), pair[2];

	T_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair), 0);
	while (send(pair[0], "", 1, 0) == 1)
		;
	T_EQ(dup2(pair[0], reach->staging.sock), reach->staging.sock);
	close(pair[0]);
	*other = pair[1];
	return sock;
}

/* What could not be told is told again, by whoever asks next. */
T_CASE(requests_whose_ring_was_not_taken)
{
	struct rig_window window;
	struct sdpu_reach *reach;
	uint8_t byte = 0;
	struct iovec iov = {.iov_base = &byte, .iov_len = 1};
	struct sdpu_copy copy = {
		.direction = SDPU_COPY_GET, .local = &iov, .num_local = 1, .len = 1};
	struct sdpu_atomic atomic = {.kind = SDPU_ATOMIC_LOAD};
	int sock, other;

	rig_start();
	rig_force("served");
	rig_window(RIG_HEAP, 4096, RIG_PERMS, &window);
	T_OK(sdpu_reach_import("test", window.endpoint, window.key, &reach));
	copy.reach = atomic.reach = reach;
	copy.addr = window.addr + 7;
	atomic.addr = window.addr + 8;
	sock = deafen(reach, &other);
	for (int i = 0; i < 3; i++) {
		T_ERR(sdpu_copy_run(&copy, SDPU_WINDOW_CHUNK), DOCA_ERROR_IN_PROGRESS);
		T_ERR(sdpu_atomic_run(&atomic), DOCA_ERROR_IN_PROGRESS);
	}
	T_EQ(dup2(sock, reach->staging.sock), reach->staging.sock);
	close(sock);
	close(other);
	T_OK(rig_copy_run(&copy));
	T_EQ(byte, rig_pattern(1, 7));
	T_EVENTUALLY(sdpu_atomic_run(&atomic) == DOCA_SUCCESS, 5000);
	sdpu_reach_close(reach);
	rig_destroy();
	rig_stop();
}

T_CASE(bad_ranges_of_our_own)
{
	struct sdpu_window *window;
	uint8_t byte;

	T_ERR(sdpu_window_create(NULL, 1, RIG_PERMS, &window), DOCA_ERROR_INVALID_VALUE);
	T_ERR(sdpu_window_create(&byte, 0, RIG_PERMS, &window), DOCA_ERROR_INVALID_VALUE);
	T_ERR(sdpu_window_create(&byte, SIZE_MAX, RIG_PERMS, &window), DOCA_ERROR_INVALID_VALUE);
	sdpu_window_destroy(NULL);
	sdpu_grant_revoke(NULL);
	sdpu_reach_close(NULL);
}
