/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies between places: memory of this process, or what a reach leads to. The caller has checked
 * ranges and permissions. No state.
 */
#ifndef SDPU_DPA_COPY_PLACE_H
#define SDPU_DPA_COPY_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

struct sdpu_reach;

struct dpa_place {
	uint64_t addr;		  /* the owner's */
	struct sdpu_reach *reach; /* NULL: in this process, accessed in place */
};

/* Called between chunks: false ends the copy, with SHUTDOWN. */
struct dpa_copy_leave {
	bool (*go_on)(const void *arg);
	const void *arg;
};

/* Results as sdpu_copy_run(), but it goes on to the end. */
doca_error_t dpa_copy_places(struct dpa_place dst, struct dpa_place src, size_t len,
			     const struct dpa_copy_leave *leave);

#endif
