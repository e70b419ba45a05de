/* SPDX-License-Identifier: BSD-3-Clause */
#include "dpa/copy_place.h"

#include <string.h>

#include "base/copy.h"
#include "bus/window.h"
#include "core/pe.h"

#define STEP ((size_t)1 << 20)	  /* bytes between two calls of `go_on` */
#define STAGING ((size_t)8 << 10) /* from window to window; stacks of strands are small */

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Both sides are in this process; they may overlap. */
static doca_error_t copy_here(uint64_t dst, uint64_t src, size_t len,
			      const struct dpa_copy_leave *leave)
{
	bool apart = dst - src >= len && src - dst >= len;

	if (!apart) {
		memmove((void *)(uintptr_t)dst, (const void *)(uintptr_t)src, len);
		return DOCA_SUCCESS;
	}
	for (size_t done = 0; done < len; done += STEP) {
		if (done > 0 && !leave->go_on(leave->arg))
			return DOCA_ERROR_SHUTDOWN;
		sdpu_copy_out((void *)(uintptr_t)(dst + done),
			      (const void *)(uintptr_t)(src + done), least(STEP, len - done), len);
	}
	return DOCA_SUCCESS;
}

static doca_error_t copy_window(struct sdpu_reach *reach, enum sdpu_copy_direction direction,
				uint64_t addr, void *local, size_t len,
				const struct dpa_copy_leave *leave)
{
	struct iovec piece = {.iov_base = local, .iov_len = len};
	struct sdpu_copy copy = {
		.reach = reach,
		.direction = direction,
		.addr = addr,
		.local = &piece,
		.num_local = 1,
		.len = len,
	};
	doca_error_t result;

	while ((result = sdpu_copy_run(&copy, STEP)) == DOCA_ERROR_IN_PROGRESS) {
		if (!leave->go_on(leave->arg)) {
			sdpu_copy_cancel(&copy);
			return DOCA_ERROR_SHUTDOWN;
		}
		sdpu_spin_idle();
	}
	return result;
}

static doca_error_t copy_staged(struct dpa_place dst, struct dpa_place src, size_t len,
				const struct dpa_copy_leave *leave)
{
	doca_error_t result = DOCA_SUCCESS;
	uint8_t staging[STAGING];

	for (size_t done = 0; done < len && result == DOCA_SUCCESS; done += STAGING) {
		size_t step = least(STAGING, len - done);

		result = copy_window(src.reach, SDPU_COPY_GET, src.addr + done, staging, step,
				     leave);
		if (result == DOCA_SUCCESS)
			result = copy_window(dst.reach, SDPU_COPY_PUT, dst.addr + done, staging,
					     step, leave);
	}
	return result;
}

doca_error_t dpa_copy_places(struct dpa_place dst, struct dpa_place src, size_t len,
			     const struct dpa_copy_leave *leave)
{
	if (dst.reach == NULL && src.reach == NULL)
		return copy_here(dst.addr, src.addr, len, leave);
	if (src.reach == NULL)
		return copy_window(dst.reach, SDPU_COPY_PUT, dst.addr, (void *)(uintptr_t)src.addr,
				   len, leave);
	if (dst.reach == NULL)
		return copy_window(src.reach, SDPU_COPY_GET, src.addr, (void *)(uintptr_t)dst.addr,
				   len, leave);
	return copy_staged(dst, src, len, leave);
}
