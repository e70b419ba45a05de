/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Completions: life, elements, and how they trigger threads. What pushes elements here is a queue
 * of asynchronous copies; what kernels work on is static.
 */
#include <doca_dpa_dev_buf.h>
#include <doca_sync_event.h>

#include "dpa/kit.h"

#define NULL_REFUSED(call) T_ERR(call, DOCA_ERROR_INVALID_VALUE)
#define QUEUE 16

/* A completion with a queue of copies, and what kernels are told of them. */
struct line {
	struct doca_dpa *dpa;
	struct doca_dpa_completion *comp;
	struct doca_dpa_async_ops *async;
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	doca_dpa_dev_completion_t comp_handle;
	doca_dpa_dev_async_ops_t async_handle;
	doca_dpa_dev_mmap_t mmap_handle;
	uint8_t memory[64];

	uint32_t count; /* asked of a kernel */
	uint32_t runs;	/* of the thread; atomic */
	uint32_t read;	/* elements, by the thread; atomic */
	bool arms;	/* the thread does, at the end of a run */
};

static struct line line;

static struct doca_dpa_completion *make(struct doca_dpa *dpa, unsigned int size)
{
	struct doca_dpa_completion *comp;

	T_OK(doca_dpa_completion_create(dpa, size, &comp));
	return comp;
}

static void attach_async(unsigned int size, uint64_t user_data)
{
	T_OK(doca_dpa_async_ops_create(line.dpa, size, user_data, &line.async));
	T_OK(doca_dpa_async_ops_attach(line.async, line.comp));
	T_OK(doca_dpa_async_ops_start(line.async));
	T_OK(doca_dpa_async_ops_get_dpa_handle(line.async, &line.async_handle));
}

/* thread: NULL for none. */
static void line_open(struct doca_dpa_thread *thread, unsigned int size)
{
	line.comp = make(line.dpa, size);
	if (thread != NULL)
		T_OK(doca_dpa_completion_set_thread(line.comp, thread));
	T_OK(doca_dpa_completion_start(line.comp));
	T_OK(doca_dpa_completion_get_dpa_handle(line.comp, &line.comp_handle));
	attach_async(QUEUE, 0xabcdef);
	line.dev = kit_open(KIT_DPU);
	line.mmap = kit_mmap(line.dev, line.memory, sizeof(line.memory), 0);
	T_OK(doca_mmap_dev_get_dpa_handle(line.mmap, line.dev, &line.mmap_handle));
}

static void line_close(void)
{
	T_OK(doca_mmap_destroy(line.mmap));
	T_OK(doca_dev_close(line.dev));
	T_OK(doca_dpa_async_ops_destroy(line.async));
	T_OK(doca_dpa_completion_destroy(line.comp));
}

KIT_RPC(push)
{
	for (uint32_t i = 0; i < line.count; i++)
		doca_dpa_dev_post_memcpy(line.async_handle, line.mmap_handle,
					 (uintptr_t)line.memory, line.mmap_handle,
					 (uintptr_t)line.memory + 32, 32, 0);
	return 0;
}

static void push_elements(uint32_t count)
{
	line.count = count;
	kit_rpc(line.dpa, KIT_FUNC(push), 0);
}

/* How many there were, all acked. */
KIT_RPC(drain)
{
	doca_dpa_dev_completion_element_t element;
	uint64_t count = 0;

	while (doca_dpa_dev_get_completion(line.comp_handle, &element)) {
		T_EQ(doca_dpa_dev_get_completion_type(element), DOCA_DPA_DEV_COMP_SEND);
		T_EQ(doca_dpa_dev_get_completion_user_data(element), 0xabcdef);
		T_EQ(doca_dpa_dev_get_completion_immediate(element), 0);
		count++;
	}
	doca_dpa_dev_completion_ack(line.comp_handle, count);
	return count;
}

