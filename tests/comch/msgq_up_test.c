/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MsgQ from the DPA to the CPU: messages, reports and slots, messages that wait, copies, sleeping
 * engines; and round trips over two MsgQs.
 */
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include <doca_mmap.h>

#include "comch/msgq_rig.h"

#define RING 64 /* messages that a consumer of RIG_DEPTH receives has room for */

static struct rig rig;

/* Sends rig.count numbers from 1 on. */
KIT_RPC(send)
{
	struct rig *at = (struct rig *)arg;

	for (uint32_t i = 1; i <= at->count; i++)
		doca_dpa_dev_comch_producer_post_send_imm_only(at->producer, 1, (const uint8_t *)&i,
							       sizeof(i), at->flags);
	return 0;
}

static void send_numbers(uint32_t count, uint32_t flags)
{
	rig.count = count;
	rig.flags = flags;
	T_EQ(kit_rpc(rig.dpa, KIT_FUNC(send), (uintptr_t)&rig), 0);
}

/* Reads the reports; those of failed sends in the upper half. Acks if rig.count is set. */
KIT_RPC(reports)
{
	struct rig *at = (struct rig *)arg;
	doca_dpa_dev_completion_element_t element;
	uint64_t sent = 0, failed = 0;

	while (doca_dpa_dev_get_completion(at->reports, &element)) {
		if (doca_dpa_dev_get_completion_type(element) == DOCA_DPA_DEV_COMP_SEND)
			sent++;
		else if (doca_dpa_dev_get_completion_type(element) == DOCA_DPA_DEV_COMP_SEND_ERR)
			failed++;
		at->last_producer = doca_dpa_dev_get_completion_user_data(element);
	}
	if (at->count != 0)
		doca_dpa_dev_completion_ack(at->reports, sent + failed);
	return failed << 32 | sent;
}

static void check_reports(uint32_t sent, uint32_t failed, bool ack)
{
	rig.count = ack;
	T_EQ(kit_rpc(rig.dpa, KIT_FUNC(reports), (uintptr_t)&rig), (uint64_t)failed << 32 | sent);
}

KIT_RPC(is_empty)
{
	struct rig *at = (struct rig *)arg;

	return (uint64_t)doca_dpa_dev_comch_producer_is_consumer_empty(at->producer, at->count);
}

static uint64_t empty(uint32_t id)
{
	rig.count = id;
	return kit_rpc(rig.dpa, KIT_FUNC(is_empty), (uintptr_t)&rig);
}

KIT_GLOBAL(idle)
{
	doca_dpa_dev_thread_reschedule();
}

KIT_RPC(send_all_bytes)
{
	struct rig *at = (struct rig *)arg;
	uint8_t imm[32];

	for (uint8_t i = 0; i < sizeof(imm); i++)
		imm[i] = i;
	doca_dpa_dev_comch_producer_post_send_imm_only(at->producer, 1, imm, sizeof(imm),
						       DOCA_DPA_DEV_SUBMIT_FLAG_FLUSH);
	return 0;
}

T_CASE(message_arrives_with_its_sender)
{
	rig_open(&rig, KIT_FUNC(idle));
	cpu_consumer_post(&rig.cpu_consumer, 1);
	T_EQ(kit_rpc(rig.dpa, KIT_FUNC(send_all_bytes), (uintptr_t)&rig), 0);
	RIG_UNTIL(&rig, rig.cpu_consumer.got == 1);
	T_EQ(rig.cpu_consumer.producer, 1);
	T_EQ(rig.cpu_consumer.imm_len, 32);
	for (uint8_t i = 0; i < 32; i++)
		T_EQ(rig.cpu_consumer.imm[i], i);
	check_reports(1, 0, true);
	T_EQ(rig.last_producer, 1);
	rig_close(&rig);
}

static uint32_t last_number;

static void check_order(struct cpu_consumer *consumer)
{
	T_EQ(cpu_consumer_number(consumer), ++last_number);
}

T_CASE(messages_wait_for_receives)
{
	rig_open(&rig, KIT_FUNC(idle));
	rig.cpu_consumer.on_message = check_order;
	send_numbers(10, DOCA_DPA_DEV_SUBMIT_FLAG_OPTIMIZE_REPORTS);
	while (doca_pe_progress(rig.pe))
		;
	T_EQ(rig.cpu_consumer.got, 0);
	cpu_consumer_post(&rig.cpu_consumer, 4);
	RIG_UNTIL(&rig, rig.cpu_consumer.got == 4);
	cpu_consumer_post(&rig.cpu_consumer, 6);
	RIG_UNTIL(&rig, rig.cpu_consumer.got == 10);
	rig_close(&rig);
}

