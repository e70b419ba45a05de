/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two ends in threads of their own, for checkers of races: messages and accesses at full speed, and
 * an engine that changes hands.
 */
#include <pthread.h>
#include <string.h>

#include "rdma/rig.h"

#define ROUNDS 3000
#define DEPTH 16
#define BLOCK 32768

static struct rig_end a, b;
static struct rig_card card_a, card_b;

static size_t length_of(uint64_t number)
{
	static const size_t lengths[] = {8, 64, 200, 64, 9000, 64, 20000};

	return lengths[number % 7];
}

static void turn(struct rig_end *end)
{
	if (!rig_turn(end))
		t_relax(0);
}

static void *receiver(void *arg)
{
	uint64_t posted = 0, seen = 0, number;

	(void)arg;
	while (seen < ROUNDS) {
		for (; posted < ROUNDS && posted - seen < DEPTH; posted++)
			rig_receive(&b, rig_room(&b, (posted % DEPTH) * BLOCK, BLOCK), posted);
		turn(&b);
		for (; seen < b.ok[RIG_RECEIVE]; seen++) {
			memcpy(&number, b.memory + (seen % DEPTH) * BLOCK, sizeof(number));
			T_EQ(number, seen);
		}
	}
	return NULL;
}

/* Each message comes behind a write of the same block. */
static void *sender(void *arg)
{
	uint64_t sent = 0;

	(void)arg;
	while (a.ok[RIG_SEND] < ROUNDS) {
		for (; sent < ROUNDS && sent - a.ok[RIG_SEND] < DEPTH; sent++) {
			size_t at = (sent % DEPTH) * BLOCK, len = length_of(sent);

			memcpy(a.memory + at, &sent, sizeof(sent));
			rig_write(&a, rig_data(&a, at, len),
				  rig_remote_room(&a, &card_b, RIG_SIZE / 2 + at, len), sent);
			rig_send(&a, rig_data(&a, at, len), sent);
		}
		turn(&a);
	}
	return NULL;
}

static void open_both(void)
{
	rig_start(&a);
	rig_start(&b);
	rig_export(&a, &card_a);
	rig_export(&b, &card_b);
	rig_import(&a, &card_b);
}

T_CASE_TIMEOUT(both_at_full_speed, 120)
{
	pthread_t threads[2];

	open_both();
	T_OK(rig_connect(&a, &card_b));
	T_OK(rig_connect(&b, &card_a));
	T_EQ(pthread_create(&threads[0], NULL, receiver, NULL), 0);
	T_EQ(pthread_create(&threads[1], NULL, sender, NULL), 0);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	T_EQ(a.failed[RIG_SEND] + a.failed[RIG_WRITE] + b.failed[RIG_RECEIVE], 0);
	rig_close(&a);
	rig_close(&b);
}

/* Each joins, talks, and stops when it likes, over and over. */
static void *join_one(void *arg)
{
	struct rig_end *end = arg;

	T_OK(rig_connect(end, end == &a ? &card_b : &card_a));
	rig_receive(end, rig_room(end, 0, BLOCK), 1);
	rig_send(end, rig_data(end, BLOCK, 20000), 1);
	while (end->num_events < 2)
		turn(end);
	(void)doca_ctx_stop(end->ctx);
	while (rig_state(end) != DOCA_CTX_STATE_IDLE)
		turn(end);
	return NULL;
}

T_CASE_TIMEOUT(joining_and_stopping_at_the_same_time, 120)
{
	pthread_t thread;

	rig_start(&a);
	rig_start(&b);
	for (int i = 0; i < 100; i++) {
		rig_export(&a, &card_a);
		rig_export(&b, &card_b);
		a.num_events = b.num_events = 0;
		T_EQ(pthread_create(&thread, NULL, join_one, &b), 0);
		join_one(&a);
		pthread_join(thread, NULL);
		T_OK(doca_ctx_start(a.ctx));
		T_OK(doca_ctx_start(b.ctx));
	}
	rig_close(&a);
	rig_close(&b);
}

/* L11: prepared here, progressed there. */
static void *progress_there(void *arg)
{
	struct rig_end *end = arg;

	while (end->ok[RIG_RECEIVE] == 0)
		turn(end);
	return NULL;
}

T_CASE(an_engine_changes_hands)
{
	pthread_t thread;

	open_both();
	T_OK(rig_connect(&a, &card_b));
	T_OK(rig_connect(&b, &card_a));
	rig_receive(&b, rig_room(&b, 0, 64), 1);
	T_EQ(pthread_create(&thread, NULL, progress_there, &b), 0);
	rig_send(&a, rig_data(&a, 0, 64), 1);
	RIG_ALONE(&a, a.ok[RIG_SEND] == 1);
	pthread_join(thread, NULL);
	rig_receive(&b, rig_room(&b, 0, 64), 1);
	rig_send(&a, rig_data(&a, 0, 64), 1);
	RIG_UNTIL(&a, &b, b.ok[RIG_RECEIVE] == 2);
	rig_close(&a);
	rig_close(&b);
}
