/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_erasure_coding.h
 * Kinds of erasure coding matrix. Storage programs name them in their options; the library itself
 * is not provided.
 */
#ifndef DOCA_ERASURE_CODING_H_
#define DOCA_ERASURE_CODING_H_

#include <doca_compat.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How the coefficients of an encoding matrix are made. */
enum doca_ec_matrix_type {
	DOCA_EC_MATRIX_TYPE_CAUCHY = 1,	     /**< From a Cauchy matrix. */
	DOCA_EC_MATRIX_TYPE_VANDERMONDE = 2, /**< From a Vandermonde matrix. */
};

#ifdef __cplusplus
}
#endif

#endif /* DOCA_ERASURE_CODING_H_ */
