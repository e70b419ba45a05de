/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One claim file, "NAME.claim", seen as a file. Two bytes of it are locked with fcntl record locks:
 *
 *   owner  held by the owner for as long as it lives; its being free means that the owner is dead
 *   turn   held for moments by whoever is about to change who owns the file, or to unlink it
 *
 * The owner lock is only taken, and the name only unlinked by others, while holding the turn. So a
 * reaper is never mistaken for an owner. A stopped holder of a turn delays others by a bounded
 * time.
 *
 * Used by claim.c only, under its mutex: the locks are per process, and closing a file drops them
 * all.
 */
#ifndef SDPU_BUS_CLAIM_FILE_H
#define SDPU_BUS_CLAIM_FILE_H

#include <stdbool.h>

#include <doca_error.h>

#include "bus/rundir.h"

#define SDPU_CLAIM_SUFFIX ".claim"

/* Is it a valid name of a claim? 1 to SDPU_CLAIM_NAME_MAX bytes, no '/', not hidden. */
bool sdpu_claim_name_valid(const char *name);

/*
 * Makes the name ours, its text written, or says ALREADY_EXIST (OPERATING_SYSTEM is logged). A
 * socket of this name that a dead owner left is removed. *fd holds the owner lock until it is
 * closed.
 */
doca_error_t sdpu_claim_file_take(int dirfd, const char *name, const char *text, int *fd);

/* Unlinks the name and the socket of that name, if they are still what fd holds; closes fd. */
void sdpu_claim_file_end(int dirfd, const char *name, int fd);

/* Text of a name that another process holds; NOT_FOUND when it is free (what was left is removed).
 */
doca_error_t sdpu_claim_file_read(int dirfd, const char *name, char text[SDPU_CLAIM_TEXT_MAX]);

/* Reads the text, whoever owns the file; changes nothing. NOT_FOUND: no such file. */
doca_error_t sdpu_claim_file_look(int dirfd, const char *name, struct sdpu_claim_state *state);

#endif
