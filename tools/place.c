/* SPDX-License-Identifier: BSD-3-Clause */
#include "place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_DIRECTORIES 3

struct place_layout {
	const char *parts[PLACE_PROGRAMS + 1][MAX_DIRECTORIES + 1];
};

static const struct place_layout installed = {{
	[PLACE_PKGCONFIG] = {SOFTDPU_LIBDIR "/pkgconfig"},
	[PLACE_PKGCONFIG_DPU] = {SOFTDPU_LIBDIR "/pkgconfig-dpu"},
	[PLACE_LIB] = {SOFTDPU_LIBDIR},
	[PLACE_PROGRAMS] = {SOFTDPU_DIR_TOOLS},
}};

static const struct place_layout build_tree = {{
	[PLACE_PKGCONFIG] = {"pkgconfig/host"},
	[PLACE_PKGCONFIG_DPU] = {"pkgconfig/dpu"},
	[PLACE_LIB] = {"lib"},
	[PLACE_PROGRAMS] = {"tools", "samples", "apps/storage"},
}};

/* Up from the directory that holds this executable; false when the system does not tell. */
static bool find_root(char root[PATH_MAX])
{
	ssize_t len = readlink("/proc/self/exe", root, PATH_MAX - 1);
	const char *below;
	char *slash;

	if (len <= 0)
		return false;
	root[len] = '\0';
	slash = strrchr(root, '/');
	for (below = SOFTDPU_DIR_TOOLS; slash != NULL && below != NULL;) {
		*slash = '\0';
		slash = strrchr(root, '/');
		below = strchr(below, '/');
		below = below == NULL ? NULL : below + 1;
	}
	if (slash == NULL)
		return false;
	*slash = '\0';
	return true;
}

static bool is_complete(const char *root, const struct place_layout *layout)
{
	char path[2 * PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s/doca-common.pc", root,
		 layout->parts[PLACE_PKGCONFIG][0]);
	return access(path, R_OK) == 0;
}

bool place_find(const char *who, struct place *place)
{
	if (!find_root(place->root)) {
		fprintf(stderr,
			"%s: cannot tell from /proc/self/exe where this program stands: %m\n", who);
		return false;
	}
	place->layout = is_complete(place->root, &build_tree) ? &build_tree : &installed;
	if (is_complete(place->root, place->layout))
		return true;
	fprintf(stderr,
		"%s: %s/%s holds no doca-common.pc; the prefix is incomplete, "
		"install it anew\n",
		who, place->root, installed.parts[PLACE_PKGCONFIG][0]);
	return false;
}

const char *const *place_directories(const struct place *place, enum place_part part)
{
	return place->layout->parts[part];
}

char *place_search_path(const struct place *place, enum place_part part)
{
	const char *const *below = place_directories(place, part);
	size_t size = MAX_DIRECTORIES * (2 * PATH_MAX);
	char *path = malloc(size);
	size_t at = 0;

	for (; path != NULL && *below != NULL && at < size; below++)
		at += (size_t)snprintf(path + at, size - at, "%s%s/%s", at > 0 ? ":" : "",
				       place->root, *below);
	return path;
}

bool place_prepend(const struct place *place, enum place_part part, const char *variable)
{
	const char *old = getenv(variable);
	char *ours = place_search_path(place, part);
	char *whole;
	bool done;

	/* Never an empty element at the end: that would be the current directory. */
	if (ours == NULL ||
	    asprintf(&whole, "%s%s%s", ours, old && *old ? ":" : "", old && *old ? old : "") < 0) {
		free(ours);
		return false;
	}
	done = setenv(variable, whole, 1) == 0;
	free(whole);
	free(ours);
	return done;
}
