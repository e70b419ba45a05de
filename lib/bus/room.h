/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The machine room that this process is in: one start of one machine, and one runtime directory.
 * Processes of one room find each other, and reach each other's memory, through that directory;
 * those of two rooms only over a network, though both may be containers on one kernel. Pure
 * function of the process; any thread.
 */
#ifndef SDPU_BUS_ROOM_H
#define SDPU_BUS_ROOM_H

#include <stdint.h>

#include <doca_error.h>

#include "base/compiler.h"

#define SDPU_ROOM_ID_SIZE 16

/* Errors as sdpu_rundir_get(), and OPERATING_SYSTEM (logged) where there is no /proc. */
SDPU_SHARED doca_error_t sdpu_room_id(uint8_t id[SDPU_ROOM_ID_SIZE]);

#endif
