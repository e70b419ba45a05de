#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints which contract test of RDMA passed over which back end, from a run of them:

    meson test -C build --suite rdma; scripts/contract_table.py build/meson-logs/testlog.json

A number is how many cases passed, all of them; "-": not run. Exit status 1 when anything failed, or nothing ran.
"""
import json
import sys

import tally
import tap

DEFAULT = "default"
ORDER = (DEFAULT, "mapped", "cross", "handed", "served", "fabric", "tcp", "machines", "ipv6")


def cells(path):
    """{test: {back end: text}} and whether all went well. Tests that run over nothing but the default are left out."""
    table, good = {}, True
    with open(path, encoding="utf-8") as file:
        for line in file:
            run = json.loads(line)
            test, _, backend = run["name"].split("/")[-1].strip().partition("@")
            passed, failed, skipped = tap.count(run.get("stdout", ""))
            if not tally.is_good(run):
                failed = max(failed, 1)
            good &= failed == 0
            table.setdefault(test, {})[backend or DEFAULT] = cell(passed, failed, skipped)
    return {test: row for test, row in table.items() if len(row) > 1}, good


def cell(passed, failed, skipped):
    if failed:
        return f"FAILED {failed}/{passed + failed}"
    return str(passed) if not skipped else f"{passed}, {skipped} skipped"


def rows_of(table):
    backends = sorted({backend for row in table.values() for backend in row}, key=ORDER.index)
    yield ["", *backends]
    for test in sorted(table):
        yield [test, *(table[test].get(backend, "-") for backend in backends)]


def main(path):
    table, good = cells(path)
    rows = list(rows_of(table))
    widths = [max(map(len, column)) for column in zip(*rows)]
    for first, *rest in rows:
        print("  ".join([first.ljust(widths[0]), *(text.rjust(width) for text, width in zip(rest, widths[1:]))]))
    return 0 if table and good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
