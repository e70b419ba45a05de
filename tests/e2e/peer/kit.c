/* SPDX-License-Identifier: BSD-3-Clause */
#include "kit.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <doca_comch.h>

static char **options;
static int num_options;

void peer_options(int argc, char **argv)
{
	num_options = argc;
	options = argv;
}

const char *peer_text(const char *name, const char *otherwise)
{
	const size_t len = strlen(name);

	for (int i = 0; i < num_options; i++) {
		if (strncmp(options[i], name, len) != 0)
			continue;
		if (options[i][len] == '=')
			return options[i] + len + 1;
		if (options[i][len] == '\0')
			return "";
	}
	return otherwise;
}

bool peer_has(const char *name)
{
	return peer_text(name, NULL) != NULL;
}

uint64_t peer_number(const char *name, uint64_t otherwise)
{
	const char *text = peer_text(name, NULL);

	return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

static void say(const char *prefix, const char *fmt, va_list ap)
{
	char line[1024];
	int len = snprintf(line, sizeof(line), "%s", prefix);

	len += vsnprintf(line + len, sizeof(line) - 1 - (size_t)len, fmt, ap);
	if (len > (int)sizeof(line) - 2)
		len = (int)sizeof(line) - 2;
	line[len++] = '\n';
	/* A reader that has gone ends us by SIGPIPE; nothing else can happen to a pipe. */
	if (write(STDOUT_FILENO, line, (size_t)len) != len)
		_exit(PEER_WRONG);
}

void peer_say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("", fmt, ap);
	va_end(ap);
}

void peer_wrong(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("WRONG: ", fmt, ap);
	va_end(ap);
	_exit(PEER_WRONG);
}

void peer_try(const char *what, doca_error_t result)
{
	if (result != DOCA_SUCCESS && result != DOCA_ERROR_IN_PROGRESS)
		peer_wrong("%s: %s", what, doca_error_get_name(result));
}

uint64_t peer_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* --- memory and devices --- */

