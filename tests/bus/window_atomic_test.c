/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomics on memory windows, in every way that an importer may have to them, and by the owner.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/atomic.h"
#include "bus/window_rig.h"
#include "t.h"

#define LEN 8192
#define TIMES 100000

static struct rig_window window;
static struct sdpu_reach *reach;

/* The first word of the window that is aligned. */
static uint64_t word(void)
{
	return (window.addr + 7) / 8 * 8;
}

static doca_error_t run(struct sdpu_atomic *atomic)
{
	doca_error_t result;

	T_EVENTUALLY((result = sdpu_atomic_run(atomic)) != DOCA_ERROR_IN_PROGRESS, 10000);
	return result;
}

static doca_error_t operate_on(struct sdpu_reach *on, enum sdpu_atomic_kind kind, uint64_t addr,
			       uint64_t operand, uint64_t compare, uint64_t *result)
{
	struct sdpu_atomic atomic = {
		.reach = on,
		.kind = kind,
		.addr = addr,
		.operand = operand,
		.compare = compare,
	};
	doca_error_t status = run(&atomic);

	*result = atomic.result;
	return status;
}

static doca_error_t operate(enum sdpu_atomic_kind kind, uint64_t addr)
{
	uint64_t result;

	return operate_on(reach, kind, addr, 1, 0, &result);
}

static uint64_t load(void)
{
	uint64_t result;

	T_OK(operate_on(reach, SDPU_ATOMIC_LOAD, word(), 0, 0, &result));
	return result;
}

static void store(uint64_t value)
{
	uint64_t result;

	T_OK(operate_on(reach, SDPU_ATOMIC_STORE, word(), value, 0, &result));
}

static void import(void)
{
	T_OK(sdpu_reach_import(window.endpoint, window.key, &reach));
}

/* The memory of each is such that this way is taken. */
static const struct way {
	const char *force;
	enum rig_memory memory;
} ways[] = {
	{"mapped", RIG_SHARED}, {"cross", RIG_HEAP},	  {"handed", RIG_PRIVATE},
	{"served", RIG_STATIC}, {"cross", RIG_SHARED},	  {"handed", RIG_SHARED},
	{"served", RIG_SHARED}, {"mapped", RIG_READABLE}, {"served", RIG_UNSEALED},
};

static void for_each_way(void (*check)(const struct way *way))
{
	for (size_t i = 0; i < SDPU_ARRAY_SIZE(ways); i++) {
		rig_force(ways[i].force);
		rig_window(ways[i].memory, LEN, RIG_PERMS, &window);
		import();
		check(&ways[i]);
		sdpu_reach_close(reach);
		rig_destroy();
	}
}

static void check_results(const struct way *way)
{
	struct sdpu_atomic owners = {.kind = SDPU_ATOMIC_FETCH_ADD, .addr = word(), .operand = 4};
	uint64_t result;
	uint8_t bytes[8];

	store(UINT64_MAX - 1);
	T_EQ(load(), UINT64_MAX - 1);
	T_OK(operate_on(reach, SDPU_ATOMIC_FETCH_ADD, word(), 3, 0, &result));
	T_EQ(result, UINT64_MAX - 1);
	T_OK(operate_on(reach, SDPU_ATOMIC_CMP_SWP, word(), 7, 2, &result));
	T_EQ(result, 1);
	T_EQ(load(), 1);
	T_OK(operate_on(reach, SDPU_ATOMIC_CMP_SWP, word(), 1ull << 63, 1, &result));
	T_EQ(result, 1);
	T_OK(rig_atomic(&owners));
	T_EQ(owners.result, 1ull << 63);
	T_EQ(load(), (1ull << 63) + 4);
	/* Copies see it, and nothing beside it has changed. */
	T_OK(rig_copy(reach, SDPU_COPY_GET, word(), bytes, sizeof(bytes)));
	T_EQ(bytes[0], 4);
	T_EQ(bytes[7], 0x80);
	rig_expect(1, word() + 8 - window.addr, LEN - 16);
	/* The last aligned word is within. */
	T_OK(operate(SDPU_ATOMIC_FETCH_ADD, (window.addr + LEN) / 8 * 8 - 8));
}

