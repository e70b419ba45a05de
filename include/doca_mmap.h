/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_mmap.h
 * @brief Memory maps: a range of memory made known to devices, and through an export to other
 * processes.
 *
 * Life of a local mmap: create, configure (devices, one memory range, permissions, ...), start, use
 * (bufs, exports), destroy. The range is mandatory and set once; configuration ends with start.
 * With no doca_mmap_set_permissions() the local side may read and write.
 * An imported mmap (doca_mmap_create_from_export()) is ready at once and needs no start. It speaks
 * the exporter's addresses, which must not be dereferenced here.
 *
 * The user owns the mmap, and the memory: it is neither read nor written when the mmap is stopped
 * or destroyed, and may have been freed before. When the exporting process dies or stops the mmap,
 * operations on an imported one fail; they never reach other memory.
 *
 * Threads: one at a time per mmap, unless doca_mmap_enable_thread_safety() was called. Outputs are
 * written only on success.
 */
#ifndef DOCA_MMAP_H_
#define DOCA_MMAP_H_

#include <doca_compat.h>
#include <doca_dpa_dev_handles.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_dev;
struct doca_devinfo;
struct doca_dpa;
struct doca_mmap;

/**
 * @brief Called once, while a started-at-some-time mmap is destroyed, to let the user free the
 * memory.
 *
 * @param[in] addr start of the range as it was set
 * @param[in] len size of the range in bytes
 * @param[in] cookie the opaque pointer given to doca_mmap_set_free_cb()
 */
typedef void(doca_mmap_memrange_free_cb_t)(void *addr, size_t len, void *cookie);

/**
 * @brief Make an empty mmap: no devices, no range, default permissions.
 *
 * @param[out] mmap the mmap; the caller destroys it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: mmap is NULL
 * @return DOCA_ERROR_NO_MEMORY: no memory for the object
 */
DOCA_STABLE
doca_error_t doca_mmap_create(struct doca_mmap **mmap);

/**
 * @brief Destroy an mmap of either kind, stopping it first if needed, and call the free callback.
 * Legal in any state.
 *
 * @param[in] mmap consumed on success, unchanged on failure
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: mmap is NULL
 * @return DOCA_ERROR_NOT_PERMITTED: bufs of it exist (not checked when it is thread safe)
 */
DOCA_STABLE
doca_error_t doca_mmap_destroy(struct doca_mmap *mmap);

/**
 * @brief Register the range with the devices. From now on bufs and exports can be made from it.
 *
 * @param[in] mmap a configured, stopped mmap
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: mmap is NULL, no memory range was set, or part of the range is
 * not mapped, or cannot be accessed by the program itself as the permissions let others
 * @return DOCA_ERROR_NOT_PERMITTED: it is imported, started already, or was exported before
 * @return DOCA_ERROR_NO_MEMORY: no memory for the registration
 */
DOCA_STABLE
doca_error_t doca_mmap_start(struct doca_mmap *mmap);

/**
 * @brief Withdraw the range. Exported descriptors become invalid: accesses by importers fail from
 * now on. Legal for local, exported and imported mmaps; no effect when it is not started.
 *
 * @param[in] mmap the mmap
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: mmap is NULL
 * @return DOCA_ERROR_NOT_PERMITTED: bufs of it exist (not checked when it is thread safe)
 */
DOCA_STABLE
doca_error_t doca_mmap_stop(struct doca_mmap *mmap);

/**
 * @brief Add a device that shall reach the range. Before start.
 *
 * @param[in] mmap a local mmap that is not started
 * @param[in] dev an open device, which must stay open as long as the mmap has it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NOT_PERMITTED: the mmap is started, exported or imported
 * @return DOCA_ERROR_NO_MEMORY: the maximum number of devices is reached
 * @return DOCA_ERROR_ALREADY_EXIST: the device was added before
 * @return DOCA_ERROR_NOT_SUPPORTED: the device was opened from a protection domain
 */
DOCA_STABLE
doca_error_t doca_mmap_add_dev(struct doca_mmap *mmap, struct doca_dev *dev);

/**
 * @brief Remove a device. Before start.
 *
 * @param[in] mmap a local mmap that is not started
 * @param[in] dev a device added before
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NOT_PERMITTED: the mmap is started, exported or imported
 * @return DOCA_ERROR_NOT_FOUND: the device was not added
 */
