/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_dev.h
 * Devices of this machine and, on a DPU, representors of the functions that the host sees.
 *
 * List, inspect, open, destroy the list: an opened device does not depend on the list, while the
 * elements of a list die with it and are never freed one by one. Opens of one device are counted:
 * each gives the same handle and needs a close of its own. A representor is closed before the
 * device that it came from.
 *
 * PCI addresses are text, "dddd:bb:dd.f" where they are read, with or without the domain (0) where
 * they are compared. Numeric network addresses are in network byte order.
 *
 * Legal at any time, inside callbacks too.
 * Threads: doca_devinfo_* may be called from any thread; opens and closes of one device from one
 * thread at a time. Outputs are written only on success.
 */
#ifndef DOCA_DEV_H_
#define DOCA_DEV_H_

#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_dev;
struct doca_dev_rep;
struct doca_devinfo;
struct doca_devinfo_rep;

/** Sizes of what the getters below write, in bytes, those of text with the terminating NUL. */
#define DOCA_DEVINFO_VUID_SIZE 128
#define DOCA_DEVINFO_IPV4_ADDR_SIZE 4
#define DOCA_DEVINFO_IPV6_ADDR_SIZE 16
#define DOCA_DEVINFO_MAC_ADDR_SIZE 6
#define DOCA_DEVINFO_IFACE_NAME_SIZE 256
#define DOCA_DEVINFO_IBDEV_NAME_SIZE 64
#define DOCA_DEVINFO_PCI_ADDR_SIZE 13
#define DOCA_DEVINFO_PCI_BDF_SIZE 8
#define DOCA_DEVINFO_REP_VUID_SIZE 128
#define DOCA_DEVINFO_REP_PCI_ADDR_SIZE 13
#define DOCA_DEVINFO_REP_PCI_BDF_SIZE 8

/** Kinds of representor: a mask, handed over as int. */
enum doca_devinfo_rep_filter {
	DOCA_DEVINFO_REP_FILTER_ALL = 0,	     /**< Every kind. */
	DOCA_DEVINFO_REP_FILTER_NET = (1 << 1),	     /**< Network functions. */
	DOCA_DEVINFO_REP_FILTER_EMULATED = (1 << 2), /**< Emulated functions. */
};

/**
 * List the devices.
 *
 * @param[out] dev_list array of nb_devs elements, owned by the caller until
 *             doca_devinfo_destroy_list()
 * @param[out] nb_devs number of devices
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 * @return DOCA_ERROR_NOT_FOUND: there is no device
 * @return DOCA_ERROR_BAD_CONFIG: the topology file is wrong; a log line says where
 */
DOCA_STABLE
doca_error_t doca_devinfo_create_list(struct doca_devinfo ***dev_list, uint32_t *nb_devs);

/**
 * Free a list and its elements. Devices opened from it stay open.
 *
 * @param dev_list the list, which must not be used any more
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: dev_list is NULL, or no list, or was destroyed before
 * @return DOCA_ERROR_IN_USE: the list was changed since it was made; it is not freed
 */
DOCA_STABLE
doca_error_t doca_devinfo_destroy_list(struct doca_devinfo **dev_list);

/**
 * List the representors that a device of the DPU gives access to, as they are now.
 *
 * @param dev the device
 * @param filter values of doca_devinfo_rep_filter, OR-ed
 * @param[out] dev_list_rep array of nb_devs_rep elements, owned by the caller until
 *             doca_devinfo_rep_destroy_list()
 * @param[out] nb_devs_rep number of representors; may be 0
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the filter has unknown bits
 * @return DOCA_ERROR_NOT_SUPPORTED: the device has none, being on the host side
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 * @return DOCA_ERROR_DRIVER: the representors could not be read
 */
DOCA_STABLE
doca_error_t doca_devinfo_rep_create_list(struct doca_dev *dev, int filter,
					  struct doca_devinfo_rep ***dev_list_rep,
					  uint32_t *nb_devs_rep);

