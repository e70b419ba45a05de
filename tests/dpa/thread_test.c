/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DPA threads: what triggers them, how they end, and in which order things can be taken down.
 */
#include <string.h>

#include <doca_dpa_dev.h>

#include "base/clock.h"
#include "dpa/dpa.h"
#include "dpa/kit.h"
#include "dpa/trigger.h"

/* A completion as simple as can be: each element is one run. */
struct bell {
	struct sdpu_dpa_trigger trigger;
	uint32_t elements; /* atomic */
};

static bool bell_due(struct sdpu_dpa_trigger *trigger)
{
	struct bell *bell = sdpu_container_of(trigger, struct bell, trigger);
	uint32_t elements = sdpu_load_acquire(&bell->elements);

	while (elements != 0) {
		if (sdpu_cas(&bell->elements, &elements, elements - 1))
			return true;
	}
	return false;
}

static void ring(struct bell *bell)
{
	sdpu_fetch_add_fenced(&bell->elements, 1);
	sdpu_dpa_trigger_raise(&bell->trigger);
}

static void attach(struct bell *bell, struct doca_dpa_thread *thread)
{
	bell->trigger.due = bell_due;
	T_OK(sdpu_dpa_trigger_attach(&bell->trigger, thread, "attach"));
}

/* What a thread did; its argument. */
struct record {
	uint32_t runs; /* atomic */
	uint32_t finish_at;
	uint32_t rank, num_threads;
	uint64_t local_storage;
	struct bell *next;
};

static uint32_t runs_of(const struct record *record)
{
	return sdpu_load_acquire(&record->runs);
}

KIT_GLOBAL(work)
{
	struct record *record = (struct record *)arg;

	record->rank = doca_dpa_dev_thread_rank();
	record->num_threads = doca_dpa_dev_num_threads();
	record->local_storage = doca_dpa_dev_thread_get_local_storage();
	if (record->next != NULL)
		ring(record->next);
	if (sdpu_fetch_add(&record->runs, 1) + 1 == record->finish_at)
		doca_dpa_dev_thread_finish();
	doca_dpa_dev_thread_reschedule();
}

KIT_GLOBAL(returning)
{
	(void)sdpu_fetch_add(&((struct record *)arg)->runs, 1);
}

KIT_GLOBAL(endless)
{
	(void)sdpu_fetch_add(&((struct record *)arg)->runs, 1);
	for (;;)
		doca_dpa_dev_yield();
}

KIT_RPC(rpc_kernel)
{
	return 0;
}

KIT_GLOBAL(ring_kernel)
{
	ring((struct bell *)arg);
}

static struct doca_dpa *dpa;

static void open_one(struct record *record, struct doca_dpa_thread **thread, struct bell *bell)
{
	memset(record, 0, sizeof(*record));
	memset(bell, 0, sizeof(*bell));
	*thread = kit_thread(dpa, KIT_FUNC(work), (uintptr_t)record);
	attach(bell, *thread);
}

static void close_one(struct doca_dpa_thread *thread, struct bell *bell)
{
	sdpu_dpa_trigger_detach(&bell->trigger);
	T_OK(doca_dpa_thread_destroy(thread));
}

T_CASE(runs_once_for_each_trigger)
{
	struct doca_dpa_thread *thread;
	struct record record;
	struct bell bell;

	dpa = kit_dpa(KIT_DPU);
	open_one(&record, &thread, &bell);
	T_OK(doca_dpa_thread_run(thread));
	for (uint32_t i = 1; i <= 2000; i++) {
		ring(&bell);
		T_EVENTUALLY(runs_of(&record) == i, 5000);
	}
	/* from its sleep, too */
	for (uint32_t i = 2001; i <= 2020; i++) {
		sdpu_clock_sleep(2 * SDPU_MS);
		T_EQ(runs_of(&record), i - 1);
		ring(&bell);
		T_EVENTUALLY(runs_of(&record) == i, 5000);
	}
	close_one(thread, &bell);
	kit_dpa_end(dpa);
}

T_CASE(what_came_before_run_counts)
{
	struct doca_dpa_thread *thread;
	struct record record;
	struct bell bell;

	dpa = kit_dpa(KIT_DPU);
	open_one(&record, &thread, &bell);
	ring(&bell);
	ring(&bell);
	sdpu_clock_sleep(10 * SDPU_MS);
	T_EQ(runs_of(&record), 0);
	T_OK(doca_dpa_thread_run(thread));
	T_EVENTUALLY(runs_of(&record) == 2, 5000);
	close_one(thread, &bell);
	kit_dpa_end(dpa);
}

