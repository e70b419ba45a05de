/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomics on memory windows, for their tests: one window of the rig's owner and one reach to it, on
 * which everything is done. Tests that have another window or reach put it there.
 */
#ifndef TESTS_BUS_WINDOW_ATOMIC_KIT_H
#define TESTS_BUS_WINDOW_ATOMIC_KIT_H

#include "bus/window_rig.h"

#define LEN 8192

extern struct rig_window window;
extern struct sdpu_reach *reach;

/* The memory of each is such that this way is taken. */
struct way {
	const char *force;
	enum rig_memory memory;
};
#define NUM_WAYS 9
extern const struct way ways[NUM_WAYS];

/* With an owner of the rig: a window, and a reach to it by its key. */
void for_each_way(void (*check)(const struct way *way));
void import(void);

/* The first word of the window that is aligned. */
uint64_t word(void);
/* To its end, within 10 s. */
doca_error_t run(struct sdpu_atomic *atomic);
doca_error_t operate_on(struct sdpu_reach *on, enum sdpu_atomic_kind kind, uint64_t addr,
			uint64_t operand, uint64_t compare, uint64_t *result);
/* With operand 1, when what it finds does not matter. */
doca_error_t operate(enum sdpu_atomic_kind kind, uint64_t addr);
/* Of that word; they succeed. */
uint64_t load(void);
void store(uint64_t value);

#endif
