/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Grants: one importer of a window each; life and lock in window_parts.h. `ending` has one legal
 * move, made under the lock; whoever makes it removes the grant from the agent and gives up the
 * handle.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic.h"
#include "base/clock.h"
#include "base/log.h"
#include "bus/process.h"
#include "bus/window_check.h"
#include "bus/window_parts.h"

#define REVOKE_WITHIN (100 * SDPU_MS)

#define grant_of(it) sdpu_container_of(it, struct sdpu_grant, node)

/* Lock held. */
void sdpu_grant_put(struct sdpu_grant *grant)
{
	if (--grant->refs > 0)
		return;
	sdpu_segment_unmap(&grant->segment);
	free(grant);
}

static void detach(struct sdpu_grant *grant)
{
	struct sdpu_window *window = grant->window;

	if (window == NULL)
		return;
	sdpu_list_remove(&grant->node);
	sdpu_store(&window->num_grants, window->num_grants - 1);
	grant->window = NULL;
}

static bool claim_end(struct sdpu_grant *grant)
{
	bool mine = !grant->ending;

	grant->ending = true;
	return mine;
}

/*
 * Full fences: pair with those in reach_begin() and serve_begin(). Either they see that
 * the grant is dead, or we see them busy.
 */
static void mark_dead(struct sdpu_grant *grant)
{
	sdpu_publish_fenced(&grant->live, 0);
	sdpu_publish_fenced(&grant->page->live, 0);
}

static bool is_quiet(const struct sdpu_grant *grant)
{
	/* acquire: pair with the releases in reach_end() and serve_end() */
	if (sdpu_load_acquire(&grant->serving) != 0)
		return false;
	if (sdpu_load_acquire(&grant->dead) != 0)
		return true;
	return sdpu_load_acquire(&grant->page->first) == 0 &&
	       sdpu_load_acquire(&grant->page->others) == 0;
}

static void wait_quiet(const struct sdpu_grant *grant, uint64_t deadline)
{
	for (int turn = 0; !is_quiet(grant); turn++) {
		if (sdpu_clock_now() >= deadline) {
			sdpu_log_warn(
				"pid %d still copies to or from %#llx+%llu, 100 ms after that "
				"memory was withdrawn; going on without it (is it stopped?)",
				(int)grant->importer, (unsigned long long)grant->addr,
				(unsigned long long)grant->len);
			return;
		}
		if (turn < 100)
			sdpu_clock_yield();
		else
			sdpu_clock_sleep(SDPU_MS / 10);
	}
}

/* Called once, by whoever made claim_end() true; lock not held. */
static void finish(struct sdpu_grant *grant)
{
	struct window_serve *serve;

	sdpu_agent_unwatch_death(&grant->death_watch);
	sdpu_agent_unwatch(&grant->conn);
	sdpu_fd_close(grant->conn.fd);
	sdpu_window_lock();
	serve = grant->serve;
	grant->serve = NULL;
	sdpu_window_unlock();
	if (serve != NULL)
		sdpu_serve_end(serve);
	sdpu_window_lock();
	sdpu_grant_put(grant);
	sdpu_window_unlock();
}

/* The importer is dead or, for a grant by key, has closed its connection. */
static void importer_gone(struct sdpu_grant *grant, bool dead)
{
	bool mine = false;

	if (dead)
		/* release: pairs with the acquire in is_quiet(); what it wrote is in memory */
		sdpu_store_release(&grant->dead, 1);
	sdpu_window_lock();
	if (grant->by_key && claim_end(grant)) {
		detach(grant);
		mine = true;
	}
	sdpu_window_unlock();
	if (mine) {
		mark_dead(grant);
		finish(grant);
	}
}

static void importer_died(struct sdpu_death_watch *watch)
{
	importer_gone(sdpu_container_of(watch, struct sdpu_grant, death_watch), true);
}

static void conn_closed(struct sdpu_watch *watch, uint32_t events)
{
	importer_gone(sdpu_container_of(watch, struct sdpu_grant, conn), false);
}

