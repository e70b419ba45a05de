/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Consumer completion: the host's side; contract in consumer_completion.h. The device's is in
 * dev_msgq_consumer.c.
 */
#include "comch/consumer_completion.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "dpa/dpa.h"
#include "dpa/thread.h"

/* A completion knows no device whose limits it could ask for. */
#define CONSUMERS_MAX 4096
#define RECV_MAX (1u << 20)
#define RECV_DEFAULT 64
/* What a stop leaves to a thread that was triggered and has not run yet. */
#define SETTLE_MAX (100 * SDPU_MS)
#define SETTLE_NAP (50 * SDPU_MS / 1000)

typedef struct doca_comch_consumer_completion completion_t;

doca_error_t doca_comch_consumer_completion_create(completion_t **consumer_comp)
{
	completion_t *completion;

	if (sdpu_any_null(__func__, consumer_comp))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(__func__))
		return DOCA_ERROR_BAD_STATE;
	completion = calloc(1, sizeof(*completion));
	if (completion == NULL)
		return sdpu_no_memory(__func__);
	pthread_mutex_init(&completion->lock, NULL);
	completion->max_consumers = 1;
	completion->max_recv = RECV_DEFAULT;
	completion->imm_len = COMCH_FAST_IMM_MAX;
	*consumer_comp = completion;
	return DOCA_SUCCESS;
}

