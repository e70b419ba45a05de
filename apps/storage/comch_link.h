/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The comch data path of one thread: its consumer and its producer on the one connection. Made
 * and destroyed by the control thread; in between they belong to whoever owns their engine. A
 * consumer becomes RUNNING only while this side and the peer progress their engines.
 */
#ifndef STORAGE_COMCH_LINK_H
#define STORAGE_COMCH_LINK_H

#include "fault.h"

#include <doca_comch.h>
#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>
#include <doca_pe.h>

#include <stdbool.h>

struct comch_link {
	struct doca_comch_consumer *consumer; /* NULL: not made */
	struct doca_comch_producer *producer; /* NULL: not made */
	struct doca_pe *pe;		      /* borrowed */
};

/* Callbacks of one endpoint and what they get as ctx user data. */
struct comch_link_consumer_conf {
	struct doca_mmap *mmap; /* memory that receives go to */
	uint32_t num_tasks;
	doca_comch_consumer_task_post_recv_completion_cb_t received;
	doca_comch_consumer_task_post_recv_completion_cb_t failed;
	void *user_data;
};

struct comch_link_producer_conf {
	uint32_t num_tasks;
	doca_comch_producer_task_send_completion_cb_t sent;
	doca_comch_producer_task_send_completion_cb_t failed;
	void *user_data;
};

doca_error_t comch_link_start_consumer(struct comch_link *link,
				       struct doca_comch_connection *connection,
				       const struct comch_link_consumer_conf *conf,
				       struct fault *fault);

doca_error_t comch_link_start_producer(struct comch_link *link,
				       struct doca_comch_connection *connection,
				       const struct comch_link_producer_conf *conf,
				       struct fault *fault);

/* Whether both are RUNNING. */
bool comch_link_is_running(const struct comch_link *link);

/* Stop and destroy; nothing happens to what was not made. free_tasks(arg) frees the tasks. */
void comch_link_destroy_consumer(struct comch_link *link, void (*free_tasks)(void *arg), void *arg,
				 struct fault *fault);
void comch_link_destroy_producer(struct comch_link *link, void (*free_tasks)(void *arg), void *arg,
				 struct fault *fault);

#endif
