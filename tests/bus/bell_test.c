/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Doorbell: no event is lost, nobody rings twice for one sleep, and liars do no harm.
 */
#include "t.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bus/bell.h"
#include "bus/process.h"
#include "bus/sock.h"

/* An engine's bell and one peer that rings it, in one process. */
struct pair {
	struct sdpu_bell bell;
	struct sdpu_ringer ringer;
	int engine_sock;
	int peer_sock;
	uint32_t bit;
	uint32_t cold;
};

static int sent(int fd)
{
	return sdpu_fd_own(fcntl(fd, F_DUPFD_CLOEXEC, 0));
}

static void connect_peer(struct pair *pair, struct sdpu_bell *bell)
{
	int s[2], fds[SDPU_BELL_FDS];

	T_OK(sdpu_sock_pair(s));
	pair->engine_sock = s[0];
	pair->peer_sock = s[1];
	T_OK(sdpu_bell_take_bit(bell, &pair->bit));
	T_OK(sdpu_bell_add(bell, s[0]));
	sdpu_bell_fds(bell, fds);
	T_OK(sdpu_ringer_open(sent(fds[0]), sent(fds[1]), s[1], pair->bit, &pair->ringer));
}

static void open_pair(struct pair *pair)
{
	memset(pair, 0, sizeof(*pair));
	T_OK(sdpu_bell_create(&pair->bell));
	connect_peer(pair, &pair->bell);
}

static void close_peer(struct pair *pair, struct sdpu_bell *bell)
{
	sdpu_ringer_close(&pair->ringer);
	sdpu_bell_remove(bell, pair->engine_sock);
	sdpu_bell_give_bit(bell, pair->bit);
	sdpu_fd_close(pair->engine_sock);
	sdpu_fd_close(pair->peer_sock);
}

static void close_pair(struct pair *pair)
{
	close_peer(pair, &pair->bell);
	sdpu_bell_destroy(&pair->bell);
}

static bool is_ready(const struct sdpu_bell *bell)
{
	struct pollfd handle = {.fd = bell->epoll_fd, .events = POLLIN};

	return poll(&handle, 1, 0) == 1;
}

static unsigned int count_records(int sock)
{
	unsigned int n = 0;
	char c;

	while (recv(sock, &c, 1, MSG_DONTWAIT) > 0)
		n++;
	return n;
}

static uint64_t count_kicks(const struct sdpu_bell *bell)
{
	uint64_t n = 0;

	return read(bell->kick_fd, &n, sizeof(n)) < 0 ? 0 : n;
}

T_CASE(rings_once_per_sleep)
{
	struct pair p;

	open_pair(&p);
	for (int i = 0; i < 10; i++)
		sdpu_ringer_ring(&p.ringer, &p.cold);
	T_CHECK(!is_ready(&p.bell));
	T_EQ(count_records(p.engine_sock), 0);
	for (int sleep = 0; sleep < 5; sleep++) {
		sdpu_bell_arm(&p.bell);
		T_CHECK(!is_ready(&p.bell));
		for (int i = 0; i < 10; i++)
			sdpu_ringer_ring(&p.ringer, &p.cold);
		T_CHECK(is_ready(&p.bell));
		if (sleep == 3)
			T_EQ(count_records(p.engine_sock), 1);
		/* Clearing is optional: the next arming does it. */
		if (sleep % 2 == 0)
			sdpu_bell_disarm(&p.bell);
	}
	sdpu_bell_disarm(&p.bell);
	T_CHECK(!is_ready(&p.bell));
	close_pair(&p);
}

T_CASE(kick_makes_ready_attend_only_a_sleeper)
{
	struct pair p;

	open_pair(&p);
	sdpu_bell_kick(&p.bell);
	sdpu_bell_kick(&p.bell);
	T_CHECK(is_ready(&p.bell));
	sdpu_bell_disarm(&p.bell);
	T_CHECK(!is_ready(&p.bell));
	sdpu_bell_attend(&p.bell);
	T_EQ(sdpu_load(&p.bell.attention), 1);
	T_CHECK(!is_ready(&p.bell));
	sdpu_bell_arm(&p.bell);
	sdpu_bell_attend(&p.bell);
	T_CHECK(is_ready(&p.bell));
	close_pair(&p);
}

T_CASE(own_work_rouses_once_per_sleep)
{
	struct pair p;

	open_pair(&p);
	sdpu_bell_rouse(&p.bell);
	T_CHECK(!is_ready(&p.bell));
	for (int sleep = 0; sleep < 3; sleep++) {
		sdpu_bell_arm(&p.bell);
		sdpu_bell_rouse(&p.bell);
		T_CHECK(is_ready(&p.bell));
		sdpu_bell_rouse(&p.bell);
		T_EQ(count_kicks(&p.bell), 1);
		if (sleep == 1)
			sdpu_bell_disarm(&p.bell);
		T_CHECK(!is_ready(&p.bell));
	}
	sdpu_bell_disarm(&p.bell);
	sdpu_bell_rouse(&p.bell);
	T_CHECK(!is_ready(&p.bell));
	close_pair(&p);
}

