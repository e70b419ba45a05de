/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PCI addresses as text. Pure functions; any thread.
 */
#ifndef SDPU_CORE_PCI_ADDR_H
#define SDPU_CORE_PCI_ADDR_H

#include <stdbool.h>

#include <doca_dev.h>
#include <doca_error.h>

/*
 * Brings "dddd:bb:dd.f" or "bb:dd.f" (domain 0) into the long form, hex digits in lower case.
 * False, and pci is not written, for any other text; at most DOCA_DEVINFO_PCI_ADDR_SIZE bytes are
 * read.
 */
bool sdpu_pci_normalize(const char *text, char pci[DOCA_DEVINFO_PCI_ADDR_SIZE]);

/* The comparison of the public calls. INVALID_VALUE: text is no PCI address. */
doca_error_t sdpu_pci_compare(const char *pci, const char *text, uint8_t *is_equal);

#endif
