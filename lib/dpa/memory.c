/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of a DPA for the host: its heap, and copies to and from device addresses. Addresses from
 * the program are not accessed in place: the system copies, so that an address without memory gives
 * an error. A device address may lie in the heap, where the range is checked, or be any other that
 * device code has passed, such as that of a variable. Host's threads.
 */
#include <string.h>

#include <doca_buf.h>
#include <doca_dpa.h>

#include "base/log.h"
#include "base/refuse.h"
#include "bus/window.h"
#include "core/buf.h"
#include "core/mmap.h"
#include "dpa/copy_place.h"
#include "dpa/dpa_object.h"

#define PIECE ((size_t)1 << 30) /* of one copy by the kernel */

static struct dpa_heap *heap_of(const struct doca_dpa *dpa)
{
	return &dpa_root(dpa)->heap;
}

doca_error_t doca_dpa_mem_alloc(struct doca_dpa *dpa, size_t size, doca_dpa_dev_uintptr_t *dev_ptr)
{
	doca_error_t result;
	void *made;

	if (dev_ptr != NULL)
		*dev_ptr = 0;
	if (sdpu_any_null(__func__, dpa, dev_ptr) || sdpu_is_zero(__func__, size))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_dpa_check_running(dpa, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	made = dpa_heap_alloc(heap_of(dpa), size);
	if (made == NULL) {
		sdpu_log_err("doca_dpa_mem_alloc: %zu bytes; needed: no more than is left of the "
			     "heap of %zu bytes; give some back with doca_dpa_mem_free()",
			     size, DPA_HEAP_SIZE);
		return DOCA_ERROR_NO_MEMORY;
	}
	*dev_ptr = (uintptr_t)made;
	return DOCA_SUCCESS;
}

doca_error_t doca_dpa_mem_free(struct doca_dpa *dpa, doca_dpa_dev_uintptr_t dev_ptr)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, dpa) || sdpu_is_zero(__func__, dev_ptr))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_dpa_check_running(dpa, __func__);
	if (result != DOCA_SUCCESS || dpa_heap_free(heap_of(dpa), dev_ptr))
		return result;
	sdpu_log_err("doca_dpa_mem_free: 0x%llx is nothing that is allocated; needed: what "
		     "doca_dpa_mem_alloc() gave, once",
		     (unsigned long long)dev_ptr);
	return DOCA_ERROR_INVALID_VALUE;
}

