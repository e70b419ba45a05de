#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The bench has the rows it promises, and its JSON file is what its readers expect; TAP.

No figure is judged here: a busy machine may not fail a test.
"""

import csv
import json
import os
import subprocess
import sys
import tempfile

ROWS = """
machine.issue comch.rtt.8B comch.rtt.64B comch.rtt.64B.loop comch.rtt.256B comch.rtt.4KiB
comch.rate.64B.batch1 comch.rate.64B.batch32 comch.rate.64B.ucx comch.rtt.64B.libfabric
comch.bw.4KiB.private comch.bw.64KiB.private comch.bw.1MiB.private
comch.bw.4KiB.shared comch.bw.64KiB.shared comch.bw.1MiB.shared
ctrl.rtt.64B rdma.send.rtt.64B rdma.send.rtt.64B.loop rdma.atomic
rdma.write.4KiB rdma.write.64KiB rdma.read.4KiB rdma.read.64KiB
rdma.tcp.send.rtt.64B rdma.tcp.send.rtt.64B.loop rdma.tcp.write.64KiB rdma.tcp.read.64KiB
dma.copy.64KiB dma.copy.1MiB
msgq.rtt msgq.rate msgq.wake msgq.dma_copy.8KiB
storage.write.4KiB storage.read.4KiB storage.write.64KiB storage.tail.read.4KiB pe.idle
comch.rtt.64B.clients512 comch.beside.16MiB comch.wake comch.faults.64B
window.import window.faults memory.connection memory.path memory.client
""".split()

KEYS = {"name", "value", "unit", "limit", "ratio", "bar", "met", "issue"}


def bench(*arguments):
    return subprocess.run([sys.argv[1], *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=120)


def case_rows():
    names = bench("--list").stdout.split()
    missing = [row for row in ROWS if row not in names]
    return "missing: %s" % " ".join(missing) if missing else None


def case_json():
    wanted = ["machine.cacheline.rtt", "ctrl.rtt.64B"]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "bench.json")
        done = bench("--quick", "--repetitions", "1", "--json", path, *wanted)
        if done.returncode != 0:
            return "exit %d: %s" % (done.returncode, done.stdout)
        with open(path) as file:
            rows = json.load(file)
    if [row["name"] for row in rows] != wanted or [row["bar"] for row in rows] != [None, "<= 2"]:
        return "rows: %r" % rows
    bad = [row for row in rows if set(row) != KEYS or not row["value"] > 0
           or abs(row["ratio"] - row["value"] / row["limit"]) > 1e-3 * row["ratio"]
           or row["met"] != (None if row["bar"] is None else row["ratio"] <= 2)]
    return "rows: %r" % bad if bad else None


def case_unknown_row():
    status = bench("--quick", "no.such.row").returncode
    return None if status == 2 else "exit %d" % status


def case_bad_option():
    for arguments in (["--repetitions", "0"], ["--repetitions", "x"], ["--nonsense"]):
        if bench(*arguments).returncode != 2:
            return " ".join(arguments)
    return None


def case_sweep():
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([sys.argv[2], "--quick", "--output", folder, "threads"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=120)
        if done.returncode != 0 or os.listdir(folder) != ["threads.csv"]:
            return "exit %d: %s" % (done.returncode, done.stdout)
        with open(os.path.join(folder, "threads.csv")) as file:
            head, *rows = list(csv.reader(file))
    # Empty: nothing was done in so short a time, on a busy machine.
    bad = [row for row in rows if len(row) != len(head) or not all(value == "" or float(value) > 0 for value in row)]
    if bad or [row[0] for row in rows] != ["1", "2", "4", "8"]:
        return "rows: %r" % rows
    return None


def case_no_sweep():
    for arguments in (["no.such.sweep"], ["--nonsense"]):
        if subprocess.run([sys.argv[2], *arguments], stderr=subprocess.DEVNULL, timeout=120).returncode != 2:
            return " ".join(arguments)
    return None


def case_nothing_left():
    left = os.listdir(os.environ["TMPDIR"])
    return "left behind: %s" % " ".join(left) if left else None


CASES = [case_rows, case_json, case_unknown_row, case_bad_option, case_sweep,
         case_no_sweep, case_nothing_left]


def main():
    failed = 0
    print("1..%d" % len(CASES))
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TMPDIR"] = folder
        for number, case in enumerate(CASES, 1):
            problem = case()
            print("%sok %d - %s" % ("not " if problem else "", number, case.__name__[5:]))
            if problem:
                failed += 1
                print("\n".join("# " + line for line in problem.split("\n")))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
