/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_dpa_thread.h
 * @brief Host side of the DPA: threads, thread groups, completions, and other objects in a context.
 *
 * Part of doca_dpa.h, which includes it and says what holds for all of them: ownership, common
 * errors, and the thread rule.
 *
 * A thread runs its function to the end each time an attached completion is armed and has an
 * element, once doca_dpa_thread_run() was called. Order: make and start the thread, then its
 * completions, then run. A child is destroyed before its context; afterwards every call answers
 * DOCA_ERROR_BAD_STATE, as do all but the destroys of a context in which device code has failed.
 */
#ifndef DOCA_DPA_THREAD_H_
#define DOCA_DPA_THREAD_H_

#include <doca_compat.h>
#include <doca_dpa_dev_handles.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_dpa;
struct doca_dpa_async_ops;
struct doca_dpa_completion;
struct doca_dpa_eu_affinity;
struct doca_dpa_hash_table;
struct doca_dpa_notification_completion;
struct doca_dpa_tg;
struct doca_dpa_thread;

/** Type under which the host declares device functions, whatever their arguments. */
typedef void(doca_dpa_func_t)(void);

/**
 * @brief Make a thread. It is not started.
 *
 * @param[in] dpa the DPA context
 * @param[out] dpa_thread the thread; the caller destroys it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_NO_MEMORY: no memory for the object, or the context has all the threads that
 * the device gives to one
 * @return DOCA_ERROR_BAD_STATE: device code of the context has failed
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_thread_create(struct doca_dpa *dpa, struct doca_dpa_thread **dpa_thread);

/**
 * @brief Destroy a thread, stopping it first if needed. Completions that are attached to it are
 * detached.
 *
 * @param[in] dpa_thread consumed, unless its kernel cannot be ended (DOCA_ERROR_DRIVER)
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the DPA context is gone; it is destroyed all the same
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_thread_destroy(struct doca_dpa_thread *dpa_thread);

/**
 * @brief Choose the function and its argument. Mandatory, before start.
 *
 * @param[in] dpa_thread the thread
 * @param[in] func the function, marked __dpa_global__, void f(uint64_t arg)
 * @param[in] arg handed to it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the thread is started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_thread_set_func_arg(struct doca_dpa_thread *dpa_thread, doca_dpa_func_t *func,
					  uint64_t arg);

/**
 * @brief Read the function and its argument.
 *
 * @param[in] dpa_thread the thread
 * @param[out] func the function
 * @param[out] arg its argument
 * @return DOCA_SUCCESS
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_thread_get_func_arg(struct doca_dpa_thread *dpa_thread,
					  doca_dpa_func_t **func, uint64_t *arg);

/**
 * @brief Give the thread a device pointer that its function can read. Before start.
 *
 * @param[in] dpa_thread the thread
 * @param[in] dev_ptr device address
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the thread is started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_thread_set_local_storage(struct doca_dpa_thread *dpa_thread,
					       doca_dpa_dev_uintptr_t dev_ptr);

/**
 * @brief Read that pointer.
 *
 * @param[in] dpa_thread the thread
 * @param[out] dev_ptr device address
 * @return DOCA_SUCCESS
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_thread_get_local_storage(struct doca_dpa_thread *dpa_thread,
					       doca_dpa_dev_uintptr_t *dev_ptr);

/**
 * @brief Pin the thread to an execution unit; any free one unless set. Before start. Here threads
 * are the system's, which puts them where it likes.
 *
 * @param[in] dpa_thread the thread
 * @param[in] affinity names the unit; must outlive the thread
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: it names none, too
 * @return DOCA_ERROR_BAD_STATE: the thread is started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_thread_set_affinity(struct doca_dpa_thread *dpa_thread,
					  const struct doca_dpa_eu_affinity *affinity);

/**
 * @brief Read what the thread is pinned to.
 *
 * @param[in] dpa_thread the thread
 * @param[out] affinity as it was set
 * @return DOCA_SUCCESS
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_thread_get_affinity(struct doca_dpa_thread *dpa_thread,
					  const struct doca_dpa_eu_affinity **affinity);

/**
 * @brief Start a thread. It does not run yet.
 *
 * @param[in] dpa_thread a thread with a function
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: the function is no kernel with one uint64_t of the context's
 * program, too
 * @return DOCA_ERROR_BAD_STATE: it has no function, or the context is not started or gone
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_thread_start(struct doca_dpa_thread *dpa_thread);

/**
 * @brief Stop a thread. If its kernel runs, it has 100 ms to come to its end; then it is ended.
 * Completions that are attached are detached.
 *
 * @param[in] dpa_thread a started thread
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: it is not started, or the DPA context is gone
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_thread_stop(struct doca_dpa_thread *dpa_thread);

/**
 * @brief Let completion elements trigger the thread, those that came before included. Once between
 * start and stop.
 *
 * @param[in] dpa_thread a started thread with a completion
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: it is not started, or runs already, or no started completion is
 * attached to it
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_thread_run(struct doca_dpa_thread *dpa_thread);

/**
 * @brief Read the id of a thread.
 *
 * @param[in] dpa_thread a started thread
 * @param[out] dpa_thread_id its id on the device
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: it is not started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_thread_get_id(struct doca_dpa_thread *dpa_thread, uint32_t *dpa_thread_id);

/**
 * @brief Make an empty group of threads that know their rank.
 *
 * @param[in] dpa a started DPA context
 * @param[in] num_threads size of the group
 * @param[out] tg the group; the caller destroys it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_NO_MEMORY: no memory for the object
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_thread_group_create(struct doca_dpa *dpa, unsigned int num_threads,
					  struct doca_dpa_tg **tg);

/**
 * @brief Destroy a group. Its threads stay.
 *
 * @param[in] tg consumed
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the DPA context is gone; it is destroyed all the same
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_thread_group_destroy(struct doca_dpa_tg *tg);

/**
 * @brief Read the size of a group.
 *
 * @param[in] tg the group
 * @param[out] num_threads as given to create
 * @return DOCA_SUCCESS
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_thread_group_get_num_threads(struct doca_dpa_tg *tg,
						   unsigned int *num_threads);

/**
 * @brief Put a thread into a group. Before either is started; a thread has one group.
 *
 * @param[in] tg the group
 * @param[in] thread the thread
 * @param[in] rank its rank, from 0 to size - 1
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the group or the thread is started, or the thread has a group
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_thread_group_set_thread(struct doca_dpa_tg *tg,
					      struct doca_dpa_thread *thread, unsigned int rank);

/**
 * @brief Start a group.
 *
 * @param[in] tg a group with every rank set and started
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: it is started, a rank is not set, or its thread is not started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_thread_group_start(struct doca_dpa_tg *tg);

/**
 * @brief Stop a group.
 *
 * @param[in] tg a started group
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: it is not started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_thread_group_stop(struct doca_dpa_tg *tg);

/**
 * @brief Make a completion: a queue in which device code finds what has ended.
 *
 * @param[in] dpa a started DPA context
 * @param[in] queue_size elements; rounded up to a power of two
 * @param[out] dpa_comp the completion; the caller destroys it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_NO_MEMORY: no memory for the object
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_completion_create(struct doca_dpa *dpa, unsigned int queue_size,
					struct doca_dpa_completion **dpa_comp);

/**
 * @brief Destroy a completion, stopping it first if needed.
 *
 * @param[in] dpa_comp consumed, unless something reports to it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: something that is started reports to it; or the DPA context is
 * gone, and it is destroyed all the same
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_completion_destroy(struct doca_dpa_completion *dpa_comp);

/**
 * @brief Read the size of the queue.
 *
 * @param[in] dpa_comp the completion
 * @param[out] queue_size elements
 * @return DOCA_SUCCESS
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_completion_get_queue_size(struct doca_dpa_completion *dpa_comp,
						unsigned int *queue_size);

/**
 * @brief Attach the thread that elements trigger; without one the device polls. Before start.
 *
 * @param[in] dpa_comp the completion
 * @param[in] dpa_thread the thread; must outlive the completion
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the completion is started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_completion_set_thread(struct doca_dpa_completion *dpa_comp,
					    struct doca_dpa_thread *dpa_thread);

/**
 * @brief Read which thread is attached.
 *
 * @param[in] dpa_comp the completion
 * @param[out] dpa_thread as it was set
 * @return DOCA_SUCCESS
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_completion_get_thread(struct doca_dpa_completion *dpa_comp,
					    struct doca_dpa_thread **dpa_thread);

/**
 * @brief Start a completion.
 *
 * @param[in] dpa_comp the completion
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the context, or the attached thread, is not started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_completion_start(struct doca_dpa_completion *dpa_comp);

/**
 * @brief Stop a completion.
 *
 * Elements that were not read are lost.
 *
 * @param[in] dpa_comp a started completion
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: it is not started, or something that is started reports to it
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_completion_stop(struct doca_dpa_completion *dpa_comp);

/**
 * @brief Get the handle for device code.
 *
 * @param[in] dpa_comp a started completion
 * @param[out] handle valid until it is stopped
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: it is not started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_completion_get_dpa_handle(struct doca_dpa_completion *dpa_comp,
						doca_dpa_dev_completion_t *handle);

/**
 * @brief Make a completion without elements, by which device code triggers a thread.
 *
 * @param[in] dpa a started DPA context
 * @param[in] dpa_thread the thread; must outlive the completion
 * @param[out] notify_comp the completion; the caller destroys it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_NO_MEMORY: no memory for the object
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_dpa_notification_completion_create(struct doca_dpa *dpa, struct doca_dpa_thread *dpa_thread,
					struct doca_dpa_notification_completion **notify_comp);

/**
 * @brief Destroy it, stopping it first if needed.
 *
 * @param[in] notify_comp consumed
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the DPA context is gone; it is destroyed all the same
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_dpa_notification_completion_destroy(struct doca_dpa_notification_completion *notify_comp);

/**
 * @brief Read which thread it triggers.
 *
 * @param[in] notify_comp the completion
 * @param[out] dpa_thread as given to create
 * @return DOCA_SUCCESS
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_dpa_notification_completion_get_thread(struct doca_dpa_notification_completion *notify_comp,
					    struct doca_dpa_thread **dpa_thread);

/**
 * @brief Start it.
 *
 * @param[in] notify_comp the completion
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the context or the thread is not started
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_dpa_notification_completion_start(struct doca_dpa_notification_completion *notify_comp);

/**
 * @brief Stop it.
 *
 * @param[in] notify_comp the completion
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: it is not started
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_dpa_notification_completion_stop(struct doca_dpa_notification_completion *notify_comp);

/**
 * @brief Get the handle for device code.
 *
 * @param[in] notify_comp the completion
 * @param[out] handle valid until it is stopped
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: it is not started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_notification_completion_get_dpa_handle(
	struct doca_dpa_notification_completion *notify_comp,
	doca_dpa_dev_notification_completion_t *handle);

/**
 * @brief Make a queue for copies and waits that device code starts and does not wait for.
 *
 * @param[in] dpa a started DPA context
 * @param[in] queue_size elements; rounded up to a power of two
 * @param[in] user_data comes back in the completion; DOCA_DPA_COMPLETION_LOG_MAX_USER_DATA bits
 * count
 * @param[out] async_ops the object; the caller destroys it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_NO_MEMORY: no memory for the object
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_async_ops_create(struct doca_dpa *dpa, unsigned int queue_size,
				       uint64_t user_data, struct doca_dpa_async_ops **async_ops);

/**
 * @brief Destroy it, stopping it first if needed.
 *
 * @param[in] async_ops consumed
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the DPA context is gone; it is destroyed all the same
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_async_ops_destroy(struct doca_dpa_async_ops *async_ops);

/**
 * @brief Read the size of the queue.
 *
 * @param[in] async_ops the object
 * @param[out] queue_size elements
 * @return DOCA_SUCCESS
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_async_ops_get_queue_size(struct doca_dpa_async_ops *async_ops,
					       unsigned int *queue_size);

/**
 * @brief Read the user data.
 *
 * @param[in] async_ops the object
 * @param[out] user_data as given to create
 * @return DOCA_SUCCESS
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_async_ops_get_user_data(struct doca_dpa_async_ops *async_ops,
					      uint64_t *user_data);

/**
 * @brief Attach the completion that reports the ends. Mandatory, before start.
 *
 * @param[in] async_ops the object
 * @param[in] dpa_comp the completion; must outlive the object
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: it is started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_async_ops_attach(struct doca_dpa_async_ops *async_ops,
				       struct doca_dpa_completion *dpa_comp);

/**
 * @brief Start it.
 *
 * @param[in] async_ops the object
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the context or the attached completion is not started, or there is
 * none
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_async_ops_start(struct doca_dpa_async_ops *async_ops);

/**
 * @brief Stop it. Waits that go on end without an element.
 *
 * @param[in] async_ops the object
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: it is not started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_async_ops_stop(struct doca_dpa_async_ops *async_ops);

/**
 * @brief Get the handle for device code.
 *
 * @param[in] async_ops the object
 * @param[out] handle valid until it is stopped
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: it is not started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_async_ops_get_dpa_handle(struct doca_dpa_async_ops *async_ops,
					       doca_dpa_dev_async_ops_t *handle);

/**
 * @brief Make an object that names one execution unit; none at first.
 *
 * @param[in] dpa a started DPA context
 * @param[out] affinity the object; the caller destroys it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_NO_MEMORY: no memory for the object
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_eu_affinity_create(struct doca_dpa *dpa,
					 struct doca_dpa_eu_affinity **affinity);

/**
 * @brief Destroy it.
 *
 * @param[in] affinity consumed
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the DPA context is gone; it is destroyed all the same
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_eu_affinity_destroy(struct doca_dpa_eu_affinity *affinity);

/**
 * @brief Name the execution unit.
 *
 * @param[in] affinity the object
 * @param[in] eu_id its id
 * @return DOCA_SUCCESS
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_eu_affinity_set(struct doca_dpa_eu_affinity *affinity, unsigned int eu_id);

/**
 * @brief Name none again.
 *
 * @param[in] affinity the object
 * @return DOCA_SUCCESS
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_eu_affinity_clear(struct doca_dpa_eu_affinity *affinity);

/**
 * @brief Read which execution unit is named.
 *
 * @param[in] affinity the object
 * @param[out] eu_id its id
 * @return DOCA_SUCCESS
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_eu_affinity_get(struct doca_dpa_eu_affinity *affinity, unsigned int *eu_id);

/**
 * @brief Make a table from 32-bit keys to 64-bit values, for device code.
 *
 * @param[in] dpa a started DPA context
 * @param[in] num_entries entries; rounded up to a power of two
 * @param[out] ht the table; the caller destroys it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the context is not started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_hash_table_create(struct doca_dpa *dpa, unsigned int num_entries,
					struct doca_dpa_hash_table **ht);

/**
 * @brief Destroy a table that no device code uses.
 *
 * @param[in] ht consumed
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the DPA context is gone; it is destroyed all the same
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_hash_table_destroy(struct doca_dpa_hash_table *ht);

/**
 * @brief Get the handle for device code.
 *
 * @param[in] ht the table
 * @param[out] ht_handle valid until the table is destroyed
 * @return DOCA_SUCCESS
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_hash_table_get_dpa_handle(struct doca_dpa_hash_table *ht,
						doca_dpa_dev_hash_table_t *ht_handle);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_DPA_THREAD_H_ */
