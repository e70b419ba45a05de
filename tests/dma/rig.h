/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A DMA context for tests, with its device, engine, inventory, and a record of what happened to it.
 */
#ifndef TESTS_DMA_RIG_H
#define TESTS_DMA_RIG_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_dma.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#include "t.h"

#define RIG_TASKS 32
#define RIG_HOST_PERMS (DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE)

struct rig {
	uint32_t num_tasks; /* before rig_open(): 0 means RIG_TASKS */

	struct doca_dev *dev;  /* on the DPU */
	struct doca_dev *host; /* exports to it */
	struct doca_pe *pe;
	struct doca_dma *dma;
	struct doca_ctx *ctx;
	struct doca_buf_inventory *inventory;

	/* What happened. */
	uint32_t ok, failed;
	doca_error_t status; /* of the last task */
	uint64_t numbers[64];
	enum doca_ctx_states states[8];
	uint32_t num_states;

	bool keep; /* callbacks leave the task and its bufs to the test */
	void (*on_task)(struct rig *rig, struct doca_dma_task_memcpy *task);
	void (*on_state)(struct rig *rig, enum doca_ctx_states next);
	void *arg;
};

/* Device, engine, inventory, configured context; not started. */
void rig_open(struct rig *rig);
void rig_start(struct rig *rig);
/* Stops, progresses to IDLE, destroys all. Safe on what was destroyed already. */
void rig_close(struct rig *rig);
enum doca_ctx_states rig_state(const struct rig *rig);
/* Connects, sets callbacks. For contexts beside that of the rig. */
void rig_configure(struct rig *rig, struct doca_dma *dma);

#define RIG_UNTIL(rig, cond) T_EVENTUALLY((doca_pe_progress((rig)->pe), (cond)), 20000)

/* Memory of the host's, exported and imported by the DPU; the same process may do both. */
struct rig_card {
	uint8_t desc[1024];
	size_t len;
};
void rig_export(struct rig *rig, struct doca_mmap *mmap, struct rig_card *card);
struct doca_mmap *rig_import(struct rig *rig, const struct rig_card *card);

/* Of [addr, addr + len): all of it data, or all of it room. */
struct doca_buf *rig_data(struct rig *rig, struct doca_mmap *mmap, void *addr, size_t len);
struct doca_buf *rig_room(struct rig *rig, struct doca_mmap *mmap, void *addr, size_t len);
size_t rig_len(const struct doca_buf *buf);
void rig_drop(const struct doca_buf *buf);

struct doca_dma_task_memcpy *rig_task(struct rig *rig, const struct doca_buf *src,
				      struct doca_buf *dst, uint64_t number);
/* Allocates and submits; callbacks free it and its bufs. */
void rig_copy(struct rig *rig, const struct doca_buf *src, struct doca_buf *dst, uint64_t number);
/* The same, and waits for its end, whose status it gives. */
doca_error_t rig_run(struct rig *rig, const struct doca_buf *src, struct doca_buf *dst);

void rig_fill(uint8_t *at, size_t len, uint32_t seed);
void rig_expect(const uint8_t *at, size_t len, uint32_t seed);

/* Whole records between processes of a test, over a socket pair. */
void rig_put(int fd, const void *bytes, size_t len);
void rig_get(int fd, void *bytes, size_t len);

extern const char *const rig_windows[4];

#endif
