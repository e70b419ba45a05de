/* SPDX-License-Identifier: BSD-3-Clause */
#include "bus/window_rig.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/atomic.h"
#include "base/log.h"
#include "bus/process.h"
#include "t.h"

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

enum rig_op {
	OP_WINDOW,
	OP_GRANT,
	OP_REVOKE,
	OP_DESTROY,
	OP_UNMAP,
	OP_FILL,
	OP_EXPECT,
	OP_NUM_FDS,
	OP_ATOMIC,
	OP_STOP,
};

struct question {
	uint32_t op;
	uint32_t memory;
	uint32_t perms;
	uint32_t seed;
	uint64_t from;
	uint64_t len;
	struct sdpu_atomic atomic;
	uint32_t times;
};

struct answer {
	uint64_t number;
	struct sdpu_atomic atomic;
	doca_error_t result;
	struct rig_window window;
	struct sdpu_grant_msg msg;
};

const char *const rig_kinds[4] = {"mapped", "cross", "handed", "served"};

/* The owner's. */
static uint8_t static_memory[RIG_SMALL];
static uint8_t *memory;
static size_t memory_len;
static void *mapping; /* what to unmap */
static size_t mapping_len;
static void *heap;
static struct sdpu_window *own_window;
static struct sdpu_grant *own_grant;
static uint32_t warnings;

/* The test's. */
static int rig_sock;
static pid_t rig_pid;

uint8_t rig_pattern(uint32_t seed, size_t at)
{
	return (uint8_t)(at * 7 + (at >> 8) * 13 + (at >> 16) + seed * 101);
}

void rig_pattern_fill(uint32_t seed, size_t from, void *to, size_t len)
{
	uint8_t *at = to;

	for (size_t i = 0; i < len; i++)
		at[i] = rig_pattern(seed, from + i);
}

/* The file keeps its descriptor; two mappings beside each other show it. */
static void map_shared(int seals)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t half = (memory_len / 2 + page - 1) / page * page + page;
	int fd = t_memory_file(3 * half, 0);
	uint8_t *at;

	mapping_len = 2 * half;
	mapping = mmap(NULL, mapping_len, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	T_CHECK(mapping != MAP_FAILED);
	at = mapping;
	T_CHECK(mmap(at, half, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, (off_t)page) ==
		at);
	T_CHECK(mmap(at + half, half, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
		     (off_t)(page + half)) == at + half);
	/* Not merged into one by the kernel. */
	madvise(at, half, MADV_DONTDUMP);
	if (seals != 0)
		T_EQ(fcntl(fd, F_ADD_SEALS, seals), 0);
	memory = at + 100;
}

