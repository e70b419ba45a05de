/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The frame below a kernel, and the ways back to it; contract in strand.h.
 */
#include "dpa/strand_run.h"

#include <execinfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "dpa/crash.h"
#include "dpa/dpa_object.h"
#include "dpa/fault.h"

__thread struct sdpu_dpa_strand *sdpu_dpa_strand_current __attribute__((tls_model("initial-exec")));

void dpa_strand_set_role(struct sdpu_dpa_strand *strand, struct doca_dpa_thread *thread,
			 uint32_t rank, uint32_t num_threads)
{
	strand->thread = thread;
	strand->rank = rank;
	strand->num_threads = num_threads;
}

void sdpu_dpa_strand_end(struct sdpu_dpa_strand *strand, enum sdpu_dpa_end end)
{
	longjmp(strand->frame, (int)end); /* not _longjmp(), which ThreadSanitizer does not know */
}

void sdpu_dpa_strand_missing(const char *call)
{
	sdpu_log_crit("%s: called outside of a kernel; only code that a DPA runs may call it",
		      call);
	abort();
}

/*
 * A jump may come at any instruction between the two stores to `current`, later ones than that of
 * the end included; each leads to the end once more.
 */
__attribute__((noinline)) static enum sdpu_dpa_end run_framed(struct sdpu_dpa_strand *strand,
							      const void *frame)
{
	int end = _setjmp(strand->frame);

	if (end == SDPU_DPA_END_RETURN) {
		sdpu_dpa_strand_current = strand;
		sdpu_compiler_barrier();
		sdpu_dpa_strand_check(strand);
		strand->result = strand->kernel->call(frame);
	}
	sdpu_compiler_barrier();
	sdpu_dpa_strand_current = NULL;
	return (enum sdpu_dpa_end)end;
}

/* The kernel was left by a jump. */
static void strand_settle(struct sdpu_dpa_strand *strand, enum sdpu_dpa_end end)
{
	dpa_fault_unmask();
	sdpu_mmap_unpin(&strand->pins);
	if (end == SDPU_DPA_END_KILL && sdpu_load(&strand->overdue) == 0)
		return;
	dpa_crash_report(strand);
	dpa_fail(strand->dpa);
}

void dpa_strand_begin(struct sdpu_dpa_strand *strand, const struct softdpu_dpa_kernel *kernel)
{
	sdpu_store(&strand->kernel, kernel);
	strand->result = 0;
	strand->fault.present = false;
	/* release: pairs with the watchdog's acquire; the kernel's name is seen */
	sdpu_store_release(&strand->turn, strand->turn + 1);
}

enum sdpu_dpa_end dpa_strand_finish(struct sdpu_dpa_strand *strand, const void *frame)
{
	enum sdpu_dpa_end end = run_framed(strand, frame);

	strand->guard = 0;
	sdpu_store_release(&strand->turn, strand->turn + 1);
	if (sdpu_unlikely(end == SDPU_DPA_END_KILL || end == SDPU_DPA_END_FAULT))
		strand_settle(strand, end);
	return end;
}

enum sdpu_dpa_end dpa_strand_run(struct sdpu_dpa_strand *strand,
				 const struct softdpu_dpa_kernel *kernel, const void *frame)
{
	dpa_strand_begin(strand, kernel);
	return dpa_strand_finish(strand, frame);
}

void dpa_strand_note(struct sdpu_dpa_strand *strand, const void *pc, const siginfo_t *info)
{
	struct sdpu_dpa_fault *fault = &strand->fault;

	if (fault->present)
		return;
	/* First, as the stack may be broken, and reading it may fault again. */
	fault->present = true;
	fault->pc = pc;
	fault->depth = 0;
	fault->signal = info == NULL ? 0 : info->si_signo;
	fault->code = info == NULL ? 0 : info->si_code;
	fault->address = info == NULL ? NULL : info->si_addr;
	fault->text[0] = '\0';
	sdpu_compiler_barrier();
	fault->depth = backtrace(fault->stack, SDPU_DPA_FAULT_DEPTH);
}

void sdpu_dpa_fatal(const char *format, ...)
{
	struct sdpu_dpa_strand *strand = sdpu_dpa_strand_current;
	char text[SDPU_DPA_FAULT_TEXT];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (strand == NULL) {
		sdpu_log_crit("%s; and that outside of a kernel", text);
		abort();
	}
	dpa_strand_note(strand, __builtin_return_address(0), NULL);
	memcpy(strand->fault.text, text, sizeof(text));
	sdpu_dpa_strand_end(strand, SDPU_DPA_END_FAULT);
}
