/* SPDX-License-Identifier: BSD-3-Clause */
/* For device code: what every kernel does that answers messages. */
#ifndef BENCH_MSGQ_ANSWER_H
#define BENCH_MSGQ_ANSWER_H

#include <doca_dpa_dev_comch_msgq.h>

#include "msgq_shared.h"

#define MSGQ_REPORT_NOTHING                                                                        \
	(DOCA_DPA_DEV_SUBMIT_FLAG_FLUSH | DOCA_DPA_DEV_SUBMIT_FLAG_OPTIMIZE_REPORTS)

/* Reads all that is there and sends each back, without a report. How many there were: nothing is
 * acked yet. */
static inline uint32_t msgq_answer_all(const struct msgq_shared *shared)
{
	doca_dpa_dev_comch_consumer_completion_element_t element;
	const uint8_t *imm;
	uint32_t len, taken = 0;

	while (doca_dpa_dev_comch_consumer_get_completion(shared->arrivals, &element)) {
		imm = doca_dpa_dev_comch_consumer_get_completion_imm(element, &len);
		doca_dpa_dev_comch_producer_post_send_imm_only(shared->producer, 1, imm, len,
							       MSGQ_REPORT_NOTHING);
		taken++;
	}
	return taken;
}

#endif
