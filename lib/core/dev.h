/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Devices: functions of the topology, opened. One struct doca_dev per function and process, counted
 * by opens; objects that depend on it hold it, and the last close is refused (IN_USE) while any
 * does. The first open starts the agent, the last close ends it. Lists and devices are made and
 * destroyed by any thread (one internal mutex).
 */
#ifndef SDPU_CORE_DEV_H
#define SDPU_CORE_DEV_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_dev.h>
#include <doca_error.h>

#include "base/compiler.h"

enum sdpu_side { SDPU_SIDE_DPU, SDPU_SIDE_HOST };

/* What the topology file may shrink ("limits"); shown by the capability calls. */
struct sdpu_limits {
	uint32_t comch_max_msg_size;	     /* 4080 */
	uint32_t comch_max_recv_queue;	     /* 8192 */
	uint32_t comch_max_send_tasks;	     /* 8192 */
	uint32_t comch_max_clients;	     /* 512 */
	uint32_t comch_max_name_len;	     /* 120, NUL counted */
	uint32_t comch_max_producers;	     /* 64 per connection */
	uint32_t comch_max_consumers;	     /* 64 per connection */
	uint32_t comch_max_fast_tasks;	     /* 8192 per producer or consumer */
	uint32_t comch_max_buf_size;	     /* 2 GiB */
	uint32_t comch_max_imm_len;	     /* 32 */
	uint32_t rdma_max_queue;	     /* 32768 */
	uint32_t rdma_max_connections;	     /* 4096 */
	uint32_t rdma_max_message;	     /* 1 GiB */
	uint32_t rdma_max_list;		     /* 32 */
	uint32_t dma_max_tasks;		     /* 65536 */
	uint64_t dma_max_buf_size;	     /* 2 GiB */
	uint32_t dma_max_list;		     /* 64 */
	uint32_t mmap_max_devices;	     /* 32 */
	uint32_t dpa_cores;		     /* 16; 0: there is no DPA */
	uint32_t dpa_eus_per_core;	     /* 16 */
	uint32_t dpa_max_threads;	     /* 1024 per context */
	uint32_t dpa_max_threads_per_kernel; /* 128 */
	uint32_t dpa_kernel_max_run_time;    /* 12 s */
	uint32_t msgq_max_consumers;	     /* 64 per queue */
	uint32_t msgq_max_producers;	     /* 64 per queue */
};

/*
 * One function of the topology; lives as long as the process once loaded. Addresses and names are
 * unique on each side: the sides are different machines, and may use the same ones.
 */
struct sdpu_function {
	enum sdpu_side side;
	enum doca_pci_func_type type;
	uint32_t dpu;			      /* the card that it is on, from 0 */
	char pci[DOCA_DEVINFO_PCI_ADDR_SIZE]; /* "0000:03:00.0", as its own side sees it */
	char ibdev[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	char iface[DOCA_DEVINFO_IFACE_NAME_SIZE];
	uint8_t mac[DOCA_DEVINFO_MAC_ADDR_SIZE];
	uint8_t ipv4[DOCA_DEVINFO_IPV4_ADDR_SIZE]; /* zeroes: none */
	uint8_t ipv6[DOCA_DEVINFO_IPV6_ADDR_SIZE]; /* zeroes: none */
	uint8_t gid[DOCA_GID_BYTE_LENGTH];
	uint16_t vhca_id;
	uint32_t sf_index; /* SF only */
	const struct sdpu_limits *limits;

	/* Host functions: their representor */
	const struct sdpu_function *represented_on; /* the DPU function that lists it */
	char vuid[DOCA_DEVINFO_REP_VUID_SIZE];
	char rep_name[32]; /* "pf0", "pf0vf1", "pf0sf2"; a further host's begin with "c1" and so on
			    */
	char rep_iface[DOCA_DEVINFO_IFACE_NAME_SIZE]; /* on the DPU */
};

SDPU_SHARED const struct sdpu_function *sdpu_devinfo_function(const struct doca_devinfo *devinfo);
SDPU_SHARED const struct sdpu_function *sdpu_dev_function(const struct doca_dev *dev);
/* Lives as long as the device is open. */
SDPU_SHARED struct doca_devinfo *sdpu_dev_devinfo(const struct doca_dev *dev);
/* The host function behind a representor. */
SDPU_SHARED const struct sdpu_function *sdpu_dev_rep_function(const struct doca_dev_rep *rep);

/* A dependent object; thread-safe. */
SDPU_SHARED void sdpu_dev_hold(struct doca_dev *dev);
SDPU_SHARED void sdpu_dev_release(struct doca_dev *dev);
SDPU_SHARED void sdpu_dev_rep_hold(struct doca_dev_rep *rep);
SDPU_SHARED void sdpu_dev_rep_release(struct doca_dev_rep *rep);

/* By PCI address (both forms), IB name or interface name; opens it (close with sdpu_dev_close).
 * NOT_FOUND: the log lists what exists. */
SDPU_SHARED doca_error_t sdpu_dev_open_by_name(const char *text, struct doca_dev **dev);
/* Representor of dev by the host function's PCI address, or "pf<N>vf<M>" / "pf<N>sf<M>". */
SDPU_SHARED doca_error_t sdpu_dev_rep_open_by_name(struct doca_dev *dev, const char *text,
						   struct doca_dev_rep **rep);
SDPU_SHARED doca_error_t sdpu_dev_close(struct doca_dev *dev);

/* "0000:03:00.0, 0000:03:00.1": functions of one side, for messages. */
SDPU_SHARED void sdpu_topology_list(enum sdpu_side side, char *text, size_t size);

#endif
