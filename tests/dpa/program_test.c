/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that dpacc made, run by the library: what the host passes is what kernels get.
 */
#include "t.h"

#include <string.h>

#include <doca_dpa.h>
#include <doca_sync_event.h>

#include "core/kit.h"
#include "dpa/dpacc/arguments.h"

extern struct doca_dpa_app *arguments_app;
extern doca_dpa_func_t set_state, marked_before, get_state, add_small, add_real, add_structs, mixed;

static struct doca_dev *dev;
static struct doca_dpa *dpa;

static void open_dpa(void)
{
	dev = kit_open(KIT_DPU);
	T_OK(doca_dpa_create(dev, &dpa));
	T_OK(doca_dpa_set_app(dpa, arguments_app));
	T_OK(doca_dpa_start(dpa));
}

static void close_dpa(void)
{
	T_OK(doca_dpa_destroy(dpa));
	T_OK(doca_dev_close(dev));
}

/* In mixed(): the fourth parameter is a pointer to it, the fifth this function. */
static uint64_t add_thousand(uint64_t value)
{
	return value + 1000;
}

T_CASE(arguments_of_rpcs)
{
	const point_t point = {.x = -10, .y = 30.5};
	const struct packed packed = {.tag = 3, .value = 1ull << 40};
	const struct large large = {.words = {[0] = 100, [119] = 200}};
	static const uint32_t array[] = {1, 2};
	uint64_t got;

	open_dpa();
	T_OK(doca_dpa_rpc(dpa, add_small, &got, 200, -100, 60000, -30000, true, 'a'));
	T_EQ(got, 30198);
	T_OK(doca_dpa_rpc(dpa, add_real, &got, 1.5f, 2.5, 3.5f));
	T_EQ(got, 1785);
	T_OK(doca_dpa_rpc(dpa, add_structs, &got, point, packed, large));
	T_EQ(got, (1ull << 40) + 323);
	T_OK(doca_dpa_rpc(dpa, mixed, &got, UINT64_C(10), GREEN, packed, array, add_thousand, 5u));
	T_EQ(got, 1025);
	close_dpa();
}

T_CASE(arguments_of_launches)
{
	struct doca_sync_event *event;
	uint64_t got;

	open_dpa();
	T_OK(doca_sync_event_create(&event));
	T_OK(doca_sync_event_add_publisher_location_dpa(event, dpa));
	T_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
	T_OK(doca_sync_event_start(event));
	T_OK(doca_dpa_kernel_launch_update_add(dpa, NULL, 0, event, 1, 1, set_state, UINT64_C(41)));
	T_OK(doca_sync_event_wait_gt(event, 0, UINT64_MAX));
	T_OK(doca_dpa_rpc(dpa, get_state, &got));
	T_EQ(got, 42);
	T_OK(doca_dpa_kernel_launch_update_add(dpa, NULL, 0, event, 1, 1, marked_before,
					       UINT64_C(41)));
	T_OK(doca_sync_event_wait_gt(event, 1, UINT64_MAX));
	T_OK(doca_dpa_rpc(dpa, get_state, &got));
	T_EQ(got, 48);
	T_OK(doca_sync_event_stop(event));
	T_OK(doca_sync_event_destroy(event));
	close_dpa();
}

T_CASE(name_of_the_program)
{
	char name[32];
	uint32_t len = sizeof(name);

	T_OK(doca_dpa_app_get_name(arguments_app, name, &len));
	T_STREQ(name, "arguments_app");
	T_EQ(len, strlen(name) + 1);
}

T_CASE(functions_of_the_wrong_kind)
{
	uint64_t got;

	open_dpa();
	T_ERR(doca_dpa_rpc(dpa, set_state, &got, UINT64_C(1)), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_kernel_launch_update_set(dpa, NULL, 0, NULL, 0, 1, get_state),
	      DOCA_ERROR_INVALID_VALUE);
	close_dpa();
}
