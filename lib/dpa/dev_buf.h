/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Buffers of device functions. The handle of one is its address, in an array or wherever device
 * code has put it. No state; in a kernel, on its strand.
 */
#ifndef SDPU_DPA_DEV_BUF_H
#define SDPU_DPA_DEV_BUF_H

#include <doca_dpa_dev_buf.h>

/* Ends the kernel if the handle cannot be that of a buffer. */
struct doca_dpa_dev_buf *dpa_buf_open(const char *call, doca_dpa_dev_buf_t handle);

#endif
