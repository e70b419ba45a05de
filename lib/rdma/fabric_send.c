/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Frames out: heads with the counts that go with every one, and the three ways of a payload:
 * copied by the link, read by it where it lies, or from send staging. Contract in fabric_parts.h.
 * Data path.
 */
#include <string.h>

#include "bus/window.h"
#include "rdma/fabric_parts.h"

/* Pieces of a payload beside its head. */
#define SEND_PIECES (FABRIC_IOV_MAX - 1)
/* Longer payloads are read by the kernel where they lie; shorter ones by libfabric itself. */
#define SEND_IN_PLACE_MIN (16u * 1024u)

static void send_told(struct fabric_proto *proto, const struct fabric_head *head)
{
	proto->told_messages = head->acked;
	proto->told_requests = head->taken;
	proto->told_credit = head->credit;
	proto->told_age = 0;
}

/* What iov[0] begins with is the head's place; cookie 0: copied. */
static doca_error_t send_frame(struct fabric_proto *proto, struct fabric_head *head,
			       struct iovec *iov, uint32_t num, uint64_t cookie)
{
	doca_error_t result;

	head->acked = (uint32_t)proto->messages_done;
	head->taken = (uint32_t)proto->requests_done;
	head->credit = proto->eager_given;
	(void)fabric_head_write(head, iov[0].iov_base);
	result = fabric_link_send(proto->link, iov, num, cookie);
	if (sdpu_likely(result == DOCA_SUCCESS))
		send_told(proto, head);
	return result;
}

/* The payload stands behind the place of the head. */
static doca_error_t send_copied(struct fabric_proto *proto, struct fabric_head *head,
				uint8_t frame[FABRIC_COPIED_MAX])
{
	struct iovec iov = {frame, fabric_head_len(head->kind) + head->len};

	return send_frame(proto, head, &iov, 1, 0);
}

doca_error_t fabric_send(struct fabric_proto *proto, struct fabric_head *head)
{
	uint8_t frame[FABRIC_COPIED_MAX];

	return send_copied(proto, head, frame);
}

doca_error_t fabric_send_copied(struct fabric_proto *proto, struct fabric_head *head,
				const void *payload)
{
	uint8_t frame[FABRIC_COPIED_MAX];

	memcpy(frame + fabric_head_len(head->kind), payload, head->len);
	return send_copied(proto, head, frame);
}

/* A frame that the link reads until fabric_send_done(). iov[0] is for its head. */
static doca_error_t send_kept(struct fabric_proto *proto, struct fabric_head *head,
			      struct iovec *iov, uint32_t num, struct fabric_call *call,
			      uint8_t *bulk)
{
	struct fabric_send *send = &proto->sends[proto->next_send % FABRIC_SENDS];
	doca_error_t result;

	if (sdpu_unlikely(proto->next_send - proto->first_send == FABRIC_SENDS))
		return DOCA_ERROR_AGAIN;
	iov[0] = (struct iovec){send->head, fabric_head_len(head->kind)};
	result = send_frame(proto, head, iov, num, proto->next_send + 1ull);
	if (sdpu_unlikely(result != DOCA_SUCCESS))
		return result;
	send->call = call;
	send->bulk = bulk;
	if (call != NULL)
		call->sending++;
	proto->next_send++;
	return DOCA_SUCCESS;
}

void fabric_send_done(struct fabric_proto *proto)
{
	struct fabric_send *send = &proto->sends[proto->first_send++ % FABRIC_SENDS];

	if (send->call != NULL)
		send->call->sending--;
	if (send->bulk != NULL)
		fabric_bulk_give(proto, send->bulk);
}

void fabric_send_drop_all(struct fabric_proto *proto)
{
	while (proto->first_send != proto->next_send)
		fabric_send_done(proto);
}

doca_error_t fabric_send_bulk(struct fabric_proto *proto, struct fabric_head *head, uint8_t *bulk)
{
	struct iovec iov[2];

	iov[1].iov_base = bulk;
	iov[1].iov_len = head->len;
	return send_kept(proto, head, iov, 2, NULL, bulk);
}

/* From [offset, offset + len) of the vec; returns the number of pieces. */
static uint32_t vec_cut(const struct rdma_vec *vec, uint64_t offset, size_t len, struct iovec *iov)
{
	uint32_t num = 0;

	for (uint32_t i = 0; i < vec->num && len != 0; i++) {
		const struct iovec *piece = &vec->piece[i];
		size_t n;

		if (offset >= piece->iov_len) {
			offset -= piece->iov_len;
			continue;
		}
		n = piece->iov_len - offset < len ? piece->iov_len - offset : len;
		iov[num].iov_base = (uint8_t *)piece->iov_base + offset;
		iov[num++].iov_len = n;
		offset = 0;
		len -= n;
	}
	return num;
}

