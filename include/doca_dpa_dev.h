/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_dpa_dev.h
 * @brief Device side of the DPA: threads, completions, log and trace, hash tables.
 *
 * For device sources, which dpacc compiles. A function marked __dpa_global__ is a kernel: the host
 * launches it, or makes it the function of a thread, which runs it each time it is triggered. One
 * marked __dpa_rpc__ is called by doca_dpa_rpc() and returns uint64_t.
 *
 * No function here returns an error. What is given a handle of the wrong kind ends the kernel and
 * the DPA context with it, and says why in the log and in a crash report; the host's program goes
 * on, and learns of it by doca_dpa_peek_at_last_error(). The same happens to a kernel that faults,
 * and to one that runs for longer than doca_dpa_get_kernel_max_run_time(). To call one of them from
 * the host's code is the end of the program, as nothing can be ended in its place.
 *
 * A thread is triggered once for each time that a completion was armed with
 * ..._request_notification and has elements; elements that are there already when it is armed
 * count. So a kernel of a thread reads all completions that are attached to it, acks what it read,
 * arms them, and ends with doca_dpa_dev_thread_reschedule().
 *
 * Threads: an object belongs to one thread of the DPA at a time, unless its function says more.
 */
#ifndef DOCA_DPA_DEV_H_
#define DOCA_DPA_DEV_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_dpa_dev_handles.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Set while device code is compiled. */
#define DOCA_DPA_DEVICE

/* dpacc looks for these words; to the compiler they are nothing. */
#ifndef __dpa_global__
#define __dpa_global__
#endif
#ifndef __dpa_rpc__
#define __dpa_rpc__
#endif

#ifndef __forceinline
#define __forceinline static inline __attribute__((always_inline))
#endif

/** What a completion element tells. */
typedef enum doca_dpa_dev_completion_type {
	DOCA_DPA_DEV_COMP_SEND = 0x0,		     /**< a send or a copy is done */
	DOCA_DPA_DEV_COMP_RECV_RDMA_WRITE_IMM = 0x1, /**< an RDMA write with immediate came */
	DOCA_DPA_DEV_COMP_RECV_SEND = 0x2,	     /**< an RDMA send came */
	DOCA_DPA_DEV_COMP_RECV_SEND_IMM = 0x3,	     /**< an RDMA send with immediate came */
	DOCA_DPA_DEV_COMP_SEND_ERR = 0xD,	     /**< a send or a copy failed */
	DOCA_DPA_DEV_COMP_RECV_ERR = 0xE,	     /**< a receive failed */
} doca_dpa_dev_completion_type_t;

/** How an operation is handed over; bits. */
enum doca_dpa_dev_submit_flag {
	DOCA_DPA_DEV_SUBMIT_FLAG_NONE = 0U,
	/** Begin this operation and those before it now. */
	DOCA_DPA_DEV_SUBMIT_FLAG_FLUSH = (1U << 0),
	/** Its completion may come late, with that of a later operation without the flag. */
	DOCA_DPA_DEV_SUBMIT_FLAG_OPTIMIZE_REPORTS = (1U << 1),
};

/**
 * @brief Choose the context that what follows in this kernel belongs to; the one that it was
 * started with unless set. Objects carry their context with them, so that here nothing depends on
 * it.
 *
 * @param[in] dpa_handle a context of this process: the base or one that extends it
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_device_set(doca_dpa_dev_t dpa_handle);

/**
 * @brief Ask which of the threads of a launch, or of a thread group, this is.
 *
 * @return from 0 to doca_dpa_dev_num_threads() - 1; 0 in a thread without group and in an RPC
 */
DOCA_EXPERIMENTAL
unsigned int doca_dpa_dev_thread_rank(void);

/**
 * @brief Ask how many threads the launch, or the thread group, has.
 *
 * @return threads; 1 in a thread without group and in an RPC
 */
DOCA_EXPERIMENTAL
unsigned int doca_dpa_dev_num_threads(void);

/**
 * @brief Get what the host gave to doca_dpa_thread_set_local_storage(). Threads only.
 *
 * @return device address; 0 if it gave none
 */
DOCA_EXPERIMENTAL
doca_dpa_dev_uintptr_t doca_dpa_dev_thread_get_local_storage(void);

/** @brief Let other threads run. For launched kernels that wait for something. */
DOCA_EXPERIMENTAL
void doca_dpa_dev_yield(void);

/** @brief End this run; the next trigger begins another. Does not return. Threads only. */
DOCA_EXPERIMENTAL
void doca_dpa_dev_thread_reschedule(void);

/** @brief End this run; nothing triggers the thread again. Does not return. Threads only. */
DOCA_EXPERIMENTAL
void doca_dpa_dev_thread_finish(void);