void sdpu_grant_lose(struct sdpu_grant *grant)
{
	importer_gone(grant, false);
}

doca_error_t sdpu_grant_tie(struct sdpu_grant *grant, int sock)
{
	grant->conn.fd = sock;
	return sdpu_agent_watch(&grant->conn, 0);
}

static struct sdpu_grant *grant_alloc(pid_t importer, bool by_key)
{
	struct sdpu_grant *grant = calloc(1, sizeof(*grant));

	if (grant == NULL)
		return NULL;
	grant->refs = 1;
	grant->by_key = by_key;
	grant->importer = importer;
	grant->death_watch.dead = importer_died;
	grant->conn = (struct sdpu_watch){.fd = -1, .ready = conn_closed};
	sdpu_list_init(&grant->node);
	return grant;
}

/* Makes a grant that no importer knows yet. */
static doca_error_t grant_new(pid_t importer, bool by_key, struct sdpu_grant **made)
{
	struct sdpu_grant *grant = grant_alloc(importer, by_key);
	doca_error_t result;

	if (grant == NULL)
		return DOCA_ERROR_NO_MEMORY;
	result = sdpu_segment_create("softdpu-grant", GRANT_PAGE_SIZE, GRANT_PAGE_SIZE, false,
				     &grant->segment);
	if (result != DOCA_SUCCESS)
		goto err_grant;
	grant->page = grant->segment.base;
	result = DOCA_ERROR_OPERATING_SYSTEM;
	if (!sdpu_process_random(grant->key, sizeof(grant->key)))
		goto err_segment;
	result = sdpu_agent_watch_death(&grant->death_watch, importer);
	if (result != DOCA_SUCCESS)
		goto err_segment;
	sdpu_store(&grant->live, 1);
	sdpu_store(&grant->page->live, 1);
	*made = grant;
	return DOCA_SUCCESS;

err_segment:
	sdpu_segment_unmap(&grant->segment);
err_grant:
	free(grant);
	return result;
}

/* Lock held. */
static void attach(struct sdpu_grant *grant, struct sdpu_window *window, struct sdpu_grant_msg *msg)
{
	uint32_t perms = window->perms;

	if (grant->by_key)
		perms &= ~(uint32_t)DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
	grant->window = window;
	grant->addr = window->addr;
	grant->len = window->len;
	grant->may_write = sdpu_perms_writable(perms);
	grant->may_read = !grant->by_key || sdpu_perms_readable(perms);
	grant->atomics = sdpu_perms_atomics(perms, grant->by_key);
	grant->by_instruction = window->file.writable;
	sdpu_list_append(&window->grants, &grant->node);
	sdpu_store(&window->num_grants, window->num_grants + 1);

	memset(msg, 0, sizeof(*msg));
	memcpy(msg->key, grant->key, SDPU_KEY_SIZE);
	msg->addr = grant->addr;
	msg->len = grant->len;
	msg->perms = perms;
	msg->probe_addr = (uintptr_t)grant->key;
	msg->file_offset = window->file.offset;
	msg->kinds = 1u << SDPU_WINDOW_CROSS | 1u << SDPU_WINDOW_SERVED;
	strncpy(msg->endpoint, sdpu_agent_endpoint(), sizeof(msg->endpoint) - 1);
}

static void offer(int fd, enum sdpu_window_kind kind, struct sdpu_grant_msg *msg, int *fds,
		  uint32_t *num_fds)
{
	if (fd < 0)
		return;
	fds[(*num_fds)++] = fd;
	msg->kinds |= 1u << kind;
}

/* Lock held: the window's file stays. The page's descriptor is the first; the grant keeps its
 * mapping. */
static void offer_all(struct sdpu_grant *grant, struct sdpu_grant_msg *msg, int *fds,
		      uint32_t *num_fds)
{
	int mem = open("/proc/self/mem", (grant->may_write ? O_RDWR : O_RDONLY) | O_CLOEXEC);

	fds[0] = grant->segment.fd;
	grant->segment.fd = -1;
	*num_fds = 1;
	offer(sdpu_window_file_reopen(&grant->window->file, grant->may_write), SDPU_WINDOW_MAPPED,
	      msg, fds, num_fds);
	offer(sdpu_fd_own(mem), SDPU_WINDOW_HANDED, msg, fds, num_fds);
}

