/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Doorbell between processes: no event is lost, whoever makes the fences, and whatever of it is
 * forbidden to one of the two, from the beginning or later.
 */
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bus/bell.h"
#include "bus/process.h"
#include "bus/sock.h"
#include "forbid.h"
#include "t.h"

#define ROUNDS (T_WITH_TSAN || T_WITH_ASAN ? 5000u : 25000u)
#define NEVER UINT32_MAX
#define NO_FILTERS 2

struct word {
	uint32_t round;
	uint8_t pad[60];
};

/* Two processes that answer each other. */
struct match {
	struct word *words; /* shared; [s] is written by side s */
	int socks[2];
	uint32_t forbidden_from[2]; /* round; 0: before anything else; NEVER */
};

struct side {
	const struct match *match;
	uint32_t me;
	uint32_t random;
	uint32_t cold; /* never */
	struct sdpu_bell bell;
	struct sdpu_ringer ringer;
};

static uint32_t random_below(struct side *side, uint32_t limit)
{
	side->random = side->random * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)side->random * limit >> 32);
}

static void meet(struct side *side)
{
	static struct sdpu_record record;
	int sock = side->match->socks[side->me], fds[SDPU_BELL_FDS];

	T_OK(sdpu_bell_create(&side->bell));
	T_OK(sdpu_bell_add(&side->bell, sock));
	sdpu_bell_fds(&side->bell, fds);
	T_OK(sdpu_sock_send(sock, "bell", 4, fds, SDPU_BELL_FDS));
	T_EVENTUALLY(sdpu_sock_recv(sock, &record) == DOCA_SUCCESS, 10000);
	T_OK(sdpu_ringer_open(sdpu_record_take_fd(&record, 0), sdpu_record_take_fd(&record, 1),
			      sock, 0, &side->ringer));
}

static void publish(struct side *side, uint32_t round)
{
	for (volatile uint32_t spin = random_below(side, 256); spin > 0; spin--)
		;
	sdpu_store_release(&side->match->words[side->me].round, round);
	sdpu_ringer_ring(&side->ringer, &side->cold);
}

static bool has_come(const struct side *side, uint32_t round)
{
	return sdpu_load_acquire(&side->match->words[!side->me].round) == round;
}

static void sleep_once(struct side *side, uint32_t round)
{
	struct pollfd handle = {.fd = side->bell.epoll_fd, .events = POLLIN};

	sdpu_bell_arm(&side->bell);
	if (has_come(side, round))
		sdpu_bell_kick(&side->bell);
	if (poll(&handle, 1, 10000) != 1)
		T_FAIL("asleep in round %u: nobody rang", round);
	sdpu_bell_disarm(&side->bell);
}

/* Often the answer comes just when this one falls asleep. */
static void await(struct side *side, uint32_t round)
{
	for (uint32_t polls = random_below(side, 512); polls > 0; polls--) {
		if (has_come(side, round))
			return;
	}
	while (!has_come(side, round))
		sleep_once(side, round);
}

static int play(const struct match *match, uint32_t me)
{
	static struct side side;

	side = (struct side){.match = match, .me = me, .random = me + 1};
	if (match->forbidden_from[me] == 0 && !forbid_call(SYS_membarrier))
		return NO_FILTERS;
	meet(&side);
	T_EQ(side.bell.awake == SDPU_AWAKE && match->forbidden_from[me] == 0, 0);
	for (uint32_t round = 1; round <= ROUNDS; round++) {
		if (round == match->forbidden_from[me] && !forbid_call(SYS_membarrier))
			return NO_FILTERS;
		if (me == 0)
			publish(&side, round);
		await(&side, round);
		if (me == 1)
			publish(&side, round);
	}
	if (match->forbidden_from[me] != NEVER)
		T_EQ(side.bell.awake, SDPU_AWAKE_FENCE);
	return 0;
}

static int play_first(void *match)
{
	return play(match, 0);
}

static int play_second(void *match)
{
	return play(match, 1);
}

/* Not the library's: children of a process in which it has something open cannot use it. */
static void open_match(struct match *match)
{
	T_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, match->socks),
	     0);
	match->words = mmap(NULL, 2 * sizeof(*match->words), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	T_CHECK(match->words != MAP_FAILED);
}

static void run_match(uint32_t first_forbidden_from, uint32_t second_forbidden_from)
{
	struct match match = {.forbidden_from = {first_forbidden_from, second_forbidden_from}};
	pid_t sides[2];
	int status;

	open_match(&match);
	sides[0] = t_fork(play_first, &match);
	sides[1] = t_fork(play_second, &match);
	for (int i = 0; i < 2; i++) {
		status = t_wait(sides[i], 100000);
		if (status == NO_FILTERS)
			T_SKIP("no seccomp filters here");
		T_EQ(status, 0);
	}
}

T_CASE_TIMEOUT(nobody_fences_but_who_goes_to_sleep, 120)
{
	run_match(NEVER, NEVER);
}

T_CASE_TIMEOUT(everybody_fences_where_the_kernel_does_not, 120)
{
	run_match(0, 0);
}

T_CASE_TIMEOUT(one_cannot_be_fenced_by_the_other_nor_fence_it, 120)
{
	run_match(0, NEVER);
}

T_CASE_TIMEOUT(the_fence_is_forbidden_to_one_later, 120)
{
	run_match(NEVER, ROUNDS / 2);
}

T_CASE_TIMEOUT(the_fence_is_forbidden_to_both_later, 120)
{
	run_match(ROUNDS / 3, ROUNDS / 2);
}

static int lose(void *arg)
{
	struct sdpu_bell *bell = arg;
	struct sdpu_ringer ringer;
	uint32_t never = 0;

	T_OK(sdpu_bell_create(bell));
	ringer = sdpu_ringer_own(bell, 0);
	if (!forbid_call(SYS_membarrier))
		return NO_FILTERS;
	sdpu_bell_arm(bell);
	T_CHECK(sdpu_load(&bell->armed->armed) >= SDPU_ASLEEP);
	sdpu_ringer_ring(&ringer, &never);
	T_EQ(poll(&(struct pollfd){.fd = bell->epoll_fd, .events = POLLIN}, 1, 0), 1);
	sdpu_bell_disarm(bell);
	T_EQ(sdpu_load(&bell->armed->armed), SDPU_AWAKE_FENCE);
	sdpu_bell_fence(bell);
	sdpu_bell_destroy(bell);
	return 0;
}

T_CASE(who_loses_the_fence_says_so)
{
	static struct sdpu_bell bell;
	int status = t_wait(t_fork(lose, &bell), 10000);

	if (status == NO_FILTERS)
		T_SKIP("no seccomp filters here");
	T_EQ(status, 0);
}
