/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Topology: which functions there are. The built-in one, or what the JSON file named by
 * SOFTDPU_TOPOLOGY says instead. Loaded at the first look, kept as long as the process; a look that
 * fails leaves nothing, so that the next one reads the file again. Any thread.
 *
 * SOFTDPU_SIDE=host|dpu hides the other side's functions, SOFTDPU_DEVICES=none hides all.
 */
#ifndef SDPU_CORE_TOPOLOGY_H
#define SDPU_CORE_TOPOLOGY_H

#include "base/json.h"
#include "core/dev.h"

#define SDPU_TOPOLOGY_MAX_FUNCTIONS 1024

struct sdpu_topology {
	struct sdpu_limits limits;
	uint32_t num_functions;
	struct sdpu_function functions[]; /* those of the DPU side first */
};

/* What the environment lets this process see. */
struct sdpu_topology_view {
	const struct sdpu_topology *topology;
	bool shows[2]; /* by enum sdpu_side */
};

/* BAD_CONFIG (logged: file, place, what was found and needed); NO_MEMORY. */
doca_error_t sdpu_topology_look(struct sdpu_topology_view *view);
/* The visible function behind `prev`; NULL: the first one. NULL at the end. */
const struct sdpu_function *sdpu_topology_next(const struct sdpu_topology_view *view,
					       const struct sdpu_function *prev);
/* The same for the host functions whose representors `port`, of a loaded topology, lists. They are
 * there whatever is visible: a real DPU shows them, too, where the host is another machine. */
const struct sdpu_function *sdpu_topology_next_represented(const struct sdpu_function *port,
							   const struct sdpu_function *prev);

/*
 * Makes a topology of a parsed file, whose name is for messages. BAD_CONFIG: *err says where and
 * what; NO_MEMORY. Ends with free().
 */
doca_error_t sdpu_topology_read(struct json_object *root, const char *file,
				struct sdpu_topology **topology, struct sdpu_json_error *err);

/* topology_limits.c: what holds without a file, and what the object `at` makes smaller. */
void sdpu_limits_init(struct sdpu_limits *limits);
doca_error_t sdpu_limits_read(const struct sdpu_json *at, struct sdpu_limits *limits,
			      struct sdpu_json_error *err);

/* topology_default.c: the built-in topology, a file like any other. */
extern const char sdpu_topology_default[];

#endif
