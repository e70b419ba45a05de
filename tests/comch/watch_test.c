/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What watchers see of Comch: every figure is the true one.
 */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "comch/msgq_kit.h"
#include "comch/path.h"
#include "core/kit.h"
#include "core/watch_kit.h"

static struct path path;
static struct softdpu_watch *watch;

static struct softdpu_object one(enum softdpu_object_kind kind)
{
	return watch_one(watch, kind, 0);
}

static struct softdpu_object connection_of(enum softdpu_object_kind end)
{
	uint32_t parent = one(end).id;

	for (uint32_t nth = 0; nth < 2; nth++) {
		struct softdpu_object object = watch_one(watch, SOFTDPU_OBJECT_CONNECTION, nth);

		if (object.parent == parent)
			return object;
	}
	T_FAIL("no connection of object %u", parent);
}

T_CASE(control_messages_are_counted)
{
	struct softdpu_object object;

	pair_open(&path.pair);
	watch = watch_self();
	T_STREQ(one(SOFTDPU_OBJECT_SERVER).name, PAIR_NAME);
	T_STREQ(one(SOFTDPU_OBJECT_SERVER).device, "0000:03:00.0");
	T_STREQ(one(SOFTDPU_OBJECT_CLIENT).name, PAIR_NAME);
	end_send(&path.pair.client, "seven!!", 7);
	end_send(&path.pair.client, "eight!!!", 8);
	object = connection_of(SOFTDPU_OBJECT_CLIENT);
	T_EQ(object.state, SOFTDPU_STATE_RUNNING);
	T_EQ(object.peer, getpid());
	T_EQ(object.engine, one(SOFTDPU_OBJECT_CLIENT).engine);
	T_EQ(object.sent_messages, 2);
	T_EQ(object.sent_bytes, 15);
	/* Nobody has taken them. */
	object = connection_of(SOFTDPU_OBJECT_SERVER);
	T_EQ(object.queued, 2);
	T_EQ(object.received_messages, 0);
	PAIR_UNTIL(&path.pair, path.pair.client.sent == 2);
	object = connection_of(SOFTDPU_OBJECT_SERVER);
	T_EQ(object.queued, 0);
	T_EQ(object.received_messages, 2);
	T_EQ(object.received_bytes, 15);
	T_EQ(object.sent_messages, 0);
	softdpu_watch_close(watch);
	pair_close(&path.pair);
}

T_CASE(a_connection_goes_with_its_end)
{
	struct softdpu_reading reading;

	pair_open(&path.pair);
	watch = watch_self();
	end_close(&path.pair.client);
	PAIR_UNTIL(&path.pair, path.pair.server.disconnects == 1);
	reading = watch_all(watch);
	T_CHECK(watch_nth(&reading, SOFTDPU_OBJECT_CLIENT, 0) == NULL);
	T_CHECK(watch_nth(&reading, SOFTDPU_OBJECT_CONNECTION, 0) == NULL);
	softdpu_watch_close(watch);
	pair_close(&path.pair);
}

static void send_some(uint32_t num, size_t len)
{
	for (uint32_t i = 0; i < num; i++)
		T_OK(sender_try(&path.sender, path.receiver.id, 0, len, NULL, 0));
}

T_CASE(fast_messages_are_counted)
{
	struct softdpu_object object;

	path_open(&path, 8, 4096, false);
	watch = watch_self();
	receiver_post_all(&path.receiver);
	object = one(SOFTDPU_OBJECT_CONSUMER);
	T_EQ(object.parent, connection_of(SOFTDPU_OBJECT_SERVER).id);
	T_EQ(object.number, path.receiver.id);
	T_EQ(object.peer, getpid());
	T_EQ(object.posted, 8);
	T_EQ(object.queued, 0);
	send_some(3, 64);
	send_some(2, 1000);
	object = one(SOFTDPU_OBJECT_PRODUCER);
	T_EQ(object.parent, connection_of(SOFTDPU_OBJECT_CLIENT).id);
	T_EQ(object.number, 1);
	T_EQ(object.sent_messages, 5);
	T_EQ(object.sent_bytes, 3 * 64 + 2 * 1000);
	object = one(SOFTDPU_OBJECT_CONSUMER);
	T_EQ(object.posted, 3);
	T_EQ(object.queued, 5);
	T_EQ(object.received_messages, 0);
	PATH_UNTIL(&path, path.receiver.got == 5 && path.sender.done == 5);
	object = one(SOFTDPU_OBJECT_CONSUMER);
	T_EQ(object.posted, 3);
	T_EQ(object.queued, 0);
	T_EQ(object.received_messages, 5);
	T_EQ(object.received_bytes, 3 * 64 + 2 * 1000);
	send_some(3, 64);
	T_ERR(sender_try(&path.sender, path.receiver.id, 0, 64, NULL, 0), DOCA_ERROR_AGAIN);
	T_EQ(one(SOFTDPU_OBJECT_PRODUCER).again, 1);
	PATH_UNTIL(&path, path.receiver.got == 8);
	softdpu_watch_close(watch);
	path_close(&path);
}

