/* SPDX-License-Identifier: BSD-3-Clause */
/* A control message to the server and one of the same size back, both ends polling. */
#include "comch_end.h"
#include "limits.h"
#include "rows.h"

#define MESSAGE_BYTES 64

static struct comch_end end;
static const uint8_t message[MESSAGE_BYTES];

static bool receive(uint64_t number)
{
	return engine_until(end.bench, end.pe, end.received >= number);
}

static bool trip(void *arg)
{
	uint64_t number = end.received + 1;

	(void)arg;
	return comch_end_send(&end, message, sizeof(message)) && receive(number);
}

static enum bench_status ping(struct bench *bench)
{
	if (!comch_end_open(bench, &end) || !engine_sync(bench, end.pe))
		return bench_end(bench);
	return bench_repeat(bench, trip, NULL, 1);
}

static enum bench_status pong(struct bench *bench)
{
	uint64_t number = 0;

	if (comch_end_open(bench, &end) && engine_sync(bench, end.pe)) {
		while (receive(++number) && comch_end_send(&end, message, sizeof(message))) {
		}
	}
	return bench_end(bench);
}

const struct bench_row rows_ctrl_rtt[] = {
	{"ctrl.rtt.64B",
	 "ns",
	 1,
	 {.num_sides = 2, .side = {ping, pong}, .size = MESSAGE_BYTES},
	 {LIMIT_SLOT_TRIP(64)}},
	{0},
};
