/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Error codes as text. The strings are constants: any thread may ask, nobody frees, never NULL.
 */
#ifndef SDPU_BASE_ERROR_TEXT_H
#define SDPU_BASE_ERROR_TEXT_H

#include <doca_error.h>

#include "base/compiler.h"

SDPU_SHARED const char *sdpu_error_name(doca_error_t error);
SDPU_SHARED const char *sdpu_error_descr(doca_error_t error);

#endif