T_CASE(results)
{
	rig_start();
	for_each_way(check_results);
	rig_stop();
}

static void check_addresses(const struct way *way)
{
	uint64_t end = window.addr + LEN;

	for (uint32_t kind = SDPU_ATOMIC_LOAD; kind <= SDPU_ATOMIC_CMP_SWP; kind++) {
		T_ERR(operate(kind, word() + 8 + kind * 2 + 1), DOCA_ERROR_INVALID_VALUE);
		T_ERR(operate(kind, word() + 4), DOCA_ERROR_INVALID_VALUE);
		T_ERR(operate(kind, word() - 8), DOCA_ERROR_NOT_PERMITTED);
		T_ERR(operate(kind, (end + 7) / 8 * 8), DOCA_ERROR_NOT_PERMITTED);
		T_ERR(operate(kind, end - 4), DOCA_ERROR_NOT_PERMITTED);
		T_ERR(operate(kind, UINT64_MAX - 7), DOCA_ERROR_NOT_PERMITTED);
		T_ERR(operate(kind, 0), DOCA_ERROR_NOT_PERMITTED);
	}
	rig_expect(1, 0, LEN);
}

T_CASE(misaligned_and_out_of_range)
{
	struct sdpu_atomic owners = {.kind = SDPU_ATOMIC_STORE};

	rig_start();
	for_each_way(check_addresses);
	rig_window(RIG_HEAP, LEN, RIG_PERMS, &window);
	owners.addr = word() + 1;
	T_ERR(rig_atomic(&owners), DOCA_ERROR_INVALID_VALUE);
	owners.addr = word() + LEN;
	T_ERR(rig_atomic(&owners), DOCA_ERROR_NOT_PERMITTED);
	rig_destroy();
	rig_stop();
}

#define LOADS (1u << SDPU_ATOMIC_LOAD)
#define STORES (1u << SDPU_ATOMIC_STORE)
#define CHANGES (1u << SDPU_ATOMIC_FETCH_ADD | 1u << SDPU_ATOMIC_CMP_SWP)

static void check_kinds(uint32_t allowed)
{
	for (uint32_t kind = SDPU_ATOMIC_LOAD; kind <= SDPU_ATOMIC_CMP_SWP; kind++)
		T_ERR(operate(kind, word()),
		      (allowed & (1u << kind)) != 0 ? DOCA_SUCCESS : DOCA_ERROR_NOT_PERMITTED);
}

/* Who comes with the window's key, and who was given a grant by its owner. */
static void check_perms(enum rig_memory memory, uint32_t perms, uint32_t by_key, uint32_t by_grant)
{
	struct sdpu_atomic owners = {.kind = SDPU_ATOMIC_STORE, .need = perms};

	rig_window(memory, LEN, perms, &window);
	import();
	check_kinds(by_key);
	sdpu_reach_close(reach);
	T_OK(rig_grant(&reach));
	check_kinds(by_grant);
	rig_revoke();
	sdpu_reach_close(reach);
	owners.addr = word();
	T_ERR(rig_atomic(&owners),
	      (by_grant & STORES) != 0 ? DOCA_SUCCESS : DOCA_ERROR_NOT_PERMITTED);
	rig_destroy();
}

static void check_all_perms(enum rig_memory memory)
{
	uint32_t all = LOADS | STORES | CHANGES;

	check_perms(memory, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY, 0, LOADS);
	check_perms(memory, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, 0, all);
	check_perms(memory, DOCA_ACCESS_FLAG_RDMA_READ, LOADS, LOADS);
	check_perms(memory, DOCA_ACCESS_FLAG_RDMA_WRITE, STORES, all);
	check_perms(memory, DOCA_ACCESS_FLAG_RDMA_ATOMIC, all, all);
	check_perms(memory, DOCA_ACCESS_FLAG_PCI_READ_ONLY, LOADS, LOADS);
	check_perms(memory, DOCA_ACCESS_FLAG_PCI_READ_WRITE, all, all);
}

