/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Life, settings and capabilities of DPA contexts.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doca_dpa_dev.h>
#include <doca_sync_event.h>

#include "dpa/kit.h"

KIT_RPC(answer)
{
	return arg + 1;
}

KIT_RPC(choose)
{
	doca_dpa_dev_device_set(arg);
	return 1;
}

KIT_GLOBAL(thread_kernel)
{
}

static struct doca_dpa *made(struct doca_dev *dev)
{
	struct doca_dpa *dpa;

	T_OK(doca_dpa_create(dev, &dpa));
	return dpa;
}

T_CASE(every_device_has_one)
{
	struct doca_devinfo **list;
	uint32_t num;

	T_ERR(doca_dpa_cap_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_devinfo_create_list(&list, &num));
	for (uint32_t i = 0; i < num; i++)
		T_OK(doca_dpa_cap_is_supported(list[i]));
	T_OK(doca_devinfo_destroy_list(list));
}

T_CASE(a_device_without_cores_has_none)
{
	struct doca_dpa *dpa = NULL;
	struct doca_dev *dev;

	kit_topology("{\"limits\": {\"dpa_cores\": 0}}");
	dev = kit_open(KIT_DPU);
	T_ERR(doca_dpa_cap_is_supported(doca_dev_as_devinfo(dev)), DOCA_ERROR_NOT_SUPPORTED);
	kit_log();
	T_ERR(doca_dpa_create(dev, &dpa), DOCA_ERROR_NOT_SUPPORTED);
	T_CONTAINS(kit_log(), "device 0000:03:00.0 has no DPA");
	T_CHECK(dpa == NULL);
	T_OK(doca_dev_close(dev));
}

