/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The agent: one sleeping thread per process, all signals blocked. It answers requests for memory
 * windows, notices that a peer is gone, accepts connections on the process's endpoint, and raises
 * flags for engines. It never runs a user callback. It exists because hardware reads and writes
 * memory while its owner sleeps, and because doca_pe_progress must be free to spin without a system
 * call.
 *
 * Owner: the process. Started by the first sdpu_agent_get(), joined by the last sdpu_agent_put(); a
 * destructor ends it within 100 ms at exit. A forked child has none.
 *
 * Watch callbacks run in the agent's thread with the agent's lock held: they must not block, and
 * must take no lock that anybody holds while calling into the agent.
 */
#ifndef SDPU_BUS_AGENT_H
#define SDPU_BUS_AGENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <doca_error.h>

#include "base/compiler.h"
#include "base/list.h"
#include "bus/sock.h"

#define SDPU_ENDPOINT_MAX 40

SDPU_SHARED doca_error_t sdpu_agent_get(void);
SDPU_SHARED void sdpu_agent_put(void);

/* Name under which this process is reached in the runtime directory ("a-" and 32 hex digits). Agent
 * running. */
SDPU_SHARED const char *sdpu_agent_endpoint(void);

/* A descriptor that the agent looks at. Owner: the object that embeds it. */
struct sdpu_watch {
	int fd;
	/* events: EPOLL* as reported; hang-up and error are always reported. */
	void (*ready)(struct sdpu_watch *watch, uint32_t events);
	bool armed; /* the agent's: it knows this watch */
};

/*
 * events = 0: hang-up only (edge triggered: told once). The caller fills fd and ready; a descriptor
 * has one watch at most (ALREADY_EXIST), and is not closed before it is unwatched. BAD_STATE: no
 * agent. Any thread.
 */
SDPU_SHARED doca_error_t sdpu_agent_watch(struct sdpu_watch *watch, uint32_t events);
/*
 * When it returns, the callback is not running (unless we are in it) and will not run again. Any
 * thread, the agent's included. Harmless on a watch that is zeroed or not watched.
 */
SDPU_SHARED void sdpu_agent_unwatch(struct sdpu_watch *watch);

/*
 * Watch for the death of a process, by pidfd, or by polling every 50 ms when descriptors are short.
 * Embedded in the object that has the peer; many objects may watch one pid. `dead` runs once at
 * most, in the agent's thread, rules as for sdpu_watch; the watch has left the agent by then. The
 * caller fills dead, the rest is the agent's.
 */
struct sdpu_watched_process;
struct sdpu_death_watch {
	struct sdpu_list node;
	struct sdpu_watched_process *process; /* NULL: not watching */
	void (*dead)(struct sdpu_death_watch *watch);
};
/*
 * CONNECTION_RESET: it is dead already. A pid that is ours or 0 (the kernel's word for a process in
 * a PID namespace that we cannot see) is accepted and never reported: there the hang-up of its
 * socket has to do.
 */
SDPU_SHARED doca_error_t sdpu_agent_watch_death(struct sdpu_death_watch *watch, pid_t pid);
/* As sdpu_agent_unwatch(). */
SDPU_SHARED void sdpu_agent_unwatch_death(struct sdpu_death_watch *watch);

/*
 * First record on a connection to our endpoint, by its type. The service owns sock and what it
 * takes from the record from then on (closes sock to refuse). Runs in the agent's thread, rules as
 * for watches. peer: checked uid, kernel's pid. Services are registered once for the life of the
 * process (by constructors of the layers).
 */
typedef void (*sdpu_service_fn)(int sock, pid_t peer, struct sdpu_record *record);
enum sdpu_service {
	SDPU_SERVICE_NONE = 0,	 /* a refusal */
	SDPU_SERVICE_WINDOW = 1, /* bus/window_serve.c */
	SDPU_SERVICE_COMCH = 2,	 /* comch/server_accept.c */
	SDPU_SERVICE_RDMA = 3,	 /* rdma/local_table.c */
	SDPU_SERVICE_STATS = 4,	 /* bus/stats_service.c */
	SDPU_SERVICE_LIMIT
};
SDPU_SHARED void sdpu_agent_register(enum sdpu_service service, sdpu_service_fn fn);

/*
 * Begins every first record. Mismatch: both versions and builds are logged, and the agent answers
 * with a hello of its own, of no service, before it closes; so the other side can say so as well.
 * This part is the same in all versions.
 */
#define SDPU_HELLO_MAGIC 0x55504453u /* "SDPU" */
#define SDPU_HELLO_VERSION 6
struct sdpu_hello {
	uint32_t magic;
	uint16_t version;
	uint16_t service;
	char build[24];
};
SDPU_SHARED void sdpu_hello_fill(struct sdpu_hello *hello, enum sdpu_service service);
/* UNSUPPORTED_VERSION or INVALID_VALUE, logged with found and needed. */
SDPU_SHARED doca_error_t sdpu_hello_check(const void *bytes, uint32_t len);
/* Of the first record that comes back: UNSUPPORTED_VERSION (logged, `call` names the function that
 * the user called), if it is such a refusal. Else SUCCESS, and it is what the service says. */
SDPU_SHARED doca_error_t sdpu_hello_check_answer(const char *call,
						 const struct sdpu_record *record);

/*
 * Connects to another process's endpoint; the first record (which begins with a sdpu_hello) is due
 * within 2 s. Does not block. INVALID_VALUE: not the form of an endpoint; NOT_FOUND: nobody there;
 * AGAIN: too busy now; NOT_PERMITTED: another user's.
 */
SDPU_SHARED doca_error_t sdpu_agent_dial(const char *endpoint, int *sock, pid_t *peer);
/* The same, and sends the first record. The descriptors stay the caller's. */
SDPU_SHARED doca_error_t sdpu_agent_call(const char *endpoint, const void *hello, size_t len,
					 const int *fds, uint32_t num_fds, int *sock, pid_t *peer);

#endif
