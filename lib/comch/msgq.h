/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MsgQ: messages of up to 32 bytes between a program and the code that it runs on a DPA, all in one
 * process. It has one direction, and stands for its members where a connection stands for others.
 *
 * Owner: the user. Settings, start and stop belong to one thread at a time; members, each with a
 * thread and an engine of its own, share what is under `lock`, which no path that moves data takes.
 * Ports have the memory of start to stop, so that a producer may look at the port of any id.
 *
 *   STOPPED  is set
 *   STARTED  members may be made; stop is refused while there are any
 *
 * It joins the DPA that it is set to until it is destroyed. A DPA that failed changes nothing here:
 * sends to it are refused, and all can be taken down.
 */
#ifndef SDPU_COMCH_MSGQ_H
#define SDPU_COMCH_MSGQ_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <doca_comch_msgq.h>

#include "base/list.h"
#include "comch/connection.h"
#include "comch/msgq_port.h"
#include "core/ctx.h"

enum comch_msgq_state { COMCH_MSGQ_STOPPED, COMCH_MSGQ_STARTED };

struct doca_comch_msgq {
	struct sdpu_stats stats;
	struct doca_dev *dev;
	enum comch_msgq_state state;
	struct doca_dpa
		*dpa[COMCH_MEMBER_KINDS]; /* where members of a kind are; NULL: on the CPU */
	uint32_t max[COMCH_MEMBER_KINDS];
	struct comch_msgq_port *ports; /* of consumer id at id - 1; from start to stop */
	pthread_mutex_t lock;
	struct sdpu_list members; /* struct comch_msgq_member */
	uint32_t num[COMCH_MEMBER_KINDS];
};

/* What the registry knows of a producer or consumer; embedded in it. */
struct comch_msgq_member {
	struct doca_comch_msgq *msgq;
	struct sdpu_list node;
	enum comch_member_kind kind;
	uint32_t id;			    /* the lowest that is free, from 1 */
	const struct comch_msgq_turn *turn; /* of producers */
};

/* Enters the registry; gives the id. BAD_STATE: not started; NO_MEMORY: there are `max`. Logged, as
 * `call`. */
doca_error_t comch_msgq_join(struct comch_msgq_member *member, struct doca_comch_msgq *msgq,
			     enum comch_member_kind kind, const char *call);
void comch_msgq_leave(struct comch_msgq_member *member);

/* The port of a consumer id, open or not; NULL: there can be no such consumer. */
static inline struct comch_msgq_port *comch_msgq_port(const struct doca_comch_msgq *msgq,
						      uint32_t id)
{
	return id == 0 || id > msgq->max[COMCH_CONSUMER] ? NULL : &msgq->ports[id - 1];
}

/* Afterwards no producer touches the ring, the trigger or the ringer of the port. */
void comch_msgq_port_close(struct comch_msgq_member *consumer);

/* "producer", "consumer": for messages. */
extern const char *const comch_msgq_kind[];

/*
 * What members on a DPA ask; each logs what is wrong, as `call`. Slot `on_dpa`: INVALID_VALUE: the
 * MsgQ is set to another one.
 */
doca_error_t comch_msgq_on_dpa(const struct comch_msgq_member *member, const struct doca_dpa *dpa);
/* BAD_STATE: doca_ctx_set_datapath_on_dpa() was not called. */
doca_error_t comch_msgq_check_path(const struct doca_ctx *ctx, const char *call);
/* INVALID_VALUE: a completion of dpa (NULL: of none) is of no use to a member in this DPA. */
doca_error_t comch_msgq_check_completion(const struct doca_ctx *ctx, const struct doca_dpa *dpa,
					 const char *call);
/* Of a queue. BAD_STATE: not IDLE; INVALID_VALUE: out of range. */
doca_error_t comch_msgq_check_depth(const struct doca_ctx *ctx, uint32_t number, const char *call);
/* BAD_STATE: not started. */
doca_error_t comch_msgq_check_running(const struct doca_ctx *ctx, const char *call);

#endif
