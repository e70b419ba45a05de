/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One end of an RDMA connection; contract in rdma_end.h.  A side writes its own blobs before
 * bench_sync() and reads the peer's behind it.
 */
#include "rdma_end.h"

#include <stdlib.h>
#include <string.h>

enum { BLOB_CONNECTION, BLOB_MEMORY, NUM_BLOBS };

static struct rdma_blob *blob_of(struct rdma_end *end, unsigned place, unsigned kind)
{
	struct rdma_blob *blobs = end->bench->arena;

	return &blobs[place * NUM_BLOBS + kind];
}

static bool show(struct rdma_end *end, unsigned kind, const void *bytes, size_t len)
{
	struct rdma_blob *blob = blob_of(end, end->place, kind);

	if (len > sizeof(blob->bytes)) {
		bench_give_up(end->bench, BENCH_FAILED, "a descriptor has %zu bytes", len);
		return false;
	}
	memcpy(blob->bytes, bytes, len);
	blob->len = (uint32_t)len;
	return bench_sync(end->bench);
}

static struct rdma_blob *peers_blob(struct rdma_end *end, unsigned kind)
{
	return blob_of(end, 1 - end->place, kind);
}

bool rdma_end_open(struct bench *bench, struct doca_pe *pe, struct rdma_end *end)
{
	const uint32_t permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
				     DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE |
				     DOCA_ACCESS_FLAG_RDMA_ATOMIC;
	union doca_data data = {.ptr = end};
	struct doca_ctx *ctx;

	*end = (struct rdma_end){.bench = bench, .place = bench->side % 2, .pe = pe};
	setenv("SOFTDPU_RDMA", (bench->kernel->variant & RDMA_OVER_TCP) != 0 ? "fabric" : "local",
	       1);
	if ((pe == NULL && !engine_open(bench, &end->pe)) ||
	    !device_open(bench, DPU_PCI_ADDR, &end->dev) ||
	    !doca_ok(bench, doca_rdma_create(end->dev, &end->rdma), "doca_rdma_create"))
		return false;
	ctx = doca_rdma_as_ctx(end->rdma);
	return doca_ok(bench, doca_rdma_set_permissions(end->rdma, permissions),
		       "doca_rdma_set_permissions") &&
	       doca_ok(bench, doca_pe_connect_ctx(end->pe, ctx), "doca_pe_connect_ctx") &&
	       doca_ok(bench, doca_ctx_set_user_data(ctx, data), "doca_ctx_set_user_data");
}

bool rdma_end_connect(struct rdma_end *end)
{
	struct bench *bench = end->bench;
	struct rdma_blob *peers = peers_blob(end, BLOB_CONNECTION);
	const void *details;
	size_t len;

	return doca_ok(bench, doca_ctx_start(doca_rdma_as_ctx(end->rdma)), "RDMA start") &&
	       doca_ok(bench, doca_rdma_export(end->rdma, &details, &len, &end->connection),
		       "doca_rdma_export") &&
	       show(end, BLOB_CONNECTION, details, len) &&
	       doca_ok(bench,
		       doca_rdma_connect(end->rdma, peers->bytes, peers->len, end->connection),
		       "doca_rdma_connect") &&
	       engine_sync(bench, end->pe);
}

bool rdma_end_export(struct rdma_end *end, struct memory *memory)
{
	const void *descriptor;
	size_t len;

	return doca_ok(end->bench, doca_mmap_export_rdma(memory->mmap, end->dev, &descriptor, &len),
		       "doca_mmap_export_rdma") &&
	       show(end, BLOB_MEMORY, descriptor, len);
}

bool rdma_end_import(struct rdma_end *end, struct doca_mmap **remote)
{
	struct rdma_blob *peers = peers_blob(end, BLOB_MEMORY);

	return bench_sync(end->bench) &&
	       doca_ok(end->bench,
		       doca_mmap_create_from_export(NULL, peers->bytes, peers->len, end->dev,
						    remote),
		       "doca_mmap_create_from_export");
}
