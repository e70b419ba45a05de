#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Pages whose commands and listings are run, as a reader would (page.py says how).

    pages_test.py            against the build directory, as from a clone; README.md, too
    pages_test.py DIRECTORY  against an installed softdpu, whose pages are in the directory; shows what is run
"""
import os
import pathlib
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
sys.path.insert(0, str(SOURCE / "scripts"))
sys.path.insert(0, str(HERE))

import page  # noqa: E402
from tap import run_checks  # noqa: E402

IS_INSTALLED = len(sys.argv) > 1
DOCS = pathlib.Path(sys.argv[1]) if IS_INSTALLED else SOURCE / "docs"
BUILD = pathlib.Path(os.environ.get("SOFTDPU_BUILD", SOURCE / "build"))
# What the vendor's own variables may hold must not reach a page that tells how to set them.
ENV = {name: value for name, value in os.environ.items() if name not in ("PKG_CONFIG_PATH", "LD_LIBRARY_PATH")}
made = tempfile.TemporaryDirectory(prefix="sdpu-pages.")


def place(name):
    """An empty directory in which a clone's docs/ and build/ are found, as far as there are such."""
    directory = pathlib.Path(made.name, name)
    directory.mkdir()
    (directory / "docs").symlink_to(DOCS)
    if not IS_INSTALLED:
        (directory / "build").symlink_to(BUILD)
    return directory


def run_page(path, directory):
    for commands, said, wrong in page.run(path, directory, "packages" if IS_INSTALLED else "clone", ENV):
        if wrong:
            yield from f"{path.name}: the commands\n{commands}printed\n{said}\n{wrong}".splitlines()
        elif IS_INSTALLED:
            print(re.sub("^", "#   ", f"{commands}{said}".rstrip("\n"), flags=re.M))


def tutorial_works():
    """docs/tutorial.md: its programs are built by its commands, and print what it shows"""
    directory = place("tutorial")
    yield from run_page(DOCS / "tutorial.md", directory)
    page.extract(DOCS / "tutorial.md", directory / "again")
    for path in (directory / "again").iterdir():
        if path.read_text() != (directory / "tutorial" / path.name).read_text():
            yield f"tutorial.md: {path.name} as its command cuts it out is not the whole of it"


def build_files_work():
    """docs/bring-your-program.md: programs are built by each of its build files in both roles, and run"""
    directory = place("bring")
    page.extract(DOCS / "tutorial.md", directory)
    page.extract(DOCS / "bring-your-program.md", directory)
    yield from run_page(DOCS / "bring-your-program.md", directory)


def clone():
    """A place with the sources, too, where commands may leave files."""
    directory = place("clone")
    (directory / "tests").symlink_to(SOURCE / "tests")
    shutil.copytree(SOURCE / "samples", directory / "samples")
    return directory


def readme_works():
    """README.md: programs for Comch and the DPA are built by its commands, and run"""
    yield from run_page(SOURCE / "README.md", clone())


def pages_read_well():
    """README.md is one screen, and fences have nothing but a language, which is all that viewers know"""
    lines = (SOURCE / "README.md").read_text().splitlines()
    if len(lines) > 80:
        yield f"README.md has {len(lines)} lines"
    for path in [SOURCE / "README.md", *DOCS.glob("*.md")]:
        yield from (f"{path.name}: {fence}" for fence in re.findall(r"^```\S* .*", path.read_text(), re.M))


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return str(server.getsockname()[1])


def two_machines(text):
    """Its commands for the other machine and for this one, put for one machine with the processors that we have."""
    cpus = sorted(os.sched_getaffinity(0))
    text = text.replace("THERE:", "127.0.0.1:").replace("4000", free_port())
    text = re.sub(r"--cpu (\d)", lambda match: f"--cpu {cpus[int(match[1]) % len(cpus)]}", text)
    return re.fullmatch(r"there\$ (.*?)\nhere\$ (.*)", text, re.S).groups()


def two_machines_work():
    """README.md: the storage programs as they are started on two machines move what they shall"""
    shown = [text for language, _, text in page.blocks(SOURCE / "README.md") if language == "console"]
    there, here = two_machines(*shown)
    softdpu = shlex.quote(str(BUILD / "tools" / "softdpu"))
    command = f'eval "$({softdpu} env)"; softdpu run --on there {shlex.quote(there)} --on here {shlex.quote(here)}'
    done = subprocess.run(["bash", "-c", command], env=ENV, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", timeout=100)
    if done.returncode != 0 or "Operation count: 1000" not in done.stdout:
        yield from done.stdout.splitlines()


if __name__ == "__main__":
    sys.exit(run_checks([tutorial_works, build_files_work] +
                        ([] if IS_INSTALLED else [readme_works, two_machines_work, pages_read_well])))