/* The library finds the file behind a shared mapping by a descriptor that the process holds. */
static void *map_shared(size_t size, int *fd)
{
	void *base;

	*fd = memfd_create("peer", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (*fd < 0 || ftruncate(*fd, (off_t)size) != 0 ||
	    fcntl(*fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0)
		peer_wrong("cannot make a memfd of %zu bytes: %m", size);
	base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
	return base != MAP_FAILED ? base : NULL;
}

void peer_memory_open(struct peer_memory *memory, struct doca_dev *dev, size_t size, bool shared)
{
	memory->size = size;
	memory->fd = -1;
	memory->base = shared ? map_shared(size, &memory->fd) : calloc(1, size);
	if (memory->base == NULL)
		peer_wrong("no memory for %zu bytes", size);
	TRY(doca_mmap_create(&memory->mmap));
	TRY(doca_mmap_add_dev(memory->mmap, dev));
	TRY(doca_mmap_set_memrange(memory->mmap, memory->base, size));
	TRY(doca_mmap_set_permissions(memory->mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
							    DOCA_ACCESS_FLAG_PCI_READ_WRITE));
	TRY(doca_mmap_start(memory->mmap));
	TRY(doca_buf_inventory_create(64, &memory->inventory));
	TRY(doca_buf_inventory_start(memory->inventory));
}

void peer_memory_close(struct peer_memory *memory)
{
	if (memory->base == NULL)
		return;
	TRY(doca_buf_inventory_destroy(memory->inventory));
	TRY(doca_mmap_destroy(memory->mmap));
	if (memory->fd >= 0) {
		munmap(memory->base, memory->size);
		close(memory->fd);
	} else {
		free(memory->base);
	}
	memory->base = NULL;
}

static struct doca_dev_rep *open_rep(struct doca_dev *dev)
{
	struct doca_devinfo_rep **list;
	struct doca_dev_rep *rep;
	uint32_t num;

	TRY(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET, &list, &num));
	if (num == 0)
		peer_wrong("no representor");
	TRY(doca_dev_rep_open(list[0], &rep));
	TRY(doca_devinfo_rep_destroy_list(list));
	return rep;
}

struct doca_dev *peer_open_dev(bool is_server, struct doca_dev_rep **rep)
{
	struct doca_devinfo **list;
	struct doca_dev *dev = NULL;
	uint32_t num;

	TRY(doca_devinfo_create_list(&list, &num));
	for (uint32_t i = 0; i < num && dev == NULL; i++) {
		if ((is_server ? doca_comch_cap_server_is_supported
			       : doca_comch_cap_client_is_supported)(list[i]) == DOCA_SUCCESS)
			TRY(doca_dev_open(list[i], &dev));
	}
	TRY(doca_devinfo_destroy_list(list));
	if (dev == NULL)
		peer_wrong("no device for a %s", is_server ? "server" : "client");
	if (is_server)
		*rep = open_rep(dev);
	return dev;
}

void peer_touch(void)
{
	TRY(doca_dev_close(peer_open_dev(false, NULL)));
}

/* --- holdings --- */

static unsigned int count_entries(const char *path)
{
	DIR *dir = opendir(path);
	unsigned int count = 0;
	struct dirent *entry;

	if (dir == NULL)
		peer_wrong("%s: %m", path);
	while ((entry = readdir(dir)) != NULL) {
		/* Not the descriptor that reads the directory. */
		if (entry->d_name[0] != '.' && atoi(entry->d_name) != dirfd(dir))
			count++;
	}
	closedir(dir);
	return count;
}

static void count_maps(struct peer_holdings *holdings)
{
	FILE *file = fopen("/proc/self/maps", "re");
	char line[512];

	if (file == NULL)
		peer_wrong("/proc/self/maps: %m");
	holdings->maps = 0;
	holdings->deleted = 0;
	while (fgets(line, sizeof(line), file) != NULL) {
		holdings->maps++;
		holdings->deleted += strstr(line, "(deleted)") != NULL;
	}
	fclose(file);
}

static unsigned long read_rss(void)
{
	FILE *file = fopen("/proc/self/status", "re");
	unsigned long kib = 0;
	char line[256];

	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		sscanf(line, "VmRSS: %lu", &kib);
	if (file != NULL)
		fclose(file);
	return kib;
}

void peer_holdings(struct peer_holdings *holdings)
{
	holdings->fds = count_entries("/proc/self/fd");
	holdings->threads = count_entries("/proc/self/task");
	count_maps(holdings);
	holdings->rss_kib = read_rss();
}

static void say_fds(void)
{
	for (int fd = 0; fd < 64; fd++) {
		char path[32], target[256];
		ssize_t len;

		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		len = readlink(path, target, sizeof(target));
		if (len > 0)
			peer_say("fd %d: %.*s", fd, (int)len, target);
	}
}

void peer_expect_holdings(const struct peer_holdings *before)
{
	const uint64_t end = peer_now() + 1000000000;
	struct peer_holdings now;

	/* A joined thread leaves /proc a moment after the join. */
	do {
		peer_holdings(&now);
	} while (now.threads != before->threads && peer_now() < end);
	if (now.fds == before->fds && now.threads == before->threads &&
	    now.deleted == before->deleted)
		return;
	say_fds();
	peer_wrong("descriptors %u -> %u, threads %u -> %u, segments %u -> %u", before->fds,
		   now.fds, before->threads, now.threads, before->deleted, now.deleted);
}

/* --- mischief --- */

uint64_t peer_arm(int signal, uint64_t after)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = signal};
	const uint64_t due = peer_now() + after;
	const struct itimerspec when = {
		.it_value = {.tv_sec = (time_t)(due / 1000000000),
			     .tv_nsec = (long)(due % 1000000000)},
	};
	timer_t timer;

	if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0)
		peer_wrong("timer_create: %m");
	peer_say("due %llu", (unsigned long long)due);
	if (timer_settime(timer, TIMER_ABSTIME, &when, NULL) != 0)
		peer_wrong("timer_settime: %m");
	return due;
}

void peer_leave_child(bool raw)
{
	const long pid = raw ? syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : fork();
	char byte;

	if (pid < 0)
		peer_wrong("fork: %m");
	if (pid > 0)
		return;
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	_exit(0);
}
