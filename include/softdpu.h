/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file softdpu.h
 * What softdpu offers beyond the DOCA API. A program that is to run on the real SDK too does not
 * include this header.
 */
#ifndef SOFTDPU_H_
#define SOFTDPU_H_

#include <doca_compat.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Version of softdpu itself, as opposed to that of the API (doca_version_runtime()).
 *
 * Threads: any.
 *
 * @return static text
 */
DOCA_STABLE
const char *softdpu_version(void);

#ifdef __cplusplus
}
#endif

#endif /* SOFTDPU_H_ */