T_CASE(null_is_refused)
{
	struct doca_dpa *dpa = kit_dpa(KIT_DPU);
	struct doca_dpa_completion *comp = make(dpa, 8), *other = NULL;
	struct doca_dpa_thread *thread;
	doca_dpa_dev_completion_t handle;
	unsigned int size;

	NULL_REFUSED(doca_dpa_completion_create(NULL, 8, &other));
	NULL_REFUSED(doca_dpa_completion_create(dpa, 8, NULL));
	NULL_REFUSED(doca_dpa_completion_destroy(NULL));
	NULL_REFUSED(doca_dpa_completion_get_queue_size(NULL, &size));
	NULL_REFUSED(doca_dpa_completion_get_queue_size(comp, NULL));
	NULL_REFUSED(doca_dpa_completion_set_thread(NULL, (struct doca_dpa_thread *)comp));
	NULL_REFUSED(doca_dpa_completion_set_thread(comp, NULL));
	NULL_REFUSED(doca_dpa_completion_get_thread(NULL, &thread));
	NULL_REFUSED(doca_dpa_completion_get_thread(comp, NULL));
	NULL_REFUSED(doca_dpa_completion_start(NULL));
	NULL_REFUSED(doca_dpa_completion_stop(NULL));
	NULL_REFUSED(doca_dpa_completion_get_dpa_handle(NULL, &handle));
	NULL_REFUSED(doca_dpa_completion_get_dpa_handle(comp, NULL));
	T_CHECK(other == NULL);
	T_OK(doca_dpa_completion_destroy(comp));
	kit_dpa_end(dpa);
}

T_CASE(sizes_are_powers_of_two)
{
	static const unsigned int sizes[][2] = {{1, 1}, {2, 2}, {3, 4}, {33, 64}, {4096, 4096}};
	struct doca_dpa *dpa = kit_dpa(KIT_DPU);
	struct doca_dpa_completion *comp = NULL;
	unsigned int size;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		comp = make(dpa, sizes[i][0]);
		T_OK(doca_dpa_completion_get_queue_size(comp, &size));
		T_EQ(size, sizes[i][1]);
		T_OK(doca_dpa_completion_destroy(comp));
	}
	NULL_REFUSED(doca_dpa_completion_create(dpa, 0, &comp));
	NULL_REFUSED(doca_dpa_completion_create(dpa, UINT32_MAX, &comp));
	kit_dpa_end(dpa);
}

T_CASE(states)
{
	struct doca_dev *dev = kit_open(KIT_DPU);
	struct doca_dpa_completion *comp;
	doca_dpa_dev_completion_t handle = 7;
	struct doca_dpa *dpa;

	T_OK(doca_dpa_create(dev, &dpa));
	T_OK(doca_dpa_set_app(dpa, kit_app()));
	comp = make(dpa, 8);
	T_ERR(doca_dpa_completion_start(comp), DOCA_ERROR_BAD_STATE);
	T_OK(doca_dpa_start(dpa));
	T_ERR(doca_dpa_completion_stop(comp), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_completion_get_dpa_handle(comp, &handle), DOCA_ERROR_BAD_STATE);
	T_EQ(handle, 7);
	T_OK(doca_dpa_completion_start(comp));
	T_ERR(doca_dpa_completion_start(comp), DOCA_ERROR_BAD_STATE);
	T_OK(doca_dpa_completion_get_dpa_handle(comp, &handle));
	T_CHECK(handle != 0 && handle != 7);
	T_ERR(doca_dpa_stop(dpa), DOCA_ERROR_IN_USE);
	T_OK(doca_dpa_completion_stop(comp));
	T_OK(doca_dpa_completion_start(comp));
	T_OK(doca_dpa_completion_destroy(comp));
	T_OK(doca_dpa_stop(dpa));
	T_OK(doca_dpa_destroy(dpa));
	T_OK(doca_dev_close(dev));
}

KIT_GLOBAL(nothing)
{
	doca_dpa_dev_thread_reschedule();
}

