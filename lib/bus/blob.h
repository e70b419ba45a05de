/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Export blob of an mmap or a sync event: what an importer must know to find the window. The bytes
 * travel through the program's hands (files, sockets, messages) and are not trusted when they come
 * back: a blob names a process and a key, and grants nothing by itself; the owner's agent does.
 * Owner: the caller. Pure functions; any thread.
 */
#ifndef SDPU_BUS_BLOB_H
#define SDPU_BUS_BLOB_H

#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "base/compiler.h"
#include "bus/agent.h"
#include "bus/machine.h"
#include "bus/window.h"

#define SDPU_BLOB_MAX 1000

enum sdpu_blob_kind {
	SDPU_BLOB_PCI = 1,
	SDPU_BLOB_RDMA = 2,
	SDPU_BLOB_EVENT_PCI = 3,
	SDPU_BLOB_EVENT_NET = 4,
};

#define SDPU_BLOB_IS(kind) (1u << (kind))
#define SDPU_BLOB_IS_MMAP (SDPU_BLOB_IS(SDPU_BLOB_PCI) | SDPU_BLOB_IS(SDPU_BLOB_RDMA))

struct sdpu_blob {
	enum sdpu_blob_kind kind;
	uint32_t perms; /* mask of enum doca_access_flag */
	uint64_t addr;	/* first owner's address, used by everybody throughout */
	uint64_t len;
	uint8_t key[SDPU_KEY_SIZE];
	uint8_t machine_id[SDPU_MACHINE_ID_SIZE]; /* where the first owner is */
	char owner[SDPU_ENDPOINT_MAX];		  /* agent of the first owner */
	char reexporter[SDPU_ENDPOINT_MAX]; /* agent of who imported and exported again, or empty */
};

SDPU_SHARED void sdpu_blob_encode(const struct sdpu_blob *blob, uint8_t out[SDPU_BLOB_MAX],
				  size_t *len);
/*
 * `kinds`: the acceptable ones, SDPU_BLOB_IS() of each. INVALID_VALUE, logged with found and
 * needed: not a blob of ours, damaged, of another kind, or with values that none of ours has. Bytes
 * behind the blob are ignored: programs pass buffers of a fixed size.
 */
SDPU_SHARED doca_error_t sdpu_blob_decode(const char *call, const void *bytes, size_t len,
					  uint32_t kinds, struct sdpu_blob *blob);

/* Sum over a blob of `len` bytes as it stands in its head; `len` is at least the head's. */
SDPU_SHARED uint32_t sdpu_blob_sum(const uint8_t *bytes, size_t len);

#endif
