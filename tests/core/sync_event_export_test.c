/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exports of sync events: when there are any, what they say, who takes them, and which are refused.
 */
#include <string.h>

#include "base/bytes.h"
#include "bus/blob_wire.h"
#include "core/event_kit.h"
#include "core/export_table.h"
#include "core/mmap.h"
#include "core/sync_event.h"

#define NET_PERMS                                                                                  \
	(DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC)

static struct doca_dev *host, *dpu;

static void open_devs(void)
{
	host = kit_open(KIT_HOST);
	dpu = kit_open(KIT_DPU);
}

static void close_devs(void)
{
	T_OK(doca_dev_close(host));
	T_OK(doca_dev_close(dpu));
}

static void finish(struct doca_sync_event *event)
{
	T_OK(doca_sync_event_stop(event));
	T_OK(doca_sync_event_destroy(event));
}

static doca_error_t import_net(const struct event_blob *blob,
			       struct doca_sync_event_remote_net **event)
{
	return doca_sync_event_remote_net_create_from_export(dpu, blob->bytes, blob->len, event);
}

static void resum(struct event_blob *blob)
{
	sdpu_put_u32(blob->bytes + BLOB_AT_SUM, sdpu_blob_sum(blob->bytes, blob->len));
}

T_CASE(an_export_needs_its_location_and_a_start)
{
	struct doca_sync_event *local, *pci, *net;
	const uint8_t *data = NULL;
	size_t sz = 77;

	open_devs();
	local = event_make(host);
	pci = event_make_pci(host);
	net = event_make_net(host);
	T_ERR(doca_sync_event_export_to_remote_pci(pci, host, &data, &sz), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_sync_event_export_to_remote_net(net, &data, &sz), DOCA_ERROR_BAD_STATE);
	T_OK(doca_sync_event_start(local));
	T_OK(doca_sync_event_start(pci));
	T_OK(doca_sync_event_start(net));
	T_ERR(doca_sync_event_export_to_remote_pci(local, host, &data, &sz),
	      DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_sync_event_export_to_remote_net(local, &data, &sz), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_sync_event_export_to_remote_pci(net, host, &data, &sz),
	      DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_sync_event_export_to_remote_net(pci, &data, &sz), DOCA_ERROR_NOT_PERMITTED);
	T_CHECK(data == NULL && sz == 77);
	finish(local);
	finish(pci);
	finish(net);
	close_devs();
}

T_CASE(an_export_is_constant_until_stop_and_stays_where_it_is)
{
	struct doca_sync_event *event;
	const uint8_t *pci, *net, *again;
	struct event_blob first;
	size_t sz, again_sz;

	open_devs();
	event = event_make_pci(host);
	T_OK(doca_sync_event_add_publisher_location_remote_net(event));
	T_OK(doca_sync_event_start(event));
	event_export_pci(event, host, &first);
	T_OK(doca_sync_event_export_to_remote_pci(event, host, &pci, &sz));
	T_OK(doca_sync_event_export_to_remote_net(event, &net, &again_sz));
	T_CHECK(pci != net);
	T_OK(doca_sync_event_export_to_remote_pci(event, dpu, &again, &again_sz));
	T_EQ(again, pci);
	T_EQ(again_sz, sz);
	T_OK(doca_sync_event_stop(event));
	T_MEMEQ(pci, first.bytes, sz);
	T_ERR(doca_sync_event_export_to_remote_pci(event, host, &again, &again_sz),
	      DOCA_ERROR_BAD_STATE);
	T_OK(doca_sync_event_start(event));
	T_OK(doca_sync_event_export_to_remote_pci(event, host, &again, &again_sz));
	T_EQ(again, pci);
	T_CHECK(memcmp(pci, first.bytes, sz) != 0);
	finish(event);
	close_devs();
}

T_CASE(an_import_is_used_like_the_event_but_not_configured)
{
	struct doca_sync_event *event, *imported;
	struct event_blob blob = {0};
	const uint8_t *data;
	uint64_t word;
	size_t sz;

	open_devs();
	event = event_make_pci(host);
	T_OK(doca_sync_event_start(event));
	event_export_pci(event, host, &blob);
	/* programs pass buffers of a fixed size */
	blob.len = sizeof(blob.bytes);
	T_OK(event_import(&blob, dpu, &imported));
	T_ERR(doca_sync_event_get(imported, &word), DOCA_ERROR_BAD_STATE);
	T_OK(doca_sync_event_start(imported));
	T_EQ(event_add(event, 2), 0);
	T_EQ(event_add(imported, 3), 2);
	T_EQ(event_get(event), 5);
	T_ERR(doca_sync_event_add_publisher_location_cpu(imported, dpu), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_sync_event_add_publisher_location_remote_pci(imported),
	      DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_sync_event_add_publisher_location_remote_net(imported),
	      DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_sync_event_add_subscriber_location_cpu(imported, dpu), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_sync_event_add_subscriber_location_remote_pci(imported),
	      DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_sync_event_set_addr(imported, &word), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_sync_event_export_to_remote_pci(imported, dpu, &data, &sz),
	      DOCA_ERROR_NOT_PERMITTED);
	T_ERR(doca_sync_event_export_to_remote_net(imported, &data, &sz), DOCA_ERROR_NOT_PERMITTED);
	/* it can be started again, as long as the exporter's is */
	T_OK(doca_sync_event_stop(imported));
	T_OK(doca_sync_event_start(imported));
	T_EQ(event_get(imported), 5);
	T_ERR(doca_dev_close(dpu), DOCA_ERROR_IN_USE);
	finish(event);
	T_ERR(doca_sync_event_get(imported, &word), DOCA_ERROR_NOT_PERMITTED);
	finish(imported);
	close_devs();
}