T_CASE(its_thread_is_started_before_it)
{
	struct doca_dpa *dpa = kit_dpa(KIT_DPU);
	struct doca_dpa_completion *comp = make(dpa, 8);
	struct doca_dpa_thread *thread, *got = NULL;

	T_OK(doca_dpa_completion_get_thread(comp, &got));
	T_CHECK(got == NULL);
	T_OK(doca_dpa_thread_create(dpa, &thread));
	T_OK(doca_dpa_thread_set_func_arg(thread, KIT_FUNC(nothing), 0));
	T_OK(doca_dpa_completion_set_thread(comp, thread));
	T_OK(doca_dpa_completion_get_thread(comp, &got));
	T_CHECK(got == thread);
	T_ERR(doca_dpa_completion_start(comp), DOCA_ERROR_BAD_STATE);
	T_OK(doca_dpa_thread_start(thread));
	T_OK(doca_dpa_completion_start(comp));
	T_ERR(doca_dpa_completion_set_thread(comp, thread), DOCA_ERROR_BAD_STATE);
	T_OK(doca_dpa_completion_destroy(comp));
	T_OK(doca_dpa_thread_destroy(thread));
	kit_dpa_end(dpa);
}

T_CASE(what_reports_to_it_stands_against_stop)
{
	line.dpa = kit_dpa(KIT_DPU);
	line_open(NULL, QUEUE);
	T_ERR(doca_dpa_completion_stop(line.comp), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_completion_destroy(line.comp), DOCA_ERROR_BAD_STATE);
	T_OK(doca_dpa_async_ops_stop(line.async));
	T_OK(doca_dpa_completion_stop(line.comp));
	line_close();
	kit_dpa_end(line.dpa);
}

/* The objects that are left are reachable, and so no leak to a checker. */
T_CASE(without_its_context_it_can_do_nothing)
{
	doca_dpa_dev_completion_t handle;

	line.dpa = kit_dpa(KIT_DPU);
	line.comp = make(line.dpa, 8);
	T_OK(doca_dpa_completion_start(line.comp));
	kit_dpa_end(line.dpa);
	T_ERR(doca_dpa_completion_get_dpa_handle(line.comp, &handle), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_completion_stop(line.comp), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_completion_destroy(line.comp), DOCA_ERROR_BAD_STATE);
}

T_CASE(elements_are_read_and_acked)
{
	line.dpa = kit_dpa(KIT_DPU);
	line_open(NULL, QUEUE);
	T_EQ(kit_rpc(line.dpa, KIT_FUNC(drain), 0), 0);
	for (uint32_t round = 0; round < 5 * QUEUE; round++) {
		push_elements(round % QUEUE);
		T_EQ(kit_rpc(line.dpa, KIT_FUNC(drain), 0), round % QUEUE);
	}
	T_OK(doca_dpa_completion_destroy(make(line.dpa, 1)));
	line_close();
	kit_dpa_end(line.dpa);
}

T_CASE(a_queue_of_one_element)
{
	line.dpa = kit_dpa(KIT_DPU);
	line_open(NULL, 1);
	for (int i = 0; i < 5; i++) {
		push_elements(1);
		T_EQ(kit_rpc(line.dpa, KIT_FUNC(drain), 0), 1);
	}
	line_close();
	kit_dpa_end(line.dpa);
}

T_CASE(a_full_completion_loses_reports_and_says_so)
{
	line.dpa = kit_dpa(KIT_DPU);
	line_open(NULL, 4);
	kit_log();
	push_elements(6);
	T_CONTAINS(kit_log(), "all 4 elements are taken");
	push_elements(1);
	T_STREQ(kit_log(), "");
	T_EQ(kit_rpc(line.dpa, KIT_FUNC(drain), 0), 4);
	push_elements(4);
	T_EQ(kit_rpc(line.dpa, KIT_FUNC(drain), 0), 4);
	line_close();
	kit_dpa_end(line.dpa);
}

