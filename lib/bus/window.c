/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of this process's windows; see window.h for their life and window_parts.h for the lock.
 * A window belongs to who made it; the agent only ever looks at one with the lock held.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/valgrind.h"
#include "bus/process.h"
#include "bus/window_check.h"
#include "bus/window_parts.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sdpu_list table = {.next = &table, .prev = &table};

#define window_of(it) sdpu_container_of(it, struct sdpu_window, node)

void sdpu_window_lock(void)
{
	pthread_mutex_lock(&lock);
}

void sdpu_window_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

struct sdpu_window *sdpu_window_find(const uint8_t key[SDPU_KEY_SIZE])
{
	struct sdpu_list *it;

	sdpu_list_for_each (it, &table)
		if (memcmp(window_of(it)->key, key, SDPU_KEY_SIZE) == 0)
			return window_of(it);
	return NULL;
}

static struct sdpu_grant *find_among(const struct sdpu_window *window, const uint8_t *key)
{
	struct sdpu_list *it;

	sdpu_list_for_each (it, &window->grants) {
		struct sdpu_grant *grant = sdpu_container_of(it, struct sdpu_grant, node);

		if (memcmp(grant->key, key, SDPU_KEY_SIZE) == 0)
			return grant;
	}
	return NULL;
}

struct sdpu_grant *sdpu_grant_find(const uint8_t key[SDPU_KEY_SIZE])
{
	struct sdpu_grant *grant = NULL;
	struct sdpu_list *it;

	sdpu_list_for_each (it, &table) {
		grant = find_among(window_of(it), key);
		if (grant != NULL)
			break;
	}
	return grant;
}

static void window_show(const struct sdpu_stats *stats, struct softdpu_object *row)
{
	const struct sdpu_window *window = sdpu_container_of(stats, struct sdpu_window, stats);

	row->number = sdpu_load(&window->num_grants);
	row->address = window->addr;
	row->size = window->len;
	row->permissions = window->perms;
	snprintf(row->how, sizeof(row->how), window->file.fd < 0 ? "private" : "shared");
}

doca_error_t sdpu_window_create(void *addr, size_t len, uint32_t perms, struct sdpu_window **window)
{
	struct sdpu_window *made;
	uint64_t end;

	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	if (addr == NULL || len == 0 ||
	    __builtin_add_overflow((uint64_t)(uintptr_t)addr, (uint64_t)len, &end)) {
		sdpu_log_err("memory window of %zu bytes at %p: the range is empty or wraps", len,
			     addr);
		return DOCA_ERROR_INVALID_VALUE;
	}
	made = calloc(1, sizeof(*made));
	if (made == NULL)
		return DOCA_ERROR_NO_MEMORY;
	made->addr = (uintptr_t)addr;
	made->len = len;
	made->perms = perms;
	sdpu_list_init(&made->grants);
	if (!sdpu_process_random(made->key, sizeof(made->key))) {
		sdpu_log_err("memory window: no random bytes from the kernel");
		free(made);
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	sdpu_window_file_find(made->addr, made->len, &made->file);
	if (sdpu_perms_writable(perms))
		sdpu_mark_defined(addr, len);
	sdpu_window_lock();
	sdpu_list_append(&table, &made->node);
	sdpu_window_unlock();
	sdpu_stats_register(&made->stats, SOFTDPU_OBJECT_WINDOW, window_show);
	*window = made;
	return DOCA_SUCCESS;
}

void sdpu_window_destroy(struct sdpu_window *window)
{
	if (window == NULL || sdpu_process_inert())
		return;
	sdpu_stats_unregister(&window->stats);
	sdpu_window_lock();
	sdpu_list_remove(&window->node);
	sdpu_window_unlock();
	sdpu_grant_end_all(window);
	sdpu_window_unmap(&window->alias.map);
	sdpu_fd_close(window->file.fd);
	free(window);
}

const uint8_t *sdpu_window_key(const struct sdpu_window *window)
{
	return window->key;
}