/* For every access of the host to [dev, dev + size). */
static doca_error_t check(const struct doca_dpa *dpa, uint64_t dev_ptr, size_t size,
			  const char *call)
{
	doca_error_t result;

	if (sdpu_any_null(call, dpa) || sdpu_is_zero(call, dev_ptr))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_dpa_check_running(dpa, call);
	if (result != DOCA_SUCCESS)
		return result;
	if (dpa_heap_find(heap_of(dpa), dev_ptr, size) != DPA_HEAP_BEYOND)
		return DOCA_SUCCESS;
	sdpu_log_err("%s: %zu bytes at 0x%llx; needed: a range inside what doca_dpa_mem_alloc() "
		     "gave",
		     call, size, (unsigned long long)dev_ptr);
	return DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t refuse(const char *call, uint64_t dev, const void *host, size_t size)
{
	sdpu_log_err("%s: %zu bytes at 0x%llx of the device, or at %p of the host, are not there; "
		     "needed: memory that is",
		     call, size, (unsigned long long)dev, host);
	return DOCA_ERROR_INVALID_VALUE;
}

/* PUT: host to device. The range was checked. */
static doca_error_t copy(enum sdpu_copy_direction direction, uint64_t dev, void *host, size_t size,
			 const char *call)
{
	uint8_t *at = host;

	for (size_t done = 0; done < size; done += PIECE) {
		size_t len = size - done < PIECE ? size - done : PIECE;

		if (sdpu_own_copy(direction, dev + done, at + done, (uint32_t)len) != DOCA_SUCCESS)
			return refuse(call, dev, host, size);
	}
	return DOCA_SUCCESS;
}

doca_error_t doca_dpa_h2d_memcpy(struct doca_dpa *dpa, doca_dpa_dev_uintptr_t dst_ptr,
				 void *src_ptr, size_t size)
{
	doca_error_t result = sdpu_any_null(__func__, src_ptr)
				      ? DOCA_ERROR_INVALID_VALUE
				      : check(dpa, dst_ptr, size, __func__);

	if (result != DOCA_SUCCESS)
		return result;
	return copy(SDPU_COPY_PUT, dst_ptr, src_ptr, size, __func__);
}

doca_error_t doca_dpa_d2h_memcpy(struct doca_dpa *dpa, void *dst_ptr,
				 doca_dpa_dev_uintptr_t src_ptr, size_t size)
{
	doca_error_t result = sdpu_any_null(__func__, dst_ptr)
				      ? DOCA_ERROR_INVALID_VALUE
				      : check(dpa, src_ptr, size, __func__);

	if (result != DOCA_SUCCESS)
		return result;
	return copy(SDPU_COPY_GET, src_ptr, dst_ptr, size, __func__);
}

doca_error_t doca_dpa_memset(struct doca_dpa *dpa, doca_dpa_dev_uintptr_t dev_ptr, int value,
			     size_t size)
{
	doca_error_t result = check(dpa, dev_ptr, size, __func__);
	uint8_t bytes[4096];

	memset(bytes, value, sizeof(bytes));
	for (size_t done = 0; done < size && result == DOCA_SUCCESS; done += sizeof(bytes)) {
		size_t len = size - done < sizeof(bytes) ? size - done : sizeof(bytes);

		result = copy(SDPU_COPY_PUT, dev_ptr + done, bytes, len, __func__);
	}
	return result;
}

static doca_error_t check_buf(const struct doca_dpa *dpa, uint64_t dev, const struct doca_buf *buf,
			      size_t size, const char *call)
{
	size_t room;

	if (sdpu_any_null(call, dpa, buf))
		return DOCA_ERROR_INVALID_VALUE;
	if (buf->data == NULL) {
		sdpu_log_err(
			"%s: the buf has no data; needed: an address; call doca_buf_set_data()",
			call);
		return DOCA_ERROR_INVALID_VALUE;
	}
	room = buf->len - (size_t)(buf->data - buf->head);
	if (size > room) {
		sdpu_log_err("%s: %zu bytes; needed: at most %zu, as the buf has from its data on",
			     call, size, room);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return check(dpa, dev, size, call);
}

static bool always(const void *arg)
{
	(void)arg;
	return true;
}

/* Through the window of an imported buf, to or from the heap. */
static doca_error_t copy_window(const struct doca_dpa *dpa, enum sdpu_copy_direction direction,
				uint64_t dev, struct sdpu_reach *reach, const struct doca_buf *buf,
				size_t size, const char *call)
{
	const struct dpa_copy_leave leave = {.go_on = always};
	struct dpa_place far = {(uintptr_t)buf->data, reach}, here = {dev, NULL};
	doca_error_t result;

	if (reach == NULL || dpa_heap_find(heap_of(dpa), dev, size) != DPA_HEAP_INSIDE) {
		sdpu_log_err("%s: the buf is imported; needed: a device address from "
			     "doca_dpa_mem_alloc(), and an exporter on this machine",
			     call);
		return DOCA_ERROR_INVALID_VALUE;
	}
	result = direction == SDPU_COPY_PUT ? dpa_copy_places(here, far, size, &leave)
					    : dpa_copy_places(far, here, size, &leave);
	if (result != DOCA_SUCCESS)
		sdpu_log_err(
			"%s: the memory of the buf cannot be reached; needed: an exporter that "
			"is alive, has not stopped it, and permits the access",
			call);
	return result == DOCA_SUCCESS ? DOCA_SUCCESS : DOCA_ERROR_DRIVER;
}

static doca_error_t copy_buf(const struct doca_dpa *dpa, enum sdpu_copy_direction direction,
			     uint64_t dev, const struct doca_buf *buf, size_t size,
			     const char *call)
{
	if (sdpu_mmap_window(buf->mmap) != NULL)
		return copy(direction, dev, buf->data, size, call);
	return copy_window(dpa, direction, dev, sdpu_mmap_reach(buf->mmap), buf, size, call);
}

doca_error_t doca_dpa_h2d_buf_memcpy(struct doca_dpa *dpa, doca_dpa_dev_uintptr_t dst_ptr,
				     struct doca_buf *buf, size_t size)
{
	doca_error_t result = check_buf(dpa, dst_ptr, buf, size, __func__);

	if (result != DOCA_SUCCESS)
		return result;
	return copy_buf(dpa, SDPU_COPY_PUT, dst_ptr, buf, size, __func__);
}

doca_error_t doca_dpa_d2h_buf_memcpy(struct doca_dpa *dpa, struct doca_buf *buf,
				     doca_dpa_dev_uintptr_t src_ptr, size_t size)
{
	doca_error_t result = check_buf(dpa, src_ptr, buf, size, __func__);

	if (result != DOCA_SUCCESS)
		return result;
	return copy_buf(dpa, SDPU_COPY_GET, src_ptr, buf, size, __func__);
}
