/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks of the libraries that this command runs with, and that a program would be loaded with.
 * Ours and the vendor's have the same names; ours have symbols of the version SDPU_PRIVATE.
 */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
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
#define OUR_CLASS (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)
#define CURE_PATH "eval \"$(softdpu env)\" in this shell, or start it with softdpu run -- PROGRAM"

/* The loader's name of a file may lead through "..". */
static const char *file_of(const void *function, char whole[PATH_MAX])
{
	Dl_info info;

	if (dladdr(function, &info) == 0 || info.dli_fname == NULL)
		return "?";
	return realpath(info.dli_fname, whole) != NULL ? whole : info.dli_fname;
}

static bool same_directory(const char *a, const char *b)
{
	const char *end = strrchr(a, '/');

	return end != NULL && strncmp(a, b, (size_t)(end - a) + 1) == 0 &&
	       strchr(b + (end - a) + 1, '/') == NULL;
}

enum verdict doctor_library(const char *program, struct finding *finding)
{
	static char paths[4][PATH_MAX];
	const char *common = file_of((const void *)(uintptr_t)doca_version_runtime, paths[0]);
	const char *comch = file_of((const void *)(uintptr_t)doca_comch_server_create, paths[1]);
	const char *dpa = file_of((const void *)(uintptr_t)doca_dpa_create, paths[2]);
	const char *rdma = file_of((const void *)(uintptr_t)doca_rdma_create, paths[3]);

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

enum sort {
	SORT_UNREADABLE, /* errno says why */
	SORT_OTHER,	 /* no ELF file */
	SORT_FOREIGN,	 /* of another machine, or damaged */
	SORT_STATIC,	 /* asks for no loader */
	SORT_DYNAMIC,
};

static bool read_at(int fd, uint64_t at, void *bytes, size_t size)
{
	return at <= INT64_MAX && pread(fd, bytes, size, (off_t)at) == (ssize_t)size;
}

static enum sort read_loader(int fd, const ElfW(Ehdr) * head, char loader[PATH_MAX])
{
	ElfW(Phdr) part;
	unsigned int i;

	if (head->e_ident[EI_CLASS] != OUR_CLASS || head->e_phentsize != sizeof(part))
		return SORT_FOREIGN;
	for (i = 0; i < head->e_phnum; i++) {
		if (!read_at(fd, head->e_phoff + i * sizeof(part), &part, sizeof(part)))
			return SORT_FOREIGN;
		if (part.p_type != PT_INTERP)
			continue;
		if (part.p_filesz < 2 || part.p_filesz > PATH_MAX ||
		    !read_at(fd, part.p_offset, loader, part.p_filesz) ||
		    loader[part.p_filesz - 1] != '\0')
			return SORT_FOREIGN;
		return SORT_DYNAMIC;
	}
	return SORT_STATIC;
}

/* The loader is written for SORT_DYNAMIC only. */
static enum sort look_into(const char *path, char loader[PATH_MAX])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ElfW(Ehdr) head;
	enum sort sort;

	if (fd < 0)
		return SORT_UNREADABLE;
	if (!read_at(fd, 0, &head, SELFMAG) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
		sort = SORT_OTHER;
	else if (!read_at(fd, 0, &head, sizeof(head)))
		sort = SORT_FOREIGN;
	else
		sort = read_loader(fd, &head, loader);
	close(fd);
	return sort;
}

/* That of this command; only of glibc's is it known that it runs nothing when it is asked to list.
 */
static bool is_our_loader(const char *loader)
{
	const char *name = strrchr(loader, '/');
	char ours[PATH_MAX];

	return name != NULL && strncmp(name, "/ld-linux", 9) == 0 &&
	       look_into("/proc/self/exe", ours) == SORT_DYNAMIC && strcmp(loader, ours) == 0;
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

/* Asks the loader, which runs nothing of the program: it is never executed itself. */
static bool trace_loading(const char *loader, const char *path, struct loading *loading)
{
	static char text[1 << 16], whole[PATH_MAX];
	/* A name without a slash would be looked for among the libraries. */
	char *argv[] = {(char *)loader, realpath(path, whole), NULL};
	char *env[] = {(char *)"LD_TRACE_LOADED_OBJECTS=1", (char *)"LD_WARN=yes",
		       (char *)"LD_BIND_NOW=yes", NULL};
	char *line, *rest = text;

	if (argv[1] == NULL || doctor_ask(argv, env, text, sizeof(text)) < 0)
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

static enum verdict cannot_execute(const char *path, struct finding *finding)
{
	return finding_bad(finding, "chmod +x, or build it for this machine",
			   "%s cannot be executed here", path);
}

static enum verdict judge_dynamic(const char *path, const char *loader, struct finding *finding)
{
	struct loading loading = {0};

	if (access(path, X_OK) != 0 || access(loader, X_OK) != 0)
		return cannot_execute(path, finding);
	if (!is_our_loader(loader))
		return finding_bad(finding, "build it with the C library of this softdpu",
				   "%s is loaded by %s, which does not load softdpu", path, loader);
	if (!trace_loading(loader, path, &loading))
		return cannot_execute(path, finding);
	return judge(path, &loading, finding);
}

enum verdict doctor_program(const char *program, struct finding *finding)
{
	char loader[PATH_MAX];

	if (program == NULL)
		return VERDICT_NONE;
	switch (look_into(program, loader)) {
	case SORT_UNREADABLE:
		return finding_bad(finding, "give the path of a program", "%s: %s", program,
				   strerror(errno));
	case SORT_OTHER:
		return finding_bad(finding, "give the program that it starts",
				   "%s is no binary program but a script or data", program);
	case SORT_STATIC:
		return finding_bad(finding, "link it with shared libraries",
				   "%s is linked statically, or is itself a library", program);
	case SORT_DYNAMIC:
		return judge_dynamic(program, loader, finding);
	default:
		return cannot_execute(program, finding);
	}
}
