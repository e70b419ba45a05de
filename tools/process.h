/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Other processes, as /proc shows them. An answer may be out of date when the caller reads it. No
 * state; any thread.
 */
#ifndef TOOLS_PROCESS_H_
#define TOOLS_PROCESS_H_

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define PROCESS_NAME_SIZE 64

/* 0: there is no such process. */
pid_t process_parent(pid_t pid);

/* Stopped by a signal or a debugger, so that it cannot answer. */
bool process_is_stopped(pid_t pid);

/* Its command's name, safe to print; "?" when it is gone. */
void process_name(pid_t pid, char name[PROCESS_NAME_SIZE]);

/* Is it `ancestor`, a descendant, or in the process group that `ancestor` leads? */
bool process_belongs(pid_t pid, pid_t ancestor);

/* Calls fn for each visible process until it returns true. The pid of that process, or 0. */
typedef bool (*process_fn)(pid_t pid, void *arg);
pid_t process_find(process_fn fn, void *arg);

/* A TCP port on which it listens; 0: none. */
unsigned int process_tcp_port(pid_t pid);

#endif /* TOOLS_PROCESS_H_ */
