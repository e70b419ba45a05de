/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Vec: the local side of an operation, one piece of memory for each buf of the user's list. Part of
 * a task; filled from the bufs when the library takes the task, void when the task goes back. No
 * state of its own; data path.
 */
#ifndef SDPU_RDMA_VEC_H
#define SDPU_RDMA_VEC_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/uio.h>

#include <doca_error.h>

#include "base/compiler.h"

#define RDMA_LIST_MAX 32 /* no topology file allows longer lists */
#define RDMA_WORD 8	 /* bytes that an atomic operation works on */

struct doca_buf;
struct doca_rdma;

struct rdma_vec {
	uint32_t num; /* pieces; empty bufs have none */
	size_t len;   /* bytes in all */
	struct iovec piece[RDMA_LIST_MAX];
};

/*
 * From the data of a list (what is sent or written) or the room behind it (what is received or
 * read). NULL: empty. INVALID_VALUE: a list of more than `max` bufs; a buf whose mmap is imported,
 * not started, or not of the context's device; for room, an mmap that may only be read.
 */
doca_error_t rdma_vec_of_data(struct rdma_vec *vec, struct doca_rdma *rdma,
			      const struct doca_buf *buf, uint32_t max);
doca_error_t rdma_vec_of_room(struct rdma_vec *vec, struct doca_rdma *rdma,
			      const struct doca_buf *buf, uint32_t max);

/* The first len bytes of the pieces to one place; len <= vec->len. */
void rdma_vec_gather(const struct rdma_vec *vec, void *to, size_t len);
/* len bytes from one place to the pieces; len <= vec->len. */
void rdma_vec_scatter(const struct rdma_vec *vec, const void *from, size_t len);
/* Drops the first len bytes. */
void rdma_vec_skip(struct rdma_vec *vec, size_t len);

#endif
