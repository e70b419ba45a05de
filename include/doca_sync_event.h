/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_sync_event.h
 * @brief Sync events: one 64-bit counter that publishers change and subscribers wait for.
 *
 * Life: create, add at least one publisher and one subscriber location, optionally say where the
 * counter lies, start, use, stop, destroy; or stop and start again. Each start begins with 0, or
 * with what the user has put into memory of his own. Arithmetic wraps at 2^64. The user owns the
 * event; devices and other locations must outlive it. Locations are declarations, not access
 * control: either side may update and wait. Those on a DPA or GPU are not there in this release.
 *
 * Two ways to work, chosen by the start: synchronous (doca_sync_event_start(), then get, update and
 * wait in the calling thread), or asynchronous (the context of doca_sync_event_as_ctx(), connected
 * to a progress engine and started, then tasks by the common rules of doca_pe.h and doca_ctx.h).
 *
 * An event reaches the other side of the PCIe bus, from host to DPU or back, through an export: a
 * blob of at most 1000 bytes, which fits a Comch message of 1024. Its bytes belong to the event
 * until it is destroyed; the program carries them over, imports the event there, and starts it in
 * either way. An export ends with the stop of its event: after another start there is a new one.
 *
 * An imported event is its exporter's memory, which needs not do anything for it, and may sleep.
 * Once the exporter has died, whatever is done to an import of it fails with
 * DOCA_ERROR_CONNECTION_RESET; once it has stopped the event, with DOCA_ERROR_NOT_PERMITTED. Waits
 * that are under way end so within 100 ms.
 *
 * An update is whole for all who go through the library, on both sides. What a program does to a
 * counter in memory of its own by itself is seen, but not whole against additions by the library.
 *
 * Waits compare (counter & mask) with a value that has no bit outside the mask. A mask is 0, or 1,
 * 2, 4 or 8 neighbouring bytes of 0xff. What no counter can satisfy (more than the mask, other than
 * nothing) is refused. Waits look again and again: a value that is there only between two looks may
 * be missed.
 *
 * Threads: configuration and tasks by one thread at a time; get, update and wait by any. In a
 * forked child of the process that made an event, calls answer DOCA_ERROR_BAD_STATE. Outputs are
 * written only on success.
 */
#ifndef DOCA_SYNC_EVENT_H_
#define DOCA_SYNC_EVENT_H_

#include <doca_compat.h>
#include <doca_dpa_dev_handles.h>
#include <doca_error.h>
#include <doca_sync_event_task.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_ctx;
struct doca_dev;
struct doca_devinfo;
struct doca_dpa;
struct doca_gpu;

struct doca_sync_event;		   /* the event */
struct doca_sync_event_remote_net; /* an event of another machine, for RDMA tasks */

/** An event as GPU code sees it. */
typedef uint64_t doca_gpu_dev_sync_event_t;

/** An event of another machine as GPU code sees it. */
typedef uint64_t doca_gpu_dev_sync_event_remote_net_t;