/**
 * @brief Write to the log of the context: the file that the host chose, or its standard output.
 * Any thread.
 *
 * @param[in] log_level dropped when the context's level is lower
 * @param[in] format as for printf()
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_log(doca_dpa_dev_log_level_t log_level, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#define DOCA_DPA_DEV_LOG_ERR(...) doca_dpa_dev_log(DOCA_DPA_DEV_LOG_LEVEL_ERROR, __VA_ARGS__)
#define DOCA_DPA_DEV_LOG_WARN(...) doca_dpa_dev_log(DOCA_DPA_DEV_LOG_LEVEL_WARNING, __VA_ARGS__)
#define DOCA_DPA_DEV_LOG_INFO(...) doca_dpa_dev_log(DOCA_DPA_DEV_LOG_LEVEL_INFO, __VA_ARGS__)
#define DOCA_DPA_DEV_LOG_DBG(...) doca_dpa_dev_log(DOCA_DPA_DEV_LOG_LEVEL_DEBUG, __VA_ARGS__)

/**
 * @brief Write five numbers to the trace of the context: the file that the host chose, or its
 * standard output. Buffered. Any thread.
 *
 * @param[in] arg1 the first
 * @param[in] arg2 the second
 * @param[in] arg3 the third
 * @param[in] arg4 the fourth
 * @param[in] arg5 the fifth
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_trace(uint64_t arg1, uint64_t arg2, uint64_t arg3, uint64_t arg4, uint64_t arg5);

/** @brief Bring what is buffered of the trace to its file. Any thread. */
DOCA_EXPERIMENTAL
void doca_dpa_dev_trace_flush(void);

/**
 * @brief Trigger the thread behind a notification completion. It needs no arming; what comes while
 * the thread runs triggers it once more. Any thread.
 *
 * @param[in] comp_handle the notification completion
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_thread_notify(doca_dpa_dev_notification_completion_t comp_handle);

/**
 * @brief Read the next element of a completion. It stays where it is until it is acked.
 *
 * @param[in] dpa_comp_handle the completion
 * @param[out] comp_element the element; written only if there is one
 * @return 1: there was one; 0: there is none
 */
DOCA_EXPERIMENTAL
int doca_dpa_dev_get_completion(doca_dpa_dev_completion_t dpa_comp_handle,
				doca_dpa_dev_completion_element_t *comp_element);

/**
 * @brief Ask what an element tells.
 *
 * @param[in] comp_element an element that was read and not acked
 * @return its type
 */
DOCA_EXPERIMENTAL
doca_dpa_dev_completion_type_t
doca_dpa_dev_get_completion_type(doca_dpa_dev_completion_element_t comp_element);

/**
 * @brief Read the user data of what has ended.
 *
 * @param[in] comp_element an element that was read and not acked
 * @return of asynchronous operations: what they were created with
 */
DOCA_EXPERIMENTAL
uint32_t doca_dpa_dev_get_completion_user_data(doca_dpa_dev_completion_element_t comp_element);

/**
 * @brief Read the immediate value of an RDMA receive.
 *
 * @param[in] comp_element an element that was read and not acked
 * @return the value; 0 for elements of other types
 */
DOCA_EXPERIMENTAL
uint32_t doca_dpa_dev_get_completion_immediate(doca_dpa_dev_completion_element_t comp_element);

/**
 * @brief Give back elements in the order in which they were read. What they reported may be sent or
 * started anew.
 *
 * @param[in] dpa_comp_handle the completion
 * @param[in] num_comp how many; at most those that were read and not acked
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_completion_ack(doca_dpa_dev_completion_t dpa_comp_handle, uint64_t num_comp);

/**
 * @brief Arm a completion: it triggers its thread once, as soon as it has elements that were not
 * read. A completion that was just started is armed.
 *
 * @param[in] dpa_comp_handle the completion
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_completion_request_notification(doca_dpa_dev_completion_t dpa_comp_handle);

/**
 * @brief Put a value into a table, in the place of an older one. A table that is full ends the
 * kernel.
 *
 * @param[in] ht_handle the table
 * @param[in] key its key
 * @param[in] value the value
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_hash_table_add(doca_dpa_dev_hash_table_t ht_handle, uint32_t key, uint64_t value);

/**
 * @brief Remove a key. One that is not there is no error.
 *
 * @param[in] ht_handle the table
 * @param[in] key the key
 */
DOCA_EXPERIMENTAL
void doca_dpa_dev_hash_table_remove(doca_dpa_dev_hash_table_t ht_handle, uint32_t key);

/**
 * @brief Look for a key.
 *
 * @param[in] ht_handle the table
 * @param[in] key the key
 * @param[out] value its value; written only if it is there
 * @return 1: it is there; 0: it is not
 */
DOCA_EXPERIMENTAL
int doca_dpa_dev_hash_table_find(doca_dpa_dev_hash_table_t ht_handle, uint32_t key,
				 uint64_t *value);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_DPA_DEV_H_ */
