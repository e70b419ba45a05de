/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Strand: a POSIX thread that runs kernels, one at a time. Owner: the pool of its DPA context
 * (strand_pool.h), which hands it out for a job (a DPA thread's life, one rank of a launch, an RPC)
 * and takes it back afterwards.
 *
 * A kernel runs on top of a frame to which it can be thrown back from anywhere: by the device
 * functions that end it, by a fault, and by a signal that kills it. So what a device function does
 * must either be fit to be left at any instruction, or stand between sdpu_dpa_guard_enter() and
 * _leave(), which a kill waits for. A fault does not wait: no lock may be held over an access to
 * memory of the program's, and what it leaves half done is never looked at again, as the context is
 * FATAL then. All fields are the strand's own unless they say otherwise.
 */
#ifndef SDPU_DPA_STRAND_H
#define SDPU_DPA_STRAND_H

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include <doca_dpa.h>
#include <softdpu_dpa_app.h>

#include "base/atomic.h"
#include "base/compiler.h"
#include "base/list.h"
#include "core/mmap_handle.h"

#define SDPU_DPA_FAULT_DEPTH 48
#define SDPU_DPA_FAULT_TEXT 256

/* How a kernel came to its end. */
enum sdpu_dpa_end {
	SDPU_DPA_END_RETURN,
	SDPU_DPA_END_RESCHEDULE,
	SDPU_DPA_END_FINISH,
	SDPU_DPA_END_KILL,  /* `killed` was set */
	SDPU_DPA_END_FAULT, /* what is in `fault` */
};

/* Written by the strand or its signal handler when it happens; read after the jump to the frame. */
struct sdpu_dpa_fault {
	bool present;
	int signal; /* 0: sdpu_dpa_fatal() */
	int code;
	const void *address; /* that was accessed */
	const void *pc;
	int depth;
	void *stack[SDPU_DPA_FAULT_DEPTH];
	char text[SDPU_DPA_FAULT_TEXT]; /* of sdpu_dpa_fatal() */
};

/* For the watchdog. */
struct dpa_clocked {
	uint32_t turn;
	uint64_t ran; /* ns in that turn */
};

struct dpa_job;
struct dpa_pool;

struct sdpu_dpa_strand {
	struct doca_dpa *dpa;			 /* whose pool it is of: never an extended one */
	struct doca_dpa *device;		 /* that the kernel has chosen */
	struct doca_dpa_thread *thread;		 /* NULL: a launch, or an RPC */
	const struct softdpu_dpa_kernel *kernel; /* atomic, the watchdog reads */
	uint32_t rank;
	uint32_t num_threads;
	uint64_t result; /* of the kernel */

	uint32_t ending;	    /* atomic: the job is to end when no kernel runs */
	uint32_t killed;	    /* atomic: and the kernel is to end now */
	uint32_t overdue;	    /* atomic: ms; not 0: that is the watchdog's wish */
	uint32_t turn;		    /* atomic, the watchdog reads: odd while a kernel runs */
	volatile uint32_t guard;    /* depth; the signal handler reads */
	struct sdpu_mmap_pins pins; /* of what a device function works on */
	jmp_buf frame;
	struct sdpu_dpa_fault fault;

	/* In a cache line of its own, as senders read it for each message. */
	uint8_t before_asleep[SDPU_CACHE_LINE];
	uint32_t asleep; /* atomic, futex: waits for a trigger (trigger.h) */
	uint8_t after_asleep[SDPU_CACHE_LINE];

	/* Of the pool, under its lock; strand_pool.h */
	struct dpa_pool *pool;
	struct dpa_job *job;
	struct sdpu_list node;
	struct dpa_clocked clocked;
	uint32_t marked; /* turn that a stop waits for */
	bool abandoned;	 /* the pool does not wait for it any more */
	pthread_cond_t wake;
	pthread_t pthread;
	void *signal_stack;
	stack_t signal_stack_before;
};

/* Set while a kernel runs on this thread. */
SDPU_SHARED extern __thread struct sdpu_dpa_strand *sdpu_dpa_strand_current
	__attribute__((tls_model("initial-exec")));

/* NULL outside of kernels. */
static inline struct sdpu_dpa_strand *sdpu_dpa_strand_self(void)
{
	return sdpu_dpa_strand_current;
}

/* Leaves the kernel. */
SDPU_SHARED void sdpu_dpa_strand_end(struct sdpu_dpa_strand *strand, enum sdpu_dpa_end end)
	__attribute__((cold, noreturn));
/* Outside of a kernel: ends the program with a line that says that `call` is for kernels. */
SDPU_SHARED void sdpu_dpa_strand_missing(const char *call) __attribute__((cold, noreturn));

/* Ends the kernel if it is to end: at the beginning of a device function, and in each turn of one
 * that waits. */
static inline void sdpu_dpa_strand_check(struct sdpu_dpa_strand *strand)
{
	if (sdpu_unlikely(sdpu_load(&strand->killed) != 0) && strand->guard == 0)
		sdpu_dpa_strand_end(strand, SDPU_DPA_END_KILL);
}

/* The beginning of every device function; `call` is its name. */
static inline struct sdpu_dpa_strand *sdpu_dpa_strand_enter(const char *call)
{
	struct sdpu_dpa_strand *strand = sdpu_dpa_strand_current;

	if (sdpu_unlikely(strand == NULL))
		sdpu_dpa_strand_missing(call);
	sdpu_dpa_strand_check(strand);
	return strand;
}

/* A kill waits until the guard is left. In a kernel; may be nested. */
static inline void sdpu_dpa_guard_enter(struct sdpu_dpa_strand *strand)
{
	strand->guard++;
	sdpu_compiler_barrier();
}

static inline void sdpu_dpa_guard_leave(struct sdpu_dpa_strand *strand)
{
	sdpu_compiler_barrier();
	strand->guard--;
	sdpu_dpa_strand_check(strand);
}

#endif
