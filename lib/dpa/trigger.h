/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Trigger: what makes a DPA thread run its kernel once more; embedded in each completion that can
 * be attached to one. Owner: the completion. Attach and detach by the host's thread; raise by any;
 * `due` is asked by the thread's strand, while its kernel does not run.
 *
 * A strand that finds nothing due polls for a while and then sleeps. Who raises: publish; full
 * fence [F1]; read `asleep`; wake if it is set. Strand: asleep = 1; full fence [F2]; ask all
 * triggers again; sleep if none is due. F1 pairs with F2, as in bus/bell.h. The word exists while
 * the DPA context is started, so that a late raise, after detach, does no harm.
 */
#ifndef SDPU_DPA_TRIGGER_H
#define SDPU_DPA_TRIGGER_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_dpa.h>

#include "base/atomic.h"
#include "base/compiler.h"
#include "base/list.h"

struct sdpu_dpa_trigger {
	/* Is it armed, and is there something? True: it is disarmed, and the kernel runs once. */
	bool (*due)(struct sdpu_dpa_trigger *trigger);
	struct doca_dpa_thread *thread; /* NULL: not attached; device code polls */
	uint32_t *asleep;		/* of its strand; NULL: not attached. Atomic */
	struct sdpu_list node;
};

/* Zeroed but for `due`. BAD_STATE (logged, `call` names the function): the thread is not started,
 * or its context is not running. */
SDPU_SHARED doca_error_t sdpu_dpa_trigger_attach(struct sdpu_dpa_trigger *trigger,
						 struct doca_dpa_thread *thread, const char *call);
/* Afterwards no strand looks at it. A kernel that it has triggered counts as running
 * (sdpu_dpa_drain() waits for it). Harmless when it is not attached (zeroed). */
SDPU_SHARED void sdpu_dpa_trigger_detach(struct sdpu_dpa_trigger *trigger);
/* As sdpu_dpa_drain(), including the kernel that it has triggered last. */
SDPU_SHARED void sdpu_dpa_trigger_drain(struct sdpu_dpa_trigger *trigger, struct doca_dpa *dpa);

SDPU_SHARED void sdpu_dpa_thread_wake(uint32_t *asleep) __attribute__((cold));

/* After a publish with full fence (F1). */
static inline void sdpu_dpa_trigger_raise(struct sdpu_dpa_trigger *trigger)
{
	uint32_t *asleep = sdpu_load(&trigger->asleep);

	if (asleep != NULL && sdpu_unlikely(sdpu_load(asleep) != 0))
		sdpu_dpa_thread_wake(asleep);
}

#endif
