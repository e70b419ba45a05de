/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Control send task; one type for server and client. The message is read when it is submitted, and
 * captured by then.
 */
#ifndef SDPU_COMCH_TASK_SEND_H
#define SDPU_COMCH_TASK_SEND_H

#include <doca_comch.h>

#include "core/task.h"

struct doca_comch_task_send {
	struct doca_task base;
	struct doca_comch_connection *peer;
	const void *message; /* the user's, until submit */
	uint32_t len;
};

#endif
