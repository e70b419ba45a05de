/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What watchers see of RDMA and of memory: every figure is the true one.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/watch_kit.h"
#include "rdma/rig.h"

static struct rig_end a, b;
static struct softdpu_watch *watch;

static struct softdpu_object connection_of(uint32_t nth)
{
	return watch_one(watch, SOFTDPU_OBJECT_RDMA_CONNECTION, nth);
}

/* The connections of `a`, then those of `b`: in order of their making. */
static void open_both(struct rig_card *card_a, struct rig_card *card_b)
{
	rig_init(&a);
	rig_init(&b);
	rig_raise(&a, &b, card_a, card_b);
	watch = watch_self();
}

static void close_both(void)
{
	rig_close(&a);
	rig_close(&b);
	softdpu_watch_close(watch);
}

T_CASE(messages_are_counted)
{
	struct softdpu_object object;

	open_both(NULL, NULL);
	rig_receive(&b, rig_room(&b, 0, 4096), 1);
	rig_receive(&b, rig_room(&b, 4096, 4096), 2);
	rig_receive(&b, rig_room(&b, 8192, 4096), 3);
	T_EQ(watch_one(watch, SOFTDPU_OBJECT_RDMA, 1).posted, 3);
	rig_send(&a, rig_data(&a, 0, 64), 4);
	rig_send(&a, rig_data(&a, 0, 1000), 5);
	object = connection_of(0);
	T_EQ(object.submitted, 2);
	T_EQ(object.completed, 0);
	RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == 2 && a.ok[RIG_SEND] == 2);
	object = connection_of(0);
	T_EQ(object.state, SOFTDPU_STATE_RUNNING);
	T_EQ(object.parent, watch_one(watch, SOFTDPU_OBJECT_RDMA, 0).id);
	T_EQ(object.engine, watch_one(watch, SOFTDPU_OBJECT_RDMA, 0).engine);
	T_EQ(object.peer, getpid());
	T_STREQ(object.how, "local");
	T_EQ(object.completed, 2);
	T_EQ(object.failed, 0);
	T_EQ(object.sent_messages, 2);
	T_EQ(object.sent_bytes, 1064);
	object = connection_of(1);
	T_EQ(object.received_messages, 2);
	T_EQ(object.received_bytes, 1064);
	T_EQ(watch_one(watch, SOFTDPU_OBJECT_RDMA, 1).posted, 1);
	close_both();
}

T_CASE(a_connection_over_the_network_says_by_what)
{
	setenv("SOFTDPU_RDMA", "fabric", 1);
	open_both(NULL, NULL);
	for (uint32_t i = 0; i < 2; i++) {
		struct softdpu_object object = connection_of(i);

		/* Either, by the version of libfabric. */
		T_CHECK(strcmp(object.how, "fabric over net") == 0 ||
			strcmp(object.how, "fabric over tcp") == 0);
	}
	close_both();
}

/* They may wait for ever, and say nothing of how long tasks take. */
T_CASE(receives_are_not_timed)
{
	struct softdpu_object object;

	open_both(NULL, NULL);
	doca_pe_progress(a.pe); /* sees that somebody watches */
	doca_pe_progress(b.pe);
	rig_receive(&b, rig_room(&b, 0, 4096), 1);
	rig_send(&a, rig_data(&a, 0, 64), 2);
	RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == 1 && a.ok[RIG_SEND] == 1);
	object = watch_one(watch, SOFTDPU_OBJECT_RDMA, 0);
	T_EQ(watch_latencies(&object), 1);
	object = watch_one(watch, SOFTDPU_OBJECT_RDMA, 1);
	T_EQ(watch_latencies(&object), 0);
	close_both();
}

T_CASE(reads_and_writes_are_counted)
{
	struct softdpu_object object;
	struct rig_card card;

	open_both(NULL, &card);
	rig_write(&a, rig_data(&a, 0, 5000), rig_remote_room(&a, &card, 0, 5000), 1);
	rig_read(&a, rig_remote_data(&a, &card, 0, 300), rig_room(&a, 8192, 300), 2);
	rig_fetch_add(&a, rig_remote_data(&a, &card, 0, 8), rig_room(&a, 16384, 8), 1, 3);
	RIG_UNTIL(&a, &b, a.ok[RIG_WRITE] == 1 && a.ok[RIG_READ] == 1 && a.ok[RIG_FETCH_ADD] == 1);
	object = connection_of(0);
	T_EQ(object.submitted, 3);
	T_EQ(object.completed, 3);
	T_EQ(object.sent_messages, 0);
	T_EQ(object.sent_bytes, 5000);
	T_EQ(object.received_bytes, 300);
	close_both();
}

T_CASE(failures_are_counted_and_the_end_shows)
{
	struct softdpu_object object;

	open_both(NULL, NULL);
	rig_close(&b);
	RIG_ALONE(&a, a.disconnects == 1);
	rig_send(&a, rig_data(&a, 0, 64), 1);
	RIG_ALONE(&a, a.failed[RIG_SEND] == 1);
	object = connection_of(0);
	T_EQ(object.state, SOFTDPU_STATE_ENDED);
	T_EQ(object.submitted, 1);
	T_EQ(object.completed, 1);
	T_EQ(object.failed, 1);
	close_both();
}

/* Which of the process's own windows begins there. */
static struct softdpu_object window_at(const void *address)
{
	struct softdpu_object object;

	for (uint32_t nth = 0;; nth++) {
		object = watch_one(watch, SOFTDPU_OBJECT_WINDOW, nth);
		if (object.address == (uintptr_t)address)
			return object;
	}
}

T_CASE(memory_shows_who_reaches_it)
{
	struct softdpu_object object;
	struct rig_card card;

	open_both(NULL, &card);
	object = watch_one(watch, SOFTDPU_OBJECT_REACH, 0);
	T_EQ(object.address, (uintptr_t)b.memory);
	T_EQ(object.size, b.size);
	T_EQ(object.peer, getpid());
	T_EQ(object.state, SOFTDPU_STATE_RUNNING);
	T_CHECK(object.how[0] != '\0');
	object = window_at(b.memory);
	T_EQ(object.size, b.size);
	T_EQ(object.permissions, b.mmap_permissions);
	T_EQ(object.number, 1);
	T_OK(doca_mmap_stop(b.mmap));
	T_EQ(watch_one(watch, SOFTDPU_OBJECT_REACH, 0).state, SOFTDPU_STATE_ENDED);
	close_both();
}