T_CASE_TIMEOUT(permissions, 60)
{
	rig_start();
	for (int i = 0; i < 4; i++) {
		rig_force(rig_kinds[i]);
		check_all_perms(RIG_SHARED);
		check_all_perms(RIG_STATIC);
	}
	rig_stop();
}

static void check_need(const struct way *way)
{
	struct sdpu_atomic atomic = {
		.reach = reach,
		.kind = SDPU_ATOMIC_FETCH_ADD,
		.need = DOCA_ACCESS_FLAG_RDMA_ATOMIC | DOCA_ACCESS_FLAG_RDMA_READ,
		.addr = word(),
	};

	T_ERR(run(&atomic), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(rig_atomic(&atomic), DOCA_ERROR_NOT_PERMITTED);
	atomic.need |= DOCA_ACCESS_FLAG_PCI_READ_WRITE;
	T_OK(run(&atomic));
	T_OK(rig_atomic(&atomic));
}

T_CASE(permissions_that_the_caller_needs)
{
	rig_start();
	for_each_way(check_need);
	rig_stop();
}

/* Memory that nobody else may write, and yet can map: loads only, which see what the owner does. */
T_CASE(loads_of_a_mapping_for_reading)
{
	struct sdpu_atomic owners = {.kind = SDPU_ATOMIC_STORE, .operand = 77};

	rig_start();
	rig_force("mapped");
	rig_window(RIG_READABLE, LEN,
		   DOCA_ACCESS_FLAG_LOCAL_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_ONLY, &window);
	import();
	T_EQ(sdpu_reach_kind(reach), SDPU_WINDOW_MAPPED);
	owners.addr = word();
	T_ERR(rig_atomic(&owners), DOCA_ERROR_NOT_PERMITTED);
	T_CHECK(load() != 77);
	T_ERR(operate(SDPU_ATOMIC_STORE, word()), DOCA_ERROR_NOT_PERMITTED);
	sdpu_reach_close(reach);
	rig_destroy();
	rig_stop();
}

/* Another process that adds. It is started before this one uses the library. */
struct adder {
	pid_t pid;
	int sock;
};

struct adding {
	char force[16];
	struct rig_window window;
	bool by_swap;
};

static void add_by_swap(uint64_t times)
{
	uint64_t found = load(), expected;

	for (uint64_t i = 0; i < times; i++)
		do {
			expected = found;
			T_OK(operate_on(reach, SDPU_ATOMIC_CMP_SWP, word(), expected + 1, expected,
					&found));
		} while (found != expected);
}

static void add(uint64_t times)
{
	uint64_t result;

	for (uint64_t i = 0; i < times; i++)
		T_OK(operate_on(reach, SDPU_ATOMIC_FETCH_ADD, word(), 1, 0, &result));
}

static int adder_main(void *arg)
{
	struct adder *adder = arg;
	struct adding adding;

	T_OK(sdpu_agent_get());
	T_EQ(read(adder->sock, &adding, sizeof(adding)), sizeof(adding));
	window = adding.window;
	rig_force(adding.force);
	import();
	if (adding.by_swap)
		add_by_swap(TIMES / 10);
	else
		add(TIMES);
	sdpu_reach_close(reach);
	T_EQ(write(adder->sock, "x", 1), 1);
	sdpu_agent_put();
	return 0;
}

static void adder_start(struct adder *adder)
{
	int socks[2];

	T_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, socks), 0);
	adder->sock = socks[1];
	adder->pid = t_fork(adder_main, adder);
	close(socks[1]);
	adder->sock = socks[0];
}

