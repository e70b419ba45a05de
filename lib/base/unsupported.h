/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Public functions of subjects that are not built: they exist and check their pointers, so that
 * programs link and get an error, but they make no object. They never look at a handle of such an
 * object. No state, any thread.
 *
 * `args` is the parenthesised parameter list, `required` is true when all required pointers are
 * set. A subject that gets built takes its file of these lines away. The lines stand between
 * "clang-format off" and "on", which would read the parameter lists as expressions.
 */
#ifndef SDPU_BASE_UNSUPPORTED_H
#define SDPU_BASE_UNSUPPORTED_H

#include <stdbool.h>

#include <doca_error.h>

#include "base/compiler.h"
#include "base/refuse.h"

/* Decides between INVALID_VALUE and NOT_SUPPORTED, and logs which and why. */
SDPU_SHARED doca_error_t sdpu_unsupported(const char *name, bool complete);

#define SDPU_UNSUPPORTED(name, args, required)                                                     \
	doca_error_t name args                                                                     \
	{                                                                                          \
		return sdpu_unsupported(#name, (required));                                        \
	}

/* For handles that device code uses: BAD_STATE, as no context is on a DPA or GPU data path here. */
SDPU_SHARED doca_error_t sdpu_off_data_path(const char *name, bool complete);

#define SDPU_OFF_DATA_PATH(name, args, required)                                                   \
	doca_error_t name args                                                                     \
	{                                                                                          \
		return sdpu_off_data_path(#name, (required));                                      \
	}

/* "No" to the question whether a device can do something: the usual answer, so nothing is logged.
 */
#define SDPU_UNSUPPORTED_CAP(name)                                                                 \
	doca_error_t name(const struct doca_devinfo *devinfo)                                      \
	{                                                                                          \
		return sdpu_any_null(#name, devinfo) ? DOCA_ERROR_INVALID_VALUE                    \
						     : DOCA_ERROR_NOT_SUPPORTED;                   \
	}

/* Functions that return no error: setters do nothing, the others return `value` (NULL or 0). */
#define SDPU_UNSUPPORTED_VOID(name, args)                                                          \
	void name args                                                                             \
	{                                                                                          \
	}

#define SDPU_UNSUPPORTED_VALUE(type, name, args, value)                                            \
	type name args                                                                             \
	{                                                                                          \
		return value;                                                                      \
	}

#endif
