/* SPDX-License-Identifier: BSD-3-Clause
 *
 * In the fork of a process that has devices open, every call is refused.
 */
#include <doca_buf_array.h>
#include <doca_buf_inventory.h>
#include <doca_graph.h>
#include <doca_mmap_advise.h>
#include <doca_sync_event.h>

#include "comch/path.h"
#include "misuse/misuse.h"

#define CHILD(call) MISUSE(BAD_STATE, call, "was forked", "open devices after fork()", "exec")

static uint8_t memory[64];
static struct path path;
static struct pair *const pair = &path.pair;
static struct doca_mmap *mmap_, *out_mmap;
static struct doca_sync_event *event, *out_event;

static void core_calls(void)
{
	struct doca_devinfo **list;
	struct doca_buf_arr *array;
	struct doca_graph *graph;
	struct doca_dev *dev;
	struct doca_pe *pe;
	const void *desc;
	uint32_t num;
	size_t len;

	CHILD(doca_pe_create(&pe));
	CHILD(doca_pe_destroy(pair->server.pe));
	CHILD(doca_pe_request_notification(pair->server.pe));
	CHILD(doca_pe_clear_notification(pair->server.pe, -1));
	CHILD(doca_ctx_start(pair->server.ctx));
	CHILD(doca_ctx_stop(pair->server.ctx));
	CHILD(doca_devinfo_create_list(&list, &num));
	CHILD(doca_dev_open(doca_dev_as_devinfo(pair->server.dev), &dev));
	CHILD(doca_dev_close(pair->server.dev));
	CHILD(doca_dev_rep_close(pair->server.rep));
	CHILD(doca_mmap_create(&out_mmap));
	CHILD(doca_mmap_start(mmap_));
	CHILD(doca_mmap_stop(mmap_));
	CHILD(doca_mmap_destroy(mmap_));
	CHILD(doca_mmap_set_permissions(mmap_, 0));
	CHILD(doca_mmap_set_memrange(mmap_, memory, 8));
	CHILD(doca_mmap_add_dev(mmap_, pair->server.dev));
	CHILD(doca_mmap_rm_dev(mmap_, pair->server.dev));
	CHILD(doca_mmap_export_pci(mmap_, pair->server.dev, &desc, &len));
	CHILD(doca_mmap_export_rdma(mmap_, pair->server.dev, &desc, &len));
	CHILD(doca_mmap_create_from_export(NULL, memory, 8, pair->server.dev, &out_mmap));
	CHILD(doca_buf_arr_create(1, &array));
	CHILD(doca_graph_create(pair->server.pe, &graph));
	CHILD(doca_sync_event_create(&out_event));
	CHILD(doca_sync_event_start(event));
	CHILD(doca_sync_event_stop(event));
	CHILD(doca_sync_event_destroy(event));
	CHILD(doca_sync_event_update_set(event, 1));
}

static void comch_calls(void)
{
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
	struct doca_comch_server *server;
	struct doca_comch_client *client;

	CHILD(doca_comch_server_create(pair->server.dev, pair->server.rep, "x", &server));
	CHILD(doca_comch_server_destroy(pair->server.server));
	CHILD(doca_comch_server_disconnect(pair->server.server, pair->server.connection));
	CHILD(doca_comch_client_create(pair->client.dev, "x", &client));
	CHILD(doca_comch_client_destroy(pair->client.client));
	CHILD(doca_comch_consumer_create(pair->server.connection, mmap_, &consumer));
	CHILD(doca_comch_consumer_destroy(path.receiver.consumer));
	CHILD(doca_comch_producer_create(pair->client.connection, &producer));
	CHILD(doca_comch_producer_destroy(path.sender.producer));
}

static void all_calls(void)
{
	core_calls();
	comch_calls();
	misuse_end();
}

T_CASE_TIMEOUT(calls_of_a_child, 60)
{
	path_open(&path, 2, 64, false);
	T_OK(doca_mmap_create(&mmap_));
	T_OK(doca_sync_event_create(&event));
	misuse_begin();
	kit_in_child(all_calls);
	T_OK(doca_sync_event_destroy(event));
	T_OK(doca_mmap_destroy(mmap_));
	path_close(&path);
}
