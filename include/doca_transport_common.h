/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_transport_common.h
 * Types shared by the transports. What programs use of them is in doca_types.h.
 */
#ifndef DOCA_TRANSPORT_COMMON_H_
#define DOCA_TRANSPORT_COMMON_H_

#include <doca_types.h>

#endif /* DOCA_TRANSPORT_COMMON_H_ */
