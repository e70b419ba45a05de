/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Producers and consumers for tests, on the connection of an `end`, each with an engine of its own
 * or the end's.
 */
#ifndef TESTS_COMCH_FAST_H
#define TESTS_COMCH_FAST_H

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_mmap.h>

#include "comch/pair.h"

/* Memory, known to the library. */
struct memory {
	uint8_t *base;
	size_t size;
	bool shared; /* a sealed memfd instead of heap */
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inventory;
};
void memory_open(struct memory *memory, struct doca_dev *dev, size_t size, bool shared,
		 uint32_t permissions);
void memory_close(struct memory *memory);
/* A buffer with data (source) or without (destination). */
struct doca_buf *memory_buf(struct memory *memory, size_t offset, size_t len, bool data);

/* Content that tells where it belongs. */
void pattern_fill(uint8_t *at, size_t len, uint8_t seed);
void pattern_check(const uint8_t *at, size_t len, uint8_t seed);

struct receiver {
	struct end *end;
	struct doca_pe *pe;
	struct doca_comch_consumer *consumer;
	struct doca_ctx *ctx;
	struct memory memory;
	size_t slot; /* bytes of each posted buffer */
	uint32_t num;
	uint32_t id;
	bool repost;
	uint32_t got, flushed;
	doca_error_t last_status;
	/* Of the last message. */
	uint32_t producer;
	uint32_t imm_len;
	uint8_t imm[32];
	size_t len;
	uint8_t *data;
	void (*on_message)(struct receiver *receiver,
			   struct doca_comch_consumer_task_post_recv *task);
	void *arg;
};
/* Created and configured; receiver_start() progresses `turn` until it runs. */
void receiver_create(struct receiver *receiver, struct end *end, struct doca_pe *pe, uint32_t num,
		     size_t slot, bool shared);
void receiver_start(struct receiver *receiver, void (*turn)(void *), void *arg);
/* Posts all buffers (slot 0: without buffer). */
void receiver_post_all(struct receiver *receiver);
void receiver_post(struct receiver *receiver, uint32_t i);
void receiver_close(struct receiver *receiver, void (*turn)(void *), void *arg);

struct sender {
	struct end *end;
	struct doca_pe *pe;
	struct doca_comch_producer *producer;
	struct doca_ctx *ctx;
	struct memory memory;
	uint32_t num;
	uint32_t done, failed;
	doca_error_t last_status;
	void (*on_done)(struct sender *sender, struct doca_task *task);
	void *arg;
};
/* Created and configured; sender_open() starts it as well. */
void sender_create(struct sender *sender, struct end *end, struct doca_pe *pe, uint32_t num,
		   size_t size, bool shared);
void sender_open(struct sender *sender, struct end *end, struct doca_pe *pe, uint32_t num,
		 size_t size, bool shared);
/* AGAIN and other refusals come back; the task is freed then. */
doca_error_t sender_try(struct sender *sender, uint32_t id, size_t offset, size_t len,
			const void *imm, uint32_t imm_len);
void sender_close(struct sender *sender, void (*turn)(void *), void *arg);

enum doca_ctx_states ctx_state(const struct doca_ctx *ctx);

#endif
