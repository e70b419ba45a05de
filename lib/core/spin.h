/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Spinning, as the engine does it; contract in pe.h. The state is the thread's own.
 */
#ifndef SDPU_CORE_SPIN_H
#define SDPU_CORE_SPIN_H

#include <stdint.h>

#include "base/compiler.h"

struct sdpu_spin {
	uint32_t empty;	   /* in a row */
	uint32_t patience; /* empty ones until the next yield */
	uint32_t first;	   /* the same, after work */
	/* Since when, ns of the coarse clock: the first yield after work, or the last sleep. 0: not
	 * known yet. */
	uint64_t fruitless;
};

extern __thread struct sdpu_spin sdpu_spin __attribute__((tls_model("initial-exec")));

void sdpu_spin_yield(void);

/* As sdpu_spin_idle(). */
static inline void sdpu_spin_count(void)
{
	if (sdpu_unlikely(++sdpu_spin.empty >= sdpu_spin.patience))
		sdpu_spin_yield();
}

#endif
