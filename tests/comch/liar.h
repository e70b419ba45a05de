/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the tests of liars inside a connection share: the pair, the liar's view of it, and what it
 * scribbles.
 */
#ifndef TESTS_COMCH_LIAR_H
#define TESTS_COMCH_LIAR_H

#include <sys/types.h>

#include "comch/connection.h"
#include "comch/path.h"

extern struct path path;
#define server (&path.pair.server)
#define client (&path.pair.client)

struct doca_comch_connection *inside(void);
uint32_t random_word(void);
void scribble(void *at, size_t size);
void liar_connect(void);
/* The server progresses until the liar has ended, well. */
void serve_until_exit(pid_t pid);
/* ... and can still serve an honest client; closes both. */
void serve_honestly(void);

#endif