static void map_private(void)
{
	mapping_len = memory_len + 4096;
	mapping =
		mmap(NULL, mapping_len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	T_CHECK(mapping != MAP_FAILED);
	memory = mapping;
}

static void make_memory(enum rig_memory kind, uint8_t *stack)
{
	switch (kind) {
	case RIG_HEAP:
		heap = malloc(memory_len);
		memory = heap;
		break;
	case RIG_STACK:
		memory = stack;
		break;
	case RIG_STATIC:
		memory = static_memory;
		break;
	case RIG_PRIVATE:
		map_private();
		break;
	case RIG_SHARED:
		map_shared(F_SEAL_SHRINK);
		break;
	case RIG_UNSEALED:
		map_shared(0);
		break;
	case RIG_READABLE:
		map_shared(F_SEAL_SHRINK | F_SEAL_FUTURE_WRITE);
		break;
	}
}

static void drop_memory(void)
{
	if (mapping != NULL)
		munmap(mapping, mapping_len);
	mapping = NULL;
	free(heap);
	heap = NULL;
}

/*
 * No access reaches the memory any more, and nothing else of this process can come to lie there, as
 * it could after munmap(): a page of a file that ends before it.
 */
static void unmap_in_place(void)
{
	int empty = memfd_create("empty", MFD_CLOEXEC);

	T_CHECK(empty >= 0);
	T_CHECK(mmap(mapping, mapping_len, PROT_NONE, MAP_FIXED | MAP_SHARED, empty, 0) == mapping);
	close(empty);
}

static void make_window(const struct question *q, uint8_t *stack, struct answer *a)
{
	drop_memory();
	memory_len = q->len;
	make_memory((enum rig_memory)q->memory, stack);
	rig_pattern_fill(1, 0, memory, memory_len);
	T_OK(sdpu_window_create(memory, memory_len, q->perms, &own_window));
	a->window.addr = (uintptr_t)memory;
	a->window.len = memory_len;
	memcpy(a->window.key, sdpu_window_key(own_window), SDPU_KEY_SIZE);
	strcpy(a->window.endpoint, sdpu_agent_endpoint());
}

/* The test's own pid comes with its questions, by getppid(). */
static void make_grant(struct answer *a, int *fds, uint32_t *num_fds)
{
	T_OK(sdpu_window_grant(own_window, getppid(), &a->msg, fds, num_fds, &own_grant));
}

static void expect(const struct question *q)
{
	for (size_t i = q->from; i < q->from + q->len; i++)
		if (memory[i] != rig_pattern(q->seed, i))
			T_FAIL("owner's byte %zu is 0x%02x, not 0x%02x", i, memory[i],
			       rig_pattern(q->seed, i));
}

static void operate(const struct question *q, struct answer *a)
{
	a->atomic = q->atomic;
	a->result = DOCA_SUCCESS;
	for (uint32_t i = 0; i < q->times && a->result == DOCA_SUCCESS; i++)
		a->result = sdpu_window_atomic(own_window, &a->atomic);
}

static void obey(const struct question *q, uint8_t *stack, struct answer *a, int *fds,
		 uint32_t *num_fds)
{
	switch (q->op) {
	case OP_WINDOW:
		make_window(q, stack, a);
		break;
	case OP_GRANT:
		make_grant(a, fds, num_fds);
		break;
	case OP_REVOKE:
		sdpu_grant_revoke(own_grant);
		a->number = sdpu_swap(&warnings, 0);
		break;
	case OP_DESTROY:
		sdpu_window_destroy(own_window);
		a->number = sdpu_swap(&warnings, 0);
		break;
	case OP_UNMAP:
		unmap_in_place();
		break;
	case OP_FILL:
		rig_pattern_fill(q->seed, 0, memory, memory_len);
		break;
	case OP_EXPECT:
		expect(q);
		break;
	case OP_NUM_FDS:
		a->number = t_count_entries("/proc/self/fd");
		break;
	case OP_ATOMIC:
		operate(q, a);
		break;
	default:
		break;
	}
}

/* The next record, or the end of the other side. */
static doca_error_t receive(int sock, struct sdpu_record *record)
{
	struct pollfd poll_fd = {.fd = sock, .events = POLLIN};
	doca_error_t result;

	while ((result = sdpu_sock_recv(sock, record)) == DOCA_ERROR_AGAIN)
		poll(&poll_fd, 1, 1000);
	return result;
}

static void count_line(int level, const char *file, int line, const char *fmt, va_list ap)
{
	sdpu_fetch_add(&warnings, 1);
}

static int owner_main(void *arg)
{
	uint8_t stack[RIG_SMALL];
	int sock = *(int *)arg;
	struct sdpu_record record;
	struct question q;

	sdpu_log_set_sink(count_line);
	sdpu_log_set_limit(SDPU_LOG_WARN);
	T_OK(sdpu_agent_get());
	do {
		struct answer a = {0};
		int fds[SDPU_GRANT_FDS];
		uint32_t num_fds = 0;

		if (receive(sock, &record) != DOCA_SUCCESS)
			break;
		memcpy(&q, record.bytes, sizeof(q));
		obey(&q, stack, &a, fds, &num_fds);
		T_OK(sdpu_sock_send(sock, &a, sizeof(a), fds, num_fds));
		for (uint32_t i = 0; i < num_fds; i++)
			sdpu_fd_close(fds[i]);
	} while (q.op != OP_STOP);
	drop_memory();
	sdpu_agent_put();
	return 0;
}

static void hear(const struct question *q, struct answer *a, struct sdpu_record *record)
{
	if (receive(rig_sock, record) != DOCA_SUCCESS)
		T_FAIL("the owner ended at question %u", q->op);
	memcpy(a, record->bytes, sizeof(*a));
}

static void ask(const struct question *q, struct answer *a, struct sdpu_record *record)
{
	T_OK(sdpu_sock_send(rig_sock, q, sizeof(*q), NULL, 0));
	hear(q, a, record);
}

static void tell(const struct question *q, struct answer *a)
{
	struct sdpu_record record;

	ask(q, a, &record);
	sdpu_record_drop(&record);
}

static uint64_t order(enum rig_op op, uint32_t seed, size_t from, size_t len)
{
	struct question q = {.op = op, .seed = seed, .from = from, .len = len};
	struct answer a;

	tell(&q, &a);
	return a.number;
}

pid_t rig_start(void)
{
	int socks[2];

	T_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, socks), 0);
	rig_pid = t_fork(owner_main, &socks[1]);
	close(socks[1]);
	rig_sock = socks[0];
	T_OK(sdpu_agent_get());
	return rig_pid;
}