static void adder_go(struct adder *adder, const char *force, bool by_swap)
{
	struct adding adding = {.window = window, .by_swap = by_swap};

	strcpy(adding.force, force);
	T_EQ(write(adder->sock, &adding, sizeof(adding)), sizeof(adding));
}

static void adder_wait(struct adder *adder)
{
	char byte;

	T_EQ(read(adder->sock, &byte, 1), 1);
	close(adder->sock);
	T_EQ(t_wait(adder->pid, 10000), 0);
}

/* Two importers and the owner, each in its own way. */
static void check_sum(enum rig_memory memory, const char *one, const char *other)
{
	struct adder adder;

	adder_start(&adder);
	rig_start();
	rig_force(one);
	rig_window(memory, LEN, RIG_PERMS, &window);
	import();
	store(0);
	adder_go(&adder, other, false);
	rig_add_start(word(), TIMES);
	add(TIMES);
	T_OK(rig_add_wait());
	adder_wait(&adder);
	T_EQ(load(), 3 * TIMES);
	sdpu_reach_close(reach);
	rig_destroy();
	rig_stop();
}

T_CASE_TIMEOUT(sum_mapped, 120)
{
	check_sum(RIG_SHARED, "mapped", "mapped");
}

T_CASE_TIMEOUT(sum_mapped_and_cross, 120)
{
	check_sum(RIG_SHARED, "mapped", "cross");
}

T_CASE_TIMEOUT(sum_mapped_and_served, 120)
{
	check_sum(RIG_SHARED, "mapped", "served");
}

T_CASE_TIMEOUT(sum_cross, 120)
{
	check_sum(RIG_HEAP, "cross", "cross");
}

T_CASE_TIMEOUT(sum_handed_and_served, 120)
{
	check_sum(RIG_PRIVATE, "handed", "served");
}

T_CASE_TIMEOUT(sum_served, 120)
{
	check_sum(RIG_STATIC, "served", "served");
}

/* Mapped windows for those that only read, and for nobody else. */
T_CASE_TIMEOUT(sum_where_only_readers_map, 120)
{
	check_sum(RIG_READABLE, "mapped", "served");
}

static void check_swap(enum rig_memory memory, const char *force)
{
	struct adder adder;

	adder_start(&adder);
	rig_start();
	rig_force(force);
	rig_window(memory, LEN, RIG_PERMS, &window);
	import();
	store(0);
	adder_go(&adder, force, true);
	add_by_swap(TIMES / 10);
	adder_wait(&adder);
	T_EQ(load(), 2 * (TIMES / 10));
	sdpu_reach_close(reach);
	rig_destroy();
	rig_stop();
}

T_CASE_TIMEOUT(compare_and_swap_counter_mapped, 120)
{
	check_swap(RIG_SHARED, "mapped");
}

T_CASE_TIMEOUT(compare_and_swap_counter_cross, 120)
{
	check_swap(RIG_HEAP, "cross");
}

T_CASE_TIMEOUT(compare_and_swap_counter_served, 120)
{
	check_swap(RIG_HEAP, "served");
}

/* Threads that share a reach, its first atomic among what they share, until it fails. */
#define THREADS 4

static uint64_t added;
static doca_error_t last_result;

static void *add_always(void *arg)
{
	struct sdpu_atomic atomic;
	doca_error_t result;

	for (;;) {
		atomic = (struct sdpu_atomic){.reach = reach,
					      .kind = SDPU_ATOMIC_FETCH_ADD,
					      .addr = word(),
					      .operand = 1};
		result = run(&atomic);
		if (result != DOCA_SUCCESS)
			break;
		sdpu_fetch_add(&added, 1);
	}
	T_ERR(result, last_result);
	return NULL;
}

static void threads_start(pthread_t *threads, doca_error_t expected)
{
	last_result = expected;
	sdpu_store(&added, 0);
	for (int i = 0; i < THREADS; i++)
		T_EQ(pthread_create(&threads[i], NULL, add_always, NULL), 0);
	T_EVENTUALLY(sdpu_load_acquire(&added) > 20 * THREADS, 10000);
}

