/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Served requests: the owner's agent copies, or does atomics, for an importer that has no way of
 * its own. One window_serve per grant and connection; it belongs to the agent, whose thread runs
 * everything here but the end. It ends with the connection or with the grant; an importer that dies
 * closes the connection.
 *
 * The staging memory and the doorbell are the importer's to fill with anything at any time.
 */
#include <stdlib.h>
#include <sys/epoll.h>

#include "base/atomic.h"
#include "bus/process.h"
#include "bus/window_check.h"
#include "bus/window_parts.h"

struct window_serve {
	struct sdpu_watch watch;
	struct sdpu_grant *grant; /* a reference */
	struct sdpu_segment staging;
	struct stage *stage;
	uint32_t room; /* of a slot; 0: no copies, the stage is its head alone */
	struct window_alias alias;
	uint32_t seen[STAGE_SLOTS]; /* the last request done in each slot */
};

static bool may_copy(const struct sdpu_grant *grant, const struct stage_ask *ask)
{
	return (ask->op == STAGE_PUT ? grant->may_write : grant->may_read) &&
	       sdpu_range_covers(grant->addr, grant->len, ask->addr, ask->len);
}

/* Announces an access: from here on whoever ends the grant waits for us. False: it has ended. */
static bool serve_begin(struct sdpu_grant *grant)
{
	/* Full fence: pairs with the one of mark_dead() in grant.c. */
	sdpu_publish_fenced(&grant->serving, 1);
	return sdpu_load(&grant->live) != 0;
}

static void serve_end(struct sdpu_grant *grant)
{
	/* release: pairs with the acquire in is_quiet() */
	sdpu_store_release(&grant->serving, 0);
}

static doca_error_t serve_atomic(struct sdpu_grant *grant, const struct stage_ask *ask,
				 struct window_alias *alias, uint64_t *result)
{
	struct sdpu_atomic atomic = {
		.kind = (enum sdpu_atomic_kind)(ask->op - STAGE_ATOMIC),
		.addr = ask->addr,
		.operand = ask->operand,
		.compare = ask->compare,
	};
	struct atomic_owner owner = {
		.addr = grant->addr,
		.len = grant->len,
		.kinds = grant->atomics,
		.by_instruction = grant->by_instruction,
		.alias = alias,
		.window = &grant->window,
	};
	doca_error_t status = sdpu_atomic_own(&owner, &atomic);

	*result = atomic.result;
	return status;
}

doca_error_t sdpu_serve_ask(struct sdpu_grant *grant, const struct stage_ask *ask, void *data,
			    uint32_t room, struct window_alias *alias, uint64_t *result)
{
	bool copies = ask->op < STAGE_ATOMIC;
	doca_error_t status = DOCA_ERROR_NOT_PERMITTED;

	if (ask->op > STAGE_ATOMIC + SDPU_ATOMIC_CMP_SWP ||
	    (copies && (ask->len > room || !may_copy(grant, ask))))
		return DOCA_ERROR_NOT_PERMITTED;
	if (serve_begin(grant))
		status = copies ? sdpu_own_copy((enum sdpu_copy_direction)ask->op, ask->addr, data,
						ask->len)
				: serve_atomic(grant, ask, alias, result);
	serve_end(grant);
	return status;
}

/* Each field once: the importer may change it at any time. */
static void take_ask(const struct stage_slot *slot, struct stage_ask *ask)
{
	ask->op = sdpu_load(&slot->ask.op);
	ask->len = sdpu_load(&slot->ask.len);
	ask->addr = sdpu_load(&slot->ask.addr);
	ask->operand = sdpu_load(&slot->ask.operand);
	ask->compare = sdpu_load(&slot->ask.compare);
}

static void serve_slot(struct window_serve *serve, uint32_t i)
{
	struct stage_slot *slot = &serve->stage->slot[i];
	/* acquire: pairs with the release in sdpu_staging_ask() */
	uint32_t request = sdpu_load_acquire(&slot->request);
	struct stage_ask ask;
	uint64_t result = 0;
	doca_error_t status;

	if (request == serve->seen[i])
		return;
	serve->seen[i] = request;
	take_ask(slot, &ask);
	status = sdpu_serve_ask(serve->grant, &ask, serve->stage->data[i], serve->room,
				&serve->alias, &result);
	sdpu_store(&slot->status, (uint32_t)status);
	sdpu_store(&slot->result, result);
	/* release: pairs with the acquire of sdpu_staging_answered() */
	sdpu_store_release(&slot->complete, request);
}

/* True when the caller is to end it; somebody else may have claimed that already. */
static bool claim_end(struct window_serve *serve)
{
	bool mine;

	sdpu_window_lock();
	mine = serve->grant->serve == serve;
	if (mine)
		serve->grant->serve = NULL;
	sdpu_window_unlock();
	return mine;
}

/*
 * One turn. A ring is read before the slots are looked at: so a request that was published before
 * its ring, or before a ring that found the socket full, is seen in this turn or in the next.
 */
static void rung(struct sdpu_watch *watch, uint32_t events)
{
	struct window_serve *serve = sdpu_container_of(watch, struct window_serve, watch);
	struct sdpu_record record;
	doca_error_t result = sdpu_sock_recv(watch->fd, &record);

	if (result == DOCA_SUCCESS)
		sdpu_record_drop(&record);
	if (result == DOCA_SUCCESS || result == DOCA_ERROR_AGAIN) {
		/* Pairs with the fence of sdpu_staging_ask(). */
		sdpu_fence_full();
		for (uint32_t i = 0; i < STAGE_SLOTS; i++)
			serve_slot(serve, i);
		return;
	}
	if (claim_end(serve))
		sdpu_serve_end(serve);
}

static struct window_serve *serve_new(struct sdpu_grant *grant, int sock,
				      struct sdpu_segment *staging)
{
	struct window_serve *serve = calloc(1, sizeof(*serve));

	if (serve == NULL) {
		sdpu_fd_close(sock);
		sdpu_segment_unmap(staging);
		return NULL;
	}
	serve->watch = (struct sdpu_watch){.fd = sock, .ready = rung};
	serve->grant = grant;
	serve->staging = *staging;
	serve->stage = staging->base;
	serve->room = staging->size == sizeof(struct stage) ? STAGE_SLOT_SIZE : 0;
	return serve;
}

doca_error_t sdpu_serve_start(struct sdpu_grant *grant, int sock, struct sdpu_segment *staging)
{
	struct window_serve *serve = serve_new(grant, sock, staging);
	bool taken;
	doca_error_t result;

	if (serve == NULL)
		return DOCA_ERROR_NO_MEMORY;
	sdpu_window_lock();
	grant->refs++;
	/* If the grant is ending, its end has already looked for a serve and would miss this
	 * one. */
	taken = !grant->ending && grant->serve == NULL;
	if (taken)
		grant->serve = serve;
	sdpu_window_unlock();
	result = taken ? sdpu_agent_watch(&serve->watch, EPOLLIN) : DOCA_ERROR_BAD_STATE;
	/* A watch that fails ends it as a hang-up would have. */
	if (!taken || (result != DOCA_SUCCESS && claim_end(serve)))
		sdpu_serve_end(serve);
	return result;
}

void sdpu_serve_end(struct window_serve *serve)
{
	sdpu_agent_unwatch(&serve->watch);
	sdpu_fd_close(serve->watch.fd);
	sdpu_segment_unmap(&serve->staging);
	sdpu_window_unmap(&serve->alias.map);
	sdpu_window_lock();
	sdpu_grant_put(serve->grant);
	sdpu_window_unlock();
	free(serve);
}