T_CASE(cold_connection_sets_its_bit)
{
	struct pair p;

	open_pair(&p);
	sdpu_ringer_ring(&p.ringer, &p.cold);
	T_EQ(p.bell.ready->summary, 0);
	p.cold = 1;
	sdpu_ringer_ring(&p.ringer, &p.cold);
	T_EQ(p.bell.ready->summary, 1);
	T_EQ(p.bell.ready->bits[0], 1ull << p.bit);
	close_pair(&p);
}

T_CASE(bits_are_handed_out_once)
{
	struct sdpu_bell bell;
	uint32_t bit, other;

	T_OK(sdpu_bell_create(&bell));
	for (uint32_t i = 0; i < SDPU_READY_BITS; i++) {
		T_OK(sdpu_bell_take_bit(&bell, &bit));
		T_EQ(bit, i);
	}
	T_ERR(sdpu_bell_take_bit(&bell, &other), DOCA_ERROR_FULL);
	sdpu_bell_give_bit(&bell, 777);
	sdpu_bell_give_bit(&bell, SDPU_READY_BITS);
	T_OK(sdpu_bell_take_bit(&bell, &other));
	T_EQ(other, 777);
	sdpu_bell_destroy(&bell);
	sdpu_bell_destroy(&bell);
}

T_CASE(mail_is_left_and_keeps_the_handle_ready)
{
	static struct sdpu_record record;
	struct pair p;

	open_pair(&p);
	sdpu_bell_arm(&p.bell);
	sdpu_ringer_ring(&p.ringer, &p.cold);
	T_OK(sdpu_sock_send(p.peer_sock, "mail", 4, NULL, 0));
	sdpu_bell_disarm(&p.bell);
	T_CHECK(is_ready(&p.bell));
	T_OK(sdpu_sock_recv(p.engine_sock, &record));
	T_MEMEQ(record.bytes, "mail", 4);
	T_CHECK(!is_ready(&p.bell));
	/* One byte, but not a ring. */
	T_OK(sdpu_sock_send(p.peer_sock, "m", 1, NULL, 0));
	sdpu_bell_disarm(&p.bell);
	T_OK(sdpu_sock_recv(p.engine_sock, &record));
	close_pair(&p);
}

T_CASE(hung_up_socket_leaves_the_handle)
{
	struct pair p;

	open_pair(&p);
	sdpu_bell_arm(&p.bell);
	sdpu_ringer_ring(&p.ringer, &p.cold);
	shutdown(p.peer_sock, SHUT_RDWR);
	T_CHECK(is_ready(&p.bell));
	sdpu_bell_disarm(&p.bell);
	T_CHECK(!is_ready(&p.bell));
	/* Ringing a dead one is harmless. */
	sdpu_bell_arm(&p.bell);
	sdpu_ringer_ring(&p.ringer, &p.cold);
	sdpu_bell_remove(&p.bell, p.engine_sock);
	sdpu_bell_remove(&p.bell, p.engine_sock);
	close_pair(&p);
}

