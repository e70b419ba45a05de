/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rdma/rig.h"

pid_t rig_peer(int (*fn)(void *arg), int *fd)
{
	int fds[2];
	pid_t pid;

	T_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	rig_settle(1);
	pid = t_fork(fn, &fds[1]);
	rig_settle(0);
	close(fds[1]);
	*fd = fds[0];
	return pid;
}

void rig_swap(struct rig_end *end, int fd, struct rig_card *theirs)
{
	struct rig_card mine;

	rig_export(end, &mine);
	rig_put(fd, &mine, sizeof(mine));
	rig_get(fd, theirs, sizeof(*theirs));
	T_OK(rig_connect(end, theirs));
	rig_import(end, theirs);
}

void rig_say(int fd, char word)
{
	rig_put(fd, &word, 1);
}

char rig_hear(int fd)
{
	char word;

	rig_get(fd, &word, 1);
	return word;
}

void rig_sleep(struct rig_end *end)
{
	struct epoll_event event = {.events = EPOLLIN};
	doca_notification_handle_t handle;
	int n, fd = epoll_create1(EPOLL_CLOEXEC);

	T_OK(doca_pe_get_notification_handle(end->pe, &handle));
	T_EQ(epoll_ctl(fd, EPOLL_CTL_ADD, handle, &event), 0);
	T_OK(doca_pe_request_notification(end->pe));
	do {
		n = epoll_wait(fd, &event, 1, -1);
	} while (n < 0 && errno == EINTR);
	T_EQ(n, 1);
	close(fd);
	T_OK(doca_pe_clear_notification(end->pe, handle));
	while (rig_turn(end))
		;
}
