/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What MsgQs and their members show to watchers; rules of show.h. Device code counts nothing for
 * it: of members on a DPA there is what their ports say.
 */
#ifndef SDPU_COMCH_SHOW_MSGQ_H
#define SDPU_COMCH_SHOW_MSGQ_H

#include "comch/msgq.h"

/* At its creation; it leaves when it is destroyed. */
void comch_show_enter_msgq(struct doca_comch_msgq *msgq);

/* Slots `show` of contexts. */
void comch_show_msgq_consumer(const struct doca_ctx *ctx, struct softdpu_object *row);
void comch_show_msgq_producer(const struct doca_ctx *ctx, struct softdpu_object *row);

#endif
