/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The role of a program is fixed when it is compiled. This copy stands before the one for the host in the search
 * path that the second set of pkg-config files gives.
 */
#ifndef DOCA_BUILD_CONFIG_H_
#define DOCA_BUILD_CONFIG_H_

#define DOCA_ARCH_DPU 1

#endif /* DOCA_BUILD_CONFIG_H_ */
