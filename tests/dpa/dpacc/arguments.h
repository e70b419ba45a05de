/* SPDX-License-Identifier: BSD-3-Clause */
/* What the device source and the host program of this test both know. */
#ifndef DPACC_ARGUMENTS_H_
#define DPACC_ARGUMENTS_H_

#include <stdint.h>

#ifndef __dpa_global__ /* on the host */
#define __dpa_global__
#endif

__dpa_global__ typedef struct point {
	int32_t x;
	double y;
} point_t;

struct packed {
	uint8_t tag;
	uint64_t value;
} __attribute__((__packed__, aligned(8)));

struct large {
	uint64_t words[120];
};

enum colour { RED, GREEN = 7 };

#endif /* DPACC_ARGUMENTS_H_ */
