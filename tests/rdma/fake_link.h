/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A pair of fabric links for tests of the protocol above them: two ends in one process, whose
 * frames move when the test says so, one thing at a time. It takes the place of fabric_link.c by
 * the linker's --wrap, and keeps its contract (rdma/fabric_link.h) as badly as that allows: bytes
 * are read as late as possible and what was given back is overwritten, sends say AGAIN for no
 * reason, and there is no more staging than was promised.
 *
 * Each end has a real context, and a real connection whose back end it is. Steps may run in another
 * thread than the engines; the lock of a port is held while its end is called.
 */
#ifndef TESTS_RDMA_FAKE_LINK_H
#define TESTS_RDMA_FAKE_LINK_H

#include "rdma/fabric_proto.h"
#include "rdma/rig.h"

#define FAKE_QUEUE 24u /* sends under way of one end */
#define FAKE_WIRE 64u  /* frames that have left one end and not come to the other */

struct fake_send {
	struct iovec iov[FABRIC_IOV_MAX];
	uint32_t num;
	uint64_t cookie;
	uint8_t copied[FABRIC_COPIED_MAX];
};

struct fake_frame {
	uint8_t *bytes;
	uint32_t len;
};

/* What a real port is, for one link. */
struct fake_port {
	pthread_mutex_t lock;
	struct fabric_proto_port proto;
	struct fabric_rx rx[FABRIC_STAGING];
	uint8_t staging[FABRIC_STAGING][FABRIC_FRAME_MAX];
	uint32_t free_rx; /* bits */
	uint32_t kicks;	  /* atomic */
};

struct fake_end {
	/* First: a link leads to its end. */
	struct fabric_link link;
	struct fabric_proto proto;
	struct fake_port port;
	struct doca_rdma_connection *connection;
	struct fake_end *peer;
	bool open, up, failed, over, rerun, refused;
	doca_error_t why;
	uint64_t attends;
	uint64_t frames; /* sent */

	struct fake_send sends[FAKE_QUEUE];
	uint32_t first_send, next_send, gone; /* gone: have left, and are not reported */

	/* Under the wire's own lock. */
	struct fake_frame wire[FAKE_WIRE]; /* to this end */
	uint32_t first_frame, next_frame;
	bool cut; /* nothing comes any more */

	/* May a frame be changed, or looked at, when it arrives? */
	void (*tamper)(struct fake_end *to, uint8_t *bytes, uint32_t *len);
};

struct fake_pair {
	struct fake_end end[2];
	struct rig_end rig[2];
	struct rig_card card[2];
	uint64_t random;
};

/* Opens, starts and joins what rig_init() has prepared in pair->rig. */
void fake_raise(struct fake_pair *pair);
/* Both sides with nothing special about them. */
void fake_begin(struct fake_pair *pair);
void fake_close(struct fake_pair *pair);
/* Once more, after it was closed on both sides. */
void fake_join(struct fake_pair *pair);

/* One thing of one side that has to do with its link. False: there was nothing to do. */
enum fake_step {
	FAKE_LEAVE,  /* a send goes to the wire */
	FAKE_REPORT, /* and is reported */
	FAKE_ARRIVE, /* a frame comes */
	FAKE_DRIVE,
	FAKE_STEPS,
};
bool fake_step(struct fake_end *end, enum fake_step step);
/* All that can be done on both sides, without the engines. */
void fake_run(struct fake_pair *pair);
/* Something at random of either side, an engine's progress among it. */
void fake_turn(struct fake_pair *pair);
#define FAKE_UNTIL(pair, cond, ms) T_EVENTUALLY((fake_turn(pair), (cond)), ms)
/* The same in order, and the engines too, as two that poll would. */
#define FAKE_POLL_UNTIL(pair, cond, ms)                                                            \
	T_EVENTUALLY((fake_run(pair), rig_progress(&(pair)->rig[0], &(pair)->rig[1]), (cond)), ms)

/* The link is lost in both directions: what is on the wire is gone. */
void fake_cut(struct fake_pair *pair);
/* A frame of the test's own comes to that end, as if its peer had sent it. */
void fake_inject(struct fake_end *end, const void *bytes, uint32_t len);

uint32_t fake_random(struct fake_pair *pair, uint32_t below);

#endif
