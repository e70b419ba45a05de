#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks who includes whom, and that no library calls the public API (docs/architecture.md, Layers).

Prints one line for each breach, and a TAP result for each rule.
"""
import os
import re
import sys

import tap

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Directory of lib/ -> directories of lib/ that it may include besides itself.
LAYERS = {
    "base": set(),
    "bus": {"base"},
    "core": {"base", "bus"},
    "argp": {"base", "core"},
    "rdma": {"base", "bus", "core"},
    "dma": {"base", "bus", "core"},
    "dpa": {"base", "bus", "core"},
    "comch": {"base", "bus", "core", "dpa"},
}

# Tree -> may its files include softdpu.h, which the real SDK does not have?
PUBLIC_ONLY = {"apps": False, "samples": False, "tools": True}

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^">]+)[">]', re.M)
COMMENT_OR_TEXT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
CALL = re.compile(r"\b(doca_[a-z0-9_]+)\s*\(")


def sources(top):
    for path, _, names in os.walk(os.path.join(ROOT, top)):
        for name in sorted(names):
            if name.endswith((".c", ".h")):
                yield os.path.relpath(os.path.join(path, name), ROOT)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def includes(path):
    text = read(path)
    for match in INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start(2)) + 1
        yield f"{path}:{line}", match.group(1), match.group(2)


def is_public(name):
    return os.path.exists(os.path.join(ROOT, "include", name))


def check_headers():
    """A public header includes public headers and those of the system."""
    for path in sources("include"):
        for where, quote, name in includes(path):
            if quote == '"':
                yield f'{where}: "{name}": public headers include with angle brackets'


def check_lib():
    """A directory of lib/ includes only the layers below it."""
    for path in sources("lib"):
        layer = path.split("/")[1]
        for where, quote, name in includes(path):
            if quote == "<":
                continue
            target = name.split("/")[0]
            if "/" not in name or target not in LAYERS:
                yield f'{where}: "{name}": include with the path from lib/'
            elif target != layer and target not in LAYERS[layer]:
                yield f"{where}: lib/{layer} may not include lib/{target}"


def check_public_only():
    """Programs see public headers and their own."""
    for top, may_use_ours in PUBLIC_ONLY.items():
        for path in sources(top):
            for where, quote, name in includes(path):
                if quote == "<" and (name != "softdpu.h" or may_use_ours):
                    continue
                if name == "softdpu.h":
                    yield f"{where}: {top}/ must also build against the real SDK, which has no softdpu.h"
                    continue
                beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
                if not beside.startswith(top + "/") or not os.path.exists(os.path.join(ROOT, beside)):
                    yield f'{where}: "{name}" is not a file of {top}/'


def check_calls():
    """No library calls the public API: what libraries share is called sdpu_*."""
    for path in sources("lib"):
        code = COMMENT_OR_TEXT.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), read(path))
        for number, line in enumerate(code.split("\n"), 1):
            if not line[:1].isspace():  # column 0: a declaration or a definition
                continue
            for name in CALL.findall(line):
                if not name.endswith("_t"):
                    yield f"{path}:{number}: calls {name}()"


if __name__ == "__main__":
    sys.exit(tap.run_checks([check_headers, check_lib, check_public_only, check_calls]))
