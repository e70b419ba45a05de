/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Buf: descriptor of a window [head, head + len) inside one mmap with a data segment inside it.
 * Comes from an inventory or a pool; the owner counts references; the whole list goes back when the
 * head's count falls to 0. Addresses are the mmap owner's: a buf of an imported mmap is never
 * dereferenced.
 */
#ifndef SDPU_CORE_BUF_H
#define SDPU_CORE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_buf.h>

struct doca_mmap;
struct sdpu_buf_home; /* inventory or pool it returns to */

/* Of no memory and no device: a program that uses a buf after its release is refused. */
extern struct doca_mmap sdpu_buf_no_mmap;

struct doca_buf {
	uint8_t *head;
	size_t len;
	uint8_t *data;
	size_t data_len;
	struct doca_buf *next;	/* list; also the home's free list */
	struct doca_buf *last;	/* head of a list: its last element; itself when alone */
	struct doca_mmap *mmap; /* of a released one: sdpu_buf_no_mmap */
	struct sdpu_buf_home *home;
	uint16_t refcount; /* 0: released; of members: 1 */
	uint8_t member;	   /* in a list, not its head */
	uint8_t counted;   /* by the mmap, until it is free */
};

/* Why it is refused, if it is; whoever has the buf may have released it too early. */
static inline bool sdpu_buf_is_released(const struct doca_buf *buf)
{
	return buf->refcount == 0;
}
#define SDPU_BUF_RELEASED_TEXT                                                                     \
	"a buf was released; needed: one with a reference until the task has completed"

/* Room behind the data, where libraries append. */
static inline size_t sdpu_buf_tail_room(const struct doca_buf *buf)
{
	return buf->len - (size_t)(buf->data - buf->head) - buf->data_len;
}
static inline uint8_t *sdpu_buf_tail(const struct doca_buf *buf)
{
	return buf->data + buf->data_len;
}

/* Counts len bytes that were put into the room of a list, from its head on, as data. */
static inline void sdpu_buf_append(struct doca_buf *buf, size_t len)
{
	for (; buf != NULL && len != 0; buf = buf->next) {
		size_t room = sdpu_buf_tail_room(buf);
		size_t n = room < len ? room : len;

		buf->data_len += n;
		len -= n;
	}
}

#endif
