/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_version.h
 * Version of the API that a program is compiled with, and of the library that it runs with.
 *
 * Threads: any.
 */
#ifndef DOCA_VERSION_H_
#define DOCA_VERSION_H_

#include <doca_compat.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Version of the API in these headers: major and minor 0 to 255, patch 0 to 9999. */
#define DOCA_VER_MAJOR 3
#define DOCA_VER_MINOR 1
#define DOCA_VER_PATCH 105

/** The same as text, the patch with four digits. */
#define DOCA_VER_STRING "3.1.0105"

/** A version as one number, such that later versions are larger. */
#define DOCA_VERSION_NUM(major, minor, patch)                                                      \
	((size_t)((((size_t)(major)) << 24) | (((size_t)(minor)) << 16) | ((size_t)(patch))))

/** The version of these headers as one number. */
#define DOCA_CURRENT_VERSION_NUM DOCA_VERSION_NUM(DOCA_VER_MAJOR, DOCA_VER_MINOR, DOCA_VER_PATCH)

/** True when the version given is that of these headers. */
#define DOCA_VERSION_EQ_CURRENT(major, minor, patch)                                               \
	(DOCA_VERSION_NUM(major, minor, patch) == DOCA_CURRENT_VERSION_NUM)

/** True when the version given is that of these headers or an earlier one. */
#define DOCA_VERSION_LTE_CURRENT(major, minor, patch)                                              \
	(DOCA_VERSION_NUM(major, minor, patch) <= DOCA_CURRENT_VERSION_NUM)

/**
 * Version of the headers that the caller was compiled with. Inline, because it has to be.
 *
 * @return static text, DOCA_VER_STRING
 */
static inline const char *doca_version(void)
{
	return DOCA_VER_STRING;
}

/**
 * Version of the library that the process has loaded.
 *
 * @return static text in the form of DOCA_VER_STRING
 */
DOCA_EXPERIMENTAL
const char *doca_version_runtime(void);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_VERSION_H_ */
