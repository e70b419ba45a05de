/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rungs: the libraries that this command runs with, and those that a program would be loaded with.
 * Ours and the vendor's have the same names; ours have symbols of the version SDPU_PRIVATE.
 */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <doca_comch.h>
#include <doca_dpa.h>
#include <doca_rdma.h>
#include <doca_version.h>
#include <softdpu.h>

#include "doctor.h"

#define MARK "SDPU_PRIVATE"
#define CURE_PATH "eval \"$(softdpu env)\" in this shell, or start it with softdpu run -- PROGRAM"

static const char *file_of(const void *function)
{
	Dl_info info;

	return dladdr(function, &info) != 0 && info.dli_fname != NULL ? info.dli_fname : "?";
}

static bool same_directory(const char *a, const char *b)
{
	const char *end = strrchr(a, '/');

	return end != NULL && strncmp(a, b, (size_t)(end - a) + 1) == 0 &&
	       strchr(b + (end - a) + 1, '/') == NULL;
}

enum verdict doctor_library(const char *program, struct finding *finding)
{
	const char *common = file_of((const void *)(uintptr_t)doca_version_runtime);
	const char *comch = file_of((const void *)(uintptr_t)doca_comch_server_create);
	const char *dpa = file_of((const void *)(uintptr_t)doca_dpa_create);
	const char *rdma = file_of((const void *)(uintptr_t)doca_rdma_create);

	if (strcmp(doca_version_runtime(), DOCA_VER_STRING) != 0)
		return finding_bad(finding, "install softdpu anew, or unset LD_LIBRARY_PATH",
				   "this command is of DOCA API %s, but %s of %s", DOCA_VER_STRING,
				   common, doca_version_runtime());
	if (!same_directory(common, comch) || !same_directory(common, dpa) ||
	    !same_directory(common, rdma))
		return finding_bad(finding, "set LD_LIBRARY_PATH to one of the places only",
				   "libraries of several places: %s, %s, %s, %s", common, comch,
				   dpa, rdma);
	return finding_good(finding, "softdpu %s, DOCA API %s, %s", softdpu_version(),
			    doca_version_runtime(), common);
}

/* ---- a program ---- */

/* -1: cannot be read; 0: its first bytes are others; 1: a dynamically linked program of this sort.
 */
static int is_elf(const char *path)
{
	unsigned char head[SELFMAG] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return -1;
	got = read(fd, head, sizeof(head));
	close(fd);
	return got == SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0;
}

static bool is_ours(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool found = false;
	void *bytes;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && st.st_size > 0) {
		bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (bytes != MAP_FAILED) {
			found = memmem(bytes, (size_t)st.st_size, MARK, strlen(MARK)) != NULL;
			munmap(bytes, (size_t)st.st_size);
		}
	}
	close(fd);
	return found;
}

struct loading {
	unsigned int num_ours;
	char ours[512];	   /* the first */
	char foreign[512]; /* the same; empty: none */
	char missing[128];
	char symbol[256]; /* that no library has */
};

/* A line of the loader: "NAME => PATH (ADDRESS)", "NAME => not found", "symbol NAME...: undefined".
 */
static void take_line(struct loading *loading, const char *line)
{
	char name[128], path[512];

	if (strncmp(line, "undefined symbol: ", 18) == 0 && loading->symbol[0] == '\0') {
		sscanf(line + 18, "%255s", loading->symbol);
		return;
	}
	if (sscanf(line, " %127s => %511s", name, path) != 2)
		return;
	if (strcmp(path, "not") == 0) {
		if (loading->missing[0] == '\0')
			snprintf(loading->missing, sizeof(loading->missing), "%s", name);
	} else if (strncmp(name, "libdoca_", 8) == 0) {
		bool ours = is_ours(path);
		char *first = ours ? loading->ours : loading->foreign;

		loading->num_ours += ours;
		if (first[0] == '\0')
			snprintf(first, sizeof(loading->ours), "%s", path);
	}
}

/* Asks the loader, which runs nothing of the program. */
static bool trace_loading(const char *path, struct loading *loading)
{
	static char text[1 << 16];
	char *argv[] = {(char *)path, NULL};
	char *env[] = {(char *)"LD_TRACE_LOADED_OBJECTS=1", (char *)"LD_WARN=yes",
		       (char *)"LD_BIND_NOW=yes", NULL};
	char *line, *rest = text;

	if (doctor_ask(argv, env, text, sizeof(text)) < 0)
		return false;
	while ((line = strsep(&rest, "\n")) != NULL)
		take_line(loading, line);
	return true;
}

static enum verdict judge(const char *path, const struct loading *loading, struct finding *finding)
{
	if (loading->missing[0] != '\0')
		return finding_bad(finding, CURE_PATH,
				   "%s needs %s, which the loader does not find", path,
				   loading->missing);
	if (loading->foreign[0] != '\0')
		return finding_bad(finding, CURE_PATH,
				   "%s would load %s, which is not softdpu's: a real SDK's", path,
				   loading->foreign);
	if (loading->num_ours == 0)
		return finding_bad(finding, "link it with $(pkg-config --libs doca-comch)",
				   "%s is linked with no library of DOCA", path);
	if (loading->symbol[0] != '\0')
		return finding_bad(finding,
				   "build it against this softdpu: eval \"$(softdpu env)\"",
				   "%s needs %s, which no library has", path, loading->symbol);
	return finding_good(finding, "%s would load %u libraries of softdpu, as %s", path,
			    loading->num_ours, loading->ours);
}

enum verdict doctor_program(const char *program, struct finding *finding)
{
	struct loading loading = {0};
	int kind;

	if (program == NULL)
		return VERDICT_NONE;
	kind = is_elf(program);
	if (kind < 0)
		return finding_bad(finding, "give the path of a program", "%s: %s", program,
				   strerror(errno));
	if (kind == 0)
		return finding_bad(finding, "give the program that it starts",
				   "%s is no binary program but a script or data", program);
	if (access(program, X_OK) != 0 || !trace_loading(program, &loading))
		return finding_bad(finding, "chmod +x, or build it for this machine",
				   "%s cannot be executed here", program);
	return judge(program, &loading, finding);
}