KIT_RPC(read_one)
{
	doca_dpa_dev_completion_element_t element = 0;

	return doca_dpa_dev_get_completion(line.comp_handle, &element) ? element : 0;
}

KIT_RPC(type_of)
{
	return doca_dpa_dev_get_completion_type(arg);
}

KIT_RPC(ack)
{
	doca_dpa_dev_completion_ack(line.comp_handle, arg);
	return 0;
}

T_CASE(an_element_stays_until_it_is_acked)
{
	uint64_t first, second;

	line.dpa = kit_dpa(KIT_DPU);
	line_open(NULL, 2);
	push_elements(2);
	first = kit_rpc(line.dpa, KIT_FUNC(read_one), 0);
	second = kit_rpc(line.dpa, KIT_FUNC(read_one), 0);
	T_CHECK(first != 0 && second != 0 && first != second);
	T_EQ(kit_rpc(line.dpa, KIT_FUNC(read_one), 0), 0);
	kit_rpc(line.dpa, KIT_FUNC(ack), 1);
	push_elements(1);
	T_EQ(kit_rpc(line.dpa, KIT_FUNC(type_of), second), DOCA_DPA_DEV_COMP_SEND);
	T_CHECK(kit_rpc(line.dpa, KIT_FUNC(read_one), 0) == first);
	kit_rpc(line.dpa, KIT_FUNC(ack), 2);
	line_close();
	kit_dpa_end(line.dpa);
}

/* One restart forgets elements that were not read. */
T_CASE(stop_forgets_elements)
{
	line.dpa = kit_dpa(KIT_DPU);
	line_open(NULL, QUEUE);
	push_elements(5);
	T_OK(doca_dpa_async_ops_stop(line.async));
	T_OK(doca_dpa_completion_stop(line.comp));
	T_OK(doca_dpa_completion_start(line.comp));
	T_OK(doca_dpa_async_ops_start(line.async));
	T_EQ(kit_rpc(line.dpa, KIT_FUNC(drain), 0), 0);
	push_elements(QUEUE);
	T_EQ(kit_rpc(line.dpa, KIT_FUNC(drain), 0), QUEUE);
	line_close();
	kit_dpa_end(line.dpa);
}

/* Runs once for each trigger, and reads and acks all. */
KIT_GLOBAL(reader)
{
	uint32_t count = (uint32_t)drain(0);

	__atomic_fetch_add(&line.read, count, __ATOMIC_RELEASE);
	if (line.arms)
		doca_dpa_dev_completion_request_notification(line.comp_handle);
	__atomic_fetch_add(&line.runs, 1, __ATOMIC_RELEASE);
	doca_dpa_dev_thread_reschedule();
}

static uint32_t runs(void)
{
	return __atomic_load_n(&line.runs, __ATOMIC_ACQUIRE);
}

static uint32_t elements_read(void)
{
	return __atomic_load_n(&line.read, __ATOMIC_ACQUIRE);
}

static struct doca_dpa_thread *reader_open(bool arms)
{
	struct doca_dpa_thread *thread;

	line.dpa = kit_dpa(KIT_DPU);
	line.arms = arms;
	thread = kit_thread(line.dpa, KIT_FUNC(reader), 0);
	line_open(thread, QUEUE);
	return thread;
}

static void reader_close(struct doca_dpa_thread *thread)
{
	line_close();
	T_OK(doca_dpa_thread_destroy(thread));
	kit_dpa_end(line.dpa);
}

T_CASE(elements_trigger_the_thread)
{
	struct doca_dpa_thread *thread = reader_open(true);

	T_OK(doca_dpa_thread_run(thread));
	for (uint32_t i = 1; i <= 100; i++) {
		push_elements(1);
		T_EVENTUALLY(elements_read() == i, 5000);
	}
	T_CHECK(runs() <= 100);
	reader_close(thread);
}

