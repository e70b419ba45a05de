/* SPDX-License-Identifier: BSD-3-Clause
 *
 * References of a producer to consumers of the peer; contract in producer.h.
 */
#include "base/log.h"
#include "comch/producer.h"

/* Once: programs try again and again. */
static void producer_tell_refusal(struct doca_comch_producer *producer, uint32_t id)
{
	if (producer->refused == id)
		return;
	producer->refused = id;
	sdpu_log_err("doca_comch_producer: a second producer for consumer %u needs the system call "
		     "membarrier, which fails: allow it, or use one producer",
		     id);
}

/* First use of this consumer by this producer: the only place on the way of a send that takes a
 * lock. */
static struct comch_remote *producer_meet(struct doca_comch_producer *producer, uint32_t id)
{
	struct comch_remote *remote;

	if (producer->num_used == producer->max_used)
		return NULL;
	remote = comch_remote_find(producer->connection, id);
	if (remote == NULL)
		return NULL;
	if (!sdpu_bias_join(&remote->bias, producer)) {
		producer_tell_refusal(producer, id);
		comch_remote_release(remote);
		return NULL;
	}
	producer->used[producer->num_used++] = remote;
	return remote;
}

static struct comch_remote *producer_known(struct doca_comch_producer *producer, uint32_t id)
{
	for (uint32_t i = 0; i < producer->num_used; i++) {
		if (producer->used[i]->id == id)
			return producer->used[i];
	}
	return NULL;
}

void comch_producer_sweep(struct doca_comch_producer *producer, bool all)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < producer->num_used; i++) {
		struct comch_remote *remote = producer->used[i];

		if (!all && sdpu_load_acquire(&remote->expired) == 0) {
			producer->used[kept++] = remote;
			continue;
		}
		sdpu_bias_leave(&remote->bias, producer);
		comch_remote_release(remote);
	}
	producer->num_used = kept;
	producer->last = NULL;
}

struct comch_remote *comch_producer_remote(struct doca_comch_producer *producer, uint32_t id)
{
	uint32_t changed = sdpu_load_acquire(&producer->connection->remotes_changed);
	struct comch_remote *remote = producer->last;

	if (sdpu_unlikely(changed != producer->remotes_seen)) {
		/* Moves in progress hold on to theirs; they end soon, because an expired one
		 * refuses. */
		if (producer->moving.first == NULL) {
			comch_producer_sweep(producer, false);
			producer->remotes_seen = changed;
			remote = NULL;
		}
	}
	if (sdpu_likely(remote != NULL && remote->id == id))
		return remote;
	remote = producer_known(producer, id);
	if (remote == NULL)
		remote = producer_meet(producer, id);
	if (remote != NULL)
		producer->last = remote;
	return remote;
}
