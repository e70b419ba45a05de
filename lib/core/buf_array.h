/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Buffer array, as DPA code finds it by its handle: a struct doca_dpa_dev_buf_arr, of which this is
 * what the library keeps in the reserved bytes. Owner: the array, from start to stop.
 */
#ifndef SDPU_CORE_BUF_ARRAY_H
#define SDPU_CORE_BUF_ARRAY_H

#include <doca_dpa_dev_buf.h>

#include "base/compiler.h"
#include "core/dpa_handle.h"

struct sdpu_buf_array {
	struct doca_dpa_dev_buf *bufs;
	struct sdpu_dpa_head head; /* SDPU_DPA_KIND_BUF_ARRAY; not the first: that is published */
	uint64_t num;
	uint32_t unused;
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct sdpu_buf_array) == sizeof(struct doca_dpa_dev_buf_arr),
	       "the library's part fits into the reserved bytes");

#endif