T_CASE(what_is_attached_late_counts)
{
	struct bell first, late = {.elements = 1};
	struct doca_dpa_thread *thread;
	struct record record;

	dpa = kit_dpa(KIT_DPU);
	open_one(&record, &thread, &first);
	T_OK(doca_dpa_thread_run(thread));
	sdpu_clock_sleep(5 * SDPU_MS); /* asleep */
	attach(&late, thread);
	T_EVENTUALLY(runs_of(&record) == 1, 5000);
	/* and once it is detached, it does not */
	sdpu_dpa_trigger_detach(&late.trigger);
	ring(&late);
	ring(&first);
	T_EVENTUALLY(runs_of(&record) == 2, 5000);
	sdpu_clock_sleep(5 * SDPU_MS);
	T_EQ(runs_of(&record), 2);
	close_one(thread, &first);
	kit_dpa_end(dpa);
}

T_CASE(several_triggers_take_turns)
{
	struct doca_dpa_thread *thread;
	struct record record;
	struct bell bells[4];

	dpa = kit_dpa(KIT_DPU);
	open_one(&record, &thread, &bells[0]);
	for (int i = 1; i < 4; i++) {
		bells[i] = (struct bell){0};
		attach(&bells[i], thread);
	}
	for (int i = 0; i < 4; i++) {
		for (int n = 0; n < 50; n++)
			ring(&bells[i]);
	}
	T_OK(doca_dpa_thread_run(thread));
	T_EVENTUALLY(runs_of(&record) == 200, 5000);
	T_OK(doca_dpa_thread_destroy(thread)); /* while they are attached */
	for (int i = 0; i < 4; i++) {
		ring(&bells[i]);
		sdpu_dpa_trigger_detach(&bells[i].trigger);
	}
	kit_dpa_end(dpa);
}

T_CASE(finish_is_for_good)
{
	struct doca_dpa_thread *thread;
	struct record record;
	struct bell bell;

	dpa = kit_dpa(KIT_DPU);
	open_one(&record, &thread, &bell);
	record.finish_at = 3;
	T_OK(doca_dpa_thread_run(thread));
	for (int i = 0; i < 10; i++)
		ring(&bell);
	T_EVENTUALLY(runs_of(&record) == 3, 5000);
	ring(&bell);
	sdpu_clock_sleep(10 * SDPU_MS);
	T_EQ(runs_of(&record), 3);
	close_one(thread, &bell);
	kit_dpa_end(dpa);
}

T_CASE(a_kernel_that_returns_is_told_of)
{
	struct record record = {0};
	struct bell bell = {0};
	struct doca_dpa_thread *thread;

	dpa = kit_dpa(KIT_DPU);
	thread = kit_thread(dpa, KIT_FUNC(returning), (uintptr_t)&record);
	attach(&bell, thread);
	kit_log();
	T_OK(doca_dpa_thread_run(thread));
	ring(&bell);
	ring(&bell);
	T_EVENTUALLY(runs_of(&record) == 1, 5000);
	close_one(thread, &bell);
	T_EQ(runs_of(&record), 1);
	T_CONTAINS(kit_log(), "kernel returning of thread 1 returned, and will not be run again");
	kit_dpa_end(dpa);
}

T_CASE(stops_while_its_kernel_runs)
{
	struct record record = {0};
	struct bell bell = {0};
	struct doca_dpa_thread *thread;

	dpa = kit_dpa(KIT_DPU);
	thread = kit_thread(dpa, KIT_FUNC(endless), (uintptr_t)&record);
	for (uint32_t i = 1; i <= 2; i++) {
		attach(&bell, thread);
		T_OK(doca_dpa_thread_run(thread));
		ring(&bell);
		T_EVENTUALLY(runs_of(&record) == i, 5000);
		T_OK(doca_dpa_thread_stop(thread));
		T_OK(doca_dpa_peek_at_last_error(dpa));
		T_OK(doca_dpa_thread_start(thread)); /* again */
	}
	T_OK(doca_dpa_thread_destroy(thread));
	kit_dpa_end(dpa);
}

