/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Link: carries frames between two processes, whole, in order, each once, over one connected
 * endpoint of libfabric. What frames mean is the owner's business (fabric_proto.h).
 *
 * Owner: the connection's fabric part, in which it is embedded. Thread: whoever holds the lock of
 * its port (fabric_port.h): the engine's thread while the program polls, else the progress thread.
 * Every function and every slot below is called with that lock held, none calls the user, none
 * blocks, none allocates once the link is up.
 *
 * Ends: fabric_link_close() by the owner, or ops->down() when the peer has closed, died, is cut off
 * (within 2 s, though nothing is under way: the link notices that itself), or lied to libfabric.
 * What the peer had sent before it closed or died comes first, as long as its bytes can be had.
 */
#ifndef SDPU_RDMA_FABRIC_LINK_H
#define SDPU_RDMA_FABRIC_LINK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

#include <doca_error.h>

#include "base/list.h"
#include "rdma/fabric_control.h"

#define FABRIC_HEAD_MAX 64u	       /* room for a frame's head beside a full payload */
#define FABRIC_PAYLOAD_MAX (64u << 10) /* of one frame */
#define FABRIC_FRAME_MAX (FABRIC_HEAD_MAX + FABRIC_PAYLOAD_MAX)
#define FABRIC_COPIED_MAX 128u /* frames up to this may be sent without a cookie */
#define FABRIC_IOV_MAX 4u      /* pieces of one frame, the head included */
#define FABRIC_STAGING 16u     /* received frames of a port that are not done with */

struct fabric_join;
struct fabric_offer;
struct fabric_port;
struct fabric_link;
struct fi_info;
struct fid_ep;

/* A received frame, in staging of the port that all of its links share. Nothing more comes on any
 * of them while the owners sit on FABRIC_STAGING of these. */
struct fabric_rx {
	const uint8_t *bytes;  /* written by the peer: untrusted; nobody writes them any more */
	uint32_t len;	       /* 1 to FABRIC_FRAME_MAX */
	struct sdpu_list node; /* the owner's, to queue it; off any list when it comes */
	struct fabric_port *port;
};
/* The bytes are the port's again. Also after the link is closed. */
void fabric_rx_done(struct fabric_rx *rx);

struct fabric_link_ops {
	/* Frames may go out from now on. Once, before all others. */
	void (*up)(struct fabric_link *link);
	/* The owner keeps rx until fabric_rx_done(), which it may call in here. */
	void (*frame)(struct fabric_link *link, struct fabric_rx *rx);
	/* The bytes that were given with this cookie are the owner's again. In order. */
	void (*sent)(struct fabric_link *link, uint64_t cookie);
	/* Once for each fabric_link_rerun(), and when there may be room after an AGAIN. */
	void (*drive)(struct fabric_link *link);
	/*
	 * It is over, and nothing follows. Bytes under way are the owner's again; sent() was not
	 * called for them. CONNECTION_RESET: closed, dead or cut off; CONNECTION_ABORTED: did not
	 * come up; or what fabric_link_fail() was told.
	 */
	void (*down)(struct fabric_link *link, doca_error_t why);
};

enum fabric_link_state {
	FABRIC_LINK_CLOSED,  /* nothing held; zeroed memory is this */
	FABRIC_LINK_JOINING, /* waits for libfabric on either side */
	FABRIC_LINK_UP,	     /* carries frames */
	FABRIC_LINK_ENDING,  /* the peer is gone; what came before is still read */
	FABRIC_LINK_FAILED,  /* down() was called, or comes with the next round */
};

#define FABRIC_LINK_SENDS 64u /* frames with a cookie that are under way */

struct fabric_link {
	const struct fabric_link_ops *ops;
	void *owner;		  /* what the owner likes */
	struct fabric_join *join; /* JOINING: what makes it; NULL else */
	struct fabric_port *port;
	enum fabric_link_state state;
	/* Private to fabric_link.c and fabric_endpoint.c. */
	struct sdpu_list node; /* in port->links */
	struct fid_ep *ep;
	struct fabric_offer *offer; /* waits for the peer's endpoint */
	struct fi_info *info;	    /* for our offer or endpoint, until that is made */
	struct fi_info *request;    /* which has come */
	struct fabric_control control;
	uint64_t token;	     /* of frames to us; names our slot */
	uint64_t peer_token; /* of frames to the peer */
	bool rerun;	     /* drive() is due */
	bool refused;	     /* a send: AGAIN */
	bool told;	     /* down() was called */
	doca_error_t why;
	uint64_t sent, received; /* frames */
	uint64_t last;		 /* frames that the peer has sent in all, and one; 0: not known */
	uint64_t until;		 /* ENDING: not longer than that */
	uint32_t silent;	 /* heartbeats sent since the peer's last */
	uint32_t stuck;		 /* heartbeats in a row that found it stuck */
	uint32_t first_send, next_send;
	uint64_t cookies[FABRIC_LINK_SENDS];
};

/*
 * One frame: the pieces one after the other, 1 to FABRIC_FRAME_MAX bytes. cookie 0: one piece
 * of at most FABRIC_COPIED_MAX bytes, which are the caller's again at once; sent() does not tell.
 * Otherwise the bytes (not the iov) are read until sent() or down() is called, or the link closed;
 * sent() is not called from in here.
 *
 * AGAIN: too much is under way; drive() comes when there may be room. CONNECTION_RESET: not up (any
 * more); down() was called or is about to be.
 */
doca_error_t fabric_link_send(struct fabric_link *link, const struct iovec *iov, uint32_t num,
			      uint64_t cookie);
/* Calls drive() in the next round of this port: for work that is cut into pieces. */
void fabric_link_rerun(struct fabric_link *link);
/* Ends it, as the peer lied: down() comes with the next round, nothing before. */
void fabric_link_fail(struct fabric_link *link, doca_error_t why);
/*
 * There is something for the engine's poll: wakes it up when it sleeps. One store where the engine
 * itself is at it.
 */
void fabric_link_attend(struct fabric_link *link);
/*
 * The owner ends it, at any time: no slot is called any more, bytes under way are the owner's
 * again; what libfabric has not put into the network yet may be lost. Harmless when closed.
 */
void fabric_link_close(struct fabric_link *link);

#endif
