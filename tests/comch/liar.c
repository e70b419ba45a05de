/* SPDX-License-Identifier: BSD-3-Clause */
#include "comch/liar.h"

#include <sys/wait.h>

struct path path;

/* The liar's end of the connection, from inside. */
struct doca_comch_connection *inside(void)
{
	return client->connection;
}

uint32_t random_word(void)
{
	static uint64_t state = 88172645463325252ull;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 16);
}

void scribble(void *at, size_t size)
{
	volatile uint8_t *bytes = at;

	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)random_word();
}

/* A server that is not there yet, or has just refused, is asked again. */
void liar_connect(void)
{
	end_create(client, false);
	T_EVENTUALLY((end_state(client) == DOCA_CTX_STATE_IDLE ? end_start(client) : (void)0,
		      doca_pe_progress(client->pe), end_state(client) == DOCA_CTX_STATE_RUNNING),
		     10000);
}

void serve_until_exit(pid_t pid)
{
	int status = -1;

	T_EVENTUALLY((doca_pe_progress(server->pe), waitpid(pid, &status, WNOHANG) == pid), 25000);
	T_EQ(status, 0);
	END_UNTIL(server, server->connects == server->disconnects);
	/* Whatever it did has an end. */
	end_drain(server);
}

void serve_honestly(void)
{
	server->on_connect = NULL;
	server->received = 0;
	end_create(client, false);
	end_start(client);
	PATH_UNTIL(&path, end_state(client) == DOCA_CTX_STATE_RUNNING);
	end_send(client, "honest", 6);
	PATH_UNTIL(&path, server->received == 1 && client->sent == 1);
	path_close(&path);
}
