/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_common_defines.h
 * Branch hints.
 */
#ifndef DOCA_COMMON_DEFINES_H_
#define DOCA_COMMON_DEFINES_H_

#include <doca_compat.h>

/** Value of x (0 or 1), with the hint that it is nearly always true. */
#define doca_likely(x) __builtin_expect(!!(x), 1)

/** Value of x (0 or 1), with the hint that it is nearly always false. */
#define doca_unlikely(x) __builtin_expect(!!(x), 0)

#endif /* DOCA_COMMON_DEFINES_H_ */
