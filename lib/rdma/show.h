/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What RDMA contexts and connections show to watchers. Rules of bus/stats.h: in the agent's thread,
 * calling nobody, reading what others may be writing.
 */
#ifndef SDPU_RDMA_SHOW_H
#define SDPU_RDMA_SHOW_H

#include "rdma/connection.h"

/* A connection that is about to be DEAD no more, its address known if there is one. */
void rdma_show_enter(struct doca_rdma_connection *connection);

/* Slot `show` of the context. */
void rdma_show(const struct doca_ctx *ctx, struct softdpu_object *row);

#endif
