/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Device functions of consumers and consumer completions; contracts in msgq_consumer.h and
 * consumer_completion.h. In a kernel, on its strand. Each is fit to be left at any instruction.
 */
#include <doca_dpa_dev_comch_msgq.h>

#include "comch/consumer_completion.h"
#include "comch/msgq_consumer.h"
#include "dpa/dpa.h"
#include "dpa/handle.h"
#include "dpa/strand.h"

static struct comch_msgq_consumer *open_consumer(const char *call, uint64_t handle)
{
	struct sdpu_dpa_head *head = sdpu_dpa_handle_open(call, handle, SDPU_DPA_KIND_CONSUMER);

	return sdpu_container_of(head, struct comch_msgq_consumer, head);
}

static struct doca_comch_consumer_completion *open_completion(const char *call, uint64_t handle)
{
	return sdpu_dpa_handle_open(call, handle, SDPU_DPA_KIND_CONSUMER_COMPLETION);
}

static const struct comch_msgq_message *open_element(const char *call, uint64_t handle)
{
	(void)sdpu_dpa_strand_enter(call);
	return sdpu_dpa_handle_open(call, handle, SDPU_DPA_KIND_CONSUMER_ELEMENT);
}

/* Posted receives, computed from values that are in this core's cache: messages that have arrived
 * but were not read still count. */
static uint32_t posted_at_most(const struct comch_msgq_consumer *consumer, uint32_t more)
{
	uint32_t *taken = comch_completion_taken(consumer->completion, consumer->place);

	return (uint32_t)sdpu_load(&consumer->port->granted) + more - sdpu_load(taken);
}

/* The same without the unread ones: fetches the producers' cache line. */
__attribute__((noinline)) static void check_posted(const struct comch_msgq_consumer *consumer,
						   uint32_t more)
{
	int64_t posted = comch_msgq_credits(sdpu_load(&consumer->port->granted),
					    sdpu_load_acquire(&consumer->port->claimed));

	if (posted + more > (int64_t)consumer->dev_num_recv)
		sdpu_dpa_fatal("doca_dpa_dev_comch_consumer_ack: %u receives more than the %lld "
			       "that are posted; needed: at most %u in all "
			       "(doca_comch_consumer_set_dev_max_num_recv)",
			       more, (long long)posted, consumer->dev_num_recv);
}

void doca_dpa_dev_comch_consumer_ack(doca_dpa_dev_comch_consumer_t handle, uint32_t num_msg)
{
	struct comch_msgq_consumer *consumer;

	(void)sdpu_dpa_strand_enter(__func__);
	consumer = open_consumer(__func__, handle);
	if (sdpu_unlikely(posted_at_most(consumer, num_msg) > consumer->dev_num_recv))
		check_posted(consumer, num_msg);
	comch_msgq_grant(consumer->port, num_msg);
}

int doca_dpa_dev_comch_consumer_get_completion(
	doca_dpa_dev_comch_consumer_completion_t consumer_comp_handle,
	doca_dpa_dev_comch_consumer_completion_element_t *comp_element)
{
	struct doca_comch_consumer_completion *completion;
	struct comch_msgq_message *message;
	uint32_t *taken;
	uint64_t next;

	(void)sdpu_dpa_strand_enter(__func__);
	completion = open_completion(__func__, consumer_comp_handle);
	next = sdpu_load(&completion->cursor->next);
	message = comch_msgq_peek(completion->ring, next);
	if (message == NULL)
		return 0;
	*comp_element = (uintptr_t)&message->head;
	taken = comch_completion_taken(completion, message->place);
	sdpu_store(taken, sdpu_load(taken) + 1);
	sdpu_store(&completion->cursor->next, next + 1);
	return 1;
}

const uint8_t *doca_dpa_dev_comch_consumer_get_completion_imm(
	doca_dpa_dev_comch_consumer_completion_element_t comp_element, uint32_t *imm_length)
{
	const struct comch_msgq_message *message = open_element(__func__, comp_element);

	*imm_length = message->imm_len;
	return message->imm;
}

uint32_t doca_dpa_dev_comch_consumer_get_completion_producer_id(
	doca_dpa_dev_comch_consumer_completion_element_t comp_element)
{
	return open_element(__func__, comp_element)->producer;
}

void doca_dpa_dev_comch_consumer_completion_ack(
	doca_dpa_dev_comch_consumer_completion_t consumer_comp_handle, uint64_t num_comp)
{
	struct doca_comch_consumer_completion *completion;
	uint64_t freed, unread;

	(void)sdpu_dpa_strand_enter(__func__);
	completion = open_completion(__func__, consumer_comp_handle);
	freed = sdpu_load(&completion->ring->freed);
	unread = sdpu_load(&completion->cursor->next) - freed;
	if (sdpu_unlikely(num_comp > unread))
		sdpu_dpa_fatal("%s: %llu elements; only %llu were read and not acked", __func__,
			       (unsigned long long)num_comp, (unsigned long long)unread);
	comch_msgq_free(completion->ring, freed + num_comp);
}

/* Armed by another thread than the one to be triggered, which may be asleep. */
static void arm_from_elsewhere(struct doca_comch_consumer_completion *completion)
{
	struct comch_completion_cursor *cursor = completion->cursor;

	/* F1 of dpa/trigger.h. What comes after the look wakes the thread itself. */
	sdpu_publish_fenced(&cursor->armed, 1);
	if (comch_msgq_peek(completion->ring, sdpu_load(&cursor->next)) != NULL)
		sdpu_dpa_trigger_raise(&completion->trigger);
}

void doca_dpa_dev_comch_consumer_completion_request_notification(
	doca_dpa_dev_comch_consumer_completion_t consumer_comp_handle)
{
	struct sdpu_dpa_strand *strand = sdpu_dpa_strand_enter(__func__);
	struct doca_comch_consumer_completion *completion =
		open_completion(__func__, consumer_comp_handle);

	if (sdpu_likely(strand->thread == completion->thread))
		sdpu_store(&completion->cursor->armed, 1);
	else
		arm_from_elsewhere(completion);
}
