/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Acceptors: TCP sockets that accept callers from other machines. One per process for connections
 * that were exported, and one per port that a context listens to. The agent's thread accepts, reads
 * what each caller asks for (fabric_hello.h), and parks it at an entry: an exported connection by
 * its cookie, or the listener. Whoever is joining that entry takes it from there.
 *
 * Owner of an acceptor: its users; of an entry: its connection or listener; of a caller: the entry
 * that it waits at, then who took it. One lock guards all of them; the agent's lock is taken before
 * it, so nobody calls the agent holding it. Callers are pending until they have said what they
 * want, and are sent away when too many are; one that hangs up while it waits is forgotten.
 */
#ifndef SDPU_RDMA_FABRIC_ACCEPTOR_H
#define SDPU_RDMA_FABRIC_ACCEPTOR_H

#include "base/list.h"
#include "bus/agent.h"
#include "bus/bell.h"
#include "rdma/fabric_control.h"

#define FABRIC_PENDING_MAX 64u	/* of an acceptor, who have not said what they want */
#define FABRIC_CALLERS_MAX 4u	/* of a connection: one is meant */
#define FABRIC_CLIENTS_MAX 128u /* of a listener */

struct fabric_acceptor;
struct fabric_entry;

struct fabric_caller {
	struct sdpu_list node;
	struct fabric_control control;
	struct fabric_hello hello;
	struct sdpu_watch watch;
	/* Under the lock. */
	struct fabric_acceptor *acceptor; /* pending there */
	struct fabric_entry *entry;	  /* parked there */
	struct sdpu_bell *bell;		  /* taken: the engine to be called when it hangs up */
	uint64_t since;
	uint32_t gone; /* atomic: taken, and has hung up since */
};

struct fabric_entry {
	struct sdpu_list node;	  /* in the table, when it has a cookie */
	struct sdpu_list callers; /* under the lock; in the order in which they came */
	uint32_t num_callers;
	uint32_t arrived; /* atomic: how many have come */
	bool is_open;
	bool is_expecting;		  /* under the lock */
	uint8_t cookie[RDMA_COOKIE_SIZE]; /* exported connections */
	/* Agent's thread, with the lock: one has come. Must not block. */
	void (*came)(struct fabric_entry *entry);
};

/* The process's acceptor for exported connections, opened for its first user; tells its port.
 * OPERATING_SYSTEM (logged). */
doca_error_t fabric_acceptor_get(uint16_t *port);
void fabric_acceptor_put(void);
/* An acceptor whose callers all go to one entry; NULL: to each by its cookie. *port 0: any, which
 * is told. ALREADY_EXIST: somebody else has this port; OPERATING_SYSTEM, NO_MEMORY. */
doca_error_t fabric_acceptor_open(uint16_t *port, struct fabric_entry *entry,
				  struct fabric_acceptor **acceptor);
void fabric_acceptor_close(struct fabric_acceptor *acceptor);

/* The caller has filled `came`, and the cookie if it shall be found by that. */
void fabric_entry_open(struct fabric_entry *entry, bool by_cookie);
/* The program has connected: callers are told that they will be answered at once. */
void fabric_entry_expect(struct fabric_entry *entry);
/* Callers are refused. Harmless on one that is not open. */
void fabric_entry_close(struct fabric_entry *entry);

/* A caller of this kind, from this connection (NULL: from anyone); NULL: there is none. */
struct fabric_caller *fabric_entry_take(struct fabric_entry *entry, enum fabric_hello_kind kind,
					const uint8_t *from);
/* Of one that was taken there, and is to be taken again. */
void fabric_entry_return(struct fabric_entry *entry, struct fabric_caller *caller);
/* Sends all others away. */
void fabric_entry_dismiss(struct fabric_entry *entry);
static inline bool fabric_entry_has_arrived(const struct fabric_entry *entry, uint32_t seen)
{
	/* Acquire: pairs with the release in entry_admit(). */
	return sdpu_load_acquire(&entry->arrived) != seen;
}

/* A taken caller: the engine is called when it hangs up. */
void fabric_caller_attend(struct fabric_caller *caller, struct sdpu_bell *bell);
static inline bool fabric_caller_is_gone(const struct fabric_caller *caller)
{
	/* Acquire: pairs with the release in caller_go(). */
	return sdpu_load_acquire(&caller->gone) != 0;
}
/* Of a taken one. Its connection goes to *control; or it is refused. */
void fabric_caller_join(struct fabric_caller *caller, struct fabric_control *control);
void fabric_caller_refuse(struct fabric_caller *caller, doca_error_t why);

#endif
