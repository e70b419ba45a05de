/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The fast path of one side of a connection: a consumer with posted receives and a producer, on
 * the engine of the end. Calls that the peer's death may refuse answer with a result; everything
 * else is wrong when it fails.
 */
#ifndef TESTS_E2E_PEER_PATH_H
#define TESTS_E2E_PEER_PATH_H

#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>

#include "end.h"

struct path {
	struct end *end;
	uint32_t depth; /* receives posted, sends possible */
	size_t slot;	/* bytes of each */
	void (*received)(struct path *path, const uint8_t *imm, uint32_t imm_len,
			 const uint8_t *data, size_t len);
	struct peer_memory in, out;
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
	uint32_t posted;  /* receives that are with the library */
	uint32_t flushed; /* came back empty */
	uint32_t sending;
	uint64_t sent;
	uint64_t failed;
	uint32_t next_slot;
	doca_error_t refused; /* what a post in a callback got, if not SUCCESS */
};

/* The fields up to `received` are the caller's. Opens both; the consumer is STARTING then. */
doca_error_t path_open(struct path *path, bool shared);
doca_error_t path_open_consumer(struct path *path, bool shared);
doca_error_t path_open_producer(struct path *path, bool shared);
enum doca_ctx_states path_consumer_state(const struct path *path);
doca_error_t path_post(struct path *path);
/* Where the next message goes: no more than depth are to be sending. */
uint8_t *path_slot(struct path *path);
/* AGAIN: the slot stays the next one. */
doca_error_t path_send(struct path *path, uint32_t id, size_t len, const void *imm,
		       uint32_t imm_len);
/* Stops, turns the engine until both are IDLE, destroys. Harmless on what was not opened. */
void path_close(struct path *path);

#endif
