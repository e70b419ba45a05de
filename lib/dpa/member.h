/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What objects that live in a DPA context have in common: completions and queues of asynchronous
 * operations, which are started and stopped, and hash tables. No state of its own; the host's
 * thread. Contract of the context's side in dpa.h.
 */
#ifndef SDPU_DPA_MEMBER_H
#define SDPU_DPA_MEMBER_H

#include <stdint.h>

#include <doca_dpa.h>

#define DPA_QUEUE_MAX (1u << 20) /* elements of any queue */

/* IDLE -> start -> STARTED -> stop -> IDLE; destroy from both. */
enum dpa_member_state { DPA_MEMBER_IDLE, DPA_MEMBER_STARTED };

/* For calls that need it started. BAD_STATE: it is not (`refusal` is logged: what it is, and what
 * starts it), or its context is destroyed (logged). */
doca_error_t dpa_member_check_started(enum dpa_member_state state, const struct doca_dpa *dpa,
				      const char *call, const char *refusal);

/* A queue's size: rounded up to a power of two. INVALID_VALUE (logged): 0, or more than
 * DPA_QUEUE_MAX. */
doca_error_t dpa_queue_size(const char *call, unsigned int asked, uint32_t *size);

#endif
