/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of code addresses, by the symbol tables of the files that are mapped: local functions, too,
 * which dladdr() does not know. No state; any thread.
 */
#ifndef SDPU_DPA_SYMBOL_H
#define SDPU_DPA_SYMBOL_H

#include <stddef.h>

/* "name+0x12 (file)", or as much of it as is known. */
void dpa_symbol_describe(const void *address, char *text, size_t size);

#endif
