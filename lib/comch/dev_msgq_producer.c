/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Device functions of producers; contract in msgq_producer.h. In a kernel, on its strand. What they
 * are given is read before the guard, as it may fault.
 */
#include <doca_dpa_dev_comch_msgq.h>

#include "base/log.h"
#include "comch/msgq_producer.h"
#include "dpa/copy.h"
#include "dpa/dpa.h"
#include "dpa/handle.h"
#include "dpa/strand.h"

/* One message, as it was taken from the kernel. */
struct dev_send {
	struct comch_msgq_producer *producer;
	uint32_t consumer;
	uint32_t imm_len;
	bool report; /* success, too */
	uint8_t imm[COMCH_FAST_IMM_MAX];
};

struct dev_copy {
	doca_dpa_dev_mmap_t dst, src;
	uint64_t dst_addr, src_addr;
	size_t len;
};

/* Bits of `told`. */
enum dev_failure {
	DEV_NO_SLOT = 1,
	DEV_NO_CONSUMER = 2,
	DEV_LONG = 4,
	DEV_FULL = 8,
	DEV_COPY = 16
};

static struct comch_msgq_producer *open_producer(const char *call, uint64_t handle)
{
	struct sdpu_dpa_head *head = sdpu_dpa_handle_open(call, handle, SDPU_DPA_KIND_PRODUCER);

	return sdpu_container_of(head, struct comch_msgq_producer, head);
}

static void send_take(struct dev_send *send, const char *call, uint64_t handle, const uint8_t *imm,
		      uint32_t imm_len)
{
	send->producer = open_producer(call, handle);
	if (sdpu_unlikely(imm_len > COMCH_FAST_IMM_MAX || (imm == NULL && imm_len != 0)))
		sdpu_dpa_fatal("%s: %u bytes of immediate data at %p; needed: at most %d", call,
			       imm_len, (const void *)imm, COMCH_FAST_IMM_MAX);
	send->imm_len = imm_len;
	if (sdpu_likely(imm_len == COMCH_FAST_IMM_MAX)) {
		memcpy(send->imm, imm, COMCH_FAST_IMM_MAX); /* inlined, as the length is constant */
		return;
	}
	memset(send->imm, 0, sizeof(send->imm));
	if (imm_len != 0)
		memcpy(send->imm, imm, imm_len);
}

/* True: the first failure of this sort, which is logged. */
static bool send_tell(const struct dev_send *send, enum dev_failure failure)
{
	uint32_t *told = &send->producer->told;

	if (*told & failure)
		return false;
	*told |= failure;
	return true;
}

__attribute__((cold, noinline)) static void
send_explain(const char *call, const struct dev_send *send, doca_error_t result)
{
	uint32_t id = send->producer->member.id;

	if (result == DOCA_ERROR_NOT_FOUND && send_tell(send, DEV_NO_CONSUMER))
		sdpu_log_warn("%s: producer %u: consumer %u does not exist or is not started; "
			      "messages to it are dropped (this is said once)",
			      call, id, send->consumer);
	else if (result == DOCA_ERROR_INVALID_VALUE && send_tell(send, DEV_LONG))
		sdpu_log_warn("%s: producer %u: %u bytes are more than consumer %u takes "
			      "(doca_comch_consumer_set_imm_data_len); such messages are dropped "
			      "(this is said once)",
			      call, id, send->imm_len, send->consumer);
	else if (result == DOCA_ERROR_FULL && send_tell(send, DEV_FULL))
		sdpu_log_warn("%s: producer %u: consumer %u has no receive posted, and no room for "
			      "more messages that wait for one; they are dropped (this is said "
			      "once). Post receives in time, or ask "
			      "doca_dpa_dev_comch_producer_is_consumer_empty() first",
			      call, id, send->consumer);
}

__attribute__((cold, noinline)) static void send_no_slot(const char *call,
							 const struct dev_send *send)
{
	if (send_tell(send, DEV_NO_SLOT))
		sdpu_log_warn("%s: producer %u: all %u sends are under way; messages are dropped "
			      "(this is said once). Read and ack the elements of its completion, "
			      "or send with DOCA_DPA_DEV_SUBMIT_FLAG_OPTIMIZE_REPORTS",
			      call, send->producer->member.id, send->producer->dev_num_send);
}

static doca_error_t send_message(const struct dev_send *send)
{
	struct comch_msgq_producer *producer = send->producer;
	struct comch_msgq_port *port = comch_msgq_port(producer->member.msgq, send->consumer);

	if (sdpu_unlikely(port == NULL))
		return DOCA_ERROR_NOT_FOUND;
	if (sdpu_unlikely(send->imm_len > sdpu_load(&port->imm_len)))
		return comch_msgq_port_closed(port) ? DOCA_ERROR_NOT_FOUND
						    : DOCA_ERROR_INVALID_VALUE;
	return comch_msgq_send(&producer->turn, port, false, producer->member.id, send->imm,
			       send->imm_len);
}