DOCA_STABLE
doca_error_t doca_mmap_rm_dev(struct doca_mmap *mmap, struct doca_dev *dev);

/**
 * @brief Set how many devices can be added. Before the first start.
 *
 * @param[in] mmap a local mmap
 * @param[in] max_num_devices at least 1, and no less than were added
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: mmap is NULL, or the number is too small
 * @return DOCA_ERROR_NOT_PERMITTED: the mmap has been started, or is imported
 * @return DOCA_ERROR_NO_MEMORY: no memory for that many
 */
DOCA_STABLE
doca_error_t doca_mmap_set_max_num_devices(struct doca_mmap *mmap, uint32_t max_num_devices);

/**
 * @brief Read how many devices can be added. Legal in any state.
 *
 * @param[in] mmap the mmap
 * @param[out] max_num_devices the limit
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_mmap_get_max_num_devices(const struct doca_mmap *mmap, uint32_t *max_num_devices);

/**
 * @brief Set the memory range: any memory of this process, of any alignment. Before start, once.
 *
 * @param[in] mmap a local mmap without a range
 * @param[in] addr start; the memory stays the caller's
 * @param[in] len size in bytes, at least 1
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, len is 0, or addr + len overflows
 * @return DOCA_ERROR_BAD_STATE: the mmap is started
 * @return DOCA_ERROR_NOT_PERMITTED: a range was set before, or the mmap is imported
 */
DOCA_STABLE
doca_error_t doca_mmap_set_memrange(struct doca_mmap *mmap, void *addr, size_t len);

/**
 * @brief Read the memory range. Legal in any state; for an imported mmap the exporter's range.
 *
 * @param[in] mmap the mmap
 * @param[out] addr start, in the address space of the mmap
 * @param[out] len size in bytes
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_BAD_STATE: no range was set
 */
DOCA_STABLE
doca_error_t doca_mmap_get_memrange(const struct doca_mmap *mmap, void **addr, size_t *len);

/**
 * @brief Set a memory range that a dma-buf backs. Before start, once.
 *
 * @param[in] mmap a local mmap without a range
 * @param[in] dmabuf_fd descriptor of the dma-buf; stays the caller's
 * @param[in] addr address that stands for the start of the range
 * @param[in] dmabuf_offset where the range begins in the dma-buf, in bytes
 * @param[in] len size in bytes, at least 1
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: mmap is NULL, dmabuf_fd is negative, or len is 0
 * @return DOCA_ERROR_BAD_STATE: the mmap is started
 * @return DOCA_ERROR_NOT_PERMITTED: a range was set before, or the mmap is imported
 * @return DOCA_ERROR_NOT_SUPPORTED: the device cannot reach dma-buf memory
 */
DOCA_STABLE
doca_error_t doca_mmap_set_dmabuf_memrange(struct doca_mmap *mmap, int dmabuf_fd, void *addr,
					   size_t dmabuf_offset, size_t len);

/**
 * @brief Set a memory range in the heap of a DPA. Before start, once; no device is added
 * afterwards.
 *
 * The device of the context is among those of the mmap from then on.
 *
 * @param[in] mmap a local mmap without a range
 * @param[in] dpa a started DPA context, which cannot be destroyed before the mmap
 * @param[in] dpa_addr device address, from doca_dpa_mem_alloc()
 * @param[in] len size in bytes, at least 1
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or dpa_addr or len is 0
 * @return DOCA_ERROR_BAD_STATE: the mmap is started, or the context is not
 * @return DOCA_ERROR_NOT_PERMITTED: a range was set before, or the mmap is imported
 * @return DOCA_ERROR_NO_MEMORY: no memory for the list of devices
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_set_dpa_memrange(struct doca_mmap *mmap, struct doca_dpa *dpa,
					uint64_t dpa_addr, size_t len);

/**
 * @brief Set who may access the range, and how. Before start.
 *
 * @param[in] mmap a local mmap that is not started
 * @param[in] access_mask bits of enum doca_access_flag; permissions of the PCI side alone still let
 * the local Comch producers and consumers work
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: mmap is NULL, a bit is unknown, PCI read-only and PCI
 * read-write are both set, or relaxed ordering is combined with either of them
 * @return DOCA_ERROR_BAD_STATE: the mmap is started
 * @return DOCA_ERROR_NOT_PERMITTED: the mmap is imported
 */
