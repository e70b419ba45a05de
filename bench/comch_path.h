/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fast path of one end: a producer, a consumer, and memory for both, on the connection's
 * engine.
 *
 * depth buffers of size bytes are received into, and reposted when `then` has returned; as many are
 * sent from.  What arrives is counted, not read: the machine's limits do not read either.
 */
#ifndef BENCH_COMCH_PATH_H
#define BENCH_COMCH_PATH_H

#include "comch_end.h"

#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>

#define COMCH_MAX_DEPTH 4096
#define COMCH_PATH_ACCESS (DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE)

struct comch_path {
	struct comch_end end;
	uint32_t size;
	uint32_t depth;
	struct memory memory; /* begins with receive buffers, ends with send buffers */
	struct doca_comch_producer *producer;
	struct doca_comch_consumer *consumer;
	uint64_t received;
	/* For each message, before its receive is posted again; or NULL. */
	void (*then)(struct comch_path *path);
	uint32_t idle_sends; /* tasks in idle[] */
	struct doca_task *idle[COMCH_MAX_DEPTH];
};

/* Started objects on a connection of the end, whose contexts have `data` as their user data; those
 * of the consumer will be RUNNING after some progress. */
bool comch_consumer_open(struct comch_end *end, struct doca_comch_connection *connection,
			 struct doca_mmap *mmap, uint32_t depth,
			 doca_comch_consumer_task_post_recv_completion_cb_t received_cb, void *data,
			 struct doca_comch_consumer **consumer);
bool comch_producer_open(struct comch_end *end, uint32_t depth,
			 doca_comch_producer_task_send_completion_cb_t sent_cb, void *data,
			 struct doca_comch_producer **producer);
/* Posts receives into buffers of len bytes, `stride` apart: 0 if they shall share one. */
bool comch_receives_post(struct bench *bench, struct doca_comch_consumer *consumer,
			 struct memory *memory, uint32_t len, size_t stride, uint32_t num);
bool comch_send_allocate(struct bench *bench, struct doca_comch_producer *producer,
			 struct memory *memory, size_t offset, uint32_t len, uint32_t consumer_id,
			 struct doca_task **send);
/* One half each, over a path with its end, memory, size and depth: receives are posted; sends to
 * the peer's first consumer are idle. */
bool comch_path_open_consumer(struct comch_path *path);
bool comch_path_open_producer(struct comch_path *path);
/* Its parts: a producer that may have other paths, too, and the path's sends by its producer. */
bool comch_path_start_producer(struct comch_path *path, uint32_t depth);
bool comch_path_allocate_sends(struct comch_path *path, uint32_t consumer_id);
/* Connects and sets up both directions as the kernel says; variant is the kind of memory. `then` is
 * the caller's. */
bool comch_path_open(struct bench *bench, struct comch_path *path);
/* Submits one message; false: no room now. Failures stop the measurement. */
bool comch_path_send(struct comch_path *path, uint32_t flags);
/* So many, or as many as there is room for; only the last one asks to be seen at once. */
void comch_path_send_batch(struct comch_path *path, uint32_t batch);
/* Progress until that is done: one message more is sent; so many have come in all. */
bool comch_path_send_now(struct comch_path *path);
bool comch_path_receive(struct comch_path *path, uint64_t number);
/* For `then`: a message back. */
void comch_path_answer(struct comch_path *path);
/* The two sides of a measurement of round trips, over an open path. Where messages are answered by
 * `then` the first one must be under way (begin) before a trip is waited for. */
bool comch_path_begin(struct comch_path *path);
bool comch_path_trip(void *path);
enum bench_status comch_path_ping(struct comch_path *path);
enum bench_status comch_path_pong(struct comch_path *path);

#endif
