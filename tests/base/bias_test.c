/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bias: alone while there is one user, shared from the second one on, and nothing is lost when the
 * second one comes while the first one works.
 */
#include "base/bias.h"

#include <pthread.h>
#include <stddef.h>
#include <sys/syscall.h>

#include "forbid.h"
#include "t.h"

#define USERS 3
#define ADDS 20000

static struct sdpu_bias bias;
static uint64_t sum;
static uint32_t started;

static void add(void)
{
	if (!sdpu_bias_enter(&bias)) {
		(void)sdpu_fetch_add(&sum, 1);
		return;
	}
	sdpu_store(&sum, sdpu_load(&sum) + 1);
	sdpu_bias_exit(&bias);
}

static void *user(void *arg)
{
	T_CHECK(sdpu_bias_join(&bias, arg));
	(void)sdpu_fetch_add(&started, 1);
	for (int i = 0; i < ADDS; i++)
		add();
	return NULL;
}

T_CASE(the_first_user_has_it_alone_until_a_second_one_joins)
{
	int first, second;

	sdpu_bias_init(&bias);
	if (bias.shared == SDPU_BIAS_NEVER)
		T_SKIP("the kernel has no membarrier");
	T_CHECK(sdpu_bias_join(&bias, &first));
	T_CHECK(sdpu_bias_join(&bias, &first));
	T_CHECK(sdpu_bias_enter(&bias));
	sdpu_bias_exit(&bias);
	T_CHECK(sdpu_bias_join(&bias, &second));
	T_CHECK(!sdpu_bias_enter(&bias));
}

T_CASE(who_joins_after_the_first_one_left_has_it_alone)
{
	int first, second;

	sdpu_bias_init(&bias);
	T_CHECK(sdpu_bias_join(&bias, &first));
	sdpu_bias_leave(&bias, &second);
	sdpu_bias_leave(&bias, &first);
	T_CHECK(sdpu_bias_join(&bias, &second));
	T_EQ(sdpu_bias_enter(&bias), bias.owner != NULL && bias.shared == SDPU_BIAS_ALONE);
}

/* Children: what they forbid themselves is for ever. */
static int join_without_membarrier(void *arg)
{
	bool forbidden_before = *(bool *)arg;
	int first, second;

	if (!forbidden_before)
		sdpu_bias_init(&bias);
	if (!forbid_call(SYS_membarrier))
		return 2;
	if (forbidden_before)
		sdpu_bias_init(&bias);
	T_CHECK(sdpu_bias_join(&bias, &first));
	T_EQ(sdpu_bias_join(&bias, &second), forbidden_before);
	T_CHECK(!sdpu_bias_enter(&bias));
	return 0;
}

T_CASE(who_cannot_fence_the_owner_does_not_join_unless_nobody_was_ever_alone)
{
	for (int i = 0; i < 2; i++) {
		bool forbidden_before = i == 1;
		int status = t_wait(t_fork(join_without_membarrier, &forbidden_before), 10000);

		if (status == 2)
			T_SKIP("no seccomp filters here");
		T_EQ(status, 0);
	}
}

T_CASE(nothing_is_lost_when_it_becomes_shared)
{
	pthread_t threads[USERS];
	char names[USERS]; /* of which only the addresses matter */

	for (int round = 0; round < 20; round++) {
		sdpu_bias_init(&bias);
		sum = 0;
		started = 0;
		T_EQ(pthread_create(&threads[0], NULL, user, &names[0]), 0);
		/* The others join while it is at work, or after it. */
		T_EVENTUALLY(sdpu_load_acquire(&started) == 1, 10000);
		for (int i = 1; i < USERS; i++)
			T_EQ(pthread_create(&threads[i], NULL, user, &names[i]), 0);
		for (int i = 0; i < USERS; i++)
			pthread_join(threads[i], NULL);
		T_EQ(sum, USERS * ADDS);
	}
}