/**
 * Free a list of representors and its elements. Representors opened from it stay open.
 *
 * @param dev_list_rep the list, which must not be used any more
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: dev_list_rep is NULL, or no list, or was destroyed before
 * @return DOCA_ERROR_IN_USE: the list was changed since it was made; it is not freed
 */
DOCA_STABLE
doca_error_t doca_devinfo_rep_destroy_list(struct doca_devinfo_rep **dev_list_rep);

/**
 * Open a device, or take one more reference to it when it is open already.
 *
 * @param devinfo the device, from a list or from doca_dev_as_devinfo()
 * @param[out] dev the device, the same for every open; needs one doca_dev_close() per open
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 * @return DOCA_ERROR_NOT_CONNECTED: the device is gone
 * @return DOCA_ERROR_INITIALIZATION: too many devices are open, or the process could not join the
 *         runtime directory; a log line says why
 */
DOCA_STABLE
doca_error_t doca_dev_open(struct doca_devinfo *devinfo, struct doca_dev **dev);

/**
 * Give one reference back; the last one closes the device.
 *
 * @param dev the device
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: dev is NULL, or not open
 * @return DOCA_ERROR_IN_USE: this is the last reference and an object still depends on the device
 */
DOCA_STABLE
doca_error_t doca_dev_close(struct doca_dev *dev);

/**
 * Open a representor.
 *
 * @param devinfo the representor, from a list; the device that made the list must stay open
 * @param[out] dev_rep the representor; needs doca_dev_rep_close()
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 * @return DOCA_ERROR_NOT_CONNECTED: the function or the device is gone
 */
DOCA_STABLE
doca_error_t doca_dev_rep_open(struct doca_devinfo_rep *devinfo, struct doca_dev_rep **dev_rep);

/**
 * Close a representor.
 *
 * @param dev the representor, which must not be used any more
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: dev is NULL, or not open
 * @return DOCA_ERROR_IN_USE: an object still depends on it
 */
DOCA_STABLE
doca_error_t doca_dev_rep_close(struct doca_dev_rep *dev);

/**
 * The description of an open device.
 *
 * @param dev the device
 * @return its description, which lives as long as the device is open; NULL for NULL, and for a
 *         device made from a protection domain
 */
DOCA_STABLE
struct doca_devinfo *doca_dev_as_devinfo(const struct doca_dev *dev);

/**
 * The description of an open representor.
 *
 * @param dev_rep the representor
 * @return its description, which lives as long as the representor is open; NULL for NULL
 */
DOCA_STABLE
struct doca_devinfo_rep *doca_dev_rep_as_devinfo(struct doca_dev_rep *dev_rep);

/**
 * PCI address of a device.
 *
 * @param devinfo the device
 * @param[out] pci_addr_str room for DOCA_DEVINFO_PCI_ADDR_SIZE bytes
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_devinfo_get_pci_addr_str(const struct doca_devinfo *devinfo, char *pci_addr_str);

/**
 * Compare the PCI address of a device with a text.
 *
 * @param devinfo the device
 * @param pci_addr the address, with or without domain
 * @param[out] is_equal 1 if it is that of the device, else 0
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or pci_addr is no PCI address
 */
DOCA_STABLE
doca_error_t doca_devinfo_is_equal_pci_addr(const struct doca_devinfo *devinfo,
					    const char *pci_addr, uint8_t *is_equal);

/**
 * IPv4 address of the network interface of a device.
 *
 * @param devinfo the device
 * @param[out] ipv4_addr the address
 * @param size room there in bytes, DOCA_DEVINFO_IPV4_ADDR_SIZE at least
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the room is too small
 * @return DOCA_ERROR_NOT_FOUND: the interface has no such address
 */
DOCA_STABLE
doca_error_t doca_devinfo_get_ipv4_addr(const struct doca_devinfo *devinfo, uint8_t *ipv4_addr,
					uint32_t size);

/**
 * IPv6 address of the network interface of a device.
 *
 * @param devinfo the device
 * @param[out] ipv6_addr the address
 * @param size room there in bytes, DOCA_DEVINFO_IPV6_ADDR_SIZE at least
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the room is too small
 * @return DOCA_ERROR_NOT_FOUND: the interface has no such address
 */