static doca_error_t completion_configurable(const completion_t *consumer_comp, const char *call)
{
	if (sdpu_any_null(call, consumer_comp))
		return DOCA_ERROR_INVALID_VALUE;
	if (sdpu_process_refuses(call))
		return DOCA_ERROR_BAD_STATE;
	if (consumer_comp->state == COMCH_COMPLETION_STOPPED)
		return DOCA_SUCCESS;
	sdpu_log_err("%s: it is started; call doca_comch_consumer_completion_stop() first", call);
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_comch_consumer_completion_destroy(completion_t *completion)
{
	doca_error_t result = completion_configurable(completion, __func__);

	if (result != DOCA_SUCCESS)
		return result;
	pthread_mutex_destroy(&completion->lock);
	if (completion->dpa != NULL)
		sdpu_dpa_retire_member(completion->dpa, completion);
	else
		free(completion);
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_consumer_completion_set_dpa_thread(completion_t *consumer_comp,
							   struct doca_dpa_thread *dpa_thread)
{
	doca_error_t result;
	struct doca_dpa *dpa;

	if (sdpu_any_null(__func__, consumer_comp, dpa_thread))
		return DOCA_ERROR_INVALID_VALUE;
	result = completion_configurable(consumer_comp, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	dpa = dpa_thread->dpa;
	result = sdpu_dpa_join(dpa, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	if (consumer_comp->dpa != NULL)
		sdpu_dpa_leave(consumer_comp->dpa);
	consumer_comp->dpa = dpa;
	consumer_comp->thread = dpa_thread;
	return DOCA_SUCCESS;
}

/* May this be set to that value now? */
static doca_error_t completion_check(const completion_t *completion, uint32_t value, uint32_t min,
				     uint32_t max, const char *call)
{
	doca_error_t result = completion_configurable(completion, call);

	if (result != DOCA_SUCCESS || (value >= min && value <= max))
		return result;
	sdpu_log_err("%s: %u; needed: %u to %u", call, value, min, max);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t doca_comch_consumer_completion_set_max_num_consumers(completion_t *completion,
								  uint32_t max_num_consumers)
{
	doca_error_t result =
		completion_check(completion, max_num_consumers, 1, CONSUMERS_MAX, __func__);

	if (result == DOCA_SUCCESS)
		completion->max_consumers = sdpu_round_up(max_num_consumers, 1);
	return result;
}

doca_error_t doca_comch_consumer_completion_set_max_num_recv(completion_t *completion,
							     uint32_t max_num_recv)
{
	doca_error_t result = completion_check(completion, max_num_recv, 1, RECV_MAX, __func__);

	if (result == DOCA_SUCCESS)
		completion->max_recv = sdpu_round_up(max_num_recv, 1);
	return result;
}

doca_error_t doca_comch_consumer_completion_set_imm_data_len(completion_t *completion,
							     uint32_t imm_data_len)
{
	doca_error_t result =
		completion_check(completion, imm_data_len, 0, COMCH_FAST_IMM_MAX, __func__);

	if (result == DOCA_SUCCESS)
		completion->imm_len = imm_data_len;
	return result;
}

doca_error_t doca_comch_consumer_completion_get_max_num_consumers(const completion_t *consumer_comp,
								  uint32_t *max_num_consumers)
{
	if (sdpu_any_null(__func__, consumer_comp, max_num_consumers))
		return DOCA_ERROR_INVALID_VALUE;
	*max_num_consumers = consumer_comp->max_consumers;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_consumer_completion_get_max_num_recv(const completion_t *consumer_comp,
							     uint32_t *max_num_recv)
{
	if (sdpu_any_null(__func__, consumer_comp, max_num_recv))
		return DOCA_ERROR_INVALID_VALUE;
	*max_num_recv = consumer_comp->max_recv;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_consumer_completion_get_imm_data_len(const completion_t *consumer_comp,
							     uint32_t *imm_data_len)
{
	if (sdpu_any_null(__func__, consumer_comp, imm_data_len))
		return DOCA_ERROR_INVALID_VALUE;
	*imm_data_len = consumer_comp->imm_len;
	return DOCA_SUCCESS;
}

static bool completion_triggers(const completion_t *completion)
{
	const struct comch_completion_cursor *cursor = completion->cursor;

	/* acquire: pairs with the arming; what was read before it is not looked at again */
	return sdpu_load_acquire(&cursor->armed) != 0 &&
	       comch_msgq_peek(completion->ring, sdpu_load(&cursor->next)) != NULL;
}

/* Asked by the strand of the thread, while its kernel does not run. */
static bool completion_due(struct sdpu_dpa_trigger *trigger)
{
	completion_t *completion = sdpu_container_of(trigger, completion_t, trigger);

	if (!completion_triggers(completion))
		return false;
	sdpu_store(&completion->cursor->armed, 0);
	return true;
}

static bool completion_waits(const completion_t *completion, uint64_t until)
{
	return completion_triggers(completion) && sdpu_dpa_running(completion->dpa) &&
	       sdpu_clock_now() < until;
}

void comch_completion_drain(completion_t *completion)
{
	uint64_t until = sdpu_clock_now() + SETTLE_MAX;

	/* A kernel may leave some to the next, which it arms for. */
	do {
		while (completion_waits(completion, until))
			sdpu_clock_sleep(SETTLE_NAP);
		sdpu_dpa_trigger_drain(&completion->trigger, completion->dpa);
	} while (completion_waits(completion, until));
}

static void completion_close(completion_t *completion)
{
	sdpu_dpa_trigger_detach(&completion->trigger);
	comch_msgq_ring_retire(completion->ring, completion->dpa);
	free(completion->used);
	free(completion->cursor);
	completion->ring = NULL;
	completion->used = NULL;
	completion->cursor = NULL;
}

static doca_error_t completion_open(completion_t *completion, const char *call)
{
	completion->ring =
		comch_msgq_ring_create(completion->max_recv, completion->max_consumers > 1);
	completion->used = calloc(completion->max_consumers, sizeof(bool));
	completion->cursor = comch_msgq_alloc(sizeof(struct comch_completion_cursor) +
					      completion->max_consumers * sizeof(uint32_t));
	if (completion->ring == NULL || completion->used == NULL || completion->cursor == NULL)
		return sdpu_no_memory(call);
	completion->cursor->armed = 1;
	completion->trigger = (struct sdpu_dpa_trigger){.due = completion_due};
	return sdpu_dpa_trigger_attach(&completion->trigger, completion->thread, call);
}

doca_error_t doca_comch_consumer_completion_start(completion_t *completion)
{
	doca_error_t result = completion_configurable(completion, __func__);

	if (result != DOCA_SUCCESS)
		return result;
	if (completion->thread == NULL) {
		sdpu_log_err("%s: no DPA thread; call "
			     "doca_comch_consumer_completion_set_dpa_thread() first",
			     __func__);
		return DOCA_ERROR_BAD_STATE;
	}
	result = completion_open(completion, __func__);
	if (result != DOCA_SUCCESS) {
		completion_close(completion);
		return result;
	}
	completion->state = COMCH_COMPLETION_STARTED;
	(void)sdpu_dpa_handle_give(&completion->head, SDPU_DPA_KIND_CONSUMER_COMPLETION);
	return DOCA_SUCCESS;
}

static doca_error_t completion_started(const completion_t *completion, const char *call)
{
	if (sdpu_process_refuses(call))
		return DOCA_ERROR_BAD_STATE;
	if (completion->state == COMCH_COMPLETION_STARTED)
		return DOCA_SUCCESS;
	sdpu_log_err("%s: the consumer completion is not started; call "
		     "doca_comch_consumer_completion_start() first",
		     call);
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_comch_consumer_completion_stop(completion_t *consumer_comp)
{
	doca_error_t result;
	uint32_t attached;

	if (sdpu_any_null(__func__, consumer_comp))
		return DOCA_ERROR_INVALID_VALUE;
	result = completion_started(consumer_comp, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	pthread_mutex_lock(&consumer_comp->lock);
	attached = consumer_comp->attached;
	pthread_mutex_unlock(&consumer_comp->lock);
	if (attached != 0) {
		sdpu_log_err("%s: %u consumers are attached; destroy them first", __func__,
			     attached);
		return DOCA_ERROR_IN_USE;
	}
	sdpu_dpa_trigger_detach(&consumer_comp->trigger);
	sdpu_dpa_drain(consumer_comp->dpa);
	sdpu_dpa_handle_withdraw(&consumer_comp->head);
	completion_close(consumer_comp);
	consumer_comp->state = COMCH_COMPLETION_STOPPED;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_consumer_completion_get_dpa_handle(
	completion_t *consumer_comp, doca_dpa_dev_comch_consumer_completion_t *consumer_comp_handle)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, consumer_comp, consumer_comp_handle))
		return DOCA_ERROR_INVALID_VALUE;
	result = completion_started(consumer_comp, __func__);
	if (result == DOCA_SUCCESS)
		*consumer_comp_handle = (uintptr_t)&consumer_comp->head;
	return result;
}

/* Lock held. */
static uint32_t completion_take_place(completion_t *completion)
{
	uint32_t place = 0;

	while (completion->used[place])
		place++;
	completion->used[place] = true;
	completion->attached++;
	return place;
}

doca_error_t comch_completion_attach(completion_t *completion, const char *call, uint32_t *place)
{
	doca_error_t result = completion_started(completion, call);
	bool room;

	if (result != DOCA_SUCCESS)
		return result;
	pthread_mutex_lock(&completion->lock);
	room = completion->attached < completion->max_consumers;
	if (room)
		*place = completion_take_place(completion);
	pthread_mutex_unlock(&completion->lock);
	if (room)
		return DOCA_SUCCESS;
	sdpu_log_err("%s: %u consumers are attached already; "
		     "doca_comch_consumer_completion_set_max_num_consumers() allows no more",
		     call, completion->max_consumers);
	return DOCA_ERROR_NO_MEMORY;
}

void comch_completion_detach(completion_t *completion, uint32_t place)
{
	pthread_mutex_lock(&completion->lock);
	completion->used[place] = false;
	completion->attached--;
	pthread_mutex_unlock(&completion->lock);
}
