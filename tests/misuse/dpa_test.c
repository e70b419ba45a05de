/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DPA contexts and what lives in them.
 */
#include <doca_dpa.h>

#include "dpa/kit.h"
#include "misuse/misuse.h"

static struct doca_dpa *dpa, *bare;
static struct doca_dev *dev;

KIT_GLOBAL(kernel)
{
}

KIT_RPC(remote)
{
	return arg;
}

static void no_kernel(uint64_t arg)
{
	(void)arg;
}

MISUSE_CASE(idle)
{
	doca_dpa_dev_uintptr_t memory;
	struct doca_dpa_app *app;
	doca_dpa_dev_t handle;
	uint64_t result;
	uint32_t id;

	dev = kit_open(KIT_DPU);
	T_OK(doca_dpa_create(dev, &bare));
	MISUSE(BAD_STATE, doca_dpa_start(bare), "no program", "doca_dpa_set_app()");
	MISUSE(INVALID_VALUE, doca_dpa_get_app(bare, &app), "none was set", "doca_dpa_set_app()");
	MISUSE(INVALID_VALUE, doca_dpa_set_log_level(bare, 11), "level 11", "needed: 10, 30");
	MISUSE(OPERATING_SYSTEM, doca_dpa_log_file_set_path(bare, "/nonexistent/file"),
	       "cannot be opened", "needed: a file that can be written");
	MISUSE(OPERATING_SYSTEM, doca_dpa_trace_file_set_path(bare, "/nonexistent/file"),
	       "cannot be opened", "needed: a file that can be written");
	MISUSE(BAD_STATE, doca_dpa_stop(bare), "is not started",
	       "needed: one that doca_dpa_start()");
	MISUSE(BAD_STATE, doca_dpa_mem_alloc(bare, 8, &memory), "is not started",
	       "needed: one that doca_dpa_start()");
	MISUSE(BAD_STATE, doca_dpa_get_dpa_handle(bare, &handle), "is not started",
	       "needed: one that doca_dpa_start()");
	MISUSE(BAD_STATE, doca_dpa_get_uar_id(bare, &id), "is not started",
	       "needed: one that doca_dpa_start()");
	MISUSE(BAD_STATE, doca_dpa_rpc(bare, KIT_FUNC(remote), &result, 1ull), "is not started",
	       "needed: one that doca_dpa_start()");
	T_OK(doca_dpa_destroy(bare));
	T_OK(doca_dev_close(dev));
}

MISUSE_CASE(no_dpa)
{
	kit_topology("{\"limits\": {\"dpa_cores\": 0}}");
	dev = kit_open(KIT_DPU);
	QUIET(NOT_SUPPORTED, doca_dpa_cap_is_supported(doca_dev_as_devinfo(dev)));
	MISUSE(NOT_SUPPORTED, doca_dpa_create(dev, &bare), "has no DPA",
	       "doca_dpa_cap_is_supported()");
	T_OK(doca_dev_close(dev));
}

