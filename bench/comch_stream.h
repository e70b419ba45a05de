/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fast path, one way: side 0 sends as fast as it can, `batch` messages between two looks at its
 * engine, and side 1 counts what arrives.  One reports messages a second, the other bytes.
 */
#ifndef BENCH_COMCH_STREAM_H
#define BENCH_COMCH_STREAM_H

#include "harness.h"

enum bench_status comch_stream_send(struct bench *bench);
enum bench_status comch_stream_count_messages(struct bench *bench);
enum bench_status comch_stream_count_bytes(struct bench *bench);

#endif
