/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Control connection: a socket to the peer's process while a connection is being joined. The
 * caller's carries its call and waits for the welcome; the other end's says nothing and is held for
 * the peer's death. So does that of a server, which is the client's, until the program has
 * answered. Watched by the agent, so that a polling engine makes no system call to ask.
 *
 * Owner: the connection's end, in the engine's thread; `event` is set by the agent's. Ends with
 * local_control_close(). Its socket may be taken before; the process is watched to the end, so that
 * the channel, which watches it as well, needs no memory for that.
 */
#ifndef SDPU_RDMA_LOCAL_CONTROL_H
#define SDPU_RDMA_LOCAL_CONTROL_H

#include "bus/agent.h"
#include "bus/bell.h"

struct local_control {
	struct sdpu_bell *bell; /* NULL: not open */
	pid_t peer;
	uint32_t event; /* atomic: something came, or the peer is gone */
	struct sdpu_watch watch;
	struct sdpu_death_watch death_watch;
};

/* Why the kernel says AGAIN to a record with descriptors, in words. */
#define LOCAL_AGAIN_TEXT                                                                           \
	"cannot be answered: memory is short, or so many descriptors are under way that "          \
	"`ulimit -n` is too low"
/* For whoever tries while it says AGAIN (control path): sleeps a little. False: 2 s have passed
 * since. */
bool local_try_again(uint64_t since);
/*
 * Calls the agent at `endpoint` with a hello. NOT_FOUND: nobody there; AGAIN: not let in for 2 s,
 * which it waits at most; others as of the agent. Descriptors stay the caller's.
 */
doca_error_t local_control_open(struct local_control *control, struct sdpu_bell *bell,
				const char *endpoint, const void *hello, size_t len, const int *fds,
				uint32_t num_fds);
/* From a socket that we have, which it takes over on success. CONNECTION_RESET: the peer is
 * dead. */
doca_error_t local_control_attach(struct local_control *control, struct sdpu_bell *bell, int sock,
				  pid_t peer);
void local_control_close(struct local_control *control);
/* Its socket, whose owner is the caller now. -1: it has none. */
int local_control_take(struct local_control *control);

static inline bool local_control_has_event(const struct local_control *control)
{
	/* Acquire: pairs with the release in control_tell(). */
	return sdpu_load_acquire(&control->event) != 0;
}

#endif