DOCA_STABLE
doca_error_t doca_mmap_set_permissions(struct doca_mmap *mmap, uint32_t access_mask);

/**
 * @brief Set a function that is called once at destroy, if the mmap was ever started. Before start.
 *
 * @param[in] mmap a local mmap that is not started
 * @param[in] free_cb the function; runs in the thread that destroys the mmap, and must not use the
 * mmap
 * @param[in] opaque handed to the function; may be NULL
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: mmap or free_cb is NULL
 * @return DOCA_ERROR_BAD_STATE: the mmap is started
 * @return DOCA_ERROR_NOT_PERMITTED: the mmap is imported
 */
DOCA_STABLE
doca_error_t doca_mmap_set_free_cb(struct doca_mmap *mmap, doca_mmap_memrange_free_cb_t *free_cb,
				   void *opaque);

/**
 * @brief Attach a value of the user's. Before start.
 *
 * @param[in] mmap a local mmap that is not started
 * @param[in] user_data any value; never interpreted
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: mmap is NULL
 * @return DOCA_ERROR_BAD_STATE: the mmap is started
 * @return DOCA_ERROR_NOT_PERMITTED: the mmap is imported
 */
DOCA_STABLE
doca_error_t doca_mmap_set_user_data(struct doca_mmap *mmap, union doca_data user_data);

/**
 * @brief Read the user's value back. Legal in any state.
 *
 * @param[in] mmap the mmap
 * @param[out] user_data the value set last, or given at the import; zero when none was
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_mmap_get_user_data(const struct doca_mmap *mmap, union doca_data *user_data);

/**
 * @brief Count the bufs that exist. Legal in any state.
 *
 * @param[in] mmap the mmap
 * @param[out] num_bufs bufs not yet given back; always 0 when the mmap is thread safe
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_mmap_get_num_bufs(const struct doca_mmap *mmap, uint32_t *num_bufs);

/**
 * @brief Ask whether the mmap was exported. Legal in any state.
 *
 * @param[in] mmap the mmap
 * @param[out] exported 1 when an export descriptor was made of it, else 0
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_mmap_get_exported(const struct doca_mmap *mmap, uint8_t *exported);

/**
 * @brief Ask whether the mmap was imported. Legal in any state.
 *
 * @param[in] mmap the mmap
 * @param[out] from_export 1 when it was made by doca_mmap_create_from_export(), else 0
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_mmap_get_from_export(const struct doca_mmap *mmap, uint8_t *from_export);

/**
 * @brief Make a descriptor with which the other side of the PCIe bus can import the range.
 *
 * The descriptor is opaque bytes, at most 1024. It belongs to the mmap and is constant until the
 * mmap is stopped or destroyed; the caller carries a copy to the other side. One mmap may be
 * exported for several devices and in both ways.
 *
 * @param[in] mmap a started mmap
 * @param[in] dev a device that was added to it
 * @param[out] export_desc the descriptor
 * @param[out] export_desc_len its size in bytes
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the mmap is not started
 * @return DOCA_ERROR_NOT_FOUND: the device was not added
 * @return DOCA_ERROR_NOT_PERMITTED: the mmap has no PCI permission
 * @return DOCA_ERROR_NOT_SUPPORTED: the device cannot export
 * (doca_mmap_cap_is_export_pci_supported())
 * @return DOCA_ERROR_NO_MEMORY: no memory for the descriptor
 * @return DOCA_ERROR_DRIVER: the system refused a resource that the export needs
 */
DOCA_STABLE
doca_error_t doca_mmap_export_pci(struct doca_mmap *mmap, const struct doca_dev *dev,
				  const void **export_desc, size_t *export_desc_len);

