#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints what each process of the demo did, from the --stats-json files in a directory.

    demo_table.py DIRECTORY
"""
import json
import os
import sys

RUNS = ("write", "read")
PROGRAMS = (("initiator", "host"), ("bridge", "DPU"), ("target", "storage"))
ROW = "{:<6} {:<9} {:<8} {:>10} {:>10} {:>8} {:>10} {:>10}"


def microseconds(stats, name):
    """Latencies are the initiator's alone."""
    return f"{stats[name]:.0f} us" if name in stats else "-"


def row(directory, run, program, side):
    with open(os.path.join(directory, f"{run}-{program}.json"), encoding="utf-8") as file:
        stats = json.load(file)
    return ROW.format(run, program, side, stats["operations"], f"{stats['operations_per_second']:.0f}",
                      f"{stats['gib_per_second']:.2f}", microseconds(stats, "latency_p50_us"),
                      microseconds(stats, "latency_p99_us"))


def main(directory):
    print(ROW.format("", "process", "side", "operations", "per second", "GiB/s", "p50", "p99"))
    for run in RUNS:
        for program, side in PROGRAMS:
            print(row(directory, run, program, side))


if __name__ == "__main__":
    main(sys.argv[1])
