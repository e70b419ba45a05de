/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One end of a Comch control channel, for samples with one peer.
 *
 * A server listens under a name on behalf of one host function (its representor); a client on that
 * function connects to the name. After that both ends are alike: they send messages to a connection
 * and are called back for what arrives. Everything happens on one thread, inside
 * doca_pe_progress().
 *
 * Life: start, wait until connected, talk, stop, close. close() may be called at any point after
 * start(), also when start() failed. When the peer goes away, `connection` becomes NULL and every
 * wait ends.
 */
#ifndef COMCH_CTRL_PATH_COMMON_H_
#define COMCH_CTRL_PATH_COMMON_H_

#include <doca_comch.h>

#include "../common.h"

#define CTRL_PATH_SERVER_NAME "comch_ctrl_path_sample"

struct ctrl_path;

struct ctrl_path_events {
	/* A message arrived; its bytes are gone when this returns. */
	void (*message)(struct ctrl_path *path, const uint8_t *msg, uint32_t len);
	/* The peer made, or took away, a fast-path consumer. Both or none. */
	void (*consumer_new)(struct ctrl_path *path, uint32_t id);
	void (*consumer_gone)(struct ctrl_path *path, uint32_t id);
};

struct ctrl_path {
	struct doca_dev *dev;
	struct doca_dev_rep *rep; /* server only */
	struct doca_pe *pe;
	struct doca_comch_server *server; /* one of these two */
	struct doca_comch_client *client;
	struct doca_ctx *ctx;			  /* of whichever it is */
	struct doca_comch_connection *connection; /* NULL while there is no peer */
	struct ctrl_path_events events;
	uint32_t num_in_flight; /* sends not yet seen by the peer */
	doca_error_t result;	/* of the first send that failed */
};

/* Open device and engine, and start listening. */
doca_error_t ctrl_path_start_server(struct ctrl_path *path, const char *name,
				    const struct sample_config *config,
				    const struct ctrl_path_events *events);

/* Open device and engine, and connect. CONNECTION_ABORTED: no such server. */
doca_error_t ctrl_path_start_client(struct ctrl_path *path, const char *name,
				    const struct sample_config *config,
				    const struct ctrl_path_events *events);

/* Send `len` bytes; they are copied before this returns. */
doca_error_t ctrl_path_send(struct ctrl_path *path, const void *msg, uint32_t len);

/* Progress until done(arg), which is the end of the wait also when a send fails or the peer goes
 * away. */
doca_error_t ctrl_path_wait(struct ctrl_path *path, bool (*done)(void *arg), void *arg,
			    int seconds);

/* Progress until the peer has connected, or, once it has, until it has gone. */
doca_error_t ctrl_path_wait_connected(struct ctrl_path *path);
doca_error_t ctrl_path_wait_gone(struct ctrl_path *path);

doca_error_t ctrl_path_stop(struct ctrl_path *path);
void ctrl_path_close(struct ctrl_path *path);

/* The two samples. */
doca_error_t ctrl_path_server_run(const struct sample_config *config);
doca_error_t ctrl_path_client_run(const struct sample_config *config);

#endif /* COMCH_CTRL_PATH_COMMON_H_ */
