/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reaches: opening, choosing a kind, closing; life in window.h. The agent's thread only sets `gone`
 * of a reach, and not after sdpu_reach_close() has removed its watches.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "bus/atomic_op.h"
#include "bus/process.h"
#include "bus/reach_parts.h"
#include "bus/window_check.h"

#define FORCE "SOFTDPU_WINDOW"

/* Best first. */
static const struct reach_kind *const kinds[] = {
	&sdpu_reach_mapped,
	&sdpu_reach_cross,
	&sdpu_reach_handed,
	&sdpu_reach_served,
};

/* Reads SOFTDPU_WINDOW; NULL in *kind: not set. */
static doca_error_t find_forced(const struct reach_kind **kind)
{
	const char *name = getenv(FORCE);

	*kind = NULL;
	if (name == NULL || name[0] == '\0')
		return DOCA_SUCCESS;
	for (size_t i = 0; i < SDPU_ARRAY_SIZE(kinds); i++)
		if (strcmp(name, kinds[i]->name) == 0)
			*kind = kinds[i];
	if (*kind != NULL)
		return DOCA_SUCCESS;
	sdpu_log_err("%s=%s: needs mapped, cross, handed or served, or to be unset", FORCE, name);
	return DOCA_ERROR_BAD_CONFIG;
}

/* NULL, or why not. */
static const char *try_kind(struct sdpu_reach *reach, struct reach_offer *offer,
			    const struct reach_kind *kind)
{
	const char *why = "the owner does not offer it";

	if ((offer->msg.kinds & (1u << kind->kind)) != 0)
		why = kind->open(reach, offer);
	if (why == NULL)
		reach->how = kind;
	else
		sdpu_log_dbg("window of pid %d cannot be %s: %s", (int)reach->peer, kind->name,
			     why);
	return why;
}

static doca_error_t choose_forced(struct sdpu_reach *reach, struct reach_offer *offer,
				  const struct reach_kind *forced)
{
	const char *why = try_kind(reach, offer, forced);

	if (why == NULL)
		return DOCA_SUCCESS;
	sdpu_log_err("%s=%s: memory of pid %d cannot be reached this way: %s; unset it, or take "
		     "another kind",
		     FORCE, forced->name, (int)reach->peer, why);
	return DOCA_ERROR_NOT_SUPPORTED;
}

static doca_error_t choose_kind(struct sdpu_reach *reach, struct reach_offer *offer)
{
	const struct reach_kind *forced;
	const char *why = NULL;
	doca_error_t result = find_forced(&forced);

	if (result != DOCA_SUCCESS)
		return result;
	/* Most memory cannot be mapped by others: a program for which mapped is forced must work
	 * all the same. */
	if (forced != NULL && forced != &sdpu_reach_mapped)
		return choose_forced(reach, offer, forced);
	for (size_t i = 0; i < SDPU_ARRAY_SIZE(kinds); i++) {
		why = try_kind(reach, offer, kinds[i]);
		if (why == NULL)
			return DOCA_SUCCESS;
	}
	sdpu_log_err("memory of pid %d cannot be reached in any way; the last, %s: %s",
		     (int)reach->peer, kinds[SDPU_ARRAY_SIZE(kinds) - 1]->name, why);
	return DOCA_ERROR_NOT_SUPPORTED;
}

static void owner_died(struct sdpu_death_watch *watch)
{
	sdpu_reach_lose(sdpu_container_of(watch, struct sdpu_reach, death_watch));
}

static void conn_closed(struct sdpu_watch *watch, uint32_t events)
{
	sdpu_reach_lose(sdpu_container_of(watch, struct sdpu_reach, conn));
}

static void unhook(struct sdpu_reach *reach)
{
	sdpu_agent_unwatch_death(&reach->death_watch);
	sdpu_agent_unwatch(&reach->conn);
}

static doca_error_t hook(struct sdpu_reach *reach)
{
	doca_error_t result = sdpu_agent_watch_death(&reach->death_watch, reach->peer);

	if (result != DOCA_SUCCESS || reach->conn.fd < 0)
		return result;
	result = sdpu_agent_watch(&reach->conn, 0);
	if (result != DOCA_SUCCESS)
		sdpu_agent_unwatch_death(&reach->death_watch);
	return result;
}

static void take_offer(const struct sdpu_grant_msg *msg, const int *fds, struct reach_offer *offer)
{
	uint32_t next = 0;

	offer->msg = *msg;
	offer->page_fd = fds[next++];
	offer->file_fd = (msg->kinds & (1u << SDPU_WINDOW_MAPPED)) != 0 ? fds[next++] : -1;
	offer->mem_fd = (msg->kinds & (1u << SDPU_WINDOW_HANDED)) != 0 ? fds[next++] : -1;
}

static void drop_offer(struct reach_offer *offer)
{
	sdpu_fd_close(offer->file_fd);
	sdpu_fd_close(offer->mem_fd);
}

static struct sdpu_reach *reach_new(const struct sdpu_grant_msg *msg, pid_t peer, int conn)
{
	struct sdpu_reach *reach = calloc(1, sizeof(*reach));

