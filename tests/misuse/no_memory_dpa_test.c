/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the heap refuses to the calls of Comch and DPA.
 */
#include <stdlib.h>

#include <doca_dpa_thread.h>

#include "comch/msgq_rig.h"
#include "comch/path.h"
#include "misuse/scarce.h"

static struct rig rig;
static struct pair pair;

KIT_GLOBAL(kernel)
{
	doca_dpa_dev_thread_reschedule();
}

KIT_GLOBAL(nothing)
{
	(void)arg;
}

KIT_RPC(twice)
{
	return 2 * arg;
}

SCARCE_CASE(ends)
{
	struct end *server = &pair.server, *client = &pair.client;
	struct doca_comch_server *new_server;
	struct doca_comch_client *new_client;

	end_create(server, true);
	SCARCE(doca_comch_server_create(server->dev, server->rep, "scarce", &new_server),
	       new_server, T_OK(doca_comch_server_destroy(new_server)));
	end_create(client, false);
	SCARCE(doca_comch_client_create(client->dev, "scarce", &new_client), new_client,
	       T_OK(doca_comch_client_destroy(new_client)));
	end_close(client);
	end_close(server);
}

SCARCE_CASE(fast_path)
{
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
	struct memory memory = {0};

	pair_open(&pair);
	memory_open(&memory, pair.client.dev, 4096, false, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	SCARCE(doca_comch_consumer_create(pair.client.connection, memory.mmap, &consumer), consumer,
	       T_OK(doca_comch_consumer_destroy(consumer)));
	SCARCE(doca_comch_producer_create(pair.client.connection, &producer), producer,
	       T_OK(doca_comch_producer_destroy(producer)));
	memory_close(&memory);
	pair_close(&pair);
}

SCARCE_CASE(message_queues)
{
	struct doca_comch_consumer_completion *completion;
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
	struct doca_comch_msgq *msgq;

	rig_open(&rig, KIT_FUNC(kernel));
	SCARCE(doca_comch_msgq_create(rig.dev, &msgq), msgq, T_OK(doca_comch_msgq_destroy(msgq)));
	SCARCE(doca_comch_msgq_consumer_create(rig.up, &consumer), consumer,
	       T_OK(doca_comch_consumer_destroy(consumer)));
	SCARCE(doca_comch_msgq_producer_create(rig.down, &producer), producer,
	       T_OK(doca_comch_producer_destroy(producer)));
	SCARCE(doca_comch_consumer_completion_create(&completion), completion,
	       T_OK(doca_comch_consumer_completion_destroy(completion)));
	T_OK(doca_comch_consumer_completion_create(&completion));
	T_OK(doca_comch_consumer_completion_set_max_num_consumers(completion, 1));
	T_OK(doca_comch_consumer_completion_set_max_num_recv(completion, 16));
	T_OK(doca_comch_consumer_completion_set_dpa_thread(completion, rig.thread));
	SCARCE_STEP(doca_comch_consumer_completion_start(completion),
		    T_OK(doca_comch_consumer_completion_stop(completion)));
	T_OK(doca_comch_consumer_completion_destroy(completion));
	rig_close(&rig);
}

SCARCE_CASE(contexts)
{
	struct doca_dev *dev = kit_open(KIT_DPU);
	struct doca_dpa *dpa;

	SCARCE(doca_dpa_create(dev, &dpa), dpa, T_OK(doca_dpa_destroy(dpa)));
	T_OK(doca_dpa_create(dev, &dpa));
	T_OK(doca_dpa_set_app(dpa, kit_app()));
	SCARCE_STEP(doca_dpa_start(dpa), T_OK(doca_dpa_stop(dpa)));
	T_OK(doca_dpa_destroy(dpa));
	T_OK(doca_dev_close(dev));
}

SCARCE_CASE(calls)
{
	struct doca_dpa *dpa = kit_dpa(KIT_DPU);
	doca_dpa_dev_uintptr_t address;
	uint64_t result;

	SCARCE_STEP(doca_dpa_mem_alloc(dpa, 64, &address), T_OK(doca_dpa_mem_free(dpa, address)));
	SCARCE(doca_dpa_rpc(dpa, KIT_FUNC(twice), &result, (uint64_t)21), result, T_EQ(result, 42));
	SCARCE_STEP(doca_dpa_kernel_launch_update_set(dpa, NULL, 0, NULL, 0, 1, KIT_FUNC(nothing),
						      (uint64_t)0),
		    (void)0);
	kit_dpa_end(dpa);
}

SCARCE_CASE(threads)
{
	struct doca_dpa *dpa = kit_dpa(KIT_DPU);
	struct doca_dpa_notification_completion *notification;
	struct doca_dpa_completion *completion;
	struct doca_dpa_eu_affinity *affinity;
	struct doca_dpa_hash_table *table;
	struct doca_dpa_async_ops *async;
	struct doca_dpa_thread *thread;
	struct doca_dpa_tg *group;

	SCARCE(doca_dpa_thread_create(dpa, &thread), thread, T_OK(doca_dpa_thread_destroy(thread)));
	T_OK(doca_dpa_thread_create(dpa, &thread));
	T_OK(doca_dpa_thread_set_func_arg(thread, KIT_FUNC(kernel), 0));
	SCARCE_STEP(doca_dpa_thread_start(thread), T_OK(doca_dpa_thread_stop(thread)));
	SCARCE(doca_dpa_thread_group_create(dpa, 4, &group), group,
	       T_OK(doca_dpa_thread_group_destroy(group)));
	SCARCE(doca_dpa_completion_create(dpa, 16, &completion), completion,
	       T_OK(doca_dpa_completion_destroy(completion)));
	SCARCE(doca_dpa_notification_completion_create(dpa, thread, &notification), notification,
	       T_OK(doca_dpa_notification_completion_destroy(notification)));
	SCARCE(doca_dpa_async_ops_create(dpa, 16, 0, &async), async,
	       T_OK(doca_dpa_async_ops_destroy(async)));
	SCARCE(doca_dpa_eu_affinity_create(dpa, &affinity), affinity,
	       T_OK(doca_dpa_eu_affinity_destroy(affinity)));
	SCARCE(doca_dpa_hash_table_create(dpa, 16, &table), table,
	       T_OK(doca_dpa_hash_table_destroy(table)));
	T_OK(doca_dpa_thread_destroy(thread));
	kit_dpa_end(dpa);
}