T_CASE(flood_of_records_is_bounded)
{
	struct pair p;
	char ring = SDPU_RING_BYTE;
	int rounds = 0;

	open_pair(&p);
	while (send(p.peer_sock, &ring, 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1)
		;
	/* Full, it rings by itself; emptied, the next sleep is rung into. */
	sdpu_bell_arm(&p.bell);
	sdpu_ringer_ring(&p.ringer, &p.cold);
	T_CHECK(is_ready(&p.bell));
	for (; is_ready(&p.bell); rounds++)
		sdpu_bell_disarm(&p.bell);
	T_CHECK(rounds > 0 && rounds < 10000);
	sdpu_bell_arm(&p.bell);
	sdpu_ringer_ring(&p.ringer, &p.cold);
	T_CHECK(is_ready(&p.bell));
	close_pair(&p);
}

T_CASE(false_pages_are_refused)
{
	struct sdpu_ringer ringer = {0};
	struct sdpu_segment small;
	struct pair p;
	int fds[SDPU_BELL_FDS];

	open_pair(&p);
	sdpu_bell_fds(&p.bell, fds);
	T_ERR(sdpu_ringer_open(sent(fds[0]), sent(fds[1]), -1, SDPU_READY_BITS, &ringer),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(sdpu_ringer_open(-1, sent(fds[1]), -1, 0, &ringer), DOCA_ERROR_INVALID_VALUE);
	T_ERR(sdpu_ringer_open(sent(fds[0]), -1, -1, 0, &ringer), DOCA_ERROR_INVALID_VALUE);
	/* The page of ready bits must be writable, which the other one is not. */
	T_ERR(sdpu_ringer_open(sent(fds[1]), sent(fds[0]), -1, 0, &ringer),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(sdpu_segment_create("small", 2 * SDPU_BELL_PAGE, 0, false, &small));
	T_ERR(sdpu_ringer_open(sent(small.fd), sent(fds[1]), -1, 0, &ringer),
	      DOCA_ERROR_INVALID_VALUE);
	T_CHECK(ringer.armed == NULL);
	sdpu_segment_unmap(&small);
	close_pair(&p);
}

/*
 * Senders publish numbers in words that the engine reads; the engine sleeps without a time-out
 * whenever it finds nothing. A lost event leaves it asleep for ever, and the case fails by its
 * time-out.
 */
enum { SENDERS = 3 };

struct traffic {
	struct sdpu_bell bell;
	struct pair peers[SENDERS];
	struct {
		uint64_t tail; /* shared: the sender writes it */
		uint64_t pad[7];
	} words[SENDERS];
	uint64_t head[SENDERS];
	uint32_t warm[SENDERS];
	uint64_t messages;
	uint32_t sleeps;
	bool clears;
	bool cools;
};

struct sender {
	struct traffic *traffic;
	uint32_t index;
};

static void *send_all(void *arg)
{
	const struct sender *sender = arg;
	struct traffic *t = sender->traffic;
	struct pair *peer = &t->peers[sender->index];
	uint32_t random = sender->index + 1;

	for (uint64_t i = 1; i <= t->messages; i++) {
		sdpu_store_release(&t->words[sender->index].tail, i);
		sdpu_ringer_ring(&peer->ringer, &peer->cold);
		random = random * 1664525 + 1013904223;
		for (volatile uint32_t spin = random >> 24; spin > 0; spin--)
			;
		/* Now and then not before the engine has fallen asleep. */
		while (i % 64 == 0 && i < t->messages &&
		       sdpu_load(&peer->ringer.armed->armed) < SDPU_ASLEEP)
			sched_yield();
	}
	return NULL;
}

static void warm_up(struct traffic *t)
{
	uint64_t words =
		sdpu_load(&t->bell.ready->summary) == 0 ? 0 : sdpu_swap(&t->bell.ready->summary, 0);

	for (; words != 0; words &= words - 1) {
		uint64_t bits = sdpu_swap(&t->bell.ready->bits[__builtin_ctzll(words)], 0);

		for (int i = 0; i < SENDERS; i++)
			if ((bits >> t->peers[i].bit & 1) != 0) {
				t->warm[i] = 1;
				sdpu_store(&t->peers[i].cold, 0);
			}
	}
}

static bool look(struct traffic *t)
{
	bool found = false;

	warm_up(t);
	for (int i = 0; i < SENDERS; i++) {
		uint64_t tail = sdpu_load_acquire(&t->words[i].tail);

		if (t->warm[i] == 0 || tail == t->head[i])
			continue;
		t->head[i] = tail;
		found = true;
	}
	return found;
}

static bool all_consumed(const struct traffic *t)
{
	for (int i = 0; i < SENDERS; i++)
		if (t->head[i] != t->messages)
			return false;
	return true;
}

static bool cool_down(struct traffic *t)
{
	bool again = false;

	for (int i = 0; t->cools && i < SENDERS; i++) {
		if (t->warm[i] == 0)
			continue;
		sdpu_store(&t->peers[i].cold, 1);
		sdpu_bell_fence(&t->bell);
		t->warm[i] = sdpu_load_acquire(&t->words[i].tail) != t->head[i];
		if (t->warm[i] != 0)
			sdpu_store(&t->peers[i].cold, 0);
		again = again || t->warm[i] != 0;
	}
	return again;
}

static void sleep_once(struct traffic *t)
{
	struct epoll_event event;

	sdpu_bell_arm(&t->bell);
	if (look(t))
		sdpu_bell_kick(&t->bell);
	T_CHECK(epoll_wait(t->bell.epoll_fd, &event, 1, -1) == 1);
	if (t->clears)
		sdpu_bell_disarm(&t->bell);
	t->sleeps++;
}

static void consume_all(struct traffic *t)
{
	while (!all_consumed(t)) {
		if (look(t) || cool_down(t))
			continue;
		/* The last message may have been found by a look that came after arming. */
		sleep_once(t);
	}
}

static void run_traffic(bool clears, bool cools)
{
	static struct traffic t;
	struct sender senders[SENDERS];
	pthread_t threads[SENDERS];

	t.messages = 30000;
	t.clears = clears;
	t.cools = cools;
	T_OK(sdpu_bell_create(&t.bell));
	for (uint32_t i = 0; i < SENDERS; i++) {
		connect_peer(&t.peers[i], &t.bell);
		t.warm[i] = 1;
		senders[i] = (struct sender){&t, i};
	}
	for (int i = 0; i < SENDERS; i++)
		T_EQ(pthread_create(&threads[i], NULL, send_all, &senders[i]), 0);
	consume_all(&t);
	for (int i = 0; i < SENDERS; i++)
		pthread_join(threads[i], NULL);
	T_CHECK(t.sleeps > 0);
	for (int i = 0; i < SENDERS; i++)
		close_peer(&t.peers[i], &t.bell);
	sdpu_bell_destroy(&t.bell);
}

T_CASE_TIMEOUT(no_event_is_lost, 60)
{
	run_traffic(true, false);
}

T_CASE_TIMEOUT(no_event_is_lost_without_clearing, 60)
{
	run_traffic(false, false);
}

T_CASE_TIMEOUT(no_event_of_a_cold_connection_is_lost, 60)
{
	run_traffic(true, true);
}
