/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The two halves of doctor's self-test, each a process: the DPU's serves, the host's connects. For
 * half a second they exchange control messages. For another half the DPU writes to the host's
 * memory by RDMA, reads it back and compares. The RDMA details are exchanged by control messages as
 * well.
 *
 * The process owns everything and ends at the first error, with a message on standard error. State
 * is static. One thread.
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
	MESSAGE_DONE = 'E',    /* the DPU has, too: number of accesses, and the last pattern */
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
	/* Runs in the receive callback. */
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
/* Starts an RDMA context and sends the details of its connection to the peer. */
void selftest_start_rdma(void);
struct doca_mmap *selftest_map(void *base, size_t len, uint32_t permissions);

/* Do not return. */
void selftest_serve(const char *name) __attribute__((noreturn));
void selftest_connect(const char *name, const char *pci) __attribute__((noreturn));

#endif /* TOOLS_SELFTEST_H_ */
