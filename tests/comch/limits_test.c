/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A topology whose limits are tiny: what a program sees when it comes to the end of something, and
 * that it goes on when there is room again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "comch/path.h"

static struct path path;
static struct end *const server = &path.pair.server;
static struct end *const client = &path.pair.client;

/* Before the first use of the library. */
static void limit(const char *limits)
{
	char name[] = "/tmp/limits_test.XXXXXX";
	int fd = mkstemp(name);

	T_CHECK(fd >= 0);
	T_CHECK(dprintf(fd, "{\"limits\": {%s}}", limits) > 0);
	close(fd);
	setenv("SOFTDPU_TOPOLOGY", name, 1);
	end_open_dev(client, false);
	unlink(name);
}

T_CASE(one_client_more_than_the_server_can_hold)
{
	static struct end second, third;

	limit("\"comch_max_clients\": 2");
	pair_open(&path.pair);
	end_create(&second, false);
	end_start(&second);
	T_EVENTUALLY((doca_pe_progress(second.pe), path_turn(&path),
		      end_state(&second) == DOCA_CTX_STATE_RUNNING),
		     10000);
	end_create(&third, false);
	end_start(&third);
	T_EVENTUALLY((doca_pe_progress(third.pe), path_turn(&path),
		      end_state(&third) == DOCA_CTX_STATE_IDLE),
		     10000);
	T_EQ(third.num_states, 3);
	T_EQ(server->connects, 2);
	end_close(&second);
	PATH_UNTIL(&path, server->disconnects == 1);
	end_start(&third);
	T_EVENTUALLY((doca_pe_progress(third.pe), path_turn(&path),
		      end_state(&third) == DOCA_CTX_STATE_RUNNING),
		     10000);
	end_close(&third);
	path_close(&path);
}

T_CASE(messages_and_tasks_up_to_the_limit)
{
	limit("\"comch_max_msg_size\": 10, \"comch_max_send_tasks\": 2");
	server->num_tasks = 2;
	client->num_tasks = 2;
	pair_open(&path.pair);
	T_ERR(end_try_send(client, client->connection, "12345678901", 11),
	      DOCA_ERROR_INVALID_VALUE);
	for (int i = 0; i < 2; i++)
		T_OK(end_try_send(client, client->connection, "1234567890", 10));
	T_ERR(end_try_send(client, client->connection, "1", 1), DOCA_ERROR_NO_MEMORY);
	PATH_UNTIL(&path, client->sent == 2);
	T_OK(end_try_send(client, client->connection, "1", 1));
	PATH_UNTIL(&path, server->received == 3);
	path_close(&path);
}

T_CASE(one_consumer_one_producer_one_task)
{
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
	struct memory memory = {0};

	limit("\"comch_max_consumers\": 1, \"comch_max_producers\": 1, \"comch_max_fast_tasks\": 1,"
	      "\"comch_max_imm_len\": 0");
	path_open(&path, 1, 64, false);
	memory_open(&memory, server->dev, 64, false, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	T_ERR(doca_comch_consumer_create(server->connection, memory.mmap, &consumer),
	      DOCA_ERROR_NO_MEMORY);
	T_ERR(doca_comch_producer_create(client->connection, &producer), DOCA_ERROR_NO_MEMORY);
	memory_close(&memory);
	for (uint32_t i = 1; i <= 100; i++) {
		receiver_post(&path.receiver, 0);
		T_ERR(sender_try(&path.sender, path.receiver.id, 0, 64, "x", 1),
		      DOCA_ERROR_INVALID_VALUE);
		T_OK(sender_try(&path.sender, path.receiver.id, 0, 64, NULL, 0));
		T_ERR(sender_try(&path.sender, path.receiver.id, 0, 64, NULL, 0),
		      DOCA_ERROR_NO_MEMORY);
		PATH_UNTIL(&path, path.receiver.got == i && path.sender.done == i);
	}
	path_close(&path);
}

/* The only one that there may be comes and goes; the producer meets each anew. */
T_CASE(one_consumer_after_the_other)
{
	limit("\"comch_max_consumers\": 1");
	path_open(&path, 4, 64, false);
	for (uint32_t i = 1; i <= 50; i++) {
		receiver_post(&path.receiver, 0);
		T_OK(sender_try(&path.sender, path.receiver.id, 0, 64, NULL, 0));
		PATH_UNTIL(&path, path.receiver.got == 1 && path.sender.done == i);
		receiver_close(&path.receiver, path_turn, &path);
		PATH_UNTIL(&path, client->expired == i);
		client->num_ids = 0;
		receiver_create(&path.receiver, server, server->pe, 4, 64, false);
		T_EQ(path.receiver.id, i + 1);
		receiver_start(&path.receiver, path_turn, &path);
		PATH_UNTIL(&path, client->num_ids == 1);
	}
	path_close(&path);
}