T_CASE(life)
{
	struct doca_dev *dev = kit_open(KIT_DPU);
	struct doca_dpa *dpa = made(dev);

	T_ERR(doca_dev_close(dev), DOCA_ERROR_IN_USE);
	T_OK(doca_dpa_peek_at_last_error(dpa));
	T_ERR(doca_dpa_start(dpa), DOCA_ERROR_BAD_STATE); /* no program */
	T_ERR(doca_dpa_stop(dpa), DOCA_ERROR_BAD_STATE);
	T_OK(doca_dpa_set_app(dpa, kit_app()));
	for (int i = 0; i < 3; i++) {
		T_OK(doca_dpa_start(dpa));
		T_ERR(doca_dpa_start(dpa), DOCA_ERROR_BAD_STATE);
		T_ERR(doca_dpa_set_app(dpa, kit_app()), DOCA_ERROR_BAD_STATE);
		T_EQ(kit_rpc(dpa, KIT_FUNC(answer), 1), 2);
		T_OK(doca_dpa_stop(dpa));
	}
	T_OK(doca_dpa_start(dpa));
	T_OK(doca_dpa_destroy(dpa)); /* which stops it */
	T_OK(doca_dev_close(dev));
	T_ERR(doca_dpa_create(NULL, &dpa), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_create(dev, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_start(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_stop(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_peek_at_last_error(NULL), DOCA_ERROR_INVALID_VALUE);
}

T_CASE(programs)
{
	struct doca_dev *dev = kit_open(KIT_DPU);
	struct doca_dpa *dpa = made(dev);
	struct doca_dpa_app other = {.magic = 1};
	struct doca_dpa_app *app = NULL;
	char name[16];
	uint32_t len = sizeof(name);

	T_ERR(doca_dpa_get_app(dpa, &app), DOCA_ERROR_INVALID_VALUE);
	kit_log();
	T_ERR(doca_dpa_set_app(dpa, &other), DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(kit_log(), "build the device code again");
	T_OK(doca_dpa_set_app(dpa, kit_app()));
	T_OK(doca_dpa_get_app(dpa, &app));
	T_CHECK(app == kit_app());
	T_OK(doca_dpa_app_get_name(app, name, &len));
	T_STREQ(name, "kit_app");
	T_EQ(len, 8);
	len = 7;
	kit_log();
	T_ERR(doca_dpa_app_get_name(app, name, &len), DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(kit_log(), "the buffer has 7 bytes; needed: 8");
	T_EQ(len, 7);
	T_ERR(doca_dpa_set_app(NULL, app), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_set_app(dpa, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_get_app(NULL, &app), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_get_app(dpa, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_app_get_name(NULL, name, &len), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_app_get_name(app, NULL, &len), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_app_get_name(app, name, NULL), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_dpa_destroy(dpa));
	T_OK(doca_dev_close(dev));
}

T_CASE(resources_are_those_of_the_topology)
{
	unsigned long long seconds;
	struct doca_dpa *dpa;
	unsigned int value;

	kit_topology("{\"limits\": {\"dpa_cores\": 3, \"dpa_eus_per_core\": 5, "
		     "\"dpa_max_threads_per_kernel\": 7, \"dpa_kernel_max_run_time\": 2}}");
	dpa = kit_dpa(KIT_DPU);
	T_OK(doca_dpa_get_core_num(dpa, &value));
	T_EQ(value, 3);
	T_OK(doca_dpa_get_num_eus_per_core(dpa, &value));
	T_EQ(value, 5);
	T_OK(doca_dpa_get_total_num_eus_available(dpa, &value));
	T_EQ(value, 15);
	T_OK(doca_dpa_get_max_threads_per_kernel(dpa, &value));
	T_EQ(value, 7);
	T_OK(doca_dpa_get_kernel_max_run_time(dpa, &seconds));
	T_EQ(seconds, 2);
	T_ERR(doca_dpa_get_core_num(NULL, &value), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_get_core_num(dpa, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_get_num_eus_per_core(NULL, &value), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_get_num_eus_per_core(dpa, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_get_total_num_eus_available(NULL, &value), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_get_total_num_eus_available(dpa, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_get_max_threads_per_kernel(NULL, &value), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_get_max_threads_per_kernel(dpa, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_get_kernel_max_run_time(NULL, &seconds), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_get_kernel_max_run_time(dpa, NULL), DOCA_ERROR_INVALID_VALUE);
	kit_dpa_end(dpa);
}

T_CASE(what_stands_against_stop_and_destroy)
{
	struct doca_dev *dev = kit_open(KIT_DPU);
	struct doca_dpa *dpa = made(dev);
	struct doca_dpa_thread *thread;

	T_OK(doca_dpa_set_app(dpa, kit_app()));
	T_OK(doca_dpa_thread_create(dpa, &thread)); /* before start */
	T_OK(doca_dpa_start(dpa));
	kit_log();
	T_ERR(doca_dpa_stop(dpa), DOCA_ERROR_IN_USE);
	T_CONTAINS(kit_log(), "doca_dpa_stop: 1 objects live in the context");
	T_OK(doca_dpa_thread_destroy(thread));
	T_OK(doca_dpa_stop(dpa));
	T_OK(doca_dpa_destroy(dpa));
	T_OK(doca_dev_close(dev));
}

T_CASE(what_is_left_of_a_destroyed_one_is_refused)
{
	struct doca_dpa *dpa = kit_dpa(KIT_DPU);
	struct doca_dpa_thread *thread = kit_thread(dpa, KIT_FUNC(thread_kernel), 0);
	struct doca_dpa_eu_affinity *affinity;
	struct doca_dpa_tg *group;

	T_OK(doca_dpa_eu_affinity_create(dpa, &affinity));
	T_OK(doca_dpa_thread_group_create(dpa, 1, &group));
	kit_dpa_end(dpa);
	kit_log();
	T_ERR(doca_dpa_thread_stop(thread), DOCA_ERROR_BAD_STATE);
	T_CONTAINS(kit_log(), "doca_dpa_thread_stop: the DPA context is destroyed");
	T_ERR(doca_dpa_thread_start(thread), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_thread_run(thread), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_thread_group_start(group), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_thread_group_stop(group), DOCA_ERROR_BAD_STATE);
	/* which they are told of, and are destroyed all the same */
	T_ERR(doca_dpa_thread_destroy(thread), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_eu_affinity_destroy(affinity), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_thread_group_destroy(group), DOCA_ERROR_BAD_STATE);
}

T_CASE(handles)
{
	struct doca_dpa *dpa = kit_dpa(KIT_DPU);
	doca_dpa_dev_t handle = 0;
	uint32_t uar;

	T_OK(doca_dpa_get_dpa_handle(dpa, &handle));
	T_CHECK(handle != 0);
	T_EQ(kit_rpc(dpa, KIT_FUNC(choose), handle), 1);
	T_OK(doca_dpa_get_uar_id(dpa, &uar));
	T_OK(doca_dpa_stop(dpa));
	T_ERR(doca_dpa_get_dpa_handle(dpa, &handle), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_get_uar_id(dpa, &uar), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_get_dpa_handle(NULL, &handle), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_get_dpa_handle(dpa, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_get_uar_id(NULL, &uar), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_get_uar_id(dpa, NULL), DOCA_ERROR_INVALID_VALUE);
	kit_dpa_end(dpa);
}

T_CASE(extended_contexts)
{
	struct doca_dpa *dpa = kit_dpa(KIT_DPU);
	struct doca_dev *other = kit_open(KIT_DPU_1), *host = kit_open(KIT_HOST);
	struct doca_dpa *extended = NULL, *more;
	struct doca_dpa_thread *thread;
	doca_dpa_dev_t handle;

	T_ERR(doca_dpa_device_extend(NULL, other, &extended), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_device_extend(dpa, NULL, &extended), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_device_extend(dpa, other, NULL), DOCA_ERROR_INVALID_VALUE);
	kit_log();
	T_ERR(doca_dpa_device_extend(dpa, host, &extended), DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(kit_log(), "it has another DPA");
	T_OK(doca_dpa_device_extend(dpa, other, &extended));
	T_ERR(doca_dpa_device_extend(extended, other, &more), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_set_log_level(extended, DOCA_DPA_DEV_LOG_LEVEL_DEBUG),
	      DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_dpa_stop(extended), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_start(extended), DOCA_ERROR_BAD_STATE);

	/* it runs the same program */
	T_EQ(kit_rpc(extended, KIT_FUNC(answer), 4), 5);
	T_OK(doca_dpa_get_dpa_handle(extended, &handle));
	T_EQ(kit_rpc(dpa, KIT_FUNC(choose), handle), 1);

	thread = kit_thread(extended, KIT_FUNC(thread_kernel), 0);
	kit_log();
	T_ERR(doca_dpa_destroy(extended), DOCA_ERROR_IN_USE);
	T_ERR(doca_dpa_destroy(dpa), DOCA_ERROR_IN_USE);
	T_CONTAINS(kit_log(), "by 1 contexts that extend it");
	T_ERR(doca_dpa_stop(dpa), DOCA_ERROR_IN_USE);
	T_OK(doca_dpa_thread_destroy(thread));
	T_OK(doca_dpa_destroy(extended));
	T_OK(doca_dpa_stop(dpa));
	T_ERR(doca_dpa_device_extend(dpa, other, &extended), DOCA_ERROR_BAD_STATE);
	kit_dpa_end(dpa);
	T_OK(doca_dev_close(other));
	T_OK(doca_dev_close(host));
}

static void in_child(void)
{
	struct doca_dev *dev = (struct doca_dev *)8;
	struct doca_dpa *dpa;

	T_ERR(doca_dpa_create(dev, &dpa), DOCA_ERROR_BAD_STATE);
}

static struct doca_dpa *inherited;

static void use_inherited(void)
{
	uint64_t result;

	T_ERR(doca_dpa_rpc(inherited, KIT_FUNC(answer), &result, 1ull), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_kernel_launch_update_set(inherited, NULL, 0, NULL, 0, 1,
						KIT_FUNC(thread_kernel), 0ull),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_stop(inherited), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_destroy(inherited), DOCA_ERROR_BAD_STATE);
}

T_CASE(a_forked_child_is_refused)
{
	inherited = kit_dpa(KIT_DPU);
	kit_in_child(in_child);
	kit_in_child(use_inherited);
	T_EQ(kit_rpc(inherited, KIT_FUNC(answer), 1), 2);
	kit_dpa_end(inherited);
}

T_CASE(many_contexts)
{
	struct doca_dpa *all[8];

	for (unsigned int i = 0; i < 8; i++)
		all[i] = kit_dpa(i % 2 ? KIT_DPU : KIT_HOST);
	for (unsigned int i = 0; i < 8; i++)
		T_EQ(kit_rpc(all[i], KIT_FUNC(answer), i), i + 1);
	for (unsigned int i = 0; i < 8; i++)
		kit_dpa_end(all[i]);
}
