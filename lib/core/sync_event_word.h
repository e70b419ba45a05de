/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The counter of a sync event: 8 bytes, and the way to them. Owner: the event that embeds it.
 *
 * It lies in memory that the library makes (its own cache line of a sealed memory file, so that
 * importers can map it), in the user's, or in another process (imported). All who operate on one
 * word must use one method, which is its window's (bus/window.h). It has one if others get at it,
 * or if the memory is the user's and so never to be touched in place; a word without one is this
 * process's alone, and operated on by the processor's instruction.
 *
 * Threads: open and close by one, with nobody inside run; run by any. When the exporter of an
 * imported word dies or stops its event, each run fails.
 */
#ifndef SDPU_CORE_SYNC_EVENT_WORD_H
#define SDPU_CORE_SYNC_EVENT_WORD_H

#include <stdint.h>

#include <doca_error.h>

#include "bus/segment.h"
#include "bus/window.h"

#define SDPU_EVENT_WORD_SIZE 8

enum sdpu_event_place {
	SDPU_EVENT_PLACE_LIBRARY, /* ours, made by each start */
	SDPU_EVENT_PLACE_ADDR,	  /* the user's: doca_sync_event_set_addr() */
	SDPU_EVENT_PLACE_BUF,	  /* the user's: doca_sync_event_set_doca_buf() */
	SDPU_EVENT_PLACE_REMOTE,  /* imported */
};

struct sdpu_event_word {
	enum sdpu_event_place place;
	uint64_t *at; /* in this process; the owner's address where that is another */
	struct sdpu_segment segment; /* the library's */
	struct sdpu_window *window;  /* while open; NULL: ours alone, or imported */
	struct sdpu_reach *reach;    /* imported */
	bool agent;		     /* held, for those who come by the window */
};

/*
 * Makes it ready to be operated on; nothing to do for an imported one. perms: mask of enum
 * doca_access_flag, what others may do; 0: there are no others. NO_MEMORY, OPERATING_SYSTEM.
 */
doca_error_t sdpu_event_word_open(struct sdpu_event_word *word, uint32_t perms);
/* Withdraws it from all others, and gives back what open took. */
void sdpu_event_word_close(struct sdpu_event_word *word);

/* An operation on the word, to be run. */
struct sdpu_atomic sdpu_event_word_op(const struct sdpu_event_word *word,
				      enum sdpu_atomic_kind kind, uint64_t operand);
/* As sdpu_atomic_run(). */
doca_error_t sdpu_event_word_run(struct sdpu_event_word *word, struct sdpu_atomic *op);
/* As sdpu_atomic_cancel(). */
void sdpu_event_word_cancel(struct sdpu_event_word *word, struct sdpu_atomic *op);

/* Logs why an operation failed; `call` names it. */
void sdpu_event_word_explain(const char *call, doca_error_t result);

#endif
