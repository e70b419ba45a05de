/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The limits themselves, for a reader who wants to know the machine.  No kernel of ours stands
 * beside them, so the value is the limit.
 */
#include "limits.h"
#include "rows.h"

const struct bench_row rows_machine[] = {
	{"machine.issue", "G/s", 1e9, {0}, {LIMIT_ISSUE}},
	{"machine.cacheline.rtt", "ns", 1, {0}, {LIMIT_CACHELINE}},
	{"machine.slot.rtt.64B", "ns", 1, {0}, {LIMIT_SLOT_TRIP(64)}},
	{"machine.slot.rtt.4KiB", "ns", 1, {0}, {LIMIT_SLOT_TRIP(4096)}},
	{"machine.slot.rate.64B", "M/s", 1e6, {0}, {LIMIT_SLOT_RATE(64)}},
	{"machine.slot.rate.4KiB", "M/s", 1e6, {0}, {LIMIT_SLOT_RATE(4096)}},
	{"machine.memcpy.4KiB", "GB/s", 1e9, {0}, {LIMIT_PUSH(4 << 10, 64, LIMIT_COPY_MEMCPY)}},
	{"machine.memcpy.64KiB", "GB/s", 1e9, {0}, {LIMIT_PUSH(64 << 10, 16, LIMIT_COPY_MEMCPY)}},
	{"machine.memcpy.1MiB", "GB/s", 1e9, {0}, {LIMIT_PUSH(1 << 20, 4, LIMIT_COPY_MEMCPY)}},
	{"machine.stream.4KiB",
	 "GB/s",
	 1e9,
	 {0},
	 {LIMIT_PUSH(4 << 10, 64, LIMIT_COPY_NON_TEMPORAL)}},
	{"machine.stream.64KiB",
	 "GB/s",
	 1e9,
	 {0},
	 {LIMIT_PUSH(64 << 10, 16, LIMIT_COPY_NON_TEMPORAL)}},
	{"machine.stream.1MiB",
	 "GB/s",
	 1e9,
	 {0},
	 {LIMIT_PUSH(1 << 20, 4, LIMIT_COPY_NON_TEMPORAL)}},
	{"machine.staged.4KiB", "GB/s", 1e9, {0}, {LIMIT_STAGED(4 << 10, 64)}},
	{"machine.staged.64KiB", "GB/s", 1e9, {0}, {LIMIT_STAGED(64 << 10, 16)}},
	{"machine.staged.1MiB", "GB/s", 1e9, {0}, {LIMIT_STAGED(1 << 20, 4)}},
	{"machine.cross.4KiB", "GB/s", 1e9, {0}, {LIMIT_CROSS(4 << 10, 64)}},
	{"machine.cross.64KiB", "GB/s", 1e9, {0}, {LIMIT_CROSS(64 << 10, 16)}},
	{"machine.cross.1MiB", "GB/s", 1e9, {0}, {LIMIT_CROSS(1 << 20, 4)}},
	{"machine.eventfd.wake", "ns", 1, {0}, {LIMIT_EVENTFD}},
	{"machine.futex.wake", "ns", 1, {0}, {LIMIT_FUTEX}},
	{"machine.hop2.depth64", "M/s", 1e6, {0}, {LIMIT_HOP2(64)}},
	{"machine.tcp.rtt.64B", "ns", 1, {0}, {LIMIT_TCP_TRIP(64)}},
	{"machine.libfabric.rtt.64B", "ns", 1, {0}, {LIMIT_FABRIC_TRIP(64)}},
	{"machine.libfabric.write.64KiB", "GB/s", 1e9, {0}, {LIMIT_FABRIC_WRITE(64 << 10, 16)}},
	{"peer.libfabric.tcp.rtt.64B", "ns", 1, {0}, {PEER_TOOL(PEER_FI_TCP)}},
	{"peer.libfabric.shm.rtt.64B", "ns", 1, {0}, {PEER_TOOL(PEER_FI_SHARED)}},
	{"peer.ucx.tcp.rtt.64B", "ns", 1, {0}, {PEER_TOOL(PEER_UCX_TCP)}},
	{"peer.ucx.shm.rtt.64B", "ns", 1, {0}, {PEER_TOOL(PEER_UCX_SHARED)}},
	{"peer.ucx.shm.rate.64B", "M/s", 1e6, {0}, {PEER_TOOL(PEER_UCX_RATE)}},
	{"peer.ucx.shm.bw.64KiB", "GB/s", 1e9, {0}, {PEER_TOOL(PEER_UCX_BYTES)}},
	{0},
};
