/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two ends of RDMA connections for tests, each with its own device, engine, memory and record of
 * what happened to it. Both may live in one process (one thread progresses both) or in two, which
 * then swap what the other needs over a socket.
 */
#ifndef TESTS_RDMA_RIG_H
#define TESTS_RDMA_RIG_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_mmap.h>
#include <doca_pe.h>
#include <doca_rdma.h>
#include <doca_sync_event.h>

#include "t.h"

#define RIG_ALL                                                                                    \
	(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ |                          \
	 DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC)
#define RIG_TASKS 64
#define RIG_CONNECTIONS 8
#define RIG_ADDRS 16
#define RIG_SIZE (1u << 20)

enum rig_kind {
	RIG_RECEIVE,
	RIG_SEND,
	RIG_SEND_IMM,
	RIG_READ,
	RIG_WRITE,
	RIG_WRITE_IMM,
	RIG_CMP_SWP,
	RIG_FETCH_ADD,
	RIG_EVENT_GET,
	RIG_EVENT_SET,
	RIG_EVENT_ADD,
	RIG_KINDS
};

/* One completion. */
struct rig_event {
	enum rig_kind kind;
	bool ok; /* which callback it was */
	doca_error_t status;
	uint64_t number; /* the task's user data */
	uint32_t len;
	/* Of a receive. */
	enum doca_rdma_opcode opcode;
	doca_be32_t immediate;
	const struct doca_rdma_connection *connection;
};

/* A callback of a connection by address, or of the end of any connection. */
enum rig_news_kind { RIG_REQUEST, RIG_ESTABLISHED, RIG_FAILURE, RIG_DISCONNECT };

struct rig_news {
	enum rig_news_kind kind;
	struct doca_rdma_connection *connection;
	uint64_t data; /* the connection's user data */
};

struct rig_end {
	/* To be changed between rig_init() and rig_open(). */
	uint32_t permissions; /* of the context */
	uint32_t mmap_permissions;
	uint32_t num_tasks;
	uint16_t max_connections;
	uint16_t timeout; /* of connection requests, ms */
	bool by_address;  /* requests and established connections are expected */
	uint32_t list_len;
	size_t size;
	const char *pci;
	uint8_t *memory; /* NULL: rig_open() gets it, such that SOFTDPU_WINDOW can be followed */

	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_rdma *rdma;
	struct doca_ctx *ctx;
	struct doca_mmap *mmap;
	struct doca_mmap *peer; /* the peer's memory, imported */
	struct doca_buf_inventory *inventory;
	struct doca_rdma_connection *connection; /* exported, asked for or established last */
	struct doca_rdma_addr *addrs[RIG_ADDRS]; /* dialled */
	uint32_t num_addrs;
	bool owns_memory, is_shared;

	/* What happened. */
	struct rig_event events[4096];
	uint32_t num_events;
	uint32_t ok[RIG_KINDS], failed[RIG_KINDS];
	enum doca_ctx_states states[16];
	uint32_t num_states;
	struct rig_news news[1024];
	uint32_t num_news, requests, established, failures, disconnects;

	bool keep_tasks; /* callbacks do not free: the test does */
	void (*on_event)(struct rig_end *end, struct doca_task *task,
			 const struct rig_event *event);
	void (*on_state)(struct rig_end *end, enum doca_ctx_states next);
	void (*on_request)(struct rig_end *end, struct doca_rdma_connection *connection);
	void (*on_established)(struct rig_end *end, struct doca_rdma_connection *connection);
	void (*on_failure)(struct rig_end *end, struct doca_rdma_connection *connection);
	void (*on_disconnect)(struct rig_end *end, struct doca_rdma_connection *connection);
	void *arg;
};

void rig_init(struct rig_end *end);
/* Device, engine, memory, mmap, inventory, context; not started. */
void rig_open(struct rig_end *end);
/* Pools and callbacks of every kind of task; rig_open() does it. */
void rig_configure_tasks(struct rig_end *end);
/* init, open and start. */
void rig_start(struct rig_end *end);
/* Stops, progresses to IDLE, destroys all. Safe on what was not opened. */
void rig_close(struct rig_end *end);
enum doca_ctx_states rig_state(const struct rig_end *end);

