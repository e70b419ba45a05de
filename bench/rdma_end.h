/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One end of an RDMA connection between two processes of this machine, on one engine.  Details and
 * memory descriptors are swapped through the arena of the measurement.
 */
#ifndef BENCH_RDMA_END_H
#define BENCH_RDMA_END_H

#include "device.h"

#include <doca_rdma.h>

#define RDMA_BLOB_MAX 4096

/* One side's page in the arena. */
struct rdma_blob {
	uint32_t len;
	uint8_t bytes[RDMA_BLOB_MAX - sizeof(uint32_t)];
};

/* In a kernel's variant: as if the two sides were two machines, over TCP. */
#define RDMA_OVER_TCP 0x100

#define RDMA_ARENA (2 * 2 * sizeof(struct rdma_blob)) /* connection and memory of either side */

struct rdma_end {
	struct bench *bench;
	unsigned place; /* which of the two, 0 or 1: by the number of the side */
	struct doca_pe *pe;
	struct doca_dev *dev;
	struct doca_rdma *rdma;
	struct doca_rdma_connection *connection;
};

/* Opens device and context, on an engine of its own if pe is NULL; the caller then configures its
 * tasks. */
bool rdma_end_open(struct bench *bench, struct doca_pe *pe, struct rdma_end *end);
/* Starts the context and connects; both sides must call it. */
bool rdma_end_connect(struct rdma_end *end);
/* Shows memory to the peer; both sides must call one of these two, which meet. */
bool rdma_end_export(struct rdma_end *end, struct memory *memory);
bool rdma_end_import(struct rdma_end *end, struct doca_mmap **remote);

#endif
