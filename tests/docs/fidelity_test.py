#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""docs/fidelity.md: each line has one of the words, and names tests that there are."""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
sys.path.insert(0, str(SOURCE / "scripts"))

from tap import run_checks  # noqa: E402

PAGE = SOURCE / "docs/fidelity.md"
WORD = re.compile(r"exact|approximate|ours|unknown|not yet")
TEST = re.compile(r"`((?:\w+/)+\w+)(?::(\w+))?`")


def rows():
    """(line number, cells) of the tables whose last column says what shows it."""
    in_table = False
    for number, line in enumerate(PAGE.read_text().splitlines(), 1):
        cells = [c.strip() for c in line.strip("|").split("|")]
        if not line.startswith("|"):
            in_table = False
        elif cells[-1] == "Shown by":
            in_table = True
        elif in_table and not set(line) <= set("|- "):
            yield number, cells


def lines_have_a_word_and_a_test():
    """each line says how faithful it is, and what shows it"""
    conflicts = "## What conflicts"
    last = PAGE.read_text().split(conflicts)[0].count("\n")
    for number, cells in rows():
        if len(cells) != 3 or not cells[2]:
            yield f"line {number} has not three cells"
        elif number <= last and not WORD.match(cells[1]):
            yield f"line {number}: {cells[1]!r} begins with none of the words"
        elif not TEST.search(cells[2]) and "no test" not in cells[2]:
            yield f"line {number} names no test, and does not say that there is none"


def named_tests_exist():
    """each test that is named exists"""
    for number, cells in rows():
        for path, case in TEST.findall(cells[2]):
            files = [f for f in (HERE.parent / (path + end) for end in (".c", ".py")) if f.is_file()]
            if not files:
                yield f"line {number}: there is no tests/{path}"
            elif case and not re.search(rf"\b(?:T|MISUSE|SCARCE)_CASE\w*\({case}\b|^def {case}\(", files[0].read_text(), re.M):
                yield f"line {number}: tests/{path} has no case {case}"


if __name__ == "__main__":
    sys.exit(run_checks([lines_have_a_word_and_a_test, named_tests_exist]))
