/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_dpa.h
 * @brief Host side of the DPA: contexts, running code, memory.
 *
 * A context is one process on the DPA of a device, running a program image that the DPA compiler
 * made (struct doca_dpa_app, declared extern by the program). Device functions are declared on the
 * host as "extern doca_dpa_func_t name;" and handed to the calls below. Threads, completions and
 * what else lives in a context is in doca_dpa_thread.h, which this header includes.
 *
 * Life: create, doca_dpa_set_app(), (log and trace), start, make and start threads and completions,
 * run, destroy these, stop, destroy. The user owns every object; a parent outlives its children.
 * Device memory is addressed by doca_dpa_dev_uintptr_t.
 *
 * Device code runs on threads of this process, in its memory. A fault of device code, a handle of
 * the wrong kind, and a kernel that runs for longer than doca_dpa_get_kernel_max_run_time() are
 * final for the context: all its kernels are ended, the log and a crash report (PREFIX.PID.crash;
 * the prefix is the name of the log file, or /tmp/doca_dpa_fatal) say which kernel it was, and
 * where, and doca_dpa_peek_at_last_error() tells. Every call but the destroys answers
 * DOCA_ERROR_BAD_STATE then. The program goes on. For that, signal handlers are installed by the
 * first doca_dpa_start(); faults of the program itself have the effect that they had before.
 *
 * Every function may also return two errors that its comment does not repeat:
 * DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or a number is out of range; DOCA_ERROR_DRIVER: a
 * failure below this library.
 *
 * Threads: one at a time per context and all that belongs to it.
 * Outputs are written only on success, except where a comment says so.
 */
#ifndef DOCA_DPA_H_
#define DOCA_DPA_H_

#include <doca_compat.h>
#include <doca_dpa_dev_handles.h>
#include <doca_dpa_thread.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_dev;
struct doca_devinfo;
struct doca_sync_event;

struct doca_dpa;     /* a process on the DPA */
struct doca_dpa_app; /* its program image */

/** Most bits of user data that a completion carries. */
#define DOCA_DPA_COMPLETION_LOG_MAX_USER_DATA (24)