T_CASE(destroy_of_the_context_ends_it)
{
	struct record record = {0}, other = {0};
	struct bell bell = {0}, other_bell = {0};
	struct doca_dpa_thread *thread, *sleeper;

	dpa = kit_dpa(KIT_DPU);
	thread = kit_thread(dpa, KIT_FUNC(endless), (uintptr_t)&record);
	attach(&bell, thread);
	sleeper = kit_thread(dpa, KIT_FUNC(work), (uintptr_t)&other);
	attach(&other_bell, sleeper);
	T_OK(doca_dpa_thread_run(thread));
	T_OK(doca_dpa_thread_run(sleeper));
	ring(&bell);
	T_EVENTUALLY(runs_of(&record) == 1, 5000);
	kit_dpa_end(dpa);
	T_STREQ(kit_crash(), "");
	T_ERR(doca_dpa_thread_destroy(thread), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_thread_destroy(sleeper), DOCA_ERROR_BAD_STATE);
	sdpu_dpa_trigger_detach(&bell.trigger);
}

/* Each rings the next; once around. */
T_CASE_TIMEOUT(a_hundred_threads, 120)
{
	enum { NUM = 100, ROUNDS = 20 };
	static struct doca_dpa_thread *threads[NUM];
	static struct record records[NUM];
	static struct bell bells[NUM];

	dpa = kit_dpa(KIT_DPU);
	for (int i = 0; i < NUM; i++)
		open_one(&records[i], &threads[i], &bells[i]);
	for (int i = 0; i < NUM - 1; i++)
		records[i].next = &bells[i + 1];
	for (int i = 0; i < NUM; i++)
		T_OK(doca_dpa_thread_run(threads[i]));
	for (int i = 0; i < ROUNDS; i++)
		ring(&bells[0]);
	for (int i = 0; i < NUM; i++)
		T_EVENTUALLY(runs_of(&records[i]) == ROUNDS, 60000);
	for (int i = 0; i < NUM; i++)
		close_one(threads[i], &bells[i]);
	T_OK(doca_dpa_stop(dpa));
	kit_dpa_end(dpa);
}

/* Takes its time. */
KIT_GLOBAL(slow)
{
	struct record *record = (struct record *)arg;
	uint64_t end = sdpu_clock_now() + 20 * SDPU_MS;

	(void)sdpu_fetch_add(&record->runs, 1);
	while (sdpu_clock_now() < end)
		doca_dpa_dev_yield();
	record->local_storage++;
	doca_dpa_dev_thread_reschedule();
}

T_CASE(what_is_stopped_waits_for_kernels_that_run)
{
	struct record record = {0};
	struct bell bell = {0};
	struct doca_dpa_thread *thread;

	dpa = kit_dpa(KIT_DPU);
	sdpu_dpa_drain(dpa); /* none does */
	thread = kit_thread(dpa, KIT_FUNC(slow), (uintptr_t)&record);
	attach(&bell, thread);
	T_OK(doca_dpa_thread_run(thread));
	for (uint32_t i = 1; i <= 3; i++) {
		ring(&bell);
		T_EVENTUALLY(runs_of(&record) == i, 5000);
		sdpu_dpa_drain(dpa);
		T_EQ(record.local_storage, i);
	}
	close_one(thread, &bell);
	kit_dpa_end(dpa);
}

T_CASE(what_is_stopped_does_not_wait_for_ever)
{
	struct record record = {0};
	struct bell bell = {0};
	struct doca_dpa_thread *thread;

	dpa = kit_dpa(KIT_DPU);
	thread = kit_thread(dpa, KIT_FUNC(endless), (uintptr_t)&record);
	attach(&bell, thread);
	T_OK(doca_dpa_thread_run(thread));
	ring(&bell);
	T_EVENTUALLY(runs_of(&record) == 1, 5000);
	sdpu_dpa_drain(dpa);
	T_OK(doca_dpa_peek_at_last_error(dpa));
	close_one(thread, &bell);
	kit_dpa_end(dpa);
}