void rig_stop(void)
{
	order(OP_STOP, 0, 0, 0);
	T_EQ(t_wait(rig_pid, 10000), 0);
	close(rig_sock);
	sdpu_agent_put();
}

void rig_window(enum rig_memory kind, size_t len, uint32_t perms, struct rig_window *window)
{
	struct question q = {.op = OP_WINDOW, .memory = kind, .len = len, .perms = perms};
	struct answer a;

	tell(&q, &a);
	*window = a.window;
}

doca_error_t rig_grant(struct sdpu_reach **reach)
{
	struct question q = {.op = OP_GRANT};
	int fds[SDPU_RECORD_FDS];
	struct sdpu_record record;
	struct answer a;

	ask(&q, &a, &record);
	for (uint32_t i = 0; i < record.num_fds; i++)
		fds[i] = sdpu_record_take_fd(&record, i);
	return sdpu_reach_open(&a.msg, fds, record.num_fds, rig_pid, reach);
}

bool rig_revoke(void)
{
	return order(OP_REVOKE, 0, 0, 0) == 0;
}

bool rig_destroy(void)
{
	return order(OP_DESTROY, 0, 0, 0) == 0;
}

void rig_unmap(void)
{
	order(OP_UNMAP, 0, 0, 0);
}

void rig_fill(uint32_t seed)
{
	order(OP_FILL, seed, 0, 0);
}

void rig_expect(uint32_t seed, size_t from, size_t len)
{
	order(OP_EXPECT, seed, from, len);
}

uint32_t rig_num_fds(void)
{
	return (uint32_t)order(OP_NUM_FDS, 0, 0, 0);
}

doca_error_t rig_atomic(struct sdpu_atomic *atomic)
{
	struct question q = {.op = OP_ATOMIC, .atomic = *atomic, .times = 1};
	struct answer a;

	tell(&q, &a);
	atomic->result = a.atomic.result;
	return a.result;
}

static const struct question adding = {.op = OP_ATOMIC};

void rig_add_start(uint64_t addr, uint32_t times)
{
	struct question q = adding;

	q.atomic = (struct sdpu_atomic){.kind = SDPU_ATOMIC_FETCH_ADD, .addr = addr, .operand = 1};
	q.times = times;
	T_OK(sdpu_sock_send(rig_sock, &q, sizeof(q), NULL, 0));
}

doca_error_t rig_add_wait(void)
{
	struct sdpu_record record;
	struct answer a;

	hear(&adding, &a, &record);
	sdpu_record_drop(&record);
	return a.result;
}

doca_error_t rig_copy_run(struct sdpu_copy *copy)
{
	doca_error_t result;

	T_EVENTUALLY((result = sdpu_copy_run(copy, SDPU_WINDOW_CHUNK)) != DOCA_ERROR_IN_PROGRESS,
		     10000);
	return result;
}

doca_error_t rig_copy(struct sdpu_reach *reach, enum sdpu_copy_direction direction, uint64_t addr,
		      void *local, size_t len)
{
	struct iovec iov = {.iov_base = local, .iov_len = len};
	struct sdpu_copy copy = {
		.reach = reach,
		.direction = direction,
		.addr = addr,
		.local = &iov,
		.num_local = 1,
		.len = len,
	};

	return rig_copy_run(&copy);
}

/* These tests choose the kind themselves, whatever the suite is run with. */
__attribute__((constructor)) static void forget_forced(void)
{
	rig_force(NULL);
}

void rig_force(const char *kind)
{
	if (kind == NULL)
		unsetenv("SOFTDPU_WINDOW");
	else
		setenv("SOFTDPU_WINDOW", kind, 1);
}