T_CASE(is_consumer_empty)
{
	rig_open(&rig, KIT_FUNC(idle));
	T_EQ(empty(1), 1);
	cpu_consumer_post(&rig.cpu_consumer, 2);
	T_EQ(empty(1), 0);
	send_numbers(2, DOCA_DPA_DEV_SUBMIT_FLAG_OPTIMIZE_REPORTS);
	T_EQ(empty(1), 1);
	/* More than posted receives: it stays empty until they are all served. */
	send_numbers(1, DOCA_DPA_DEV_SUBMIT_FLAG_OPTIMIZE_REPORTS);
	RIG_UNTIL(&rig, rig.cpu_consumer.got == 2);
	cpu_consumer_post(&rig.cpu_consumer, 1);
	T_EQ(empty(1), 1);
	cpu_consumer_post(&rig.cpu_consumer, 1);
	T_EQ(empty(1), 0);
	T_EQ(empty(2), 1);
	T_EQ(empty(99), 1);
	rig_close(&rig);
}

T_CASE(full_ring_drops_and_says_so)
{
	rig_open(&rig, KIT_FUNC(idle));
	(void)kit_log();
	send_numbers(RING + 3, DOCA_DPA_DEV_SUBMIT_FLAG_OPTIMIZE_REPORTS);
	/* Failures are reported in spite of the flag. */
	check_reports(0, 3, true);
	T_CHECK(strstr(kit_log(), "doca_dpa_dev_comch_producer_post_send_imm_only: producer 1: "
				  "consumer 1 has no receive posted, and no room") != NULL);
	rig.cpu_consumer.on_message = check_order;
	rig.cpu_consumer.repost = true;
	cpu_consumer_post(&rig.cpu_consumer, RIG_DEPTH);
	RIG_UNTIL(&rig, rig.cpu_consumer.got == RING);
	send_numbers(RING + 1, DOCA_DPA_DEV_SUBMIT_FLAG_OPTIMIZE_REPORTS);
	T_EQ(kit_log_lines(kit_log()), 0);
	rig.cpu_consumer.on_message = NULL;
	rig_close(&rig);
}

T_CASE(slots_are_given_back_by_ack)
{
	rig_open_with(&rig, KIT_FUNC(idle), RIG_DEPTH, RIG_DEPTH, 4);
	rig.cpu_consumer.repost = true;
	cpu_consumer_post(&rig.cpu_consumer, RIG_DEPTH);
	(void)kit_log();
	send_numbers(4, DOCA_DPA_DEV_SUBMIT_FLAG_FLUSH);
	T_EQ(kit_log_lines(kit_log()), 0);
	check_reports(4, 0, false);
	/* Read, but not acked: no slot is free. */
	send_numbers(2, DOCA_DPA_DEV_SUBMIT_FLAG_FLUSH);
	T_CHECK(strstr(kit_log(), "doca_dpa_dev_comch_producer_post_send_imm_only: producer 1: all "
				  "4 sends are under way") != NULL);
	check_reports(0, 0, false);
	RIG_UNTIL(&rig, rig.cpu_consumer.got == 4);
	/* Those that are not reported need none. */
	send_numbers(10, DOCA_DPA_DEV_SUBMIT_FLAG_OPTIMIZE_REPORTS);
	RIG_UNTIL(&rig, rig.cpu_consumer.got == 14);
	rig_close(&rig);
}

KIT_RPC(ack_reports)
{
	struct rig *at = (struct rig *)arg;

	doca_dpa_dev_completion_ack(at->reports, at->count);
	return 0;
}

T_CASE(acked_slots_serve_again)
{
	rig_open_with(&rig, KIT_FUNC(idle), RIG_DEPTH, RIG_DEPTH, 4);
	rig.cpu_consumer.repost = true;
	cpu_consumer_post(&rig.cpu_consumer, RIG_DEPTH);
	for (uint32_t i = 1; i <= 300; i++) {
		send_numbers(4, DOCA_DPA_DEV_SUBMIT_FLAG_FLUSH);
		check_reports(4, 0, false);
		rig.count = 4;
		T_EQ(kit_rpc(rig.dpa, KIT_FUNC(ack_reports), (uintptr_t)&rig), 0);
		RIG_UNTIL(&rig, rig.cpu_consumer.got == 4 * i);
	}
	rig_close(&rig);
}

KIT_RPC(send_nowhere)
{
	struct rig *at = (struct rig *)arg;

	doca_dpa_dev_comch_producer_post_send_imm_only(at->producer, 0, NULL, 0, 0);
	doca_dpa_dev_comch_producer_post_send_imm_only(at->producer, 2, NULL, 0, 0);
	doca_dpa_dev_comch_producer_post_send_imm_only(at->producer, 77, NULL, 0, 0);
	return 0;
}