T_CASE(settings)
{
	doca_dpa_dev_uintptr_t storage;
	struct doca_dpa_thread *thread;
	struct record record = {0};
	struct bell bell = {0};
	doca_dpa_func_t *func;
	uint64_t arg;
	uint32_t id;

	dpa = kit_dpa(KIT_DPU);
	T_OK(doca_dpa_thread_create(dpa, &thread));
	T_ERR(doca_dpa_thread_start(thread), DOCA_ERROR_BAD_STATE); /* no function */
	T_OK(doca_dpa_thread_set_func_arg(thread, KIT_FUNC(work), (uintptr_t)&record));
	T_OK(doca_dpa_thread_get_func_arg(thread, &func, &arg));
	T_CHECK(func == KIT_FUNC(work));
	T_EQ(arg, (uintptr_t)&record);
	T_OK(doca_dpa_thread_set_local_storage(thread, 0x1230));
	T_OK(doca_dpa_thread_get_local_storage(thread, &storage));
	T_EQ(storage, 0x1230);
	T_ERR(doca_dpa_thread_get_id(thread, &id), DOCA_ERROR_BAD_STATE);
	T_OK(doca_dpa_thread_start(thread));
	T_OK(doca_dpa_thread_get_id(thread, &id));
	T_EQ(id, 1);
	T_ERR(doca_dpa_thread_set_func_arg(thread, KIT_FUNC(work), 1), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_thread_set_local_storage(thread, 1), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_thread_start(thread), DOCA_ERROR_BAD_STATE);
	kit_log();
	T_ERR(doca_dpa_thread_run(thread), DOCA_ERROR_BAD_STATE);
	T_CONTAINS(kit_log(), "nothing can trigger DPA thread 1");
	attach(&bell, thread);
	T_OK(doca_dpa_thread_run(thread));
	T_ERR(doca_dpa_thread_run(thread), DOCA_ERROR_BAD_STATE);
	ring(&bell);
	T_EVENTUALLY(runs_of(&record) == 1, 5000);
	T_EQ(record.local_storage, 0x1230);
	T_EQ(record.rank, 0);
	T_EQ(record.num_threads, 1);
	T_OK(doca_dpa_thread_stop(thread));
	T_ERR(doca_dpa_thread_stop(thread), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_thread_run(thread), DOCA_ERROR_BAD_STATE);
	T_ERR(sdpu_dpa_trigger_attach(&bell.trigger, thread, "attach"), DOCA_ERROR_BAD_STATE);
	T_OK(doca_dpa_thread_destroy(thread));
	kit_dpa_end(dpa);
}