static void threads_join(pthread_t *threads)
{
	for (int i = 0; i < THREADS; i++)
		T_EQ(pthread_join(threads[i], NULL), 0);
}

/* Done and told, or at most one of each thread's that it was not told of. */
static void check_count(uint64_t value)
{
	T_CHECK(value >= sdpu_load(&added));
	T_CHECK(value <= sdpu_load(&added) + THREADS);
}

static void check_destroyed(const struct way *way)
{
	pthread_t threads[THREADS];

	threads_start(threads, DOCA_ERROR_NOT_PERMITTED);
	rig_destroy();
	threads_join(threads);
	T_ERR(operate(SDPU_ATOMIC_LOAD, word()), DOCA_ERROR_NOT_PERMITTED);
}

T_CASE_TIMEOUT(destroyed_in_the_midst, 60)
{
	rig_start();
	for (size_t i = 0; i < SDPU_ARRAY_SIZE(ways); i++) {
		rig_force(ways[i].force);
		rig_window(ways[i].memory, LEN, RIG_PERMS, &window);
		import();
		check_destroyed(&ways[i]);
		sdpu_reach_close(reach);
	}
	rig_stop();
}

/* Others go on, and see that nothing lands any more. */
static void check_revoked(const struct way *way)
{
	struct sdpu_reach *watcher = reach;
	pthread_t threads[THREADS];
	uint64_t then, now;
	bool in_time;

	store(0);
	T_OK(rig_grant(&reach));
	threads_start(threads, DOCA_ERROR_NOT_PERMITTED);
	in_time = rig_revoke();
	T_OK(operate_on(watcher, SDPU_ATOMIC_LOAD, word(), 0, 0, &then));
	threads_join(threads);
	T_OK(operate_on(watcher, SDPU_ATOMIC_LOAD, word(), 0, 0, &now));
	T_CHECK(!in_time || now == then);
	check_count(now);
	sdpu_reach_close(reach);
	reach = watcher;
}

T_CASE_TIMEOUT(revoked_in_the_midst, 60)
{
	rig_start();
	for_each_way(check_revoked);
	rig_stop();
}

static void check_killed(const struct way *way, bool used)
{
	pid_t owner = rig_start();
	pthread_t threads[THREADS];

	rig_force(way->force);
	rig_window(way->memory, LEN, RIG_PERMS, &window);
	import();
	if (used)
		threads_start(threads, DOCA_ERROR_CONNECTION_RESET);
	kill(owner, SIGKILL);
	T_EQ(t_wait(owner, 10000), 128 + SIGKILL);
	if (used)
		threads_join(threads);
	T_EVENTUALLY(!sdpu_reach_live(reach), 10000);
	T_ERR(operate(SDPU_ATOMIC_LOAD, word()), DOCA_ERROR_CONNECTION_RESET);
	sdpu_reach_close(reach);
	sdpu_agent_put();
}

T_CASE(owner_killed_mapped)
{
	check_killed(&ways[0], true);
}

T_CASE(owner_killed_cross)
{
	check_killed(&ways[1], true);
}

T_CASE(owner_killed_handed)
{
	check_killed(&ways[2], true);
}

T_CASE(owner_killed_served)
{
	check_killed(&ways[3], true);
}

/* By its socket it may be known to be gone before its death is. */
T_CASE(owner_killed_before_the_first_atomic)
{
	pid_t owner = rig_start();

	rig_force("cross");
	rig_window(RIG_HEAP, LEN, RIG_PERMS, &window);
	import();
	kill(owner, SIGKILL);
	T_EQ(t_wait(owner, 10000), 128 + SIGKILL);
	T_ERR(operate(SDPU_ATOMIC_FETCH_ADD, word()), DOCA_ERROR_CONNECTION_RESET);
	T_ERR(operate(SDPU_ATOMIC_FETCH_ADD, word()), DOCA_ERROR_CONNECTION_RESET);
	sdpu_reach_close(reach);
	sdpu_agent_put();
}

