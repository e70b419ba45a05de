/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Elements of a DPA completion; contract in completion.h. A push claims a position, writes and
 * publishes. A kill waits for the end of it, as a hole would stop all elements behind it.
 */
#include "base/log.h"
#include "dpa/completion_object.h"
#include "dpa/strand.h"

void dpa_completion_reset(struct doca_dpa_completion *comp)
{
	for (uint32_t i = 0; i < comp->size; i++) {
		(void)sdpu_dpa_handle_give(&comp->ring[i].head, SDPU_DPA_KIND_COMPLETION_ELEMENT);
		sdpu_store(&comp->ring[i].seq, 2 * i);
	}
	sdpu_store(&comp->tail, 0);
	sdpu_store(&comp->cursor, 0);
	sdpu_store(&comp->acked, 0);
	sdpu_store(&comp->armed, 1);
	sdpu_store(&comp->told_full, 0);
}

void dpa_completion_withdraw(struct doca_dpa_completion *comp)
{
	for (uint32_t i = 0; i < comp->size; i++)
		sdpu_dpa_handle_withdraw(&comp->ring[i].head);
	sdpu_dpa_handle_withdraw(&comp->head);
}

bool dpa_completion_due(struct sdpu_dpa_trigger *trigger)
{
	struct doca_dpa_completion *comp =
		sdpu_container_of(trigger, struct doca_dpa_completion, trigger);

	if (sdpu_load(&comp->armed) == 0 || !dpa_completion_pending(comp))
		return false;
	sdpu_store(&comp->armed, 0);
	return true;
}

/* NULL: full. */
static struct completion_slot *claim(struct doca_dpa_completion *comp, uint32_t *position)
{
	struct completion_slot *slot;
	int32_t ahead;

	*position = sdpu_load(&comp->tail);
	for (;;) {
		slot = dpa_completion_slot(comp, *position);
		/* acquire: pairs with the release of the ack */
		ahead = (int32_t)(sdpu_load_acquire(&slot->seq) - 2 * *position);
		if (ahead < 0)
			return NULL;
		if (ahead > 0)
			*position = sdpu_load(&comp->tail);
		else if (sdpu_cas(&comp->tail, position, *position + 1))
			return slot;
	}
}

__attribute__((cold, noinline)) static bool refuse(struct doca_dpa_completion *comp)
{
	if (sdpu_swap(&comp->told_full, 1) == 0)
		sdpu_log_err("doca_dpa_completion: all %u elements are taken, and what ended is "
			     "not reported; read and ack them, or create it with a larger queue "
			     "(this is said once)",
			     comp->size);
	return false;
}

static bool push(struct doca_dpa_completion *comp, const struct sdpu_dpa_element *element)
{
	struct completion_slot *slot;
	uint32_t position;

	slot = claim(comp, &position);
	if (sdpu_unlikely(slot == NULL))
		return refuse(comp);
	slot->element = *element;
	/* [F1] of trigger.h; release: pairs with the acquire of dpa_completion_pending() */
	sdpu_publish_fenced(&slot->seq, 2 * position + 1);
	sdpu_dpa_trigger_raise(&comp->trigger);
	return true;
}

bool sdpu_dpa_completion_push(struct doca_dpa_completion *comp,
			      const struct sdpu_dpa_element *element)
{
	struct sdpu_dpa_strand *strand = sdpu_dpa_strand_self();
	bool pushed;

	if (strand == NULL)
		return push(comp, element);
	sdpu_dpa_guard_enter(strand);
	pushed = push(comp, element);
	sdpu_dpa_guard_leave(strand);
	return pushed;
}
