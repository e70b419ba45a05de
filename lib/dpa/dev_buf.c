/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Device functions of buffers, and pointers to what they describe.
 */
#include "dpa/dev_buf.h"

#include "bus/window.h"
#include "core/buf_array.h"
#include "core/mmap_handle.h"
#include "dpa/copy.h"
#include "dpa/dpa.h"
#include "dpa/handle.h"
#include "dpa/strand.h"

struct doca_dpa_dev_buf *dpa_buf_open(const char *call, doca_dpa_dev_buf_t handle)
{
	(void)sdpu_dpa_strand_enter(call);
	if (sdpu_unlikely(handle == 0))
		sdpu_dpa_fatal("%s: the handle is 0; needed is a buffer", call);
	return (struct doca_dpa_dev_buf *)(uintptr_t)handle;
}

doca_dpa_dev_buf_t doca_dpa_dev_buf_array_get_buf(doca_dpa_dev_buf_arr_t buf_arr,
						  const uint64_t buf_idx)
{
	const struct sdpu_buf_array *array = (const struct sdpu_buf_array *)(uintptr_t)buf_arr;

	(void)sdpu_dpa_strand_enter(__func__);
	if (sdpu_unlikely(array == NULL || buf_arr % _Alignof(struct sdpu_buf_array) != 0 ||
			  !sdpu_dpa_handle_is((uintptr_t)&array->head, SDPU_DPA_KIND_BUF_ARRAY)))
		sdpu_dpa_handle_refuse(__func__, buf_arr, SDPU_DPA_KIND_BUF_ARRAY);
	if (sdpu_unlikely(buf_idx >= array->num))
		sdpu_dpa_fatal("doca_dpa_dev_buf_array_get_buf: index %llu; the array has %llu "
			       "buffers",
			       (unsigned long long)buf_idx, (unsigned long long)array->num);
	return (uintptr_t)&array->bufs[buf_idx];
}

void doca_dpa_dev_buf_set_addr(doca_dpa_dev_buf_t buf, uintptr_t addr)
{
	dpa_buf_open(__func__, buf)->addr = addr;
}

void doca_dpa_dev_buf_set_len(doca_dpa_dev_buf_t buf, size_t len)
{
	dpa_buf_open(__func__, buf)->len = len;
}

void doca_dpa_dev_buf_set_mmap(doca_dpa_dev_buf_t buf, doca_dpa_dev_mmap_t mmap)
{
	dpa_buf_open(__func__, buf)->mmap = mmap;
}

uintptr_t doca_dpa_dev_buf_get_addr(doca_dpa_dev_buf_t buf)
{
	return dpa_buf_open(__func__, buf)->addr;
}

uint64_t doca_dpa_dev_buf_get_len(doca_dpa_dev_buf_t buf)
{
	return dpa_buf_open(__func__, buf)->len;
}

doca_dpa_dev_mmap_t doca_dpa_dev_buf_get_mmap(doca_dpa_dev_buf_t buf)
{
	return dpa_buf_open(__func__, buf)->mmap;
}

/* Where the range can be loaded and stored; NULL: nowhere, and *why says why not. */
static void *point_to(const struct sdpu_mmap_span *span, uint64_t addr, uint64_t len,
		      const char **why)
{
	void *at = (void *)(uintptr_t)addr;

	*why = NULL;
	if (addr - span->addr > span->len || len > span->len - (addr - span->addr))
		*why = "the range is outside of the mmap";
	else if (span->reach != NULL && (at = sdpu_reach_at(span->reach, addr)) == NULL)
		*why = "the memory is another process's and cannot be mapped here, as it is no "
		       "shared mapping of a sealed file; copy with doca_dpa_dev_post_memcpy()";
	return at;
}

static doca_dpa_dev_uintptr_t get_external_ptr(const char *call, doca_dpa_dev_mmap_t mmap,
					       uint64_t addr, uint64_t len)
{
	struct sdpu_dpa_strand *strand = sdpu_dpa_strand_enter(call);
	const char *why = "the handle is none, or its mmap was stopped";
	struct sdpu_mmap_span span;
	void *at = NULL;

	sdpu_dpa_guard_enter(strand);
	if (sdpu_mmap_pin(&strand->pins, &mmap, 1, &span)) {
		at = point_to(&span, addr, len, &why);
		sdpu_mmap_unpin(&strand->pins);
	}
	sdpu_dpa_guard_leave(strand);
	if (sdpu_unlikely(why != NULL))
		sdpu_dpa_fatal("%s: %llu bytes at 0x%llx of mmap 0x%x: %s", call,
			       (unsigned long long)len, (unsigned long long)addr, mmap, why);
	return (uintptr_t)at;
}

doca_dpa_dev_uintptr_t doca_dpa_dev_buf_get_external_ptr(doca_dpa_dev_buf_t buf)
{
	const struct doca_dpa_dev_buf *opened = dpa_buf_open(__func__, buf);

	return get_external_ptr(__func__, opened->mmap, opened->addr, opened->len);
}

doca_dpa_dev_uintptr_t doca_dpa_dev_mmap_get_external_ptr(doca_dpa_dev_mmap_t mmap_handle,
							  uint64_t addr)
{
	return get_external_ptr(__func__, mmap_handle, addr, 1);
}