T_CASE(functions_that_are_none_for_threads)
{
	struct doca_dpa_thread *thread;

	dpa = kit_dpa(KIT_DPU);
	T_OK(doca_dpa_thread_create(dpa, &thread));
	T_OK(doca_dpa_thread_set_func_arg(thread, KIT_FUNC(rpc_kernel), 0));
	kit_log();
	T_ERR(doca_dpa_thread_start(thread), DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(kit_log(), "function rpc_kernel is not marked __dpa_global__");
	T_OK(doca_dpa_thread_set_func_arg(thread, KIT_FUNC(bell_due), 0));
	T_ERR(doca_dpa_thread_start(thread), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_dpa_thread_destroy(thread));
	kit_dpa_end(dpa);
}

T_CASE(a_context_that_is_not_started)
{
	struct doca_dpa_thread *thread;

	dpa = kit_dpa(KIT_DPU);
	T_OK(doca_dpa_stop(dpa));
	T_OK(doca_dpa_thread_create(dpa, &thread));
	T_OK(doca_dpa_thread_set_func_arg(thread, KIT_FUNC(work), 0));
	T_ERR(doca_dpa_thread_start(thread), DOCA_ERROR_BAD_STATE);
	T_OK(doca_dpa_start(dpa));
	T_OK(doca_dpa_thread_start(thread));
	T_OK(doca_dpa_thread_destroy(thread));
	kit_dpa_end(dpa);
}

T_CASE(there_are_only_so_many)
{
	struct doca_dpa_thread *threads[3];

	kit_topology("{\"limits\": {\"dpa_max_threads\": 2}}");
	dpa = kit_dpa(KIT_DPU);
	T_OK(doca_dpa_thread_create(dpa, &threads[0]));
	T_OK(doca_dpa_thread_create(dpa, &threads[1]));
	kit_log();
	T_ERR(doca_dpa_thread_create(dpa, &threads[2]), DOCA_ERROR_NO_MEMORY);
	T_CONTAINS(kit_log(), "the context has 2 threads; needed: fewer");
	T_OK(doca_dpa_thread_destroy(threads[0]));
	T_OK(doca_dpa_thread_create(dpa, &threads[2]));
	T_OK(doca_dpa_thread_destroy(threads[1]));
	T_OK(doca_dpa_thread_destroy(threads[2]));
	kit_dpa_end(dpa);
}

T_CASE(groups)
{
	struct doca_dpa_thread *threads[3];
	struct record records[2] = {0};
	struct bell bells[2] = {0};
	struct doca_dpa_tg *group;
	unsigned int num;

	dpa = kit_dpa(KIT_DPU);
	T_ERR(doca_dpa_thread_group_create(dpa, 0, &group), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_dpa_thread_group_create(dpa, 2, &group));
	T_OK(doca_dpa_thread_group_get_num_threads(group, &num));
	T_EQ(num, 2);
	for (int i = 0; i < 3; i++) {
		T_OK(doca_dpa_thread_create(dpa, &threads[i]));
		T_OK(doca_dpa_thread_set_func_arg(threads[i], KIT_FUNC(work),
						  (uintptr_t)&records[i % 2]));
	}
	T_ERR(doca_dpa_thread_group_set_thread(group, threads[0], 2), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_dpa_thread_group_set_thread(group, threads[0], 0));
	T_ERR(doca_dpa_thread_group_set_thread(group, threads[0], 1), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_thread_group_set_thread(group, threads[1], 0), DOCA_ERROR_BAD_STATE);
	kit_log();
	T_ERR(doca_dpa_thread_group_start(group), DOCA_ERROR_BAD_STATE);
	T_CONTAINS(kit_log(), "rank 0 of 2 has a thread that is not started");
	T_OK(doca_dpa_thread_start(threads[0]));
	T_ERR(doca_dpa_thread_group_start(group), DOCA_ERROR_BAD_STATE);
	T_CONTAINS(kit_log(), "rank 1 of 2 has no thread");
	T_OK(doca_dpa_thread_start(threads[2]));
	T_ERR(doca_dpa_thread_group_set_thread(group, threads[2], 1), DOCA_ERROR_BAD_STATE);
	T_OK(doca_dpa_thread_group_set_thread(group, threads[1], 1));
	T_OK(doca_dpa_thread_start(threads[1]));
	T_ERR(doca_dpa_thread_group_stop(group), DOCA_ERROR_BAD_STATE);
	T_OK(doca_dpa_thread_group_start(group));
	T_ERR(doca_dpa_thread_group_start(group), DOCA_ERROR_BAD_STATE);
	for (unsigned int i = 0; i < 2; i++) {
		attach(&bells[i], threads[i]);
		T_OK(doca_dpa_thread_run(threads[i]));
		ring(&bells[i]);
		T_EVENTUALLY(runs_of(&records[i]) == 1, 5000);
		T_EQ(records[i].rank, i);
		T_EQ(records[i].num_threads, 2);
		sdpu_dpa_trigger_detach(&bells[i].trigger);
	}
	T_OK(doca_dpa_thread_group_stop(group));
	T_OK(doca_dpa_thread_destroy(threads[0])); /* before its group */
	T_OK(doca_dpa_thread_group_destroy(group));
	T_OK(doca_dpa_thread_destroy(threads[1])); /* after it */
	T_OK(doca_dpa_thread_destroy(threads[2]));
	T_OK(doca_dpa_stop(dpa));
	kit_dpa_end(dpa);
}

T_CASE(affinity)
{
	const struct doca_dpa_eu_affinity *got;
	struct doca_dpa_eu_affinity *affinity;
	struct doca_dpa_thread *thread;
	unsigned int eu;

	dpa = kit_dpa(KIT_DPU);
	T_OK(doca_dpa_eu_affinity_create(dpa, &affinity));
	T_OK(doca_dpa_thread_create(dpa, &thread));
	T_ERR(doca_dpa_eu_affinity_get(affinity, &eu), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_thread_set_affinity(thread, affinity), DOCA_ERROR_INVALID_VALUE);
	kit_log();
	T_ERR(doca_dpa_eu_affinity_set(affinity, 256), DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(kit_log(), "unit 256; needed: one of 256, from 0 on");
	T_OK(doca_dpa_eu_affinity_set(affinity, 255));
	T_OK(doca_dpa_eu_affinity_get(affinity, &eu));
	T_EQ(eu, 255);
	T_OK(doca_dpa_thread_set_affinity(thread, affinity));
	T_OK(doca_dpa_thread_get_affinity(thread, &got));
	T_CHECK(got == affinity);
	T_OK(doca_dpa_thread_set_func_arg(thread, KIT_FUNC(work), 0));
	T_OK(doca_dpa_thread_start(thread));
	T_ERR(doca_dpa_thread_set_affinity(thread, affinity), DOCA_ERROR_BAD_STATE);
	T_OK(doca_dpa_thread_destroy(thread));
	T_OK(doca_dpa_eu_affinity_clear(affinity));
	T_ERR(doca_dpa_eu_affinity_get(affinity, &eu), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_dpa_eu_affinity_destroy(affinity));
	T_OK(doca_dpa_stop(dpa));
	kit_dpa_end(dpa);
}

T_CASE(a_launched_kernel_can_trigger_one)
{
	struct doca_dpa_thread *thread;
	struct record record;
	struct bell bell;

	dpa = kit_dpa(KIT_DPU);
	open_one(&record, &thread, &bell);
	T_OK(doca_dpa_thread_run(thread));
	T_OK(doca_dpa_kernel_launch_update_set(dpa, NULL, 0, NULL, 0, 8, KIT_FUNC(ring_kernel),
					       (uint64_t)(uintptr_t)&bell));
	T_EVENTUALLY(runs_of(&record) == 8, 5000);
	close_one(thread, &bell);
	kit_dpa_end(dpa);
}

T_CASE(null_pointers)
{
	const struct doca_dpa_eu_affinity *got;
	struct doca_dpa_eu_affinity *affinity;
	struct doca_dpa_thread *thread, *none;
	struct doca_dpa_tg *group;
	doca_dpa_func_t *func;
	unsigned int number;
	uint64_t value;
	uint32_t id;

	dpa = kit_dpa(KIT_DPU);
	T_OK(doca_dpa_thread_create(dpa, &thread));
	T_OK(doca_dpa_thread_group_create(dpa, 1, &group));
	T_OK(doca_dpa_eu_affinity_create(dpa, &affinity));
#define INVALID(call) T_ERR(call, DOCA_ERROR_INVALID_VALUE)
	INVALID(doca_dpa_thread_create(NULL, &none));
	INVALID(doca_dpa_thread_create(dpa, NULL));
	INVALID(doca_dpa_thread_destroy(NULL));
	INVALID(doca_dpa_thread_set_func_arg(NULL, KIT_FUNC(work), 0));
	INVALID(doca_dpa_thread_set_func_arg(thread, NULL, 0));
	INVALID(doca_dpa_thread_get_func_arg(NULL, &func, &value));
	INVALID(doca_dpa_thread_get_func_arg(thread, NULL, &value));
	INVALID(doca_dpa_thread_get_func_arg(thread, &func, NULL));
	INVALID(doca_dpa_thread_set_local_storage(NULL, 0));
	INVALID(doca_dpa_thread_get_local_storage(NULL, &value));
	INVALID(doca_dpa_thread_get_local_storage(thread, NULL));
	INVALID(doca_dpa_thread_set_affinity(NULL, affinity));
	INVALID(doca_dpa_thread_set_affinity(thread, NULL));
	INVALID(doca_dpa_thread_get_affinity(NULL, &got));
	INVALID(doca_dpa_thread_get_affinity(thread, NULL));
	INVALID(doca_dpa_thread_start(NULL));
	INVALID(doca_dpa_thread_stop(NULL));
	INVALID(doca_dpa_thread_run(NULL));
	INVALID(doca_dpa_thread_get_id(NULL, &id));
	INVALID(doca_dpa_thread_get_id(thread, NULL));
	INVALID(doca_dpa_thread_group_create(NULL, 1, &group));
	INVALID(doca_dpa_thread_group_create(dpa, 1, NULL));
	INVALID(doca_dpa_thread_group_destroy(NULL));
	INVALID(doca_dpa_thread_group_get_num_threads(NULL, &number));
	INVALID(doca_dpa_thread_group_get_num_threads(group, NULL));
	INVALID(doca_dpa_thread_group_set_thread(NULL, thread, 0));
	INVALID(doca_dpa_thread_group_set_thread(group, NULL, 0));
	INVALID(doca_dpa_thread_group_start(NULL));
	INVALID(doca_dpa_thread_group_stop(NULL));
	INVALID(doca_dpa_eu_affinity_create(NULL, &affinity));
	INVALID(doca_dpa_eu_affinity_create(dpa, NULL));
	INVALID(doca_dpa_eu_affinity_destroy(NULL));
	INVALID(doca_dpa_eu_affinity_set(NULL, 1));
	INVALID(doca_dpa_eu_affinity_clear(NULL));
	INVALID(doca_dpa_eu_affinity_get(NULL, &number));
	INVALID(doca_dpa_eu_affinity_get(affinity, NULL));
#undef INVALID
	T_OK(doca_dpa_eu_affinity_destroy(affinity));
	T_OK(doca_dpa_thread_group_destroy(group));
	T_OK(doca_dpa_thread_destroy(thread));
	kit_dpa_end(dpa);
}
