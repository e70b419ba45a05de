#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The manual pages: that there is one for everything, and that they say what the sources say."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
BUILD = pathlib.Path(os.environ.get("SOFTDPU_BUILD", SOURCE / "build"))
sys.path.insert(0, str(SOURCE / "scripts"))

from tap import run_checks  # noqa: E402

LIMIT = re.compile(r"LIMIT\((\w+), \d+, ([^)]*)\)")
# In a synopsis: the last word of each parameter, and a function that answers a code.
PARAMETER = re.compile(r"(\w+)(?:\[\w*\])?[,)]")
CAN_FAIL = re.compile(r"^doca_error_t\s", re.M)
# A date would change with every build; long lines are those that cannot be broken.
TOLERATED = re.compile(r"missing date|longer than 80 bytes")

made = tempfile.TemporaryDirectory(prefix="sdpu-man.")
section_3 = pathlib.Path(made.name, "man3")


def every_function_has_a_page():
    """every public function and header has a page"""
    subprocess.run([SOURCE / "scripts/man.py", SOURCE / "include", section_3, "0"], check=True)
    names = (SOURCE / "tests/headers/names.txt").read_text().split()
    names += [h.name for h in (SOURCE / "include").glob("doca_*.h") if "@file" in h.read_text()]
    yield from (n for n in names if not (section_3 / (n + ".3")).is_file())


def functions_tell_parameters_and_errors():
    """the page of a function tells each of its parameters, and each function that can fail its errors"""
    for name in (SOURCE / "tests/headers/names.txt").read_text().split():
        text = (section_3 / (name + ".3")).read_text()
        synopsis, _, rest = text.partition(".SH DESCRIPTION")
        prototype = re.search(rf"\b{name}\((.*?\));", synopsis, re.S)[1]
        prototype = re.sub(r"\((?!\*)[^()]*\)", "", prototype)  # what a parameter that is a function gets itself
        told = set(re.findall(r"^\.I (\w+)", rest, re.M))
        yield from (f"{name}: {parameter}" for parameter in PARAMETER.findall(prototype)
                    if parameter not in told and parameter != "void")
        if CAN_FAIL.search(synopsis) and not re.search(r"^\.B DOCA_(SUCCESS|ERROR_\w+)$", rest, re.M):
            yield f"{name}: no error, and no success"


def every_program_has_a_page():
    """every installed program has a page"""
    plan = BUILD / "meson-info/intro-installed.json"
    installed = [pathlib.Path(p) for p in json.loads(plan.read_text()).values()]
    pages = {p.name for p in installed if p.parent.name == "man1"}
    programs = [p.name for p in installed if p.parent.name in ("bin", "tools")]
    yield from (p for p in programs if p + ".1" not in pages)
    if not programs:
        yield "no program is installed at all"


def pages_are_well_formed():
    """mandoc finds no fault with any page"""
    if not shutil.which("mandoc"):
        print("# mandoc is not there, so nothing was looked at")
        return
    for kind in ("error", "variable", "capability"):
        subprocess.run([SOURCE / "scripts/explain.py", "man", SOURCE / "data/explain.txt", kind,
                        section_3 / (kind + ".7"), "0"], check=True)
    pages = [*section_3.glob("*.[37]"), *(SOURCE / "man").glob("*.[17]")]
    said = subprocess.run(["mandoc", "-T", "lint", *pages], capture_output=True, text=True).stdout
    yield from (line for line in said.splitlines() if not TOLERATED.search(line))


def pages_are_found():
    """man finds the pages that README.md and explain lead to, beside the tools of a build directory as in PATH"""
    # Small images have a man that only says that there are no pages.
    if not shutil.which("man") or not subprocess.run(["man", "--version"], capture_output=True,
                                                     text=True).stdout.startswith("man "):
        print("# man is not there, so nothing was looked for")
        return
    tools = BUILD / "tools"
    env = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
    env.pop("MANPATH", None)
    led_to = set(re.findall(r"`man (\d) ([\w-]+)`", (SOURCE / "README.md").read_text()))
    for name in ("AGAIN", "SOFTDPU_POLL", "comch_max_msg_size", "doca_comch_server_create", "doca_pe.h", "123"):
        said = subprocess.run([tools / "softdpu", "explain", name], capture_output=True, text=True).stdout
        led_to |= set(re.findall(r"^More: man (\d) ([\w.-]+)$", said, re.M)) or {("of", name)}
    for section, name in sorted(led_to | {("1", "softdpu"), ("1", "doca_comch_ctrl_path_client")}):
        found = subprocess.run(["man", "-w", section, name], env=env, capture_output=True, text=True).stdout.strip()
        if pathlib.Path(found or "/").resolve().parent.parent != (BUILD / "man").resolve():
            yield f"man {section} {name}: {found or 'nothing'}"


def limits_are_complete():
    """docs/topology.md has every limit, with the value that the sources have"""
    rows = [r for r in (SOURCE / "docs/topology.md").read_text().splitlines() if r.startswith("| `")]
    for key, value in LIMIT.findall((SOURCE / "lib/core/topology_limits.c").read_text()):
        row = next((r for r in rows if f"`{key}`" in r), "")
        size = re.fullmatch(r"(\d)ll << 30", value)
        text = f"{size[1]} GiB" if size else value
        if not re.search(rf"\b{text}\b", row):
            yield f"{key} is {value}, but the page says: {row or 'nothing'}"


if __name__ == "__main__":
    sys.exit(run_checks([every_function_has_a_page, functions_tell_parameters_and_errors, every_program_has_a_page,
                         pages_are_well_formed, pages_are_found, limits_are_complete]))
