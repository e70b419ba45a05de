#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The hot loops take no more instructions than instructions.json allows, and not far fewer; TAP.

callgrind counts, so that neither the speed of the machine nor its load matters. A figure in the file
changes together with its reason; one that is far too high is lowered, so that the next loss shows.

    instructions_test.py PROGRAM            judges
    instructions_test.py --write PROGRAM    puts what was counted into the file, reasons kept
"""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ALLOWED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "instructions.json")
SLACK = 0.25  # below the allowed figure, as a part of it; acknowledgements that happen to go together save 15 %
ROOM = 1.03  # that --write leaves above what was counted: compilers differ a little
TIMEOUT = 280  # seconds; a busy machine needs many times what an idle one does


def count_dump(path):
    """Name and instructions of one dump."""
    with open(path) as file:
        text = file.read()
    name = re.search(r"^desc: Trigger: Client Request: (\S+)$", text, re.M)
    total = re.search(r"^(?:totals|summary): (\d+)", text, re.M)
    return (name.group(1), int(total.group(1))) if name and total else None


def count(program):
    """Instructions of one operation of each loop; a sentence instead when that failed."""
    # How often a loop would yield depends on who else is on the machine, and so does whether the kernel of the MsgQ
    # loop, which never returns, has run for longer than a kernel may.
    env = dict(os.environ, SOFTDPU_POLL="spin", SOFTDPU_DPA_RUN_TIME_MS=str(TIMEOUT * 1000))
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["valgrind", "--tool=callgrind", "--collect-atstart=no",
                               "--callgrind-out-file=" + os.path.join(folder, "out"), program],
                              env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=TIMEOUT)
        if done.returncode != 0:
            return "exit %d: %s" % (done.returncode, done.stderr[-2000:])
        dumps = dict(filter(None, map(count_dump, glob.glob(os.path.join(folder, "out*")))))
    operations = dict(line.split()[:2] for line in done.stdout.splitlines())
    return {name: dumps[name] / int(operations[name]) for name in operations if name in dumps}


def judge(allowed, counted):
    """What is wrong, or None."""
    if counted is None:
        return "was not counted: no loop has this name, or valgrind's headers were missing"
    if allowed is None:
        return "%.1f instructions, and no figure in %s" % (counted, os.path.basename(ALLOWED))
    if counted > allowed:
        return "%.1f instructions, %d are allowed" % (counted, allowed)
    if counted < allowed * (1 - SLACK):
        return "%.1f instructions, far below the %d that are allowed: lower the figure" % (counted, allowed)
    return None


def write(rows, counted):
    reasons = {row["name"]: row["reason"] for row in rows}
    lines = [json.dumps({"name": name, "allowed": round(figure * ROOM), "reason": reasons.get(name, "")},
                        ensure_ascii=False) for name, figure in counted.items()]
    with open(ALLOWED, "w") as file:
        file.write("[\n  %s\n]\n" % ",\n  ".join(lines))


def main():
    writes = sys.argv[1] == "--write"
    if shutil.which("valgrind") is None:
        print("1..0 # SKIP valgrind is not installed")
        return 0
    with open(ALLOWED) as file:
        rows = json.load(file)
    counted = count(sys.argv[-1])
    if isinstance(counted, str):
        print("1..1\nnot ok 1 - count\n# " + counted.replace("\n", "\n# "))
        return 1
    if writes:
        write(rows, counted)
        return 0
    allowed = {row["name"]: row["allowed"] for row in rows}
    names = list(allowed) + [name for name in counted if name not in allowed]
    print("1..%d" % len(names))
    failed = 0
    for number, name in enumerate(names, 1):
        problem = judge(allowed.get(name), counted.get(name))
        failed += problem is not None
        print("%sok %d - %s" % ("not " if problem else "", number, name))
        print("# " + (problem or "%.1f of %d" % (counted[name], allowed[name])))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
