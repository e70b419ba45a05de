/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Descriptors that the library owns, and what a forked child has of them.
 */
#include "t.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "base/atomic.h"
#include "bus/process.h"

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

static int new_fd(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	T_CHECK(fd >= 0);
	return fd;
}

T_CASE(negative_descriptors_pass_through)
{
	T_EQ(sdpu_fd_own(-1), -1);
	sdpu_fd_close(-1);
}

T_CASE(close_closes)
{
	int fd = sdpu_fd_own(new_fd());

	T_CHECK(is_open(fd));
	sdpu_fd_close(fd);
	T_CHECK(!is_open(fd));
}

static int child_of_owner(void *arg)
{
	const int *fds = arg;
	int reused;

	T_CHECK(sdpu_process_inert());
	T_CHECK(!is_open(fds[0]));
	T_CHECK(is_open(fds[1]));
	/* The number belongs to the child's user now. */
	reused = new_fd();
	T_EQ(reused, fds[0]);
	sdpu_fd_close(reused);
	T_CHECK(is_open(reused));
	return 0;
}

T_CASE(forked_child_is_inert_and_its_descriptors_closed)
{
	int fds[2] = {sdpu_fd_own(new_fd()), new_fd()};

	T_EQ(t_wait(t_fork(child_of_owner, fds), 5000), 0);
	T_CHECK(!sdpu_process_inert());
	T_CHECK(is_open(fds[0]));
	sdpu_fd_close(fds[0]);
}

static int child_of_nobody(void *arg)
{
	return sdpu_process_inert() ? 1 : 0;
}

T_CASE(child_of_a_process_without_open_descriptors_is_free)
{
	sdpu_fd_close(sdpu_fd_own(new_fd()));
	T_EQ(t_wait(t_fork(child_of_nobody, NULL), 5000), 0);
}

static uint32_t stop;

static void *own_and_close(void *arg)
{
	while (sdpu_load(&stop) == 0)
		sdpu_fd_close(sdpu_fd_own(new_fd()));
	return NULL;
}

static int closes_nothing(void *arg)
{
	/* Would hang if fork() had caught the registry's mutex locked by a thread that is no more.
	 */
	sdpu_fd_own(new_fd());
	/* No exit handlers: those of the sanitizers look for the threads. */
	_exit(0);
}

T_CASE(fork_while_others_register)
{
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		T_EQ(pthread_create(&threads[i], NULL, own_and_close, NULL), 0);
	for (int i = 0; i < 50; i++)
		T_EQ(t_wait(t_fork(closes_nothing, NULL), 5000), 0);
	sdpu_store(&stop, 1);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
}

T_CASE(random_bytes_differ)
{
	uint8_t a[16], b[16];
	bool differ = false;

	T_CHECK(sdpu_process_random(a, sizeof(a)) && sdpu_process_random(b, sizeof(b)));
	for (int i = 0; i < 16; i++)
		differ = differ || a[i] != b[i];
	T_CHECK(differ);
}
