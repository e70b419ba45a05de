/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What clients ask of the server in serve.c, by the first byte of a control message.
 */
#ifndef TESTS_E2E_PEER_ASK_H
#define TESTS_E2E_PEER_ASK_H

#include "kit.h"

enum ask {
	ASK_ECHO = 'e',	      /* the message comes back */
	ASK_HOLDINGS = 'h',   /* the server says what it holds; the message comes back */
	ASK_OPEN_PATH = 'o',  /* the server opens a consumer and a producer, sends to the newest
				 consumer, and answers */
	ASK_CLOSE_PATH = 'c', /* the server closes them, and answers */
	ASK_LEAVE = 'l',      /* the server ends when its last client has gone; no answer */
};

static inline void ask_say_holdings(void)
{
	struct peer_holdings now;

	peer_holdings(&now);
	peer_say("holdings %u %u %u %lu", now.fds, now.threads, now.maps, now.rss_kib);
}

#endif