T_CASE_TIMEOUT(damaged_blobs_are_refused, 120)
{
	struct doca_sync_event *event, *imported = NULL;
	struct event_blob blob, bad;
	doca_error_t result;

	open_devs();
	event = event_make_pci(host);
	T_OK(doca_sync_event_start(event));
	event_export_pci(event, host, &blob);
	for (size_t i = 0; i < blob.len; i++) {
		bad = blob;
		bad.bytes[i] ^= 0xff;
		T_ERR(event_import(&bad, dpu, &imported), DOCA_ERROR_INVALID_VALUE);
		/* and if somebody set the checksum right: what is between the fields is free */
		resum(&bad);
		result = event_import(&bad, dpu, &imported);
		if (result == DOCA_SUCCESS)
			T_OK(doca_sync_event_destroy(imported));
		else
			T_CHECK(result == DOCA_ERROR_INVALID_VALUE || result == DOCA_ERROR_DRIVER);
		imported = NULL;
	}
	for (bad = blob, bad.len = 0; bad.len < blob.len; bad.len++)
		T_ERR(event_import(&bad, dpu, &imported), DOCA_ERROR_INVALID_VALUE);
	T_EQ(imported, 0);
	finish(event);
	close_devs();
}

T_CASE(blobs_that_lie_are_refused)
{
	struct doca_sync_event *event, *imported = NULL;
	struct event_blob blob, bad;

	open_devs();
	event = event_make_pci(host);
	T_OK(doca_sync_event_start(event));
	event_export_pci(event, host, &blob);
	bad = blob;
	sdpu_put_u64(bad.bytes + BLOB_AT_SIZE, 16);
	resum(&bad);
	kit_log();
	T_ERR(event_import(&bad, dpu, &imported), DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(kit_log(), "needed: 8 at a multiple of 8");
	bad = blob;
	sdpu_put_u64(bad.bytes + BLOB_AT_ADDR, sdpu_get_u64(blob.bytes + BLOB_AT_ADDR) + 4);
	resum(&bad);
	T_ERR(event_import(&bad, dpu, &imported), DOCA_ERROR_INVALID_VALUE);
	bad = blob;
	sdpu_put_u64(bad.bytes + BLOB_AT_ADDR, sdpu_get_u64(blob.bytes + BLOB_AT_ADDR) + 8);
	resum(&bad);
	kit_log();
	T_ERR(event_import(&bad, dpu, &imported), DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(kit_log(), "another range");
	bad = blob;
	bad.bytes[BLOB_AT_KEY] ^= 1;
	resum(&bad);
	T_ERR(event_import(&bad, dpu, &imported), DOCA_ERROR_INVALID_VALUE);
	bad = blob;
	bad.bytes[BLOB_AT_MACHINE_ID] ^= 1;
	resum(&bad);
	kit_log();
	T_ERR(event_import(&bad, dpu, &imported), DOCA_ERROR_DRIVER);
	T_CONTAINS(kit_log(), "another machine");
	T_OK(doca_sync_event_stop(event));
	T_ERR(event_import(&blob, dpu, &imported), DOCA_ERROR_INVALID_VALUE);
	T_EQ(imported, 0);
	T_OK(doca_sync_event_destroy(event));
	close_devs();
}

T_CASE(each_sort_of_export_is_for_its_own_call)
{
	static _Alignas(8) uint64_t word;
	struct doca_sync_event *event, *imported = NULL;
	struct doca_sync_event_remote_net *remote = NULL;
	struct event_blob pci, net, mmap_blob;
	struct doca_mmap *mmap, *copy = NULL;
	const void *desc;

	open_devs();
	event = event_make_pci(host);
	T_OK(doca_sync_event_add_publisher_location_remote_net(event));
	T_OK(doca_sync_event_start(event));
	event_export_pci(event, host, &pci);
	event_export_net(event, &net);
	mmap = kit_mmap(host, &word, 8, NET_PERMS | DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	T_OK(doca_mmap_export_pci(mmap, host, &desc, &mmap_blob.len));
	memcpy(mmap_blob.bytes, desc, mmap_blob.len);
	T_ERR(event_import(&net, dpu, &imported), DOCA_ERROR_INVALID_VALUE);
	T_ERR(event_import(&mmap_blob, dpu, &imported), DOCA_ERROR_INVALID_VALUE);
	T_ERR(import_net(&pci, &remote), DOCA_ERROR_INVALID_VALUE);
	T_ERR(import_net(&mmap_blob, &remote), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_create_from_export(NULL, pci.bytes, pci.len, dpu, &copy),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_mmap_create_from_export(NULL, net.bytes, net.len, dpu, &copy),
	      DOCA_ERROR_INVALID_VALUE);
	T_CHECK(imported == NULL && remote == NULL && copy == NULL);
	T_OK(doca_mmap_destroy(mmap));
	finish(event);
	close_devs();
}

static uint64_t remote_add(const struct doca_sync_event_remote_net *remote, uint64_t value)
{
	struct sdpu_atomic op = {
		.reach = sdpu_remote_net_reach(remote),
		.kind = SDPU_ATOMIC_FETCH_ADD,
		.need = DOCA_ACCESS_FLAG_RDMA_ATOMIC,
		.addr = sdpu_remote_net_source(remote)->addr,
		.operand = value,
	};
	uint64_t deadline = t_deadline(10000);
	doca_error_t result;

	while ((result = sdpu_atomic_run(&op)) == DOCA_ERROR_IN_PROGRESS)
		if (t_expired(deadline))
			T_FAIL("an atomic does not end");
	T_OK(result);
	return op.result;
}

T_CASE(a_target_of_rdma_on_this_machine_has_a_reach)
{
	struct doca_sync_event_remote_net *remote;
	struct doca_sync_event *event;
	struct event_blob blob;

	open_devs();
	event = event_make_net(host);
	T_OK(doca_sync_event_start(event));
	event_export_net(event, &blob);
	T_OK(import_net(&blob, &remote));
	T_EQ(sdpu_reach_perms(sdpu_remote_net_reach(remote)), NET_PERMS);
	T_EQ(remote_add(remote, 4), 0);
	T_EQ(remote_add(remote, 5), 4);
	T_EQ(event_get(event), 9);
	T_ERR(doca_dev_close(dpu), DOCA_ERROR_IN_USE);
	finish(event);
	T_CHECK(!sdpu_reach_live(sdpu_remote_net_reach(remote)));
	T_OK(doca_sync_event_remote_net_destroy(remote));
	T_ERR(import_net(&blob, &remote), DOCA_ERROR_INVALID_VALUE);
	close_devs();
}

T_CASE(a_target_of_rdma_on_another_machine_is_foreign)
{
	struct doca_sync_event_remote_net *remote;
	struct doca_sync_event *event;
	const struct sdpu_blob *source;
	struct event_blob blob;
	struct sdpu_blob said;

	open_devs();
	event = event_make_net(host);
	T_OK(doca_sync_event_start(event));
	event_export_net(event, &blob);
	finish(event);
	blob.bytes[BLOB_AT_MACHINE_ID] ^= 1;
	resum(&blob);
	T_OK(sdpu_blob_decode("test", blob.bytes, blob.len, SDPU_BLOB_IS(SDPU_BLOB_EVENT_NET),
			      &said));
	T_OK(import_net(&blob, &remote));
	T_EQ(sdpu_remote_net_reach(remote), 0);
	source = sdpu_remote_net_source(remote);
	T_MEMEQ(source->key, said.key, SDPU_KEY_SIZE);
	T_STREQ(source->owner, said.owner);
	T_EQ(source->addr, said.addr);
	T_EQ(source->len, 8);
	T_EQ(source->perms, NET_PERMS);
	T_OK(doca_sync_event_remote_net_destroy(remote));
	close_devs();
}

T_CASE(a_net_export_is_found_by_its_key_until_stop)
{
	struct doca_sync_event *event;
	struct sdpu_export found;
	struct event_blob blob;
	struct sdpu_blob said;
	uint32_t stops;

	open_devs();
	event = event_make_net(host);
	T_OK(doca_sync_event_start(event));
	event_export_net(event, &blob);
	event_export_net(event, &blob);
	T_OK(sdpu_blob_decode("test", blob.bytes, blob.len, SDPU_BLOB_IS(SDPU_BLOB_EVENT_NET),
			      &said));
	T_CHECK(sdpu_export_find(said.key, &found));
	T_EQ(found.addr, said.addr);
	T_EQ(found.len, 8);
	T_EQ(found.perms, NET_PERMS);
	T_STREQ(found.owner, said.owner);
	stops = sdpu_mmap_stops;
	T_OK(doca_sync_event_stop(event));
	T_CHECK(!sdpu_export_find(said.key, &found));
	T_EQ(sdpu_mmap_stops, stops + 1);
	T_OK(doca_sync_event_destroy(event));
	close_devs();
}
