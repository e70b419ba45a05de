#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Sums up the results of several runs: meson's testlog.json files and plain TAP files (*.tap).

    tally.py FILE...

Names the tests that failed, each with the last that it said, and ends with "N passed, N failed, N skipped". A test
that ends badly without a failed result of its own (a crash, a time-out) counts as one failed. Exit status 1 when
anything failed or nothing ran.
"""
import json
import sys

import tap


def is_good(test):
    """Whether a test of meson's ended well."""
    return test["result"] in ("OK", "SKIP", "EXPECTEDFAIL")


def last_words(test, count=12, width=200):
    """The end of what a test of meson's said of its failures, and the end of its standard error."""
    said = [line for line in test.get("stdout", "").splitlines() if line.startswith(("#", "not ok"))]
    return [f"    {line[:width]}" for line in said[-count:] + test.get("stderr", "").splitlines()[-count:]]


def runs(path):
    """For each test in the file: name, last words, whether it ended well, passed, failed, skipped."""
    with open(path, encoding="utf-8") as file:
        if path.endswith(".tap"):
            yield path, [], True, *tap.count(file.read())
            return
        for line in file:
            test = json.loads(line)
            results = tap.count(test.get("stdout", ""))
            if not any(results):  # not a TAP program
                results = (int(test["result"] == "OK"), 0, int(test["result"] == "SKIP"))
            yield f"{path}: {test['name']} ({test['result']})", last_words(test), is_good(test), *results


def main(paths):
    total = [0, 0, 0]
    for path in paths:
        for name, words, good, passed, failed, skipped in runs(path):
            if not good and not failed:
                failed = 1
            if failed:
                print(f"FAILED {name}: {failed} of {passed + failed}", *words, sep="\n")
            total = [total[0] + passed, total[1] + failed, total[2] + skipped]
    print(f"{total[0]} passed, {total[1]} failed, {total[2]} skipped")
    return 0 if total[0] and not total[1] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
