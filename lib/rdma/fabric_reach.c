/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ways to exported memory, by key; contract in fabric_reach.h.
 */
#include "rdma/fabric_reach.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/thread.h"
#include "core/mmap.h"

/* One opening, in its own thread. Owner: the entry; the thread is joined when `done` is seen. */
struct fabric_lookup {
	pthread_t thread;
	struct fabric_proto_port *port;
	struct sdpu_export what;
	struct sdpu_reach *reach;
	doca_error_t result;
	uint32_t done; /* atomic; all above is the entry's when it is set */
};

static void *lookup_main(void *arg)
{
	struct fabric_lookup *lookup = arg;
	struct fabric_proto_port *port = lookup->port;

	pthread_setname_np(pthread_self(), "sdpu-lookup");
	lookup->result = sdpu_reach_import("doca_rdma", lookup->what.owner, lookup->what.key,
					   &lookup->reach);
	/* Release: pairs with the acquire in lookup_is_done(). Whoever sees it joins us before it
	 * frees anything, the port included. */
	sdpu_store_release(&lookup->done, 1);
	port->kick(port);
	return NULL;
}

static bool lookup_is_done(const struct fabric_lookup *lookup)
{
	return sdpu_load_acquire(&lookup->done) != 0;
}

/* NULL: no memory, or no thread. */
static struct fabric_lookup *lookup_start(struct fabric_proto_port *port,
					  const struct sdpu_export *what)
{
	struct fabric_lookup *lookup = calloc(1, sizeof(*lookup));
	int error;

	if (lookup == NULL)
		return NULL;
	lookup->port = port;
	lookup->what = *what;
	error = sdpu_thread_start(&lookup->thread, 0, lookup_main, lookup);
	if (error == 0)
		return lookup;
	sdpu_log_err("doca_rdma: no thread to open exported memory: %s", strerror(error));
	free(lookup);
	return NULL;
}

/* Waits for it, if need be. */
static doca_error_t lookup_end(struct fabric_lookup *lookup, struct sdpu_reach **reach)
{
	doca_error_t result;

	pthread_join(lookup->thread, NULL);
	result = lookup->result;
	*reach = result == DOCA_SUCCESS ? lookup->reach : NULL;
	free(lookup);
	return result;
}

static void reach_free(struct fabric_reach *entry)
{
	sdpu_list_remove(&entry->node);
	sdpu_reach_close(entry->reach);
	free(entry);
}

/* What a requester is told. */
static doca_error_t refusal(doca_error_t result)
{
	switch (result) {
	case DOCA_ERROR_NOT_FOUND:
	case DOCA_ERROR_NOT_PERMITTED:
		return DOCA_ERROR_NOT_PERMITTED;
	case DOCA_ERROR_CONNECTION_RESET:
		return result;
	default:
		return DOCA_ERROR_IO_FAILED;
	}
}

static struct fabric_reach *reach_get(const struct fabric_proto_port *port,
				      const uint8_t key[SDPU_KEY_SIZE])
{
	struct sdpu_list *node;

	sdpu_list_for_each (node, &port->reaches) {
		struct fabric_reach *entry = sdpu_container_of(node, struct fabric_reach, node);

		if (!entry->stale && memcmp(entry->what.key, key, SDPU_KEY_SIZE) == 0)
			return entry;
	}
	return NULL;
}

static doca_error_t reach_make(struct fabric_proto_port *port, const uint8_t key[SDPU_KEY_SIZE])
{
	struct fabric_reach *entry;
	struct sdpu_export what;

	if (!sdpu_export_find(key, &what))
		return DOCA_ERROR_NOT_PERMITTED;
	entry = calloc(1, sizeof(*entry));
	if (entry == NULL)
		return DOCA_ERROR_IO_FAILED;
	entry->what = what;
	entry->lookup = lookup_start(port, &what);
	if (entry->lookup == NULL) {
		free(entry);
		return DOCA_ERROR_IO_FAILED;
	}
	port->looking++;
	sdpu_list_append(&port->reaches, &entry->node);
	return DOCA_ERROR_IN_PROGRESS;
}

/* Exports may have been revoked: keeps open what is still exported, and drops the rest. */
static void reach_sweep(struct fabric_proto_port *port)
{
	uint32_t stops = sdpu_load_acquire(&sdpu_mmap_stops);
	struct sdpu_list *node, *next;
	struct sdpu_export what;

	if (sdpu_likely(stops == port->stops))
		return;
	port->stops = stops;
	sdpu_list_for_each_safe (node, next, &port->reaches) {
		struct fabric_reach *entry = sdpu_container_of(node, struct fabric_reach, node);

		if (entry->lookup != NULL ||
		    (sdpu_export_find(entry->what.key, &what) && sdpu_reach_live(entry->reach)))
			continue;
		entry->stale = true;
		if (entry->users == 0)
			reach_free(entry);
	}
}

doca_error_t fabric_reach_find(struct fabric_proto_port *port, const uint8_t key[SDPU_KEY_SIZE],
			       struct fabric_reach **reach)
{
	struct fabric_reach *entry;
	doca_error_t result;

	reach_sweep(port);
	entry = reach_get(port, key);
	if (sdpu_unlikely(entry == NULL))
		return reach_make(port, key);
	if (sdpu_unlikely(entry->lookup != NULL))
		return DOCA_ERROR_IN_PROGRESS;
	if (sdpu_unlikely(entry->reach == NULL)) {
		/* The next one tries again. */
		result = refusal(entry->result);
		reach_free(entry);
		return result;
	}
	entry->users++;
	*reach = entry;
	return DOCA_SUCCESS;
}

void fabric_reach_drop(struct fabric_reach *entry)
{
	if (entry != NULL && --entry->users == 0 && entry->stale)
		reach_free(entry);
}

bool fabric_reach_drive(struct fabric_proto_port *port)
{
	uint32_t before = port->looking;
	struct sdpu_list *node;

	reach_sweep(port);
	if (sdpu_likely(before == 0))
		return false;
	sdpu_list_for_each (node, &port->reaches) {
		struct fabric_reach *entry = sdpu_container_of(node, struct fabric_reach, node);

		if (entry->lookup == NULL || !lookup_is_done(entry->lookup))
			continue;
		entry->result = lookup_end(entry->lookup, &entry->reach);
		entry->lookup = NULL;
		port->looking--;
	}
	return port->looking != before;
}

void fabric_reach_close_all(struct fabric_proto_port *port)
{
	struct sdpu_list *node;

	while ((node = sdpu_list_pop(&port->reaches)) != NULL) {
		struct fabric_reach *entry = sdpu_container_of(node, struct fabric_reach, node);

		if (entry->lookup != NULL)
			(void)lookup_end(entry->lookup, &entry->reach);
		reach_free(entry);
	}
	port->looking = 0;
}