T_CASE(consumer_that_is_not_there)
{
	rig_open(&rig, KIT_FUNC(idle));
	(void)kit_log();
	T_EQ(kit_rpc(rig.dpa, KIT_FUNC(send_nowhere), (uintptr_t)&rig), 0);
	T_CHECK(strstr(kit_log(), "consumer 0 does not exist") != NULL);
	check_reports(0, 3, true);
	rig_close(&rig);
}

T_CASE(longer_than_the_consumer_takes)
{
	rig_open(&rig, KIT_FUNC(idle));
	(void)doca_ctx_stop(rig.cpu_consumer.ctx);
	T_OK(doca_comch_consumer_set_imm_data_len(rig.cpu_consumer.consumer, 3));
	T_OK(doca_ctx_start(rig.cpu_consumer.ctx));
	(void)kit_log();
	send_numbers(1, DOCA_DPA_DEV_SUBMIT_FLAG_FLUSH);
	T_CHECK(strstr(kit_log(), "4 bytes are more than consumer 1 takes") != NULL);
	check_reports(0, 1, true);
	rig_close(&rig);
}

static doca_dpa_dev_comch_producer_t handles[3];

KIT_GLOBAL(send_as_rank)
{
	uint32_t rank = doca_dpa_dev_thread_rank();

	for (uint32_t i = 1; i <= (uint32_t)arg;) {
		if (doca_dpa_dev_comch_producer_is_consumer_empty(handles[rank], 1)) {
			doca_dpa_dev_yield();
			continue;
		}
		doca_dpa_dev_comch_producer_post_send_imm_only(
			handles[rank], 1, (const uint8_t *)&i, sizeof(i),
			DOCA_DPA_DEV_SUBMIT_FLAG_OPTIMIZE_REPORTS);
		i++;
	}
}

static uint32_t last_of[4];

static void check_order_of_each(struct cpu_consumer *consumer)
{
	T_CHECK(consumer->producer >= 1 && consumer->producer <= 3);
	T_EQ(cpu_consumer_number(consumer), ++last_of[consumer->producer]);
}

T_CASE_TIMEOUT(producers_in_ranks, 120)
{
	struct doca_comch_producer *more[2];

	rig_open(&rig, KIT_FUNC(idle));
	handles[0] = rig.producer;
	for (int i = 0; i < 2; i++) {
		more[i] = rig_dpa_producer(&rig, rig.sent, RIG_DEPTH);
		T_OK(doca_comch_producer_get_dpa_handle(more[i], &handles[i + 1]));
	}
	rig.cpu_consumer.on_message = check_order_of_each;
	rig.cpu_consumer.repost = true;
	cpu_consumer_post(&rig.cpu_consumer, RIG_DEPTH);
	T_OK(doca_dpa_kernel_launch_update_set(rig.dpa, NULL, 0, NULL, 0, 3, KIT_FUNC(send_as_rank),
					       (uint64_t)2000));
	RIG_UNTIL(&rig, rig.cpu_consumer.got == 6000);
	for (int i = 0; i < 2; i++) {
		T_OK(doca_ctx_stop(doca_comch_producer_as_ctx(more[i])));
		T_OK(doca_comch_producer_destroy(more[i]));
	}
	rig_close(&rig);
}

static struct {
	doca_dpa_dev_mmap_t dst, src;
	uint64_t dst_addr, src_addr;
	size_t len;
	uint32_t flags;
} copy;

KIT_RPC(dma_copy)
{
	struct rig *at = (struct rig *)arg;

	doca_dpa_dev_comch_producer_dma_copy(at->producer, 1, copy.dst, copy.dst_addr, copy.src,
					     copy.src_addr, copy.len, (const uint8_t *)"copied", 6,
					     copy.flags);
	return 0;
}

#define MEM (64u << 10)