DOCA_STABLE
doca_error_t doca_devinfo_get_ipv6_addr(const struct doca_devinfo *devinfo, uint8_t *ipv6_addr,
					uint32_t size);

/**
 * MAC address of a device.
 *
 * @param devinfo the device
 * @param[out] mac_addr the address
 * @param size room there in bytes, DOCA_DEVINFO_MAC_ADDR_SIZE at least
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the room is too small
 * @return DOCA_ERROR_NOT_SUPPORTED: the device is InfiniBand only
 */
DOCA_STABLE
doca_error_t doca_devinfo_get_mac_addr(const struct doca_devinfo *devinfo, uint8_t *mac_addr,
				       uint32_t size);

/**
 * Name of the network interface of a device.
 *
 * @param devinfo the device
 * @param[out] iface_name the name
 * @param size room there in bytes, DOCA_DEVINFO_IFACE_NAME_SIZE at least
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the room is too small
 */
DOCA_STABLE
doca_error_t doca_devinfo_get_iface_name(const struct doca_devinfo *devinfo, char *iface_name,
					 uint32_t size);

/**
 * InfiniBand name of a device, such as mlx5_0.
 *
 * @param devinfo the device
 * @param[out] ibdev_name the name
 * @param size room there in bytes, DOCA_DEVINFO_IBDEV_NAME_SIZE at least
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the room is too small
 */
DOCA_STABLE
doca_error_t doca_devinfo_get_ibdev_name(const struct doca_devinfo *devinfo, char *ibdev_name,
					 uint32_t size);

/**
 * InfiniBand local identifier of a port.
 *
 * @param devinfo the device
 * @param[out] lid the identifier, in host byte order
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: the link is Ethernet
 */
DOCA_STABLE
doca_error_t doca_devinfo_get_lid(const struct doca_devinfo *devinfo, uint16_t *lid);

/**
 * Speed of the link. The form of 2.9 gives it in gigabits per second.
 *
 * @param devinfo the device
 * @param[out] active_rate the speed, in bits per second
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
#if defined(SOFTDPU_API) && SOFTDPU_API == 209
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_get_active_rate(const struct doca_devinfo *devinfo, double *active_rate)
	SOFTDPU_V209("doca_devinfo_get_active_rate_v209");
#else
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_get_active_rate(const struct doca_devinfo *devinfo,
					  uint64_t *active_rate);
#endif

/**
 * Number of a device among the functions of its card.
 *
 * @param devinfo the device
 * @param[out] vhca_id that number
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_get_vhca_id(const struct doca_devinfo *devinfo, uint16_t *vhca_id);

/**
 * Kind of function that a device is.
 *
 * @param devinfo the device
 * @param[out] func_type the kind
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_devinfo_get_pci_func_type(const struct doca_devinfo *devinfo,
					    enum doca_pci_func_type *func_type);

/**
 * Index of a sub-function.
 *
 * @param devinfo the device
 * @param[out] sf_index the index
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: the device is no sub-function
 */
DOCA_STABLE
doca_error_t doca_devinfo_get_sf_index(const struct doca_devinfo *devinfo, uint32_t *sf_index);

