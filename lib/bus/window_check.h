/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Judging what the other side of a memory window says: all that needs to be known before it is
 * acted upon. Pure functions on private copies; each answers NULL, or what is wrong in words.
 */
#ifndef SDPU_BUS_WINDOW_CHECK_H
#define SDPU_BUS_WINDOW_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "bus/window_wire.h"

/* Permissions that let somebody write, or read, who is not the owner's process. */
bool sdpu_perms_writable(uint32_t perms);
bool sdpu_perms_readable(uint32_t perms);
/* Mask of the kinds of atomics that they permit: the importer who came with the window's key, or
 * whoever else. */
uint32_t sdpu_perms_atomics(uint32_t perms, bool by_key);

/* [addr, addr + len) lies in [base, base + size), which does not wrap. */
static inline bool sdpu_range_covers(uint64_t base, uint64_t size, uint64_t addr, uint64_t len)
{
	return addr >= base && len <= size && addr - base <= size - len;
}

const char *sdpu_grant_msg_fault(const struct sdpu_grant_msg *msg, uint32_t num_fds);
/* bytes: a whole record, which has passed sdpu_hello_check(). On NULL, *request is filled. */
const char *sdpu_window_request_fault(const void *bytes, uint32_t len, uint32_t num_fds,
				      struct window_request *request);
const char *sdpu_window_reply_fault(const void *bytes, uint32_t len, uint32_t num_fds,
				    struct window_reply *reply);

#endif
