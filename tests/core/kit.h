/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the tests of devices and memory share. State is the process's: each case has its own.
 */
#ifndef TESTS_CORE_KIT_H
#define TESTS_CORE_KIT_H

#include <doca_dev.h>
#include <doca_mmap.h>

/* Addresses of the built-in topology. */
#define KIT_DPU "03:00.0"
#define KIT_DPU_1 "03:00.1"
#define KIT_HOST "3b:00.0"

/* Makes `text` the file that SOFTDPU_TOPOLOGY names. */
void kit_topology(const char *text);

/* What the SDK logged since the last call, errors and warnings; the first call begins it. */
const char *kit_log(void);
unsigned int kit_log_lines(const char *text);

/* The device with that PCI address, opened once more; fails the case when there is none. */
struct doca_dev *kit_open(const char *pci);

/* A started mmap of [addr, addr + len). perms 0: the default. dev may be NULL. */
struct doca_mmap *kit_mmap(struct doca_dev *dev, void *addr, size_t len, uint32_t perms);

/* Memory that can be read and written. What is unmapped of it stays free, as the kernel puts other
 * mappings elsewhere. */
void *kit_pages(size_t len);

/* Runs fn in a forked child, which must come back from it. */
void kit_in_child(void (*fn)(void));

#endif
