/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The way that the public samples take: an event's export goes over Comch in one message of at most
 * 1024 bytes, from host to DPU or back, and both sides signal each other through the event.
 */
#include <doca_sync_event.h>

#include "comch/pair.h"

#define MESSAGE_MAX 1024
#define WHOLE UINT64_MAX

static struct doca_sync_event *export(struct end *from, const struct end *to)
{
	struct doca_sync_event *event;
	const uint8_t *data;
	size_t sz;

	T_OK(doca_sync_event_cap_is_export_to_remote_pci_supported(doca_dev_as_devinfo(from->dev)));
	T_OK(doca_sync_event_cap_is_create_from_export_supported(doca_dev_as_devinfo(to->dev)));
	T_OK(doca_sync_event_create(&event));
	T_OK(doca_sync_event_add_publisher_location_remote_pci(event));
	T_OK(doca_sync_event_add_subscriber_location_cpu(event, from->dev));
	T_OK(doca_sync_event_start(event));
	T_OK(doca_sync_event_export_to_remote_pci(event, from->dev, &data, &sz));
	T_CHECK(sz <= MESSAGE_MAX);
	end_send(from, data, (uint32_t)sz);
	return event;
}

static void finish(struct doca_sync_event *event)
{
	T_OK(doca_sync_event_stop(event));
	T_OK(doca_sync_event_destroy(event));
}

static void signal_each_other(struct pair *pair, struct end *from, struct end *to)
{
	struct doca_sync_event *event = export(from, to), *imported;

	PAIR_UNTIL(pair, to->received == 1);
	T_OK(doca_sync_event_create_from_export(to->dev, to->message, to->message_len, &imported));
	T_OK(doca_sync_event_start(imported));
	T_OK(doca_sync_event_update_set(event, 1));
	T_OK(doca_sync_event_wait_eq_yield(imported, 1, WHOLE));
	T_OK(doca_sync_event_update_set(imported, 2));
	T_OK(doca_sync_event_wait_gt(event, 1, WHOLE));
	finish(imported);
	finish(event);
}

T_CASE(an_export_fits_a_message_of_the_samples)
{
	static struct pair pair;

	pair_open(&pair);
	signal_each_other(&pair, &pair.client, &pair.server);
	signal_each_other(&pair, &pair.server, &pair.client);
	pair_close(&pair);
}
