/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Between the parts of the reader of topology files.
 */
#ifndef SDPU_CORE_TOPOLOGY_READ_H
#define SDPU_CORE_TOPOLOGY_READ_H

#include "core/topology.h"

/* Where the reader is. */
struct sdpu_topology_reader {
	struct sdpu_topology *topology;
	struct sdpu_json_error *err;
	enum sdpu_side side;
	uint32_t dpu;
};

/* Appends the function that `at` describes to the topology, which has room. */
doca_error_t sdpu_topology_read_function(struct sdpu_topology_reader *r,
					 const struct sdpu_json *at);

#endif
