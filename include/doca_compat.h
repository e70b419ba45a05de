/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_compat.h
 * What every DOCA header starts from: role, standard headers, stability marks.
 *
 * Programs count on each DOCA header to bring in the standard headers listed here, and to have
 * decided between DOCA_ARCH_HOST and DOCA_ARCH_DPU.
 */
#ifndef DOCA_COMPAT_H_
#define DOCA_COMPAT_H_

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Angle brackets on purpose: the include path, not this directory, chooses the role. */
#include <doca_build_config.h>

/** Keep the symbol even if nothing in its object file refers to it. */
#define DOCA_USED __attribute__((used))

/** A symbol whose contract stays as it is. */
#define DOCA_STABLE __attribute__((visibility("default"))) DOCA_USED

/**
 * A symbol whose contract may change between releases. Calling one warns at compile time, unless
 * the program defines DOCA_ALLOW_EXPERIMENTAL_API before its first DOCA header.
 */
#ifdef DOCA_ALLOW_EXPERIMENTAL_API
#define DOCA_EXPERIMENTAL DOCA_STABLE
#else
#define DOCA_EXPERIMENTAL                                                                          \
	DOCA_STABLE __attribute__((deprecated("needs DOCA_ALLOW_EXPERIMENTAL_API")))
#endif

/**
 * A symbol that will go away. Calling one warns at compile time, unless the program defines
 * DOCA_ALLOW_DEPRECATED_API before its first DOCA header.
 */
#ifdef DOCA_ALLOW_DEPRECATED_API
#define DOCA_DEPRECATED DOCA_STABLE
#else
#define DOCA_DEPRECATED DOCA_STABLE __attribute__((deprecated("needs DOCA_ALLOW_DEPRECATED_API")))
#endif

/**
 * Names and values are those of DOCA 3.x. A program that needs the few of 2.9 that conflict is
 * compiled with -DSOFTDPU_API=209: values change in the headers, and a declaration that ends in
 * SOFTDPU_V209("symbol") binds to that symbol instead of its own name.
 */
#if defined(SOFTDPU_API) && SOFTDPU_API == 209
#define SOFTDPU_V209(symbol) __asm__(symbol)
#else
#define SOFTDPU_V209(symbol)
#endif

#ifdef DOCA_COMPAT_HELPERS

#include <doca_version.h>

/* Version stamp of structures that a program fills in and hands over. */
#define DOCA_STRUCT_START uint32_t __doca_api_version
#define DOCA_STRUCT_GET_VERSION(x) ((x)->__doca_api_version)
#define DOCA_STRUCT_CTOR(x) ((x).__doca_api_version = (uint32_t)DOCA_CURRENT_VERSION_NUM)
#define DOCA_STRUCT_PTR_CTOR(x) DOCA_STRUCT_CTOR(*(x))
#define DOCA_STRUCT_MEMSET_CTOR(x)                                                                 \
	do {                                                                                       \
		memset(&(x), 0, sizeof(x));                                                        \
		DOCA_STRUCT_CTOR(x);                                                               \
	} while (0)
#define DOCA_STRUCT_PTR_MEMSET_CTOR(x) DOCA_STRUCT_MEMSET_CTOR(*(x))
#define DOCA_STRUCT_CTOR_LIST_START .__doca_api_version = (uint32_t)DOCA_CURRENT_VERSION_NUM

#endif /* DOCA_COMPAT_HELPERS */

#endif /* DOCA_COMPAT_H_ */
