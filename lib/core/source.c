/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sources of an engine: polled (hot), or waiting for their ready bit (cold); contract in pe.h.
 */
#include "core/source.h"

/* Up to so many hot sources none goes cold: polling them costs less than waking them. */
#define SOURCE_COLD_ABOVE 4

/* Events that one source may handle in one progress, so that none starves the others. */
#define SOURCE_BUDGET 16

static void source_leave_list(struct sdpu_source *source)
{
	struct doca_pe *pe = source->pe;

	if (pe->next == &source->node)
		pe->next = source->node.next;
	if (source->state == SDPU_SOURCE_HOT)
		pe->num_hot--;
	sdpu_list_remove(&source->node);
}

static void source_enter_hot(struct sdpu_source *source)
{
	source->state = SDPU_SOURCE_HOT;
	source->idle = 0;
	source->pe->num_hot++;
	sdpu_list_append(&source->pe->hot, &source->node);
	sdpu_bell_rouse(&source->pe->bell);
}

void sdpu_source_add(struct doca_pe *pe, struct sdpu_source *source)
{
	source->pe = pe;
	if (source->chill != NULL)
		pe->by_bit[source->bit] = source;
	source_enter_hot(source);
}

void sdpu_source_remove(struct sdpu_source *source)
{
	struct doca_pe *pe = source->pe;

	if (source->state == SDPU_SOURCE_OFF)
		return;
	source_leave_list(source);
	source->state = SDPU_SOURCE_OFF;
	if (source->chill != NULL)
		pe->by_bit[source->bit] = NULL;
	if (pe->current == source)
		pe->current = NULL;
}

void sdpu_source_heat(struct sdpu_source *source)
{
	source->idle = 0;
	if (source->state != SDPU_SOURCE_COLD)
		return;
	source_leave_list(source);
	source_enter_hot(source);
	if (source->chill != NULL)
		source->chill(source, false);
}

static void source_enter_cold(struct sdpu_source *source)
{
	source_leave_list(source);
	source->state = SDPU_SOURCE_COLD;
	sdpu_list_append(&source->pe->cold, &source->node);
}

void sdpu_source_park(struct sdpu_source *source)
{
	source_enter_cold(source);
	if (source->pe->current == source)
		source->pe->current = NULL;
}

/* chill() fences: what the peer published before it could see us cold is found by the look after
 * it. */
static void source_cool(struct sdpu_source *source)
{
	source->chill(source, true);
	if (source->pending(source))
		source->chill(source, false);
	else
		source_enter_cold(source);
}

/* After polls that found something, the last of which did not if the budget is not used up. */
static void source_rest(struct sdpu_source *source, uint32_t events)
{
	source->idle = 0;
	if (events == SOURCE_BUDGET && source->settle != NULL)
		source->settle(source);
}

/* The next event may need the tasks that the callbacks of the last one sent: answers come as fast
 * as we take them where the peer's processor is the faster one. False: it has been removed. */
static inline bool source_has_told(struct doca_pe *pe, const struct sdpu_source *source)
{
	if (pe->current == source && !sdpu_list_empty(&pe->done))
		(void)sdpu_pe_deliver_done(pe);
	return pe->current == source;
}

bool sdpu_source_go_on(struct doca_pe *pe)
{
	struct sdpu_source *source = pe->current;
	uint32_t events = 1;

	/* Its first event has removed it already. */
	if (source == NULL)
		return true;
	while (events < SOURCE_BUDGET && source_has_told(pe, source) && source->poll(source))
		events++;
	if (pe->current == source)
		source_rest(source, events);
	return true;
}

void sdpu_source_tire(struct doca_pe *pe)
{
	struct sdpu_source *source = pe->current;

	if (source == NULL)
		return;
	source->idle = 0;
	if (source->chill != NULL && pe->num_hot > SOURCE_COLD_ABOVE)
		source_cool(source);
}

bool sdpu_source_any_pending(const struct doca_pe *pe)
{
	const struct sdpu_list *node;

	sdpu_list_for_each (node, &pe->hot) {
		const struct sdpu_source *source =
			sdpu_container_of(node, struct sdpu_source, node);

		if (source->pending(source))
			return true;
	}
	return false;
}

uint64_t sdpu_source_look_in(const struct doca_pe *pe)
{
	const struct sdpu_list *node;
	uint64_t in = UINT64_MAX;

	sdpu_list_for_each (node, &pe->hot) {
		uint64_t unrung = sdpu_container_of(node, struct sdpu_source, node)->unrung;

		if (unrung != 0 && unrung < in)
			in = unrung;
	}
	return in;
}

static void source_heat_word(struct doca_pe *pe, uint32_t word)
{
	uint64_t bits = sdpu_swap(&pe->bell.ready->bits[word], 0);

	while (bits != 0) {
		struct sdpu_source *source =
			pe->by_bit[64 * word + (uint32_t)__builtin_ctzll(bits)];

		bits &= bits - 1;
		if (source != NULL)
			sdpu_source_heat(source);
	}
}

void sdpu_source_heat_ready(struct doca_pe *pe)
{
	uint64_t words = sdpu_swap(&pe->bell.ready->summary, 0);

	while (words != 0) {
		source_heat_word(pe, (uint32_t)__builtin_ctzll(words));
		words &= words - 1;
	}
}

void sdpu_source_heat_all(struct doca_pe *pe)
{
	while (!sdpu_list_empty(&pe->cold))
		sdpu_source_heat(sdpu_container_of(pe->cold.next, struct sdpu_source, node));
}