/* What a peer needs. */
struct rig_card {
	uint8_t details[1008];
	size_t details_len;
	uint8_t memory[1000];
	size_t memory_len;
	uint64_t addr;
	uint64_t size;
};
/* Exports a connection, and the mmap if it may be exported. */
void rig_export(struct rig_end *end, struct rig_card *card);
doca_error_t rig_connect(struct rig_end *end, const struct rig_card *card);
void rig_import(struct rig_end *end, const struct rig_card *card);

/* Opens, starts and joins what rig_init() has prepared, in this process; each gets the card of the
 * other. NULL cards: not wanted. */
void rig_raise(struct rig_end *a, struct rig_end *b, struct rig_card *card_a,
	       struct rig_card *card_b);
/* The same for two ends that nothing is special about. */
void rig_pair(struct rig_end *a, struct rig_end *b);
/* Joins them (once more): exports, connects and imports. */
void rig_join(struct rig_end *a, struct rig_end *b);
/* Until both are joined, which over a network takes its time. Leaves no trace in them. */
void rig_await_join(struct rig_end *a, struct rig_end *b);
/* One turn of an engine, and of two; false: there was nothing to do. */
bool rig_turn(struct rig_end *end);
bool rig_progress(struct rig_end *a, struct rig_end *b);
#define RIG_UNTIL(a, b, cond) T_EVENTUALLY((rig_progress((a), (b)), (cond)), 10000)
#define RIG_ALONE(end, cond) T_EVENTUALLY((rig_turn(end), (cond)), 10000)
/* Progresses for a while in which nothing may happen that the caller then rules out. */
void rig_idle(struct rig_end *a, struct rig_end *b);

/* A port that no other test uses now. Before the processes of a test part. */
uint16_t rig_port(void);
void rig_listen(struct rig_end *end, uint16_t port);
/* Begins to connect to a port of the other end's machine, with that user data. */
void rig_dial(struct rig_end *end, uint16_t port, uint64_t data);
/* Opens and starts both, which are initialised, and has `b` listen to the port that it returns. */
uint16_t rig_serve(struct rig_end *a, struct rig_end *b);
/* The same, initialised first, as most cases want them. */
uint16_t rig_serve_anew(struct rig_end *a, struct rig_end *b);
void rig_close_both(struct rig_end *a, struct rig_end *b);
/* For on_request. */
void rig_accept(struct rig_end *end, struct doca_rdma_connection *connection);
/* `b` listens to `port` and has accepted what `a` has dialled; both are started. */
void rig_meet(struct rig_end *a, struct rig_end *b, uint16_t port);
/* The last news; fails when it is of another kind. */
const struct rig_news *rig_last_news(const struct rig_end *end, enum rig_news_kind kind);
/* A message each way. */
void rig_exchange(struct rig_end *a, struct rig_end *b);

/* Bufs of [offset, offset + len): all of it data, or all of it room. */
struct doca_buf *rig_data(struct rig_end *end, size_t offset, size_t len);
struct doca_buf *rig_room(struct rig_end *end, size_t offset, size_t len);
/* The same in the peer's memory; offset is from its beginning. */
struct doca_buf *rig_remote_data(struct rig_end *end, const struct rig_card *card, size_t offset,
				 size_t len);
struct doca_buf *rig_remote_room(struct rig_end *end, const struct rig_card *card, size_t offset,
				 size_t len);

/* Allocates and submits; bufs go back with the task. `number` is told in the event. */
struct doca_task *rig_receive(struct rig_end *end, struct doca_buf *dst, uint64_t number);
struct doca_task *rig_send(struct rig_end *end, struct doca_buf *src, uint64_t number);
struct doca_task *rig_read(struct rig_end *end, struct doca_buf *src, struct doca_buf *dst,
			   uint64_t number);
struct doca_task *rig_write(struct rig_end *end, struct doca_buf *src, struct doca_buf *dst,
			    uint64_t number);