T_CASE(msgqs_show_their_members)
{
	struct doca_dev *dev = kit_open(KIT_DPU);
	struct cpu_consumer consumer = {0};
	struct cpu_producer producer = {0};
	struct doca_comch_msgq *msgq;
	struct softdpu_object object;
	struct doca_pe *pe;

	T_OK(doca_pe_create(&pe));
	msgq = msgq_open(dev, 1, 1);
	watch = watch_self();
	T_EQ(one(SOFTDPU_OBJECT_MSGQ).state, SOFTDPU_STATE_IDLE);
	T_OK(doca_comch_msgq_start(msgq));
	T_EQ(one(SOFTDPU_OBJECT_MSGQ).state, SOFTDPU_STATE_RUNNING);
	cpu_consumer_open(&consumer, msgq, pe, 8);
	cpu_producer_open(&producer, msgq, pe, 8);
	cpu_consumer_post(&consumer, 5);
	cpu_producer_send(&producer, consumer.id, 1);
	cpu_producer_send(&producer, consumer.id, 2);
	object = one(SOFTDPU_OBJECT_CONSUMER);
	T_EQ(object.parent, one(SOFTDPU_OBJECT_MSGQ).id);
	T_EQ(object.number, consumer.id);
	T_EQ(object.posted, 3);
	PE_UNTIL(pe, consumer.got == 2 && producer.done == 2);
	object = one(SOFTDPU_OBJECT_CONSUMER);
	T_EQ(object.received_messages, 2);
	T_EQ(object.queued, 0);
	object = one(SOFTDPU_OBJECT_PRODUCER);
	T_EQ(object.parent, one(SOFTDPU_OBJECT_MSGQ).id);
	T_EQ(object.sent_messages, 2);
	softdpu_watch_close(watch);
	cpu_producer_close(&producer);
	cpu_consumer_close(&consumer);
	msgq_close(msgq);
	T_OK(doca_pe_destroy(pe));
	T_OK(doca_dev_close(dev));
}

struct reader {
	pthread_t thread;
	uint32_t stop;
	uint32_t readings;
};

/* Figures never run backwards. */
static void *read_on(void *arg)
{
	struct reader *reader = arg;
	struct softdpu_watch *own = watch_self();
	struct softdpu_reading reading;
	uint64_t last = 0;
	uint32_t id = 0; /* of the producer that it is of */

	while (__atomic_load_n(&reader->stop, __ATOMIC_ACQUIRE) == 0) {
		const struct softdpu_object *object;

		reading = watch_all(own);
		object = watch_nth(&reading, SOFTDPU_OBJECT_PRODUCER, 0);
		if (object != NULL) {
			T_CHECK(object->id != id || object->sent_messages >= last);
			T_CHECK(object->submitted >= object->completed);
			last = object->sent_messages;
			id = object->id;
		}
		__atomic_fetch_add(&reader->readings, 1, __ATOMIC_RELEASE);
	}
	softdpu_watch_close(own);
	return NULL;
}

/* Twice the objects come and go, with traffic all the while. */
T_CASE_TIMEOUT(readings_do_not_disturb_what_goes_on, 120)
{
	struct reader reader = {0};
	struct doca_dev *dev;

	dev = kit_open(KIT_DPU); /* lest the agent ends between the rounds */
	T_EQ(pthread_create(&reader.thread, NULL, read_on, &reader), 0);
	for (int round = 0; round < 2; round++) {
		uint32_t sent = 0, until = __atomic_load_n(&reader.readings, __ATOMIC_ACQUIRE) + 20;

		memset(&path, 0, sizeof(path));
		path_open(&path, 8, 4096, false);
		path.receiver.repost = true;
		receiver_post_all(&path.receiver);
		while (__atomic_load_n(&reader.readings, __ATOMIC_ACQUIRE) < until) {
			end_send(&path.pair.client, "beside", 6);
			for (int i = 0; i < 4; i++)
				(void)sender_try(&path.sender, path.receiver.id, 0, 200, NULL, 0);
			sent++;
			PATH_UNTIL(&path, path.pair.client.sent == sent &&
						  path.sender.done == path.receiver.got);
		}
		path_close(&path);
	}
	__atomic_store_n(&reader.stop, 1, __ATOMIC_RELEASE);
	pthread_join(reader.thread, NULL);
	T_OK(doca_dev_close(dev));
}
