/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * RDMA writes into and reads from memory of a process that sleeps: side 0 has `depth` of `size`
 * bytes under way and reports bytes a second, side 1 owns the memory.  The arena is RDMA_ARENA.
 */
#ifndef BENCH_RDMA_ACCESS_H
#define BENCH_RDMA_ACCESS_H

#include "rdma_end.h"

/* In a kernel's variant, with RDMA_OVER_TCP. */
enum rdma_access { RDMA_WRITE, RDMA_READ };
#define RDMA_INTO_PRIVATE 0x200 /* the responder's memory cannot be mapped */

enum bench_status rdma_access_request(struct bench *bench);
enum bench_status rdma_access_respond(struct bench *bench);

#endif
