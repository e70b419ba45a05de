/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fast path with many receivers: `count` connections from one process to another, or so many
 * consumers on one of them, which one producer feeds.  Side 0 sends to one after the other, `batch`
 * messages each, then looks at its engine; side 1 counts messages a second, once the rate has
 * settled.
 */
#ifndef BENCH_COMCH_MANY_H
#define BENCH_COMCH_MANY_H

#include "harness.h"

/* In a kernel's variant: which connections are used. */
enum many_kind { MANY_ALL, MANY_FIRST };

enum bench_status comch_connections_send(struct bench *bench);
enum bench_status comch_connections_count(struct bench *bench);
enum bench_status comch_consumers_send(struct bench *bench);
enum bench_status comch_consumers_count(struct bench *bench);

#endif
