/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DPA: threads, thread groups, completions, asynchronous operations, affinity, hash tables.
 */
#include <doca_dpa_thread.h>

#include "base/unsupported.h"

/* clang-format off */
SDPU_UNSUPPORTED(doca_dpa_completion_create,
	(struct doca_dpa *dpa, unsigned int queue_size, struct doca_dpa_completion **dpa_comp),
	dpa && dpa_comp)
SDPU_UNSUPPORTED(doca_dpa_completion_destroy, (struct doca_dpa_completion *dpa_comp), dpa_comp)
SDPU_UNSUPPORTED(doca_dpa_completion_get_queue_size,
	(struct doca_dpa_completion *dpa_comp, unsigned int *queue_size), dpa_comp && queue_size)
SDPU_UNSUPPORTED(doca_dpa_completion_set_thread,
	(struct doca_dpa_completion *dpa_comp, struct doca_dpa_thread *dpa_thread),
	dpa_comp && dpa_thread)
SDPU_UNSUPPORTED(doca_dpa_completion_get_thread,
	(struct doca_dpa_completion *dpa_comp, struct doca_dpa_thread **dpa_thread),
	dpa_comp && dpa_thread)
SDPU_UNSUPPORTED(doca_dpa_completion_start, (struct doca_dpa_completion *dpa_comp), dpa_comp)
SDPU_UNSUPPORTED(doca_dpa_completion_stop, (struct doca_dpa_completion *dpa_comp), dpa_comp)
SDPU_UNSUPPORTED(doca_dpa_completion_get_dpa_handle,
	(struct doca_dpa_completion *dpa_comp, doca_dpa_dev_completion_t *handle),
	dpa_comp && handle)
SDPU_UNSUPPORTED(doca_dpa_notification_completion_create,
	(struct doca_dpa *dpa, struct doca_dpa_thread *dpa_thread,
	 struct doca_dpa_notification_completion **notify_comp), dpa && dpa_thread && notify_comp)
SDPU_UNSUPPORTED(doca_dpa_notification_completion_destroy,
	(struct doca_dpa_notification_completion *notify_comp), notify_comp)
SDPU_UNSUPPORTED(doca_dpa_notification_completion_get_thread,
	(struct doca_dpa_notification_completion *notify_comp, struct doca_dpa_thread **dpa_thread),
	notify_comp && dpa_thread)
SDPU_UNSUPPORTED(doca_dpa_notification_completion_start,
	(struct doca_dpa_notification_completion *notify_comp), notify_comp)
SDPU_UNSUPPORTED(doca_dpa_notification_completion_stop,
	(struct doca_dpa_notification_completion *notify_comp), notify_comp)
SDPU_UNSUPPORTED(doca_dpa_notification_completion_get_dpa_handle,
	(struct doca_dpa_notification_completion *notify_comp,
	 doca_dpa_dev_notification_completion_t *handle), notify_comp && handle)
SDPU_UNSUPPORTED(doca_dpa_async_ops_create,
	(struct doca_dpa *dpa, unsigned int queue_size, uint64_t user_data,
	 struct doca_dpa_async_ops **async_ops), dpa && async_ops)
SDPU_UNSUPPORTED(doca_dpa_async_ops_destroy, (struct doca_dpa_async_ops *async_ops), async_ops)
SDPU_UNSUPPORTED(doca_dpa_async_ops_get_queue_size,
	(struct doca_dpa_async_ops *async_ops, unsigned int *queue_size), async_ops && queue_size)
SDPU_UNSUPPORTED(doca_dpa_async_ops_get_user_data,
	(struct doca_dpa_async_ops *async_ops, uint64_t *user_data), async_ops && user_data)
SDPU_UNSUPPORTED(doca_dpa_async_ops_attach,
	(struct doca_dpa_async_ops *async_ops, struct doca_dpa_completion *dpa_comp),
	async_ops && dpa_comp)
SDPU_UNSUPPORTED(doca_dpa_async_ops_start, (struct doca_dpa_async_ops *async_ops), async_ops)
SDPU_UNSUPPORTED(doca_dpa_async_ops_stop, (struct doca_dpa_async_ops *async_ops), async_ops)
SDPU_UNSUPPORTED(doca_dpa_async_ops_get_dpa_handle,
	(struct doca_dpa_async_ops *async_ops, doca_dpa_dev_async_ops_t *handle),
	async_ops && handle)
SDPU_UNSUPPORTED(doca_dpa_hash_table_create,
	(struct doca_dpa *dpa, unsigned int num_entries, struct doca_dpa_hash_table **ht),
	dpa && ht)
SDPU_UNSUPPORTED(doca_dpa_hash_table_destroy, (struct doca_dpa_hash_table *ht), ht)
SDPU_UNSUPPORTED(doca_dpa_hash_table_get_dpa_handle,
	(struct doca_dpa_hash_table *ht, doca_dpa_dev_hash_table_t *ht_handle), ht && ht_handle)
/* clang-format on */
