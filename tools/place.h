/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where this softdpu stands: derived from the executable's own place, so that an installed prefix
 * can be moved, and the build tree used as it is. Pure function of the process.
 */
#ifndef TOOLS_PLACE_H_
#define TOOLS_PLACE_H_

#include <limits.h>
#include <stdbool.h>

/* What of it a search path of the environment has to name. */
enum place_part { PLACE_PKGCONFIG, PLACE_PKGCONFIG_DPU, PLACE_LIB, PLACE_PROGRAMS };

struct place_layout;
struct place {
	char root[PATH_MAX];
	const struct place_layout *layout;
};

/* False, with a message that begins with `who`, when the installation is not whole. */
bool place_find(const char *who, struct place *place);

/* Directories of a part, below the root, up to NULL. */
const char *const *place_directories(const struct place *place, enum place_part part);

/* The same as a search path of absolute names; belongs to the caller. */
char *place_search_path(const struct place *place, enum place_part part);

/* Puts a part in front of what a variable of the environment has. False: out of memory. */
bool place_prepend(const struct place *place, enum place_part part, const char *variable);

#endif /* TOOLS_PLACE_H_ */
