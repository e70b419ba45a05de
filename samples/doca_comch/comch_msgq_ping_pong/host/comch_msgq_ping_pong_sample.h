/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A MsgQ has one direction, so there are two: balls fly to the DPA on one, and back on the other.
 */
#ifndef COMCH_MSGQ_PING_PONG_SAMPLE_H_
#define COMCH_MSGQ_PING_PONG_SAMPLE_H_

#include <doca_comch_consumer.h>
#include <doca_comch_msgq.h>
#include <doca_comch_producer.h>
#include <doca_dpa.h>

#include "../../../common.h"
#include "../comch_msgq_ping_pong.h"

/* Made by dpacc of the device source. */
extern struct doca_dpa_app *comch_msgq_ping_pong_app;
extern doca_dpa_func_t return_balls;
extern doca_dpa_func_t allow_balls;

/* One direction. One of its ends is the host's, a context on the engine; the other is device
 * code's. */
struct queue {
	struct doca_comch_msgq *msgq;
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
};

struct ping_pong {
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_dpa *dpa;
	struct doca_dpa_thread *thread;
	struct doca_comch_consumer_completion *arrivals; /* what wakes the thread */
	struct doca_dpa_completion *sends;		 /* of the DPA's producer */
	doca_dpa_dev_uintptr_t table;
	struct queue to_dpa;
	struct queue to_host;
	uint32_t dpa_consumer_id;
	uint64_t num_rounds;
	uint64_t rounds;	/* done so far */
	uint64_t hits;		/* of the ball when it was last here */
	uint32_t num_in_flight; /* sends whose callback is to come */
	doca_error_t result;	/* the first failure in a callback */
};

/* The callbacks of the contexts on the engine. */
void ping_pong_received(struct doca_comch_consumer_task_post_recv *recv,
			union doca_data task_user_data, union doca_data ctx_user_data);
void ping_pong_receive_failed(struct doca_comch_consumer_task_post_recv *recv,
			      union doca_data task_user_data, union doca_data ctx_user_data);
void ping_pong_sent(struct doca_comch_producer_task_send *send, union doca_data task_user_data,
		    union doca_data ctx_user_data);
void ping_pong_send_failed(struct doca_comch_producer_task_send *send,
			   union doca_data task_user_data, union doca_data ctx_user_data);

/* Make all objects and start them, the thread included; what was made is left to
 * ping_pong_close(). */
doca_error_t ping_pong_open(struct ping_pong *game, const struct sample_config *config);
void ping_pong_close(struct ping_pong *game);

/* The sample. */
doca_error_t ping_pong_run(const struct sample_config *config);

#endif /* COMCH_MSGQ_PING_PONG_SAMPLE_H_ */
