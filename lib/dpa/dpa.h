/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DPA context, as other objects see it: what lives in one (threads, completions, queues) joins it
 * when it is made and leaves it when it is destroyed. doca_dpa_stop() fails while there are
 * members, doca_dpa_destroy() does not: those that are left find a context that is GONE, whose
 * bytes stay until the last one leaves. Any thread. What prevents destroy holds the context
 * (core/dpa_base.h).
 */
#ifndef SDPU_DPA_DPA_H
#define SDPU_DPA_DPA_H

#include <doca_dpa.h>

#include "base/compiler.h"
#include "core/dpa_base.h"

/* BAD_STATE (logged, `call` names the function): it has failed, or is destroyed. */
SDPU_SHARED doca_error_t sdpu_dpa_join(struct doca_dpa *dpa, const char *call);
SDPU_SHARED void sdpu_dpa_leave(struct doca_dpa *dpa);

/* For calls of members. BAD_STATE (logged): the context is destroyed. */
SDPU_SHARED doca_error_t sdpu_dpa_check_there(const struct doca_dpa *dpa, const char *call);
/*
 * For stops of objects that device code has handles of: waits until the kernels that run now have
 * ended, as they may be using the object, but not for longer than 100 ms. Kernels that begin later
 * are not waited for. What they did is visible afterwards. The host's thread, which may sleep.
 */
SDPU_SHARED void sdpu_dpa_drain(struct doca_dpa *dpa);
/*
 * For destroys of objects that device code had handles of, in place of free(): a kernel that still
 * uses a handle finds it withdrawn, and not other memory. The oldest are freed when there are many,
 * all with the context. With _member: leaves the context as well.
 */
SDPU_SHARED void sdpu_dpa_retire(struct doca_dpa *dpa, void *memory);
SDPU_SHARED void sdpu_dpa_retire_member(struct doca_dpa *dpa, void *memory);
/*
 * For destroys of members, also when the context is gone already. False: nothing may be touched
 * (logged; a forked child). *result: what to return, BAD_STATE (logged) if the context is gone.
 */
SDPU_SHARED bool sdpu_dpa_may_destroy_member(const struct doca_dpa *dpa, const char *call,
					     doca_error_t *result);
/* BAD_STATE (logged): not started, failed or destroyed. */
SDPU_SHARED doca_error_t sdpu_dpa_check_running(const struct doca_dpa *dpa, const char *call);

/*
 * For device functions that cannot use their arguments: ends the kernel as a fault would, with this
 * sentence in the log and in the crash report; the context becomes FATAL. Outside of a kernel,
 * where device functions must not be called, it ends the program.
 */
SDPU_SHARED void sdpu_dpa_fatal(const char *format, ...) sdpu_printf_like(1, 2)
	__attribute__((cold, noreturn));

#endif
