/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the language lacks: visibility, branch hints, layout helpers. No state, no dependencies.
 *
 * SDPU_SHARED marks a prototype (or a variable) that one of our libraries offers to the others. It
 * is exported in the private version node, so it is no part of the public interface and may change
 * with every build.
 */
#ifndef SDPU_BASE_COMPILER_H
#define SDPU_BASE_COMPILER_H

#include <stddef.h>

#define SDPU_SHARED __attribute__((visibility("default")))

/* Hardly ever called, and never on the data path: what it does costs its callers nothing. */
#define SDPU_COLD __attribute__((cold, noinline))

#define sdpu_likely(x) __builtin_expect(!!(x), 1)
#define sdpu_unlikely(x) __builtin_expect(!!(x), 0)

/* Format string is argument `fmt`, its values start at `args` (0 when they come as a va_list). */
#define sdpu_printf_like(fmt, args) __attribute__((format(printf, fmt, args)))

/* Fields written by different cores stand this far apart. */
#define SDPU_CACHE_LINE 64
#define SDPU_CACHE_ALIGNED __attribute__((aligned(SDPU_CACHE_LINE)))

#define sdpu_container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))

#define SDPU_ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#endif
