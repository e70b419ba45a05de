/* SPDX-License-Identifier: BSD-3-Clause */
/* One cache line goes to the other core and back: below this no message can travel. */
#include "limits.h"

struct ball {
	struct bench *bench;
	uint64_t *word;
	uint64_t turn;
};

static bool await(struct ball *ball, uint64_t value)
{
	while (__atomic_load_n(ball->word, __ATOMIC_ACQUIRE) != value) {
		if (bench_stopped(ball->bench))
			return false;
	}
	return true;
}

static bool trip(void *arg)
{
	struct ball *ball = arg;

	__atomic_store_n(ball->word, ++ball->turn, __ATOMIC_RELEASE);
	return await(ball, ++ball->turn);
}

enum bench_status limit_cacheline_ping(struct bench *bench)
{
	struct ball ball = {.bench = bench, .word = bench->arena};

	if (!bench_sync(bench))
		return BENCH_FAILED;
	return bench_repeat(bench, trip, &ball, 1);
}

enum bench_status limit_cacheline_pong(struct bench *bench)
{
	struct ball ball = {.bench = bench, .word = bench->arena};

	if (!bench_sync(bench))
		return BENCH_FAILED;
	while (await(&ball, ball.turn + 1)) {
		ball.turn += 2;
		__atomic_store_n(ball.word, ball.turn, __ATOMIC_RELEASE);
	}
	return BENCH_OK;
}