/* From [0, head->len) of the operation's memory to send staging. */
static doca_error_t send_gathered(struct fabric_proto *proto, struct fabric_head *head,
				  const struct rdma_vec *vec)
{
	uint8_t *bulk = fabric_bulk_take(proto);
	doca_error_t result;

	if (bulk == NULL)
		return DOCA_ERROR_AGAIN;
	rdma_vec_gather(vec, bulk, head->len);
	result = fabric_send_bulk(proto, head, bulk);
	if (result != DOCA_SUCCESS)
		fabric_bulk_give(proto, bulk);
	return result;
}

/* To a place that goes with the frame. */
static doca_error_t send_small(struct fabric_proto *proto, struct fabric_head *head,
			       const struct rdma_vec *vec)
{
	struct iovec iov[2];

	if (sdpu_unlikely(proto->next_send - proto->first_send == FABRIC_SENDS))
		return DOCA_ERROR_AGAIN;
	iov[1].iov_base = proto->memory->out[proto->next_send % FABRIC_SENDS];
	iov[1].iov_len = head->len;
	rdma_vec_gather(vec, iov[1].iov_base, head->len);
	return send_kept(proto, head, iov, 2, NULL, NULL);
}

doca_error_t fabric_send_op(struct fabric_proto *proto, struct fabric_head *head,
			    struct fabric_call *call)
{
	const struct rdma_vec *vec = &call->op->vec;
	uint8_t frame[FABRIC_COPIED_MAX];
	struct iovec iov[FABRIC_IOV_MAX];

	if (head->len <= FABRIC_COPIED_MAX - fabric_head_len(head->kind)) {
		rdma_vec_gather(vec, frame + fabric_head_len(head->kind), head->len);
		return send_copied(proto, head, frame);
	}
	if (head->len <= FABRIC_SMALL)
		return send_small(proto, head, vec);
	if (head->len < SEND_IN_PLACE_MIN || vec->num > SEND_PIECES)
		return send_gathered(proto, head, vec);
	memcpy(iov + 1, vec->piece, vec->num * sizeof(iov[0]));
	return send_kept(proto, head, iov, 1 + vec->num, call, NULL);
}

/* Copied by the kernel, as the memory may not exist any more. */
static doca_error_t gather_safely(const struct iovec *iov, uint32_t num, uint8_t *to)
{
	doca_error_t result = DOCA_SUCCESS;

	for (uint32_t i = 0; i < num && result == DOCA_SUCCESS; i++) {
		result = sdpu_own_copy(SDPU_COPY_GET, (uintptr_t)iov[i].iov_base, to,
				       (uint32_t)iov[i].iov_len);
		to += iov[i].iov_len;
	}
	return result;
}

/* The program has freed the task: what the peer gets for memory that is gone does not matter. */
static doca_error_t gather_pulled(const struct fabric_call *call, const struct fabric_head *head,
				  uint8_t *to)
{
	struct iovec iov[RDMA_LIST_MAX];
	uint32_t num = vec_cut(&call->op->vec, head->addr, head->len, iov);

	if (gather_safely(iov, num, to) == DOCA_SUCCESS)
		return DOCA_SUCCESS;
	if (!call->is_freed)
		return DOCA_ERROR_IO_FAILED;
	memset(to, 0, head->len);
	return DOCA_SUCCESS;
}

static doca_error_t send_pulled_copy(struct fabric_proto *proto, struct fabric_head *head,
				     struct fabric_call *call)
{
	uint8_t *bulk = fabric_bulk_take(proto);
	doca_error_t result;

	if (bulk == NULL)
		return DOCA_ERROR_AGAIN;
	result = gather_pulled(call, head, bulk);
	if (result == DOCA_SUCCESS)
		result = fabric_send_bulk(proto, head, bulk);
	if (result != DOCA_SUCCESS)
		fabric_bulk_give(proto, bulk);
	return result;
}

doca_error_t fabric_send_pulled(struct fabric_proto *proto, struct fabric_head *head,
				struct fabric_call *call)
{
	struct iovec iov[1 + RDMA_LIST_MAX];
	uint32_t num = vec_cut(&call->op->vec, head->addr, head->len, iov + 1);

	if (num > SEND_PIECES || head->len < SEND_IN_PLACE_MIN || call->is_freed)
		return send_pulled_copy(proto, head, call);
	return send_kept(proto, head, iov, 1 + num, call, NULL);
}