T_CASE(elements_before_run_count)
{
	struct doca_dpa_thread *thread = reader_open(true);

	push_elements(3);
	T_EQ(runs(), 0);
	T_OK(doca_dpa_thread_run(thread));
	T_EVENTUALLY(runs() == 1, 5000);
	T_EQ(elements_read(), 3);
	reader_close(thread);
}

KIT_RPC(arm)
{
	doca_dpa_dev_completion_request_notification(line.comp_handle);
	return 0;
}

T_CASE(each_arming_triggers_once)
{
	struct doca_dpa_thread *thread = reader_open(false);

	T_OK(doca_dpa_thread_run(thread));
	push_elements(1);
	T_EVENTUALLY(runs() == 1, 5000);
	/* Not armed: nobody comes for it. The RPCs show that time has passed. */
	for (int i = 0; i < 20; i++)
		push_elements(i == 0);
	T_EQ(runs(), 1);
	kit_rpc(line.dpa, KIT_FUNC(arm), 0);
	T_EVENTUALLY(runs() == 2, 5000);
	T_EQ(elements_read(), 2);
	/* Armed and empty: the next element triggers. */
	kit_rpc(line.dpa, KIT_FUNC(arm), 0);
	push_elements(1);
	T_EVENTUALLY(runs() == 3, 5000);
	reader_close(thread);
}

/* Elements come faster than runs: none is forgotten, whenever the thread goes to sleep. */
T_CASE(no_element_is_forgotten)
{
	struct doca_dpa_thread *thread = reader_open(true);
	uint32_t sent = 0;

	T_OK(doca_dpa_thread_run(thread));
	for (uint32_t i = 0; i < 2000; i++) {
		T_EVENTUALLY(sent - elements_read() < QUEUE - 3, 5000);
		push_elements(1 + i % 3);
		sent += 1 + i % 3;
	}
	T_EVENTUALLY(elements_read() == sent, 5000);
	reader_close(thread);
}

#define SENDERS 8
static struct doca_dpa_async_ops *senders[SENDERS];
static doca_dpa_dev_async_ops_t sender_handles[SENDERS];

KIT_GLOBAL(send_by_rank)
{
	for (int i = 0; i < QUEUE; i++)
		doca_dpa_dev_post_memcpy(sender_handles[doca_dpa_dev_thread_rank()],
					 line.mmap_handle, (uintptr_t)line.memory, line.mmap_handle,
					 (uintptr_t)line.memory, 0, 0);
}

KIT_RPC(count_by_sender)
{
	uint32_t counts[SENDERS] = {0};
	doca_dpa_dev_completion_element_t element;
	uint64_t total = 0;

	while (doca_dpa_dev_get_completion(line.comp_handle, &element)) {
		counts[doca_dpa_dev_get_completion_user_data(element)]++;
		total++;
	}
	for (int i = 0; i < SENDERS; i++)
		T_EQ(counts[i], QUEUE);
	doca_dpa_dev_completion_ack(line.comp_handle, total);
	return total;
}

static struct doca_sync_event *event_of_dpa(void)
{
	struct doca_sync_event *event;

	T_OK(doca_sync_event_create(&event));
	T_OK(doca_sync_event_add_publisher_location_dpa(event, line.dpa));
	T_OK(doca_sync_event_add_subscriber_location_cpu(event, line.dev));
	T_OK(doca_sync_event_start(event));
	return event;
}

