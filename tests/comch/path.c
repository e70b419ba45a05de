/* SPDX-License-Identifier: BSD-3-Clause */
#include "comch/path.h"

void path_turn(void *path)
{
	(void)pair_progress(&((struct path *)path)->pair);
}

void path_open(struct path *path, uint32_t num, size_t slot, bool shared)
{
	pair_open(&path->pair);
	receiver_create(&path->receiver, &path->pair.server, path->pair.server.pe, num, slot,
			shared);
	receiver_start(&path->receiver, path_turn, path);
	PATH_UNTIL(path, path->pair.client.num_ids == 1);
	sender_open(&path->sender, &path->pair.client, path->pair.client.pe, num,
		    slot == 0 ? 4096 : num * slot, shared);
}

void path_close(struct path *path)
{
	if (path->sender.producer != NULL)
		sender_close(&path->sender, path_turn, path);
	if (path->receiver.consumer != NULL)
		receiver_close(&path->receiver, path_turn, path);
	/* Of what the test destroyed itself. */
	memory_close(&path->sender.memory);
	memory_close(&path->receiver.memory);
	pair_close(&path->pair);
}
