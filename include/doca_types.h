/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_types.h
 * Types and enumerations shared by several libraries.
 */
#ifndef DOCA_TYPES_H_
#define DOCA_TYPES_H_

#include <linux/types.h>

#include <doca_compat.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Something to wait on with poll, select or epoll: a file descriptor. */
typedef int doca_event_handle_t;

/** No event handle. */
#define doca_event_invalid_handle -1

/** Handle on which a progress engine announces work. */
typedef doca_event_handle_t doca_notification_handle_t;

/** Length of an RDMA global identifier, in bytes. */
#define DOCA_GID_BYTE_LENGTH 16

/** A value of the program's own, carried unread and given back by value. */
union doca_data {
	void *ptr;    /**< As a pointer; what it points to stays with the program. */
	uint64_t u64; /**< As a number. */
};

/** One piece of scattered memory; the last piece has next NULL. */
struct doca_gather_list {
	void *addr;		       /**< First byte. */
	uint64_t len;		       /**< Length in bytes. */
	struct doca_gather_list *next; /**< The piece that follows, or NULL. */
};

/** Big-endian integers. */
typedef __be16 doca_be16_t;
typedef __be32 doca_be32_t;
typedef __be64 doca_be64_t;

/**
 * Who may do what to memory: a mask. The local device can always read, so that LOCAL_READ_ONLY is
 * no bit. PCI_READ_ONLY and PCI_READ_WRITE exclude each other.
 */
enum doca_access_flag {
	DOCA_ACCESS_FLAG_LOCAL_READ_ONLY = 0,		  /**< Local device reads. */
	DOCA_ACCESS_FLAG_LOCAL_READ_WRITE = (1 << 0),	  /**< Local device reads and writes. */
	DOCA_ACCESS_FLAG_RDMA_READ = (1 << 1),		  /**< RDMA peer reads. */
	DOCA_ACCESS_FLAG_RDMA_WRITE = (1 << 2),		  /**< RDMA peer writes. */
	DOCA_ACCESS_FLAG_RDMA_ATOMIC = (1 << 3),	  /**< RDMA peer does atomics. */
	DOCA_ACCESS_FLAG_PCI_READ_ONLY = (1 << 4),	  /**< Across PCIe, reads. */
	DOCA_ACCESS_FLAG_PCI_READ_WRITE = (1 << 5),	  /**< Across PCIe, reads and writes. */
	DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING = (1 << 6), /**< Writes may pass each other. */
};

/** Kind of PCIe function. */
enum doca_pci_func_type {
	DOCA_PCI_FUNC_TYPE_PF = 0, /**< Physical function. */
	DOCA_PCI_FUNC_TYPE_VF = 1, /**< Virtual function. */
	DOCA_PCI_FUNC_TYPE_SF = 2, /**< Sub-function. */
};

/** Where memory of a GPU lives, and who reaches it. */
enum doca_gpu_mem_type {
	DOCA_GPU_MEM_TYPE_GPU = 0,     /**< On the GPU, for the GPU. */
	DOCA_GPU_MEM_TYPE_GPU_CPU = 1, /**< On the GPU, the CPU reaches it too. */
	DOCA_GPU_MEM_TYPE_CPU_GPU = 2, /**< On the CPU, the GPU reaches it too. */
};

/** How an Ethernet queue sends at a given time. */
enum doca_eth_wait_on_time_type {
	DOCA_ETH_WAIT_ON_TIME_TYPE_NONE = 0,   /**< Not at all. */
	DOCA_ETH_WAIT_ON_TIME_TYPE_NATIVE = 1, /**< By the device. */
	DOCA_ETH_WAIT_ON_TIME_TYPE_DPDK = 2,   /**< By DPDK. */
};

/** Largest packet on a link. */
enum doca_mtu_size {
	DOCA_MTU_SIZE_256_BYTES = 0,	/**< 256 bytes. */
	DOCA_MTU_SIZE_512_BYTES = 1,	/**< 512 bytes. */
	DOCA_MTU_SIZE_1K_BYTES = 2,	/**< 1024 bytes. */
	DOCA_MTU_SIZE_2K_BYTES = 3,	/**< 2048 bytes. */
	DOCA_MTU_SIZE_4K_BYTES = 4,	/**< 4096 bytes. */
	DOCA_MTU_SIZE_RAW_ETHERNET = 5, /**< Reserved. */
};

#ifdef __cplusplus
}
#endif

#endif /* DOCA_TYPES_H_ */
