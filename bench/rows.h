/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of rows, in the order in which they are measured and printed. */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

#include "harness.h"

extern const struct bench_row rows_machine[];
extern const struct bench_row rows_comch_rtt[];
extern const struct bench_row rows_comch_rate[];
extern const struct bench_row rows_comch_bw[];
extern const struct bench_row rows_ctrl_rtt[];
extern const struct bench_row rows_comch_idle[];
extern const struct bench_row rows_comch_beside[];
extern const struct bench_row rows_comch_wake[];
extern const struct bench_row rows_comch_faults[];
extern const struct bench_row rows_window[];
extern const struct bench_row rows_rdma_send_rtt[];
extern const struct bench_row rows_rdma_access[];
extern const struct bench_row rows_rdma_atomic[];
extern const struct bench_row rows_dma_copy[];
extern const struct bench_row rows_msgq[];
extern const struct bench_row rows_two_hops[];
extern const struct bench_row rows_storage[];
extern const struct bench_row rows_pe_idle[];

#endif
