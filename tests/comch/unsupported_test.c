/* SPDX-License-Identifier: BSD-3-Clause */
#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>

#include "t.h"
#include "unsupported.h"

T_CASE(device_data_path)
{
	OFF_DATA_PATH(doca_comch_consumer_get_gpu_handle(p(), p()));
	OFF_DATA_PATH(doca_comch_producer_get_gpu_handle(p(), p()));
}
