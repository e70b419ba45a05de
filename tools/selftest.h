/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The two halves of doctor's self-test, each a process: the DPU's serves, the host's connects. For
 * half a second they exchange control messages; then the DPU writes to and reads from the host's
 * memory by RDMA, and compares, for as long. What RDMA needs to know goes by control message, too.
 *
 * Owner of everything is the process, which ends at the first mistake, told on standard error.
 * State is static, and reachable to the end. One thread.
 */
#ifndef TOOLS_SELFTEST_H_
#define TOOLS_SELFTEST_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_comch.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_mmap.h>
#include <doca_pe.h>
#include <doca_rdma.h>

#define SELFTEST_BLOCK 4096
#define SELFTEST_HALF_NS 400000000ull /* of each of both parts */
#define SELFTEST_LIMIT_S 10

/* First byte of a control message. */
enum selftest_message {
	MESSAGE_DETAILS = 'D', /* of the sender's end of the RDMA connection */
	MESSAGE_MEMORY = 'M',  /* the host's exported memory */
	MESSAGE_PING = 'P',    /* comes back */
	MESSAGE_GO = 'G',      /* the host has done its part */
	MESSAGE_DONE = 'E',    /* so has the DPU: accesses, and the last pattern */
};

struct selftest {
	bool is_server;
	struct doca_pe *pe;
	struct doca_dev *dev;
	struct doca_comch_server *server;
	struct doca_comch_client *client;
	struct doca_comch_connection *connection;
	struct doca_rdma *rdma;
	struct doca_rdma_connection *link;
	/* Runs in the callback: what a message asks for. */
	void (*on_message)(struct selftest *test, enum selftest_message kind, const uint8_t *body,
			   uint32_t len);
};

/* selftest.c: what both halves do. */
extern struct selftest selftest;
#define TRY(call) selftest_try(#call, call)
void selftest_try(const char *what, doca_error_t result);
void selftest_fail(const char *what) __attribute__((noreturn));
uint64_t selftest_now(void); /* ns */
void selftest_open(doca_error_t (*can)(const struct doca_devinfo *), const char *pci);
void selftest_set_up(const char *name, struct doca_dev_rep *rep);
void selftest_send(enum selftest_message kind, const void *body, size_t len);
/* An RDMA context, whose end of the connection is told to the peer. */
void selftest_start_rdma(void);
struct doca_mmap *selftest_map(void *base, size_t len, uint32_t permissions);

/* Never come back. */
void selftest_serve(const char *name) __attribute__((noreturn));
void selftest_connect(const char *name, const char *pci) __attribute__((noreturn));

#endif /* TOOLS_SELFTEST_H_ */
