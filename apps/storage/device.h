/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finding and opening the device and the representor that the user named. The caller owns what
 * was opened and closes it, the representor first.
 */
#ifndef STORAGE_DEVICE_H
#define STORAGE_DEVICE_H

#include "fault.h"

#include <doca_dev.h>

/*
 * name is a PCI address (bb:dd.f or dddd:bb:dd.f), the name of an IB device or of a network
 * interface, tried in this order; the first device of the list that matches is opened.
 */
doca_error_t device_open(const char *name, struct doca_dev **dev, struct fault *fault);

/* address is the PCI address of the host function, as the host sees it. */
doca_error_t device_rep_open(struct doca_dev *dev, const char *address, struct doca_dev_rep **rep,
			     struct fault *fault);

#endif
