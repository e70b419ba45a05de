/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Intrusive doubly linked list. The owner of the head owns the list; a node that is on no list
 * points to itself, so that removing it twice is harmless. Not thread-safe.
 */
#ifndef SDPU_BASE_LIST_H
#define SDPU_BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"

struct sdpu_list {
	struct sdpu_list *next;
	struct sdpu_list *prev;
};

static inline void sdpu_list_init(struct sdpu_list *node)
{
	node->next = node;
	node->prev = node;
}

static inline bool sdpu_list_empty(const struct sdpu_list *node)
{
	return node->next == node;
}

static inline void sdpu_list_append(struct sdpu_list *head, struct sdpu_list *node)
{
	node->prev = head->prev;
	node->next = head;
	head->prev->next = node;
	head->prev = node;
}

static inline void sdpu_list_remove(struct sdpu_list *node)
{
	node->prev->next = node->next;
	node->next->prev = node->prev;
	sdpu_list_init(node);
}

/* First node taken off the list, or NULL. */
static inline struct sdpu_list *sdpu_list_pop(struct sdpu_list *head)
{
	struct sdpu_list *node = head->next;

	if (node == head)
		return NULL;
	sdpu_list_remove(node);
	return node;
}

#define sdpu_list_for_each(it, head) for ((it) = (head)->next; (it) != (head); (it) = (it)->next)

/* Survives removal of `it` (but of no other node) inside the loop. */
#define sdpu_list_for_each_safe(it, tmp, head)                                                     \
	for ((it) = (head)->next, (tmp) = (it)->next; (it) != (head);                              \
	     (it) = (tmp), (tmp) = (it)->next)

#endif
