/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One end of a Comch connection, on one engine: side 0 is the client on the host, side 1 the server
 * on the DPU.  Messages and consumers of the peer are counted here by the library's events.
 */
#ifndef BENCH_COMCH_END_H
#define BENCH_COMCH_END_H

#include "device.h"

#include <doca_comch.h>

#define CONTROL_TASKS 32

struct comch_end {
	struct bench *bench;
	struct doca_pe *pe;
	struct doca_dev *dev;
	struct doca_dev_rep *rep;	  /* server */
	struct doca_comch_server *server; /* or client; the other one is NULL */
	struct doca_comch_client *client;
	struct doca_comch_connection *connection;
	uint64_t received;	/* control messages */
	uint32_t peer_consumer; /* id; 0: none yet */
};

/* Connects; both sides must call it. */
bool comch_end_open(struct bench *bench, struct comch_end *end);
/* Submits one control message, progressing while there is no room.  false: stopped or failed. */
bool comch_end_send(struct comch_end *end, const void *message, uint32_t len);

#endif
