/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies by handles; contract in copy.h. Both mmaps are pinned for as long as it lasts. After a
 * fault the strand releases the pins.
 */
#include "dpa/copy.h"

#include <doca_types.h>

#include "base/error_text.h"
#include "dpa/copy_place.h"
#include "dpa/strand.h"

#define LOCAL_WRITE (DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE)
#define REMOTE_READ (DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE)

enum side { DST, SRC, SIDES };

struct copy {
	const uint32_t *ending; /* atomic: not 0: give up */
	doca_dpa_dev_mmap_t handles[SIDES];
	struct sdpu_mmap_span spans[SIDES];
};

static bool holds(const struct sdpu_mmap_span *span, uint64_t addr, size_t len)
{
	return addr - span->addr <= span->len && len <= span->len - (addr - span->addr);
}

/* Local memory can always be read. */
static bool is_permitted(const struct sdpu_mmap_span spans[SIDES])
{
	uint32_t write = spans[DST].reach == NULL ? LOCAL_WRITE : DOCA_ACCESS_FLAG_PCI_READ_WRITE;

	return (spans[DST].perms & write) != 0 &&
	       (spans[SRC].reach == NULL || (spans[SRC].perms & REMOTE_READ) != 0);
}

static bool go_on(const void *arg)
{
	const struct copy *copy = arg;

	return sdpu_load(copy->ending) == 0 && sdpu_mmap_handle_lives(copy->handles[DST]) &&
	       sdpu_mmap_handle_lives(copy->handles[SRC]);
}

static doca_error_t run(const struct copy *copy, uint64_t dst, uint64_t src, size_t len)
{
	const struct dpa_copy_leave leave = {go_on, copy};

	if (sdpu_unlikely(!holds(&copy->spans[DST], dst, len) ||
			  !holds(&copy->spans[SRC], src, len) || !is_permitted(copy->spans)))
		return DOCA_ERROR_NOT_PERMITTED;
	return dpa_copy_places((struct dpa_place){dst, copy->spans[DST].reach},
			       (struct dpa_place){src, copy->spans[SRC].reach}, len, &leave);
}

doca_error_t dpa_copy_with(struct sdpu_mmap_pins *pins, const uint32_t *ending,
			   doca_dpa_dev_mmap_t dst, uint64_t dst_addr, doca_dpa_dev_mmap_t src,
			   uint64_t src_addr, size_t len)
{
	struct copy copy;
	doca_error_t result;

	copy.ending = ending;
	copy.handles[DST] = dst;
	copy.handles[SRC] = src;
	if (sdpu_unlikely(!sdpu_mmap_pin(pins, copy.handles, SIDES, copy.spans)))
		return DOCA_ERROR_NOT_FOUND;
	result = run(&copy, dst_addr, src_addr, len);
	sdpu_mmap_unpin(pins);
	return result;
}

doca_error_t sdpu_dpa_copy(doca_dpa_dev_mmap_t dst, uint64_t dst_addr, doca_dpa_dev_mmap_t src,
			   uint64_t src_addr, size_t len)
{
	struct sdpu_dpa_strand *strand = sdpu_dpa_strand_self();
	doca_error_t result;

	sdpu_dpa_guard_enter(strand);
	result = dpa_copy_with(&strand->pins, &strand->killed, dst, dst_addr, src, src_addr, len);
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
