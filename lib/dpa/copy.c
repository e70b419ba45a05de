/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies by handles; contract in copy.h. Both mmaps are pinned for as long as it lasts. A fault in
 * it leaves the pins to the strand, which gives them back.
 */
#include "dpa/copy.h"

#include <doca_types.h>

#include "base/error_text.h"
#include "core/mmap_handle.h"
#include "dpa/copy_place.h"
#include "dpa/strand.h"

#define LOCAL_WRITE (DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE)
#define REMOTE_READ (DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE)

struct copy {
	const uint32_t *ending; /* atomic: not 0: give up */
	doca_dpa_dev_mmap_t dst_handle, src_handle;
	struct sdpu_mmap_span dst, src;
};

static bool holds(const struct sdpu_mmap_span *span, uint64_t addr, size_t len)
{
	return addr - span->addr <= span->len && len <= span->len - (addr - span->addr);
}

/* Local memory can always be read. */
static bool is_permitted(const struct copy *copy)
{
	uint32_t write = copy->dst.reach == NULL ? LOCAL_WRITE : DOCA_ACCESS_FLAG_PCI_READ_WRITE;

	return (copy->dst.perms & write) != 0 &&
	       (copy->src.reach == NULL || (copy->src.perms & REMOTE_READ) != 0);
}

static bool go_on(const void *arg)
{
	const struct copy *copy = arg;

	return sdpu_load(copy->ending) == 0 && sdpu_mmap_handle_lives(copy->dst_handle) &&
	       sdpu_mmap_handle_lives(copy->src_handle);
}

static doca_error_t run_pinned(const struct copy *copy, uint64_t dst_addr, uint64_t src_addr,
			       size_t len)
{
	const struct dpa_copy_leave leave = {go_on, copy};

	if (sdpu_unlikely(!holds(&copy->dst, dst_addr, len) || !holds(&copy->src, src_addr, len) ||
			  !is_permitted(copy)))
		return DOCA_ERROR_NOT_PERMITTED;
	return dpa_copy_places((struct dpa_place){dst_addr, copy->dst.reach},
			       (struct dpa_place){src_addr, copy->src.reach}, len, &leave);
}

static doca_error_t run(struct copy *copy, uint64_t dst_addr, uint64_t src_addr, size_t len)
{
	doca_error_t result = DOCA_ERROR_NOT_FOUND;

	if (sdpu_unlikely(!sdpu_mmap_pin(copy->dst_handle, &copy->dst)))
		return result;
	if (sdpu_likely(sdpu_mmap_pin(copy->src_handle, &copy->src))) {
		result = run_pinned(copy, dst_addr, src_addr, len);
		sdpu_mmap_unpin(copy->src_handle);
	}
	sdpu_mmap_unpin(copy->dst_handle);
	return result;
}

doca_error_t dpa_copy_unless(const uint32_t *ending, doca_dpa_dev_mmap_t dst, uint64_t dst_addr,
			     doca_dpa_dev_mmap_t src, uint64_t src_addr, size_t len)
{
	struct copy copy = {.ending = ending, .dst_handle = dst, .src_handle = src};

	return run(&copy, dst_addr, src_addr, len);
}

doca_error_t sdpu_dpa_copy(doca_dpa_dev_mmap_t dst, uint64_t dst_addr, doca_dpa_dev_mmap_t src,
			   uint64_t src_addr, size_t len)
{
	struct sdpu_dpa_strand *strand = sdpu_dpa_strand_self();
	doca_error_t result;

	sdpu_dpa_guard_enter(strand);
	result = dpa_copy_unless(&strand->killed, dst, dst_addr, src, src_addr, len);
	sdpu_dpa_guard_leave(strand);
	return result;
}

const char *sdpu_dpa_copy_fault(doca_error_t result)
{
	switch (result) {
	case DOCA_ERROR_NOT_FOUND:
		return "a handle is none, or its mmap was stopped";
	case DOCA_ERROR_NOT_PERMITTED:
		return "the range is outside of an mmap, the destination may not be written "
		       "(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, imported: _PCI_READ_WRITE), or an "
		       "exporter has stopped its mmap";
	case DOCA_ERROR_SHUTDOWN:
		return "an mmap was stopped, or the kernel was ended, while it was under way";
	case DOCA_ERROR_CONNECTION_RESET:
		return "the exporter of an mmap is dead";
	case DOCA_ERROR_IO_FAILED:
	case DOCA_ERROR_INVALID_VALUE:
		return "the memory of an mmap is gone";
	default:
		return sdpu_error_descr(result);
	}
}
