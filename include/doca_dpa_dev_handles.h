/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_dpa_dev_handles.h
 * Types that host code and DPA device code share.
 *
 * A handle names a host-side object inside device code. The host obtains it with the object's
 * get_dpa_handle call and passes it on by value, in a kernel argument or in device memory; it
 * means nothing to the host itself and dies with the object (or with its stop). Host headers and
 * device headers both include this file, so that a source may include both.
 */
#ifndef DOCA_DPA_DEV_HANDLES_H_
#define DOCA_DPA_DEV_HANDLES_H_

#include <doca_compat.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A DPA context. */
typedef uint64_t doca_dpa_dev_t;

/** An address in DPA memory. */
typedef uint64_t doca_dpa_dev_uintptr_t;

/** A hash table in DPA memory. */
typedef uint64_t doca_dpa_dev_hash_table_t;

/** A completion context that device code polls. */
typedef uint64_t doca_dpa_dev_completion_t;

/** One entry read from a completion context. */
typedef uint64_t doca_dpa_dev_completion_element_t;

/** A context for asynchronous operations that device code starts. */
typedef uint64_t doca_dpa_dev_async_ops_t;

/** A completion context that carries notifications between DPA threads. */
typedef uint64_t doca_dpa_dev_notification_completion_t;

/** A memory map; the only handle of 32 bits. */
typedef uint32_t doca_dpa_dev_mmap_t;

/** A buffer. */
typedef uint64_t doca_dpa_dev_buf_t;

/** An array of buffers. */
typedef uint64_t doca_dpa_dev_buf_arr_t;

/** A sync event. */
typedef uint64_t doca_dpa_dev_sync_event_t;

/** A sync event that lives on another machine. */
typedef uint64_t doca_dpa_dev_sync_event_remote_net_t;

/** An RDMA context on the DPA data path. */
typedef uint64_t doca_dpa_dev_rdma_t;

/** A Comch producer on the DPA data path. */
typedef uint64_t doca_dpa_dev_comch_producer_t;

/** A Comch consumer on the DPA data path. */
typedef uint64_t doca_dpa_dev_comch_consumer_t;

/** A completion context of DPA consumers. */
typedef uint64_t doca_dpa_dev_comch_consumer_completion_t;

/** One entry read from a completion context of DPA consumers. */
typedef uint64_t doca_dpa_dev_comch_consumer_completion_element_t;

/** How much device code reports through its log; each level includes those above it. */
typedef enum doca_dpa_dev_log_level {
	DOCA_DPA_DEV_LOG_LEVEL_DISABLE = 10, /**< nothing */
	DOCA_DPA_DEV_LOG_LEVEL_ERROR = 30,   /**< errors only */
	DOCA_DPA_DEV_LOG_LEVEL_WARNING = 40, /**< and warnings */
	DOCA_DPA_DEV_LOG_LEVEL_INFO = 50,    /**< and progress of the program; the default */
	DOCA_DPA_DEV_LOG_LEVEL_DEBUG = 60,   /**< everything */
} doca_dpa_dev_log_level_t;

#ifdef __cplusplus
}
#endif

#endif /* DOCA_DPA_DEV_HANDLES_H_ */
