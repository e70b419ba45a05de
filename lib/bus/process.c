/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Registry of the descriptors that the library owns in this process: one bit each. Any thread,
 * under one mutex, which fork() takes too: so the child finds the registry whole, closes what is in
 * it, and has a mutex that nobody holds. A descriptor beyond the table (the kernel gives the lowest
 * free number) is close-on-exec all the same, but would stay open in a forked child.
 */
#include "bus/process.h"

#include <errno.h>
#include <pthread.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/log.h"

#define FD_LIMIT (1u << 20)
#define FD_WORDS (FD_LIMIT / 64)

uint32_t sdpu_process_forked;

static struct {
	pthread_mutex_t lock;
	uint32_t words; /* beyond this one nothing was ever set */
	uint64_t bits[FD_WORDS];
} owned = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void fork_prepare(void)
{
	pthread_mutex_lock(&owned.lock);
}

static void fork_parent(void)
{
	pthread_mutex_unlock(&owned.lock);
}

static void close_word(uint32_t word)
{
	while (owned.bits[word] != 0) {
		uint32_t bit = (uint32_t)__builtin_ctzll(owned.bits[word]);

		close((int)(word * 64 + bit));
		owned.bits[word] &= owned.bits[word] - 1;
	}
}

/* Async-signal-safe: the parent may have had other threads. */
static void fork_child(void)
{
	bool open = false;

	for (uint32_t i = 0; i < owned.words; i++) {
		open = open || owned.bits[i] != 0;
		close_word(i);
	}
	/* A process that had nothing open leaves its child free to use the library. */
	if (open)
		sdpu_process_forked = 1;
	pthread_mutex_unlock(&owned.lock);
}

bool sdpu_process_tell_inert(const char *call)
{
	sdpu_log_err(
		"%s: this process was forked while its parent had devices or progress engines "
		"open; needed: a process of its own; open devices after fork() and daemon(), or "
		"call exec in the child",
		call);
	return true;
}

static void install_fork_handlers(void)
{
	pthread_atfork(fork_prepare, fork_parent, fork_child);
}

int sdpu_fd_own(int fd)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	uint32_t word = (uint32_t)fd / 64;

	if (fd < 0 || word >= FD_WORDS)
		return fd;
	pthread_once(&once, install_fork_handlers);
	pthread_mutex_lock(&owned.lock);
	owned.bits[word] |= 1ull << (fd % 64);
	if (word >= owned.words)
		owned.words = word + 1;
	pthread_mutex_unlock(&owned.lock);
	return fd;
}

void sdpu_fd_close(int fd)
{
	uint32_t word = (uint32_t)fd / 64;

	/* In a forked child it is closed already, and the number may be the user's by now. */
	if (fd < 0 || sdpu_process_inert())
		return;
	pthread_mutex_lock(&owned.lock);
	if (word < FD_WORDS)
		owned.bits[word] &= ~(1ull << (fd % 64));
	/* Under the lock: a fork in between would leave it open in the child. */
	close(fd);
	pthread_mutex_unlock(&owned.lock);
}

bool sdpu_process_random(void *buf, size_t len)
{
	uint8_t *at = buf;

	while (len > 0) {
		ssize_t got = getrandom(at, len, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		len -= (size_t)got;
	}
	return true;
}
