/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Heads of frames to bytes and back; contract in fabric_wire.h. Data path.
 */
#include "rdma/fabric_wire.h"

#include <string.h>

#include "base/bytes.h"

enum head_offset {
	HEAD_AT_KIND = 0,
	HEAD_AT_FLAGS = 1,
	HEAD_AT_WHAT = 2,
	HEAD_AT_ZERO = 3,
	HEAD_AT_LEN = 4,
	HEAD_AT_SEQ = 8,
	HEAD_AT_ACKED = 12,
	HEAD_AT_TAKEN = 16,
	HEAD_AT_CREDIT = 20,
	HEAD_AT_IMMEDIATE = 24,
	HEAD_AT_STATUS = 28,
	HEAD_AT_ZEROS = 30,
	HEAD_AT_ADDR = FABRIC_HEAD_SHORT,
	HEAD_AT_SIZE = 40,
	HEAD_AT_KEY = FABRIC_HEAD_MIDDLE,
	HEAD_AT_COMPARE = FABRIC_HEAD_REQUEST,
};
_Static_assert(FABRIC_HEAD_REQUEST <= FABRIC_HEAD_MAX, "beside a full payload");
_Static_assert(FABRIC_HEAD_LONG <= FABRIC_COPIED_MAX, "heads alone are copied by the link");

/* What frames of a kind may look like. */
struct shape {
	uint8_t flags;
	uint8_t whats;	  /* values of `what` */
	uint32_t payload; /* at most */
};

static const struct shape shapes[FABRIC_KINDS] = {
	[FABRIC_ACK] = {0, 1, 0},
	[FABRIC_SEND] = {FABRIC_IMMEDIATE | FABRIC_NOTICE, 1, FABRIC_PAYLOAD_MAX},
	[FABRIC_OFFER] = {FABRIC_IMMEDIATE, 1, 0},
	[FABRIC_WRITE] = {FABRIC_NOTICE, FABRIC_REQUESTS, FABRIC_PAYLOAD_MAX},
	[FABRIC_READ] = {0, 1, 0},
	[FABRIC_ATOMIC] = {0, SDPU_ATOMIC_CMP_SWP + 1, 0},
	[FABRIC_PULL] = {0, FABRIC_LANE_WRITE + 1, 0},
	[FABRIC_DATA] = {0, FABRIC_LANES, FABRIC_PAYLOAD_MAX},
	[FABRIC_RESULT] = {0, 1, 0},
	[FABRIC_BREAK] = {0, 1, 0},
};

uint32_t fabric_head_write(const struct fabric_head *head, uint8_t out[FABRIC_HEAD_LONG])
{
	uint32_t len = fabric_head_len((enum fabric_kind)head->kind);

	out[HEAD_AT_KIND] = head->kind;
	out[HEAD_AT_FLAGS] = head->flags;
	out[HEAD_AT_WHAT] = head->what;
	out[HEAD_AT_ZERO] = 0;
	sdpu_put_u32(out + HEAD_AT_LEN, head->len);
	sdpu_put_u32(out + HEAD_AT_SEQ, head->seq);
	sdpu_put_u32(out + HEAD_AT_ACKED, head->acked);
	sdpu_put_u32(out + HEAD_AT_TAKEN, head->taken);
	sdpu_put_u32(out + HEAD_AT_CREDIT, head->credit);
	memcpy(out + HEAD_AT_IMMEDIATE, &head->immediate, sizeof(head->immediate));
	sdpu_put_u16(out + HEAD_AT_STATUS, head->status);
	sdpu_put_u16(out + HEAD_AT_ZEROS, 0);
	if (len >= FABRIC_HEAD_MIDDLE) {
		sdpu_put_u64(out + HEAD_AT_ADDR, head->addr);
		sdpu_put_u64(out + HEAD_AT_SIZE, head->size);
	}
	if (len >= FABRIC_HEAD_REQUEST)
		memcpy(out + HEAD_AT_KEY, head->key, SDPU_KEY_SIZE);
	if (len >= FABRIC_HEAD_LONG)
		sdpu_put_u64(out + HEAD_AT_COMPARE, head->compare);
	return len;
}

