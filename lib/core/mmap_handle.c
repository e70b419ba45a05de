/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of mmap handles; contract in mmap_handle.h. Places are taken and given back under a
 * lock by the host's threads; kernels only look.
 */
#include "core/mmap_handle.h"

#include <pthread.h>

#include "base/atomic.h"
#include "base/clock.h"
#include "base/log.h"
#include "core/mmap_object.h"

#define PLACE_BITS 12
#define PLACES (1u << PLACE_BITS)

/* Two handles of one copy are used by the same thread: a line each is enough. */
struct place {
	uint32_t handle;	      /* atomic; 0: nobody's, or stopping */
	uint32_t pins;		      /* atomic */
	uint32_t uses;		      /* under the lock; grows with each handle given */
	const struct doca_mmap *mmap; /* of the handle; under the lock: NULL if the place is free */
} SDPU_CACHE_ALIGNED;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct place places[PLACES];
static __thread uint32_t pinned[SDPU_MMAP_PINS] __attribute__((tls_model("initial-exec")));

static struct place *place_of(uint32_t handle)
{
	return &places[handle % PLACES];
}

static void remember(uint32_t handle)
{
	pinned[pinned[0] == 0 ? 0 : 1] = handle;
}

static void forget(uint32_t handle)
{
	pinned[pinned[0] == handle ? 0 : 1] = 0;
}

bool sdpu_mmap_handle_lives(uint32_t handle)
{
	/* acquire: pairs with the release of sdpu_mmap_give_handle() */
	return handle != 0 && sdpu_load_acquire(&place_of(handle)->handle) == handle;
}

bool sdpu_mmap_pin(uint32_t handle, struct sdpu_mmap_span *span)
{
	struct place *place = place_of(handle);

	/* Full fence: pairs with the one of sdpu_mmap_take_handle(). */
	sdpu_fetch_add_fenced(&place->pins, 1);
	if (sdpu_unlikely(!sdpu_mmap_handle_lives(handle))) {
		(void)sdpu_fetch_sub(&place->pins, 1);
		return false;
	}
	remember(handle);
	*span = (struct sdpu_mmap_span){
		.addr = (uintptr_t)place->mmap->addr,
		.len = place->mmap->len,
		.perms = place->mmap->perms,
		.reach = place->mmap->reach,
	};
	return true;
}

void sdpu_mmap_unpin(uint32_t handle)
{
	forget(handle);
	/* release: pairs with the acquire of sdpu_mmap_take_handle() */
	(void)sdpu_fetch_sub(&place_of(handle)->pins, 1);
}

void sdpu_mmap_unpin_all(void)
{
	for (uint32_t i = 0; i < SDPU_MMAP_PINS; i++)
		if (pinned[i] != 0)
			sdpu_mmap_unpin(pinned[i]);
}

static struct place *find_free(void)
{
	static uint32_t next; /* a handle is used again as late as possible */

	for (uint32_t i = 0; i < PLACES; i++) {
		struct place *place = &places[next++ % PLACES];

		if (place->mmap == NULL)
			return place;
	}
	return NULL;
}

static doca_error_t give(struct doca_mmap *mmap, const char *call)
{
	struct place *place = find_free();

	if (place == NULL) {
		sdpu_log_err("%s: %u mmaps have handles, which is all; stop some", call, PLACES);
		return DOCA_ERROR_NO_MEMORY;
	}
	/* never 0: uses begins with 1, and wraps around after a million */
	place->uses = place->uses % (UINT32_MAX >> PLACE_BITS) + 1;
	place->mmap = mmap;
	mmap->dpa_handle = place->uses << PLACE_BITS | (uint32_t)(place - places);
	/* release: pairs with the acquire of sdpu_mmap_handle_lives(); the mmap is started */
	sdpu_store_release(&place->handle, mmap->dpa_handle);
	return DOCA_SUCCESS;
}

doca_error_t sdpu_mmap_give_handle(struct doca_mmap *mmap, const char *call, uint32_t *handle)
{
	doca_error_t result = DOCA_SUCCESS;

	if (mmap->imported && mmap->reach == NULL) {
		sdpu_log_err("%s: the mmap was imported from another machine, where only RDMA "
			     "leads to",
			     call);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	pthread_mutex_lock(&lock);
	if (mmap->dpa_handle == 0)
		result = give(mmap, call);
	pthread_mutex_unlock(&lock);
	if (result == DOCA_SUCCESS)
		*handle = mmap->dpa_handle;
	return result;
}

void sdpu_mmap_take_handle(struct doca_mmap *mmap)
{
	struct place *place;

	if (mmap->dpa_handle == 0)
		return;
	place = place_of(mmap->dpa_handle);
	/* Full fence: pairs with the one of sdpu_mmap_pin(). Either it sees this, or we see its
	 * pin. */
	sdpu_publish_fenced(&place->handle, 0);
	/* acquire: pairs with the release of sdpu_mmap_unpin() */
	while (sdpu_load_acquire(&place->pins) != 0)
		sdpu_clock_yield();
	mmap->dpa_handle = 0;
	pthread_mutex_lock(&lock);
	place->mmap = NULL;
	pthread_mutex_unlock(&lock);
}
