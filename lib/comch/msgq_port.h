/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The data path of MsgQ: rings of messages, and ports, which are what producers see of a consumer.
 *
 * A ring has any number of writers (producers, in any threads) and one reader. Owner: the reader, a
 * CPU consumer or a consumer completion. A message is one cache line, which its sequence word
 * publishes; it stays readable until the reader frees it.
 *
 * A port stands for a consumer, which owns it from its start to IDLE; the memory is the MsgQ's. Its
 * credits count the receives that were ever posted: a message takes one. Producers on the CPU send
 * only with a credit; those on a DPA are told nothing and do as the card does: their message waits
 * in the ring until a receive is posted.
 *
 * All is in one process, and dies with it. Nobody touches a ring through a port that was closed:
 *
 *   producer: turn = odd; claim a message by compare-and-swap of `claimed` [P1]; publish; wake;
 *             turn = even
 *   consumer: set CLOSED in `claimed` [P2]; wait until no producer is in the turn that it was in
 *
 * Both are changes of one word. If P1 came first, P2 has seen the odd turn and waits; else P1
 * fails. Nothing in a turn waits, faults or can be killed (sdpu_dpa_guard_enter()).
 *
 * Most rings belong to one port. Its messages are then those of the ring, so that the claim is the
 * place as well; `limit` says how far claims may go on without another look at credits and room.
 */
#ifndef SDPU_COMCH_MSGQ_PORT_H
#define SDPU_COMCH_MSGQ_PORT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <doca_error.h>

#include "base/atomic.h"
#include "base/compiler.h"
#include "base/round.h"
#include "bus/bell.h"
#include "comch/fast_ring.h"
#include "core/dpa_handle.h"
#include "dpa/trigger.h"

struct comch_msgq_message {
	struct sdpu_dpa_head head; /* a kernel may have it for a handle */
	uint32_t seq;		   /* position + 1 (mod 2^32) when published */
	uint32_t producer;
	uint32_t imm_len;
	uint32_t place; /* of the consumer among those that share the ring */
	uint8_t imm[COMCH_FAST_IMM_MAX];
} __attribute__((aligned(SDPU_CACHE_LINE)));

/* Cache lines by who writes them. */
struct comch_msgq_ring {
	/* Producers, where several ports share it; else its reader, while its port is closed. */
	uint64_t tail __attribute__((aligned(SDPU_CACHE_LINE))); /* positions claimed */
	uint64_t freed_seen;
	/* Reader. */
	uint64_t freed __attribute__((aligned(SDPU_CACHE_LINE)));
	/* Nobody any more. */
	uint32_t size __attribute__((aligned(SDPU_CACHE_LINE))); /* a power of two */
	bool shared;						 /* by several ports */
	struct comch_msgq_message messages[];
};

#define COMCH_MSGQ_CLOSED (1ull << 63)

struct comch_msgq_port {
	/* Producers. */
	uint64_t claimed __attribute__((aligned(SDPU_CACHE_LINE))); /* messages, and CLOSED */
	uint64_t limit;	       /* messages before the next look at what was granted and freed */
	uint64_t granted_seen; /* at the last one */
	/* Consumer, at each message. */
	uint64_t granted __attribute__((aligned(SDPU_CACHE_LINE)));
	/* Consumer, hardly ever. */
	uint32_t cold __attribute__((aligned(SDPU_CACHE_LINE))); /* as in fast_ring.h */
	/* Set while closed. */
	struct comch_msgq_ring *ring;
	struct sdpu_dpa_trigger *trigger; /* NULL: the consumer is on the CPU */
	uint64_t base;			  /* position of its first message in a ring of its own */
	uint32_t place;
	uint32_t imm_len; /* longest immediate data that it takes; read in no turn, so atomic */
	struct sdpu_ringer ringer;
};

/* A producer's word; in its own cache line. */
struct comch_msgq_turn {
	uint32_t turn __attribute__((aligned(SDPU_CACHE_LINE))); /* odd: it is sending */
};

