/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Frames of a fabric link: what two ends of an RDMA connection say to each other, each in a head of
 * 32 to 72 bytes and perhaps a payload. Integers are little-endian. All of it is untrusted when
 * received: fabric_head_read() judges what a frame says by itself, and the state machines whether
 * it may say so now. Pure functions; any thread. A change of any of it changes
 * FABRIC_HELLO_VERSION.
 *
 *   SEND    a message, whole. NOTICE: of a write with immediate that wrote nothing
 *   OFFER   a message that the receiver pulls when it has room for it
 *   WRITE   a request: payload to addr; without payload: to be pulled. NOTICE: then a message
 *   READ    a request: answered by DATA, or by RESULT when it fails
 *   ATOMIC  a request: answered by RESULT, with the old value
 *   PULL    send the bytes of that offer or write up to there, in DATA of at most 64 KiB
 *   DATA    bytes that were pulled or read
 *   RESULT  of an atomic, or of any request that failed; of a write that succeeded there is none
 *   ACK     nothing but counts
 *   BREAK   the next message can never be received; the link is closed
 *
 * Messages and requests are numbered, each from 0 on. Every head tells what came so far of the
 * other end's: `acked` messages that are done with, `taken` requests that are done with (so that
 * nothing else needs to be said of a write), and how many eager frames it may have sent: frames
 * that stay in the receiver's staging, as they are longer than FABRIC_SMALL. Bytes for which there
 * is no such credit are pulled. So each end bounds what lies in its staging, whatever the other one
 * sends.
 */
#ifndef SDPU_RDMA_FABRIC_WIRE_H
#define SDPU_RDMA_FABRIC_WIRE_H

#include <stdint.h>

#include <doca_error.h>
#include <doca_types.h>

#include "bus/window.h"
#include "rdma/fabric_link.h"

#define FABRIC_SMALL 4096u  /* payload that is copied out of staging when it comes */
#define FABRIC_MESSAGES 32u /* that were sent and are not acked */
#define FABRIC_REQUESTS 16u /* that were sent and are not taken */
/* Heads: the counts; with address and size; with a key; and with what to compare. */
#define FABRIC_HEAD_SHORT 32u
#define FABRIC_HEAD_MIDDLE 48u
#define FABRIC_HEAD_REQUEST (FABRIC_HEAD_MIDDLE + SDPU_KEY_SIZE)
#define FABRIC_HEAD_LONG (FABRIC_HEAD_REQUEST + 8u) /* of a frame without payload */

enum fabric_kind {
	FABRIC_ACK = 1,
	FABRIC_SEND,
	FABRIC_OFFER,
	FABRIC_WRITE,
	FABRIC_READ,
	FABRIC_ATOMIC,
	FABRIC_PULL,
	FABRIC_DATA,
	FABRIC_RESULT,
	FABRIC_BREAK,
	FABRIC_KINDS,
};

enum fabric_flag {
	FABRIC_IMMEDIATE = 1, /* SEND, OFFER: with immediate */
	FABRIC_NOTICE = 2,    /* SEND, WRITE: the message of a write with immediate */
};

/* What is pulled or read; each kind comes in order, whatever comes between. */
enum fabric_lane_kind { FABRIC_LANE_MESSAGE, FABRIC_LANE_WRITE, FABRIC_LANE_READ, FABRIC_LANES };

struct fabric_head {
	uint8_t kind;
	uint8_t flags;
	/* PULL, DATA: enum fabric_lane_kind; ATOMIC: enum sdpu_atomic_kind; WRITE: how many
	 * requests were sent before, and are not known to be taken */
	uint8_t what;
	uint32_t len; /* of the payload */
	uint32_t seq; /* number of the message or request (DATA, PULL, RESULT: which is meant) */
	uint32_t acked;
	uint32_t taken;
	uint32_t credit;
	doca_be32_t immediate; /* bit for bit */
	uint16_t status;       /* RESULT, BREAK: doca_error_t */
	uint64_t addr; /* of memory; DATA: offset in what was pulled; PULL: offset to pull up to */
	uint64_t size; /* OFFER, READ, WRITE: bytes in all; ATOMIC: operand; RESULT: old value */
	uint64_t compare; /* ATOMIC */
	uint8_t key[SDPU_KEY_SIZE];
};

/* Bytes of this kind's head. */
static inline uint32_t fabric_head_len(enum fabric_kind kind)
{
	switch (kind) {
	case FABRIC_OFFER:
	case FABRIC_PULL:
	case FABRIC_DATA:
	case FABRIC_RESULT:
		return FABRIC_HEAD_MIDDLE;
	case FABRIC_WRITE:
	case FABRIC_READ:
		return FABRIC_HEAD_REQUEST;
	case FABRIC_ATOMIC:
		return FABRIC_HEAD_LONG;
	default:
		return FABRIC_HEAD_SHORT;
	}
}

/* Returns them. */
uint32_t fabric_head_write(const struct fabric_head *head, uint8_t out[FABRIC_HEAD_LONG]);
/* NULL, or what is wrong in words. The payload stands behind the head. */
const char *fabric_head_read(const uint8_t *bytes, uint32_t len, struct fabric_head *head);

#endif