	if (reach == NULL)
		return NULL;
	reach->addr = msg->addr;
	reach->len = msg->len;
	reach->perms = msg->perms;
	reach->may_write = sdpu_perms_writable(msg->perms);
	reach->atomics = sdpu_perms_atomics(msg->perms, conn >= 0);
	memcpy(reach->key, msg->key, SDPU_KEY_SIZE);
	memcpy(reach->endpoint, msg->endpoint, SDPU_ENDPOINT_MAX);
	reach->peer = peer;
	reach->death_watch.dead = owner_died;
	reach->conn = (struct sdpu_watch){.fd = conn, .ready = conn_closed};
	reach->mem_fd = -1;
	reach->staging.sock = -1;
	return reach;
}

static void reach_show(const struct sdpu_stats *stats, struct softdpu_object *row)
{
	const struct sdpu_reach *reach = sdpu_container_of(stats, struct sdpu_reach, stats);

	row->state = sdpu_reach_live(reach) ? SOFTDPU_STATE_RUNNING : SOFTDPU_STATE_ENDED;
	row->peer = reach->peer;
	row->address = reach->addr;
	row->size = reach->len;
	row->permissions = reach->perms;
	snprintf(row->how, sizeof(row->how), "%s", reach->how->name);
}

/* Of a checked message. Takes the page over; what else a kind keeps is -1 in the offer afterwards.
 */
static doca_error_t open_offer(struct reach_offer *offer, pid_t peer, int conn,
			       struct sdpu_reach **made)
{
	struct sdpu_reach *reach = reach_new(&offer->msg, peer, conn);
	doca_error_t result;

	if (reach == NULL) {
		sdpu_fd_close(offer->page_fd);
		return DOCA_ERROR_NO_MEMORY;
	}
	result = sdpu_segment_map(offer->page_fd, GRANT_PAGE_SIZE, 0, SDPU_SEGMENT_WRITE,
				  GRANT_PAGE_SIZE, &reach->segment);
	if (result != DOCA_SUCCESS)
		goto err_reach;
	reach->page = reach->segment.base;
	result = hook(reach);
	if (result != DOCA_SUCCESS)
		goto err_segment;
	result = sdpu_reach_fault(reach);
	if (result == DOCA_SUCCESS)
		result = choose_kind(reach, offer);
	if (result != DOCA_SUCCESS)
		goto err_hook;
	if (reach->map.base != NULL && reach->may_write && reach->len >= ATOMIC_SIZE)
		reach->instant = reach->atomics;
	sdpu_stats_register(&reach->stats, SOFTDPU_OBJECT_REACH, reach_show);
	*made = reach;
	return DOCA_SUCCESS;

err_hook:
	unhook(reach);
err_segment:
	sdpu_segment_unmap(&reach->segment);
err_reach:
	free(reach);
	return result;
}

doca_error_t sdpu_reach_open_conn(const struct sdpu_grant_msg *msg, const int *fds,
				  uint32_t num_fds, pid_t peer, int conn, struct sdpu_reach **reach)
{
	const char *fault = sdpu_grant_msg_fault(msg, num_fds);
	struct reach_offer offer;
	doca_error_t result;

	if (fault != NULL) {
		sdpu_log_err("memory window offered by pid %d refused: %s", (int)peer, fault);
		for (uint32_t i = 0; i < num_fds; i++)
			sdpu_fd_close(fds[i]);
		sdpu_fd_close(conn);
		return DOCA_ERROR_INVALID_VALUE;
	}
	take_offer(msg, fds, &offer);
	result = open_offer(&offer, peer, conn, reach);
	drop_offer(&offer);
	if (result != DOCA_SUCCESS)
		sdpu_fd_close(conn);
	return result;
}

doca_error_t sdpu_reach_open(const struct sdpu_grant_msg *msg, const int *fds, uint32_t num_fds,
			     pid_t peer, struct sdpu_reach **reach)
{
	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	return sdpu_reach_open_conn(msg, fds, num_fds, peer, -1, reach);
}

void sdpu_reach_close(struct sdpu_reach *reach)
{
	if (reach == NULL || sdpu_process_inert())
		return;
	sdpu_stats_unregister(&reach->stats);
	unhook(reach);
	if (reach->how->close != NULL)
		reach->how->close(reach);
	sdpu_staging_close(reach);
	sdpu_fd_close(reach->conn.fd);
	sdpu_segment_unmap(&reach->segment);
	free(reach);
}

enum sdpu_window_kind sdpu_reach_kind(const struct sdpu_reach *reach)
{
	return reach->how->kind;
}

void sdpu_reach_range(const struct sdpu_reach *reach, uint64_t *addr, uint64_t *len)
{
	*addr = reach->addr;
	*len = reach->len;
}

uint32_t sdpu_reach_perms(const struct sdpu_reach *reach)
{
	return reach->perms;
}

void *sdpu_reach_at(const struct sdpu_reach *reach, uint64_t addr)
{
	return reach->map.bytes == NULL ? NULL : reach->map.bytes + (addr - reach->addr);
}

bool sdpu_reach_live(const struct sdpu_reach *reach)
{
	return sdpu_reach_fault(reach) == DOCA_SUCCESS;
}