static uint8_t *copy_open(struct doca_mmap *mmaps[2])
{
	uint8_t *mem = aligned_alloc(4096, 2 * MEM);

	T_CHECK(mem != NULL);
	for (size_t i = 0; i < MEM; i++)
		mem[i] = (uint8_t)(i * 7 + i / 251);
	memset(mem + MEM, 0, MEM);
	for (int i = 0; i < 2; i++)
		mmaps[i] = kit_mmap(rig.dev, mem + i * MEM, MEM, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	T_OK(doca_mmap_dev_get_dpa_handle(mmaps[0], rig.dev, &copy.src));
	T_OK(doca_mmap_dev_get_dpa_handle(mmaps[1], rig.dev, &copy.dst));
	copy.src_addr = (uintptr_t)mem;
	copy.dst_addr = (uintptr_t)mem + MEM;
	return mem;
}

static void copy_close(struct doca_mmap *mmaps[2], uint8_t *mem)
{
	for (int i = 0; i < 2; i++) {
		T_OK(doca_mmap_stop(mmaps[i]));
		T_OK(doca_mmap_destroy(mmaps[i]));
	}
	free(mem);
}

static uint8_t *copied_mem;

/* The receiver finds the copy done. */
static void check_copied(struct cpu_consumer *consumer)
{
	T_EQ(consumer->imm_len, 6);
	T_MEMEQ(consumer->imm, "copied", 6);
	T_MEMEQ(copied_mem + MEM, copied_mem, copy.len);
	memset(copied_mem + MEM, 0, MEM);
}

T_CASE(copy_then_message)
{
	static const size_t lengths[] = {8192, 128, 1, 4097, MEM, 0};
	struct doca_mmap *mmaps[2];

	rig_open(&rig, KIT_FUNC(idle));
	copied_mem = copy_open(mmaps);
	copy.flags = DOCA_DPA_DEV_SUBMIT_FLAG_FLUSH;
	rig.cpu_consumer.on_message = check_copied;
	rig.cpu_consumer.repost = true;
	cpu_consumer_post(&rig.cpu_consumer, 2);
	for (uint32_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		copy.len = lengths[i];
		T_EQ(kit_rpc(rig.dpa, KIT_FUNC(dma_copy), (uintptr_t)&rig), 0);
		RIG_UNTIL(&rig, rig.cpu_consumer.got == i + 1);
		check_reports(1, 0, true);
	}
	copy_close(mmaps, copied_mem);
	rig_close(&rig);
}

T_CASE(copy_that_fails_sends_no_message)
{
	struct doca_mmap *mmaps[2];
	uint8_t *mem;

	rig_open(&rig, KIT_FUNC(idle));
	mem = copy_open(mmaps);
	copy.len = MEM + 1;
	copy.flags = DOCA_DPA_DEV_SUBMIT_FLAG_OPTIMIZE_REPORTS;
	cpu_consumer_post(&rig.cpu_consumer, 1);
	(void)kit_log();
	T_EQ(kit_rpc(rig.dpa, KIT_FUNC(dma_copy), (uintptr_t)&rig), 0);
	T_CHECK(strstr(kit_log(), "no message is sent") != NULL);
	check_reports(0, 1, true);
	while (doca_pe_progress(rig.pe))
		;
	T_EQ(rig.cpu_consumer.got, 0);
	copy_close(mmaps, mem);
	rig_close(&rig);
}

KIT_GLOBAL(echo)
{
	rig_echo((struct rig *)arg);
}

KIT_RPC(post_all)
{
	doca_dpa_dev_comch_consumer_ack(((struct rig *)arg)->consumer, RIG_DEPTH);
	return 0;
}

static void open_echo(void)
{
	rig_open(&rig, KIT_FUNC(echo));
	rig.cpu_consumer.repost = true;
	cpu_consumer_post(&rig.cpu_consumer, RIG_DEPTH);
	T_EQ(kit_rpc(rig.dpa, KIT_FUNC(post_all), (uintptr_t)&rig), 0);
	T_OK(doca_dpa_thread_run(rig.thread));
}

T_CASE_TIMEOUT(round_trips, 120)
{
	open_echo();
	for (uint32_t i = 1; i <= 10000; i++) {
		rig_send(&rig, i);
		RIG_UNTIL(&rig, rig.cpu_consumer.got == i);
		T_EQ(cpu_consumer_number(&rig.cpu_consumer), i);
	}
	rig_close(&rig);
}

T_CASE_TIMEOUT(round_trips_in_a_row, 120)
{
	open_echo();
	rig.cpu_consumer.on_message = check_order;
	for (uint32_t i = 1; i <= 20000; i++)
		rig_send(&rig, i);
	RIG_UNTIL(&rig, rig.cpu_consumer.got == 20000);
	rig_close(&rig);
}

static void sleep_once(void)
{
	struct pollfd handle = {.events = POLLIN};

	T_OK(doca_pe_get_notification_handle(rig.pe, &handle.fd));
	T_OK(doca_pe_request_notification(rig.pe));
	T_EQ(poll(&handle, 1, 10000), 1);
	T_OK(doca_pe_clear_notification(rig.pe, handle.fd));
	while (doca_pe_progress(rig.pe))
		;
}

/* Whatever wake-up is lost is a time-out of poll(). */
T_CASE_TIMEOUT(round_trips_asleep, 120)
{
	open_echo();
	for (uint32_t i = 1; i <= 2000; i++) {
		rig_send(&rig, i);
		while (rig.cpu_consumer.got < i)
			sleep_once();
	}
	rig_close(&rig);
}