/**
 * @brief Make a descriptor with which an RDMA peer can reach the range. An mmap that was imported
 * from a PCI export can be exported again in this way; one that was imported from another machine
 * cannot. Otherwise as doca_mmap_export_pci().
 *
 * @param[in] mmap a started or imported mmap
 * @param[in] dev a device that was added to it, or that it was imported with
 * @param[out] export_desc the descriptor
 * @param[out] export_desc_len its size in bytes
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the mmap is not started
 * @return DOCA_ERROR_NOT_FOUND: the device was not added
 * @return DOCA_ERROR_NOT_PERMITTED: the mmap has no RDMA permission, or is of another machine
 * @return DOCA_ERROR_NOT_SUPPORTED: the device cannot export
 * @return DOCA_ERROR_NO_MEMORY: no memory for the descriptor
 * @return DOCA_ERROR_DRIVER: the system refused a resource that the export needs
 */
DOCA_STABLE
doca_error_t doca_mmap_export_rdma(struct doca_mmap *mmap, const struct doca_dev *dev,
				   const void **export_desc, size_t *export_desc_len);

/**
 * @brief Import a range that another process exported. The result is ready: no start, no
 * configuration. Importing one descriptor twice gives two independent mmaps.
 * A PCI export is imported on the machine, and with the runtime directory, where it was made. An
 * RDMA export may be of another machine: the mmap then takes the descriptor at its word, and serves
 * the tasks of an RDMA connection to the exporter, whose side judges each access.
 *
 * @param[in] user_data first user data of the mmap; may be NULL
 * @param[in] export_desc descriptor bytes; read during the call only
 * @param[in] export_desc_len their number
 * @param[in] dev the open device to reach the range with; must stay open as long as the mmap exists
 * @param[out] mmap the mmap; the caller destroys it
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer other than user_data is NULL, or the descriptor is
 *         damaged or no longer valid
 * @return DOCA_ERROR_NOT_SUPPORTED: the device cannot import
 * @return DOCA_ERROR_NO_MEMORY: no memory for the object
 * @return DOCA_ERROR_DRIVER: the exporting process cannot be reached, or a PCI export is of
 *         another machine
 */
DOCA_STABLE
doca_error_t doca_mmap_create_from_export(const union doca_data *user_data, const void *export_desc,
					  size_t export_desc_len, struct doca_dev *dev,
					  struct doca_mmap **mmap);

/**
 * @brief Get the handle by which DPA code reaches the range.
 *
 * @param[in] mmap a started mmap
 * @param[in] dev a device that was added to it
 * @param[out] mmap_handle the handle, valid until the mmap is stopped
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the mmap is not started
 * @return DOCA_ERROR_NOT_FOUND: the device was not added
 * @return DOCA_ERROR_NOT_SUPPORTED: the device has no DPA, or the memory is of another machine
 * @return DOCA_ERROR_NO_MEMORY: 4096 mmaps have handles
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_dev_get_dpa_handle(struct doca_mmap *mmap, const struct doca_dev *dev,
					  doca_dpa_dev_mmap_t *mmap_handle);

/**
 * @brief Get the key of the registration of the range with one device.
 *
 * @param[in] mmap a started mmap
 * @param[in] dev a device that was added to it
 * @param[out] mkey the key, valid until the mmap is stopped
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the mmap is not started
 * @return DOCA_ERROR_NOT_FOUND: the device was not added
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_get_mkey(struct doca_mmap *mmap, struct doca_dev *dev, uint32_t *mkey);

/**
 * @brief Let several threads make and release bufs of this mmap at the same time, each from its own
 * inventory. The count of bufs is no longer kept, so that stop and destroy no longer refuse.
 * This call itself, like destroy, must be alone. Before start, or on a fresh import.
 *
 * @param[in] mmap the mmap
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: mmap is NULL
 * @return DOCA_ERROR_NOT_PERMITTED: a local mmap is started, or bufs of it exist
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_enable_thread_safety(struct doca_mmap *mmap);

/**
 * @brief Ask whether a device can export over PCIe. Host-side functions can.
 *
 * @param[in] devinfo the device
 * @param[out] supported 1 when doca_mmap_export_pci() works with it, else 0
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_mmap_cap_is_export_pci_supported(const struct doca_devinfo *devinfo,
						   uint8_t *supported);

/**
 * @brief Ask whether a device can import what the other side of the PCIe bus exported. DPU
 * functions can.
 *
 * @param[in] devinfo the device
 * @param[out] supported 1 when doca_mmap_create_from_export() takes its PCI exports, else 0
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_mmap_cap_is_create_from_export_pci_supported(const struct doca_devinfo *devinfo,
							       uint8_t *supported);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_MMAP_H_ */
