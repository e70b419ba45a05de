/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_build_config.h
 * The side this program is compiled for: the host.
 *
 * Exactly one of DOCA_ARCH_HOST and DOCA_ARCH_DPU is defined, and programs choose their role with
 * it. A file of the same name that says DOCA_ARCH_DPU is installed in a second directory; the
 * pkg-config files of the DPU role put that directory first. Both carry the same guard, so that the
 * first one found decides.
 */
#ifndef DOCA_BUILD_CONFIG_H_
#define DOCA_BUILD_CONFIG_H_

#define DOCA_ARCH_HOST 1

#endif /* DOCA_BUILD_CONFIG_H_ */
