/* SPDX-License-Identifier: BSD-3-Clause
 * Any bytes as an export descriptor. Half of the inputs are changes to a good descriptor, with the
 * checksum set right: they come as far as the agent of the process that they name, which is us.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "bus/blob.h"
#include "bus/blob_wire.h"
#include "core/dev.h"
#include "core/mmap.h"

#define PERMS (DOCA_ACCESS_FLAG_PCI_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint8_t memory[4096];
static struct doca_dev *host, *dpu;
static struct doca_mmap *exported;
static uint8_t good[SDPU_BLOB_MAX];
static size_t good_len;

static void need(doca_error_t result)
{
	if (result != DOCA_SUCCESS)
		abort();
}

static void set_up(void)
{
	const void *bytes;

	need(sdpu_dev_open_by_name("3b:00.0", &host));
	need(sdpu_dev_open_by_name("03:00.0", &dpu));
	need(doca_mmap_create(&exported));
	need(doca_mmap_add_dev(exported, host));
	need(doca_mmap_set_memrange(exported, memory, sizeof(memory)));
	need(doca_mmap_set_permissions(exported, PERMS));
	need(doca_mmap_start(exported));
	need(doca_mmap_export_pci(exported, host, &bytes, &good_len));
	memcpy(good, bytes, good_len);
}

/* Of another machine: its word is taken for range and permissions, and nothing is reached. */
static bool is_foreign(const struct doca_mmap *mmap)
{
	return sdpu_mmap_reach(mmap) == NULL && sdpu_mmap_window(mmap) == NULL &&
	       sdpu_mmap_source(mmap)->kind == SDPU_BLOB_RDMA;
}

/* Whatever the descriptor says, what comes of it is the owner's range with the owner's bits. */
static void import(const void *bytes, size_t len)
{
	struct doca_mmap *mmap = NULL;
	size_t range_len;
	void *addr;

	if (doca_mmap_create_from_export(NULL, bytes, len, dpu, &mmap) != DOCA_SUCCESS) {
		if (mmap != NULL)
			abort();
		return;
	}
	need(doca_mmap_get_memrange(mmap, &addr, &range_len));
	if (!is_foreign(mmap) &&
	    (addr != memory || range_len != sizeof(memory) || sdpu_mmap_permissions(mmap) != PERMS))
		abort();
	need(doca_mmap_destroy(mmap));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t changed[SDPU_BLOB_MAX];

	if (host == NULL)
		set_up();
	if (size == 0 || data[0] % 2 == 0) {
		import(data, size);
		return 0;
	}
	memcpy(changed, good, good_len);
	for (size_t i = 1; i < size && i < good_len; i++)
		changed[i] ^= data[i];
	sdpu_put_u32(changed + BLOB_AT_SUM, sdpu_blob_sum(changed, good_len));
	import(changed, good_len);
	return 0;
}
