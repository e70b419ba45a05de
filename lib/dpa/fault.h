/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Signals: faults in kernels, and the signal by which kernels are killed. The handlers are the
 * process's; they are installed at the first start of a DPA context and stay. A fault that is not a
 * kernel's goes to the handler that the program had, or has the effect that it had before.
 */
#ifndef SDPU_DPA_FAULT_H
#define SDPU_DPA_FAULT_H

#include <doca_error.h>

#include "dpa/strand.h"

/* Bytes at strand->signal_stack: what the unwinder needs. */
#define DPA_SIGNAL_STACK ((size_t)64 << 10)

/* DRIVER (logged): the program has taken all real-time signals. */
doca_error_t dpa_fault_install(void);

/* On the strand, when it begins and ends: which signals it takes, and on what stack. */
void dpa_fault_enter(struct sdpu_dpa_strand *strand);
void dpa_fault_leave(struct sdpu_dpa_strand *strand);
/* After a kernel was left from within a handler. */
void dpa_fault_unmask(void);

/* Makes the kernel on the strand look at `killed`. The strand exists. */
void dpa_fault_interrupt(const struct sdpu_dpa_strand *strand);

#endif