/**
 * @brief Make an event. It has no locations and is not started.
 *
 * @param[out] event the event; the caller destroys it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: event is NULL
 * @return DOCA_ERROR_NO_MEMORY: no memory for the object
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_create(struct doca_sync_event **event);

/**
 * @brief Import an event from the other side of the PCIe bus. It cannot be configured and must
 * still be started.
 *
 * @param[in] dev the open device to reach it with; must outlive the event
 * @param[in] data blob of doca_sync_event_export_to_remote_pci(); read during the call only
 * @param[in] sz its size in bytes; bytes behind the blob are ignored
 * @param[out] event the event; the caller destroys it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, the blob is damaged or of another call, or
 * its event is stopped or its process ended
 * @return DOCA_ERROR_NO_MEMORY: no memory for the object
 * @return DOCA_ERROR_DRIVER: the blob is of another machine, or its memory cannot be reached; the
 * log says why
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_create_from_export(struct doca_dev *dev, const uint8_t *data,
						size_t sz, struct doca_sync_event **event);

/**
 * @brief Destroy an event; one that doca_sync_event_start() started is stopped first, as
 * doca_sync_event_stop() does. Blobs and handles made from it become invalid.
 *
 * @param[in] event consumed on success
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: event is NULL
 * @return DOCA_ERROR_IN_USE: it is a context that is not IDLE
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_destroy(struct doca_sync_event *event);

/**
 * @brief Declare that the processor of a device's side will change the counter. Before start.
 *
 * @param[in] event a local event
 * @param[in] dev the open device; must outlive the event. Given again, the last one counts
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the event is started
 * @return DOCA_ERROR_NOT_PERMITTED: the event is imported
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_publisher_location_cpu(struct doca_sync_event *event,
							struct doca_dev *dev);

/**
 * @brief Declare that a DPA will change the counter. Before start.
 *
 * @param[in] event a local event
 * @param[in] dpa the DPA context
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the event is started
 * @return DOCA_ERROR_NOT_PERMITTED: the event is imported
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_publisher_location_dpa(struct doca_sync_event *event,
							struct doca_dpa *dpa);

/**
 * @brief Declare that a GPU will change the counter. Not in this release.
 *
 * @param[in] event a local event
 * @param[in] gpu the GPU
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: it cannot take part
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_publisher_location_gpu(struct doca_sync_event *event,
							struct doca_gpu *gpu);

/**
 * @brief Declare that the other side of the PCIe bus, which will import the event, will change the
 * counter. Before start.
 *
 * @param[in] event a local event
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: event is NULL
 * @return DOCA_ERROR_BAD_STATE: the event is started
 * @return DOCA_ERROR_NOT_PERMITTED: the event is imported
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_publisher_location_remote_pci(struct doca_sync_event *event);

/**
 * @brief Declare that another machine, which will import the event, will change the counter.
 * Before start.
 *
 * @param[in] event a local event
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: event is NULL
 * @return DOCA_ERROR_BAD_STATE: the event is started
 * @return DOCA_ERROR_NOT_PERMITTED: the event is imported
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_publisher_location_remote_net(struct doca_sync_event *event);

/**
 * @brief Declare that the processor of a device's side will wait for the counter. Before start.
 *
 * @param[in] event a local event
 * @param[in] dev the open device; must outlive the event. Given again, the last one counts
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the event is started
 * @return DOCA_ERROR_NOT_PERMITTED: the event is imported
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_subscriber_location_cpu(struct doca_sync_event *event,
							 struct doca_dev *dev);

/**
 * @brief Declare that a DPA will wait for the counter. Before start.
 *
 * @param[in] event a local event
 * @param[in] dpa the DPA context
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the event is started
 * @return DOCA_ERROR_NOT_PERMITTED: the event is imported
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_subscriber_location_dpa(struct doca_sync_event *event,
							 struct doca_dpa *dpa);

/**
 * @brief Declare that a GPU will wait for the counter. Not in this release.
 *
 * @param[in] event a local event
 * @param[in] gpu the GPU
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: it cannot take part
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_subscriber_location_gpu(struct doca_sync_event *event,
							 struct doca_gpu *gpu);

/**
 * @brief Declare that the other side of the PCIe bus, which will import the event, will wait for
 * the counter. Before start.
 *
 * @param[in] event a local event
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: event is NULL
 * @return DOCA_ERROR_BAD_STATE: the event is started
 * @return DOCA_ERROR_NOT_PERMITTED: the event is imported
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_subscriber_location_remote_pci(struct doca_sync_event *event);

/**
 * @brief Keep the counter in memory of the user's. Before start, instead of
 * doca_sync_event_set_doca_buf().
 *
 * @param[in] event a local event
 * @param[in] addr 8 bytes, aligned to 8; must outlive the event. Once they are gone, what is done
 * to the event fails with DOCA_ERROR_IO_FAILED
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or addr is not aligned
 * @return DOCA_ERROR_BAD_STATE: the event is started
 * @return DOCA_ERROR_NOT_PERMITTED: the event is imported
 * @return DOCA_ERROR_NOT_SUPPORTED: the counter has a place already
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_set_addr(struct doca_sync_event *event, uint64_t *addr);

/**
 * @brief Keep the counter in a buf. Before start, instead of doca_sync_event_set_addr().
 *
 * @param[in] event a local event
 * @param[in] buf one element with 8 bytes of data, aligned to 8; stays the caller's. Its memory
 * must outlive the event
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or buf is a list or not 8 aligned bytes
 * @return DOCA_ERROR_BAD_STATE: the event is started
 * @return DOCA_ERROR_NOT_PERMITTED: its mmap is imported, or has no permission to read and write
 * (local or PCI) or DOCA_ACCESS_FLAG_RDMA_ATOMIC; the event is imported, or its counter has a place
 * already
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_set_doca_buf(struct doca_sync_event *event, struct doca_buf *buf);

/**
 * @brief Start the event for synchronous work.
 *
 * @param[in] event a configured or imported event
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: event is NULL, or there is no memory at the address of
 * doca_sync_event_set_addr()
 * @return DOCA_ERROR_BAD_CONFIG: it lacks a publisher or a subscriber
 * @return DOCA_ERROR_BAD_STATE: it is started already, in either way
 * @return DOCA_ERROR_NO_MEMORY, DOCA_ERROR_OPERATING_SYSTEM: no memory for the counter
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_start(struct doca_sync_event *event);

/**
 * @brief Stop an event that doca_sync_event_start() started. Waits of other threads end with
 * DOCA_ERROR_SHUTDOWN; get and update may not be under way. Exports of the event end.
 *
 * @param[in] event the event
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: event is NULL
 * @return DOCA_ERROR_BAD_STATE: it is not started for synchronous work
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_stop(struct doca_sync_event *event);

/**
 * @brief Look at the event as a context, for asynchronous work. Legal before start.
 *
 * @param[in] event the sync event
 * @return the context, owned by the event; NULL for NULL. Its start succeeds at once, or fails with
 * DOCA_ERROR_BAD_CONFIG (no publisher or subscriber) or DOCA_ERROR_BAD_STATE (started for
 * synchronous work); its stop flushes the waits
 */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_sync_event_as_ctx(struct doca_sync_event *event);

