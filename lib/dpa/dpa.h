/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DPA context, as other objects see it: what lives in one (threads, completions, queues) joins it
 * when it is made and leaves it when it is destroyed. Members stand against doca_dpa_stop(), not
 * against doca_dpa_destroy(): those that are left find a context that is GONE, whose bytes stay
 * until the last one leaves. Any thread. What stands against destroy holds it (core/dpa_base.h).
 */
#ifndef SDPU_DPA_DPA_H
#define SDPU_DPA_DPA_H

#include <doca_dpa.h>

#include "base/compiler.h"
#include "core/dpa_base.h"

/* BAD_STATE (logged, `call` names the function): it has failed, or is destroyed. */
SDPU_SHARED doca_error_t sdpu_dpa_join(struct doca_dpa *dpa, const char *call);
SDPU_SHARED void sdpu_dpa_leave(struct doca_dpa *dpa);

/* For members' calls. BAD_STATE (logged): it is destroyed. */
SDPU_SHARED doca_error_t sdpu_dpa_check_there(const struct doca_dpa *dpa, const char *call);
/*
 * For stops of what device code has handles of: lets the kernels that run now come to their ends,
 * as they may be in the middle of it; those that begin later are not waited for, nor is any for
 * longer than 100 ms. What they did with it is seen afterwards. The host's thread, which may sleep.
 */
SDPU_SHARED void sdpu_dpa_drain(struct doca_dpa *dpa);
/*
 * For destroys of what device code had handles of, in the place of free(): a kernel that still uses
 * one is to find that it is withdrawn, not other memory. The oldest are freed when there are many,
 * all with the context. With _member: leaves the context as well.
 */
SDPU_SHARED void sdpu_dpa_retire(struct doca_dpa *dpa, void *memory);
SDPU_SHARED void sdpu_dpa_retire_member(struct doca_dpa *dpa, void *memory);
/*
 * For destroys of members, which go with a context that is gone already, too. False: nothing may be
 * touched (logged; a forked child). *result: what to answer, BAD_STATE (logged) if it is gone.
 */
SDPU_SHARED bool sdpu_dpa_may_destroy_member(const struct doca_dpa *dpa, const char *call,
					     doca_error_t *result);
/* BAD_STATE (logged): not started, failed or destroyed. */
SDPU_SHARED doca_error_t sdpu_dpa_check_running(const struct doca_dpa *dpa, const char *call);

/*
 * For device functions that were given what they cannot use: ends the kernel as a fault would, with
 * this sentence in the log and in the crash report; the context becomes FATAL. Outside of a kernel
 * the program is ended, which no device function can be called from.
 */
SDPU_SHARED void sdpu_dpa_fatal(const char *format, ...) sdpu_printf_like(1, 2)
	__attribute__((cold, noreturn));

#endif