/**
 * Whether a device can plug emulated functions into the host.
 *
 * @param devinfo the device
 * @param[out] is_hotplug_manager 1 if it can, else 0
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_devinfo_cap_is_hotplug_manager_supported(const struct doca_devinfo *devinfo,
							   uint8_t *is_hotplug_manager);

/**
 * Whether a device can hold notifications back to make fewer of them.
 *
 * @param devinfo the device
 * @param[out] is_supported 1 if it can, else 0
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_devinfo_cap_is_notification_moderation_supported(const struct doca_devinfo *devinfo,
						      uint8_t *is_supported);

/**
 * Whether doca_dev_accelerate_resource_reclaim() works on a device.
 *
 * @param devinfo the device
 * @param[out] is_supported 1 if it does, else 0
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_devinfo_cap_is_accelerate_resource_reclaim_supported(const struct doca_devinfo *devinfo,
							  uint8_t *is_supported);

/**
 * Whether a device lists representors of every kind.
 *
 * @param devinfo the device
 * @param[out] filter_all_supported 1 if it does, else 0; 0 on the host side
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_devinfo_rep_cap_is_filter_all_supported(const struct doca_devinfo *devinfo,
							  uint8_t *filter_all_supported);

/**
 * Whether a device lists representors of network functions.
 *
 * @param devinfo the device
 * @param[out] filter_net_supported 1 if it does, else 0; 0 on the host side
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_devinfo_rep_cap_is_filter_net_supported(const struct doca_devinfo *devinfo,
							  uint8_t *filter_net_supported);

/**
 * Whether a device lists representors of emulated functions.
 *
 * @param devinfo the device
 * @param[out] filter_emulated_supported 1 if it does, else 0; 0 on the host side
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_devinfo_rep_cap_is_filter_emulated_supported(const struct doca_devinfo *devinfo,
							       uint8_t *filter_emulated_supported);

/**
 * Prepare a device for a quick end, when its objects are going to be destroyed all together.
 *
 * @param dev the device
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: dev is NULL
 * @return DOCA_ERROR_NOT_SUPPORTED: its capability says no
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dev_accelerate_resource_reclaim(struct doca_dev *dev);

/**
 * Lasting identity of the function behind a representor; survives renumbering of the bus.
 *
 * @param devinfo_rep the representor
 * @param[out] rep_vuid the identity, as text
 * @param size room there in bytes, DOCA_DEVINFO_REP_VUID_SIZE at least
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the room is too small
 */
DOCA_STABLE
doca_error_t doca_devinfo_rep_get_vuid(const struct doca_devinfo_rep *devinfo_rep, char *rep_vuid,
				       uint32_t size);

/**
 * PCI address of the function behind a representor, as the host sees it.
 *
 * @param devinfo_rep the representor
 * @param[out] pci_addr_str room for DOCA_DEVINFO_REP_PCI_ADDR_SIZE bytes
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_devinfo_rep_get_pci_addr_str(const struct doca_devinfo_rep *devinfo_rep,
					       char *pci_addr_str);

/**
 * Compare that address with a text.
 *
 * @param devinfo_rep the representor
 * @param pci_addr the address, with or without domain
 * @param[out] is_equal 1 if it is that of the function, else 0
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or pci_addr is no PCI address
 */
DOCA_STABLE
doca_error_t doca_devinfo_rep_is_equal_pci_addr(const struct doca_devinfo_rep *devinfo_rep,
						const char *pci_addr, uint8_t *is_equal);

/**
 * Kind of the function behind a representor.
 *
 * @param devinfo_rep the representor
 * @param[out] pci_func_type the kind
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_devinfo_rep_get_pci_func_type(const struct doca_devinfo_rep *devinfo_rep,
						enum doca_pci_func_type *pci_func_type);

/**
 * Whether the function behind a representor is emulated and was plugged in at run time.
 *
 * @param devinfo_rep the representor
 * @param[out] is_hotplug 1 if so, else 0
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_STABLE
doca_error_t doca_devinfo_rep_get_is_hotplug(const struct doca_devinfo_rep *devinfo_rep,
					     uint8_t *is_hotplug);

/**
 * Name of the network interface that a representor has on the DPU.
 *
 * @param devinfo_rep the representor
 * @param[out] iface_name the name
 * @param size room there in bytes, DOCA_DEVINFO_IFACE_NAME_SIZE at least
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the room is too small
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_rep_get_iface_name(const struct doca_devinfo_rep *devinfo_rep,
					     char *iface_name, uint32_t size);

/**
 * Number of the function behind a representor among the functions of its card.
 *
 * @param devinfo_rep the representor
 * @param[out] vhca_id that number
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_rep_get_vhca_id(const struct doca_devinfo_rep *devinfo_rep,
					  uint16_t *vhca_id);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_DEV_H_ */
