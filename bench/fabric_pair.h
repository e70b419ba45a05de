/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two connected endpoints (FI_EP_MSG) of libfabric's tcp provider over the loopback interface, as a
 * program without us would use them.
 */
#ifndef BENCH_FABRIC_PAIR_H
#define BENCH_FABRIC_PAIR_H

#include "harness.h"

#include <netinet/in.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>

#define FABRIC_ARENA 4096

struct fabric_end {
	struct bench *bench;
	struct fid_fabric *fabric;
	struct fid_domain *domain;
	struct fid_eq *eq;
	struct fid_cq *cq;
	struct fid_ep *ep;
	bool virt_addr; /* remote memory is named by address, else by offset */
};

/* Side 1 listens, side 0 calls. */
bool fabric_end_open(struct bench *bench, struct fabric_end *end);
/* true for 0; else the side gives up, saying what failed. */
bool fabric_ok(struct bench *bench, ssize_t result, const char *what);

#endif
