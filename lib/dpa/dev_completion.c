/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Device functions of completions; contract in completion.h. In a kernel, on its strand.
 */
#include <doca_dpa_dev.h>

#include "dpa/completion_object.h"
#include "dpa/dpa.h"
#include "dpa/strand.h"

static struct doca_dpa_completion *open_completion(const char *call,
						   doca_dpa_dev_completion_t handle)
{
	(void)sdpu_dpa_strand_enter(call);
	return sdpu_dpa_handle_open(call, handle, SDPU_DPA_KIND_COMPLETION);
}

int doca_dpa_dev_get_completion(doca_dpa_dev_completion_t dpa_comp_handle,
				doca_dpa_dev_completion_element_t *comp_element)
{
	struct doca_dpa_completion *comp = open_completion(__func__, dpa_comp_handle);
	uint32_t cursor = sdpu_load(&comp->cursor);

	if (!dpa_completion_pending(comp))
		return 0;
	*comp_element = (uintptr_t)dpa_completion_slot(comp, cursor);
	sdpu_store(&comp->cursor, cursor + 1);
	return 1;
}

static const struct sdpu_dpa_element *open_element(const char *call,
						   doca_dpa_dev_completion_element_t handle)
{
	const struct completion_slot *slot =
		sdpu_dpa_handle_open(call, handle, SDPU_DPA_KIND_COMPLETION_ELEMENT);

	return &slot->element;
}

doca_dpa_dev_completion_type_t
doca_dpa_dev_get_completion_type(doca_dpa_dev_completion_element_t comp_element)
{
	return (doca_dpa_dev_completion_type_t)open_element(__func__, comp_element)->type;
}

uint32_t doca_dpa_dev_get_completion_user_data(doca_dpa_dev_completion_element_t comp_element)
{
	return open_element(__func__, comp_element)->user_data;
}

uint32_t doca_dpa_dev_get_completion_immediate(doca_dpa_dev_completion_element_t comp_element)
{
	return open_element(__func__, comp_element)->imm;
}

static void ack_one(struct doca_dpa_completion *comp, uint32_t position)
{
	struct completion_slot *slot = dpa_completion_slot(comp, position);

	if (slot->element.slots != NULL)
		sdpu_dpa_slots_give(slot->element.slots);
	/* release: pairs with the acquire of claim() in completion_ring.c */
	sdpu_store_release(&slot->seq, 2 * (position + comp->size));
}

void doca_dpa_dev_completion_ack(doca_dpa_dev_completion_t dpa_comp_handle, uint64_t num_comp)
{
	struct sdpu_dpa_strand *strand = sdpu_dpa_strand_enter(__func__);
	struct doca_dpa_completion *comp =
		sdpu_dpa_handle_open(__func__, dpa_comp_handle, SDPU_DPA_KIND_COMPLETION);
	uint32_t acked = sdpu_load(&comp->acked), read = sdpu_load(&comp->cursor) - acked;

	if (sdpu_unlikely(num_comp > read))
		sdpu_dpa_fatal("doca_dpa_dev_completion_ack: %llu elements; only %u were read and "
			       "not acked",
			       (unsigned long long)num_comp, read);
	/* A kill between the two steps of one element would give its slot back twice. */
	sdpu_dpa_guard_enter(strand);
	for (uint32_t i = 0; i < (uint32_t)num_comp; i++)
		ack_one(comp, acked + i);
	sdpu_store(&comp->acked, acked + (uint32_t)num_comp);
	sdpu_dpa_guard_leave(strand);
}

void doca_dpa_dev_completion_request_notification(doca_dpa_dev_completion_t dpa_comp_handle)
{
	struct doca_dpa_completion *comp = open_completion(__func__, dpa_comp_handle);

	/* [F1] of trigger.h: another thread than the attached one may arm. */
	sdpu_publish_fenced(&comp->armed, 1);
	if (dpa_completion_pending(comp))
		sdpu_dpa_trigger_raise(&comp->trigger);
}