doca_error_t sdpu_window_grant(struct sdpu_window *window, pid_t importer,
			       struct sdpu_grant_msg *msg, int fds[SDPU_GRANT_FDS],
			       uint32_t *num_fds, struct sdpu_grant **grant)
{
	struct sdpu_grant *made;
	doca_error_t result;

	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	result = grant_new(importer, false, &made);
	if (result != DOCA_SUCCESS)
		return result;
	sdpu_window_lock();
	attach(made, window, msg);
	offer_all(made, msg, fds, num_fds);
	sdpu_window_unlock();
	*grant = made;
	return DOCA_SUCCESS;
}

doca_error_t sdpu_grant_by_key(const uint8_t key[SDPU_KEY_SIZE], pid_t importer,
			       struct sdpu_grant_msg *msg, int fds[SDPU_GRANT_FDS],
			       uint32_t *num_fds, struct sdpu_grant **grant)
{
	struct sdpu_window *window;
	struct sdpu_grant *made;
	doca_error_t result = grant_new(importer, true, &made);

	if (result != DOCA_SUCCESS)
		return result;
	sdpu_window_lock();
	window = sdpu_window_find(key);
	if (window != NULL) {
		attach(made, window, msg);
		offer_all(made, msg, fds, num_fds);
	}
	sdpu_window_unlock();
	if (window == NULL) {
		sdpu_grant_lose(made);
		return DOCA_ERROR_NOT_FOUND;
	}
	*grant = made;
	return DOCA_SUCCESS;
}

/* Ends the grant for its importer; the caller keeps its handle. */
static void withdraw(struct sdpu_grant *grant)
{
	sdpu_window_lock();
	detach(grant);
	claim_end(grant);
	sdpu_window_unlock();
	mark_dead(grant);
}

void sdpu_grant_revoke_all(struct sdpu_grant *const *grants, uint32_t num)
{
	uint64_t deadline = sdpu_clock_now() + REVOKE_WITHIN;

	if (sdpu_process_inert())
		return;
	for (uint32_t i = 0; i < num; i++)
		if (grants[i] != NULL)
			withdraw(grants[i]);
	for (uint32_t i = 0; i < num; i++) {
		if (grants[i] == NULL)
			continue;
		wait_quiet(grants[i], deadline);
		finish(grants[i]);
	}
}

void sdpu_grant_revoke(struct sdpu_grant *grant)
{
	sdpu_grant_revoke_all(&grant, 1);
}

static void mark_all_dead(struct sdpu_window *window)
{
	struct sdpu_list *it;

	sdpu_window_lock();
	sdpu_list_for_each (it, &window->grants)
		mark_dead(grant_of(it));
	sdpu_window_unlock();
}

/* Takes one off the list, with a reference; *mine: a grant by key, which the caller ends. */
static struct sdpu_grant *take_one(struct sdpu_window *window, bool *mine)
{
	struct sdpu_grant *grant = NULL;

	sdpu_window_lock();
	if (!sdpu_list_empty(&window->grants)) {
		grant = grant_of(window->grants.next);
		detach(grant);
		grant->refs++;
		*mine = grant->by_key && claim_end(grant);
	}
	sdpu_window_unlock();
	return grant;
}

void sdpu_grant_end_all(struct sdpu_window *window)
{
	uint64_t deadline = sdpu_clock_now() + REVOKE_WITHIN;
	struct sdpu_grant *grant;
	bool mine;

	mark_all_dead(window);
	while ((grant = take_one(window, &mine)) != NULL) {
		wait_quiet(grant, deadline);
		if (mine)
			finish(grant);
		sdpu_window_lock();
		sdpu_grant_put(grant);
		sdpu_window_unlock();
	}
}
