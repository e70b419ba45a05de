/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomics on memory windows: what they do and who may do what, in every way that an importer may
 * have to them, and by the owner; and memory that is not what it was.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bus/window_atomic_kit.h"
#include "t.h"

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
	int fd = t_memory_file(LEN, F_SEAL_SHRINK);
	struct sdpu_atomic atomic = {.kind = SDPU_ATOMIC_FETCH_ADD, .operand = 1};
	struct sdpu_window *own;
	uint64_t *memory = t_map_file(fd, LEN);

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
		ours = t_count_entries("/proc/self/fd");
		theirs = rig_num_fds();
		for (int turn = 0; turn < 20; turn++) {
			import();
			for (int a = 0; a < 10; a++)
				T_OK(operate(SDPU_ATOMIC_FETCH_ADD, word()));
			sdpu_reach_close(reach);
		}
		T_EQ(t_count_entries("/proc/self/fd"), ours);
		T_EVENTUALLY(rig_num_fds() == theirs, 10000);
		rig_destroy();
	}
	rig_stop();
}
