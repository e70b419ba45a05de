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

struct place {
	uint32_t handle;	      /* atomic; 0: nobody's, or stopping */
	uint32_t uses;		      /* under the lock; grows with each handle given */
	const struct doca_mmap *mmap; /* of the handle; under the lock: NULL if the place is free */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct place places[PLACES];
static struct sdpu_list pinners = {&pinners, &pinners}; /* under the lock */

static struct place *place_of(uint32_t handle)
{
	return &places[handle % PLACES];
}

void sdpu_mmap_pins_add(struct sdpu_mmap_pins *pins)
{
	pthread_mutex_lock(&lock);
	sdpu_list_append(&pinners, &pins->node);
	pthread_mutex_unlock(&lock);
}

void sdpu_mmap_pins_remove(struct sdpu_mmap_pins *pins)
{
	pthread_mutex_lock(&lock);
	sdpu_list_remove(&pins->node);
	pthread_mutex_unlock(&lock);
}

bool sdpu_mmap_handle_lives(uint32_t handle)
{
	/* acquire: pairs with the release of sdpu_mmap_give_handle() */
	return handle != 0 && sdpu_load_acquire(&place_of(handle)->handle) == handle;
}

static struct sdpu_mmap_span span_of(const struct doca_mmap *mmap)
{
	struct sdpu_mmap_span span = {
		.addr = (uintptr_t)mmap->addr,
		.len = mmap->len,
		.perms = mmap->perms,
		.reach = mmap->reach,
	};

	return span;
}

bool sdpu_mmap_pin(struct sdpu_mmap_pins *pins, const uint32_t *handles, uint32_t num,
		   struct sdpu_mmap_span *spans)
{
	for (uint32_t i = 1; i < num; i++)
		sdpu_store(&pins->handles[i], handles[i]);
	/* Full fence: pairs with the one of sdpu_mmap_take_handle(). Either it sees our pins, or we
	 * see that the handle is gone. */
	sdpu_publish_fenced(&pins->handles[0], handles[0]);
	for (uint32_t i = 0; i < num; i++) {
		if (sdpu_unlikely(!sdpu_mmap_handle_lives(handles[i]))) {
			sdpu_mmap_unpin(pins);
			return false;
		}
		spans[i] = span_of(place_of(handles[i])->mmap);
	}
	return true;
}

void sdpu_mmap_unpin(struct sdpu_mmap_pins *pins)
{
	for (uint32_t i = 0; i < SDPU_MMAP_PINS; i++)
		/* release: pairs with the acquire of wait_for_pins() */
		sdpu_store_release(&pins->handles[i], 0);
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
		sdpu_log_err("%s: %u mmaps have handles; needed: fewer, as these are all; stop "
			     "some mmaps",
			     call, PLACES);
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
		sdpu_log_err(
			"%s: the mmap was imported from another machine; needed: one of this, as "
			"only RDMA leads there",
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

/* Under the lock, which no pin needs. */
static void wait_for_pins(uint32_t handle)
{
	for (struct sdpu_list *node = pinners.next; node != &pinners; node = node->next) {
		const struct sdpu_mmap_pins *pins =
			sdpu_container_of(node, struct sdpu_mmap_pins, node);

		for (uint32_t i = 0; i < SDPU_MMAP_PINS; i++)
			/* acquire: pairs with the release of sdpu_mmap_unpin() */
			while (sdpu_load_acquire(&pins->handles[i]) == handle)
				sdpu_clock_yield();
	}
}

void sdpu_mmap_take_handle(struct doca_mmap *mmap)
{
	struct place *place;

	if (mmap->dpa_handle == 0)
		return;
	place = place_of(mmap->dpa_handle);
	pthread_mutex_lock(&lock);
	/* Full fence: pairs with the one of sdpu_mmap_pin(). */
	sdpu_publish_fenced(&place->handle, 0);
	wait_for_pins(mmap->dpa_handle);
	place->mmap = NULL;
	pthread_mutex_unlock(&lock);
	mmap->dpa_handle = 0;
}
