/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists of devices and representors; contract in dev_object.h. One block holds the pointers that
 * the user sees and, behind them, the elements. Owner: the user until destroy; any thread. Programs
 * free elements, sort the array, destroy twice: the registry of live lists turns such mistakes into
 * errors.
 */
#include <pthread.h>
#include <stdlib.h>

#include "base/log.h"
#include "core/dev_object.h"

struct devlist {
	struct sdpu_list node;
	size_t num;
	size_t element_size;
	void *items[]; /* num pointers and a NULL; behind them the elements */
};

static pthread_mutex_t lists_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sdpu_list lists = {.next = &lists, .prev = &lists};

static void *devlist_element(struct devlist *list, size_t i)
{
	return (char *)&list->items[list->num + 1] + i * list->element_size;
}

void **sdpu_devlist_create(size_t num, size_t element_size)
{
	struct devlist *list =
		calloc(1, sizeof(*list) + (num + 1) * sizeof(list->items[0]) + num * element_size);

	if (list == NULL)
		return NULL;
	list->num = num;
	list->element_size = element_size;
	for (size_t i = 0; i < num; i++)
		list->items[i] = devlist_element(list, i);
	pthread_mutex_lock(&lists_lock);
	sdpu_list_append(&lists, &list->node);
	pthread_mutex_unlock(&lists_lock);
	return list->items;
}

static struct devlist *devlist_find(const void *items)
{
	struct sdpu_list *it;

	sdpu_list_for_each (it, &lists) {
		struct devlist *list = sdpu_container_of(it, struct devlist, node);

		if (list->items == items)
			return list;
	}
	return NULL;
}

static bool devlist_is_whole(struct devlist *list)
{
	for (size_t i = 0; i < list->num; i++)
		if (list->items[i] != devlist_element(list, i))
			return false;
	return true;
}

/* Takes a list out of the known ones; its memory is the caller's then. */
static doca_error_t devlist_take(const void *items, struct devlist **list)
{
	struct devlist *found = devlist_find(items);

	if (found == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (!devlist_is_whole(found))
		return DOCA_ERROR_IN_USE;
	sdpu_list_remove(&found->node);
	*list = found;
	return DOCA_SUCCESS;
}

doca_error_t sdpu_devlist_destroy(void *items, const char *call)
{
	struct devlist *list = NULL;
	doca_error_t result;

	pthread_mutex_lock(&lists_lock);
	result = devlist_take(items, &list);
	pthread_mutex_unlock(&lists_lock);
	if (result == DOCA_ERROR_INVALID_VALUE)
		sdpu_log_err("%s: %p is no list, or was destroyed before; needed: what the create "
			     "call gave, once",
			     call, items);
	else if (result == DOCA_ERROR_IN_USE)
		sdpu_log_err("%s: the list was changed since it was made; hand it back as it was",
			     call);
	free(list);
	return result;
}
