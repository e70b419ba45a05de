/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A process that owns memory and windows on it, and does what the test tells it to. The test is the
 * importer. Start it before the test uses the library. Whatever fails in the owner fails the test
 * at the next question.
 */
#ifndef TESTS_BUS_WINDOW_RIG_H
#define TESTS_BUS_WINDOW_RIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bus/window.h"

enum rig_memory {
	RIG_HEAP,
	RIG_STACK,
	RIG_STATIC,
	RIG_PRIVATE, /* mapped, private */
	RIG_SHARED,  /* sealed memory file, mapped in two adjacent pieces, from the middle of a page
		      */
	RIG_UNSEALED, /* memory file that may shrink */
	RIG_READABLE, /* sealed so that nobody else can write it */
};

/* Longest stack and static memory. */
#define RIG_SMALL 70000

/* What the owner answers. */
struct rig_window {
	uint64_t addr;
	uint64_t len;
	uint8_t key[SDPU_KEY_SIZE];
	char endpoint[SDPU_ENDPOINT_MAX];
};

/* Seconds and the like are in t.h; this is what permissions most tests use. */
#define RIG_PERMS (DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE)

/* Starts the owner, then our own agent. */
pid_t rig_start(void);
/* Ends the owner in order, which must exit with 0. */
void rig_stop(void);

/* The owner makes its one window, over memory filled with rig_pattern(seed 1). */
void rig_window(enum rig_memory memory, size_t len, uint32_t perms, struct rig_window *window);
/* The owner grants it to us; the reach is opened with what it sends. */
doca_error_t rig_grant(struct sdpu_reach **reach);
/* False: the owner waited 100 ms for us in vain, as it may on a busy machine, and said so. */
bool rig_revoke(void);
bool rig_destroy(void);
void rig_unmap(void); /* the memory, under its window */
void rig_fill(uint32_t seed);
/* The owner sees rig_pattern(seed) at [from, from + len) of its memory. */
void rig_expect(uint32_t seed, size_t from, size_t len);
uint32_t rig_num_fds(void);
/* The owner's own, on its window. */
doca_error_t rig_atomic(struct sdpu_atomic *atomic);
/* It adds 1 so many times; until the wait it hears nothing else. */
void rig_add_start(uint64_t addr, uint32_t times);
doca_error_t rig_add_wait(void);

uint8_t rig_pattern(uint32_t seed, size_t at);
void rig_pattern_fill(uint32_t seed, size_t from, void *to, size_t len);

/* Runs a copy to its end, within 10 s. */
doca_error_t rig_copy(struct sdpu_reach *reach, enum sdpu_copy_direction direction, uint64_t addr,
		      void *local, size_t len);
doca_error_t rig_copy_run(struct sdpu_copy *copy);

/* Forces a kind for reaches opened from now on. */
void rig_force(const char *kind);
extern const char *const rig_kinds[4];

/* Descriptors that this process has open. */

#endif