/* Without room for the element, its slot is free at once. */
static void send_report(const struct dev_send *send, doca_error_t result)
{
	struct comch_msgq_producer *producer = send->producer;
	const struct sdpu_dpa_element element = {
		.type = result == DOCA_SUCCESS ? DOCA_DPA_DEV_COMP_SEND
					       : DOCA_DPA_DEV_COMP_SEND_ERR,
		.user_data = producer->member.id,
		.slots = send->report ? producer->slots : NULL,
	};

	if (!send->report && result == DOCA_SUCCESS)
		return;
	if (!sdpu_dpa_completion_push(producer->completion, &element) && send->report)
		sdpu_dpa_slots_give(producer->slots);
}

static bool send_begin(const char *call, struct dev_send *send, uint32_t consumer, uint32_t flags)
{
	send->consumer = consumer;
	send->report = (flags & DOCA_DPA_DEV_SUBMIT_FLAG_OPTIMIZE_REPORTS) == 0;
	if (!send->report || sdpu_likely(sdpu_dpa_slots_take(send->producer->slots)))
		return true;
	send_no_slot(call, send);
	return false;
}

static void send_run(const char *call, const struct dev_send *send)
{
	doca_error_t result = send_message(send);

	if (sdpu_unlikely(result != DOCA_SUCCESS))
		send_explain(call, send, result);
	send_report(send, result);
}

void doca_dpa_dev_comch_producer_post_send_imm_only(doca_dpa_dev_comch_producer_t producer,
						    uint32_t consumer_id, const uint8_t *imm,
						    uint32_t imm_length, uint32_t flags)
{
	struct sdpu_dpa_strand *strand = sdpu_dpa_strand_enter(__func__);
	struct dev_send send;

	send_take(&send, __func__, producer, imm, imm_length);
	sdpu_dpa_guard_enter(strand);
	if (send_begin(__func__, &send, consumer_id, flags))
		send_run(__func__, &send);
	sdpu_dpa_guard_leave(strand);
}

__attribute__((cold, noinline)) static void copy_explain(const char *call,
							 const struct dev_send *send,
							 const struct dev_copy *copy,
							 doca_error_t result)
{
	if (send_tell(send, DEV_COPY))
		sdpu_log_warn("%s: producer %u: copy of %zu bytes from 0x%llx to 0x%llx: %s; no "
			      "message is sent (this is said once)",
			      call, send->producer->member.id, copy->len,
			      (unsigned long long)copy->src_addr,
			      (unsigned long long)copy->dst_addr, sdpu_dpa_copy_fault(result));
}

/* The copy's stores come before the publish of the message, in this thread. */
static void copy_run(const char *call, const struct dev_send *send, const struct dev_copy *copy)
{
	doca_error_t result =
		sdpu_dpa_copy(copy->dst, copy->dst_addr, copy->src, copy->src_addr, copy->len);

	if (sdpu_likely(result == DOCA_SUCCESS)) {
		send_run(call, send);
		return;
	}
	copy_explain(call, send, copy, result);
	send_report(send, result);
}

void doca_dpa_dev_comch_producer_dma_copy(doca_dpa_dev_comch_producer_t producer,
					  uint32_t consumer_id, doca_dpa_dev_mmap_t dst_mmap,
					  uint64_t dst_addr, doca_dpa_dev_mmap_t src_mmap,
					  uint64_t src_addr, size_t length, const uint8_t *imm,
					  uint32_t imm_length, uint32_t flags)
{
	struct sdpu_dpa_strand *strand = sdpu_dpa_strand_enter(__func__);
	const struct dev_copy copy = {dst_mmap, src_mmap, dst_addr, src_addr, length};
	struct dev_send send;

	send_take(&send, __func__, producer, imm, imm_length);
	sdpu_dpa_guard_enter(strand);
	if (send_begin(__func__, &send, consumer_id, flags))
		copy_run(__func__, &send, &copy);
	sdpu_dpa_guard_leave(strand);
}

int doca_dpa_dev_comch_producer_is_consumer_empty(doca_dpa_dev_comch_producer_t handle,
						  uint32_t consumer_id)
{
	const struct comch_msgq_producer *producer;
	struct comch_msgq_port *port;
	uint64_t claimed;

	(void)sdpu_dpa_strand_enter(__func__);
	producer = open_producer(__func__, handle);
	port = comch_msgq_port(producer->member.msgq, consumer_id);
	if (port == NULL)
		return 1;
	claimed = sdpu_load_acquire(&port->claimed);
	if (claimed & COMCH_MSGQ_CLOSED)
		return 1;
	/* The value seen before is enough most of the time: the consumer writes this line at each
	 * receive. */
	return comch_msgq_credits(sdpu_load(&port->granted_seen), claimed) <= 0 &&
	       comch_msgq_credits(sdpu_load_acquire(&port->granted), claimed) <= 0;
}