/* What a stopped owner does not answer waits, or is given up; a mapped window does not need it. */
static void stopped(pid_t owner, struct sdpu_atomic *atomics, uint32_t num)
{
	int status;

	kill(owner, SIGSTOP);
	T_EQ(waitpid(owner, &status, WUNTRACED), owner);
	for (uint32_t i = 0; i < num; i++) {
		atomics[i] = (struct sdpu_atomic){.reach = reach,
						  .kind = SDPU_ATOMIC_FETCH_ADD,
						  .addr = word(),
						  .operand = 1};
		for (int turn = 0; turn < 100; turn++)
			T_ERR(sdpu_atomic_run(&atomics[i]), DOCA_ERROR_IN_PROGRESS);
	}
}

T_CASE(owner_stopped)
{
	pid_t owner = rig_start();
	struct sdpu_atomic atomics[6];

	for (int i = 1; i < 4; i++) {
		rig_force(rig_kinds[i]);
		rig_window(RIG_HEAP, LEN, RIG_PERMS, &window);
		import();
		store(0);
		stopped(owner, atomics, 6);
		for (int a = 1; a < 6; a++)
			sdpu_atomic_cancel(&atomics[a]);
		kill(owner, SIGCONT);
		T_OK(run(&atomics[0]));
		/* Four were on their way, one of them ours. */
		T_EQ(load(), 4);
		for (uint64_t a = 0; a < 20; a++)
			T_OK(operate(SDPU_ATOMIC_FETCH_ADD, word()));
		T_EQ(load(), 24);
		sdpu_reach_close(reach);
		rig_destroy();
	}
	rig_stop();
}

T_CASE(owner_stopped_where_it_is_mapped)
{
	pid_t owner = rig_start();
	int status;

	rig_force("mapped");
	rig_window(RIG_SHARED, LEN, RIG_PERMS, &window);
	import();
	kill(owner, SIGSTOP);
	T_EQ(waitpid(owner, &status, WUNTRACED), owner);
	for (uint32_t kind = SDPU_ATOMIC_LOAD; kind <= SDPU_ATOMIC_CMP_SWP; kind++)
		T_OK(operate(kind, word()));
	kill(owner, SIGCONT);
	sdpu_reach_close(reach);
	rig_destroy();
	rig_stop();
}

/* Freed before its window has ended: an error where the memory is gone, never a crash. */
T_CASE(memory_freed_under_its_window)
{
	struct sdpu_atomic owners = {.kind = SDPU_ATOMIC_FETCH_ADD};

	rig_start();
	for (int i = 1; i < 4; i++) {
		rig_force(rig_kinds[i]);
		rig_window(RIG_PRIVATE, LEN, RIG_PERMS, &window);
		import();
		T_OK(operate(SDPU_ATOMIC_FETCH_ADD, word()));
		rig_unmap();
		for (uint32_t kind = SDPU_ATOMIC_LOAD; kind <= SDPU_ATOMIC_CMP_SWP; kind++)
			T_ERR(operate(kind, word()), DOCA_ERROR_IO_FAILED);
		owners.addr = word();
		T_ERR(rig_atomic(&owners), DOCA_ERROR_IO_FAILED);
		sdpu_reach_close(reach);
		rig_destroy();
	}
	rig_stop();
}

/* The file is still there, and so are the atomics on it. */
T_CASE(mapped_memory_freed_under_its_window)
{
	struct sdpu_atomic owners = {.kind = SDPU_ATOMIC_FETCH_ADD};

	rig_start();
	for (int i = 0; i < 4; i++) {
		rig_force(rig_kinds[i]);
		rig_window(RIG_SHARED, LEN, RIG_PERMS, &window);
		import();
		store(5);
		rig_unmap();
		T_OK(operate(SDPU_ATOMIC_FETCH_ADD, word()));
		owners.addr = word();
		T_OK(rig_atomic(&owners));
		T_EQ(owners.result, 6);
		sdpu_reach_close(reach);
		rig_destroy();
	}
	rig_stop();
}

