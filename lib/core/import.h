/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From an export descriptor to the memory that it names: what mmaps and sync events do alike. No
 * state; any thread. `call` is the public function, for messages.
 */
#ifndef SDPU_CORE_IMPORT_H
#define SDPU_CORE_IMPORT_H

#include <stdbool.h>

#include <doca_error.h>

#include "bus/blob.h"
#include "bus/window.h"

/* Was it made on another machine? DRIVER: ours is not known. */
doca_error_t sdpu_import_is_foreign(const struct sdpu_blob *blob, bool *foreign);

/*
 * Asks the owner's agent, 2 s at most. INVALID_VALUE: the owner or its window is gone, or it is of
 * another range than the descriptor says; NO_MEMORY; DRIVER: everything else. All are logged.
 */
doca_error_t sdpu_import_open(const char *call, const struct sdpu_blob *blob,
			      struct sdpu_reach **reach);

#endif
