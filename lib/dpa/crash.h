/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Crash report: what a kernel that failed leaves behind, one line of the log and a file. Written by
 * the strand that ran the kernel, after leaving it; several may do so at the same time.
 */
#ifndef SDPU_DPA_CRASH_H
#define SDPU_DPA_CRASH_H

#include "dpa/strand.h"

void dpa_crash_report(const struct sdpu_dpa_strand *strand);

/* What the strand does: "thread 3", "thread 0 of 4 of a launch", "an RPC". */
void dpa_crash_describe(const struct sdpu_dpa_strand *strand, char *text, size_t size);

#endif
