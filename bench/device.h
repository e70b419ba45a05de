/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What every kernel over the public API starts with: a device, registered memory, errors in words.
 *
 * A side never takes down what it has opened: it ends by exiting, as the harness wants it to.
 */
#ifndef BENCH_DEVICE_H
#define BENCH_DEVICE_H

#include "harness.h"

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#define DPU_PCI_ADDR "03:00.0"
#define HOST_PCI_ADDR "3b:00.0"

enum memory_kind {
	MEMORY_PRIVATE,
	MEMORY_SHARED, /* a shared mapping of a sealed memfd, which others can map too */
};

struct memory {
	uint8_t *base;
	size_t len;
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inventory;
};

/* true for DOCA_SUCCESS; else the side gives up, saying what failed. */
bool doca_ok(struct bench *bench, doca_error_t result, const char *what);
bool device_open(struct bench *bench, const char *pci_addr, struct doca_dev **dev);
bool device_rep_open(struct bench *bench, struct doca_dev *dev, const char *pci_addr,
		     struct doca_dev_rep **rep);
/* Touched memory behind a started mmap, and an inventory of num_bufs. */
bool memory_open(struct bench *bench, struct doca_dev *dev, enum memory_kind kind, size_t len,
		 uint32_t permissions, uint32_t num_bufs, struct memory *memory);
/* A buf over [offset, offset + len) with the first data_len bytes as its data. */
bool memory_buf(struct bench *bench, struct memory *memory, size_t offset, size_t len,
		size_t data_len, struct doca_buf **buf);
bool engine_open(struct bench *bench, struct doca_pe **pe);
/* Progresses once.  false: nothing was done, and the measurement has been stopped. */
static inline bool engine_turn(struct bench *bench, struct doca_pe *pe)
{
	return doca_pe_progress(pe) != 0 || !bench_stopped(bench);
}
/* Progresses until the condition holds. false: the measurement has been stopped before. */
#define engine_until(bench, pe, condition)                                                         \
	({                                                                                         \
		bool going_on = true;                                                              \
		while (going_on && !(condition))                                                   \
			going_on = engine_turn(bench, pe);                                         \
		going_on;                                                                          \
	})
/* Progresses for so long, or until the measurement is stopped; ns that it took. */
uint64_t engine_run(struct bench *bench, struct doca_pe *pe, uint64_t duration);
/* bench_sync() for sides whose peers need their progress. */
bool engine_sync(struct bench *bench, struct doca_pe *pe);

#endif
