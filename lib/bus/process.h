/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the library owns in this process, and what becomes of it in a forked child.
 *
 * Every descriptor that the library opens and keeps is registered with sdpu_fd_own(), so that a
 * forked child can close them all; every mapping of a segment is MADV_DONTFORK. In the child the
 * library is inert: sdpu_process_inert() is true for ever and every call that would touch bus
 * objects answers BAD_STATE. Thread-safe.
 */
#ifndef SDPU_BUS_PROCESS_H
#define SDPU_BUS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/compiler.h"

/* Registers fd and returns it (negative values pass through untouched). */
SDPU_SHARED int sdpu_fd_own(int fd);

/* Unregisters and closes; negative values are ignored. */
SDPU_SHARED void sdpu_fd_close(int fd);

/* True in a forked child of a process that had the library open. One load; fit for the data path.
 */
SDPU_SHARED extern uint32_t sdpu_process_forked;
static inline bool sdpu_process_inert(void)
{
	return sdpu_unlikely(sdpu_process_forked != 0);
}

/* The same for a public call; logs why it is refused. */
SDPU_SHARED SDPU_COLD bool sdpu_process_tell_inert(const char *call);
static inline bool sdpu_process_refuses(const char *call)
{
	return sdpu_process_inert() && sdpu_process_tell_inert(call);
}

/* Fills buf with bytes of the kernel's random source; aborts nothing: returns false when there is
 * none. */
SDPU_SHARED bool sdpu_process_random(void *buf, size_t len);

#endif
