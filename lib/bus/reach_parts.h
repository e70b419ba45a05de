/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Importer's side of memory windows, as its files know it: reach.c (open, close, choice of kind),
 * reach_import.c (by key), reach_staging.c (requests to the owner's agent), copy.c (the loop),
 * copy_KIND.c (one way each) and atomic_run.c. Nobody else includes this, tests excepted.
 */
#ifndef SDPU_BUS_SDPU_ACCESS_PARTS_H
#define SDPU_BUS_SDPU_ACCESS_PARTS_H

#include "base/atomic.h"
#include "bus/stats.h"
#include "bus/segment.h"
#include "bus/window_map.h"
#include "bus/window_wire.h"

#define COPY_PIECES 16

/* What a reach is opened from. Descriptors: -1 not there; a kind that keeps one sets it to -1. */
struct reach_offer {
	struct sdpu_grant_msg msg; /* checked */
	int page_fd;
	int file_fd;
	int mem_fd;
};

/* Local memory of one chunk. */
struct copy_chunk {
	struct iovec pieces[COPY_PIECES];
	int num;
	size_t len;    /* sum of the pieces */
	uint64_t addr; /* owner's */
};

/* Local and owner's memory of several copies; the sums are equal. */
struct copy_many {
	struct iovec local[SDPU_COPY_BATCH];
	struct iovec remote[SDPU_COPY_BATCH];
	uint32_t num_local;
	uint32_t num_remote;
	size_t len;
};

/* One way of reaching the owner's memory. */
struct reach_kind {
	enum sdpu_window_kind kind;
	const char *name; /* in SOFTDPU_WINDOW and messages */
	/* NULL: the reach can be used this way from now on. Else why not, in words, nothing kept.
	 */
	const char *(*open)(struct sdpu_reach *reach, struct reach_offer *offer);
	/* Undoes open; NULL: nothing to do. The caller has no copy in flight. */
	void (*close)(struct sdpu_reach *reach);
	/* As sdpu_copy_run(), arguments checked, len not 0. */
	doca_error_t (*run)(struct sdpu_copy *copy, size_t budget);
	/*
	 * With sdpu_copy_in_chunks() as run, else NULL: called between begin and end; SUCCESS and
	 * *moved > 0, or an error.
	 */
	doca_error_t (*chunk)(const struct sdpu_copy *copy, const struct copy_chunk *chunk,
			      size_t *moved);
	/* As sdpu_copy_cancel(). */
	void (*cancel)(struct sdpu_copy *copy);
	/* Bytes moved of many places at once, between begin and end; <= 0: none. NULL: not worth
	 * while. */
	ssize_t (*many)(const struct sdpu_reach *reach, enum sdpu_copy_direction direction,
			const struct copy_many *many);
};

extern const struct reach_kind sdpu_reach_mapped;
extern const struct reach_kind sdpu_reach_cross;
extern const struct reach_kind sdpu_reach_handed;
extern const struct reach_kind sdpu_reach_served;

/*
 * Only OPEN and FAILED last. One thread takes it from NONE to OPENING, and from there on: to NONE
 * again while the owner's agent is too busy to let us in.
 */
enum staging_state { STAGING_NONE, STAGING_OPENING, STAGING_OPEN, STAGING_FAILED };

/* Staging. taken and orphans: one bit per slot, set and cleared by any thread that has requests. */
struct reach_staging {
	uint32_t state; /* enum staging_state */
	struct sdpu_segment segment;
	struct stage *stage;
	int sock;
	struct sdpu_watch watch;
	uint32_t taken;
	uint32_t orphans;	       /* taken, but given up before the request was complete */
	uint32_t unrung;	       /* the kernel did not take a ring: to be sent again */
	uint32_t request[STAGE_SLOTS]; /* last number given; written by the owner of the slot */
};

struct sdpu_reach {
	const struct reach_kind *how;
	uint64_t addr;
	uint64_t len;
	uint32_t perms;
	uint32_t atomics; /* mask of enum sdpu_atomic_kind: permitted */
	/* Of these, done by the instruction, in the range of 8 bytes at least: all or none. A
	 * mapping that is for reading only says that the owner's method is another one. */
	uint32_t instant;
	bool may_write;
	struct grant_page *page;
	uint32_t gone; /* the owner is dead; set in the agent's thread, or by a failed copy */
	struct window_map map; /* mapped; else nothing */
	struct sdpu_segment segment;
	pid_t peer;
	struct sdpu_stats stats;
	uint8_t key[SDPU_KEY_SIZE];
	char endpoint[SDPU_ENDPOINT_MAX];
	struct sdpu_death_watch death_watch;
	struct sdpu_watch conn; /* by key: to the owner's agent, keeps the grant; else fd -1 */
	int mem_fd;		/* handed */
	struct reach_staging staging;
};

static inline void sdpu_reach_lose(struct sdpu_reach *reach)
{
	/* release: pairs with the acquire in sdpu_reach_fault() */
	sdpu_store_release(&reach->gone, 1);
}

/*
 * SUCCESS while it lives, NOT_PERMITTED once revoked, CONNECTION_RESET once the owner is dead.
 * Whoever revokes closes the connection after that, which looks like its death: `gone` is read
 * before `live`.
 */
static inline doca_error_t sdpu_reach_fault(const struct sdpu_reach *reach)
{
	uint32_t gone = sdpu_load_acquire(&reach->gone);

	if (sdpu_unlikely(sdpu_load_acquire(&reach->page->live) == 0))
		return DOCA_ERROR_NOT_PERMITTED;
	return sdpu_unlikely(gone != 0) ? DOCA_ERROR_CONNECTION_RESET : DOCA_SUCCESS;
}

static inline void reach_end_first(struct grant_page *page)
{
	/* release: pairs with an acquire in is_quiet() of grant.c */
	sdpu_store_release(&page->first, 0);
}

/* The cheap case alone. False: another access holds the first word, or access is refused. */
static inline bool reach_begin_first(struct sdpu_reach *reach)
{
	struct grant_page *page = reach->page;

	/* Looks first, so that threads that try again and again do not keep the owner waiting. */
	if (sdpu_unlikely(sdpu_reach_fault(reach) != DOCA_SUCCESS))
		return false;
	/* Full fence: pairs with the one of mark_dead() in grant.c. If the word is set already, it
	 * does not change: whoever set it clears it. */
	if (sdpu_unlikely(sdpu_swap_fenced(&page->first, 1) != 0))
		return false;
	/* It does no harm if the owner has died meanwhile. */
	if (sdpu_likely(sdpu_load_acquire(&page->live) != 0))
		return true;
	reach_end_first(page);
	return false;
}

/* As sdpu_reach_begin() and sdpu_reach_end(), for our own data path. */
static inline void reach_end(struct sdpu_reach *reach, enum sdpu_access access)
{
	if (sdpu_likely(access == SDPU_ACCESS_FIRST))
		reach_end_first(reach->page);
	else
		/* release: as above */
		sdpu_fetch_sub(&reach->page->others, 1);
}

/* For when another access holds the first word. */
static inline enum sdpu_access reach_begin_other(struct sdpu_reach *reach)
{
	if (sdpu_reach_fault(reach) != DOCA_SUCCESS)
		return SDPU_ACCESS_REFUSED;
	/* Full fence: as above. */
	sdpu_fetch_add_fenced(&reach->page->others, 1);
	if (sdpu_load_acquire(&reach->page->live) != 0)
		return SDPU_ACCESS_OTHER;
	reach_end(reach, SDPU_ACCESS_OTHER);
	return SDPU_ACCESS_REFUSED;
}

static inline enum sdpu_access reach_begin(struct sdpu_reach *reach)
{
	return sdpu_likely(reach_begin_first(reach)) ? SDPU_ACCESS_FIRST : reach_begin_other(reach);
}

/* The run of the kinds that copy themselves: a chunk between two looks at live. */
doca_error_t sdpu_copy_in_chunks(struct sdpu_copy *copy, size_t budget);
/* cancel() of kinds that leave nothing under way between two runs. */
void sdpu_copy_cancel_nothing(struct sdpu_copy *copy);

/* Checks what does not change while the copy runs: range and permissions. */
bool sdpu_copy_is_permitted(const struct sdpu_copy *copy);
/* Local memory of the next `want` bytes at most; its length is 0 when the caller's is too short. */
void sdpu_copy_gather(const struct sdpu_copy *copy, size_t want, struct copy_chunk *chunk);
void sdpu_copy_advance(struct sdpu_copy *copy, size_t moved);

/* sdpu_reach_open() with a connection to the owner's agent (-1: none), which is taken over in every
 * outcome. */
doca_error_t sdpu_reach_open_conn(const struct sdpu_grant_msg *msg, const int *fds,
				  uint32_t num_fds, pid_t peer, int conn,
				  struct sdpu_reach **reach);
/* Connects to an agent and sends the first record. Does not wait; AGAIN: the agent is too busy. */
doca_error_t sdpu_window_call(const char *endpoint, enum window_op op,
			      const uint8_t key[SDPU_KEY_SIZE], const int *fds, uint32_t num_fds,
			      int *sock, pid_t *peer);

/*
 * Staging: requests to the owner's agent. Opened once, with or without room for the bytes of
 * copies. IN_PROGRESS: not yet, try again; CONNECTION_RESET, IO_FAILED: no more. Does not wait, but
 * makes system calls when it opens.
 */
doca_error_t sdpu_staging_open(struct sdpu_reach *reach, bool copies);
/* Harmless when it is not open. No request in flight. */
void sdpu_staging_close(struct sdpu_reach *reach);
/*
 * Takes a slot for one request; *seq becomes slot + 1. False: no slot is free now. The caller
 * repeats this call, and the one that asks for the answer, as they also send again a ring that the
 * kernel did not take.
 */
bool sdpu_staging_take(struct sdpu_reach *reach, uint32_t *seq);
void sdpu_staging_ask(struct sdpu_reach *reach, uint32_t seq, const struct stage_ask *ask);
bool sdpu_staging_answered(struct sdpu_reach *reach, uint32_t seq);
/* Result of a request that was answered. */
doca_error_t sdpu_staging_status(const struct reach_staging *staging, uint32_t seq);
/* Gives the slot back, whether or not there is a request in it; *seq is 0 then. */
void sdpu_staging_leave(struct reach_staging *staging, uint32_t *seq);

#endif
