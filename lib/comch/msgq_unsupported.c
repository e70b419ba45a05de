/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MsgQ, and what producers and consumers have for code on a DPA or GPU: nothing of it is built yet.
 * Producers and consumers of a connection exist, and are never on those data paths.
 */
#include <doca_comch_msgq.h>

#include "base/unsupported.h"

/* The formatter takes the parameters of these macros for expressions. */
/* clang-format off */

/* MsgQ */
SDPU_UNSUPPORTED(doca_comch_msgq_create, (struct doca_dev *dev, struct doca_comch_msgq **msgq),
		 dev && msgq)
SDPU_UNSUPPORTED(doca_comch_msgq_destroy, (struct doca_comch_msgq *msgq), msgq)
SDPU_UNSUPPORTED(doca_comch_msgq_set_dpa_consumer,
		 (struct doca_comch_msgq *msgq, struct doca_dpa *dpa), msgq && dpa)
SDPU_UNSUPPORTED(doca_comch_msgq_set_max_num_consumers,
		 (struct doca_comch_msgq *msgq, uint32_t max_num_consumers), msgq)
SDPU_UNSUPPORTED(doca_comch_msgq_set_dpa_producer,
		 (struct doca_comch_msgq *msgq, struct doca_dpa *dpa), msgq && dpa)
SDPU_UNSUPPORTED(doca_comch_msgq_set_max_num_producers,
		 (struct doca_comch_msgq *msgq, uint32_t max_num_producers), msgq)
SDPU_UNSUPPORTED(doca_comch_msgq_start, (struct doca_comch_msgq *msgq), msgq)
SDPU_UNSUPPORTED(doca_comch_msgq_stop, (struct doca_comch_msgq *msgq), msgq)
SDPU_UNSUPPORTED(doca_comch_msgq_consumer_create,
		 (struct doca_comch_msgq *msgq, struct doca_comch_consumer **consumer),
		 msgq && consumer)
SDPU_UNSUPPORTED(doca_comch_msgq_producer_create,
		 (struct doca_comch_msgq *msgq, struct doca_comch_producer **producer),
		 msgq && producer)

/* Consumer completion */
SDPU_UNSUPPORTED(doca_comch_consumer_completion_create,
		 (struct doca_comch_consumer_completion **consumer_comp), consumer_comp)
SDPU_UNSUPPORTED(doca_comch_consumer_completion_set_dpa_thread,
		 (struct doca_comch_consumer_completion *consumer_comp,
		  struct doca_dpa_thread *dpa_thread),
		 consumer_comp && dpa_thread)
SDPU_UNSUPPORTED(doca_comch_consumer_completion_set_max_num_consumers,
		 (struct doca_comch_consumer_completion *consumer_comp,
		  uint32_t max_num_consumers),
		 consumer_comp)
SDPU_UNSUPPORTED(doca_comch_consumer_completion_get_max_num_consumers,
		 (const struct doca_comch_consumer_completion *consumer_comp,
		  uint32_t *max_num_consumers),
		 consumer_comp && max_num_consumers)
SDPU_UNSUPPORTED(doca_comch_consumer_completion_set_max_num_recv,
		 (struct doca_comch_consumer_completion *consumer_comp, uint32_t max_num_recv),
		 consumer_comp)
SDPU_UNSUPPORTED(doca_comch_consumer_completion_get_max_num_recv,
		 (const struct doca_comch_consumer_completion *consumer_comp,
		  uint32_t *max_num_recv),
		 consumer_comp && max_num_recv)
SDPU_UNSUPPORTED(doca_comch_consumer_completion_set_imm_data_len,
		 (struct doca_comch_consumer_completion *consumer_comp, uint32_t imm_data_len),
		 consumer_comp)
SDPU_UNSUPPORTED(doca_comch_consumer_completion_get_imm_data_len,
		 (const struct doca_comch_consumer_completion *consumer_comp,
		  uint32_t *imm_data_len),
		 consumer_comp && imm_data_len)
SDPU_UNSUPPORTED(doca_comch_consumer_completion_start,
		 (struct doca_comch_consumer_completion *consumer_comp), consumer_comp)
SDPU_UNSUPPORTED(doca_comch_consumer_completion_stop,
		 (struct doca_comch_consumer_completion *consumer_comp), consumer_comp)
SDPU_UNSUPPORTED(doca_comch_consumer_completion_destroy,
		 (struct doca_comch_consumer_completion *consumer_comp), consumer_comp)
SDPU_UNSUPPORTED(doca_comch_consumer_completion_get_dpa_handle,
		 (struct doca_comch_consumer_completion *consumer_comp,
		  doca_dpa_dev_comch_consumer_completion_t *consumer_comp_handle),
		 consumer_comp && consumer_comp_handle)

/* Consumers and producers on a DPA or GPU */
SDPU_UNSUPPORTED(doca_comch_consumer_set_completion,
		 (struct doca_comch_consumer *consumer,
		  struct doca_comch_consumer_completion *consumer_comp, uint32_t user_data),
		 consumer && consumer_comp)
SDPU_UNSUPPORTED(doca_comch_consumer_set_dev_max_num_recv,
		 (struct doca_comch_consumer *consumer, uint32_t dev_num_recv), consumer)
SDPU_UNSUPPORTED(doca_comch_consumer_set_dev_num_recv,
		 (struct doca_comch_consumer *consumer, uint32_t dev_num_recv), consumer)
SDPU_OFF_DATA_PATH(doca_comch_consumer_get_dpa_handle,
		   (struct doca_comch_consumer *consumer,
		    doca_dpa_dev_comch_consumer_t *dpa_consumer),
		   consumer && dpa_consumer)
SDPU_OFF_DATA_PATH(doca_comch_consumer_get_gpu_handle,
		   (struct doca_comch_consumer *consumer,
		    struct doca_comch_gpu_consumer **gpu_consumer),
		   consumer && gpu_consumer)
SDPU_UNSUPPORTED(doca_comch_producer_set_dev_max_num_send,
		 (struct doca_comch_producer *producer, uint32_t dev_num_send), producer)
SDPU_UNSUPPORTED(doca_comch_producer_set_dev_num_send,
		 (struct doca_comch_producer *producer, uint32_t dev_num_send), producer)
SDPU_UNSUPPORTED(doca_comch_producer_dpa_completion_attach,
		 (struct doca_comch_producer *producer, struct doca_dpa_completion *dpa_comp),
		 producer && dpa_comp)
SDPU_OFF_DATA_PATH(doca_comch_producer_get_dpa_handle,
		   (struct doca_comch_producer *producer,
		    doca_dpa_dev_comch_producer_t *dpa_producer),
		   producer && dpa_producer)
SDPU_OFF_DATA_PATH(doca_comch_producer_get_gpu_handle,
		   (struct doca_comch_producer *producer,
		    struct doca_comch_gpu_producer **gpu_producer),
		   producer && gpu_producer)
