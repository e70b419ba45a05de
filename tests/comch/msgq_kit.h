/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The CPU's ends of a MsgQ for tests, each with an engine of its own or a common one, and a record
 * of what happened to it.
 */
#ifndef TESTS_COMCH_MSGQ_KIT_H
#define TESTS_COMCH_MSGQ_KIT_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_comch_msgq.h>
#include <doca_ctx.h>
#include <doca_pe.h>

#include "t.h"

struct cpu_consumer {
	struct doca_comch_consumer *consumer;
	struct doca_ctx *ctx;
	struct doca_pe *pe;
	uint32_t id;
	uint32_t num; /* receive tasks */
	bool repost;
	uint32_t got, flushed;
	doca_error_t last_status;
	/* Of the last message. */
	uint32_t producer;
	uint32_t imm_len;
	uint8_t imm[32];
	/* Called with each message, when set. */
	void (*on_message)(struct cpu_consumer *consumer);
	void *arg;
};

struct cpu_producer {
	struct doca_comch_producer *producer;
	struct doca_ctx *ctx;
	struct doca_pe *pe;
	uint32_t id;
	uint32_t done, failed;
};

/* A MsgQ between CPUs, stopped; the settings are what the test makes of it. */
struct doca_comch_msgq *msgq_open(struct doca_dev *dev, uint32_t consumers, uint32_t producers);
void msgq_close(struct doca_comch_msgq *msgq);

/* Created, configured and started, nothing posted. */
void cpu_consumer_open(struct cpu_consumer *consumer, struct doca_comch_msgq *msgq,
		       struct doca_pe *pe, uint32_t num);
void cpu_consumer_post(struct cpu_consumer *consumer, uint32_t num);
/* Stops, progresses to IDLE, destroys. */
void cpu_consumer_close(struct cpu_consumer *consumer);

void cpu_producer_open(struct cpu_producer *producer, struct doca_comch_msgq *msgq,
		       struct doca_pe *pe, uint32_t num);
/* Refusals come back; the task is freed then, and else by its callback. */
doca_error_t cpu_producer_try(struct cpu_producer *producer, uint32_t id, const void *imm,
			      uint32_t imm_len);
/* One number, for as long as it is AGAIN. */
void cpu_producer_send(struct cpu_producer *producer, uint32_t id, uint32_t number);
void cpu_producer_close(struct cpu_producer *producer);

/* The number in a message of cpu_producer_send(). */
uint32_t cpu_consumer_number(const struct cpu_consumer *consumer);

#define PE_UNTIL(pe, cond) T_EVENTUALLY((doca_pe_progress(pe), (cond)), 10000)

#endif
