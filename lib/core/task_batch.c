/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Task batches belong to libraries that softdpu does not have (Ethernet); nobody can hold one.
 */
#include <stddef.h>

#include <doca_pe.h>

#include "base/unsupported.h"

doca_error_t doca_task_batch_submit(struct doca_task_batch *task_batch)
{
	return sdpu_unsupported(__func__, task_batch != NULL);
}

doca_error_t doca_task_batch_try_submit(struct doca_task_batch *task_batch)
{
	return sdpu_unsupported(__func__, task_batch != NULL);
}

void doca_task_batch_free(struct doca_task_batch *task_batch)
{
	(void)task_batch;
}

doca_error_t doca_task_batch_get_status(const struct doca_task_batch *task_batch)
{
	return sdpu_unsupported(__func__, task_batch != NULL);
}

void doca_task_batch_set_user_data(struct doca_task_batch *task_batch, union doca_data user_data)
{
	(void)task_batch;
	(void)user_data;
}

union doca_data doca_task_batch_get_user_data(const struct doca_task_batch *task_batch)
{
	const union doca_data none = {.u64 = 0};

	(void)task_batch;
	return none;
}

struct doca_ctx *doca_task_batch_get_ctx(const struct doca_task_batch *task_batch)
{
	(void)task_batch;
	return NULL;
}

union doca_data doca_task_batch_get_ctx_user_data(const struct doca_task_batch *task_batch)
{
	const union doca_data none = {.u64 = 0};

	(void)task_batch;
	return none;
}

uint16_t doca_task_batch_get_tasks_num(const struct doca_task_batch *task_batch)
{
	(void)task_batch;
	return 0;
}
