/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A responder whose program sleeps in read() on its standard input, from before the connection is
 * up until all is over, while a peer reads, writes and does atomics in its memory. The scheduler's
 * count of its thread shows that it slept; sums and bytes show that nothing is missing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rdma/rig.h"

#define COUNTERS 8 /* the first words of the memory, for atomics */
#define BYTES_AT (COUNTERS * 8)
#define OPERATIONS 600

static struct rig_end a;
static struct rig_card card;
static uint8_t mirror[RIG_SIZE]; /* what the responder's memory has to be */
static uint64_t added;
static uint32_t swapped;

/* FNV-1a. */
static uint64_t sum_of(const uint8_t *bytes, size_t len)
{
	uint64_t sum = 0xcbf29ce484222325;

	for (size_t i = 0; i < len; i++)
		sum = (sum ^ bytes[i]) * 0x100000001b3;
	return sum;
}

/* ---- The responder ---- */

static void sleep_in_read(int fd)
{
	char word;

	T_EQ(dup2(fd, STDIN_FILENO), STDIN_FILENO);
	rig_say(fd, 'r');
	T_EQ(read(STDIN_FILENO, &word, 1), 1);
}

static int responder(void *arg)
{
	static struct rig_end b;
	struct rig_card mine, theirs;
	int fd = *(int *)arg;
	uint64_t sum;

	rig_start(&b);
	rig_export(&b, &mine);
	rig_put(fd, &mine, sizeof(mine));
	rig_get(fd, &theirs, sizeof(theirs));
	T_OK(rig_connect(&b, &theirs));
	sleep_in_read(fd);
	sum = sum_of(b.memory, b.size);
	rig_put(fd, &sum, sizeof(sum));
	rig_put(fd, b.memory, BYTES_AT);
	rig_close(&b);
	return 0;
}

/* Of its first thread, which runs the program: how often it was given the processor and lost it. */
struct naps {
	char state;
	unsigned long switches;
};

static struct naps naps_of(pid_t pid)
{
	char path[64], line[256];
	struct naps naps = {0};
	unsigned long count;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/status", (int)pid, (int)pid);
	file = fopen(path, "re");
	T_CHECK(file != NULL);
	while (fgets(line, sizeof(line), file) != NULL) {
		(void)sscanf(line, "State: %c", &naps.state);
		if (sscanf(line, "voluntary_ctxt_switches: %lu", &count) == 1 ||
		    sscanf(line, "nonvoluntary_ctxt_switches: %lu", &count) == 1)
			naps.switches += count;
	}
	fclose(file);
	return naps;
}

/* ---- The requester, one operation at a time ---- */

static void write_some(size_t at, size_t len, uint32_t seed)
{
	uint32_t before = a.ok[RIG_WRITE];

	rig_fill(mirror + at, len, seed);
	memcpy(a.memory, mirror + at, len);
	rig_write(&a, rig_data(&a, 0, len), rig_remote_room(&a, &card, at, len), seed);
	RIG_ALONE(&a, a.ok[RIG_WRITE] == before + 1);
}

static void read_some(size_t at, size_t len)
{
	uint32_t before = a.ok[RIG_READ];

	memset(a.memory, 0xee, len);
	rig_read(&a, rig_remote_data(&a, &card, at, len), rig_room(&a, 0, len), 1);
	RIG_ALONE(&a, a.ok[RIG_READ] == before + 1);
	T_MEMEQ(a.memory, mirror + at, len);
}

static uint64_t *counter(uint32_t i)
{
	return (uint64_t *)(void *)mirror + i % COUNTERS;
}

static void expect_old(uint64_t old)
{
	T_MEMEQ(a.memory, &old, sizeof(old));
}

static void add_some(uint32_t i, uint64_t value)
{
	uint64_t old = *counter(i);

	rig_fetch_add(&a, rig_remote_room(&a, &card, i % COUNTERS * 8, 8), rig_room(&a, 0, 8),
		      value, i);
	RIG_ALONE(&a, a.ok[RIG_FETCH_ADD] == added + 1);
	added++;
	expect_old(old);
	*counter(i) = old + value;
}

/* Every other one finds another value than it compares with. */
static void swap_some(uint32_t i, uint64_t value)
{
	uint64_t old = *counter(i);

	rig_cmp_swp(&a, rig_remote_room(&a, &card, i % COUNTERS * 8, 8), rig_room(&a, 0, 8),
		    old + value % 2, value, i);
	RIG_ALONE(&a, a.ok[RIG_CMP_SWP] == swapped + 1);
	swapped++;
	expect_old(old);
	if (value % 2 == 0)
		*counter(i) = value;
}

static void do_some(uint32_t i)
{
	size_t longest = i % 16 == 0 ? RIG_SIZE - BYTES_AT : 5000;
	size_t len = 1 + (size_t)rand() % longest;
	size_t at = BYTES_AT + (size_t)rand() % (RIG_SIZE - BYTES_AT - len + 1);

	switch (i % 4) {
	case 0:
		return write_some(at, len, i);
	case 1:
		return read_some(at, len);
	case 2:
		return add_some(i / 4, (uint64_t)rand() << 34 | (uint64_t)rand());
	default:
		return swap_some(i / 4, (uint64_t)rand());
	}
}

static void compare(void)
{
	uint64_t sum;

	rig_get(*(int *)a.arg, &sum, sizeof(sum));
	T_EQ(sum, sum_of(mirror, sizeof(mirror)));
	rig_get(*(int *)a.arg, a.memory, BYTES_AT);
	T_MEMEQ(a.memory, mirror, BYTES_AT);
}

T_CASE_TIMEOUT(blocked_in_read_on_stdin, 120)
{
	struct rig_card mine;
	struct naps before, after;
	int fd;
	pid_t pid = rig_peer(responder, &fd);

	rig_start(&a);
	a.arg = &fd;
	rig_export(&a, &mine);
	rig_get(fd, &card, sizeof(card));
	rig_put(fd, &mine, sizeof(mine));
	T_EQ(rig_hear(fd), 'r');
	T_EVENTUALLY((before = naps_of(pid)).state == 'S', 5000);
	T_OK(rig_connect(&a, &card));
	rig_import(&a, &card);
	srand(1);
	for (uint32_t i = 0; i < OPERATIONS; i++)
		do_some(i);
	read_some(0, RIG_SIZE);
	after = naps_of(pid);
	T_EQ(after.state, 'S');
	T_EQ(after.switches, before.switches);
	rig_say(fd, 'e');
	compare();
	T_EQ(t_wait(pid, 10000), 0);
	RIG_ALONE(&a, a.disconnects == 1);
	rig_close(&a);
}
