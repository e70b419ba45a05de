/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where this softdpu is installed. Derived from the path of the executable, so that an installed
 * prefix can be moved and a build tree can be used as it is. Pure function of the process.
 */
#ifndef TOOLS_PLACE_H_
#define TOOLS_PLACE_H_

#include <limits.h>
#include <stdbool.h>

/* The directories that search paths of the environment need. */
enum place_part { PLACE_PKGCONFIG, PLACE_PKGCONFIG_DPU, PLACE_LIB, PLACE_PROGRAMS };

struct place_layout;
struct place {
	char root[PATH_MAX];
	const struct place_layout *layout;
};

/* False, with a message that begins with `who`: the installation is incomplete. */
bool place_find(const char *who, struct place *place);

/* Directories of a part, relative to the root; NULL ends the list. */
const char *const *place_directories(const struct place *place, enum place_part part);

/* The same as a search path of absolute names; the caller frees it. */
char *place_search_path(const struct place *place, enum place_part part);

/* Prepends a part to a search path in the environment. False: out of memory. */
bool place_prepend(const struct place *place, enum place_part part, const char *variable);

#endif /* TOOLS_PLACE_H_ */
