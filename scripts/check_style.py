#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks what CONTRIBUTING.md says about the shape of sources, as far as a script can.

Prints one line for each breach, and a TAP result for each rule.
"""
import os
import re
import shutil
import subprocess
import sys

import tap

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MAX_FUNCTION = 80
MAX_FILE = 700


def tracked(*patterns):
    out = subprocess.run(["git", "ls-files", "--", *patterns], cwd=ROOT, check=True, capture_output=True, text=True)
    return [path for path in out.stdout.splitlines() if os.path.exists(os.path.join(ROOT, path))]


def lines(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read().splitlines()


def check_licence():
    """Every source names its licence in the first two lines."""
    for path in tracked("*.c", "*.h", "*.py", "*.sh", "*meson.build", "Makefile"):
        if not any("SPDX-License-Identifier: BSD-3-Clause" in line for line in lines(path)[:2]):
            yield f"{path}: no SPDX line"


def check_files():
    """No file is longer than 700 lines."""
    for path in tracked("*.c", "*.h", "*.py", "*.sh"):
        if len(lines(path)) > MAX_FILE:
            yield f"{path}: {len(lines(path))} lines"


def check_functions():
    """No function is longer than 80 lines."""
    for path in tracked("*.c", "*.h"):
        start = None
        for number, line in enumerate(lines(path), 1):
            if line == "{":
                start = number
            elif line == "}" and start is not None:
                if number - start - 1 > MAX_FUNCTION:
                    yield f"{path}:{start}: {number - start - 1} lines in one function"
                start = None


def check_markers():
    """Nothing is left for later in a comment."""
    for path in tracked("*.c", "*.h"):
        for number, line in enumerate(lines(path), 1):
            if re.search(r"\b(TODO|FIXME|XXX|HACK)\b", line):
                yield f"{path}:{number}: {line.strip()}"


def check_format():
    """Sources are as clang-format lays them out."""
    if shutil.which("clang-format") is None:
        return
    version = subprocess.run(["clang-format", "--version"], capture_output=True, text=True)
    if " 14." not in version.stdout:  # each lays out a few things differently
        return
    run = subprocess.run(["clang-format", "--dry-run", *tracked("*.c", "*.h")], cwd=ROOT, capture_output=True, text=True)
    files = re.findall(r"^(\S+?):\d+:\d+: warning", run.stderr, re.M)
    for path in sorted(set(files)):
        yield f"{path}: {files.count(path)} places; `make fmt` mends them"


if __name__ == "__main__":
    sys.exit(tap.run_checks([check_licence, check_files, check_functions, check_markers, check_format]))