/* Zeroed, in cache lines of its own; given back by free(). NULL (logged): no memory. */
void *comch_msgq_alloc(size_t size);
/* size: a power of two. shared: by several ports. NULL: no memory. */
struct comch_msgq_ring *comch_msgq_ring_create(uint32_t size, bool shared);
void comch_msgq_ring_destroy(struct comch_msgq_ring *ring);
/* In its place, when device code has had handles of its elements: they lead nowhere any more. */
void comch_msgq_ring_retire(struct comch_msgq_ring *ring, struct doca_dpa *dpa);
struct comch_msgq_port *comch_msgq_ports_create(uint32_t number);
void comch_msgq_ports_destroy(struct comch_msgq_port *ports);
/* Consumer's thread: producers may use what it has put into the port. msgq.h closes it. */
void comch_msgq_port_open(struct comch_msgq_port *port);
/* In a turn: looks at what consumer and ring have given, and moves the limit. SUCCESS: *claimed is
 * as it is now, try again; NOT_FOUND: closed; AGAIN: no credit (where one is needed); FULL: the
 * ring is. */
doca_error_t comch_msgq_port_extend(struct comch_msgq_port *port, bool need_credit,
				    uint64_t *claimed);

static inline struct comch_msgq_message *comch_msgq_at(struct comch_msgq_ring *ring,
						       uint64_t position)
{
	return &ring->messages[position & (ring->size - 1)];
}

/* Reader: the message at a position, or NULL when none has come. */
static inline struct comch_msgq_message *comch_msgq_peek(struct comch_msgq_ring *ring,
							 uint64_t position)
{
	struct comch_msgq_message *message = comch_msgq_at(ring, position);

	/* acquire: pairs with the publish in comch_msgq_publish() */
	return sdpu_load_acquire(&message->seq) == (uint32_t)position + 1 ? message : NULL;
}

/* Reader: all before this position may be written again. */
static inline void comch_msgq_free(struct comch_msgq_ring *ring, uint64_t position)
{
	/* release: pairs with the acquire in comch_msgq_ring_full(); the messages were read */
	sdpu_store_release(&ring->freed, position);
}

/* No consumer is there, or one that stops. */
static inline bool comch_msgq_port_closed(const struct comch_msgq_port *port)
{
	return (sdpu_load_acquire(&port->claimed) & COMCH_MSGQ_CLOSED) != 0;
}

/* Consumer: posts receives. */
static inline void comch_msgq_grant(struct comch_msgq_port *port, uint64_t number)
{
	sdpu_store_release(&port->granted, sdpu_load(&port->granted) + number);
}

/* Receives that no message has taken; 0 or less: none. `granted` may be an old value of it. */
static inline int64_t comch_msgq_credits(uint64_t granted, uint64_t claimed)
{
	return (int64_t)(granted - (claimed & ~COMCH_MSGQ_CLOSED));
}

static inline bool comch_msgq_ring_full(struct comch_msgq_ring *ring, uint64_t tail)
{
	uint64_t freed;

	/* Signed: another producer may be ahead of a tail that is out of date. Acquire: pairs with
	 * the release below, of whoever has looked last. */
	if (sdpu_likely((int64_t)(tail - sdpu_load_acquire(&ring->freed_seen)) <
			(int64_t)ring->size))
		return false;
	/* acquire: pairs with the release in comch_msgq_free() */
	freed = sdpu_load_acquire(&ring->freed);
	sdpu_store_release(&ring->freed_seen, freed);
	return (int64_t)(tail - freed) >= (int64_t)ring->size;
}

static inline bool comch_msgq_ring_claim(struct comch_msgq_ring *ring, uint64_t *position)
{
	uint64_t tail = sdpu_load(&ring->tail);

	do {
		if (sdpu_unlikely(comch_msgq_ring_full(ring, tail)))
			return false;
	} while (!sdpu_cas(&ring->tail, &tail, tail + 1));
	*position = tail;
	return true;
}

