/* SPDX-License-Identifier: BSD-3-Clause */
#include <doca_comch_msgq.h>

#include "t.h"
#include "unsupported.h"

T_CASE(msgq)
{
	UNSUPPORTED(doca_comch_msgq_create(p(), p()));
	UNSUPPORTED(doca_comch_msgq_destroy(p()));
	UNSUPPORTED(doca_comch_msgq_set_dpa_consumer(p(), p()));
	UNSUPPORTED(doca_comch_msgq_set_max_num_consumers(p(), 8));
	UNSUPPORTED(doca_comch_msgq_set_dpa_producer(p(), p()));
	UNSUPPORTED(doca_comch_msgq_set_max_num_producers(p(), 8));
	UNSUPPORTED(doca_comch_msgq_start(p()));
	UNSUPPORTED(doca_comch_msgq_stop(p()));
	UNSUPPORTED(doca_comch_msgq_consumer_create(p(), p()));
	UNSUPPORTED(doca_comch_msgq_producer_create(p(), p()));
}

T_CASE(consumer_completion)
{
	UNSUPPORTED(doca_comch_consumer_completion_create(p()));
	UNSUPPORTED(doca_comch_consumer_completion_set_dpa_thread(p(), p()));
	UNSUPPORTED(doca_comch_consumer_completion_set_max_num_consumers(p(), 8));
	UNSUPPORTED(doca_comch_consumer_completion_get_max_num_consumers(p(), p()));
	UNSUPPORTED(doca_comch_consumer_completion_set_max_num_recv(p(), 8));
	UNSUPPORTED(doca_comch_consumer_completion_get_max_num_recv(p(), p()));
	UNSUPPORTED(doca_comch_consumer_completion_set_imm_data_len(p(), 8));
	UNSUPPORTED(doca_comch_consumer_completion_get_imm_data_len(p(), p()));
	UNSUPPORTED(doca_comch_consumer_completion_start(p()));
	UNSUPPORTED(doca_comch_consumer_completion_stop(p()));
	UNSUPPORTED(doca_comch_consumer_completion_destroy(p()));
	UNSUPPORTED(doca_comch_consumer_completion_get_dpa_handle(p(), p()));
}

T_CASE(device_data_path)
{
	UNSUPPORTED(doca_comch_consumer_set_completion(p(), p(), 8));
	UNSUPPORTED(doca_comch_consumer_set_dev_max_num_recv(p(), 8));
	UNSUPPORTED(doca_comch_consumer_set_dev_num_recv(p(), 8));
	OFF_DATA_PATH(doca_comch_consumer_get_dpa_handle(p(), p()));
	OFF_DATA_PATH(doca_comch_consumer_get_gpu_handle(p(), p()));
	UNSUPPORTED(doca_comch_producer_set_dev_max_num_send(p(), 8));
	UNSUPPORTED(doca_comch_producer_set_dev_num_send(p(), 8));
	UNSUPPORTED(doca_comch_producer_dpa_completion_attach(p(), p()));
	OFF_DATA_PATH(doca_comch_producer_get_dpa_handle(p(), p()));
	OFF_DATA_PATH(doca_comch_producer_get_gpu_handle(p(), p()));
}
