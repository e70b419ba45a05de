/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The runtime directory: where processes of one user find each other. SOFTDPU_RUNTIME_DIR, else
 * /tmp/softdpu-UID, mode 0700; refused when somebody else owns it or others may enter.
 *
 * A claim is a file that exists as long as its owner lives: "NAME.claim", locked with an fcntl
 * record lock (a forked child does not inherit it), holding one line of text. Owner: the object
 * that took it; ends with sdpu_claim_drop(), or with the process, after which anybody may reap it.
 * A file is only unlinked by who holds its lock and has seen that the name still leads to the
 * locked inode. Closing any descriptor of a file drops this process's record locks on it, hence
 * nobody but this object opens claim files, and it never opens those that this process holds.
 * Thread-safe (one internal mutex); none of it is on the data path.
 */
#ifndef SDPU_BUS_RUNDIR_H
#define SDPU_BUS_RUNDIR_H

#include <stdbool.h>
#include <sys/types.h>

#include <doca_error.h>

#include "base/compiler.h"

#define SDPU_CLAIM_NAME_MAX 96
#define SDPU_CLAIM_TEXT_MAX 512

struct sdpu_claim;

/* Path for messages; valid after the first successful use, else "(no runtime directory)". */
SDPU_SHARED const char *sdpu_rundir_path(void);

/* Descriptor of the directory (owned by the runtime directory). OPERATING_SYSTEM or NOT_PERMITTED,
 * logged. */
SDPU_SHARED doca_error_t sdpu_rundir_get(int *dirfd);
/* The same in advance, for a public call, in whose name the line speaks. */
SDPU_SHARED doca_error_t sdpu_rundir_open(const char *call);

/* ALREADY_EXIST while a living process (this one included) holds the name. A dead owner's file is
 * taken over. */
SDPU_SHARED doca_error_t sdpu_claim_take(const char *name, const char *text,
					 struct sdpu_claim **claim);
SDPU_SHARED void sdpu_claim_drop(struct sdpu_claim *claim);

/* Copies the text of a live claim; NOT_FOUND when there is none or its owner is dead (it is reaped
 * then). */
SDPU_SHARED doca_error_t sdpu_claim_read(const char *name, char text[SDPU_CLAIM_TEXT_MAX]);

/* Calls fn for each live claim whose name begins with prefix; reaps dead ones and stale sockets on
 * the way. */
typedef void (*sdpu_claim_each_fn)(const char *name, const char *text, void *arg);
SDPU_SHARED doca_error_t sdpu_claim_each(const char *prefix, sdpu_claim_each_fn fn, void *arg);

/* What the file of a claim shows to somebody who only looks. */
struct sdpu_claim_state {
	bool is_alive;
	pid_t pid; /* of a living owner; 0 when the kernel does not tell (another PID namespace) */
	char text[SDPU_CLAIM_TEXT_MAX];
};

/*
 * Calls fn for each claim and for each socket without one, those of the dead too, and touches
 * nothing.
 */
typedef void (*sdpu_claim_look_fn)(const char *name, const struct sdpu_claim_state *state,
				   void *arg);
SDPU_SHARED doca_error_t sdpu_claim_look(sdpu_claim_look_fn fn, void *arg);

#endif