T_CASE(several_threads_report_to_one)
{
	struct doca_sync_event *event;

	line.dpa = kit_dpa(KIT_DPU);
	line_open(NULL, SENDERS * QUEUE);
	event = event_of_dpa();
	for (uint32_t i = 0; i < SENDERS; i++) {
		T_OK(doca_dpa_async_ops_create(line.dpa, QUEUE, i, &senders[i]));
		T_OK(doca_dpa_async_ops_attach(senders[i], line.comp));
		T_OK(doca_dpa_async_ops_start(senders[i]));
		T_OK(doca_dpa_async_ops_get_dpa_handle(senders[i], &sender_handles[i]));
	}
	for (uint64_t round = 1; round <= 20; round++) {
		T_OK(doca_dpa_kernel_launch_update_set(line.dpa, NULL, 0, event, round, SENDERS,
						       KIT_FUNC(send_by_rank), (uint64_t)0));
		T_OK(doca_sync_event_wait_gt_yield(event, round - 1, UINT64_MAX));
		T_EQ(kit_rpc(line.dpa, KIT_FUNC(count_by_sender), 0), SENDERS * QUEUE);
	}
	for (uint32_t i = 0; i < SENDERS; i++)
		T_OK(doca_dpa_async_ops_destroy(senders[i]));
	T_OK(doca_sync_event_stop(event));
	T_OK(doca_sync_event_destroy(event));
	line_close();
	kit_dpa_end(line.dpa);
}

/* A kernel that does what it may not ends its context, and says why. */
static void expect_fatal(doca_dpa_func_t *func, uint64_t arg, const char *sentence)
{
	uint64_t result;

	kit_log();
	T_ERR(doca_dpa_rpc(line.dpa, func, &result, arg), DOCA_ERROR_DRIVER);
	T_CONTAINS(kit_log(), sentence);
	T_CONTAINS(kit_crash(), sentence);
	T_ERR(doca_dpa_peek_at_last_error(line.dpa), DOCA_ERROR_BAD_STATE);
	line_close();
	kit_dpa_end(line.dpa);
}

T_CASE(more_is_acked_than_was_read)
{
	line.dpa = kit_dpa(KIT_DPU);
	line_open(NULL, QUEUE);
	push_elements(2);
	kit_rpc(line.dpa, KIT_FUNC(read_one), 0);
	expect_fatal(KIT_FUNC(ack), 2, "only 1 were read and not acked");
}

T_CASE(an_element_that_is_none)
{
	line.dpa = kit_dpa(KIT_DPU);
	line_open(NULL, QUEUE);
	expect_fatal(KIT_FUNC(type_of), line.comp_handle,
		     "is the handle of a completion; needed is an element of a completion");
}

KIT_RPC(get_from)
{
	doca_dpa_dev_completion_element_t element;

	return (uint64_t)doca_dpa_dev_get_completion(arg, &element);
}

T_CASE(the_handle_0)
{
	line.dpa = kit_dpa(KIT_DPU);
	line_open(NULL, QUEUE);
	expect_fatal(KIT_FUNC(get_from), 0, "doca_dpa_dev_get_completion: the handle is 0");
}

T_CASE(a_handle_that_is_no_address_of_an_object)
{
	line.dpa = kit_dpa(KIT_DPU);
	line_open(NULL, QUEUE);
	expect_fatal(KIT_FUNC(get_from), line.comp_handle + 1, "is no handle at all");
}

T_CASE(a_handle_of_something_else)
{
	line.dpa = kit_dpa(KIT_DPU);
	line_open(NULL, QUEUE);
	expect_fatal(KIT_FUNC(get_from), line.async_handle,
		     "is the handle of a queue of asynchronous operations");
}

T_CASE(a_handle_of_what_was_stopped)
{
	struct doca_dpa_completion *other;
	doca_dpa_dev_completion_t handle;

	line.dpa = kit_dpa(KIT_DPU);
	line_open(NULL, QUEUE);
	other = make(line.dpa, 4);
	T_OK(doca_dpa_completion_start(other));
	T_OK(doca_dpa_completion_get_dpa_handle(other, &handle));
	T_OK(doca_dpa_completion_stop(other));
	kit_log();
	T_ERR(doca_dpa_rpc(line.dpa, KIT_FUNC(get_from), &handle, handle), DOCA_ERROR_DRIVER);
	T_CONTAINS(kit_log(), "is the handle of nothing that is started");
	kit_crash();
	T_OK(doca_dpa_completion_destroy(other));
	line_close();
	kit_dpa_end(line.dpa);
}
