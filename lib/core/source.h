/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The engine's side of its sources; what libraries need of them is in pe.h.
 */
#ifndef SDPU_CORE_SOURCE_H
#define SDPU_CORE_SOURCE_H

#include "core/pe.h"

/* Polls without an event after which a source goes cold, if that is worth while. */
#define SDPU_SOURCE_COLD_AFTER 4096

/* In pe.c: tasks that have ended are the user's again. False: none. */
bool sdpu_pe_deliver_done(struct doca_pe *pe);

/* The rest of the round for the current source: after an event, answers true; and after many polls
 * without one. */
bool sdpu_source_go_on(struct doca_pe *pe);
void sdpu_source_tire(struct doca_pe *pe);

/* One round over the hot sources, callbacks included. */
static inline bool sdpu_source_poll_all(struct doca_pe *pe)
{
	struct sdpu_list *node = pe->hot.next;
	bool worked = false;

	while (node != &pe->hot) {
		struct sdpu_source *source = sdpu_container_of(node, struct sdpu_source, node);

		pe->current = source;
		pe->next = node->next;
		if (source->poll(source))
			worked = sdpu_source_go_on(pe);
		else if (sdpu_unlikely(++source->idle > SDPU_SOURCE_COLD_AFTER))
			sdpu_source_tire(pe);
		node = pe->next;
	}
	pe->next = NULL;
	pe->current = NULL;
	return worked;
}

bool sdpu_source_any_pending(const struct doca_pe *pe);
/* How long the engine may sleep, as far as sources go for which nobody rings; UINT64_MAX: for ever.
 */
uint64_t sdpu_source_look_in(const struct doca_pe *pe);
/* Heats those whose ready bit a peer set. */
void sdpu_source_heat_ready(struct doca_pe *pe);
void sdpu_source_heat_all(struct doca_pe *pe);

#endif
