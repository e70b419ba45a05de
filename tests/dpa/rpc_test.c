/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions that the host calls on a DPA.
 */
#include <pthread.h>

#include <doca_dpa_dev.h>

#include "dpa/kit.h"

KIT_RPC(twice)
{
	return 2 * arg;
}

KIT_RPC(my_rank)
{
	return doca_dpa_dev_thread_rank() * 100 + doca_dpa_dev_num_threads();
}

KIT_GLOBAL(global)
{
}

KIT_RPC(its_thread)
{
	return (uint64_t)pthread_self();
}

static void no_kernel(void)
{
}

T_CASE(returns_what_the_function_returns)
{
	struct doca_dpa *dpa = kit_dpa(KIT_DPU);

	T_EQ(kit_rpc(dpa, KIT_FUNC(twice), 21), 42);
	T_EQ(kit_rpc(dpa, KIT_FUNC(twice), UINT64_MAX), UINT64_MAX - 1);
	T_EQ(kit_rpc(dpa, KIT_FUNC(my_rank), 0), 1);
	kit_dpa_end(dpa);
}

T_CASE(runs_on_a_thread_of_the_dpa)
{
	struct doca_dpa *dpa = kit_dpa(KIT_HOST);
	uint64_t thread = kit_rpc(dpa, KIT_FUNC(its_thread), 0);

	T_CHECK(thread != (uint64_t)pthread_self());
	/* and the same one serves again */
	T_EQ(kit_rpc(dpa, KIT_FUNC(its_thread), 0), thread);
	kit_dpa_end(dpa);
}

static void *call_often(void *arg)
{
	for (uint64_t i = 0; i < 200; i++)
		T_EQ(kit_rpc(arg, KIT_FUNC(twice), i), 2 * i);
	return NULL;
}

T_CASE(several_host_threads_call_at_once)
{
	struct doca_dpa *dpa = kit_dpa(KIT_DPU);
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		T_EQ(pthread_create(&threads[i], NULL, call_often, dpa), 0);
	for (int i = 0; i < 4; i++)
		T_EQ(pthread_join(threads[i], NULL), 0);
	kit_dpa_end(dpa);
}

T_CASE(refusals)
{
	struct doca_dpa *dpa = kit_dpa(KIT_DPU);
	uint64_t result = 7;

	kit_log();
	T_ERR(doca_dpa_rpc(NULL, KIT_FUNC(twice), &result, 1ull), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_rpc(dpa, NULL, &result, 1ull), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_dpa_rpc(dpa, KIT_FUNC(twice), NULL, 1ull), DOCA_ERROR_INVALID_VALUE);
	T_EQ(kit_log_lines(kit_log()), 3);
	T_ERR(doca_dpa_rpc(dpa, KIT_FUNC(no_kernel), &result, 1ull), DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(kit_log(), "those that are: twice, my_rank, its_thread");
	T_ERR(doca_dpa_rpc(dpa, KIT_FUNC(global), &result, 1ull), DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(kit_log(), "function global is not marked __dpa_rpc__ in program kit_app");
	T_OK(doca_dpa_stop(dpa));
	T_ERR(doca_dpa_rpc(dpa, KIT_FUNC(twice), &result, 1ull), DOCA_ERROR_BAD_STATE);
	T_CONTAINS(kit_log(), "doca_dpa_rpc: the DPA context is not started");
	T_EQ(result, 7);
	kit_dpa_end(dpa);
}