MISUSE_CASE(started)
{
	doca_dpa_dev_uintptr_t memory;
	uint8_t bytes[16] = {0};
	uint64_t result;
	char name[2];
	uint32_t len = 2;

	dpa = kit_dpa(KIT_DPU);
	MISUSE(BAD_STATE, doca_dpa_start(dpa), "is started", "needed: one that is not");
	MISUSE(BAD_STATE, doca_dpa_set_app(dpa, kit_app()), "is started",
	       "needed: one that is not");
	MISUSE(BAD_STATE, doca_dpa_set_log_level(dpa, DOCA_DPA_DEV_LOG_LEVEL_INFO), "is started",
	       "needed: one that is not");
	MISUSE(BAD_STATE, doca_dpa_log_file_set_path(dpa, "/dev/null"), "is started",
	       "needed: one that is not");
	MISUSE(INVALID_VALUE, doca_dpa_app_get_name(kit_app(), name, &len),
	       "the buffer has 2 bytes", "needed: 8");
	MISUSE(INVALID_VALUE, doca_dpa_mem_alloc(dpa, 0, &memory), "size is 0",
	       "needed: at least 1");
	MISUSE(NO_MEMORY, doca_dpa_mem_alloc(dpa, 1ull << 40, &memory), "1099511627776 bytes",
	       "needed: no more than is left", "doca_dpa_mem_free()");
	T_OK(doca_dpa_mem_alloc(dpa, 16, &memory));
	MISUSE(INVALID_VALUE, doca_dpa_mem_free(dpa, memory + 8), "nothing that is allocated",
	       "doca_dpa_mem_alloc()");
	MISUSE(INVALID_VALUE, doca_dpa_mem_free(dpa, 0), "dev_ptr is 0", "needed: at least 1");
	MISUSE(INVALID_VALUE, doca_dpa_h2d_memcpy(dpa, memory, bytes, 1 << 20), "1048576 bytes at",
	       "needed: a range inside what doca_dpa_mem_alloc() gave");
	MISUSE(INVALID_VALUE, doca_dpa_d2h_memcpy(dpa, bytes, memory, 1 << 20), "1048576 bytes at",
	       "needed: a range inside what doca_dpa_mem_alloc() gave");
	MISUSE(INVALID_VALUE, doca_dpa_memset(dpa, memory, 0, 1 << 20), "1048576 bytes at",
	       "needed: a range inside what doca_dpa_mem_alloc() gave");
	MISUSE(INVALID_VALUE, doca_dpa_rpc(dpa, KIT_FUNC(no_kernel), &result, 1ull),
	       "is not marked __dpa_rpc__", "those that are: remote");
	MISUSE(INVALID_VALUE,
	       doca_dpa_kernel_launch_update_set(dpa, NULL, 0, NULL, 0, 0, KIT_FUNC(kernel), 1ull),
	       "0 threads", "needed: 1 to 128");
	MISUSE(INVALID_VALUE,
	       doca_dpa_kernel_launch_update_add(dpa, NULL, 0, NULL, 0, 129, KIT_FUNC(kernel),
						 1ull),
	       "129 threads", "needed: 1 to 128");
	MISUSE(INVALID_VALUE,
	       doca_dpa_kernel_launch_update_set(dpa, NULL, 0, NULL, 0, 1, KIT_FUNC(remote), 1ull),
	       "is not marked __dpa_global__", "those that are: kernel");
	T_OK(doca_dpa_mem_free(dpa, memory));
	kit_dpa_end(dpa);
}

