/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What objects of Comch show to watchers. Rules of bus/stats.h: in the agent's thread, calling
 * nobody, reading what others may be writing.
 */
#ifndef SDPU_COMCH_SHOW_H
#define SDPU_COMCH_SHOW_H

#include "comch/connection.h"

/* A connection that its endpoint has just made; it leaves when it is forgotten. */
void comch_show_enter(struct doca_comch_connection *connection);

/* Slots `show` of contexts. */
void comch_show_endpoint(const struct doca_ctx *ctx, struct softdpu_object *row);
void comch_show_consumer(const struct doca_ctx *ctx, struct softdpu_object *row);
void comch_show_producer(const struct doca_ctx *ctx, struct softdpu_object *row);

#endif
