/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The DPA's side: a thread that runs each time that balls have come, and sends them back.
 */
#include <string.h>

#include <doca_dpa_dev.h>
#include <doca_dpa_dev_comch_msgq.h>

#include "../comch_msgq_ping_pong.h"

/* The completion is not waited for: with OPTIMIZE_REPORTS there need not be one for each send. */
static void send_back(const struct ping_pong_table *table, struct ping_pong_ball ball)
{
	ball.hits++;
	doca_dpa_dev_comch_producer_post_send_imm_only(
		table->producer, table->host_consumer_id, (const uint8_t *)&ball, sizeof(ball),
		DOCA_DPA_DEV_SUBMIT_FLAG_FLUSH | DOCA_DPA_DEV_SUBMIT_FLAG_OPTIMIZE_REPORTS);
}

static uint32_t take_all(const struct ping_pong_table *table)
{
	doca_dpa_dev_comch_consumer_completion_element_t element;
	struct ping_pong_ball ball;
	uint32_t num_balls = 0;
	const uint8_t *imm;
	uint32_t len;

	while (doca_dpa_dev_comch_consumer_get_completion(table->consumer_comp, &element)) {
		imm = doca_dpa_dev_comch_consumer_get_completion_imm(element, &len);
		memcpy(&ball, imm, sizeof(ball));
		send_back(table, ball);
		num_balls++;
	}
	return num_balls;
}

__dpa_global__ void return_balls(uint64_t arg)
{
	struct ping_pong_table *const table = (struct ping_pong_table *)arg;
	uint32_t num_balls;

	table->num_activations++; /* the host reads it once it has the last ball back */
	num_balls = take_all(table);
	if (num_balls > 0) {
		/* The entries that were read are free again, and as many more may be sent. */
		doca_dpa_dev_comch_consumer_completion_ack(table->consumer_comp, num_balls);
		doca_dpa_dev_comch_consumer_ack(table->consumer, num_balls);
	}
	doca_dpa_dev_comch_consumer_completion_request_notification(table->consumer_comp);
	doca_dpa_dev_thread_reschedule();
}

/* Before the thread runs for the first time: nothing can be sent to it until it has given credit.
 */
__dpa_rpc__ uint64_t allow_balls(uint64_t arg, uint32_t num_balls)
{
	const struct ping_pong_table *const table = (const struct ping_pong_table *)arg;

	doca_dpa_dev_comch_consumer_ack(table->consumer, num_balls);
	doca_dpa_dev_comch_consumer_completion_request_notification(table->consumer_comp);
	return 0;
}
