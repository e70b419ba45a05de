/* SPDX-License-Identifier: BSD-3-Clause
 *
 * doca_dma.h, function by function: arguments, states, capabilities.
 */
#include <string.h>

#include "core/kit.h"
#include "dma/rig.h"

static struct rig rig;
static uint8_t memory[4096];

static void nothing(struct doca_dma_task_memcpy *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	(void)task;
	(void)task_data;
	(void)ctx_data;
}

T_CASE(null_is_refused)
{
	const union doca_data none = {.u64 = 0};
	struct doca_devinfo *devinfo;
	struct doca_dma_task_memcpy *task = NULL;
	struct doca_gpu_dma *gpu;
	struct doca_dma *dma = NULL;
	uint64_t size;
	uint32_t num;

	rig_open(&rig);
	devinfo = doca_dev_as_devinfo(rig.dev);
	T_ERR(doca_dma_create(NULL, &dma), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dma_create(rig.dev, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dma_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	T_EQ(doca_dma_as_ctx(NULL), 0);
	T_ERR(doca_dma_cap_task_memcpy_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dma_cap_task_memcpy_get_max_buf_size(NULL, &size), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dma_cap_task_memcpy_get_max_buf_size(devinfo, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dma_cap_task_memcpy_get_max_buf_list_len(NULL, &num), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dma_cap_task_memcpy_get_max_buf_list_len(devinfo, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dma_cap_get_max_num_tasks(NULL, &num), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dma_cap_get_max_num_tasks(rig.dma, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dma_task_memcpy_set_conf(NULL, nothing, nothing, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dma_task_memcpy_set_conf(rig.dma, NULL, nothing, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dma_task_memcpy_set_conf(rig.dma, nothing, NULL, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dma_task_memcpy_alloc_init(NULL, NULL, NULL, none, &task),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dma_task_memcpy_alloc_init(rig.dma, NULL, NULL, none, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_EQ(doca_dma_task_memcpy_as_task(NULL), 0);
	doca_dma_task_memcpy_set_src(NULL, NULL);
	doca_dma_task_memcpy_set_dst(NULL, NULL);
	T_EQ(doca_dma_task_memcpy_get_src(NULL), 0);
	T_EQ(doca_dma_task_memcpy_get_dst(NULL), 0);
	T_ERR(doca_dma_set_ordered_completions(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dma_get_gpu_handle(NULL, &gpu), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dma_get_gpu_handle(rig.dma, NULL), DOCA_ERROR_INVALID_VALUE);
	T_EQ(dma, 0);
	T_EQ(task, 0);
	rig_close(&rig);
}

T_CASE(capabilities)
{
	struct doca_devinfo **list;
	uint32_t num, length;
	uint64_t size;

	T_OK(doca_devinfo_create_list(&list, &num));
	for (uint32_t i = 0; i < num; i++) {
		T_OK(doca_dma_cap_task_memcpy_is_supported(list[i]));
		T_OK(doca_dma_cap_task_memcpy_get_max_buf_size(list[i], &size));
		T_EQ(size, 2ll << 30);
		T_OK(doca_dma_cap_task_memcpy_get_max_buf_list_len(list[i], &length));
		T_EQ(length, 64);
	}
	T_OK(doca_devinfo_destroy_list(list));
	rig_open(&rig);
	T_OK(doca_dma_cap_get_max_num_tasks(rig.dma, &num));
	T_EQ(num, 65536);
	T_OK(doca_dma_task_memcpy_set_conf(rig.dma, nothing, nothing, num));
	T_ERR(doca_dma_task_memcpy_set_conf(rig.dma, nothing, nothing, num + 1),
	      DOCA_ERROR_INVALID_VALUE);
	rig_close(&rig);
}

T_CASE(a_topology_shrinks_the_limits)
{
	uint32_t num, length;
	uint64_t size;

	kit_topology("{\"limits\": {\"dma_max_tasks\": 3, \"dma_max_buf_size\": 100, "
		     "\"dma_max_list\": 2}}");
	rig.num_tasks = 3;
	rig_open(&rig);
	T_OK(doca_dma_cap_get_max_num_tasks(rig.dma, &num));
	T_EQ(num, 3);
	T_OK(doca_dma_cap_task_memcpy_get_max_buf_size(doca_dev_as_devinfo(rig.dev), &size));
	T_EQ(size, 100);
	T_OK(doca_dma_cap_task_memcpy_get_max_buf_list_len(doca_dev_as_devinfo(rig.dev), &length));
	T_EQ(length, 2);
	T_ERR(doca_dma_task_memcpy_set_conf(rig.dma, nothing, nothing, 4),
	      DOCA_ERROR_INVALID_VALUE);
	rig_close(&rig);
}

T_CASE(configuration_is_for_idle)
{
	rig_open(&rig);
	T_ERR(doca_dma_task_memcpy_set_conf(rig.dma, nothing, nothing, 0),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_dma_set_ordered_completions(rig.dma, 1));
	T_OK(doca_dma_set_ordered_completions(rig.dma, 0));
	T_OK(doca_ctx_start(rig.ctx));
	T_ERR(doca_dma_task_memcpy_set_conf(rig.dma, nothing, nothing, 1), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dma_set_ordered_completions(rig.dma, 1), DOCA_ERROR_BAD_STATE);
	rig_close(&rig);
}

T_CASE(start_needs_an_engine_and_tasks)
{
	struct doca_dma *dma;

	rig_open(&rig);
	T_OK(doca_dma_create(rig.dev, &dma));
	T_ERR(doca_ctx_start(doca_dma_as_ctx(dma)), DOCA_ERROR_NOT_CONNECTED);
	T_OK(doca_pe_connect_ctx(rig.pe, doca_dma_as_ctx(dma)));
	kit_log();
	T_ERR(doca_ctx_start(doca_dma_as_ctx(dma)), DOCA_ERROR_BAD_CONFIG);
	T_CONTAINS(kit_log(), "doca_dma_task_memcpy_set_conf");
	T_OK(doca_dma_destroy(dma));
	rig_close(&rig);
}

/* Rules 1, 9: start and stop are synchronous, destroy is for IDLE, and a start may follow. */
T_CASE(start_stop_destroy)
{
	rig_open(&rig);
	for (uint32_t i = 0; i < 3; i++) {
		T_OK(doca_ctx_start(rig.ctx));
		T_EQ(rig_state(&rig), DOCA_CTX_STATE_RUNNING);
		T_ERR(doca_dma_destroy(rig.dma), DOCA_ERROR_IN_USE);
		T_OK(doca_ctx_stop(rig.ctx));
		T_EQ(rig_state(&rig), DOCA_CTX_STATE_IDLE);
		T_OK(doca_ctx_stop(rig.ctx));
		T_EQ(rig.num_states, 3);
		rig.num_states = 0;
	}
	rig_close(&rig);
}

T_CASE(tasks_come_from_a_running_pool)
{
	const union doca_data none = {.u64 = 0};
	struct doca_dma_task_memcpy *tasks[3], *more = NULL;

	rig.num_tasks = 3;
	rig_open(&rig);
	T_ERR(doca_dma_task_memcpy_alloc_init(rig.dma, NULL, NULL, none, &more),
	      DOCA_ERROR_BAD_STATE);
	T_OK(doca_ctx_start(rig.ctx));
	for (int i = 0; i < 3; i++)
		tasks[i] = rig_task(&rig, NULL, NULL, 0);
	T_ERR(doca_dma_task_memcpy_alloc_init(rig.dma, NULL, NULL, none, &more),
	      DOCA_ERROR_NO_MEMORY);
	T_EQ(more, 0);
	doca_task_free(doca_dma_task_memcpy_as_task(tasks[1]));
	tasks[1] = rig_task(&rig, NULL, NULL, 0);
	T_ERR(doca_ctx_stop(rig.ctx), DOCA_ERROR_IN_PROGRESS);
	T_ERR(doca_dma_task_memcpy_alloc_init(rig.dma, NULL, NULL, none, &more),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_task_submit(doca_dma_task_memcpy_as_task(tasks[0])), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dma_destroy(rig.dma), DOCA_ERROR_IN_USE);
	for (int i = 0; i < 3; i++)
		doca_task_free(doca_dma_task_memcpy_as_task(tasks[i]));
	rig_close(&rig);
}

T_CASE(task_accessors)
{
	struct doca_mmap *mmap;
	struct doca_buf *src, *dst;
	struct doca_dma_task_memcpy *task;
	struct doca_task *base;

	rig_start(&rig);
	mmap = kit_mmap(rig.dev, memory, sizeof(memory), 0);
	src = rig_data(&rig, mmap, memory, 10);
	dst = rig_room(&rig, mmap, memory + 100, 10);
	task = rig_task(&rig, src, NULL, 77);
	base = doca_dma_task_memcpy_as_task(task);
	T_EQ(base, task);
	T_EQ(doca_dma_task_memcpy_get_src(task), src);
	T_EQ(doca_dma_task_memcpy_get_dst(task), 0);
	doca_dma_task_memcpy_set_src(task, NULL);
	doca_dma_task_memcpy_set_dst(task, dst);
	T_EQ(doca_dma_task_memcpy_get_src(task), 0);
	T_EQ(doca_dma_task_memcpy_get_dst(task), dst);
	T_EQ(doca_task_get_ctx(base), rig.ctx);
	T_EQ(doca_task_get_user_data(base).u64, 77);
	doca_dma_task_memcpy_set_src(task, src);
	T_OK(doca_task_submit(base));
	T_ERR(doca_task_submit(base), DOCA_ERROR_BAD_STATE);
	RIG_UNTIL(&rig, rig.ok == 1);
	T_EQ(rig.numbers[0], 77);
	T_OK(doca_mmap_destroy(mmap));
	rig_close(&rig);
}

T_CASE(device_data_path)
{
	struct doca_gpu_dma *gpu = NULL;

	rig_start(&rig);
	T_ERR(doca_dma_get_gpu_handle(rig.dma, &gpu), DOCA_ERROR_BAD_STATE);
	T_EQ(gpu, 0);
	rig_close(&rig);
}

static void in_child(void)
{
	struct doca_dma *dma;

	T_ERR(doca_dma_create(rig.dev, &dma), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dma_destroy(rig.dma), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_ctx_start(rig.ctx), DOCA_ERROR_BAD_STATE);
}

T_CASE(a_forked_child_is_inert)
{
	rig_open(&rig);
	kit_in_child(in_child);
	rig_close(&rig);
}
