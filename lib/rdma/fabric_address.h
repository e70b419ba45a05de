/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Addresses at which other machines may find this one. Any thread.
 */
#ifndef SDPU_RDMA_FABRIC_ADDRESS_H
#define SDPU_RDMA_FABRIC_ADDRESS_H

#include "rdma/blob.h"

/*
 * Of interfaces that are up, IPv4 first, with this port: as many as a blob holds. Loopback only
 * when there is no other, or everything goes over the fabric, and then last. SOFTDPU_FABRIC_ADDR
 * takes the place of all. Returns how many; system calls.
 */
uint32_t fabric_address_list(uint16_t port, struct rdma_address out[RDMA_BLOB_ADDRESSES]);

#endif
