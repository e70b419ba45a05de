/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the test programs of the end-to-end tests share: options, saying things, an end for
 * whatever goes wrong, memory, and the count of what a process holds. They are ordinary programs:
 * public headers only. The scripts beside them start, disturb and judge them.
 */
#ifndef TESTS_E2E_PEER_KIT_H
#define TESTS_E2E_PEER_KIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_mmap.h>

/* Exit statuses. Every other one, and every signal but the script's own, is a fault. */
enum peer_status {
	PEER_DONE = 0,	  /* to the end, in order */
	PEER_WRONG = 1,	  /* what should not happen, with a line that begins with WRONG */
	PEER_LOST = 3,	  /* the other side was lost, and this one ended by itself */
	PEER_REFUSED = 4, /* no connection came about */
};

/* Arguments are words: `name` or `name=value`. */
void peer_options(int argc, char **argv);
bool peer_has(const char *name);
const char *peer_text(const char *name, const char *otherwise);
uint64_t peer_number(const char *name, uint64_t otherwise);

/* One line on standard output, in one write. */
void peer_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Says why, and ends the process without any more ado. */
void peer_wrong(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Calls that cannot fail here. */
#define TRY(call) peer_try(#call, call)
void peer_try(const char *what, doca_error_t result);

uint64_t peer_now(void); /* ns, the clock that scripts read as time.monotonic_ns() */

/* Memory that the library knows, from the heap or from a sealed memfd. */
struct peer_memory {
	uint8_t *base;
	size_t size;
	int fd;
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inventory;
};
void peer_memory_open(struct peer_memory *memory, struct doca_dev *dev, size_t size, bool shared);
void peer_memory_close(struct peer_memory *memory);

/* First device that can be a server with the first host function, or a client. */
struct doca_dev *peer_open_dev(bool is_server, struct doca_dev_rep **rep);

/* The least that a program can do with the library: it comes, it goes. */
void peer_touch(void);

/* What this process holds. */
struct peer_holdings {
	unsigned int fds;
	unsigned int threads;
	unsigned int maps;    /* mappings in all */
	unsigned int deleted; /* of files without a name: segments, memfds */
	unsigned long rss_kib;
};
void peer_holdings(struct peer_holdings *holdings);
/* Wrong unless descriptors, threads and segments are as many as before. */
void peer_expect_holdings(const struct peer_holdings *before);

/*
 * Sends `signal` to ourselves after that many ns, wherever we are then: the kernel does it, and
 * no code of ours or anybody's runs before.
 */
uint64_t peer_arm(int signal, uint64_t after);
/*
 * A child that lives until standard input ends, holding what it inherited. raw: made by the bare
 * system call, so that no fork handler closes anything.
 */
void peer_leave_child(bool raw);

/* Modes: pair.c, serve.c, cycle.c, crowd.c, ping.c. Each returns an exit status. */
int mode_pair_server(void);
int mode_pair_client(void);
int mode_serve(void);
int mode_cycle(void);
int mode_cycle_path(void);
int mode_crowd(void);
int mode_ping_server(void);
int mode_ping_client(void);
int mode_starting(void);

#endif
