/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sleeping on a word and waking the sleepers, among threads of this process.
 */
#ifndef SDPU_DPA_FUTEX_H
#define SDPU_DPA_FUTEX_H

#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Sleeps while *word is `value`; may return early. */
static inline void dpa_futex_wait(uint32_t *word, uint32_t value)
{
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static inline void dpa_futex_wake(uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

#endif
