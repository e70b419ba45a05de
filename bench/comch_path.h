/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fast path of one end: a producer, a consumer, and memory for both, on the connection's
 * engine.
 *
 * depth buffers of size bytes are received into and reposted at once; as many are sent from.  What
 * arrives is counted, not read: the machine's limits do not read either.
 */
#ifndef BENCH_COMCH_PATH_H
#define BENCH_COMCH_PATH_H

#include "comch_end.h"

#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>

#define COMCH_MAX_DEPTH 1024

struct comch_path {
	struct comch_end end;
	uint32_t size;
	uint32_t depth;
	struct memory memory; /* depth receive buffers, then depth send buffers */
	struct doca_comch_producer *producer;
	struct doca_comch_consumer *consumer;
	uint64_t received;
	uint32_t idle_sends; /* tasks in idle[] */
	struct doca_task *idle[COMCH_MAX_DEPTH];
};

/* Connects and sets up both directions as the kernel says; variant is the kind of memory. */
bool comch_path_open(struct bench *bench, struct comch_path *path);
/* Submits one message; false: no room now. Failures stop the measurement. */
bool comch_path_send(struct comch_path *path, uint32_t flags);

#endif
