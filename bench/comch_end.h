/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One end of a Comch connection, on one engine: side 0 is the client on the host, side 1 the server
 * on the DPU, which may have further clients.  Messages and consumers of the peer are counted here
 * by the library's events.
 */
#ifndef BENCH_COMCH_END_H
#define BENCH_COMCH_END_H

#include "device.h"

#include <doca_comch.h>

#define CONTROL_TASKS 32
#define COMCH_MAX_CLIENTS 512
#define COMCH_MAX_CONSUMERS 64

struct comch_end {
	struct bench *bench;
	struct doca_pe *pe;
	struct doca_dev *dev;
	struct doca_dev_rep *rep;	  /* server */
	struct doca_comch_server *server; /* or client; the other one is NULL */
	struct doca_comch_client *client;
	struct doca_comch_connection *connection; /* a server's first; NULL: none yet, or gone */
	uint64_t received;			  /* control messages */
	uint32_t num_connections;
	uint32_t num_consumers; /* of the peer */
	uint32_t consumers[COMCH_MAX_CONSUMERS];
	struct doca_comch_connection *connections[COMCH_MAX_CLIENTS];
};

/* Connects; both sides must call it. */
bool comch_end_open(struct bench *bench, struct comch_end *end);
/* The parts of it.  A server that listens, on an engine. */
bool comch_server_start(struct bench *bench, struct comch_end *end, struct doca_pe *pe);
/* A client on an engine, of which a process may have several: begins to connect to a server that
 * listens already; then waits until it has. */
bool comch_client_start(struct bench *bench, struct comch_end *end, struct doca_pe *pe,
			struct doca_dev *dev);
bool comch_client_await(struct comch_end *end);
/* Progresses until the context runs; `what` it is, should it fail to. */
bool comch_await_running(struct comch_end *end, struct doca_ctx *ctx, const char *what);
/* For a server: progresses until so many are connected. */
bool comch_server_await(struct comch_end *end, uint32_t num_connections);
/* Submits one control message, progressing while there is no room.  false: stopped or failed. */
bool comch_end_send(struct comch_end *end, const void *message, uint32_t len);

#endif