/* One message of the port: its number. Results of comch_msgq_port_extend(). */
static inline doca_error_t comch_msgq_port_claim(struct comch_msgq_port *port, bool need_credit,
						 uint64_t *number)
{
	doca_error_t result;

	/* acquire: pairs with the release in comch_msgq_port_open() */
	*number = sdpu_load_acquire(&port->claimed);
	for (;;) {
		/* CLOSED is above every limit. Acquire: pairs with the release in
		 * comch_msgq_port_extend(); what is below was freed. */
		if (sdpu_unlikely(*number >= sdpu_load_acquire(&port->limit))) {
			result = comch_msgq_port_extend(port, need_credit, number);
			if (result != DOCA_SUCCESS)
				return result;
		} else if (sdpu_likely(sdpu_cas(&port->claimed, number, *number + 1))) { /* P1 */
			return DOCA_SUCCESS;
		}
	}
}

/* And its position in the ring. */
static inline doca_error_t comch_msgq_claim(struct comch_msgq_port *port, bool need_credit,
					    uint64_t *position)
{
	doca_error_t result = comch_msgq_port_claim(port, need_credit, position);

	if (sdpu_unlikely(result != DOCA_SUCCESS))
		return result;
	if (sdpu_likely(!port->ring->shared)) {
		*position += port->base;
		return DOCA_SUCCESS;
	}
	if (sdpu_likely(comch_msgq_ring_claim(port->ring, position)))
		return DOCA_SUCCESS;
	(void)sdpu_fetch_sub(&port->claimed, 1);
	return DOCA_ERROR_FULL;
}

static inline void comch_msgq_publish(struct comch_msgq_port *port, uint64_t position,
				      uint32_t producer, const uint8_t imm[COMCH_FAST_IMM_MAX],
				      uint32_t imm_len)
{
	struct comch_msgq_message *message = comch_msgq_at(port->ring, position);

	message->producer = producer;
	message->imm_len = imm_len;
	message->place = port->place;
	memcpy(message->imm, imm, COMCH_FAST_IMM_MAX);
	/*
	 * Release: pairs with the acquire in comch_msgq_peek(). All stores to the line go together,
	 * which an exchange would not: the reader, who polls, could have it back between them.
	 */
	sdpu_store_release(&message->seq, (uint32_t)position + 1);
}

static inline void comch_msgq_wake(struct comch_msgq_port *port)
{
	if (port->trigger == NULL) {
		sdpu_ringer_ring(&port->ringer, &port->cold);
		return;
	}
	/* F1 of dpa/trigger.h */
	sdpu_fence_full();
	sdpu_dpa_trigger_raise(port->trigger);
}

/* In a turn. */
static inline doca_error_t comch_msgq_pass(struct comch_msgq_port *port, bool need_credit,
					   uint32_t producer, const uint8_t imm[COMCH_FAST_IMM_MAX],
					   uint32_t imm_len)
{
	uint64_t position;
	doca_error_t result = comch_msgq_claim(port, need_credit, &position);

	if (sdpu_unlikely(result != DOCA_SUCCESS))
		return result;
	comch_msgq_publish(port, position, producer, imm, imm_len);
	comch_msgq_wake(port);
	return DOCA_SUCCESS;
}

/* One message, of a producer whose turn that is. All 32 bytes of imm are readable. */
static inline doca_error_t comch_msgq_send(struct comch_msgq_turn *turn,
					   struct comch_msgq_port *port, bool need_credit,
					   uint32_t producer, const uint8_t imm[COMCH_FAST_IMM_MAX],
					   uint32_t imm_len)
{
	uint32_t number = turn->turn;
	doca_error_t result;

	sdpu_store(&turn->turn, number + 1);
	result = comch_msgq_pass(port, need_credit, producer, imm, imm_len);
	/* release: pairs with the acquire in msgq_wait_for_turn() */
	sdpu_store_release(&turn->turn, number + 2);
	return result;
}

#endif
