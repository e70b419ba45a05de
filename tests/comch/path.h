/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A pair with a fast path from client to server, all in one process and, if not said otherwise, in
 * the engines of the ends.
 */
#ifndef TESTS_COMCH_PATH_H
#define TESTS_COMCH_PATH_H

#include "comch/fast.h"

struct path {
	struct pair pair;
	struct receiver receiver; /* the server's */
	struct sender sender;	  /* the client's */
};

/* num receives of `slot` bytes (none posted), num sends. */
void path_open(struct path *path, uint32_t num, size_t slot, bool shared);
/* Closes what is left: receiver and sender may be closed, or their objects destroyed, before. */
void path_close(struct path *path);
/* Progresses both ends; fits receiver_start() and the like. */
void path_turn(void *path);

#define PATH_UNTIL(path, cond) T_EVENTUALLY((path_turn(path), (cond)), 10000)

#endif
