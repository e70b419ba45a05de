/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Table of exported connections and of ports of this process, by cookie, with who has called for
 * them. The agent's thread finds an entry here and leaves the caller; the engine's thread takes it.
 * When the program has connected already, the agent answers at once: a peer is joined though our
 * engine is never progressed. Who dials a port is answered by the program.
 *
 * Owner of an entry: its connection or listener, in whose back end part it is embedded; of a
 * caller: the entry that it waits at, then who took it. One lock guards all entries; the agent's
 * lock is taken before it, so nobody calls the agent holding it. When a caller dies its socket says
 * so to who takes it.
 */
#ifndef SDPU_RDMA_LOCAL_TABLE_H
#define SDPU_RDMA_LOCAL_TABLE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/list.h"
#include "bus/bell.h"
#include "rdma/local_wire.h"

#define LOCAL_CALLERS_MAX 4 /* one is meant; who else has the details may call as well */
#define LOCAL_BACKLOG 256   /* clients at a port that the engine has not looked at */

struct local_caller {
	struct sdpu_list node;
	struct local_hello hello;
	int sock;
	int fds[LOCAL_CALL_FDS];
	pid_t pid;
	bool answered; /* has our welcome */
};

struct local_entry_point {
	struct sdpu_list node;
	struct sdpu_bell *bell; /* of the engine; to be rung when a caller has come */
	uint8_t cookie[RDMA_COOKIE_SIZE];
	uint32_t permissions; /* to be told to callers */
	bool is_port;	      /* for clients that dial; else for the peer */
	/* Under the lock. */
	struct sdpu_list callers;
	uint32_t num_callers;
	bool expecting; /* the program has connected: who calls is `peer`, and gets `bit` */
	uint8_t peer[RDMA_COOKIE_SIZE];
	uint32_t bit;
	uint32_t arrived; /* atomic: an answered caller, or a client, waits to be taken */
};

/* Enters it in the table; the caller has filled bell, cookie, permissions and is_port. */
void local_point_open(struct local_entry_point *point);
/* Takes it out; callers are refused. Harmless on one that is not open. */
void local_point_close(struct local_entry_point *point);

/* The program has connected: answers the peer if it waits. SUCCESS: it did (take it); NOT_FOUND: it
 * has not called yet; AGAIN: the kernel does not take the answer at the moment. */
doca_error_t local_point_expect(struct local_entry_point *point,
				const uint8_t peer[RDMA_COOKIE_SIZE], uint32_t bit);
static inline bool local_point_has_arrived(const struct local_entry_point *point)
{
	/* Acquire: pairs with the release in point_answer() and point_admit(). */
	return sdpu_load_acquire(&point->arrived) != 0;
}
/* The answered caller, or NULL; ends with local_caller_free(). When there is one, the other callers
 * and watchers are sent away. */
struct local_caller *local_point_take(struct local_entry_point *point);
/* Sends all callers and watchers away, and expects nobody. Harmless on one that is not open. */
void local_point_dismiss(struct local_entry_point *point);
/* Of a port: the client that has waited longest, or NULL; ends with one of the two below. */
struct local_caller *local_point_next(struct local_entry_point *point);
void local_caller_free(struct local_caller *caller);
/* The same, and tells it why. */
void local_caller_refuse(struct local_caller *caller, doca_error_t why);
/* Descriptor i, whose owner is who asks from now on. */
int local_caller_take_fd(struct local_caller *caller, uint32_t i);

#endif
