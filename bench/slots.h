/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bare ring that others are measured against: one writer, one reader, slots of a fixed size.
 *
 * A slot ends in a sequence word; writing it (release) publishes the slot, so that payload and
 * notice of a small slot travel in one cache line.  The reader returns slots a quarter of the ring
 * at a time. Each end owns its struct slots_end; both share the memory of struct slots_ring.
 */
#ifndef BENCH_SLOTS_H
#define BENCH_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SLOTS_LINE 64

struct slots_ring {
	uint64_t returned; /* reader's; slots given back so far */
	uint8_t pad[SLOTS_LINE - sizeof(uint64_t)];
	uint8_t slots[]; /* writer's */
};

struct slots_end {
	struct slots_ring *ring;
	uint64_t next;	   /* slot to write or to read */
	uint64_t returned; /* writer: last value seen; reader: value published */
	uint32_t depth;	   /* a power of two */
	uint32_t size;
};

static inline size_t slots_bytes(uint32_t depth, uint32_t size)
{
	return sizeof(struct slots_ring) + (size_t)depth * size;
}

#define SLOTS_BYTES(depth, size) (SLOTS_LINE + (size_t)(depth) * (size))

static inline struct slots_end slots_open(void *memory, uint32_t depth, uint32_t size)
{
	return (struct slots_end){.ring = memory, .depth = depth, .size = size};
}

static inline uint8_t *slots_at(const struct slots_end *end)
{
	return end->ring->slots + (end->next & (end->depth - 1)) * end->size;
}

static inline uint64_t *slots_sequence(const struct slots_end *end, uint8_t *slot)
{
	return (uint64_t *)(void *)(slot + end->size - sizeof(uint64_t));
}

static inline uint32_t slots_payload(const struct slots_end *end)
{
	return end->size - (uint32_t)sizeof(uint64_t);
}

/* NULL when the ring is full. */
static inline uint8_t *slots_claim(struct slots_end *end)
{
	if (end->next - end->returned >= end->depth) {
		/* acquire: pairs with the release in slots_release() */
		end->returned = __atomic_load_n(&end->ring->returned, __ATOMIC_ACQUIRE);
		if (end->next - end->returned >= end->depth)
			return NULL;
	}
	return slots_at(end);
}

static inline void slots_publish(struct slots_end *end, uint8_t *slot)
{
	/* release: pairs with the acquire in slots_peek() */
	__atomic_store_n(slots_sequence(end, slot), ++end->next, __ATOMIC_RELEASE);
}

/* NULL when nothing has come. */
static inline uint8_t *slots_peek(struct slots_end *end)
{
	uint8_t *slot = slots_at(end);

	if (__atomic_load_n(slots_sequence(end, slot), __ATOMIC_ACQUIRE) != end->next + 1)
		return NULL;
	return slot;
}

static inline void slots_release(struct slots_end *end)
{
	end->next++;
	if (end->next - end->returned >= end->depth / 4) {
		end->returned = end->next;
		__atomic_store_n(&end->ring->returned, end->next, __ATOMIC_RELEASE);
	}
}

static inline bool slots_send(struct slots_end *end, const void *payload)
{
	uint8_t *slot = slots_claim(end);

	if (slot == NULL)
		return false;
	memcpy(slot, payload, slots_payload(end));
	slots_publish(end, slot);
	return true;
}

#endif
