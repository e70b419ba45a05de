/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What producers and consumers have for code on a GPU: they are never on that data path.
 */
#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>

#include "base/unsupported.h"

/* The formatter takes the parameters of these macros for expressions. */
/* clang-format off */

SDPU_OFF_DATA_PATH(doca_comch_consumer_get_gpu_handle,
		   (struct doca_comch_consumer *consumer,
		    struct doca_comch_gpu_consumer **gpu_consumer),
		   consumer && gpu_consumer)
SDPU_OFF_DATA_PATH(doca_comch_producer_get_gpu_handle,
		   (struct doca_comch_producer *producer,
		    struct doca_comch_gpu_producer **gpu_producer),
		   producer && gpu_producer)