struct doca_task *rig_send_imm(struct rig_end *end, struct doca_buf *src, doca_be32_t immediate,
			       uint64_t number);
struct doca_task *rig_write_imm(struct rig_end *end, struct doca_buf *src, struct doca_buf *dst,
				doca_be32_t immediate, uint64_t number);
struct doca_task *rig_cmp_swp(struct rig_end *end, struct doca_buf *dst, struct doca_buf *result,
			      uint64_t compare, uint64_t swap, uint64_t number);
struct doca_task *rig_fetch_add(struct rig_end *end, struct doca_buf *dst, struct doca_buf *result,
				uint64_t add, uint64_t number);

struct doca_task *rig_event_get(struct rig_end *end, struct doca_sync_event_remote_net *event,
				struct doca_buf *dst, uint64_t number);
struct doca_task *rig_event_set(struct rig_end *end, struct doca_sync_event_remote_net *event,
				struct doca_buf *src, uint64_t number);
struct doca_task *rig_event_add(struct rig_end *end, struct doca_sync_event_remote_net *event,
				struct doca_buf *result, uint64_t add, uint64_t number);

/* The last event of this kind; fails when there is none. */
const struct rig_event *rig_last(const struct rig_end *end, enum rig_kind kind);

uint8_t rig_pattern(uint32_t seed, size_t at);
void rig_fill(uint8_t *at, size_t len, uint32_t seed);
void rig_expect(const uint8_t *at, size_t len, uint32_t seed);

/* Whole records between processes of a test, over a socket pair. */
void rig_put(int fd, const void *bytes, size_t len);
void rig_get(int fd, void *bytes, size_t len);

/*
 * rig_machine.c. Under tests/e2e/netns.py there are two machines: network namespaces, each with a
 * runtime directory, so that what is exported on one is foreign to the other. A process stands on
 * one of them with all of its ends, as the library has one TCP socket for all callers of a process:
 * a test of two machines has two processes. One that has both ends in one process reaches itself
 * over a mirror at the far end of the cable (netns.py --mirror).
 */
bool rig_has_machines(void);
/* Moves this process, and what it forks from now on, to machine 0 or 1. Before the library is used.
 */
void rig_settle(int machine);
/* The address at which the other end is found. */
const char *rig_peer_address(void);
/* SOFTDPU_RDMA=fabric: ends are told of, and found gone, by the network. */
bool rig_is_fabric(void);
/* How often a case repeats what makes a connection, which takes milliseconds over the network. */
uint32_t rig_rounds(void);
/* How long a peer's end may go unnoticed, ms, as it is promised. */
unsigned int rig_notice_ms(void);
/* Progresses until cond, and tells how long it took: on a busy machine longer than promised. */
#define RIG_NOTICED(end, cond, what)                                                               \
	do {                                                                                       \
		uint64_t rig_began_ = t_deadline(0);                                               \
		T_EVENTUALLY((rig_turn(end), (cond)), rig_notice_ms() + 10000);                    \
		rig_tell_notice((what), t_deadline(0) - rig_began_);                               \
	} while (0)
void rig_tell_notice(const char *what, uint64_t ms);
/* The shortest of those that were told. */
uint64_t rig_quickest_notice(void);
/* Between two machines; neither is told. */
void rig_cut_cable(void);
void rig_mend_cable(void);

/* rig_peer.c. Runs fn(&fd) in a child that has the other end of *fd, on
 * machine 1. Before the library is used. */
pid_t rig_peer(int (*fn)(void *arg), int *fd);
/* Exports, swaps cards with a peer that does the same, connects and imports. */
void rig_swap(struct rig_end *end, int fd, struct rig_card *theirs);
/* One word each. */
void rig_say(int fd, char word);
char rig_hear(int fd);
/* Sleeps until the engine is woken, and progresses as long as there is something: whatever event is
 * lost is a hang, which the case's time-out reports. */
void rig_sleep(struct rig_end *end);
#define RIG_ASLEEP(end, cond)                                                                      \
	do {                                                                                       \
		while (!(cond))                                                                    \
			rig_sleep(end);                                                            \
	} while (0)

#endif
