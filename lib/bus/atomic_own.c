/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomics by the owner: on its own account, and its agent's for importers that cannot do them by
 * themselves. Any thread. One lock for the process: it is taken last, and nothing waits with it
 * held.
 */
#include <pthread.h>

#include "base/log.h"
#include "bus/atomic_op.h"
#include "bus/process.h"
#include "bus/window_parts.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Writes only what has changed: a comparison that fails must not undo somebody's plain write. */
static doca_error_t modify(struct sdpu_atomic *atomic)
{
	struct sdpu_atomic made = *atomic;
	uint64_t before, after;
	doca_error_t result = sdpu_own_copy(SDPU_COPY_GET, atomic->addr, &before, sizeof(before));

	if (result != DOCA_SUCCESS)
		return result;
	after = before;
	sdpu_atomic_op(&after, &made);
	if (after != before)
		result = sdpu_own_copy(SDPU_COPY_PUT, atomic->addr, &after, sizeof(after));
	if (result == DOCA_SUCCESS)
		atomic->result = made.result;
	return result;
}

static doca_error_t modify_alone(struct sdpu_atomic *atomic)
{
	doca_error_t result;

	pthread_mutex_lock(&lock);
	result = modify(atomic);
	pthread_mutex_unlock(&lock);
	return result;
}

/* Table's lock held. NULL, or why not. */
static const char *alias_make(struct window_alias *alias, const struct sdpu_window *window)
{
	struct window_map made;
	const char *why = "it was sealed against writing after the window was made";
	int fd = sdpu_window_file_reopen(&window->file, true);

	if (fd >= 0)
		why = sdpu_window_map(fd, window->file.offset, window->len, true, &made);
	sdpu_fd_close(fd);
	if (why != NULL)
		return why;
	alias->map.base = made.base;
	alias->map.size = made.size;
	/* release: pairs with the acquire in alias_get() */
	sdpu_store_release(&alias->map.bytes, made.bytes);
	return NULL;
}

/* Made when first needed. A mapping that cannot be made is tried, and logged, once. */
static void alias_try(struct window_alias *alias, struct sdpu_window *const *window)
{
	const char *why = NULL;

	sdpu_window_lock();
	if (!alias->tried && *window != NULL) {
		alias->tried = true;
		why = alias_make(alias, *window);
	}
	sdpu_window_unlock();
	if (why != NULL)
		sdpu_log_err("memory window: no atomics; the file behind it cannot be mapped "
			     "here: %s",
			     why);
}

static uint8_t *alias_get(struct window_alias *alias, struct sdpu_window *const *window)
{
	/* acquire: pairs with the release in alias_make() */
	uint8_t *bytes = sdpu_load_acquire(&alias->map.bytes);

	if (sdpu_likely(bytes != NULL))
		return bytes;
	alias_try(alias, window);
	return sdpu_load_acquire(&alias->map.bytes);
}

doca_error_t sdpu_atomic_own(const struct atomic_owner *owner, struct sdpu_atomic *atomic)
{
	doca_error_t result = sdpu_atomic_check(atomic, owner->kinds, owner->addr, owner->len);
	uint8_t *bytes;

	if (result != DOCA_SUCCESS)
		return result;
	if (!owner->by_instruction)
		return modify_alone(atomic);
	bytes = alias_get(owner->alias, owner->window);
	if (bytes == NULL)
		return DOCA_ERROR_IO_FAILED;
	sdpu_atomic_op((uint64_t *)(void *)(bytes + (atomic->addr - owner->addr)), atomic);
	return DOCA_SUCCESS;
}

doca_error_t sdpu_window_atomic(struct sdpu_window *window, struct sdpu_atomic *atomic)
{
	struct atomic_owner owner = {
		.addr = window->addr,
		.len = window->len,
		.kinds = sdpu_perms_atomics(window->perms, false),
		.by_instruction = window->file.writable,
		.alias = &window->alias,
		.window = &window,
	};

	if (sdpu_process_inert())
		return DOCA_ERROR_BAD_STATE;
	if (atomic->need != 0 && (atomic->need & window->perms) == 0)
		return DOCA_ERROR_NOT_PERMITTED;
	return sdpu_atomic_own(&owner, atomic);
}
