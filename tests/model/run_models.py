#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check the Promela models with spin; TAP on standard output.

Every model runs as written, which must be free of errors, and once for each way
of breaking it, which must fail in the way the table says: a model that cannot
fail proves nothing.  A search that ends early counts as a failure too.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TIME_OUT = 60

ASLEEP = "invalid end state"
LANDED = "assertion violated"

# (model, defines, the error to be found; None: it must hold)
CASES = [
    ("doorbell", [], None),
    ("doorbell", ["NO_RECHECK"], ASLEEP),
    ("doorbell", ["LATE_DRAIN"], ASLEEP),
    ("doorbell", ["SAME_NUMBER"], ASLEEP),
    ("cold", [], None),
    ("cold", ["NO_FENCE_COLD"], ASLEEP),
    ("cold", ["OWN_FENCE_COLD"], ASLEEP),
    ("cold", ["NO_FENCE_ARM"], ASLEEP),
    ("cold", ["NO_RECHECK_COLD"], ASLEEP),
    ("cold", ["LATE_BIT"], ASLEEP),
    ("cold", ["PLAIN_BIT"], ASLEEP),
    ("cold", ["SUMMARY_FIRST"], ASLEEP),
    ("cold", ["COLD_FIRST"], ASLEEP),
    ("revocation", [], None),
    ("revocation", ["NON_TEMPORAL"], None),
    ("revocation", ["NO_FENCE_IMPORTER"], LANDED),
    ("revocation", ["NO_FENCE_OWNER"], LANDED),
    ("revocation", ["EARLY_OUT"], LANDED),
    ("revocation", ["SHARED_FLAG"], LANDED),
    ("revocation", ["NO_COUNT"], LANDED),
    ("revocation", ["NON_TEMPORAL", "NO_STORE_FENCE"], LANDED),
    ("revocation", ["NO_DEATH_NOTICE"], ASLEEP),
    ("close", [], None),
    ("close", ["AT_ONCE"], LANDED),
    ("close", ["BY_POSITION"], LANDED),
    ("close", ["EARLY_WORD"], LANDED),
    ("close", ["NO_WORD"], ASLEEP),
    ("bias", [], None),
    ("bias", ["NO_FENCE_ALL"], LANDED),
    ("bias", ["NO_SECOND_LOOK"], LANDED),
    ("bias", ["NO_WAIT"], LANDED),
    ("bias", ["EARLY_EXIT"], LANDED),
]

# of those that include membarrier.pml
FENCE_CASES = [
    (model, [variant], error)
    for model, error in [("doorbell", ASLEEP), ("cold", ASLEEP), ("close", LANDED)]
    for variant in ["NO_FENCE_SENDER", "NO_FENCE_ENGINE", "NO_FENCE_ALL", "UNREGISTERED_TRUSTS",
                    "FALSE_TRUST", "NO_TIME"]
]


def run(command, folder):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=TIME_OUT)
    if done.returncode != 0:
        raise RuntimeError("%s: exit %d\n%s" % (command[0], done.returncode, done.stdout))
    return done.stdout


# What must hold is searched to its end, what must fail up to the first error: there
# compiling is what takes time, and the last process's steps first find it soonest.
WHOLE = ["-O1", "-DSFH"]
FIRST_ERROR = ["-O0", "-DT_REVERSE"]


def verify(model, defines, folder, options):
    """Output of the search."""
    source = os.path.join(HERE, model + ".pml")
    run(["spin", "-a"] + ["-D" + d for d in defines] + [source], folder)
    run(["cc", "-w", "-DSAFETY", "-DMEMLIM=2048", "-o", "pan", "pan.c"] + options, folder)
    return run(["./pan", "-m100000", "-w22"], folder)


def verdict(output, expected):
    """None when the output says what was expected, else a sentence."""
    found = re.search(r"errors: (\d+)", output)
    if not found:
        return "no verdict in the output"
    if "max search depth too small" in output or "out of memory" in output:
        return "the search was cut short"
    if expected is None and found.group(1) != "0":
        return "an error was found"
    # at the limit of memory, too, pan counts no errors and says nothing else of it
    if expected is None:
        return "the search was cut short" if "Search not completed" in output else None
    if found.group(1) == "0":
        return "the broken variant passed"
    return None if expected in output else "failed, but not with '%s'" % expected


def case(model, defines, expected):
    with tempfile.TemporaryDirectory(prefix="softdpu-model-") as folder:
        try:
            output = verify(model, defines, folder, FIRST_ERROR if expected else WHOLE)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            return str(error), ""
    states = re.search(r"(\d+) states, stored", output)
    return verdict(output, expected), "%s states" % (states.group(1) if states else "?"), output


def main():
    if not shutil.which("spin"):
        print("1..0 # SKIP spin is not installed (apt install spin)")
        return 0
    failed = 0
    print("1..%d" % len(CASES + FENCE_CASES))
    for number, (model, defines, expected) in enumerate(CASES + FENCE_CASES, 1):
        problem, *detail = case(model, defines, expected)
        name = " ".join([model] + defines)
        print("%sok %d - %s: %s (%s)" % ("not " if problem else "", number, name,
                                         "fails" if expected else "holds", detail[0]), flush=True)
        if problem:
            failed += 1
            print("\n".join("# " + line for line in (problem + "\n" + detail[-1]).split("\n")))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
