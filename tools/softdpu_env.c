/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `softdpu env`: shell lines that make compilers and the loader find this softdpu, wherever it
 * stands. The place is derived from the executable's own, so that an installed prefix can be moved,
 * and the build tree used as it is.
 */
#include "command.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct places {
	const char *pkgconfig[2]; /* below the root: host, DPU */
	const char *lib;
	const char *path[3]; /* up to the first NULL */
};

static const struct places installed = {
	.pkgconfig = {SOFTDPU_LIBDIR "/pkgconfig", SOFTDPU_LIBDIR "/pkgconfig-dpu"},
	.lib = SOFTDPU_LIBDIR,
	.path = {SOFTDPU_DIR_TOOLS},
};

static const struct places build_tree = {
	.pkgconfig = {"pkgconfig/host", "pkgconfig/dpu"},
	.lib = "lib",
	.path = {"tools", "samples", "apps/storage"},
};

/* One directory up from the one that holds this executable; false when the system does not tell. */
static bool find_root(char *root)
{
	ssize_t len = readlink("/proc/self/exe", root, PATH_MAX - 1);
	char *slash;
	int i;

	if (len <= 0)
		return false;
	root[len] = '\0';
	for (i = 0; i < 2; i++) {
		slash = strrchr(root, '/');
		if (slash == NULL)
			return false;
		*slash = '\0';
	}
	return true;
}

static bool is_complete(const char *root, const struct places *places)
{
	char path[2 * PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s/doca-common.pc", root, places->pkgconfig[0]);
	return access(path, R_OK) == 0;
}

/* In single quotes, so that any path survives the shell. */
static void print_quoted(const char *root, const char *below)
{
	const char *c;

	putchar('\'');
	for (c = root; *c != '\0'; c++) {
		if (*c == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*c);
	}
	printf("/%s'", below);
}

static void print_export(const char *variable, const char *root, const char *const *below,
			 size_t num_below)
{
	size_t i;

	printf("export %s=", variable);
	for (i = 0; i < num_below && below[i] != NULL; i++) {
		if (i > 0)
			putchar(':');
		print_quoted(root, below[i]);
	}
	/* Never an empty element at the end: that would be the current directory. */
	printf("\"${%s:+:$%s}\"\n", variable, variable);
}

int command_env(int argc, char **argv)
{
	const bool is_dpu = argc == 2 && strcmp(argv[1], "--dpu") == 0;
	const struct places *places = &installed;
	char root[PATH_MAX];

	if (argc > 2 || (argc == 2 && !is_dpu)) {
		fprintf(stderr, "softdpu env: the only argument is --dpu, but was given %s\n",
			argv[argc - 1]);
		return EXIT_FAILURE;
	}
	if (!find_root(root)) {
		fprintf(stderr, "softdpu env: cannot tell from /proc/self/exe where this program "
				"stands: %m\n");
		return EXIT_FAILURE;
	}
	if (is_complete(root, &build_tree))
		places = &build_tree;
	else if (!is_complete(root, &installed)) {
		fprintf(stderr,
			"softdpu env: %s/%s holds no doca-common.pc; the prefix is incomplete, "
			"install it anew\n",
			root, installed.pkgconfig[0]);
		return EXIT_FAILURE;
	}
	print_export("PKG_CONFIG_PATH", root, &places->pkgconfig[is_dpu], 1);
	print_export("LD_LIBRARY_PATH", root, &places->lib, 1);
	print_export("PATH", root, places->path, 3);
	return EXIT_SUCCESS;
}
