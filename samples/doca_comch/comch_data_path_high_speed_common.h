/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fast path of Comch: a producer writes straight into a buffer that the peer's consumer has
 * posted.
 *
 * Built on a connected control channel, which both ends use to say that they are done: only then is
 * the fast path taken down, so that neither pulls a buffer from under the other.
 */
#ifndef COMCH_DATA_PATH_HIGH_SPEED_COMMON_H_
#define COMCH_DATA_PATH_HIGH_SPEED_COMMON_H_

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>
#include <doca_mmap.h>

#include "comch_ctrl_path_common.h"

#define DATA_PATH_SERVER_NAME "comch_data_path_high_speed_sample"

struct data_path {
	struct ctrl_path ctrl; /* first, so that both have one address */
	uint8_t *memory;       /* two buffers: one to send from, one to receive into */
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inventory;
	struct doca_buf *send_buf;
	struct doca_buf *recv_buf;
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
	uint32_t peer_consumer; /* where to send to; 0 until the peer has a consumer */
	bool was_sent;
	bool was_received;
	bool is_peer_done;
};

/* To be given when the control channel under a data path is started. */
extern const struct ctrl_path_events data_path_events;

/* Both ends call this once they are connected: sends `text`, logs the peer's, returns when both
 * have both. */
doca_error_t data_path_exchange(struct data_path *path, const char *text);

/* The two samples. */
doca_error_t data_path_server_run(const struct sample_config *config);
doca_error_t data_path_client_run(const struct sample_config *config);

#endif /* COMCH_DATA_PATH_HIGH_SPEED_COMMON_H_ */