/**
 * @brief Read the counter. Synchronous work only.
 *
 * @param[in] event the sync event
 * @param[out] value the counter
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the event is not started for synchronous work
 * @return DOCA_ERROR_CONNECTION_RESET: the exporter of an imported event has died
 * @return DOCA_ERROR_NOT_PERMITTED: the exporter of an imported event has stopped it
 * @return DOCA_ERROR_IO_FAILED: the user's memory of the counter is gone
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_get(struct doca_sync_event *event, uint64_t *value);

/**
 * @brief Add to the counter, atomically. Synchronous work only.
 *
 * @param[in] event the sync event
 * @param[in] value what to add
 * @param[out] fetched the counter before the addition
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the event is not started for synchronous work
 * @return DOCA_ERROR_CONNECTION_RESET: the exporter of an imported event has died
 * @return DOCA_ERROR_NOT_PERMITTED: the exporter of an imported event has stopped it
 * @return DOCA_ERROR_IO_FAILED: the user's memory of the counter is gone
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_update_add(struct doca_sync_event *event, uint64_t value,
					uint64_t *fetched);

/**
 * @brief Set the counter. Synchronous work only.
 *
 * @param[in] event the sync event
 * @param[in] value the new value
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: event is NULL
 * @return DOCA_ERROR_BAD_STATE: the event is not started for synchronous work
 * @return DOCA_ERROR_CONNECTION_RESET: the exporter of an imported event has died
 * @return DOCA_ERROR_NOT_PERMITTED: the exporter of an imported event has stopped it
 * @return DOCA_ERROR_IO_FAILED: the user's memory of the counter is gone
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_update_set(struct doca_sync_event *event, uint64_t value);

/**
 * @brief Wait until the masked counter is greater than a value, spinning (and giving the processor
 * to others after a while). Synchronous work only.
 *
 * @param[in] event the sync event
 * @param[in] value what to compare with; no bit outside the mask
 * @param[in] mask which bytes of the counter count
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: event is NULL, the mask has an illegal form, the value leaves
 * the mask, or no counter can satisfy it
 * @return DOCA_ERROR_BAD_STATE: the event is not started for synchronous work
 * @return DOCA_ERROR_SHUTDOWN: another thread has stopped the event
 * @return DOCA_ERROR_CONNECTION_RESET: the exporter of an imported event has died
 * @return DOCA_ERROR_NOT_PERMITTED: the exporter of an imported event has stopped it
 * @return DOCA_ERROR_IO_FAILED: the user's memory of the counter is gone
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_wait_gt(struct doca_sync_event *event, uint64_t value, uint64_t mask);

/**
 * @brief Wait until the masked counter is greater than a value, giving the processor to others
 * between looks.
 *
 * As doca_sync_event_wait_gt() otherwise.
 * @copydetails doca_sync_event_wait_gt
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_wait_gt_yield(struct doca_sync_event *event, uint64_t value,
					   uint64_t mask);

/**
 * @brief Wait until the masked counter equals a value, spinning.
 *
 * As doca_sync_event_wait_gt() otherwise.
 * @copydetails doca_sync_event_wait_gt
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_wait_eq(struct doca_sync_event *event, uint64_t value, uint64_t mask);

/**
 * @brief Wait until the masked counter equals a value, giving the processor to others between
 * looks.
 *
 * As doca_sync_event_wait_gt() otherwise.
 * @copydetails doca_sync_event_wait_gt
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_wait_eq_yield(struct doca_sync_event *event, uint64_t value,
					   uint64_t mask);

/**
 * @brief Wait until the masked counter differs from a value, spinning.
 *
 * As doca_sync_event_wait_gt() otherwise.
 * @copydetails doca_sync_event_wait_gt
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_wait_neq(struct doca_sync_event *event, uint64_t value, uint64_t mask);

/**
 * @brief Wait until the masked counter differs from a value, giving the processor to others between
 * looks.
 *
 * As doca_sync_event_wait_gt() otherwise.
 * @copydetails doca_sync_event_wait_gt
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_wait_neq_yield(struct doca_sync_event *event, uint64_t value,
					    uint64_t mask);

/**
 * @brief Make the blob by which the other side of the PCIe bus imports the event.
 *
 * @param[in] event a local event with a remote-PCI location, started in either way
 * @param[in] dev the open device that both sides share
 * @param[out] data the blob, owned by the event; valid until the event is destroyed, of use until
 * it is stopped
 * @param[out] sz its size in bytes
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the event is not started
 * @return DOCA_ERROR_NOT_PERMITTED: it has no remote-PCI location, or is imported
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_export_to_remote_pci(struct doca_sync_event *event,
						  struct doca_dev *dev, const uint8_t **data,
						  size_t *sz);

/**
 * @brief Make the blob by which RDMA tasks of another program, on this machine or another, get at
 * the event.
 *
 * @param[in] event a local event with a remote-net location, started in either way
 * @param[out] data the blob, owned by the event; valid until the event is destroyed, of use until
 * it is stopped
 * @param[out] sz its size in bytes
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the event is not started
 * @return DOCA_ERROR_NOT_PERMITTED: it has no remote-net location, or is imported
 * @return DOCA_ERROR_NO_MEMORY: no memory to keep it
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_export_to_remote_net(struct doca_sync_event *event,
						  const uint8_t **data, size_t *sz);

/**
 * @brief Import an event of another program, on this machine or another, as a target for RDMA
 * tasks. One of another machine is not judged before a task goes there.
 *
 * @param[in] dev the open device to reach it with; must outlive the event
 * @param[in] data blob of doca_sync_event_export_to_remote_net(); read during the call only
 * @param[in] sz its size in bytes; bytes behind the blob are ignored
 * @param[out] event the event; the caller destroys it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, the blob is damaged or of another call, or
 * its event is of this machine and stopped or its process ended
 * @return DOCA_ERROR_NO_MEMORY: no memory for the object
 * @return DOCA_ERROR_DRIVER: its memory cannot be reached; the log says why
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sync_event_remote_net_create_from_export(struct doca_dev *dev, const uint8_t *data, size_t sz,
					      struct doca_sync_event_remote_net **event);

/**
 * @brief Forget an event of another machine. No task may use it.
 *
 * @param[in] event consumed on success
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: event is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_remote_net_destroy(struct doca_sync_event_remote_net *event);

/**
 * @brief Get the handle by which DPA code reaches the event.
 *
 * @param[in] event a started event with a DPA location, or an imported one
 * @param[in] dpa a started DPA context
 * @param[out] handle the handle, valid until the event is stopped
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: the event or the DPA context is not started
 * @return DOCA_ERROR_NOT_PERMITTED: a local event without a DPA location
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_get_dpa_handle(struct doca_sync_event *event, struct doca_dpa *dpa,
					    doca_dpa_dev_sync_event_t *handle);

/**
 * @brief Get the handle by which DPA code reaches the event.
 *
 * @param[in] event an imported event of another machine
 * @param[in] dpa the DPA context
 * @param[out] handle the handle, valid as long as the event
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: there is no DPA
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sync_event_remote_net_get_dpa_handle(struct doca_sync_event_remote_net *event,
					  struct doca_dpa *dpa,
					  doca_dpa_dev_sync_event_remote_net_t *handle);

/**
 * @brief Get the handle by which GPU code reaches the event.
 *
 * @param[in] event a started event with a GPU location
 * @param[in] gpu the GPU
 * @param[out] handle pointer to the handle, owned by the event
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: there is no GPU
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_get_gpu_handle(struct doca_sync_event *event, struct doca_gpu *gpu,
					    doca_gpu_dev_sync_event_t **handle);

/**
 * @brief Get the handle by which GPU code reaches the event.
 *
 * @param[in] event an imported event of another machine
 * @param[in] gpu the GPU
 * @param[out] handle pointer to the handle, owned by the event
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: there is no GPU
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sync_event_remote_net_get_gpu_handle(struct doca_sync_event_remote_net *event,
					  struct doca_gpu *gpu,
					  doca_gpu_dev_sync_event_remote_net_t **handle);

/**
 * @brief Ask whether a device can import events from the other side of the PCIe bus.
 *
 * @param[in] devinfo the device
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: devinfo is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: it cannot
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sync_event_cap_is_create_from_export_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Ask whether a device can import events of another machine.
 *
 * As doca_sync_event_cap_is_create_from_export_supported() otherwise.
 * @copydetails doca_sync_event_cap_is_create_from_export_supported
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sync_event_cap_remote_net_is_create_from_export_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Ask whether a device can export events to the other side of the PCIe bus.
 *
 * As doca_sync_event_cap_is_create_from_export_supported() otherwise.
 * @copydetails doca_sync_event_cap_is_create_from_export_supported
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sync_event_cap_is_export_to_remote_pci_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Ask whether a device can give events to DPA code.
 *
 * As doca_sync_event_cap_is_create_from_export_supported() otherwise.
 * @copydetails doca_sync_event_cap_is_create_from_export_supported
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_is_export_to_dpa_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Ask whether a device can give events to GPU code.
 *
 * As doca_sync_event_cap_is_create_from_export_supported() otherwise.
 * @copydetails doca_sync_event_cap_is_create_from_export_supported
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_is_export_to_gpu_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Ask whether a device can export events to another machine.
 *
 * As doca_sync_event_cap_is_create_from_export_supported() otherwise.
 * @copydetails doca_sync_event_cap_is_create_from_export_supported
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sync_event_cap_is_export_to_remote_net_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Ask whether a device can give events of another machine to DPA code.
 *
 * As doca_sync_event_cap_is_create_from_export_supported() otherwise.
 * @copydetails doca_sync_event_cap_is_create_from_export_supported
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sync_event_cap_remote_net_is_export_to_dpa_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Ask whether a device can give events of another machine to GPU code.
 *
 * As doca_sync_event_cap_is_create_from_export_supported() otherwise.
 * @copydetails doca_sync_event_cap_is_create_from_export_supported
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sync_event_cap_remote_net_is_export_to_gpu_supported(const struct doca_devinfo *devinfo);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_SYNC_EVENT_H_ */
