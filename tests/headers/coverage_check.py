#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compare the public headers, and the libraries, with the list of the API's functions (names.txt).

    coverage_check.py [INCLUDE_DIR [LIBRARY...]]

Without libraries, those below SOFTDPU_BUILD are taken if it is set. Functions of finished subjects
must also stand in the source of some test. Speaks TAP; what is missing or too much follows the line
of its check.
"""
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
IGNORED = re.compile(r"/\*.*?\*/|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.S | re.M)
FUNCTION = re.compile(r"\bDOCA_(?:STABLE|EXPERIMENTAL)\b[^;{(]*?\b(\w+)\s*\(")
OLD_SYMBOL = re.compile(r'\bSOFTDPU_V209\("(\w+)"\)')
# Subjects of which every function is called by a test.
TESTED = re.compile(r"doca_(?:comch|dma|dpa|rdma|sync_event)_")


def read_headers(include):
    """Names declared, and further symbols that -DSOFTDPU_API=209 binds names to."""
    text = "".join(IGNORED.sub("", h.read_text()) for h in sorted(include.glob("*.h")))
    return set(FUNCTION.findall(text)), set(OLD_SYMBOL.findall(text))


def read_exports(libraries):
    found = set()
    for library in libraries:
        listing = subprocess.run(["nm", "-D", "--defined-only", str(library)], check=True,
                                 capture_output=True, text=True).stdout
        found |= {line.split()[-1].split("@")[0] for line in listing.splitlines()}
    return found


def read_words_of_tests(include):
    """What the preprocessor leaves of the tests' own lines: names may be pasted together in them."""
    tests = HERE.parent
    sources = "".join(f'#include "{source}"\n' for source in sorted(tests.rglob("*.c")))
    text = subprocess.run(["cc", "-E", "-w", f"-I{include}", f"-I{tests}",
                           f"-I{tests.parent / 'lib'}", f"-I{tests.parent / 'bench'}",
                           "-D_GNU_SOURCE", "-DDOCA_ALLOW_EXPERIMENTAL_API", "-"],
                          input=sources, capture_output=True, text=True).stdout
    found = set()
    own = False
    for line in text.splitlines():
        if line.startswith("# "):
            own = line.split('"')[1].startswith(str(tests))
        elif own:
            found.update(re.findall(r"\bdoca_\w+", line))
    return found


def find_libraries(arguments):
    if arguments:
        return [pathlib.Path(a) for a in arguments]
    build = os.environ.get("SOFTDPU_BUILD")
    found = sorted(pathlib.Path(build, "lib").glob("libdoca_*.so")) if build else []
    return [f for f in found if f.exists()]


def main(arguments):
    include = pathlib.Path(arguments[0]) if arguments else HERE.parent.parent / "include"
    names = set((HERE / "names.txt").read_text().split())
    declared, old = read_headers(include)
    checks = [("every function is declared", names - declared),
              ("every declaration is listed in names.txt", declared - names),
              ("every function of Comch, DMA, DPA, RDMA and sync events is called by a test",
               {name for name in names if TESTED.match(name)} - read_words_of_tests(include))]
    libraries = find_libraries(arguments[1:])
    if libraries:
        exports = read_exports(libraries)
        public = {n for n in exports if n.startswith(("doca_", "softdpu_"))}
        checks += [("every function is exported", (names | old) - exports),
                   ("every public export is a function of the API", public - names - old)]
    print("TAP version 13\n1..%d" % len(checks))
    for number, (title, wrong) in enumerate(checks, 1):
        print("%s %d - %s" % ("not ok" if wrong else "ok", number, title))
        for name in sorted(wrong):
            print("# " + name)
    return 1 if any(wrong for _, wrong in checks) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
