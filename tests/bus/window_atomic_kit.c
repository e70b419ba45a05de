/* SPDX-License-Identifier: BSD-3-Clause */
#include "bus/window_atomic_kit.h"

#include "t.h"

struct rig_window window;
struct sdpu_reach *reach;

uint64_t word(void)
{
	return (window.addr + 7) / 8 * 8;
}

doca_error_t run(struct sdpu_atomic *atomic)
{
	doca_error_t result;

	T_EVENTUALLY((result = sdpu_atomic_run(atomic)) != DOCA_ERROR_IN_PROGRESS, 10000);
	return result;
}

doca_error_t operate_on(struct sdpu_reach *on, enum sdpu_atomic_kind kind, uint64_t addr,
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

doca_error_t operate(enum sdpu_atomic_kind kind, uint64_t addr)
{
	uint64_t result;

	return operate_on(reach, kind, addr, 1, 0, &result);
}

uint64_t load(void)
{
	uint64_t result;

	T_OK(operate_on(reach, SDPU_ATOMIC_LOAD, word(), 0, 0, &result));
	return result;
}

void store(uint64_t value)
{
	uint64_t result;

	T_OK(operate_on(reach, SDPU_ATOMIC_STORE, word(), value, 0, &result));
}

void import(void)
{
	T_OK(sdpu_reach_import("test", window.endpoint, window.key, &reach));
}

const struct way ways[NUM_WAYS] = {
	{"mapped", RIG_SHARED}, {"cross", RIG_HEAP},	  {"handed", RIG_PRIVATE},
	{"served", RIG_STATIC}, {"cross", RIG_SHARED},	  {"handed", RIG_SHARED},
	{"served", RIG_SHARED}, {"mapped", RIG_READABLE}, {"served", RIG_UNSEALED},
};

void for_each_way(void (*check)(const struct way *way))
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
