/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Running a kernel on a strand. By the strand.
 */
#ifndef SDPU_DPA_STRAND_RUN_H
#define SDPU_DPA_STRAND_RUN_H

#include "dpa/strand.h"

/* What the strand is for, in the job that begins. */
void dpa_strand_set_role(struct sdpu_dpa_strand *strand, struct doca_dpa_thread *thread,
			 uint32_t rank, uint32_t num_threads);

/* From here on it is a kernel that runs, for whoever waits for those or watches them. */
void dpa_strand_begin(struct sdpu_dpa_strand *strand, const struct softdpu_dpa_kernel *kernel);
/* Begun before: to its end, whatever that is; what went wrong has been reported, and the context is
 * FATAL then. frame: of kernel->pack. */
enum sdpu_dpa_end dpa_strand_finish(struct sdpu_dpa_strand *strand, const void *frame);
/* Both. */
enum sdpu_dpa_end dpa_strand_run(struct sdpu_dpa_strand *strand,
				 const struct softdpu_dpa_kernel *kernel, const void *frame);

/* In a signal handler, or in place of one (info NULL): where the kernel is. Does nothing the second
 * time. */
void dpa_strand_note(struct sdpu_dpa_strand *strand, const void *pc, const siginfo_t *info);

#endif
