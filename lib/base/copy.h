/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copying to memory that another core will read. A long copy by ordinary stores pulls the
 * destination into this core's cache only to have it pulled out again; streaming stores go past it.
 */
#ifndef SDPU_BASE_COPY_H
#define SDPU_BASE_COPY_H

#include <stddef.h>

/*
 * Copies len bytes; they do not overlap. whole: length of the operation of which this is a part; it
 * decides how. What was copied is in memory before anything stored after the call.
 */
void sdpu_copy_out(void *to, const void *from, size_t len, size_t whole);

#endif
