/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The system's way to sleep on a word and to wake who does; among threads of this process.
 */
#ifndef SDPU_DPA_FUTEX_H
#define SDPU_DPA_FUTEX_H

#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* While *word is `value`; may come back for no reason. */
static inline void dpa_futex_wait(uint32_t *word, uint32_t value)
{
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static inline void dpa_futex_wake(uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

#endif
