/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the two sides of a memory window share: records to the owner's agent, the page of a grant,
 * the staging memory of served copies. Both sides are on one machine and of one build (the hello
 * says so): native integers. Everything here is untrusted to whoever did not write it;
 * window_check.h judges.
 */
#ifndef SDPU_BUS_WINDOW_WIRE_H
#define SDPU_BUS_WINDOW_WIRE_H

#include <stdint.h>

#include "base/compiler.h"
#include "bus/window.h"

/* Made by the owner, mapped writable by both. */
#define GRANT_PAGE_SIZE 4096
struct grant_page {
	SDPU_CACHE_ALIGNED uint32_t live; /* owner writes: 1, then 0 for ever */
	/* Importer writes: its accesses in flight, the first one in a word of its own. */
	SDPU_CACHE_ALIGNED uint32_t first;
	uint32_t others;
};

enum window_op {
	WINDOW_IMPORT = 1, /* with a window's key: make me a grant; answered by a window_reply */
	WINDOW_STAGE = 2,  /* with a grant's key and staging memory: serve me; not answered */
};

/* First record on a connection to the agent. The connection lives as long as what was asked for. */
struct window_request {
	struct sdpu_hello hello;
	uint32_t op;
	uint32_t pad;
	uint8_t key[SDPU_KEY_SIZE];
};

/* The descriptors of the grant come with it. */
struct window_reply {
	uint32_t result; /* doca_error_t; the rest counts only with SUCCESS */
	uint32_t pad;
	struct sdpu_grant_msg msg;
};

enum stage_op {
	STAGE_PUT = SDPU_COPY_PUT,
	STAGE_GET = SDPU_COPY_GET,
	STAGE_ATOMIC, /* + enum sdpu_atomic_kind */
};

struct stage_ask {
	uint32_t op;
	uint32_t len;	  /* copies only */
	uint64_t addr;	  /* owner's */
	uint64_t operand; /* atomics only */
	uint64_t compare;
};

/*
 * Staging memory, made by the importer. A request is complete when both numbers are equal again;
 * then the slot is the importer's to change. All slots together are one turn of the agent. Who asks
 * for nothing but atomics makes the head alone.
 */
#define STAGE_SLOTS 4
#define STAGE_SLOT_SIZE (SDPU_WINDOW_CHUNK / STAGE_SLOTS)
struct stage_slot {
	/* Importer writes; request last, with release. */
	SDPU_CACHE_ALIGNED uint32_t request;
	struct stage_ask ask;
	/* Owner writes; complete last, with release. */
	SDPU_CACHE_ALIGNED uint32_t complete;
	uint32_t status; /* doca_error_t */
	uint64_t result; /* atomics only: what was there before */
};
struct stage {
	struct stage_slot slot[STAGE_SLOTS];
	__attribute__((aligned(4096))) uint8_t data[STAGE_SLOTS][STAGE_SLOT_SIZE];
};
#define STAGE_HEAD_SIZE offsetof(struct stage, data)

#endif
