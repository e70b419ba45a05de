/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Between the context, the engine and the public calls of lib/core; other libraries use ctx.h.
 */
#ifndef SDPU_CORE_CTX_STATE_H
#define SDPU_CORE_CTX_STATE_H

#include "core/ctx.h"

void sdpu_ctx_move(struct doca_ctx *ctx, enum doca_ctx_states next);
doca_error_t sdpu_ctx_request_start(struct doca_ctx *ctx);
doca_error_t sdpu_ctx_request_stop(struct doca_ctx *ctx);
/* One step of a woken context. True: something was done and the context may be gone. False:
 * nothing; it is still there. */
bool sdpu_ctx_step(struct doca_ctx *ctx);
/* Time until the log must say what it waits for, which is after 2 s in STOPPING. UINT64_MAX: never.
 */
uint64_t sdpu_ctx_explain_in(const struct doca_ctx *ctx, uint64_t now);
void sdpu_ctx_explain(struct doca_ctx *ctx);
/* pe.c: logs for contexts of an engine whose time has come, and returns when to call again. */
uint64_t sdpu_pe_explain(struct doca_pe *pe);

#endif
