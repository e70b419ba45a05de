/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file dpu/doca_build_config.h
 * The side this program is compiled for: the DPU.
 *
 * Takes the place of the host's file of the same name (which see) when its directory comes first on
 * the include path.
 */
#ifndef DOCA_BUILD_CONFIG_H_
#define DOCA_BUILD_CONFIG_H_

#define DOCA_ARCH_DPU 1

#endif /* DOCA_BUILD_CONFIG_H_ */
