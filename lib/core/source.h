/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The engine's side of its sources; what libraries need of them is in pe.h.
 */
#ifndef SDPU_CORE_SOURCE_H
#define SDPU_CORE_SOURCE_H

#include "core/pe.h"

/* One round over the hot sources, callbacks included. */
bool sdpu_source_poll_all(struct doca_pe *pe);
bool sdpu_source_any_pending(const struct doca_pe *pe);
/* How long the engine may sleep, as far as sources go for which nobody rings; UINT64_MAX: for ever.
 */
uint64_t sdpu_source_look_in(const struct doca_pe *pe);
/* Heats those whose ready bit a peer set. */
void sdpu_source_heat_ready(struct doca_pe *pe);
void sdpu_source_heat_all(struct doca_pe *pe);

#endif
