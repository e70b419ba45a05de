# SPDX-License-Identifier: BSD-3-Clause
"""The Test Anything Protocol, both ways: run_checks() speaks it, count() reads it."""
import re

RESULT = re.compile(r"^(not )?ok\b[^#\n]*(?:#\s*(\w+))?", re.M | re.I)


def run_checks(checks):
    """Each check is a generator of breaches, and its docstring the rule. Returns the exit status."""
    failed = 0
    print(f"1..{len(checks)}")
    for number, check in enumerate(checks, 1):
        breaches = list(check())
        for breach in breaches:
            print(f"# {breach}")
        print(f"{'not ok' if breaches else 'ok'} {number} - {check.__doc__}")
        failed += bool(breaches)
    return 1 if failed else 0


def count(text):
    """Numbers of passed, failed and skipped results in a TAP stream."""
    passed = failed = skipped = 0
    for failure, directive in RESULT.findall(text):
        if directive.lower() == "skip":
            skipped += 1
        elif failure:
            failed += 1
        else:
            passed += 1
    return passed, failed, skipped