static void head_get(const uint8_t *bytes, struct fabric_head *head)
{
	uint32_t len = fabric_head_len((enum fabric_kind)bytes[HEAD_AT_KIND]);

	memset(head, 0, sizeof(*head));
	head->kind = bytes[HEAD_AT_KIND];
	head->flags = bytes[HEAD_AT_FLAGS];
	head->what = bytes[HEAD_AT_WHAT];
	head->len = sdpu_get_u32(bytes + HEAD_AT_LEN);
	head->seq = sdpu_get_u32(bytes + HEAD_AT_SEQ);
	head->acked = sdpu_get_u32(bytes + HEAD_AT_ACKED);
	head->taken = sdpu_get_u32(bytes + HEAD_AT_TAKEN);
	head->credit = sdpu_get_u32(bytes + HEAD_AT_CREDIT);
	memcpy(&head->immediate, bytes + HEAD_AT_IMMEDIATE, sizeof(head->immediate));
	head->status = sdpu_get_u16(bytes + HEAD_AT_STATUS);
	if (len >= FABRIC_HEAD_MIDDLE) {
		head->addr = sdpu_get_u64(bytes + HEAD_AT_ADDR);
		head->size = sdpu_get_u64(bytes + HEAD_AT_SIZE);
	}
	if (len >= FABRIC_HEAD_REQUEST)
		memcpy(head->key, bytes + HEAD_AT_KEY, SDPU_KEY_SIZE);
	if (len >= FABRIC_HEAD_LONG)
		head->compare = sdpu_get_u64(bytes + HEAD_AT_COMPARE);
}

/* What becomes of requests, and why a link is broken. */
static bool is_status(uint16_t status)
{
	switch (status) {
	case DOCA_SUCCESS:
	case DOCA_ERROR_NOT_PERMITTED:
	case DOCA_ERROR_INVALID_VALUE:
	case DOCA_ERROR_IO_FAILED:
	case DOCA_ERROR_CONNECTION_RESET:
		return true;
	default:
		return false;
	}
}

/* Payload and size belong together. */
static bool is_sized(const struct fabric_head *head)
{
	switch (head->kind) {
	case FABRIC_WRITE:
		return head->size != 0 && (head->len == 0 || head->len == head->size);
	case FABRIC_READ:
		return head->size != 0 && head->size <= FABRIC_PAYLOAD_MAX;
	case FABRIC_OFFER:
		return head->size > FABRIC_SMALL;
	case FABRIC_DATA:
		return head->len != 0;
	default:
		return (head->flags & FABRIC_NOTICE) == 0 || head->len == 0;
	}
}

const char *fabric_head_read(const uint8_t *bytes, uint32_t len, struct fabric_head *head)
{
	const struct shape *shape;
	uint32_t head_len;

	if (len < FABRIC_HEAD_SHORT)
		return "shorter than any head";
	if (bytes[HEAD_AT_KIND] < FABRIC_ACK || bytes[HEAD_AT_KIND] >= FABRIC_KINDS)
		return "of no known kind";
	shape = &shapes[bytes[HEAD_AT_KIND]];
	head_len = fabric_head_len((enum fabric_kind)bytes[HEAD_AT_KIND]);
	if (len < head_len)
		return "shorter than its head";
	head_get(bytes, head);
	if (head->len > shape->payload || head->len != len - head_len)
		return "of another length than it says";
	if ((head->flags & ~shape->flags) != 0 || head->what >= shape->whats ||
	    bytes[HEAD_AT_ZERO] != 0 || bytes[HEAD_AT_ZEROS] != 0 || bytes[HEAD_AT_ZEROS + 1] != 0)
		return "with values that none has";
	if (!is_status(head->status))
		return "with a status that none has";
	if (!is_sized(head))
		return "of a size that none has";
	return NULL;
}
