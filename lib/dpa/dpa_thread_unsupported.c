/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DPA: threads, thread groups, completions, asynchronous operations, affinity, hash tables.
 */
#include <doca_dpa_thread.h>

#include "base/unsupported.h"

/* clang-format off */
SDPU_UNSUPPORTED(doca_dpa_thread_create,
	(struct doca_dpa *dpa, struct doca_dpa_thread **dpa_thread), dpa && dpa_thread)
SDPU_UNSUPPORTED(doca_dpa_thread_destroy, (struct doca_dpa_thread *dpa_thread), dpa_thread)
SDPU_UNSUPPORTED(doca_dpa_thread_set_func_arg,
	(struct doca_dpa_thread *dpa_thread, doca_dpa_func_t *func, uint64_t arg),
	dpa_thread && func)
SDPU_UNSUPPORTED(doca_dpa_thread_get_func_arg,
	(struct doca_dpa_thread *dpa_thread, doca_dpa_func_t **func, uint64_t *arg),
	dpa_thread && func && arg)
SDPU_UNSUPPORTED(doca_dpa_thread_set_local_storage,
	(struct doca_dpa_thread *dpa_thread, doca_dpa_dev_uintptr_t dev_ptr), dpa_thread)
SDPU_UNSUPPORTED(doca_dpa_thread_get_local_storage,
	(struct doca_dpa_thread *dpa_thread, doca_dpa_dev_uintptr_t *dev_ptr),
	dpa_thread && dev_ptr)
SDPU_UNSUPPORTED(doca_dpa_thread_set_affinity,
	(struct doca_dpa_thread *dpa_thread, const struct doca_dpa_eu_affinity *affinity),
	dpa_thread && affinity)
SDPU_UNSUPPORTED(doca_dpa_thread_get_affinity,
	(struct doca_dpa_thread *dpa_thread, const struct doca_dpa_eu_affinity **affinity),
	dpa_thread && affinity)
SDPU_UNSUPPORTED(doca_dpa_thread_start, (struct doca_dpa_thread *dpa_thread), dpa_thread)
SDPU_UNSUPPORTED(doca_dpa_thread_stop, (struct doca_dpa_thread *dpa_thread), dpa_thread)
SDPU_UNSUPPORTED(doca_dpa_thread_run, (struct doca_dpa_thread *dpa_thread), dpa_thread)
SDPU_UNSUPPORTED(doca_dpa_thread_get_id,
	(struct doca_dpa_thread *dpa_thread, uint32_t *dpa_thread_id), dpa_thread && dpa_thread_id)
SDPU_UNSUPPORTED(doca_dpa_thread_group_create,
	(struct doca_dpa *dpa, unsigned int num_threads, struct doca_dpa_tg **tg), dpa && tg)
SDPU_UNSUPPORTED(doca_dpa_thread_group_destroy, (struct doca_dpa_tg *tg), tg)
SDPU_UNSUPPORTED(doca_dpa_thread_group_get_num_threads,
	(struct doca_dpa_tg *tg, unsigned int *num_threads), tg && num_threads)
SDPU_UNSUPPORTED(doca_dpa_thread_group_set_thread,
	(struct doca_dpa_tg *tg, struct doca_dpa_thread *thread, unsigned int rank), tg && thread)
SDPU_UNSUPPORTED(doca_dpa_thread_group_start, (struct doca_dpa_tg *tg), tg)
SDPU_UNSUPPORTED(doca_dpa_thread_group_stop, (struct doca_dpa_tg *tg), tg)
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
SDPU_UNSUPPORTED(doca_dpa_eu_affinity_create,
	(struct doca_dpa *dpa, struct doca_dpa_eu_affinity **affinity), dpa && affinity)
SDPU_UNSUPPORTED(doca_dpa_eu_affinity_destroy, (struct doca_dpa_eu_affinity *affinity), affinity)
SDPU_UNSUPPORTED(doca_dpa_eu_affinity_set,
	(struct doca_dpa_eu_affinity *affinity, unsigned int eu_id), affinity)
SDPU_UNSUPPORTED(doca_dpa_eu_affinity_clear, (struct doca_dpa_eu_affinity *affinity), affinity)
SDPU_UNSUPPORTED(doca_dpa_eu_affinity_get,
	(struct doca_dpa_eu_affinity *affinity, unsigned int *eu_id), affinity && eu_id)
SDPU_UNSUPPORTED(doca_dpa_hash_table_create,
	(struct doca_dpa *dpa, unsigned int num_entries, struct doca_dpa_hash_table **ht),
	dpa && ht)
SDPU_UNSUPPORTED(doca_dpa_hash_table_destroy, (struct doca_dpa_hash_table *ht), ht)
SDPU_UNSUPPORTED(doca_dpa_hash_table_get_dpa_handle,
	(struct doca_dpa_hash_table *ht, doca_dpa_dev_hash_table_t *ht_handle), ht && ht_handle)
/* clang-format on */