MISUSE_CASE(threads)
{
	struct doca_dpa_eu_affinity *affinity;
	struct doca_dpa_thread *thread;
	struct doca_dpa_tg *group;
	unsigned int eu;
	uint32_t id;

	dpa = kit_dpa(KIT_DPU);
	T_OK(doca_dpa_thread_create(dpa, &thread));
	T_OK(doca_dpa_eu_affinity_create(dpa, &affinity));
	MISUSE(BAD_STATE, doca_dpa_thread_start(thread), "no function",
	       "doca_dpa_thread_set_func_arg()");
	MISUSE(BAD_STATE, doca_dpa_thread_get_id(thread, &id), "is not started",
	       "needed: one that is");
	MISUSE(BAD_STATE, doca_dpa_thread_stop(thread), "is not started",
	       "needed: one that is started");
	MISUSE(BAD_STATE, doca_dpa_thread_run(thread), "is not started",
	       "needed: one that is started");
	MISUSE(INVALID_VALUE, doca_dpa_eu_affinity_set(affinity, 1u << 20), "unit 1048576",
	       "needed: one of 256");
	MISUSE(INVALID_VALUE, doca_dpa_eu_affinity_get(affinity, &eu), "no unit is set",
	       "doca_dpa_eu_affinity_set()");
	MISUSE(INVALID_VALUE, doca_dpa_thread_set_affinity(thread, affinity), "it names no unit",
	       "doca_dpa_eu_affinity_set()");
	MISUSE(INVALID_VALUE, doca_dpa_thread_group_create(dpa, 0, &group), "0 threads",
	       "needed: 1 to");
	T_OK(doca_dpa_thread_group_create(dpa, 1, &group));
	MISUSE(INVALID_VALUE, doca_dpa_thread_group_set_thread(group, thread, 1), "rank 1;",
	       "needed: one of 0 to 0");
	MISUSE(BAD_STATE, doca_dpa_thread_group_start(group), "rank 0 of 1 has no thread",
	       "needed: a started one");
	MISUSE(BAD_STATE, doca_dpa_thread_group_stop(group), "the group is not started",
	       "needed: one that is");
	T_OK(doca_dpa_thread_group_set_thread(group, thread, 0));
	MISUSE(BAD_STATE, doca_dpa_thread_group_set_thread(group, thread, 0), "in a group already",
	       "needed: a free one");
	T_OK(doca_dpa_thread_set_func_arg(thread, KIT_FUNC(kernel), 0));
	T_OK(doca_dpa_thread_start(thread));
	MISUSE(BAD_STATE, doca_dpa_thread_set_func_arg(thread, KIT_FUNC(kernel), 0), "is started",
	       "needed: one that is not");
	MISUSE(BAD_STATE, doca_dpa_thread_set_local_storage(thread, 8), "is started",
	       "needed: one that is not");
	MISUSE(BAD_STATE, doca_dpa_thread_run(thread), "nothing can trigger",
	       "attach a completion");
	MISUSE(IN_USE, doca_dpa_stop(dpa), "objects live in the context", "destroy them first");
	T_OK(doca_dpa_thread_group_destroy(group));
	T_OK(doca_dpa_eu_affinity_destroy(affinity));
	T_OK(doca_dpa_thread_stop(thread));
	T_OK(doca_dpa_thread_destroy(thread));
	kit_dpa_end(dpa);
}

MISUSE_CASE(completions)
{
	struct doca_dpa_notification_completion *notification;
	struct doca_dpa_completion *completion;
	doca_dpa_dev_completion_t handle;
	struct doca_dpa_hash_table *table;
	struct doca_dpa_thread *thread;

	dpa = kit_dpa(KIT_DPU);
	thread = kit_thread(dpa, KIT_FUNC(kernel), 0);
	MISUSE(INVALID_VALUE, doca_dpa_completion_create(dpa, 0, &completion), "0 elements",
	       "needed: 1 to");
	MISUSE(INVALID_VALUE, doca_dpa_hash_table_create(dpa, 0, &table), "0 elements",
	       "needed: 1 to");
	T_OK(doca_dpa_completion_create(dpa, 4, &completion));
	MISUSE(BAD_STATE, doca_dpa_completion_stop(completion), "the completion is not started",
	       "doca_dpa_completion_start()");
	MISUSE(BAD_STATE, doca_dpa_completion_get_dpa_handle(completion, &handle),
	       "the completion is not started", "doca_dpa_completion_start()");
	T_OK(doca_dpa_completion_start(completion));
	MISUSE(BAD_STATE, doca_dpa_completion_start(completion), "the completion is started",
	       "needed: one that is not");
	MISUSE(BAD_STATE, doca_dpa_completion_set_thread(completion, thread),
	       "the completion is started", "before doca_dpa_completion_start()");
	T_OK(doca_dpa_completion_stop(completion));
	T_OK(doca_dpa_completion_destroy(completion));
	T_OK(doca_dpa_notification_completion_create(dpa, thread, &notification));
	MISUSE(BAD_STATE, doca_dpa_notification_completion_stop(notification), "is not started",
	       "doca_dpa_notification_completion_start()");
	T_OK(doca_dpa_notification_completion_start(notification));
	MISUSE(BAD_STATE, doca_dpa_notification_completion_start(notification), "is started",
	       "needed: one that is not");
	T_OK(doca_dpa_notification_completion_destroy(notification));
	T_OK(doca_dpa_thread_stop(thread));
	T_OK(doca_dpa_thread_destroy(thread));
	kit_dpa_end(dpa);
}
