/* SPDX-License-Identifier: BSD-3-Clause */
#include "bars.h"

#include <stdio.h>
#include <string.h>

const struct bench_bar bench_bars[] = {
	{"comch.rtt.64B", 1.25, 0},
	{"comch.rtt.64B.ucx", 1, 0},
	{"comch.rtt.64B.libfabric", 1, 0},
	{"comch.rate.64B.ucx", 1, 0},
	{"comch.bw.64KiB.ucx", 1, 0},
	{"comch.rtt.4KiB", 1.25, 0},
	{"comch.rtt.4KiB.shared", 1.25, 0},
	{"comch.rate.64B.batch1", 0.35, 0},
	{"comch.rate.64B.batch32", 0.5, 0},
	{"comch.bw.4KiB.private", 0.9, 0},
	{"comch.bw.64KiB.private", 0.9, 0},
	{"comch.bw.1MiB.private", 0.9, 0},
	{"comch.bw.4KiB.shared", 0.8, 0},
	{"comch.bw.64KiB.shared", 0.8, 0},
	{"comch.bw.1MiB.shared", 0.8, 0},
	{"ctrl.rtt.64B", 2, 0},
	{"comch.rtt.64B.clients512", 1.3, 0},
	{"memory.connection", 0, 256},
	{"memory.path", 0, 256},
	{"memory.client", 0, 8},
	{"comch.beside.16MiB", 3, 0},
	{"comch.beside.16MiB.shared", 3, 0},
	{"comch.wake", 1.3, 0},
	{"ctrl.wake", 1.3, 0},
	{"comch.faults.64B", 0, 0},
	{"comch.faults.4KiB", 0, 0},
	{"window.import", 1.5, 0},
	{"window.faults", 0, 0},
	{"rdma.send.rtt.64B", 1.5, 0},
	{"rdma.write.4KiB", 0.85, 0},
	{"rdma.write.64KiB", 0.8, 0},
	{"rdma.read.4KiB", 0.85, 0},
	/* At most 0.6 of the time of one call for each. */
	{"rdma.write.4KiB.private", 1 / 0.6, 0},
	{"rdma.read.4KiB.private", 1 / 0.6, 0},
	{"rdma.atomic", 2, 30},
	{"rdma.tcp.send.rtt.64B", 1.3, 0},
	{"rdma.tcp.write.64KiB", 1 / 1.15, 0},
	{"dma.copy.1MiB", 0.9, 0},
	{"msgq.rtt", 1.5, 0},
	{"msgq.wake", 1.5, 0},
	{"msgq.dma_copy.8KiB", 0.8, 0},
	{"hops.comch_rdma.64B", 0.5, 0},
	{"storage.write.4KiB", 0.25, 0},
	{"storage.read.4KiB", 0.25, 0},
	{"storage.write.4KiB.shared", 0.25, 0},
	{"storage.read.4KiB.shared", 0.25, 0},
	{"storage.tail.write.4KiB", 0, 20},
	{"storage.tail.read.4KiB", 0, 20},
	{"storage.tail.write.4KiB.shared", 0, 20},
	{"storage.tail.read.4KiB.shared", 0, 20},
	{"storage.write.64KiB", 0.5, 0},
	{"storage.read.64KiB", 0.5, 0},
	{"storage.write.64KiB.shared", 0.5, 0},
	{"storage.read.64KiB.shared", 0.5, 0},
	{"pe.idle", 0, 10},
	{"pe.idle.64", 0, 200},
	{NULL, 0, 0},
};

bool bench_less_is_better(const char *unit)
{
	static const char *const units[] = {"ns", "KiB", "MiB", "faults", "x"};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(unit, units[i]) == 0)
			return true;
	}
	return false;
}

const struct bench_bar *bench_bar_of(const char *row)
{
	for (const struct bench_bar *bar = bench_bars; bar->row != NULL; bar++) {
		if (strcmp(bar->row, row) == 0)
			return bar;
	}
	return NULL;
}

bool bench_bar_met(const struct bench_bar *bar, const char *unit, double value, double limit)
{
	double wanted = bar->times * limit + bar->plus;

	return bench_less_is_better(unit) ? value <= wanted : value >= wanted;
}

void bench_bar_text(const struct bench_bar *bar, const char *unit, char *text, size_t size)
{
	const char *sign = bench_less_is_better(unit) ? "<=" : ">=";

	if (bar->times == 0)
		snprintf(text, size, "%s %.3g %s", sign, bar->plus, unit);
	else if (bar->plus == 0)
		snprintf(text, size, "%s %.3g", sign, bar->times);
	else
		snprintf(text, size, "%s %.3g + %.3g %s", sign, bar->times, bar->plus, unit);
}