/* Both sides in this process. */
static void own_window(uint64_t *memory, uint32_t perms, struct sdpu_window **made)
{
	T_OK(sdpu_agent_get());
	T_OK(sdpu_window_create(memory, LEN, perms, made));
	window = (struct rig_window){.addr = (uintptr_t)memory, .len = LEN};
	memcpy(window.key, sdpu_window_key(*made), SDPU_KEY_SIZE);
	strcpy(window.endpoint, sdpu_agent_endpoint());
}

/* The method stays what it was: no importer is done by another one. */
T_CASE(sealed_after_its_window_was_made)
{
	int fd = memfd_create("sealed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	struct sdpu_atomic atomic = {.kind = SDPU_ATOMIC_FETCH_ADD, .operand = 1};
	struct sdpu_window *own;
	uint64_t *memory;

	T_EQ(ftruncate(fd, LEN), 0);
	T_EQ(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
	memory = mmap(NULL, LEN, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	T_CHECK(memory != MAP_FAILED);
	own_window(memory, RIG_PERMS, &own);
	T_EQ(fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE), 0);
	atomic.addr = word();
	for (int i = 0; i < 3; i++)
		T_ERR(sdpu_window_atomic(own, &atomic), DOCA_ERROR_IO_FAILED);
	import();
	T_CHECK(sdpu_reach_kind(reach) != SDPU_WINDOW_MAPPED);
	T_ERR(operate(SDPU_ATOMIC_FETCH_ADD, word()), DOCA_ERROR_IO_FAILED);
	T_EQ(memory[0], 0);
	sdpu_reach_close(reach);
	sdpu_window_destroy(own);
	munmap(memory, LEN);
	close(fd);
	sdpu_agent_put();
}

static struct sdpu_window *own;

static int use_inherited(void *arg)
{
	struct sdpu_atomic atomic = {.reach = reach, .addr = word()};

	T_ERR(sdpu_atomic_run(&atomic), DOCA_ERROR_BAD_STATE);
	T_ERR(sdpu_window_atomic(own, &atomic), DOCA_ERROR_BAD_STATE);
	sdpu_atomic_cancel(&atomic);
	sdpu_reach_close(reach);
	/* Without the leak checker: what the parent had is out of our reach. */
	_exit(0);
}

T_CASE(forked_children_are_inert)
{
	static uint64_t memory[LEN / 8];

	rig_force("served");
	own_window(memory, RIG_PERMS, &own);
	import();
	T_OK(operate(SDPU_ATOMIC_FETCH_ADD, word()));
	T_EQ(t_wait(t_fork(use_inherited, NULL), 10000), 0);
	T_OK(operate(SDPU_ATOMIC_FETCH_ADD, word()));
	T_EQ(memory[0], 2);
	sdpu_reach_close(reach);
	sdpu_window_destroy(own);
	sdpu_agent_put();
}

/* Those who do no atomics pay for none, and what they cost ends with the reach. */
T_CASE(descriptors_stay_flat)
{
	uint32_t ours, theirs;

	rig_start();
	for (int i = 0; i < 4; i++) {
		rig_force(rig_kinds[i]);
		rig_window(RIG_SHARED, LEN, RIG_PERMS, &window);
		ours = rig_count_fds();
		theirs = rig_num_fds();
		for (int turn = 0; turn < 20; turn++) {
			import();
			for (int a = 0; a < 10; a++)
				T_OK(operate(SDPU_ATOMIC_FETCH_ADD, word()));
			sdpu_reach_close(reach);
		}
		T_EQ(rig_count_fds(), ours);
		T_EVENTUALLY(rig_num_fds() == theirs, 10000);
		rig_destroy();
	}
	rig_stop();
}
