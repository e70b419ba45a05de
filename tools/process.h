/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Other processes, as /proc shows them. What is told of a process may be over by the time it is
 * read. No state; any thread.
 */
#ifndef TOOLS_PROCESS_H_
#define TOOLS_PROCESS_H_

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define PROCESS_NAME_SIZE 64

/* 0: there is no such process. */
pid_t process_parent(pid_t pid);

/* By a signal or a debugger, so that it answers nothing. */
bool process_is_stopped(pid_t pid);

/* Its command's name, safe to print; "?" when it is gone. */
void process_name(pid_t pid, char name[PROCESS_NAME_SIZE]);

/* It is `ancestor`, descends from it, or is in the process group that it leads. */
bool process_belongs(pid_t pid, pid_t ancestor);

/* Calls fn for each process that can be seen, until it returns true; the pid then, else 0. */
typedef bool (*process_fn)(pid_t pid, void *arg);
pid_t process_find(process_fn fn, void *arg);

/* Port of a TCP socket of its own to which it listens; 0: none. */
unsigned int process_tcp_port(pid_t pid);

#endif /* TOOLS_PROCESS_H_ */
