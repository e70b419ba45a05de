/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Owner's side of memory windows, as its files know it: window.c (the table), window_file.c (can it
 * be mapped), grant.c (importers), window_service.c (requests to the agent), window_serve.c (served
 * copies and atomics), window_own.c and atomic_own.c (how these are done). Nobody else includes
 * this, tests excepted.
 *
 * One lock, the table's, guards which windows and grants exist and who ends them. Order: the
 * agent's lock before it. So no function of the agent is called with it held, and nothing waits
 * with it held.
 */
#ifndef SDPU_BUS_WINDOW_PARTS_H
#define SDPU_BUS_WINDOW_PARTS_H

#include "base/list.h"
#include "bus/stats.h"
#include "bus/segment.h"
#include "bus/window_map.h"
#include "bus/window_wire.h"

/* The file behind a range. Owner: the window. */
struct window_file {
	int fd; /* a fresh open file description, for reading; -1: the range cannot be mapped */
	uint64_t offset; /* of the range */
	bool writable;	 /* not sealed against it when the window was made: atomics are instructions
			  */
};

/* The owner's own mapping of that file, for atomics; made when it is first needed. */
struct window_alias {
	struct window_map map;
	bool tried; /* under the lock */
};

struct sdpu_window {
	struct sdpu_list node; /* in the table */
	struct sdpu_list grants;
	uint32_t num_grants; /* for watchers (sdpu_store) */
	struct sdpu_stats stats;
	uint8_t key[SDPU_KEY_SIZE];
	uint64_t addr;
	uint64_t len;
	uint32_t perms;
	struct window_file file;
	struct window_alias alias;
};

struct window_serve;

/*
 * The handle is held by the caller of sdpu_window_grant(), or for a grant by key by the agent.
 * Whoever sets `ending` under the lock gives that handle up; others that use a grant hold a
 * reference.
 */
struct sdpu_grant {
	struct sdpu_list node;	    /* in window->grants */
	struct sdpu_window *window; /* NULL: not in a list any more */
	uint32_t refs;		    /* under the lock */
	bool by_key;
	bool ending;
	uint8_t key[SDPU_KEY_SIZE]; /* its address is what importers probe */
	uint64_t addr;
	uint64_t len;
	bool may_read;
	bool may_write;
	uint32_t atomics; /* mask of enum sdpu_atomic_kind */
	bool by_instruction;
	struct sdpu_segment segment;
	struct grant_page *page;
	uint32_t live;	  /* as in the page, but nobody else can write it */
	uint32_t serving; /* the agent is at work for this importer */
	uint32_t dead;	  /* the importer; set in the agent's thread */
	pid_t importer;
	struct sdpu_death_watch death_watch;
	struct sdpu_watch conn; /* by key: closed by an importer that wants no more; else fd -1 */
	struct window_serve *serve; /* under the lock; NULL: no served copies */
};

void sdpu_window_lock(void);
void sdpu_window_unlock(void);
/* Lock held. */
struct sdpu_window *sdpu_window_find(const uint8_t key[SDPU_KEY_SIZE]);
struct sdpu_grant *sdpu_grant_find(const uint8_t key[SDPU_KEY_SIZE]);
void sdpu_grant_put(struct sdpu_grant *grant);
/* Ends every grant of a window that is in the table no more. Lock not held; waits. */
void sdpu_grant_end_all(struct sdpu_window *window);

/* As sdpu_window_grant(), for who brings the window's key. In the agent's thread. NOT_FOUND: no
 * such window. */
doca_error_t sdpu_grant_by_key(const uint8_t key[SDPU_KEY_SIZE], pid_t importer,
			       struct sdpu_grant_msg *msg, int fds[SDPU_GRANT_FDS],
			       uint32_t *num_fds, struct sdpu_grant **grant);
/* Ties a grant by key to the importer's connection, taken over in every outcome. In the agent's
 * thread. */
doca_error_t sdpu_grant_tie(struct sdpu_grant *grant, int sock);
/* Ends a grant by key that nobody has ended yet, without waiting. In the agent's thread. */
void sdpu_grant_lose(struct sdpu_grant *grant);

/* Finds the file behind a range; fd is -1 when there is none that an importer may map. */
void sdpu_window_file_find(uint64_t addr, uint64_t len, struct window_file *file);
/* A descriptor of it for one importer; -1: it must not be mapped with this access. */
int sdpu_window_file_reopen(const struct window_file *file, bool writable);
/* Memory that stays where it is up to `end`, whoever else has it: sealed, and of this file system.
 */
bool sdpu_window_file_is_sealed(int fd, uint64_t end);

/* Served copies for a grant, of which a reference is held. Takes sock and staging over. Agent's
 * thread. */
doca_error_t sdpu_serve_start(struct sdpu_grant *grant, int sock, struct sdpu_segment *staging);
/* Ends it. Any thread, lock not held; only who took it out of grant->serve under the lock. */
void sdpu_serve_end(struct window_serve *serve);
/*
 * One request. ask: a private copy of what the importer wrote; data: the slot's, of `room` bytes;
 * alias: of this importer's own, and result is what an atomic found.
 */
doca_error_t sdpu_serve_ask(struct sdpu_grant *grant, const struct stage_ask *ask, void *data,
			    uint32_t room, struct window_alias *alias, uint64_t *result);

/* A window as the owner does atomics on it. */
struct atomic_owner {
	uint64_t addr;
	uint64_t len;
	uint32_t kinds; /* mask of what is permitted */
	bool by_instruction;
	struct window_alias *alias;
	struct sdpu_window *const *window; /* read under the lock; NULL there: it has ended */
};
/* INVALID_VALUE, NOT_PERMITTED, IO_FAILED. */
doca_error_t sdpu_atomic_own(const struct atomic_owner *owner, struct sdpu_atomic *atomic);

#endif
