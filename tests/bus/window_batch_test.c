/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Several short copies in one step: what is complete is complete, and whatever stands in the way of
 * one leaves those before it done and those behind it to be gone on with.
 */
#include <string.h>

#include "base/valgrind.h"
#include "bus/window_rig.h"
#include "t.h"

#define LEN 65536
#define PART 1000
#define NUM 40

static struct rig_window window;
static struct sdpu_reach *reach;
static uint8_t memory[NUM][PART];
static struct iovec iov[NUM];
static struct sdpu_copy copy[NUM];
static struct sdpu_copy *copies[NUM];

static void open_window(const char *kind, uint32_t perms)
{
	(void)rig_start();
	if (kind != NULL)
		rig_force(kind);
	rig_window(RIG_HEAP, LEN, perms, &window);
	T_OK(rig_grant(&reach));
}

static void close_window(void)
{
	sdpu_reach_close(reach);
	rig_stop();
}

/* Copy i goes to the i-th part of the window. */
static void prepare(enum sdpu_copy_direction direction)
{
	for (size_t i = 0; i < NUM; i++) {
		rig_pattern_fill(5, i * PART, memory[i], PART);
		iov[i] = (struct iovec){memory[i], PART};
		copy[i] = (struct sdpu_copy){.reach = reach,
					     .direction = direction,
					     .addr = window.addr + i * PART,
					     .local = &iov[i],
					     .num_local = 1,
					     .len = PART};
		copies[i] = &copy[i];
	}
}

static void finish_rest(void)
{
	for (int i = 0; i < NUM; i++)
		T_OK(rig_copy_run(&copy[i]));
}

T_CASE(one_step_does_as_many_as_fit)
{
	open_window("cross", RIG_PERMS);
	T_CHECK(sdpu_reach_batches(reach));
	prepare(SDPU_COPY_PUT);
	T_EQ(sdpu_copy_run_batch(copies, NUM), SDPU_COPY_BATCH);
	rig_expect(5, 0, SDPU_COPY_BATCH * PART);
	rig_expect(1, SDPU_COPY_BATCH * PART, LEN - SDPU_COPY_BATCH * PART);
	/* Going on with all of them: the complete ones have nothing left. */
	finish_rest();
	rig_expect(5, 0, NUM * PART);
	prepare(SDPU_COPY_GET);
	memset(memory, 0, sizeof(memory));
	T_EQ(sdpu_copy_run_batch(copies, 10), 10);
	for (size_t i = 0; i < 10 * PART; i++)
		T_EQ(((uint8_t *)memory)[i], rig_pattern(5, i));
	close_window();
}

T_CASE(kinds_that_gain_nothing_do_nothing)
{
	open_window("handed", RIG_PERMS);
	T_CHECK(!sdpu_reach_batches(reach));
	prepare(SDPU_COPY_PUT);
	T_EQ(sdpu_copy_run_batch(copies, NUM), 0);
	finish_rest();
	rig_expect(5, 0, NUM * PART);
	close_window();
}

T_CASE(a_copy_out_of_range_ends_the_batch_before_it)
{
	open_window("cross", RIG_PERMS);
	prepare(SDPU_COPY_PUT);
	copy[3].addr = window.addr + LEN - PART + 1;
	T_EQ(sdpu_copy_run_batch(copies, NUM), 3);
	T_ERR(rig_copy_run(&copy[3]), DOCA_ERROR_NOT_PERMITTED);
	rig_expect(5, 0, 3 * PART);
	rig_expect(1, 3 * PART, LEN - 3 * PART);
	close_window();
}

T_CASE(other_directions_and_permissions_end_it_too)
{
	open_window("cross", DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	prepare(SDPU_COPY_GET);
	copy[2].direction = SDPU_COPY_PUT;
	T_EQ(sdpu_copy_run_batch(copies, NUM), 2);
	copy[0].direction = SDPU_COPY_PUT;
	copy[0].done = 0;
	copy[0].offset = 0;
	copy[0].index = 0;
	T_EQ(sdpu_copy_run_batch(copies, 1), 0);
	T_ERR(rig_copy_run(&copy[0]), DOCA_ERROR_NOT_PERMITTED);
	close_window();
}

T_CASE(bad_local_memory_ends_it_where_it_is)
{
	if (sdpu_under_valgrind())
		T_SKIP("valgrind rightly complains of what this program does");
	open_window("cross", RIG_PERMS);
	prepare(SDPU_COPY_PUT);
	iov[4].iov_base = (void *)(uintptr_t)4096;
	T_EQ(sdpu_copy_run_batch(copies, NUM), 4);
	T_ERR(rig_copy_run(&copy[4]), DOCA_ERROR_INVALID_VALUE);
	rig_expect(5, 0, 4 * PART);
	close_window();
}

T_CASE(revoked_is_refused)
{
	open_window("cross", RIG_PERMS);
	prepare(SDPU_COPY_PUT);
	(void)rig_revoke();
	T_EQ(sdpu_copy_run_batch(copies, NUM), 0);
	T_ERR(rig_copy_run(&copy[0]), DOCA_ERROR_NOT_PERMITTED);
	rig_expect(1, 0, LEN);
	close_window();
}
