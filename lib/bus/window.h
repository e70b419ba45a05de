/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory windows: how one process reaches a range of another's memory that its owner has opened.
 *
 * Three objects:
 *
 * sdpu_window, owner's side: a range with a 128-bit key and permissions. Owner: the mmap that made
 * it. Its addresses are the owner's own and are used by everybody throughout. The agent finds it by
 * its key when an importer asks.
 *
 * sdpu_grant, owner's side: one importer of a window, with a page shared with it: live (the owner
 * writes it), first and others (the importer's accesses in flight). Made by sdpu_window_grant() for
 * a peer known by its channel, and then the caller's until sdpu_grant_revoke(), beyond the window's
 * end if need be; or made by the agent for who asks with the window's key, and then ended by
 * itself: with the window, or when the importer closes or dies. Each grant has a key of its own.
 *
 * sdpu_reach, importer's side: the means to copy to and from the window. Owner: whoever opened it.
 * When the window's owner dies or revokes, it stays, and its copies fail.
 *
 * How (kind), best first, chosen once per reach:
 *
 * mapped: the range lies in a shared mapping of a memory file sealed against shrinking; its
 * descriptor (a fresh open file description) is passed and mapped; plain copies.
 *
 * cross: process_vm_readv/writev to the pid that the kernel told (SO_PEERCRED), never one from a
 * blob; that it is permitted and the right process is probed by reading the grant's key there.
 *
 * handed: a /proc/self/mem descriptor of the owner's.
 *
 * served: the owner's agent copies on request through staging memory of the reach.
 *
 * SOFTDPU_WINDOW=mapped|cross|handed|served in the importer's environment forces one. What cannot
 * be mapped falls to the next kind all the same; the others are forced strictly (NOT_SUPPORTED).
 *
 * Permissions: who comes with the window's key may do what the RDMA and PCI bits say. A grant for a
 * peer of a channel is the owner's library acting for its local device: LOCAL_READ_WRITE counts
 * there as well (a receive buffer needs no more), and reading is always allowed.
 *
 * Revocation (tests/model/revocation.pml): importer: set `first`, or if that is set already, others
 * += 1; full fence; read live; if live copy at most one chunk; clear what was set, or others -= 1
 * (release). Owner: live = 0; full fence; wait until both are 0 or the importer is dead, at most
 * 100 ms, then log the pid and go on. After sdpu_window_destroy() no access lands.
 *
 * The user may have freed the memory before the window is destroyed: nothing here dereferences the
 * owner's range in place; the agent reaches even its own process through process_vm_* or
 * /proc/self/mem.
 *
 * Threads: window and grant calls from any thread but the agent's. A reach may be used by several
 * threads at once; open and close by one.
 */
#ifndef SDPU_BUS_WINDOW_H
#define SDPU_BUS_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <doca_error.h>
#include <doca_types.h>

#include "base/compiler.h"
#include "bus/agent.h"
#include "bus/sock.h"

#define SDPU_KEY_SIZE 16
#define SDPU_WINDOW_CHUNK (256u * 1024u) /* bytes copied between two looks at live */
#define SDPU_GRANT_FDS 3

enum sdpu_window_kind {
	SDPU_WINDOW_MAPPED = 1,
	SDPU_WINDOW_CROSS = 2,
	SDPU_WINDOW_HANDED = 3,
	SDPU_WINDOW_SERVED = 4,
};

struct sdpu_window;
struct sdpu_grant;
struct sdpu_reach;

/*
 * Owner's side. perms: mask of enum doca_access_flag. INVALID_VALUE for an empty range or one that
 * wraps. Whether the range can be mapped is found out now, once.
 */
SDPU_SHARED doca_error_t sdpu_window_create(void *addr, size_t len, uint32_t perms,
					    struct sdpu_window **window);
/* Forgets the key, revokes every grant (waits as above, 100 ms for all). NULL is harmless. */
SDPU_SHARED void sdpu_window_destroy(struct sdpu_window *window);
SDPU_SHARED const uint8_t *sdpu_window_key(const struct sdpu_window *window);

/* What an importer must be told; travels in a record beside the descriptors. Untrusted when
 * received. */
struct sdpu_grant_msg {
	uint8_t key[SDPU_KEY_SIZE]; /* the grant's, not the window's */
	uint64_t addr;
	uint64_t len;
	uint64_t probe_addr;  /* owner's address of a copy of the key */
	uint64_t file_offset; /* of addr in the mapped file */
	uint32_t perms;	      /* without LOCAL_READ_WRITE for who comes with the window's key */
	uint32_t kinds;	      /* bit (1 << kind) for each kind offered */
	char endpoint[SDPU_ENDPOINT_MAX]; /* owner's agent, for served */
};

/*
 * Opens a window to the process at the other end of a channel. fds: the grant's page, then the file
 * if mapped is among msg->kinds, then the mem descriptor if handed is. They belong to the caller,
 * who sends and then closes them (sdpu_fd_close). CONNECTION_RESET: the importer is dead.
 */
SDPU_SHARED doca_error_t sdpu_window_grant(struct sdpu_window *window, pid_t importer,
					   struct sdpu_grant_msg *msg, int fds[SDPU_GRANT_FDS],
					   uint32_t *num_fds, struct sdpu_grant **grant);
/* Ends a grant of sdpu_window_grant() (waits as above), once. NULL is harmless. */
SDPU_SHARED void sdpu_grant_revoke(struct sdpu_grant *grant);
/* The same for several, NULL among them, with one wait for all: a peer that lies about its copies
 * would keep us that long for each. */
SDPU_SHARED void sdpu_grant_revoke_all(struct sdpu_grant *const *grants, uint32_t num);

/*
 * Importer's side. Takes the descriptors over in every outcome. peer: kernel's pid of the owner.
 * INVALID_VALUE: not what a grant looks like; NOT_SUPPORTED: no way there; CONNECTION_RESET: the
 * owner is dead; BAD_CONFIG: SOFTDPU_WINDOW. Blocks only to be let in by a busy agent.
 */
SDPU_SHARED doca_error_t sdpu_reach_open(const struct sdpu_grant_msg *msg, const int *fds,
					 uint32_t num_fds, pid_t peer, struct sdpu_reach **reach);
/*
 * Asks the agent at `endpoint` for the window with this key; waits at most 2 s. NOT_FOUND: no such
 * process or key; NOT_PERMITTED: another user's; TIME_OUT; UNSUPPORTED_VERSION, logged for `call`;
 * else as sdpu_reach_open(). Range and permissions are as the owner says.
 */
SDPU_SHARED doca_error_t sdpu_reach_import(const char *call, const char *endpoint,
					   const uint8_t key[SDPU_KEY_SIZE],
					   struct sdpu_reach **reach);
/* Waits for nothing; the caller has no copy in flight. NULL is harmless. */
SDPU_SHARED void sdpu_reach_close(struct sdpu_reach *reach);

SDPU_SHARED enum sdpu_window_kind sdpu_reach_kind(const struct sdpu_reach *reach);
SDPU_SHARED void sdpu_reach_range(const struct sdpu_reach *reach, uint64_t *addr, uint64_t *len);
SDPU_SHARED uint32_t sdpu_reach_perms(const struct sdpu_reach *reach);
/* Where the owner's memory at addr, which is in the range, is mapped here until the reach is
 * closed; NULL: it is not. The caller forgoes what revocation promises to the owner. */
SDPU_SHARED void *sdpu_reach_at(const struct sdpu_reach *reach, uint64_t addr);
/* The owner is alive and has not revoked. One or two loads. */
SDPU_SHARED bool sdpu_reach_live(const struct sdpu_reach *reach);

/*
 * One copy between local memory (in place; the caller's submitted task) and a window. The caller
 * fills the first block and zeroes the rest; then calls sdpu_copy_run() until it does not say
 * IN_PROGRESS. No allocation, no lock, no logging; never blocks.
 *
 *   SUCCESS           all bytes are there
 *   IN_PROGRESS       budget used up, or a served request is on its way: call again (from progress)
 *   NOT_PERMITTED     outside the window, or it lacks `need` or the direction; revoked
 *   INVALID_VALUE     local memory cannot be read or written (cross, handed) or is too short
 *   IO_FAILED         the owner's memory is gone although not revoked
 *   CONNECTION_RESET  the owner is dead
 *
 * A served copy that shall be given up before its end: sdpu_copy_cancel().
 */
enum sdpu_copy_direction { SDPU_COPY_PUT, SDPU_COPY_GET };
struct sdpu_copy {
	struct sdpu_reach *reach;
	enum sdpu_copy_direction direction;
	uint32_t need; /* permissions of which the window must have one; 0: none needed */
	uint64_t addr; /* owner's address */
	const struct iovec *local; /* at least one; stays the caller's until the copy ends */
	uint32_t num_local;
	size_t len; /* sum that is to be copied; <= sum of local */

	size_t done;
	size_t offset; /* in local[index] */
	uint32_t index;
	uint32_t served_seq;
};
SDPU_SHARED doca_error_t sdpu_copy_run(struct sdpu_copy *copy, size_t budget);
SDPU_SHARED void sdpu_copy_cancel(struct sdpu_copy *copy);
/*
 * The next put will go to this address and be as long as this one: asks for the ownership of its
 * lines, where that is worth while. Changes nothing, whether or not the put comes.
 */
SDPU_SHARED void sdpu_copy_ahead(const struct sdpu_copy *put, uint64_t addr);

/*
 * Several short copies through one reach in one direction, in one step, where that is cheaper
 * (cross: one system call). Returns how many of them, from the first on, are complete now; for the
 * others nothing was done that sdpu_copy_run() does not go on from. 0 where it is not cheaper, or
 * when the first one fails.
 */
#define SDPU_COPY_BATCH 32
SDPU_SHARED uint32_t sdpu_copy_run_batch(struct sdpu_copy *const *copies, uint32_t num);
/* Is it worth while to collect copies through this reach? */
SDPU_SHARED bool sdpu_reach_batches(const struct sdpu_reach *reach);

/*
 * One operation on 8 bytes of a window, whole for everybody who operates on them by this window.
 * The caller fills the first block and zeroes the rest; then calls sdpu_atomic_run() until it does
 * not say IN_PROGRESS. Results as sdpu_copy_run(), and INVALID_VALUE: addr is not a multiple of 8.
 * LOAD acquires, STORE releases, the others do both.
 *
 * Where the window is mapped for writing it is done at once, by the instruction. Else the owner's
 * agent is asked; the first one through a reach makes the means for that (memory, a connection) and
 * does not wait either.
 *
 * By a window's key, LOAD needs a window that may be read, STORE one that may be written, the
 * others RDMA_ATOMIC or PCI_READ_WRITE. By a grant for a peer, and for the owner: LOAD needs
 * nothing, the others a window that may be written.
 */
enum sdpu_atomic_kind {
	SDPU_ATOMIC_LOAD,
	SDPU_ATOMIC_STORE,
	SDPU_ATOMIC_FETCH_ADD,
	SDPU_ATOMIC_CMP_SWP,
};
struct sdpu_atomic {
	struct sdpu_reach *reach;
	enum sdpu_atomic_kind kind;
	uint32_t need;	  /* permissions of which the window must have one; 0: none needed */
	uint64_t addr;	  /* owner's address */
	uint64_t operand; /* stored, added, or swapped in */
	uint64_t compare; /* CMP_SWP: what must be there for it to swap */

	uint64_t result; /* what was there before; STORE: not touched */
	uint32_t served_seq;
};
SDPU_SHARED doca_error_t sdpu_atomic_run(struct sdpu_atomic *atomic);
/*
 * The same in registers, for the data path: done at once, or nothing was done, and
 * sdpu_atomic_run() does it or says why not. need and operands as above; value: the result. Not in
 * a forked child, which the caller has made sure of.
 */
struct sdpu_atomic_found {
	bool done;
	uint64_t value;
};
SDPU_SHARED struct sdpu_atomic_found sdpu_atomic_now(struct sdpu_reach *reach,
						     enum sdpu_atomic_kind kind, uint32_t need,
						     uint64_t addr, uint64_t operand,
						     uint64_t compare);
/* Gives it up before its end; it may still be done, or have been done. */
SDPU_SHARED void sdpu_atomic_cancel(struct sdpu_atomic *atomic);
/* The owner's own, on its window, at once, in any thread; reach is not looked at. */
SDPU_SHARED doca_error_t sdpu_window_atomic(struct sdpu_window *window, struct sdpu_atomic *atomic);

/*
 * Between begin and end the owner's revocation waits for us (100 ms at most). REFUSED: revoked, or
 * the owner is dead; then there is no end, which is else told what begin said. Most often ours is
 * the only access; that is the cheap case.
 */
enum sdpu_access { SDPU_ACCESS_REFUSED, SDPU_ACCESS_FIRST, SDPU_ACCESS_OTHER };
SDPU_SHARED enum sdpu_access sdpu_reach_begin(struct sdpu_reach *reach);
SDPU_SHARED void sdpu_reach_end(struct sdpu_reach *reach, enum sdpu_access access);

/*
 * Between `data` and this process's own memory at addr, by the kernel, for memory that the user may
 * have freed. IO_FAILED: there is none (any more). A system call; any thread.
 */
SDPU_SHARED doca_error_t sdpu_own_copy(enum sdpu_copy_direction direction, uint64_t addr,
				       void *data, uint32_t len);

#endif
