/* SPDX-License-Identifier: BSD-3-Clause
 *
 * doca_dpa_dev.h: what a kernel asks of the thread that runs it. On a strand, in a kernel.
 */
#include <doca_dpa_dev.h>

#include "base/clock.h"
#include "dpa/handle.h"
#include "dpa/thread.h"

static struct sdpu_dpa_strand *enter_thread(const char *call)
{
	struct sdpu_dpa_strand *strand = sdpu_dpa_strand_enter(call);

	if (strand->thread == NULL)
		sdpu_dpa_fatal("%s: called by a launched kernel or an RPC; it is for kernels of "
			       "threads",
			       call);
	return strand;
}

void doca_dpa_dev_device_set(doca_dpa_dev_t dpa_handle)
{
	struct sdpu_dpa_strand *strand = sdpu_dpa_strand_enter(__func__);
	struct doca_dpa *dpa = sdpu_dpa_handle_open(__func__, dpa_handle, SDPU_DPA_KIND_CONTEXT);

	if (dpa_root(dpa) != strand->dpa)
		sdpu_dpa_fatal("%s: the context is another DPA process's; needed is the kernel's "
			       "own, or one that extends it",
			       __func__);
	strand->device = dpa;
}

unsigned int doca_dpa_dev_thread_rank(void)
{
	return sdpu_dpa_strand_enter(__func__)->rank;
}

unsigned int doca_dpa_dev_num_threads(void)
{
	return sdpu_dpa_strand_enter(__func__)->num_threads;
}

doca_dpa_dev_uintptr_t doca_dpa_dev_thread_get_local_storage(void)
{
	return enter_thread(__func__)->thread->local_storage;
}

void doca_dpa_dev_yield(void)
{
	struct sdpu_dpa_strand *strand = sdpu_dpa_strand_enter(__func__);

	sdpu_clock_yield();
	sdpu_dpa_strand_check(strand);
}

void doca_dpa_dev_thread_reschedule(void)
{
	sdpu_dpa_strand_end(enter_thread(__func__), SDPU_DPA_END_RESCHEDULE);
}

void doca_dpa_dev_thread_finish(void)
{
	sdpu_dpa_strand_end(enter_thread(__func__), SDPU_DPA_END_FINISH);
}
