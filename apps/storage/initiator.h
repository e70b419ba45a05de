/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The initiator, on the host: owns the IO memory, asks for reads and writes by IO messages to the
 * bridge, and measures. It knows nothing of the target.
 *
 *	initiator_main.c     the program
 *	initiator_control.c  the phases: what the control thread does, in order
 *	initiator_run.c      the phases around the data path: start, supervision, stop
 *	initiator_thread.c   the objects of a data path thread
 *	initiator_io.c       the data path: transactions
 *	initiator_modes.c    what a thread runs: transfers, or validated writes
 *	initiator_report.c   statistics
 */
#ifndef STORAGE_INITIATOR_H
#define STORAGE_INITIATOR_H

#include "app.h"
#include "batch.h"
#include "comch_link.h"
#include "control_comch.h"
#include "data_file.h"
#include "initiator_options.h"
#include "latency.h"
#include "message_pool.h"
#include "plan.h"
#include "progress.h"

#define INITIATOR_PROGRAM_NAME "doca_storage_zero_copy_initiator_comch"

struct initiator;
struct initiator_thread;

/* What a transaction still waits for; it is complete with neither, in whatever order they come. */
enum initiator_pending {
	INITIATOR_PENDING_SEND = 1 << 0,   /* the bridge to take the request */
	INITIATOR_PENDING_ANSWER = 1 << 1, /* the answer that carries its correlation id */
};

/* One place for an operation. Transaction i works on buffer i of its thread, always. */
struct initiator_transaction {
	struct initiator_thread *thread;
	struct doca_comch_producer_task_send *send;
	uint8_t *message; /* the request; written before a burst, only read during it */
	uint64_t started;
	uint32_t pending; /* mask of enum initiator_pending */
};

/* A place for an answer. Any answer may land in any. */
struct initiator_receive {
	struct initiator_thread *thread;
	struct doca_buf *buf;
	const uint8_t *message;
	struct doca_comch_consumer_task_post_recv *task;
};

struct initiator_thread {
	struct worker worker; /* first: the worker's body gets it */
	struct initiator *initiator;
	struct message_pool pool; /* first the requests, then the places for answers */
	struct comch_link comch;
	struct initiator_transaction *transactions;
	struct initiator_receive *receives;
	struct batch batch;
	uint8_t *memory;	  /* the thread's buffers */
	uint32_t share;		  /* operations to run */
	uint32_t to_start;	  /* operations of the current burst that are not started yet */
	uint32_t in_flight;	  /* transactions that are not complete */
	bool measuring;		  /* completions count; off for the stop message */
	bool closing;		  /* being destroyed: completions are left alone */
	doca_error_t failure;	  /* what ended the thread early ... */
	const char *failure_text; /* ... and in words */
	atomic_uint_fast64_t completed; /* written by the thread, shown by the control thread */
	uint64_t failures;		/* answers that report an error */
	uint64_t now;			/* of this turn of the engine; 0: not read yet */
	struct latency latency;
};

struct initiator {
	struct app app; /* first */
	struct initiator_options options;
	struct plan plan;
	enum io_message_type operation;
	uint32_t batch_size;
	uint32_t num_transactions; /* of each thread */
	struct doca_dev *dev;
	struct doca_pe *pe; /* control engine */
	struct control_comch bridge;
	uint32_t last_id; /* correlation id of the last request sent */
	struct data_file file;
	struct memory_region memory; /* the buffers of all threads */
	struct doca_mmap *memory_mmap;
	struct initiator_thread *threads;
	struct progress progress;
	uint64_t started, ended; /* data path */
	uint64_t operations;	 /* done, kept for the report */
	uint64_t failures, hits, misses;
	struct latency latency;
};

extern const struct app_phase initiator_phases[];
extern const struct app_program initiator_program;

/* Sends a request without payload to the bridge and waits for its success. */
doca_error_t initiator_request(struct initiator *initiator, enum wire_type type);

/* Whether writes are read back and compared. */
static inline bool initiator_validates(const struct initiator *initiator)
{
	return initiator->options.validate_writes && initiator->operation == IO_MESSAGE_WRITE;
}

/* The phases around the data path. */
doca_error_t initiator_start(struct app *app);
doca_error_t initiator_run(struct app *app);
doca_error_t initiator_stop(struct app *app);

/* Objects of one thread, step by step; each raises the fault on failure. */
doca_error_t initiator_thread_make(struct initiator_thread *thread);
doca_error_t initiator_thread_make_tasks(struct initiator_thread *thread);
doca_error_t initiator_thread_post_receives(struct initiator_thread *thread);
void initiator_thread_disconnect(struct initiator_thread *thread);
void initiator_thread_destroy(struct initiator_thread *thread);

/* Transactions. */
void initiator_fill_consumer_conf(struct initiator_thread *thread,
				  struct comch_link_consumer_conf *conf);
void initiator_fill_producer_conf(struct initiator_thread *thread,
				  struct comch_link_producer_conf *conf);
void initiator_transaction_start(struct initiator_transaction *transaction, uint64_t now);

/* Runs count operations of one type on the first min(count, transactions) buffers, to their end. */
void initiator_burst(struct initiator_thread *thread, enum io_message_type type, uint32_t count);

/* Whether a thread shall go on, asked between bursts. */
bool initiator_thread_goes_on(struct initiator_thread *thread);

/* What a thread runs. */
void initiator_body_transfer(struct worker *worker);
void initiator_body_validate(struct worker *worker);

/* Adds up what the threads have measured, as often as wanted while they exist; and shows it. */
void initiator_collect(struct initiator *initiator);
void initiator_print_stats(struct app *app);
void initiator_write_json(struct app *app, struct json_out *json);

#endif
