/* SPDX-License-Identifier: BSD-3-Clause */
#include "process.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

#define MAX_DEPTH 64
#define TCP_LISTEN 0x0a

/* Up to size - 1 bytes of a file of the process, with a NUL; false: gone, or not ours to see. */
static bool read_file(pid_t pid, const char *name, char *text, size_t size)
{
	char path[64];
	FILE *file;
	size_t len;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	file = fopen(path, "re");
	if (file == NULL)
		return false;
	len = fread(text, 1, size - 1, file);
	text[len] = '\0';
	fclose(file);
	return len > 0;
}

/* Its state, as ps has it; false: gone. */
static bool read_stat(pid_t pid, char *state, int *parent)
{
	char text[512];
	const char *at;

	/* The name, in parentheses, may hold anything. */
	return read_file(pid, "stat", text, sizeof(text)) && (at = strrchr(text, ')')) != NULL &&
	       sscanf(at, ") %c %d", state, parent) == 2;
}

pid_t process_parent(pid_t pid)
{
	char state;
	int parent;

	return read_stat(pid, &state, &parent) ? parent : 0;
}

bool process_is_stopped(pid_t pid)
{
	char state;
	int parent;

	return read_stat(pid, &state, &parent) && (state == 'T' || state == 't');
}

/* The kernel's name of a program has 15 bytes; a longer one is found in its command line. */
void process_name(pid_t pid, char name[PROCESS_NAME_SIZE])
{
	char raw[16], line[PATH_MAX], *last = raw;

	if (!read_file(pid, "comm", raw, sizeof(raw)))
		strcpy(raw, "?");
	raw[strcspn(raw, "\n")] = '\0';
	if (read_file(pid, "cmdline", line, sizeof(line))) {
		last = strrchr(line, '/');
		last = last == NULL ? line : last + 1;
	}
	text_make_safe(strncmp(last, raw, strlen(raw)) == 0 ? last : raw, name, PROCESS_NAME_SIZE);
}

bool process_belongs(pid_t pid, pid_t ancestor)
{
	int depth;

	if (getpgid(pid) == ancestor)
		return true;
	for (depth = 0; pid > 1 && depth < MAX_DEPTH; depth++) {
		if (pid == ancestor)
			return true;
		pid = process_parent(pid);
	}
	return false;
}

pid_t process_find(process_fn fn, void *arg)
{
	DIR *dir = opendir("/proc");
	const struct dirent *entry;
	pid_t found = 0;

	if (dir == NULL)
		return 0;
	while (found == 0 && (entry = readdir(dir)) != NULL) {
		if (isdigit((unsigned char)entry->d_name[0]) && fn(atoi(entry->d_name), arg))
			found = atoi(entry->d_name);
	}
	closedir(dir);
	return found;
}

/* Port to which a socket of this inode listens; 0: it does not, or is none of TCP. */
static unsigned int port_of(pid_t pid, const char *table, unsigned long inode)
{
	unsigned int port, state, found = 0;
	unsigned long number;
	char path[64], line[512];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/net/%s", (int)pid, table);
	file = fopen(path, "re");
	if (file == NULL)
		return 0;
	while (found == 0 && fgets(line, sizeof(line), file) != NULL) {
		if (sscanf(line, " %*d: %*[^:]:%x %*s %x %*s %*s %*s %*s %*s %lu", &port, &state,
			   &number) == 3 &&
		    state == TCP_LISTEN && number == inode)
			found = port;
	}
	fclose(file);
	return found;
}

static unsigned int port_of_fd(pid_t pid, int dirfd, const char *name)
{
	char target[64];
	ssize_t len = readlinkat(dirfd, name, target, sizeof(target) - 1);
	unsigned long inode;
	unsigned int port;

	if (len <= 0)
		return 0;
	target[len] = '\0';
	if (sscanf(target, "socket:[%lu]", &inode) != 1)
		return 0;
	port = port_of(pid, "tcp", inode);
	return port != 0 ? port : port_of(pid, "tcp6", inode);
}

unsigned int process_tcp_port(pid_t pid)
{
	const struct dirent *entry;
	unsigned int port = 0;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	dir = opendir(path);
	if (dir == NULL)
		return 0;
	while (port == 0 && (entry = readdir(dir)) != NULL)
		port = port_of_fd(pid, dirfd(dir), entry->d_name);
	closedir(dir);
	return port;
}
