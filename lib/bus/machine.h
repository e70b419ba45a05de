/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The machine that this process runs on, as peers see it: one boot of a kernel and one runtime
 * directory. Processes of one machine find each other, and reach each other's memory, through that
 * directory. Two containers with a directory each are two machines: only RDMA over the network
 * connects them, though their kernel is the same. Pure function of the process; any thread.
 */
#ifndef SDPU_BUS_MACHINE_H
#define SDPU_BUS_MACHINE_H

#include <stdint.h>

#include <doca_error.h>

#include "base/compiler.h"

#define SDPU_MACHINE_ID_SIZE 16

/* Errors as sdpu_rundir_get(), and OPERATING_SYSTEM (logged) where there is no /proc. */
SDPU_SHARED doca_error_t sdpu_machine_id(uint8_t id[SDPU_MACHINE_ID_SIZE]);

#endif
