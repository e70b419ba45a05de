/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What both sides know: integers of fixed size only, so that it is laid out alike on both.
 */
#ifndef COMCH_MSGQ_PING_PONG_H_
#define COMCH_MSGQ_PING_PONG_H_

#include <stdint.h>

#include <doca_dpa_dev_handles.h>

#define PING_PONG_DEPTH 8 /* messages in flight in each direction, at most */

/* A message: immediate data, at most 32 bytes. */
struct ping_pong_ball {
	uint64_t round; /* counted by the host */
	uint64_t hits;	/* one more each time that a side has had it */
};

/* All that the DPA's thread works with. The host fills it in; it lies in device memory. */
struct ping_pong_table {
	doca_dpa_dev_comch_consumer_t consumer;
	doca_dpa_dev_comch_consumer_completion_t consumer_comp;
	doca_dpa_dev_comch_producer_t producer;
	uint32_t host_consumer_id; /* whom to send to */
	uint32_t num_activations;  /* how many times the thread ran */
};

#endif /* COMCH_MSGQ_PING_PONG_H_ */