/**
 * @brief Ask whether a device has a DPA.
 *
 * @param[in] devinfo the device
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_NOT_SUPPORTED: it has none
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_cap_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Make a context. It is not started.
 *
 * @param[in] dev an open device
 * @param[out] dpa the context; the caller destroys it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_NOT_SUPPORTED: the device has no DPA
 * @return DOCA_ERROR_NO_MEMORY: no memory for the object
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_create(struct doca_dev *dev, struct doca_dpa **dpa);

/**
 * @brief Destroy a context, stopping it first if needed. An extended context goes before its base,
 * and after what lives in it. A kernel that runs has 100 ms to come to its end; then it is ended.
 * Launches that wait are dropped.
 *
 * @param[in] dpa consumed on success
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_IN_USE: another DOCA context, a sync event, an mmap or a buffer array still
 * uses it, or an extended context
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_destroy(struct doca_dpa *dpa);

/**
 * @brief Choose the program. Mandatory, before start.
 *
 * @param[in] dpa the DPA context
 * @param[in] app the image; lives as long as the program
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: another release's dpacc made it, too
 * @return DOCA_ERROR_BAD_STATE: the context is started, or extended
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_set_app(struct doca_dpa *dpa, struct doca_dpa_app *app);

/**
 * @brief Read which program was chosen. None is an invalid value.
 *
 * @param[in] dpa the DPA context
 * @param[out] app the image
 * @return DOCA_SUCCESS
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_get_app(struct doca_dpa *dpa, struct doca_dpa_app **app);

/**
 * @brief Read the name of a program. A buffer that is too short is an invalid value.
 *
 * @param[in] app the image
 * @param[out] app_name the name, NUL-terminated
 * @param[in,out] app_name_len bytes at the pointer; then bytes written, the final NUL included
 * @return DOCA_SUCCESS
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_app_get_name(struct doca_dpa_app *app, char *app_name,
				   uint32_t *app_name_len);

/**
 * @brief Load the program and start the process.
 *
 * @param[in] dpa a context with a program
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_NO_MEMORY: no memory on the DPA
 * @return DOCA_ERROR_BAD_STATE: it has no program, is started, or is extended
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_start(struct doca_dpa *dpa);

/**
 * @brief Stop the process. It can be started again. What runs and waits ends as with
 * doca_dpa_destroy().
 *
 * @param[in] dpa a started DPA context
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_IN_USE: threads, completions, extended contexts or the like exist
 * @return DOCA_ERROR_BAD_STATE: it is not started, has failed, or is extended
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_stop(struct doca_dpa *dpa);

/**
 * @brief Set how much device code logs. Before start.
 *
 * @param[in] dpa the DPA context
 * @param[in] log_level the level
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the context is started
 * @return DOCA_ERROR_NOT_PERMITTED: it is an extended context
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_set_log_level(struct doca_dpa *dpa, doca_dpa_dev_log_level_t log_level);

/**
 * @brief Read how much device code logs.
 *
 * @param[in] dpa the DPA context
 * @param[out] log_level the level
 * @return DOCA_SUCCESS
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_get_log_level(struct doca_dpa *dpa, doca_dpa_dev_log_level_t *log_level);

/**
 * @brief Say where the log of device code goes; to standard output unless set. Opens the file.
 * Before start. Its name also begins the names of crash files.
 *
 * @param[in] dpa the DPA context
 * @param[in] file_path name of the file; copied
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the context is started
 * @return DOCA_ERROR_NO_MEMORY: no memory for the name
 * @return DOCA_ERROR_OPERATING_SYSTEM: the file cannot be opened
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_log_file_set_path(struct doca_dpa *dpa, const char *file_path);

/**
 * @brief Read that name back; "stdout" unless set. A buffer that is too short is an invalid value.
 *
 * @param[in] dpa the DPA context
 * @param[out] file_path the name, NUL-terminated
 * @param[in,out] file_path_len bytes at the pointer; then bytes written, the final NUL included
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_NO_MEMORY: no memory for the name
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_log_file_get_path(struct doca_dpa *dpa, char *file_path,
					uint32_t *file_path_len);

/**
 * @brief Say where the traces of device code go; to standard output unless set. Opens the file.
 * Before start.
 *
 * @param[in] dpa the DPA context
 * @param[in] file_path name of the file; copied
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the context is started
 * @return DOCA_ERROR_NO_MEMORY: no memory for the name
 * @return DOCA_ERROR_OPERATING_SYSTEM: the file cannot be opened
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_trace_file_set_path(struct doca_dpa *dpa, const char *file_path);

/**
 * @brief Read that name back; "stdout" unless set. A buffer that is too short is an invalid value.
 *
 * @param[in] dpa the DPA context
 * @param[out] file_path the name, NUL-terminated
 * @param[in,out] file_path_len bytes at the pointer; then bytes written, the final NUL included
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_NO_MEMORY: no memory for the name
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_trace_file_get_path(struct doca_dpa *dpa, char *file_path,
					  uint32_t *file_path_len);

/**
 * @brief Make a second context of the same process, for another function of the device. It is
 * started already.
 *
 * @param[in] dpa the base, started
 * @param[in] other_dev the open device of that function, on the same card and side
 * @param[out] extended_dpa the context; the caller destroys it before the base
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the base is not started, or is itself extended
 * @return DOCA_ERROR_NO_MEMORY: no memory for the object
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_device_extend(struct doca_dpa *dpa, struct doca_dev *other_dev,
				    struct doca_dpa **extended_dpa);

/**
 * @brief Get the handle by which device code chooses this context.
 *
 * @param[in] dpa a started DPA context
 * @param[out] handle the handle
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the context is not started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_get_dpa_handle(struct doca_dpa *dpa, doca_dpa_dev_t *handle);

/**
 * @brief Read the id of the doorbell page of the context. Here nothing depends on it.
 *
 * @param[in] dpa a started DPA context
 * @param[out] uar_id the id on the device
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the context is not started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_get_uar_id(const struct doca_dpa *dpa, uint32_t *uar_id);

/**
 * @brief Ask whether device code has failed. Asking does not clear it.
 *
 * @param[in] dpa the DPA context
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: it has failed
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_peek_at_last_error(const struct doca_dpa *dpa);

/**
 * @brief Read how many threads a launch may have.
 *
 * @param[in] dpa the DPA context
 * @param[out] value threads
 * @return DOCA_SUCCESS
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_get_max_threads_per_kernel(const struct doca_dpa *dpa, unsigned int *value);

/**
 * @brief Read how long a kernel may run before it is killed.
 *
 * @param[in] dpa the DPA context
 * @param[out] value seconds
 * @return DOCA_SUCCESS
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_get_kernel_max_run_time(const struct doca_dpa *dpa,
					      unsigned long long *value);

/**
 * @brief Read how many cores the DPA has.
 *
 * @param[in] dpa the DPA context
 * @param[out] num_cores cores
 * @return DOCA_SUCCESS
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_get_core_num(struct doca_dpa *dpa, unsigned int *num_cores);

/**
 * @brief Read how many execution units a core has.
 *
 * @param[in] dpa the DPA context
 * @param[out] eus_per_core execution units
 * @return DOCA_SUCCESS
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_get_num_eus_per_core(struct doca_dpa *dpa, unsigned int *eus_per_core);

/**
 * @brief Read how many execution units the program may use.
 *
 * @param[in] dpa the DPA context
 * @param[out] total_num_eus execution units
 * @return DOCA_SUCCESS
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_get_total_num_eus_available(struct doca_dpa *dpa,
						  unsigned int *total_num_eus);

/**
 * @brief Run a device function on one thread and wait for its end. Any thread of the host.
 *
 * @param[in] dpa a started DPA context
 * @param[in] func the function, marked __dpa_rpc__
 * @param[out] retval what it returned
 * @param[in] ... its arguments, by value
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: the program has no such function, too
 * @return DOCA_ERROR_BAD_STATE: the context is not started
 * @return DOCA_ERROR_DRIVER: the function failed, or was ended with the context
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_rpc(struct doca_dpa *dpa, doca_dpa_func_t *func, uint64_t *retval, ...);

/**
 * @brief Run a kernel on several threads, without waiting. Launches run in the order of the calls,
 * each when all threads of the one before it have ended. Events are kept until then.
 *
 * @param[in] dpa a started DPA context
 * @param[in] wait_event the launch waits for this event; NULL for none
 * @param[in] wait_threshold until it has at least this value, 0 to 254
 * @param[in] comp_event this event is set when all threads have ended; NULL for none
 * @param[in] comp_count to this value
 * @param[in] num_threads threads, at most doca_dpa_get_max_threads_per_kernel()
 * @param[in] func the function, marked __dpa_global__
 * @param[in] ... its arguments, by value
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: the program has no such function, or an event is not started,
 * too
 * @return DOCA_ERROR_BAD_STATE: the context is not started
 * @return DOCA_ERROR_DRIVER: 1024 launches wait already
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_kernel_launch_update_set(struct doca_dpa *dpa,
					       struct doca_sync_event *wait_event,
					       uint64_t wait_threshold,
					       struct doca_sync_event *comp_event,
					       uint64_t comp_count, unsigned int num_threads,
					       doca_dpa_func_t *func, ...);

/**
 * @brief As doca_dpa_kernel_launch_update_set(), but the event is added to.
 *
 * @param[in] dpa a started DPA context
 * @param[in] wait_event the launch waits for this event; NULL for none
 * @param[in] wait_threshold until it has at least this value, 0 to 254
 * @param[in] comp_event this event is added to when all threads have ended; NULL for none
 * @param[in] comp_count this value
 * @param[in] num_threads threads, at most doca_dpa_get_max_threads_per_kernel()
 * @param[in] func the function, marked __dpa_global__
 * @param[in] ... its arguments, by value
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: the program has no such function, or an event is not started,
 * too
 * @return DOCA_ERROR_BAD_STATE: the context is not started
 * @return DOCA_ERROR_DRIVER: 1024 launches wait already
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_kernel_launch_update_add(struct doca_dpa *dpa,
					       struct doca_sync_event *wait_event,
					       uint64_t wait_threshold,
					       struct doca_sync_event *comp_event,
					       uint64_t comp_count, unsigned int num_threads,
					       doca_dpa_func_t *func, ...);

/**
 * @brief Allocate device memory. It is not zeroed, and aligned for any type.
 *
 * @param[in] dpa a started DPA context
 * @param[in] size bytes
 * @param[out] dev_ptr its address; the caller frees it; 0 on failure
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the context is not started
 * @return DOCA_ERROR_NO_MEMORY: no such memory left
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_mem_alloc(struct doca_dpa *dpa, size_t size, doca_dpa_dev_uintptr_t *dev_ptr);

/**
 * @brief Free device memory that no device code uses.
 *
 * @param[in] dpa a started DPA context
 * @param[in] dev_ptr what doca_dpa_mem_alloc() gave
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the context is not started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_mem_free(struct doca_dpa *dpa, doca_dpa_dev_uintptr_t dev_ptr);

/**
 * @brief Copy from the host to the device. Blocks until done.
 *
 * @param[in] dpa a started DPA context
 * @param[in] dst_ptr device address
 * @param[in] src_ptr host memory
 * @param[in] size bytes
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the context is not started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_h2d_memcpy(struct doca_dpa *dpa, doca_dpa_dev_uintptr_t dst_ptr,
				 void *src_ptr, size_t size);

/**
 * @brief Copy from the start of a buf to the device. Blocks until done.
 *
 * @param[in] dpa a started DPA context
 * @param[in] dst_ptr device address
 * @param[in] buf the source; stays the caller's
 * @param[in] size bytes
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the context is not started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_h2d_buf_memcpy(struct doca_dpa *dpa, doca_dpa_dev_uintptr_t dst_ptr,
				     struct doca_buf *buf, size_t size);

/**
 * @brief Copy from the device to the host. Blocks until done.
 *
 * @param[in] dpa a started DPA context
 * @param[out] dst_ptr host memory
 * @param[in] src_ptr device address
 * @param[in] size bytes
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the context is not started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_d2h_memcpy(struct doca_dpa *dpa, void *dst_ptr,
				 doca_dpa_dev_uintptr_t src_ptr, size_t size);

/**
 * @brief Copy from the device to the start of a buf. Blocks until done.
 *
 * @param[in] dpa a started DPA context
 * @param[in] buf the destination; stays the caller's
 * @param[in] src_ptr device address
 * @param[in] size bytes
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the context is not started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_d2h_buf_memcpy(struct doca_dpa *dpa, struct doca_buf *buf,
				     doca_dpa_dev_uintptr_t src_ptr, size_t size);

/**
 * @brief Fill device memory with a byte. Blocks until done.
 *
 * @param[in] dpa a started DPA context
 * @param[in] dev_ptr device address
 * @param[in] value the byte
 * @param[in] size bytes
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the context is not started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dpa_memset(struct doca_dpa *dpa, doca_dpa_dev_uintptr_t dev_ptr, int value,
			     size_t size);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_DPA_H_ */
