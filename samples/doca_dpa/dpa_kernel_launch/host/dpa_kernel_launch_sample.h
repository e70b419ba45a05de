/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DPA_KERNEL_LAUNCH_SAMPLE_H_
#define DPA_KERNEL_LAUNCH_SAMPLE_H_

#include "../../../common.h"

/* Launch the kernel on as many threads as config->number, and check what it did. */
doca_error_t kernel_launch_run(const struct sample_config *config);

#endif /* DPA_KERNEL_LAUNCH_SAMPLE_H_ */
